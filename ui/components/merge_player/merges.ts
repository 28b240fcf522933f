// The states of the chosen piece: what each step says, and which merge led to it. Step 0 is the whole piece, 1 its first
// parts, then one step per merge, and last the ids.

import { clamp } from "../_shared/canvas.ts";
import { countText, listText, namedText, sentencesText } from "../_shared/numbers.ts";
import type { Step } from "../_shared/stepper.ts";
import { fillLabel } from "../_shared/text.ts";

/** The piece between two merges. */
interface State {
  parts: string[];
  ranks: (number | null)[]; // of each neighbouring pair
  pair: number | null; // index of the left part of the pair that merges next
}
/** What is sent. */
export interface Merges {
  pieces: [label: string, first: number, last: number][]; // with their columns in the text
  chosen: number;
  states: State[]; // one more than there are merges
  ids: string[];
  labels: Record<string, string>;
}

export const lastStep = ({ states }: Pick<Merges, "states">) => states.length + 1;

export const pieceLabel = ({ pieces, chosen }: Pick<Merges, "pieces" | "chosen">) => pieces[chosen][0];

/** What a merge joins, with its rank; null where nothing merges. */
export function mergeOf({ parts, ranks, pair }: State, next?: State) {
  if (pair === null) return null;
  return {
    left: parts[pair],
    right: parts[pair + 1],
    rank: countText(ranks[pair] ?? NaN),
    whole: next?.parts[pair] ?? "",
  };
}

export function describe(merges: Merges, step: number): Step {
  const title = fillLabel(merges.labels.step, { number: step + 1, count: lastStep(merges) + 1 });
  const text = stepSentence(merges, step);
  return { title, text, spoken: namedText(title, text) };
}

export function stepSentence(merges: Merges, step: number) {
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
 * @param last index of the last state, plus 1
 */
export function momentAt(time: number, last: number) {
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
 * @param merges whether the joint's pair is the one that merges
 */
export function closedAt({ step, eased }: ReturnType<typeof momentAt>, last: number, merges: boolean) {
  if (step < 1) return 1 - eased;
  return step <= last && merges ? eased : 0;
}

/** The piece that a column of the text lies in, -1 where there is none. */
export function pieceAt(pieces: Merges["pieces"], column: number | null) {
  return column === null ? -1 : pieces.findIndex(([, first, last]) => first <= column && column <= last);
}
