// Rows of the chart of votes, and the order of pending words.

const MOST = 8; // rows at most of a question for a number

export type Question = { key: string; choices: string[]; right: string | null };
/** One bar of the chart; share of the longest bar, from 0 to 1. */
type Row = { label: string; count: number; share: number; isRight: boolean };

/**
 * Return the rows of a chart: all choices in their order, or the most frequent numbers in ascending order.
 * @param votes by answer: a choice's index, or a number as it was typed
 */
export function voteRows({ choices, right }: Question, votes: Record<string, number>): Row[] {
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

export const totalVotes = (votes: Record<string, number>) =>
  Object.values(votes).reduce((sum, count) => sum + count, 0);

/**
 * Return the words in the order of the list: new ones last; removed ones keep their place while the pointer is on the list, so
 * that no word moves under it.
 * @param previous order, with removed words
 */
export function orderWords(previous: string[], waiting: string[], isPointedAt: boolean): string[] {
  if (!waiting.length) return [];
  const remaining = previous.filter((word) => isPointedAt || waiting.includes(word));
  return [...remaining, ...waiting.filter((word) => !remaining.includes(word))];
}
