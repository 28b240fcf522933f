// Names on the picture: the step, the chosen word and its neighbours, the kinds at their middles, a few words of each
// kind. None lies over another; they fade in and out and glide to other sides, so that nothing flickers while words move.

const FADE_SECONDS = 0.25;
const SHIFT_SECONDS = 0.12; // how fast a name goes over to another side of its word
const GATHERED = [0.92, 0.68]; // share of the whole spread: a kind that has come together so far begins to be named, is named
const SPREAD = [0.08, 0.14]; // of the picture's shorter side: while all words lie closer together, names would hide them
const ROOM_PER_TITLE = 9000; // square pixels of the picture for each kind that is named
const CENTRED = [[0, 0], [0, -1], [0, 1], [0, -1.6], [0, 1.6], [0, -2.2], [0, 2.2]]; // in heights of the name
const ABOVE = [[0, -1.05], [0, 1.05], [0, -1.7], [0, 1.7], [0, 0], [0, -2.3], [0, 2.3]];
const TIGHT = 22; // pixels: a kind that lies so close together would be hidden by a name on its middle
const BESIDE_IT = [[1, 0], [-1, 0], [0, -1], [0, 1], [1, -1], [-1, -1], [1, 1], [-1, 1]];
const FARTHER_OFF = [0, 24, 50, 80, 112, 146]; // pixels that a neighbour's name may stand off, with a line to its word
const ROOM_PER_NAME = 17_000; // square pixels of the picture for each word that is named only to show what is where

// Size, weight, and how it is laid: "middle" on its place, "beside" it, "around" it farther off,
// "always" beside it even where there is no room.
const STYLES = {
  chosen: { size: 20, weight: 700, lay: "always" },
  near: { size: 17, weight: 600, lay: "around" },
  title: { size: 21, weight: 700, lay: "middle" },
  word: { size: 15, weight: 500, lay: "beside" },
};

// Decides what is named and where; `counter` is the box of the step's number.
function layNames(context, motion, counter, seconds) {
  const { shown } = motion;
  const wanted = motion.names || motion.chosen !== null ? wantedNames(motion) : [];
  const taken = [counter];
  if (motion.chosen !== null) taken.push(squareAround(...screenOf(motion, motion.chosen), 14));
  const placed = new Set();
  for (const name of wanted) if (layName(context, motion, name, taken)) placed.add(name.id);
  motion.fading = false;
  for (const [id, name] of shown) {
    const goal = placed.has(id) ? name.goal : 0;
    const step = seconds / FADE_SECONDS;
    name.alpha = isStill() ? goal : name.alpha < goal ? Math.min(goal, name.alpha + step) : Math.max(goal, name.alpha - step);
    const part = isStill() ? 1 : 1 - Math.exp(-seconds / SHIFT_SECONDS);
    name.offset = name.offset.map((from, axis) => from + (name.wanted[axis] - from) * part);
    const off = Math.hypot(name.wanted[0] - name.offset[0], name.wanted[1] - name.offset[1]);
    if (off < 0.4) name.offset = name.wanted;
    name.box = [name.x + name.offset[0], name.y + name.offset[1], name.width, name.height];
    if (name.alpha !== goal || off >= 0.4) motion.fading = true;
    else if (goal === 0) shown.delete(id);
  }
}

function drawLeads(context, { shown, theme }) {
  for (const name of shown.values()) if (name.look === "near") drawLead(context, name, theme);
}

function drawMotionNames(context, { shown, theme }) {
  const order = { word: 0, title: 1, near: 2, chosen: 3 };
  context.textBaseline = "middle";
  context.textAlign = "center";
  for (const name of [...shown.values()].sort((a, b) => order[a.look] - order[b.look])) drawName(context, name, theme);
}

const squareAround = (x, y, reach) => [x - reach, y - reach, 2 * reach, 2 * reach];
const touches = ([x, y, w, h], [x2, y2, w2, h2]) => x < x2 + w2 && x2 < x + w && y < y2 + h2 && y2 < y + h;

// In order of importance.
function wantedNames(motion) {
  const { chosen, neighbours, names, shown } = motion;
  const wanted = [];
  if (chosen !== null) wanted.push(wordName(motion, chosen, "chosen", 14));
  for (const [index] of neighbours) wanted.push(wordName(motion, index, "near", 9));
  if (!names) return wanted;
  const titles = titleNames(motion);
  // What has a name keeps it before others get one.
  const keep = (some) => [...some.filter(({ id }) => shown.has(id)), ...some.filter(({ id }) => !shown.has(id))];
  wanted.push(...keep(titles));
  if (chosen === null) wanted.push(...keep(landmarkNames(motion)));
  return wanted;
}

function wordName(motion, index, look, gap) {
  const [x, y] = screenOf(motion, index);
  return { id: `${index}`, x, y, text: motion.model.labels[index], look, gap, goal: 1, colour: motion.theme.ink };
}

function titleNames(motion) {
  const { model, view, header, places, chosen, focus, frame } = motion;
  const [from, to] = GATHERED;
  const { whole, kinds } = gatherings(model, places, header.dimensions);
  const room = shareOf((whole * frame.scale * view.scale) / Math.min(view.plot.width, view.plot.height), ...SPREAD);
  const gathered = kinds
    .filter(({ share }) => share < from && room > 0)
    .filter(({ kind }) => !focus || chosen !== null || (focus.kind === undefined ? model.groupOfKind[kind] === focus.group : kind === focus.kind))
    .sort((a, b) => a.share - b.share);
  // The best of each group before the second best of any.
  const rank = ({ kind }, at) => gathered.slice(0, at).filter((other) => model.groupOfKind[other.kind] === model.groupOfKind[kind]).length;
  const ranks = gathered.map(rank);
  return gathered
    .map((gathering, at) => ({ ...gathering, rank: ranks[at] }))
    .sort((a, b) => a.rank - b.rank)
    .slice(0, Math.round((view.plot.width * view.plot.height) / (ROOM_PER_TITLE * magnifying(view.plot))))
    .map(({ kind, centre, share }) => {
      const [x, y] = project(view, centre.map((value, axis) => (value - frame.centre[axis]) * frame.scale));
      const strength = Math.min(room, shareOf(share, from, to));
      const group = model.groupOfKind[kind];
      const tight = share * whole * frame.scale * view.scale < TIGHT * magnifying(view.plot);
      return { id: `kind ${kind}`, kind, x, y, tight, text: model.kinds[kind], look: "title", gap: 0, goal: strength * (chosen === null ? 1 : 0.25), colour: header.legend[group][1] };
    });
}

const shareOf = (value, from, to) => Math.max(0, Math.min(1, (value - from) / (to - from)));

// The first words of each kind in turn; where one kind stands out, all of its words.
function landmarkNames(motion) {
  const { model, focus, view } = motion;
  const most = Math.round((view.plot.width * view.plot.height) / ROOM_PER_NAME);
  if (!model.hasKinds) return Array.from({ length: Math.min(model.count, most) }, (_, index) => wordName(motion, index, "word", 6));
  const lists = model.members.filter((_, kind) => !focus || (focus.kind === undefined ? model.groupOfKind[kind] === focus.group : kind === focus.kind));
  const words = [];
  for (let turn = 0; words.length < most && lists.some((list) => turn < list.length); turn += 1) {
    for (const list of lists) if (turn < list.length) words.push(list[turn]);
  }
  return words.slice(0, focus ? 2 * most : most).map((index) => wordName(motion, index, "word", 7));
}

// Gives a name the first place that is free; false where there is none.
function layName(context, { shown, theme, view, clock, model }, name, taken) {
  const moving = clockMoves(clock, model.newest);
  const { plot } = view;
  const { size: wide, weight, lay } = STYLES[name.look];
  const size = plot.width < NARROW && name.look !== "word" ? Math.max(15, wide - 4) : Math.round(wide * magnifying(plot));
  const before = shown.get(name.id);
  const entry = before ?? { alpha: 0 };
  const font = `${weight} ${size}px ${theme.font}`;
  const pill = name.look === "chosen";
  if (entry.font !== font || entry.text !== name.text) {
    context.font = font;
    entry.width = Math.ceil(context.measureText(name.text).width) + (pill ? 18 : 4);
  }
  Object.assign(entry, name, { size, font, height: Math.round(size * (pill ? 1.55 : 1.2)) });
  const sides = lay === "middle" ? (name.tight ? ABOVE : CENTRED) : lay === "around" ? FARTHER_OFF.flatMap((off) => BESIDE_IT.map(([right, down]) => [right, down, off])) : BESIDE_IT;
  const free = (side) => !taken.some((other) => touches(boxAtSide(entry, lay, sides[side], plot), other));
  // While words move a name stays on its side as long as it can; as they come to rest it takes the best one.
  const side = moving && entry.side !== undefined && free(entry.side) ? entry.side : sides.findIndex((_, at) => free(at));
  if (side < 0 && lay !== "always") return false;
  entry.side = Math.max(0, side);
  const box = boxAtSide(entry, lay, sides[entry.side], plot);
  entry.wanted = [box[0] - name.x, box[1] - name.y];
  entry.offset ??= entry.wanted;
  taken.push(box);
  shown.set(name.id, entry);
  return true;
}

// The box of a name on one side of its place, inside the picture.
function boxAtSide({ x, y, gap, width, height }, lay, [right, down, off = 0], plot) {
  const away = gap + 3 + off * (right && down ? 0.75 : 1);
  const left = lay === "middle" ? x - width / 2 : x + right * away + ((right - 1) * width) / 2;
  const top = lay === "middle" ? y - height / 2 + down * height : y + down * away + ((down - 1) * height) / 2;
  const inside = (value, start, room, taken) => Math.max(start + 3, Math.min(start + room - taken - 3, value));
  return [inside(left, plot.x, plot.width, width), inside(top, plot.y, plot.height, height), width, height];
}

// A line from a word to its name, where that stands off it.
function drawLead(context, { x, y, box: [left, top, width, height], alpha }, theme) {
  const [toX, toY] = [Math.max(left, Math.min(left + width, x)), Math.max(top, Math.min(top + height, y))];
  if (Math.hypot(toX - x, toY - y) < 20) return;
  for (const [colour, wide] of [[theme.ground, 4], [theme.ink, 1.3]]) {
    Object.assign(context, { globalAlpha: alpha, strokeStyle: colour, lineWidth: wide });
    strokeLine(context, [x, y, toX, toY]);
  }
  context.globalAlpha = 1;
}

function drawName(context, { text, look, box, font, size, colour, alpha }, theme) {
  const [left, top, width, height] = box;
  const [x, y] = [left + width / 2, top + height / 2 + 1];
  context.globalAlpha = alpha;
  context.font = font;
  if (look === "chosen") {
    context.beginPath();
    context.roundRect(left, top, width, height, 8);
    context.fillStyle = theme.ink;
    context.fill();
    context.fillStyle = theme.ground;
    context.fillText(text, x, y);
  } else {
    context.lineJoin = "round";
    context.strokeStyle = theme.ground;
    context.lineWidth = size > 16 ? 6 : 4.5;
    context.strokeText(text, x, y);
    context.fillStyle = colour;
    context.fillStyle = `color-mix(in srgb, ${colour} 68%, ${theme.ink})`; // letters are thinner than dots
    context.fillText(text, x, y);
  }
  context.globalAlpha = 1;
}

// The step in large numbers in the corner; returns its box.
function drawCounter(context, { header, time, view, theme }) {
  const { plot, space } = view;
  const narrow = plot.width < NARROW;
  const [before, after] = fillLabel(header.texts.step_of, { steps: grouped(header.n_steps) }).split("{step}");
  const sizes = (narrow ? [17, 26] : [22, 38]).map((size) => size * magnifying(plot));
  const runs = [[before, 500, sizes[0]], [grouped(time.step()), 700, sizes[1]], [after ?? "", 500, sizes[0]]];
  let x = plot.x + 14;
  const y = plot.y + sizes[1] + 8 + 10 * space;
  context.textBaseline = "alphabetic";
  context.textAlign = "left";
  context.lineJoin = "round";
  for (const [text, weight, size] of runs) {
    context.font = `${weight} ${size}px ${theme.font}`;
    context.lineWidth = 7;
    context.strokeStyle = theme.ground;
    context.fillStyle = theme.ink;
    context.strokeText(text, x, y);
    context.fillText(text, x, y);
    x += context.measureText(text).width;
  }
  return [plot.x, plot.y, x - plot.x + 10, y - plot.y + 14];
}
