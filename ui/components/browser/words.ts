// Translates the words that Streamlit shows in English alone, in texts and in names of controls. Only the texts are replaced,
// no elements; React overwrites them only when it changes them.

import { NAME_ATTRIBUTES, watchPage } from "../_shared/page.ts";
import { fillLabel } from "../_shared/text.ts";

const PLACEHOLDER = /\{\w+\}/g;
const NUMBER_PLACEHOLDERS = ["{size}", "{tenth}"]; // any other placeholder matches anything
// Elements without words of Streamlit: markdown is ours, except in file uploaders, number fields' errors and the "12 more" of
// the top navigation; typed text, tables, charts, options and file names are the reader's.
const IGNORED =
  '[data-testid="stMarkdownContainer"]:not(:is([data-testid="stFileUploader"], [data-testid="stTooltipErrorContent"], [data-testid="stTopNavSection"]) *), [data-testid="stIconMaterial"], [data-testid="stHtml"], [data-testid="stTable"], [data-testid="stFileChipName"], .js-plotly-plot, [role="option"], [data-tag], code, pre, textarea';

/**
 * Return a function that translates a text of Streamlit, or returns null for any other text.
 * @param words translations by Streamlit's English, with placeholders in braces
 */
export function translator(words: Record<string, string>): (text: string) => string | null {
  const patterns = Object.entries(words).flatMap(([word, translation]) => {
    const placeholders = word.match(PLACEHOLDER);
    if (!placeholders) return [];
    const parts = word.split(PLACEHOLDER).map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"));
    const pattern = parts.map(
      (part, place) =>
        part + (placeholders[place] ? (NUMBER_PLACEHOLDERS.includes(placeholders[place]) ? "(\\d+)" : "(.*)") : ""),
    );
    return [
      {
        translation,
        names: placeholders.map((hole) => hole.slice(1, -1)),
        pattern: new RegExp(`^${pattern.join("")}$`, "s"),
      },
    ];
  });
  return (text) => {
    if (Object.hasOwn(words, text)) return words[text];
    for (const { translation, names, pattern } of patterns) {
      const found = pattern.exec(text);
      if (found) return fillLabel(translation, Object.fromEntries(names.map((name, i) => [name, found[i + 1]])));
    }
    return null;
  };
}

let currentWords: Record<string, string> = {};
let translate = translator(currentWords);
/** Replaced texts by node and attribute, "" for the text itself. */
const translations = new WeakMap<Node, Map<string, { english: string; translation: string }>>();

/** @param name of the attribute, "" for the text */
function translateText(node: Node, name: string, now: string, write: (text: string) => void) {
  const previous = translations.get(node)?.get(name);
  const english = previous?.translation === now ? previous.english : now;
  const translation = translate(english) ?? english;
  if (translation === now || (!name && node.parentElement?.closest(IGNORED))) return;
  const entries = translations.get(node) ?? new Map();
  translations.set(node, entries.set(name, { english, translation }));
  write(translation);
}

function translateNode(node: Node) {
  if (node instanceof Text) {
    translateText(node, "", node.data, (text) => (node.data = text));
  } else if (node instanceof Element) {
    for (const name of NAME_ATTRIBUTES) {
      const now = node.getAttribute(name);
      if (now) translateText(node, name, now, (text) => node.setAttribute(name, text));
    }
  }
}

function translateTree(root: Node) {
  translateNode(root);
  const walker = document.createTreeWalker(root, NodeFilter.SHOW_ELEMENT | NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) translateNode(walker.currentNode);
}

let unwatch = () => {};

/** @param words translations by Streamlit's English; few on an English page */
export default function (words: Record<string, string>) {
  if (JSON.stringify(words) === JSON.stringify(currentWords)) return;
  currentWords = words;
  translate = translator(words);
  translateTree(document.body);
  unwatch();
  if (!Object.keys(words).length) return;
  unwatch = watchPage((changes) => {
    for (const { target, addedNodes } of changes) {
      translateNode(target);
      for (const node of addedNodes) translateTree(node);
    }
  });
}
