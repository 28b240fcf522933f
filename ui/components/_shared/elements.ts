// Creates elements, and sizes canvases for the display.

/** @param looks any other entry becomes an attribute */
export function makeElement<Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  {
    className,
    testid,
    text,
    ...attributes
  }: { className?: string; testid?: string; text?: string; [attribute: string]: string | number | undefined } = {},
  ...children: (Node | string)[]
) {
  const node = document.createElement(tag);
  if (className) node.className = className;
  if (testid) node.dataset.testid = testid;
  if (text !== undefined) node.textContent = text;
  for (const [name, value] of Object.entries(attributes)) node.setAttribute(name, String(value));
  node.append(...children);
  return node;
}

export function makeSvgElement<Tag extends keyof SVGElementTagNameMap>(
  tag: Tag,
  attributes: Record<string, string>,
  ...children: Node[]
) {
  const node = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const [name, value] of Object.entries(attributes)) node.setAttribute(name, value);
  node.append(...children);
  return node;
}

/**
 * Return an element with a token as its vocabulary writes it. Marks such as ## are on the side of the token before it:
 * the left, or in a right-to-left line the right.
 * @param along the direction of the line
 */
export const tokenElement = (
  text: string,
  { along = "ltr", ...looks }: { className?: string; title?: string; along?: "rtl" | "ltr" } = {},
) => makeElement("bdi", { ...looks, dir: along === "rtl" ? "auto" : along, text });

/** Return the device pixels per CSS pixel of canvases, including the magnification of slides. */
export const deviceRatio = () =>
  Math.min((window.devicePixelRatio || 1) * (Number(document.body.dataset.magnified) || 1), 3);

/** Return the factor by which an element is magnified on the screen. */
export const displayScale = (element: HTMLElement) => element.getBoundingClientRect().width / element.offsetWidth || 1;

/** Return a pointer's position in an element's own CSS pixels. */
export function pointInElement(
  { clientX, clientY }: { clientX: number; clientY: number },
  element: HTMLElement,
): [x: number, y: number] {
  const { left, top } = element.getBoundingClientRect();
  const scale = displayScale(element);
  return [(clientX - left) / scale, (clientY - top) / scale];
}

/** Return the greatest height of a figure in CSS px: on a slide the room it has. */
export const maxFigureHeight = () =>
  Number.parseFloat(document.body.style.getPropertyValue("--slide-room")) || Infinity;

const EMBEDDED_WINDOW = 800; // CSS px, as --window in frame.css

/** Whether the page shows one section alone, in a frame of somebody's page. */
export const isEmbedded = () => document.documentElement.dataset.embedded !== undefined;

/** Return the height in CSS px of the window that a figure fits into; of an embedded section a fixed one, whose frame follows it. */
export const windowHeight = () => (isEmbedded() ? EMBEDDED_WINDOW : window.innerHeight);

/**
 * Size a canvas for the display's resolution and return its context, scaled to CSS pixels.
 * @param width in CSS pixels
 */
export function sizeCanvas(canvas: HTMLCanvasElement, width: number, height: number) {
  const ratio = deviceRatio();
  const [w, h] = [Math.round(width * ratio), Math.round(height * ratio)];
  if (canvas.width !== w || canvas.height !== h) {
    canvas.width = w;
    canvas.height = h;
    canvas.style.width = `${width}px`;
    canvas.style.height = `${height}px`;
  }
  const context = canvasContext(canvas);
  context.setTransform(ratio, 0, 0, ratio, 0, 0);
  return context;
}

/** Return a canvas's 2-D context; only a canvas with a context of another kind has none. */
export function canvasContext(canvas: HTMLCanvasElement) {
  const context = canvas.getContext("2d");
  if (!context) throw new Error("the canvas has no 2d context");
  return context;
}
