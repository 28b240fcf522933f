// Dragging, told apart from a click.
//
//     const stop = listenToDrag(canvas, {
//       onMove: ({ dx, dy }) => turn(dx, dy),
//       onClick: ({ x, y }) => choose(cellAt(x, y)),
//       onHover: (point) => pointAt(point),
//     });

import { pointInElement } from "./elements.ts";

const THRESHOLD = 5; // px; less is a click

/** x and y in the element's own CSS pixels. */
type DragPoint = { x: number; y: number; event: PointerEvent };
type DragMove = DragPoint & { dx: number; dy: number; startX: number; startY: number };

/**
 * @param element with `touch-action: pan-y` where `sideways` is set, else `none`
 * @param handlers.onStart before the first move
 * @param handlers.onMove dx and dy since the last move, startX and startY where the drag began
 * @param handlers.onEnd after the last move, also where the browser takes the pointer away
 * @param handlers.onClick of a pointer that did not move
 * @param handlers.onHover while no button is down, not of a finger; null where the mouse leaves
 * @param handlers.sideways whether a finger that moves up or down scrolls the page instead
 * @returns removes the listeners
 */
export function listenToDrag(
  element: HTMLElement,
  {
    onStart,
    onMove,
    onEnd,
    onClick,
    onHover,
    sideways = false,
  }: {
    onStart?: (point: DragPoint) => void;
    onMove: (move: DragMove) => void;
    onEnd?: (point: DragPoint) => void;
    onClick?: (point: DragPoint) => void;
    onHover?: (point: DragPoint | null) => void;
    sideways?: boolean;
  },
) {
  let drag: { startX: number; startY: number; x: number; y: number; moved: boolean } | null = null;
  const pointOf = (event: PointerEvent): DragPoint => {
    const [x, y] = pointInElement(event, element);
    return { x, y, event };
  };
  const listeners: Record<string, (event: PointerEvent) => void> = {
    pointerdown(event) {
      if (event.button !== 0) return;
      const { x, y } = pointOf(event);
      drag = { startX: x, startY: y, x, y, moved: false };
      element.setPointerCapture(event.pointerId);
    },
    pointermove(event) {
      const point = pointOf(event);
      if (!drag) {
        if (event.pointerType !== "touch") onHover?.(point);
        return;
      }
      const { startX, startY, x, y } = drag;
      if (!drag.moved) {
        const [across, down] = [Math.abs(point.x - startX), Math.abs(point.y - startY)];
        if (Math.hypot(across, down) < THRESHOLD) return;
        if (sideways && event.pointerType === "touch" && down >= across) {
          drag = null;
          return;
        }
        drag.moved = true;
        onStart?.({ ...point, x: startX, y: startY });
      }
      Object.assign(drag, { x: point.x, y: point.y });
      onMove({ ...point, dx: point.x - x, dy: point.y - y, startX, startY });
    },
    pointerup(event) {
      if (drag) (drag.moved ? onEnd : onClick)?.(pointOf(event));
      drag = null;
    },
    pointercancel(event) {
      if (drag?.moved) onEnd?.(pointOf(event));
      drag = null;
    },
    pointerleave(event) {
      if (event.pointerType === "mouse" && !drag) onHover?.(null);
    },
  };
  const entries = Object.entries(listeners) as [string, EventListener][];
  for (const [type, listener] of entries) element.addEventListener(type, listener);
  return () => {
    for (const [type, listener] of entries) element.removeEventListener(type, listener);
  };
}
