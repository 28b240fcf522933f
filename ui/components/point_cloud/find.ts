// Finds names by a text they contain, as search_names of embedlib.tables does.

/** Names in one string, so that a search among 50,000 of them takes a millisecond. */
export interface NameIndex {
  folded: string;
  starts: Uint32Array; // of each name, and of the one that would come next
}

const END = "\n"; // behind each name; no field of one line has it
const NOT_END = "\v"; // in its place within a name

/**
 * A text without its case, equal for two texts if Python's str.casefold is. Upper case in between takes "ß" to "ss";
 * a dotless i has no other case in Python.
 */
export const foldCase = (text: string) =>
  text
    .split("ı")
    .map((part) => part.toLowerCase().toUpperCase().toLowerCase().replaceAll("ς", "σ"))
    .join("ı");

/**
 * @param labels of the points, in which "·" is a space
 * @param others what names of some rows are searched as, where that is something else
 */
export function nameIndex(labels: string[], others: { rows: number[]; texts: string[] }): NameIndex {
  const names = labels.map((label) => label.replaceAll("·", " "));
  others.rows.forEach((row, at) => void (names[row] = others.texts[at].replaceAll(END, NOT_END)));
  const folded = foldCase(names.map((name) => name + END).join(""));
  const starts = new Uint32Array(names.length + 1);
  for (let row = 0; row < names.length; row += 1) starts[row + 1] = folded.indexOf(END, starts[row]) + 1;
  return { folded, starts };
}

/** The rows whose names contain a text: first those that are it, then those that begin with it; none for "". */
export function findNames({ folded, starts }: NameIndex, wanted: string): number[] {
  const sought = foldCase(wanted);
  const bare = sought.trim();
  const ranked: number[][] = [[], [], []];
  let row = 0;
  for (let at = sought ? folded.indexOf(sought) : -1; at >= 0; at = folded.indexOf(sought, starts[row])) {
    while (starts[row + 1] <= at) row += 1;
    const name = folded.slice(starts[row], starts[row + 1]).trim();
    ranked[name === bare ? 0 : name.startsWith(bare) ? 1 : 2].push(row);
    row += 1;
  }
  return ranked.flat();
}
