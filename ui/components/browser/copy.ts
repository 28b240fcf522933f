// The button that copies the link to what is in view. It stands beside the page's menu, also where the page is scrolled.

import { debounce } from "../_shared/debounce.ts";
import { makeElement } from "../_shared/elements.ts";
import { iconButton, nameButton } from "../_shared/icons.ts";
import { write } from "../_shared/look.ts";
import { watchPage } from "./page_watch.ts";

const HEADER = '[data-testid="stHeader"]';
const SAID = 4_000; // ms that it says so

type Labels = { copy: string; copied: string; by_hand: string };

/**
 * The address that others may have.
 * @param secrets names of what stays here
 */
export function shared(address: string, secrets: string[]) {
  const url = new URL(address);
  const parts = url.search.replace(/^\?/, "").split("&");
  url.search = parts.filter((part) => part && !secrets.includes(decoded(part.split("=")[0]))).join("&");
  url.hash = "";
  return String(url);
}

/** @param name as it stands in an address */
function decoded(name: string) {
  try {
    return decodeURIComponent(name.replace(/\+/g, " "));
  } catch {
    return name;
  }
}

/** Elements of the button, one for the tab. */
let parts: ReturnType<typeof copyParts> | undefined;
const clear = debounce(() => void (parts && (parts.said.textContent = "")), SAID);

function copyParts() {
  const name = makeElement("span");
  const button = iconButton("copy-link", "link");
  button.append(name);
  const said = makeElement("span", { className: "copied", role: "status", testid: "copy-link-said" });
  const field = makeElement("input", { type: "text", readonly: "", testid: "copy-link-field" });
  field.hidden = true;
  field.addEventListener("focus", () => field.select());
  field.addEventListener("blur", () => void (field.hidden = true));
  field.addEventListener("keydown", ({ key }) => key === "Escape" && button.focus());
  const root = makeElement("div", { className: "copy-link" }, field, said, button);
  return { root, name, button, said, field };
}

export default function ({ labels, secrets }: { labels: Labels; secrets: string[] }) {
  parts ??= copyParts();
  const { root, name, button, said, field } = parts;
  name.textContent = labels.copy;
  nameButton(button, labels.copy);
  field.setAttribute("aria-label", labels.by_hand);
  button.onclick = async () => {
    write();
    const link = shared(window.location.href, secrets);
    const isCopied = await copied(link, root);
    field.hidden = isCopied;
    field.value = link;
    if (!isCopied) field.focus();
    said.textContent = isCopied ? labels.copied : labels.by_hand;
    clear();
  };
  const place = () => void (root.isConnected || document.querySelector(HEADER)?.append(root));
  place();
  // Streamlit makes its header anew when it likes.
  return watchPage(place);
}

/** @param place in which a field may stand for a moment */
async function copied(text: string, place: HTMLElement) {
  try {
    await navigator.clipboard.writeText(text); // there is none where the page came without TLS
    return true;
  } catch {
    const field = makeElement("textarea", { "aria-hidden": "true" });
    field.value = text;
    place.append(field);
    field.select();
    const isDone = document.execCommand("copy");
    field.remove();
    return isDone;
  }
}
