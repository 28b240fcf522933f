// What a page asks of the browser around it. Each part gets its own data at each run that has some, and may return how
// it is taken down.

import { lasting, type Page, type ParentElement } from "../_shared/lifecycle.ts";
import { speak } from "../_shared/numbers.ts";
import { default as room, tellRoom } from "../_shared/room.ts";
import address from "./address.ts";
import chartLinks from "./chart_link.ts";
import contents from "./contents.ts";
import copy from "./copy.ts";
import drawer from "./drawer.ts";
import light from "./light.ts";
import looks from "./looks.ts";
import near from "./near.ts";
import present from "./present.ts";
import question from "./question.ts";
import saving from "./saving.ts";
import terms from "./terms.ts";
import theme from "./theme.ts";
import width from "./width.ts";
import words from "./words.ts";

type Run = Page & { parentElement: ParentElement };

function language(tag: string) {
  speak({ language: tag });
  document.documentElement.lang = tag;
}

/** The parts by the names of their data. */
// biome-ignore lint/suspicious/noExplicitAny: each has data of its own
const PARTS: Record<string, (data: any, run: Run) => void | (() => void)> = {
  ...{ language, address, charts: chartLinks, contents, copy, drawer, light, looks, near, present },
  ...{ question, room, saving, terms, theme, width, words },
};

export default lasting((parentElement) => {
  let ends: (void | (() => void))[] = [];
  const unmount = () => {
    for (const end of ends.splice(0)) end?.();
  };
  return {
    receive(data: Record<string, unknown>, page) {
      unmount();
      ends = Object.keys(PARTS)
        .filter((name) => name in data)
        .map((name) => PARTS[name](data[name], { ...page, parentElement }));
      tellRoom();
    },
    unmount,
  };
});
