// How long a text is, and how long to wait before it is sent.

const PAUSE = 50; // ms without a key before the text is sent
const LONGEST_WAIT = 1000; // ms after which it is sent although the keys go on

/**
 * How long to wait for another key, in ms.
 * @param since ms since the first key that was not sent yet
 */
export function pause(since: number) {
  return Math.max(0, Math.min(PAUSE, LONGEST_WAIT - since));
}

/** Count characters as Python does, by code point, and cut after `most` of them. */
export function measure(text: string, most: number) {
  let total = 0;
  let end = text.length;
  for (let index = 0; index < text.length; index++) {
    if (total === most) end = Math.min(end, index);
    total += 1;
    const pair = (text.charCodeAt(index) & 0xfc00) === 0xd800 && (text.charCodeAt(index + 1) & 0xfc00) === 0xdc00;
    if (pair) index += 1;
  }
  return { start: text.slice(0, end), total };
}

/**
 * Whether a text has more characters than it may. A character takes one or two units: only the range in doubt is
 * counted.
 * @param units of UTF-16
 * @param limit in characters
 */
export function isOver(units: number, text: () => string, limit: number) {
  return units > limit && (units > 2 * limit || measure(text(), limit).total > limit);
}

const AGREEMENT = 700; // ms after which Python should have the text that was sent to it
const TRIES = 9; // over six minutes

/**
 * How long to wait before the text is looked at again, in ms, twice as long each time; null to give up.
 * @param tries that have failed
 */
export function agreementPause(tries: number) {
  return tries < TRIES ? AGREEMENT * 2 ** tries : null;
}
