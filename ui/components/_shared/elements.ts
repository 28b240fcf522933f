// Elements of the page and canvases of their size.

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
 * A token as its vocabulary writes it. Its marks stand where the tokens before it do: on the left, also where its
 * letters run from right to left; in a line that runs so, on the side where its letters begin.
 * @param looks along which direction the tokens stand
 */
export const tokenElement = (
  text: string,
  { along = "ltr", ...looks }: { className?: string; title?: string; along?: "rtl" | "ltr" } = {},
) => makeElement("bdi", { ...looks, dir: along === "rtl" ? "auto" : along, text });

/** Device pixels per CSS pixel that canvases are drawn with; on a slide the page is magnified. */
export const deviceRatio = () =>
  Math.min((window.devicePixelRatio || 1) * (Number(document.body.dataset.magnified) || 1), 3);

/** How many times larger than its CSS pixels an element is shown. */
export const displayScale = (element: HTMLElement) => element.getBoundingClientRect().width / element.offsetWidth || 1;

/** Where a pointer is, in an element's own CSS pixels. */
export function pointInElement(
  { clientX, clientY }: { clientX: number; clientY: number },
  element: HTMLElement,
): [x: number, y: number] {
  const { left, top } = element.getBoundingClientRect();
  const scale = displayScale(element);
  return [(clientX - left) / scale, (clientY - top) / scale];
}

/** CSS px that a figure may be high: on a slide not more than it has room for. */
export const maxFigureHeight = () =>
  Number.parseFloat(document.body.style.getPropertyValue("--slide-room")) || Infinity;

const MIN_SLIDE_FONT = 18; // px of the least letters on a slide, as they are shown

/**
 * A size of letters on a canvas; on a slide that magnifies them little no smaller than the last row can read.
 * @param size CSS px
 */
export const canvasFontSize = (size: number) =>
  `${Math.max(size, MIN_SLIDE_FONT / (Number(document.body.dataset.magnified) || Infinity))}px`;

/**
 * A canvas as large as its box on the screen, drawn in CSS pixels on as many device pixels as there are.
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

/** What draws on a canvas. Only a canvas that already has a context of another kind has none. */
export function canvasContext(canvas: HTMLCanvasElement) {
  const context = canvas.getContext("2d");
  if (!context) throw new Error("the canvas has no 2d context");
  return context;
}
