// The chips of a text as units that keep their elements from edit to edit.

/** One token as it is shown; Python's TokenChip, which says what each entry is. */
export interface Chip {
  position: number;
  id: number;
  label: string;
  bytes: string;
  gap: boolean;
  part: number;
  parts: number;
  group: number | null;
  character: string;
  known: boolean;
}
export type SentChip = [number, number, string, string, boolean, number, number, number | null, string, boolean];
/** What stands or moves as one. */
export type Unit = { group: number | null; chips: Chip[]; looks: string };

/** @param sent as Python sends it */
export function readChip([position, id, label, bytes, gap, part, parts, group, character, known]: SentChip): Chip {
  return { position, id, label, bytes, gap, part, parts, group, character, known };
}

/** Group the chips of one split character into a unit; every other chip is its own unit. */
export function unitsOf(chips: Chip[]): Unit[] {
  const units: Unit[] = [];
  for (const chip of chips) {
    const last = units.at(-1);
    if (last && chip.group !== null && chip.group === last.group) last.chips.push(chip);
    else units.push({ group: chip.group, chips: [chip], looks: "" });
  }
  // Where a unit stands is no part of what it looks like.
  for (const unit of units) unit.looks = JSON.stringify(unit.chips.map((chip) => ({ ...chip, position: 0, group: 0 })));
  return units;
}

/** Count the unchanged units at either end; none is counted twice. */
export function commonEnds(before: { looks: string }[], after: { looks: string }[]) {
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
 * @param bytes such as "20 74 68 65"
 * @param more says how many are left out
 */
export function firstBytes(bytes: string, more: (count: number) => string) {
  const all = bytes.split(" ");
  const count = all.length - SHOWN_BYTES;
  if (count > 0) all.splice(SHOWN_BYTES, count, more(count));
  return all.join(" ");
}
