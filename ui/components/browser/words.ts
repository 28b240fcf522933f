// Streamlit says some words of its own, in English alone. On a page in another language each is written over where it
// stands: as text and as the name of a control. No element is touched, and React writes anew only what it changes.

import { fillLabel } from "../_shared/text.ts";
import { NAME_ATTRIBUTES, watchPage } from "./page_watch.ts";

const HOLE = /\{\w+\}/g;
const DIGITS = ["{size}", "{tenth}"]; // in any other hole anything may stand, or nothing
// What is said by markdown is ours, but for files' button and what is wrong with a number; what is typed, and in a table,
// a chart, a list of choices or the name of a file, is the reader's.
const OURS =
  '[data-testid="stMarkdownContainer"]:not(:is([data-testid="stFileUploader"], [data-testid="stTooltipErrorContent"]) *), [data-testid="stIconMaterial"], [data-testid="stHtml"], [data-testid="stTable"], [data-testid="stFileChipName"], .js-plotly-plot, [role="option"], [data-tag], code, pre, textarea';

/**
 * What says a text of Streamlit's in another language; null for a text that is none of its.
 * @param words by Streamlit's; holes in braces stand for anything
 */
export function translator(words: Record<string, string>): (text: string) => string | null {
  const patterns = Object.entries(words).flatMap(([word, said]) => {
    const holes = word.match(HOLE);
    if (!holes) return [];
    const parts = word.split(HOLE).map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"));
    const pattern = parts.map(
      (part, place) => part + (holes[place] ? (DIGITS.includes(holes[place]) ? "(\\d+)" : "(.*)") : ""),
    );
    return [{ said, names: holes.map((hole) => hole.slice(1, -1)), pattern: new RegExp(`^${pattern.join("")}$`, "s") }];
  });
  return (text) => {
    if (Object.hasOwn(words, text)) return words[text];
    for (const { said, names, pattern } of patterns) {
      const found = pattern.exec(text);
      if (found) return fillLabel(said, Object.fromEntries(names.map((name, i) => [name, found[i + 1]])));
    }
    return null;
  };
}

let known: Record<string, string> = {};
let translated = translator(known);
/** What has been written over, by attribute, "" for the text. */
const over = new WeakMap<Node, Map<string, { english: string; said: string }>>();

/** @param name of the attribute, "" for the text */
function writeOver(node: Node, name: string, now: string, write: (text: string) => void) {
  const before = over.get(node)?.get(name);
  const english = before?.said === now ? before.english : now;
  const said = translated(english) ?? english;
  if (said === now || (!name && node.parentElement?.closest(OURS))) return;
  const entries = over.get(node) ?? new Map();
  over.set(node, entries.set(name, { english, said }));
  write(said);
}

function take(node: Node) {
  if (node instanceof Text) {
    writeOver(node, "", node.data, (text) => (node.data = text));
  } else if (node instanceof Element) {
    for (const name of NAME_ATTRIBUTES) {
      const now = node.getAttribute(name);
      if (now) writeOver(node, name, now, (text) => node.setAttribute(name, text));
    }
  }
}

function takeAll(root: Node) {
  take(root);
  const walker = document.createTreeWalker(root, NodeFilter.SHOW_ELEMENT | NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) take(walker.currentNode);
}

let unwatch = () => {};

/** @param words by Streamlit's; on a page in English few */
export default function (words: Record<string, string>) {
  if (JSON.stringify(words) === JSON.stringify(known)) return;
  known = words;
  translated = translator(words);
  takeAll(document.body);
  unwatch();
  if (!Object.keys(words).length) return;
  unwatch = watchPage((changes) => {
    for (const { target, addedNodes } of changes) {
      take(target);
      for (const node of addedNodes) takeAll(node);
    }
  });
}
