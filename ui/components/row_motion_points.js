// The words as dots: a small picture of each kind of dot, laid where the words are.

const LOOKS = [
  { radius: 3, alpha: 0.3, rim: 0 },
  { radius: 5, alpha: 0.2, rim: 0 },
  { radius: 5.5, alpha: 0.92, rim: 1 },
  { radius: 7.5, alpha: 1, rim: 1.5 },
  { radius: 10, alpha: 1, rim: 2 },
];
const ROOM = 1500; // words that have room at full size; more are drawn smaller

function drawPoints(context, motion, which) {
  const { model, looks, screen, view, theme } = motion;
  const quiet = motion.chosen !== null || motion.focus !== null ? 0.45 : 1; // for words without a kind
  const crowd = Math.max(0.55, Math.min(1, Math.sqrt(ROOM / model.count)));
  const small = view.plot.width < NARROW ? 0.8 : 1;
  const ratio = context.getTransform().a;
  const dots = (motion.dots ??= new Map());
  if (dots.theme !== theme || dots.ratio !== ratio || dots.size > 600) {
    dots.clear();
    Object.assign(dots, { theme, ratio });
  }
  const some = [];
  for (let at = 0; at < model.count; at += 1) if (which.includes(looks[at])) some.push(at);
  // The faintest first; of the others the more important on top, in space the nearer.
  const order = (at) => looks[at] * 10 + (view.space > 0 ? screen[3 * at + 2] : -at / model.count);
  some.sort((a, b) => order(a) - order(b));
  for (const at of some) {
    const look = LOOKS[looks[at]];
    const near = 1 + view.space * (0.5 * screen[3 * at + 2] - 0.3);
    const radius = Math.round(4 * look.radius * near * (looks[at] < NEAR ? crowd * small : 1)) / 4;
    const key = `${colourOf(motion, at)} ${looks[at]} ${radius}`;
    if (!dots.has(key)) dots.set(key, dotPicture(colourOf(motion, at), radius, look, theme, ratio));
    const picture = dots.get(key);
    const side = picture.width / ratio;
    context.globalAlpha = look.alpha * (looks[at] === FAINT ? quiet : 1) * (1 - view.space * 0.5 * (1 - Math.max(0, Math.min(1, screen[3 * at + 2]))));
    context.drawImage(picture, screen[3 * at] - side / 2, screen[3 * at + 1] - side / 2, side, side);
  }
  context.globalAlpha = 1;
}

function dotPicture(colour, radius, { rim }, theme, ratio) {
  const side = Math.ceil(2 * (radius + rim + 1) * ratio);
  const picture = document.createElement("canvas");
  [picture.width, picture.height] = [side, side];
  const context = picture.getContext("2d");
  const circle = (size, fill) => {
    context.beginPath();
    context.arc(side / 2, side / 2, size * ratio, 0, 2 * Math.PI);
    context.fillStyle = fill;
    context.fill();
  };
  if (rim) circle(radius + rim, theme.ground);
  circle(radius, colour);
  return picture;
}

// Around the chosen word and the one under the pointer.
function drawRing(context, motion) {
  const { chosen, hovered, theme } = motion;
  for (const [index, colour] of [[chosen, theme.ink], [hovered, theme.accent]]) {
    if (index === null) continue;
    const [x, y] = screenOf(motion, index);
    for (const [line, wide] of [[theme.ground, 6], [colour, 3]]) {
      context.beginPath();
      context.arc(x, y, index === chosen ? 13 : 11, 0, 2 * Math.PI);
      context.strokeStyle = line;
      context.lineWidth = wide;
      context.stroke();
    }
  }
}
