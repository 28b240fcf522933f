// A tooltip at the pointer, or beside the element that has the focus.
//
//     const tooltip = createTooltip(root, { testid: "grid-readout" });
//     canvas.addEventListener("pointermove", (event) => tooltip.show(["query 3", "0.12"], event));
//     canvas.addEventListener("pointerleave", tooltip.hide);
//     handleKeys(canvas, (key) => … tooltip.show(lines, boxOfCell, { announce: true }) …);
//
// Of elements: explainOnHover(root, ".cell", (cell) => cell.dataset.facts).

import { makeElement } from "./elements.ts";

/** Sides of a box in CSS pixels of the window, as getBoundingClientRect and pointer events have them. */
export interface ClientBox {
  left: number;
  top: number;
  right: number;
  bottom: number;
}
type Anchor = Element | ClientBox | { clientX: number; clientY: number };
type Lines = string | readonly string[];
export type Tooltip = ReturnType<typeof createTooltip>;

const GAP = 12; // px between a pointer and the tooltip
const MARGIN = 6; // px between the tooltip and the window's edges

/**
 * Place a tooltip above its anchor, or below where the window has no room above, centred as far as the window allows.
 * @param anchor a box; that of a pointer has no size
 * @param size of the tooltip
 * @param room size of the window
 * @param below whether it is placed below where both would fit
 */
export function tooltipPosition(
  anchor: ClientBox,
  size: { width: number; height: number },
  room: { width: number; height: number },
  below = false,
): [left: number, top: number] {
  const [over, under] = [anchor.top - GAP - size.height, anchor.bottom + GAP];
  const last = room.height - MARGIN - size.height;
  const left = Math.min((anchor.left + anchor.right - size.width) / 2, room.width - MARGIN - size.width);
  const top = over >= MARGIN && !(below && under <= last) ? over : Math.max(MARGIN, Math.min(under, last));
  return [Math.max(MARGIN, left), top];
}

/**
 * Create a tooltip that is drawn above the whole page, so that no scroll container or slide cuts it off.
 * @param root of the component
 * @param options.testid of the element that has the text
 * @param options.below whether it stands below its anchor where it can
 */
export function createTooltip(root: HTMLElement, { testid, below }: { testid?: string; below?: boolean } = {}) {
  const element = makeElement("div", { className: "tooltip", testid, popover: "manual", "aria-hidden": "true" });
  const status = makeElement("div", { className: "spoken", role: "status" });
  root.append(element, status);
  let anchor: Anchor | null = null;

  function place() {
    if (!anchor) return;
    const { clientX: x, clientY: y } = anchor as MouseEvent;
    const isPoint = x !== undefined;
    const box =
      anchor instanceof Element
        ? anchor.getBoundingClientRect()
        : isPoint
          ? { left: x, right: x, top: y, bottom: y }
          : (anchor as ClientBox);
    const size = { width: element.offsetWidth, height: element.offsetHeight };
    const room = { width: window.innerWidth, height: window.innerHeight };
    const [left, top] = tooltipPosition(box, size, room, below);
    element.style.transform = `translate(${Math.round(left)}px, ${Math.round(top)}px)`;
  }

  const onScroll = () => (anchor instanceof Element ? place() : hide());
  const onPress = (event: Event) => void (event.composedPath().includes(root) || hide());
  const onKey = (event: KeyboardEvent) => void (event.key === "Escape" && hide());

  /**
   * @param lines the first is in bold if there are several; none hides the tooltip
   * @param nextAnchor a pointer event, an element, or a box in the window
   * @param options.announce whether screen readers say it: where the keyboard moves, not at every move of the mouse
   */
  function show(lines: Lines | null | undefined, nextAnchor: Anchor, { announce = false } = {}) {
    const texts = typeof lines === "string" ? lines.split("\n") : (lines ?? []);
    if (!texts.some(Boolean)) return hide();
    if (!anchor) {
      element.showPopover?.();
      element.classList.add("is-open");
      window.addEventListener("scroll", onScroll, { capture: true, passive: true });
      window.addEventListener("pointerdown", onPress, true);
      window.addEventListener("keydown", onKey, true);
    }
    anchor = nextAnchor;
    if (element.textContent !== texts.join("\n"))
      element.replaceChildren(
        ...texts.flatMap((text, index) => [
          index ? "\n" : "",
          makeElement(index || texts.length < 2 ? "span" : "b", { text }),
        ]),
      );
    place();
    const spoken = announce ? texts.join(". ") : "";
    if (status.textContent !== spoken) status.textContent = spoken;
  }

  function hide() {
    if (!anchor) return;
    anchor = null;
    element.classList.remove("is-open");
    if (element.isConnected) element.hidePopover?.();
    element.replaceChildren();
    status.textContent = "";
    window.removeEventListener("scroll", onScroll, true);
    window.removeEventListener("pointerdown", onPress, true);
    window.removeEventListener("keydown", onKey, true);
  }

  return { element, show, hide };
}

/**
 * Show a tooltip for the element under the pointer, under a tap, or with the keyboard's focus.
 * @param selector of the elements that have one
 * @param describe returns the lines; none for an element without a tooltip
 * @param options.announce whether screen readers say the lines when the focus moves: not where its name says them
 */
export function explainOnHover<Target extends HTMLElement>(
  root: HTMLElement,
  selector: string,
  describe: (target: Target) => Lines | null | undefined,
  { announce = false, ...options }: { testid?: string; below?: boolean; announce?: boolean } = {},
) {
  const tooltip = createTooltip(root, options);
  const onEvent = (event: Event) => {
    const target = (event.target as Element).closest<Target>(selector);
    const byKey = event.type === "focusin";
    if (byKey && !target?.matches(":focus-visible")) return;
    if (event.type === "pointerover" && (event as PointerEvent).pointerType === "touch") return;
    if (target) tooltip.show(describe(target), target, { announce: byKey && announce });
    else tooltip.hide();
  };
  for (const type of ["pointerover", "focusin", "click"]) root.addEventListener(type, onEvent);
  for (const type of ["pointerleave", "focusout"]) root.addEventListener(type, tooltip.hide);
  return tooltip;
}
