// A payload of rows as Python packs it.

import type { Header } from "../../../ui/components/token_rows/columns.ts";

/** A row by its tokens' [first, last] columns; ids count from 100, and labels are where they are given. */
type RowSpec = { spans: [number, number][]; labels?: Record<number, string>; unknown?: number; title?: string };

/** @param text one column per character */
export function rowsPayload(text: string, rows: RowSpec[], more: Partial<Header> = {}) {
  const header = {
    characters: [...text],
    rows: rows.map(({ spans, labels = {}, unknown = 0, title = "row" }) => ({
      ...{ title, count: spans.length, unknown, labels, characters_per_token: 2.5, bytes_per_token: null },
    })),
    ...{ differing: [], labels: {}, chosen: null, turn: 0, ...more },
  };
  const written = new TextEncoder().encode(JSON.stringify(header));
  const numbers = rows.flatMap(({ spans }) => [
    ...spans.map(([first]) => first),
    ...spans.map(([, last]) => last),
    ...spans.map((_, index) => 100 + index),
  ]);
  const data = new Uint8Array(4 + written.length + 4 * numbers.length);
  const view = new DataView(data.buffer);
  view.setUint32(0, written.length, true);
  data.set(written, 4);
  numbers.forEach((number, index) => view.setInt32(4 + written.length + 4 * index, number, true));
  return data;
}
