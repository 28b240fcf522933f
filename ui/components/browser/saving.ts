// The menu under each figure, and buttons of single files: fetch what is asked for, and save it. Images are made here, by
// a module that is fetched when somebody wants one.

import { seenLook } from "../_shared/look.js";
import { saveBlob } from "../_shared/save.js";

const IMAGES = ["png", "svg"];

/**
 * Where a file of a figure is fetched; of images, what they are drawn from.
 * @param {string} offer TOKEN/NAME
 * @param {string} kind
 * @param {string} look what of the page is in view; "" for what it opens with
 */
export const addressOf = (offer, kind, look) =>
  `saved/${offer}.${IMAGES.includes(kind) ? "json" : kind}${look && `?look=${encodeURIComponent(look)}`}`;

/** @param {string} path */
async function fetched(path) {
  const response = await fetch(new URL(path, document.baseURI));
  if (!response.ok) throw new Error(String(response.status));
  return response;
}

/**
 * @param {string} offer
 * @param {string} kind
 * @returns {Promise<Blob>}
 */
async function made(offer, kind) {
  const response = await fetched(addressOf(offer, kind, seenLook()));
  if (!IMAGES.includes(kind)) return response.blob();
  const { m } = await import(new URL("paper.js", import.meta.url).href);
  return m["paper/index.js"].default(await response.json(), kind);
}

/**
 * @param {{ failed: string }} data what is said where a file cannot be made
 */
export default function ({ failed }) {
  /** @param {MouseEvent} event */
  const click = async ({ target }) => {
    const button = target instanceof Element ? target.closest("button") : null;
    const menu = /** @type {HTMLElement | null} */ (button?.closest("[data-offer]"));
    if (!button || !menu) return;
    const [group, said] = [menu.querySelector("[role=group]"), menu.querySelector("[role=status]")];
    if (!said) return;
    said.textContent = "";
    if (group instanceof HTMLElement && "opens" in button.dataset) {
      group.hidden = !group.hidden;
      button.ariaExpanded = String(!group.hidden);
      return;
    }
    const { offer = "" } = menu.dataset;
    const { save: kind = "", name = `${offer.split("/")[1]}.${kind}` } = button.dataset;
    button.disabled = true;
    try {
      saveBlob(await made(offer, kind), name);
    } catch {
      said.textContent = failed;
    } finally {
      button.disabled = false;
      button.focus();
    }
  };
  document.addEventListener("click", click);
  return () => document.removeEventListener("click", click);
}
