// Names on the picture: the step, the chosen word and its neighbours, the kinds at their middles, a few words of each
// kind. None lies over another; one that has a place keeps it while it can, so that nothing flickers while words move.

const FADE_SECONDS = 0.25;
const GATHERED = [0.92, 0.68]; // share of the whole spread: a kind that has come together so far begins to be named, is named
const SPREAD = [55, 95]; // pixels from the middle: while all words lie closer together, names would hide them
const CENTRED = [[0, 0], [0, -1], [0, 1], [0, -2], [0, 2], [0, -3], [0, 3]];
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

function drawMotionNames(context, motion, seconds) {
  const { shown, view } = motion;
  const counter = drawCounter(context, motion);
  const wanted = motion.names || motion.chosen !== null ? wantedNames(motion) : [];
  const taken = [counter];
  if (motion.chosen !== null) taken.push(boxAround(...screenOf(motion, motion.chosen), 14));
  const placed = new Set();
  context.textBaseline = "middle";
  context.textAlign = "center";
  for (const name of wanted) {
    if (layName(context, motion, name, taken)) placed.add(name.id);
  }
  motion.fading = false;
  for (const [id, name] of shown) {
    const goal = placed.has(id) ? name.goal : 0;
    const step = seconds / FADE_SECONDS;
    name.alpha = isStill() ? goal : name.alpha < goal ? Math.min(goal, name.alpha + step) : Math.max(goal, name.alpha - step);
    if (name.alpha !== goal) motion.fading = true;
    else if (goal === 0) shown.delete(id);
  }
  context.save();
  context.beginPath();
  context.rect(view.plot.x, view.plot.y, view.plot.width, view.plot.height);
  context.clip();
  const order = { word: 0, title: 1, near: 2, chosen: 3 };
  const all = [...shown.values()].sort((a, b) => order[a.look] - order[b.look]);
  all.filter(({ look }) => look === "near").forEach((name) => drawLead(context, name, motion.theme));
  all.forEach((name) => drawName(context, name, motion.theme));
  context.restore();
}

const boxAround = (x, y, reach) => [x - reach, y - reach, 2 * reach, 2 * reach];
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
  const room = shareOf(whole * frame.scale * view.scale, ...SPREAD);
  return kinds
    .filter(({ share }) => share < from && room > 0)
    .filter(({ kind }) => !focus || chosen !== null || (focus.kind === undefined ? model.groupOfKind[kind] === focus.group : kind === focus.kind))
    .sort((a, b) => a.share - b.share)
    .map(({ kind, centre, share }) => {
      const [x, y] = project(view, centre.map((value, axis) => (value - frame.centre[axis]) * frame.scale));
      const strength = Math.min(room, shareOf(share, from, to));
      const group = model.groupOfKind[kind];
      return { id: `kind ${kind}`, kind, x, y, text: model.kinds[kind], look: "title", gap: 0, goal: strength * (chosen === null ? 1 : 0.25), colour: header.legend[group][1] };
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

// Gives a name a place, the one it had if it can; false where there is none.
function layName(context, motion, name, taken) {
  const { shown, theme, view } = motion;
  const { plot } = view;
  const narrow = plot.width < NARROW;
  const { size: wide, weight, lay } = STYLES[name.look];
  const size = narrow && name.look !== "word" ? Math.max(15, wide - 4) : wide;
  const before = shown.get(name.id);
  const entry = before ?? { alpha: 0, side: 0 };
  const font = `${weight} ${size}px ${theme.font}`;
  if (entry.font !== font || entry.text !== name.text) {
    context.font = font;
    Object.assign(entry, { font, width: Math.ceil(context.measureText(name.text).width) + (name.look === "chosen" ? 18 : 4) });
  }
  Object.assign(entry, name, { size });
  const [width, height] = [entry.width, Math.round(size * (name.look === "chosen" ? 1.55 : 1.2))];
  const sides = lay === "middle" ? CENTRED : lay === "around" ? FARTHER_OFF.flatMap((off) => BESIDE_IT.map(([right, down]) => [right, down, off])) : BESIDE_IT;
  const boxOf = ([right, down, off = 0]) => {
    const away = name.gap + 3 + off * (right && down ? 0.75 : 1);
    const left = lay === "middle" ? name.x - width / 2 : name.x + right * away + ((right - 1) * width) / 2;
    const top = lay === "middle" ? name.y - height / 2 + down * height * 0.8 : name.y + down * away + ((down - 1) * height) / 2;
    return [Math.max(plot.x + 3, Math.min(plot.x + plot.width - width - 3, left)), Math.max(plot.y + 3, Math.min(plot.y + plot.height - height - 3, top)), width, height];
  };
  const start = entry.side % sides.length;
  for (let turn = 0; turn < sides.length; turn += 1) {
    const side = (start + turn) % sides.length;
    const box = boxOf(sides[side]);
    if (taken.some((other) => touches(box, other))) continue;
    return keepName(motion, entry, box, side, taken);
  }
  if (lay === "always") return keepName(motion, entry, boxOf(sides[start]), start, taken);
  if (before) before.box = boxOf(sides[start]); // while it fades
  return false;
}

function keepName({ shown }, entry, box, side, taken) {
  Object.assign(entry, { box, side });
  taken.push(box);
  shown.set(entry.id, entry);
  return true;
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
    context.fillText(text, x, y);
  }
  context.globalAlpha = 1;
}

// The step in large numbers in the corner; returns its box.
function drawCounter(context, { header, time, view, theme }) {
  const { plot, space } = view;
  const narrow = plot.width < NARROW;
  const [before, after] = fillLabel(header.texts.step_of, { steps: grouped(header.n_steps) }).split("{step}");
  const runs = [[before, 500, narrow ? 17 : 22], [grouped(time.step()), 700, narrow ? 26 : 38], [after ?? "", 500, narrow ? 17 : 22]];
  let x = plot.x + 14;
  const y = plot.y + (narrow ? 34 : 46) + 10 * space;
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
