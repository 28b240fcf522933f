// The states of the chosen piece: what each step says, and which merge led to it. Step 0 is the whole piece, 1 its first
// parts, then one step per merge, and last the ids.

import { clamp } from "../_shared/canvas.js";
import { countText, listText, namedText, sentencesText } from "../_shared/numbers.js";
import { fillLabel } from "../_shared/text.js";

/**
 * @typedef {object} State of the piece between two merges
 * @property {string[]} parts
 * @property {(number | null)[]} ranks of each neighbouring pair
 * @property {number | null} pair index of the left part of the pair that merges next
 */
/**
 * @typedef {object} Merges what is sent
 * @property {[label: string, first: number, last: number][]} pieces with their columns in the text
 * @property {number} chosen
 * @property {State[]} states one more than there are merges
 * @property {string[]} ids
 * @property {Record<string, string>} labels
 */

/** @param {Pick<Merges, "states">} merges */
export const lastStep = ({ states }) => states.length + 1;

/** @param {Pick<Merges, "pieces" | "chosen">} merges */
export const pieceLabel = ({ pieces, chosen }) => pieces[chosen][0];

/**
 * What a merge joins, with its rank; null where nothing merges.
 * @param {State} state
 * @param {State} [next]
 */
export function mergeOf({ parts, ranks, pair }, next) {
  if (pair === null) return null;
  return {
    left: parts[pair],
    right: parts[pair + 1],
    rank: countText(ranks[pair] ?? NaN),
    whole: next?.parts[pair] ?? "",
  };
}

/**
 * @param {Merges} merges
 * @param {number} step
 * @returns {import("../_shared/stepper.js").Step}
 */
export function describe(merges, step) {
  const title = fillLabel(merges.labels.step, { number: step + 1, count: lastStep(merges) + 1 });
  const text = stepSentence(merges, step);
  return { title, text, spoken: namedText(title, text) };
}

/**
 * @param {Merges} merges
 * @param {number} step
 */
export function stepSentence(merges, step) {
  const { labels, states, ids } = merges;
  if (step === 0) return fillLabel(labels.piece, { piece: pieceLabel(merges) });
  if (step > states.length) return fillLabel(ids.length === 1 ? labels.id_of_one : labels.ids, { ids: listText(ids) });
  const state = states[step - 1];
  const next = mergeOf(state);
  const before =
    step === 1
      ? fillLabel(labels.start, { count: state.parts.length })
      : fillLabel(labels.merged, mergeOf(states[step - 2], state) ?? {});
  const finished = state.parts.length === 1 ? labels.finished_one : labels.finished;
  return sentencesText([before, next ? fillLabel(labels.following, next) : finished]);
}

/**
 * What is seen at a moment: the whole piece or the parts of a state, and how far they have moved.
 * @param {number} time
 * @param {number} last index of the last state, plus 1
 */
export function momentAt(time, last) {
  const step = Math.floor(time + 1e-6);
  const moved = Math.max(0, time - step);
  const eased = moved * moved * (3 - 2 * moved);
  return {
    step,
    whole: time < 1e-6,
    index: clamp(step, 1, last) - 1,
    eased,
    // Before the first step all joints open and show their ranks; behind the last merge the ids take the ranks' place.
    ranks: step < 1 ? eased : step === last ? 1 - eased : step > last ? 0 : 1,
    ids: step < last ? 0 : step === last ? eased : 1,
  };
}

/**
 * How far a joint is closed: all are before the first step, and then one of them closes at each.
 * @param {ReturnType<typeof momentAt>} moment
 * @param {number} last
 * @param {boolean} merges whether the joint's pair is the one that merges
 */
export function closedAt({ step, eased }, last, merges) {
  if (step < 1) return 1 - eased;
  return step <= last && merges ? eased : 0;
}

/**
 * The piece that a column of the text lies in, -1 where there is none.
 * @param {Merges["pieces"]} pieces
 * @param {number | null} column
 */
export function pieceAt(pieces, column) {
  return column === null ? -1 : pieces.findIndex(([, first, last]) => first <= column && column <= last);
}
