// On a page that is not in English, the first use of each technical term is underlined, and a tooltip on it shows the English.
// React owns the page, so ranges are highlighted rather than wrapped in elements, and found under the pointer by their boxes.
// A list at the foot of the page has all terms, for readers without a pointer.

import { debounce } from "../_shared/debounce.ts";
import { makeElement } from "../_shared/elements.ts";
import { watchPage } from "../_shared/page.ts";
import { createTooltip, type Tooltip } from "../_shared/tooltip.ts";

const PAUSE = 500; // ms without a change of the page
const ROOTS = ['[data-testid="stMain"]', '[data-testid="stSidebarContent"]']; // the text first, then the controls
// Elements without prose of the app: programs, formulas, charts, and the reader's own words in controls.
const IGNORED =
  "code, pre, .katex, svg, textarea, input, select, style, script, [contenteditable], [role=listbox], [data-no-terms]";

const CHINESE = /[\u2e80-\u9fff]/;

/** Range of a term in the node-th of some texts. */
type Use = { node: number; start: number; end: number; english: string };

/**
 * Return a pattern that matches any of the terms, preferring the longest; in languages with spaces plurals in -s and -x too.
 */
function termPattern(forms: string[]) {
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
 * Find the first use of each term.
 * @param texts in the order of the page
 * @param terms English terms by their translated forms
 */
export function firstUses(texts: string[], terms: Record<string, string>): Use[] {
  const forms = Object.keys(terms).sort((a, b) => b.length - a.length);
  if (!forms.length) return [];
  const [pattern, found] = [termPattern(forms), new Set()];
  const words = forms.some((form) => CHINESE.test(form)) ? new Intl.Segmenter("zh", { granularity: "word" }) : null;
  const uses: Use[] = [];
  texts.forEach((text, node) => {
    /** Word boundaries: 同类比例 does not contain the word 类比. */
    let edges: Set<number> | null = null;
    for (const match of text.matchAll(pattern)) {
      if (words) {
        edges ??= new Set([...words.segment(text)].map(({ index }) => index).concat(text.length));
        if (!edges.has(match.index) || !edges.has(match.index + match[0].length)) continue;
      }
      const english = terms[forms[match.slice(1).findIndex((group) => group !== undefined)]];
      if (found.has(english)) continue;
      found.add(english);
      uses.push({ node, start: match.index, end: match.index + match[0].length, english });
    }
  });
  return uses;
}

/** Underlined terms by the element that holds the text. */
let underlined = new Map<Element, { range: Range; english: string }[]>();
let currentTerms: Record<string, string> = {};
let tooltip: Tooltip | null = null;
let unwatch = () => {};

const underlineSoon = debounce(() => (window.requestIdleCallback ?? setTimeout)(underlineTerms), PAUSE);

function underlineTerms() {
  const nodes: Text[] = [];
  for (const root of ROOTS.flatMap((found) => [...document.querySelectorAll(found)])) {
    const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
    while (walker.nextNode()) {
      const node = walker.currentNode as Text;
      const inside = node.parentElement;
      if (node.data.trim() && inside?.checkVisibility() && !inside.closest(IGNORED)) nodes.push(node);
    }
  }
  const uses = firstUses(
    nodes.map((node) => node.data),
    currentTerms,
  );
  underlined = new Map();
  const ranges = uses.map(({ node, start, end, english }) => {
    const range = new Range();
    range.setStart(nodes[node], start);
    range.setEnd(nodes[node], end);
    const inside = nodes[node].parentElement as Element;
    underlined.set(inside, [...(underlined.get(inside) ?? []), { range, english }]);
    return range;
  });
  CSS.highlights.set("term", new Highlight(...ranges));
  listTerms(ranges.map((range, index) => [range.toString(), uses[index].english]));
}

/** @param pairs each term as the page has it, and its English */
function listTerms(pairs: string[][]) {
  const details = document.querySelector("details.terms");
  const [rows, text] = [details?.querySelector("dl"), pairs.flat().join("")];
  if (!(details instanceof HTMLElement) || !rows || rows.textContent === text) return; // each change triggers the observer
  details.hidden = !pairs.length;
  rows.replaceChildren(
    ...pairs.map(([form, english]) =>
      makeElement("div", {}, makeElement("dt", { text: form }), makeElement("dd", { text: english, lang: "en" })),
    ),
  );
}

function onPointer({ target, clientX: x, clientY: y }: PointerEvent) {
  const near = target instanceof Element ? underlined.get(target) : undefined;
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

/** @param terms English terms by their translated forms; empty on an English page */
export default function (terms: Record<string, string>) {
  if (!("highlights" in CSS)) return;
  const [hadTerms, hasTerms] = [Object.keys(currentTerms).length > 0, Object.keys(terms).length > 0];
  currentTerms = terms;
  if (hasTerms) underlineSoon();
  if (hadTerms === hasTerms) return;
  const toggleListener: "addEventListener" | "removeEventListener" = hasTerms
    ? "addEventListener"
    : "removeEventListener";
  document[toggleListener]("pointermove", onPointer as EventListener, { passive: true });
  document[toggleListener]("pointerdown", onPointer as EventListener, { passive: true });
  unwatch();
  if (hasTerms) {
    const root = document.querySelector("#root");
    unwatch = watchPage((changes) => changes.some(({ target }) => root?.contains(target)) && underlineSoon());
  } else {
    underlineSoon.cancel();
    underlined = new Map();
    CSS.highlights.delete("term");
    tooltip?.hide();
  }
}
