// A value that the page's Python and the reader both set; the browser's half of reports.py.
//
//     const cut = syncedValue<number[]>("cut", (value) => applyCut(value));
//     receive(data, page) { cut.receive(data.cut, data.turn, page); }
//     slider.addEventListener("input", () => cut.report(readSlider()));

import type { Page } from "./lifecycle.ts";

/**
 * @param name of the report in Python
 * @param apply called with each value of Python's that is newer than the reader's last one
 */
export function syncedValue<Value>(name: string, apply: (value: Value) => void) {
  let turn = 0;
  let last: string | undefined; // as JSON
  let page: Pick<Page, "setStateValue"> | null = null;
  return {
    /** Applies Python's value, unless Python set it before it had the reader's last report. */
    receive(value: Value, itsTurn: number, itsPage: Pick<Page, "setStateValue">) {
      page = itsPage;
      const text = JSON.stringify(value);
      if (itsTurn < turn || (itsTurn === turn && text === last)) return;
      turn = itsTurn;
      last = text;
      apply(value);
    },
    /** Reports the reader's value, which Python applies in the run that this starts. */
    report(value: Value, details: Record<string, unknown> = {}) {
      turn += 1;
      last = JSON.stringify(value);
      page?.setStateValue(name, { value, turn, ...details });
    },
  };
}
