// The dialog that a figure's menu opens with "Embed": the lines that show the figure's section in somebody's page, and below
// them how it looks there. That preview reports its height (embedded.ts), which the lines carry.

import { makeElement } from "../_shared/elements.ts";
import { formatViewState, parseViewState, withViewState, writeViewState } from "../_shared/view_state.ts";
import { copyText, shareableUrl } from "./copy.ts";

type EmbedLabels = Record<"title" | "text" | "code" | "preview" | "copy" | "copied" | "by_hand" | "close", string>;
/** Labels, a sentence on who may show the figure, the language of the page, and settings that the lines leave out. */
export type EmbedData = { labels: EmbedLabels; sites: string; language: string; omitted: string[] };

const FIRST_HEIGHT = 480; // px, until the preview has reported its own
const FRAME_SETTINGS = ["embed", "embed_options", "section"];

function withLook(search: string, change: (entries: Map<string, string>) => void) {
  const entries = parseViewState(new URLSearchParams(search).get("look") ?? "") ?? new Map<string, string>();
  change(entries);
  return withViewState(search, formatViewState(entries));
}

/**
 * Return the address that shows one section of a page alone.
 * @param address of the page as it is in view
 * @param omitted names of the settings that it leaves out
 */
export function embedUrl(address: string, section: string, language: string, omitted: string[]) {
  const url = new URL(shareableUrl(address, [...omitted, ...FRAME_SETTINGS, "lang"]));
  const search = withLook(url.search, (entries) => entries.delete("at"));
  url.search = [search, `lang=${language}`, "embed=true", `section=${section}`].filter(Boolean).join("&");
  return String(url);
}

/** Return the address of the whole page of an embedded section, which opens scrolled to it. */
export function wholePageUrl(address: string) {
  const section = new URL(address).searchParams.get("section") ?? "";
  const url = new URL(shareableUrl(address, FRAME_SETTINGS));
  url.search = withLook(url.search, (entries) => entries.set("to", section));
  return String(url);
}

/** @param height in px */
export function frameCode(url: string, title: string, height: number) {
  const frame = `src="${escapeAttribute(url)}" title="${escapeAttribute(title)}" width="100%" height="${height}"`;
  return `<iframe ${frame} style="border: 0" loading="lazy" allow="clipboard-write; fullscreen"></iframe>\n${FRAME_SCRIPT}`;
}

// Runs in the page around the frame, which inherits that page's color-scheme. Where the page sets none, light text is that of a
// dark page: each change of its colour reaches the frame and ends a transition there.
const FRAME_SCRIPT = `<script>
(frame => {
  addEventListener("message", ({ source, data }) => {
    if (source === frame.contentWindow && Number.isFinite(data)) frame.height = data;
  });
  const setColorScheme = () => {
    const { color, colorScheme } = getComputedStyle(frame.parentElement);
    const green = colorScheme === "normal" && /^rgba?\\(\\d+, (\\d+)/.exec(color)?.[1];
    frame.style.colorScheme = green ? (green > 127 ? "dark" : "light") : "";
  };
  frame.style.transition = "color 1ms";
  frame.addEventListener("transitionend", setColorScheme);
  setColorScheme();
})(document.currentScript.previousElementSibling);
</script>`;

const ESCAPES: Record<string, string> = { "&": "&amp;", '"': "&quot;", "<": "&lt;", ">": "&gt;" };
const escapeAttribute = (text: string) => text.replace(/[&"<>]/g, (letter) => ESCAPES[letter]);

/**
 * Show the dialog.
 * @param section its key
 * @param figure title of the figure
 */
export function showEmbedDialog({ labels, sites, language, omitted }: EmbedData, section: string, figure: string) {
  writeViewState();
  const url = embedUrl(window.location.href, section, language, omitted);
  const title = makeElement("h2", { id: "embed-title", text: labels.title });
  const code = makeElement("textarea", { readonly: "", "aria-label": labels.code, testid: "embed-code" });
  const copy = makeElement("button", { type: "button", text: labels.copy });
  const close = makeElement("button", { type: "button", text: labels.close });
  const status = makeElement("span", { role: "status" });
  const buttons = makeElement("div", { className: "embed-buttons" }, copy, close, status);
  const preview = makeElement("iframe", { title: labels.preview, src: url, testid: "embed-preview" });
  const dialog = makeElement(
    "dialog",
    { className: "embed", "aria-labelledby": title.id },
    title,
    makeElement("p", { text: labels.text }),
    code,
    buttons,
    makeElement("p", { text: sites }),
    makeElement("div", { className: "embed-preview" }, preview),
  );
  const setHeight = (height: number) => {
    preview.height = String(height);
    code.value = frameCode(url, figure, height);
  };
  const onMessage = ({ source, data }: MessageEvent) => {
    if (source === preview.contentWindow && Number.isFinite(data)) setHeight(data);
  };
  setHeight(FIRST_HEIGHT);
  window.addEventListener("message", onMessage);
  code.addEventListener("focus", () => code.select());
  copy.addEventListener("click", async () => {
    const isCopied = await copyText(code.value, dialog);
    status.textContent = isCopied ? labels.copied : labels.by_hand;
    if (!isCopied) code.focus();
  });
  close.addEventListener("click", () => dialog.close());
  dialog.addEventListener("click", ({ target }) => target === dialog && dialog.close());
  dialog.addEventListener("close", () => {
    window.removeEventListener("message", onMessage);
    dialog.remove();
  });
  document.body.append(dialog);
  dialog.showModal();
}
