// What a page asks of the browser around it. Each part gets its own data at each run that has some, and may return how
// it is taken down.

import address from "./address.js";
import chartLinks from "./chart_link.js";
import contents from "./contents.js";
import drawer from "./drawer.js";
import near from "./near.js";
import theme from "./theme.js";
import width from "./width.js";

/** @typedef {import("../_shared/lifecycle.js").Run} Run */

/** @type {Record<string, (data: any, run: Run) => void | (() => void)>} by the names of their data */
const PARTS = { address, charts: chartLinks, contents, drawer, near, theme, width };

/** @param {Run} run */
export default function (run) {
  const ends = Object.keys(PARTS)
    .filter((name) => name in run.data)
    .map((name) => PARTS[name](run.data[name], run));
  return () => {
    for (const end of ends) end?.();
  };
}
