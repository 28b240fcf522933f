// Sentences with holes, and text that fits a width.

/**
 * Fills the holes of "{name} of {count}"; a hole without a value stays.
 * @param {string} template
 * @param {Record<string, unknown>} values
 */
export function fillLabel(template, values = {}) {
  return template.replace(/\{(\w+)\}/g, (hole, name) => (name in values ? String(values[name]) : hole));
}

/**
 * Shortens a text to a width on a canvas, with an ellipsis.
 * @param {Pick<CanvasRenderingContext2D, "measureText">} context
 * @param {string} text
 * @param {number} width
 */
export function fitText(context, text, width) {
  if (context.measureText(text).width <= width) return text;
  const characters = [...text];
  while (characters.length > 1 && context.measureText(`${characters.join("")}…`).width > width) characters.pop();
  return `${characters.join("")}…`;
}
