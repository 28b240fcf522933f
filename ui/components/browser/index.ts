// The page's link to the browser around it. Each part is called with its data after each run that has some, and may return
// a cleanup function.

import { type Page, type ParentElement, persistentComponent } from "../_shared/lifecycle.ts";
import { setLanguage } from "../_shared/numbers.ts";
import { default as room, sendStep } from "../_shared/room.ts";
import address from "./address.ts";
import chartLinks from "./chart_link.ts";
import contents from "./contents.ts";
import copy from "./copy.ts";
import drawer from "./drawer.ts";
import embedded from "./embedded.ts";
import focus from "./focus.ts";
import light from "./light.ts";
import near from "./near.ts";
import pageState from "./page_state.ts";
import present from "./present.ts";
import saving from "./saving.ts";
import terms from "./terms.ts";
import theme from "./theme.ts";
import width from "./width.ts";
import words from "./words.ts";

type Run = Page & { parentElement: ParentElement };

function applyLanguage(tag: string) {
  setLanguage({ language: tag });
  document.documentElement.lang = tag;
}

/** The parts by the keys of their data. */
// biome-ignore lint/suspicious/noExplicitAny: each has data of its own
const PARTS: Record<string, (data: any, run: Run) => void | (() => void)> = {
  ...{ language: applyLanguage, address, charts: chartLinks, contents, copy, drawer, embedded, focus, light, near },
  ...{ page_state: pageState, present, room, saving, terms, theme, width, words },
};

export default persistentComponent((parentElement) => {
  let cleanups: (void | (() => void))[] = [];
  const unmount = () => {
    for (const cleanup of cleanups.splice(0)) cleanup?.();
  };
  return {
    receive(data: Record<string, unknown>, page) {
      unmount();
      cleanups = Object.keys(PARTS)
        .filter((name) => name in data)
        .map((name) => PARTS[name](data[name], { ...page, parentElement }));
      sendStep();
    },
    unmount,
  };
});
