// Votes as rows of a chart.

const MOST = 8; // different numbers that have a row

export type Question = { key: string; choices: string[]; right: string | null };
/** Share of the longest bar, from 0 to 1. */
type Row = { label: string; count: number; share: number; isRight: boolean };

/**
 * @param votes by answer: a choice's place, or a number as it is written
 * @returns all choices in their order, or the most frequent numbers from small to large
 */
export function rowsOf({ choices, right }: Question, votes: Record<string, number>): Row[] {
  const answers = choices.length
    ? choices.map((_choice, place) => String(place))
    : Object.keys(votes)
        .sort((a, b) => votes[b] - votes[a] || Number(a) - Number(b))
        .slice(0, MOST);
  if (!choices.length && right !== null && !answers.includes(right)) answers.push(right);
  if (!choices.length) answers.sort((a, b) => Number(a) - Number(b));
  const longest = Math.max(1, ...answers.map((answer) => votes[answer] ?? 0));
  return answers.map((answer) => ({
    label: choices.length ? choices[Number(answer)] : answer,
    count: votes[answer] ?? 0,
    share: (votes[answer] ?? 0) / longest,
    isRight: right === answer,
  }));
}

export const total = (votes: Record<string, number>) => Object.values(votes).reduce((sum, count) => sum + count, 0);

/**
 * Where each word stands: one that comes is last, and one that is gone leaves its place empty, so that none moves under
 * the pointer.
 * @param before the words by their places, those that are gone among them
 * @param isPointedAt whether empty places stay
 */
export function placesOf(before: string[], waiting: string[], isPointedAt: boolean): string[] {
  if (!waiting.length) return [];
  const kept = before.filter((word) => isPointedAt || waiting.includes(word));
  return [...kept, ...waiting.filter((word) => !kept.includes(word))];
}
