// What a page asks of the browser around it. Each part gets its own data at each run that has some, and may return how
// it is taken down.

import { lasting } from "../_shared/lifecycle.js";
import { speak } from "../_shared/numbers.js";
import { default as room, tellRoom } from "../_shared/room.js";
import address from "./address.js";
import chartLinks from "./chart_link.js";
import contents from "./contents.js";
import copy from "./copy.js";
import drawer from "./drawer.js";
import light from "./light.js";
import looks from "./looks.js";
import near from "./near.js";
import present from "./present.js";
import saving from "./saving.js";
import terms from "./terms.js";
import theme from "./theme.js";
import width from "./width.js";
import words from "./words.js";

/** @typedef {import("../_shared/lifecycle.js").Page & { parentElement: import("../_shared/lifecycle.js").Place }} Run */

/** @param {string} tag */
function language(tag) {
  speak({ language: tag });
  document.documentElement.lang = tag;
}

/** @type {Record<string, (data: any, run: Run) => void | (() => void)>} by the names of their data */
const PARTS = {
  ...{ language, address, charts: chartLinks, contents, copy, drawer, light, looks, near, present },
  ...{ room, saving, terms, theme, width, words },
};

export default lasting((parentElement) => {
  /** @type {(void | (() => void))[]} */
  let ends = [];
  const unmount = () => {
    for (const end of ends.splice(0)) end?.();
  };
  return {
    receive(data, page) {
      unmount();
      ends = Object.keys(PARTS)
        .filter((name) => name in data)
        .map((name) => PARTS[name](data[name], { ...page, parentElement }));
      tellRoom();
    },
    unmount,
  };
});
