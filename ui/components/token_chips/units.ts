// The chips of a text as units that keep their elements from edit to edit.

/**
 * One token as it is shown; Python's TokenChip, which says what each entry is.
 * @typedef {object} Chip
 * @property {number} position
 * @property {number} id
 * @property {string} label
 * @property {string} bytes
 * @property {boolean} gap
 * @property {number} part
 * @property {number} parts
 * @property {number | null} group
 * @property {string} character
 * @property {boolean} known
 */
/** @typedef {[number, number, string, string, boolean, number, number, number | null, string, boolean]} SentChip */
/** @typedef {{ group: number | null, chips: Chip[], looks: string }} Unit what stands or moves as one */

/**
 * @param {SentChip} sent as Python sends it
 * @returns {Chip}
 */
export function readChip([position, id, label, bytes, gap, part, parts, group, character, known]) {
  return { position, id, label, bytes, gap, part, parts, group, character, known };
}

/**
 * Puts the chips of one split character into one unit; every other chip is a unit of its own.
 * @param {Chip[]} chips
 * @returns {Unit[]}
 */
export function unitsOf(chips) {
  /** @type {Unit[]} */
  const units = [];
  for (const chip of chips) {
    const last = units.at(-1);
    if (last && chip.group !== null && chip.group === last.group) last.chips.push(chip);
    else units.push({ group: chip.group, chips: [chip], looks: "" });
  }
  // Where a unit stands is no part of what it looks like.
  for (const unit of units) unit.looks = JSON.stringify(unit.chips.map((chip) => ({ ...chip, position: 0, group: 0 })));
  return units;
}

/**
 * How many units at either end look as before; none is counted twice.
 * @param {{ looks: string }[]} before
 * @param {{ looks: string }[]} after
 */
export function commonEnds(before, after) {
  const most = Math.min(before.length, after.length);
  let head = 0;
  while (head < most && before[head].looks === after[head].looks) head++;
  let tail = 0;
  while (tail < most - head && before[before.length - 1 - tail].looks === after[after.length - 1 - tail].looks) tail++;
  return { head, tail };
}

const SHOWN_BYTES = 16; // in the line below the chips; the tooltip has them all

/**
 * The bytes of a chip, shortened to the first that fit a line.
 * @param {string} bytes such as "20 74 68 65"
 * @param {(count: number) => string} more says how many are left out
 */
export function firstBytes(bytes, more) {
  const all = bytes.split(" ");
  const count = all.length - SHOWN_BYTES;
  if (count > 0) all.splice(SHOWN_BYTES, count, more(count));
  return all.join(" ");
}
