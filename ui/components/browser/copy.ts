// The button that copies a link to the page as it is in view. It stands beside the page's menu, also on a scrolled page.

import { debounce } from "../_shared/debounce.ts";
import { makeElement } from "../_shared/elements.ts";
import { iconButton, nameButton } from "../_shared/icons.ts";
import { watchPage } from "../_shared/page.ts";
import { writeViewState } from "../_shared/view_state.ts";

const HEADER = '[data-testid="stHeader"]';
const LEFT_OUT = ".st-key-link-without-text"; // the note that the text is too long for the link
const STATUS_TIME = 4_000; // ms for which the status is shown

type Labels = { copy: string; copied: string; without_text: string; by_hand: string };

/**
 * Return an address without the parameters that others must not have.
 * @param secrets names of these parameters
 */
export function shareableUrl(address: string, secrets: string[]) {
  const url = new URL(address);
  const parts = url.search.replace(/^\?/, "").split("&");
  url.search = parts.filter((part) => part && !secrets.includes(decodeName(part.split("=")[0]))).join("&");
  url.hash = "";
  return String(url);
}

/** @param name of a parameter, URL-encoded */
function decodeName(name: string) {
  try {
    return decodeURIComponent(name.replace(/\+/g, " "));
  } catch {
    return name;
  }
}

/** The button's elements, created once for the tab. */
let elements: ReturnType<typeof createElements> | undefined;
const clearStatus = debounce(() => void (elements && (elements.status.textContent = "")), STATUS_TIME);

function createElements() {
  const name = makeElement("span");
  const button = iconButton("copy-link", "link");
  button.append(name);
  const status = makeElement("span", { className: "copied", role: "status", testid: "copy-link-said" });
  const field = makeElement("input", { type: "text", readonly: "", testid: "copy-link-field" });
  field.hidden = true;
  field.addEventListener("focus", () => field.select());
  field.addEventListener("blur", () => void (field.hidden = true));
  field.addEventListener("keydown", ({ key }) => key === "Escape" && button.focus());
  const root = makeElement("div", { className: "copy-link" }, field, status, button);
  return { root, name, button, status, field };
}

export default function ({ labels, secrets }: { labels: Labels; secrets: string[] }) {
  elements ??= createElements();
  const { root, name, button, status, field } = elements;
  name.textContent = labels.copy;
  nameButton(button, labels.copy);
  field.setAttribute("aria-label", labels.by_hand);
  button.onclick = async () => {
    writeViewState();
    const url = shareableUrl(window.location.href, secrets);
    const isCopied = await copyText(url, root);
    field.hidden = isCopied;
    field.value = url;
    if (!isCopied) field.focus();
    const confirmation = document.querySelector(LEFT_OUT) ? labels.without_text : labels.copied;
    status.textContent = isCopied ? confirmation : labels.by_hand;
    clearStatus();
  };
  const attach = () => void (root.isConnected || document.querySelector(HEADER)?.append(root));
  attach();
  // Streamlit may replace its header at any time.
  return watchPage(attach);
}

/**
 * Copy a text to the clipboard.
 * @param place in which the fallback puts a text field for a moment
 */
export async function copyText(text: string, place: HTMLElement) {
  try {
    await navigator.clipboard.writeText(text); // not there if the page came without TLS
    return true;
  } catch {
    const field = makeElement("textarea", { "aria-hidden": "true" });
    field.value = text;
    place.append(field);
    field.select();
    const isCopied = document.execCommand("copy");
    field.remove();
    return isCopied;
  }
}
