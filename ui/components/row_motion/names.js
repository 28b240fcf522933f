// Which names the picture wants: the chosen word and its neighbours, the kinds, a few words of each kind.

import { project } from "../point_cloud/camera.js";
import { gatherings } from "./model.js";
import { magnifying, screenOf } from "./screen.js";

const GATHERED = 0.65; // share of the whole spread below which a kind is named; before training no kind of the grammar has less than 0.79
const SPREAD = 0.08; // of the picture's shorter side: while all words lie closer together, names would hide them
const HOLD = 1.08; // how far past both bounds a name may stay while words move, so that it does not flicker
const ROOM_PER_TITLE = 9000; // square pixels of the picture for each kind that is named
const TIGHT = 22; // pixels: a kind that lies so close together would be hidden by a name on its middle
const ROOM_PER_NAME = 17_000; // square pixels of the picture for each word that is named only to show what is where

// In order of importance. At rest nothing counts that was there before: equal steps have equal names.
export function wantedNames(motion) {
  const { chosen, neighbours, names } = motion;
  const wanted = [];
  if (chosen !== null) wanted.push(wordName(motion, chosen, "chosen", 14));
  for (const [index] of neighbours) wanted.push(wordName(motion, index, "near", 9));
  if (!names) return wanted;
  const titles = titleNames(motion);
  // While words move, what has a name keeps it before others get one.
  const keep = (some) => [
    ...some.filter(({ id }) => heldName(motion, id)),
    ...some.filter(({ id }) => !heldName(motion, id)),
  ];
  wanted.push(...keep(titles));
  if (chosen === null) wanted.push(...keep(landmarkNames(motion)));
  return wanted;
}

export const namesMove = ({ clock, growing, from }) => clock.mode !== "rest" || Boolean(growing || from);
const heldName = (motion, id) => namesMove(motion) && motion.shown.has(id);

function wordName(motion, index, look, gap) {
  const [x, y] = screenOf(motion, index);
  return { id: `${index}`, x, y, text: motion.model.labels[index], look, gap, goal: 1, colour: motion.theme.ink };
}

function titleNames(motion) {
  const { model, view, header, places, chosen, focus, frame } = motion;
  const { whole, kinds } = gatherings(model, places, header.dimensions);
  const spread = (whole * frame.scale * view.scale) / Math.min(view.plot.width, view.plot.height);
  const more = ({ kind }) => (heldName(motion, `kind ${kind}`) ? HOLD : 1);
  const gathered = kinds
    .filter((gathering) => gathering.share < GATHERED * more(gathering) && spread * more(gathering) > SPREAD)
    .filter(
      ({ kind }) =>
        !focus ||
        chosen !== null ||
        (focus.kind === undefined ? model.groupOfKind[kind] === focus.group : kind === focus.kind),
    )
    .sort((a, b) => a.share - b.share);
  // The best of each group before the second best of any.
  const rank = ({ kind }, at) =>
    gathered.slice(0, at).filter((other) => model.groupOfKind[other.kind] === model.groupOfKind[kind]).length;
  const ranks = gathered.map(rank);
  return gathered
    .map((gathering, at) => ({ ...gathering, rank: ranks[at] }))
    .sort((a, b) => a.rank - b.rank)
    .slice(0, Math.round((view.plot.width * view.plot.height) / (ROOM_PER_TITLE * magnifying(view.plot))))
    .map(({ kind, centre, share }) => {
      const [x, y] = project(
        view,
        centre.map((value, axis) => (value - frame.centre[axis]) * frame.scale),
      );
      const group = model.groupOfKind[kind];
      const tight = share * whole * frame.scale * view.scale < TIGHT * magnifying(view.plot);
      return {
        id: `kind ${kind}`,
        kind,
        x,
        y,
        tight,
        text: model.kinds[kind],
        look: chosen === null ? "title" : "aside",
        gap: 0,
        goal: 1,
        colour: header.legend[group][1],
      };
    });
}

// The first words of each kind in turn; where one kind stands out, all of its words.
function landmarkNames(motion) {
  const { model, focus, view } = motion;
  const most = Math.round((view.plot.width * view.plot.height) / ROOM_PER_NAME);
  if (!model.hasKinds)
    return Array.from({ length: Math.min(model.count, most) }, (_, index) => wordName(motion, index, "word", 6));
  const lists = model.members.filter(
    (_, kind) => !focus || (focus.kind === undefined ? model.groupOfKind[kind] === focus.group : kind === focus.kind),
  );
  const words = [];
  for (let turn = 0; words.length < most && lists.some((list) => turn < list.length); turn += 1) {
    for (const list of lists) if (turn < list.length) words.push(list[turn]);
  }
  return words.slice(0, focus ? 2 * most : most).map((index) => wordName(motion, index, "word", 7));
}
