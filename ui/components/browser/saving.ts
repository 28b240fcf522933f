// The save menu in each figure's corner, and buttons of single files: fetch the requested file and save it. Images are drawn
// in the browser, by a module that is loaded on demand.

import { saveBlob } from "../_shared/save.ts";
import { exportViewState } from "../_shared/view_state.ts";
import { type EmbedData, showEmbedDialog } from "./embed.ts";

const IMAGE_KINDS = ["png", "svg"];

/**
 * Return the URL of a figure's file; for an image, of the data it is drawn from.
 * @param offer TOKEN/NAME
 * @param look the page's view state; "" for the initial one
 */
export const fileUrl = (offer: string, kind: string, look: string) =>
  `saved/${offer}.${IMAGE_KINDS.includes(kind) ? "json" : kind}${look && `?look=${encodeURIComponent(look)}`}`;

async function fetchFile(path: string) {
  const response = await fetch(new URL(path, document.baseURI));
  if (!response.ok) throw new Error(String(response.status));
  return response;
}

async function makeFile(offer: string, kind: string): Promise<Blob> {
  const response = await fetchFile(fileUrl(offer, kind, exportViewState()));
  if (!IMAGE_KINDS.includes(kind)) return response.blob();
  const { default: draw } = await import("../paper/index.ts");
  return draw(await response.json(), kind as "png" | "svg");
}

const OPEN_MENU = '[data-opens][aria-expanded="true"]';

function setOpen(button: Element, isOpen: boolean) {
  button.ariaExpanded = String(isOpen);
  const group = button.nextElementSibling;
  if (group instanceof HTMLElement) group.hidden = !isOpen;
}

/** Close all menus but that in `except`. */
function closeMenus(except?: Element | null) {
  for (const button of document.querySelectorAll(OPEN_MENU))
    if (button.parentElement !== except) setOpen(button, false);
}

/**
 * @param data.failed error message for a file that cannot be made
 * @param data.embed for the dialog of what embeds a figure
 */
export default function ({ failed, embed }: { failed: string; embed: EmbedData }) {
  const click = async ({ target }: MouseEvent) => {
    const button = target instanceof Element ? target.closest("button") : null;
    const menu = button?.closest("[data-offer]") as HTMLElement | null;
    closeMenus(menu);
    const status = menu?.querySelector("[role=status]");
    if (!button || !menu || !status) return;
    status.textContent = "";
    if ("opens" in button.dataset) {
      setOpen(button, button.ariaExpanded !== "true");
      return;
    }
    if (button.dataset.embed) {
      closeMenus();
      menu.querySelector<HTMLElement>("[data-opens]")?.focus(); // which has the focus again once the dialog is closed
      showEmbedDialog(embed, button.dataset.embed, button.dataset.figure ?? "");
      return;
    }
    const { offer = "" } = menu.dataset;
    const { save: kind = "", name = `${offer.split("/")[1]}.${kind}` } = button.dataset;
    button.disabled = true;
    try {
      saveBlob(await makeFile(offer, kind), name);
    } catch {
      status.textContent = failed;
    } finally {
      button.disabled = false;
      const opens = menu.querySelector<HTMLElement>("[data-opens]");
      if (opens) setOpen(opens, false);
      (opens ?? button).focus();
    }
  };
  const keydown = ({ key }: KeyboardEvent) => {
    if (key !== "Escape") return;
    const button = document.activeElement?.closest(".corner")?.querySelector<HTMLElement>(OPEN_MENU);
    closeMenus();
    button?.focus();
  };
  document.addEventListener("click", click);
  document.addEventListener("keydown", keydown);
  return () => {
    document.removeEventListener("click", click);
    document.removeEventListener("keydown", keydown);
  };
}
