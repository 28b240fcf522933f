// On a page in another language: where a term of the field is first used it is underlined, and the pointer on it shows the
// English. React owns the page, so no element is put around it: ranges are highlighted, and found again by their boxes.
// A list at the foot of the page has them all for who has no pointer.

import { debounce } from "../_shared/debounce.ts";
import { makeElement } from "../_shared/elements.ts";
import { createTooltip, type Tooltip } from "../_shared/tooltip.ts";
import { watchPage } from "./page_watch.ts";

const REST = 500; // ms without a change of the page
const PLACES = ['[data-testid="stMain"]', '[data-testid="stSidebarContent"]']; // what is read first, then the controls
// What is no prose of ours: programs, formulas, charts, the reader's own words in controls.
const SILENT =
  "code, pre, .katex, svg, textarea, input, select, style, script, [contenteditable], [role=listbox], [data-no-terms]";

const CHINESE = /[\u2e80-\u9fff]/;

/** Where a term is used, in the node-th of some texts. */
type Use = { node: number; start: number; end: number; english: string };

/**
 * What finds the terms in a text, the longest of those that begin together. Words of a spaced language may be plurals.
 */
export function termPattern(forms: string[]) {
  const parts = [...forms]
    .sort((a, b) => b.length - a.length)
    .map((form) => {
      if (CHINESE.test(form)) return `(${form})`;
      const words = form.split(" ").map((word) => word.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"));
      return `(?<![\\p{L}\\p{N}_])(${words.map((word) => `${word}[sx]?`).join("[ \\u00a0\\u202f]")})(?![\\p{L}\\p{N}_])`;
    });
  return new RegExp(parts.join("|"), "giu");
}

/**
 * Where each term is used first.
 * @param texts in the order of the page
 * @param terms the English of each form
 */
export function firstUses(texts: string[], terms: Record<string, string>): Use[] {
  const forms = Object.keys(terms).sort((a, b) => b.length - a.length);
  if (!forms.length) return [];
  const [pattern, seen] = [termPattern(forms), new Set()];
  const words = forms.some((form) => CHINESE.test(form)) ? new Intl.Segmenter("zh", { granularity: "word" }) : null;
  const uses: Use[] = [];
  texts.forEach((text, node) => {
    /** Where words begin and end: 类比 is none in 同类比例. */
    let edges: Set<number> | null = null;
    for (const match of text.matchAll(pattern)) {
      if (words) {
        edges ??= new Set([...words.segment(text)].map(({ index }) => index).concat(text.length));
        if (!edges.has(match.index) || !edges.has(match.index + match[0].length)) continue;
      }
      const english = terms[forms[match.slice(1).findIndex((found) => found !== undefined)]];
      if (seen.has(english)) continue;
      seen.add(english);
      uses.push({ node, start: match.index, end: match.index + match[0].length, english });
    }
  });
  return uses;
}

/** Underlined terms by the element that holds the text. */
let places = new Map<Element, { range: Range; english: string }[]>();
let known: Record<string, string> = {};
let tooltip: Tooltip | null = null;
let unwatch = () => {};

const later = debounce(() => (window.requestIdleCallback ?? setTimeout)(mark), REST);

function mark() {
  const nodes: Text[] = [];
  for (const place of PLACES.flatMap((found) => [...document.querySelectorAll(found)])) {
    const walker = document.createTreeWalker(place, NodeFilter.SHOW_TEXT);
    while (walker.nextNode()) {
      const node = walker.currentNode as Text;
      const inside = node.parentElement;
      if (node.data.trim() && inside?.checkVisibility() && !inside.closest(SILENT)) nodes.push(node);
    }
  }
  const uses = firstUses(
    nodes.map((node) => node.data),
    known,
  );
  places = new Map();
  const ranges = uses.map(({ node, start, end, english }) => {
    const range = new Range();
    range.setStart(nodes[node], start);
    range.setEnd(nodes[node], end);
    const inside = nodes[node].parentElement as Element;
    places.set(inside, [...(places.get(inside) ?? []), { range, english }]);
    return range;
  });
  CSS.highlights.set("term", new Highlight(...ranges));
  list(ranges.map((range, index) => [range.toString(), uses[index].english]));
}

/** @param pairs of a form as the page has it and its English */
function list(pairs: string[][]) {
  const place = document.querySelector("details.terms");
  const [rows, text] = [place?.querySelector("dl"), pairs.flat().join("")];
  if (!(place instanceof HTMLElement) || !rows || rows.textContent === text) return; // a change is itself watched
  place.hidden = !pairs.length;
  rows.replaceChildren(
    ...pairs.map(([form, english]) =>
      makeElement("div", {}, makeElement("dt", { text: form }), makeElement("dd", { text: english, lang: "en" })),
    ),
  );
}

function point({ target, clientX: x, clientY: y }: PointerEvent) {
  const near = target instanceof Element ? places.get(target) : undefined;
  const under = near?.find(({ range }) =>
    [...range.getClientRects()].some((box) => x >= box.left && x <= box.right && y >= box.top && y <= box.bottom),
  );
  if (!under) return tooltip?.hide();
  if (!tooltip) {
    const root = makeElement("div", { className: "term-tip", lang: "en" });
    document.body.append(root);
    tooltip = createTooltip(root);
  }
  const theme = getComputedStyle(document.querySelector('[data-testid="stApp"]') ?? document.body);
  Object.assign(tooltip.element.style, { background: theme.color, color: theme.backgroundColor });
  tooltip.show(under.english, under.range.getBoundingClientRect());
}

/** @param terms the English of each form; none on a page in English */
export default function (terms: Record<string, string>) {
  if (!("highlights" in CSS)) return;
  const [was, now] = [Object.keys(known).length > 0, Object.keys(terms).length > 0];
  known = terms;
  if (now) later();
  if (was === now) return;
  const turn: "addEventListener" | "removeEventListener" = now ? "addEventListener" : "removeEventListener";
  document[turn]("pointermove", point as EventListener, { passive: true });
  document[turn]("pointerdown", point as EventListener, { passive: true });
  unwatch();
  if (now) {
    const root = document.querySelector("#root");
    unwatch = watchPage((changes) => changes.some(({ target }) => root?.contains(target)) && later());
  } else {
    later.cancel();
    places = new Map();
    CSS.highlights.delete("term");
    tooltip?.hide();
  }
}
