// The menu in each figure's corner, and buttons of single files: fetch what is asked for, and save it. Images are made here, by
// a module that is fetched when somebody wants one.

import { seenLook } from "../_shared/look.ts";
import { saveBlob } from "../_shared/save.ts";

const IMAGES = ["png", "svg"];

/**
 * Where a file of a figure is fetched; of images, what they are drawn from.
 * @param offer TOKEN/NAME
 * @param look what of the page is in view; "" for what it opens with
 */
export const addressOf = (offer: string, kind: string, look: string) =>
  `saved/${offer}.${IMAGES.includes(kind) ? "json" : kind}${look && `?look=${encodeURIComponent(look)}`}`;

async function fetched(path: string) {
  const response = await fetch(new URL(path, document.baseURI));
  if (!response.ok) throw new Error(String(response.status));
  return response;
}

async function made(offer: string, kind: string): Promise<Blob> {
  const response = await fetched(addressOf(offer, kind, seenLook()));
  if (!IMAGES.includes(kind)) return response.blob();
  const { default: draw } = await import("../paper/index.ts");
  return draw(await response.json(), kind as "png" | "svg");
}

const OPEN = '[data-opens][aria-expanded="true"]';

function setOpen(button: Element, isOpen: boolean) {
  button.ariaExpanded = String(isOpen);
  const group = button.nextElementSibling;
  if (group instanceof HTMLElement) group.hidden = !isOpen;
}

/** Closes the menus outside of `kept`. */
function closeMenus(kept?: Element | null) {
  for (const button of document.querySelectorAll(OPEN)) if (button.parentElement !== kept) setOpen(button, false);
}

/** @param data the sentence shown where a file cannot be made */
export default function ({ failed }: { failed: string }) {
  const click = async ({ target }: MouseEvent) => {
    const button = target instanceof Element ? target.closest("button") : null;
    const menu = button?.closest("[data-offer]") as HTMLElement | null;
    closeMenus(menu);
    const said = menu?.querySelector("[role=status]");
    if (!button || !menu || !said) return;
    said.textContent = "";
    if ("opens" in button.dataset) {
      setOpen(button, button.ariaExpanded !== "true");
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
      const opens = menu.querySelector<HTMLElement>("[data-opens]");
      if (opens) setOpen(opens, false);
      (opens ?? button).focus();
    }
  };
  const keydown = ({ key }: KeyboardEvent) => {
    if (key !== "Escape") return;
    const button = document.activeElement?.closest(".corner")?.querySelector<HTMLElement>(OPEN);
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
