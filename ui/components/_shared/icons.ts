// Icons of buttons.

import { makeElement, makeSvgElement } from "./elements.ts";

const ICONS = {
  play: "M7 4v16l13-8z",
  pause: "M6 4h4v16H6zM14 4h4v16h-4z",
  back: "M5 4h3v16H5zM20 4v16L9 12z",
  forward: "M16 4h3v16h-3zM4 4l11 8-11 8z",
  move: "M12 2l4 4h-3v5h5V8l4 4-4 4v-3h-5v5h3l-4 4-4-4h3v-5H6v3l-4-4 4-4v3h5V6H8z",
  turn: "M12 4a8 8 0 0 1 7.7 5.9l2-.6L20.500 15l-4.700-3.700 2-.600A6 6 0 0 0 6.400 10L4.500 9.400A8 8 0 0 1 12 4zM3.500 9L8.200 12.700l-2 .600a6 6 0 0 0 11.400.700l1.900.600A8 8 0 0 1 4.300 14.100l-2 .600z",
  box: "M3 3h5v2H5v3H3zM16 3h5v5h-2V5h-3zM3 16h2v3h3v2H3zM19 16h2v5h-5v-2h3zM10.500 3h3v2h-3zM10.500 19h3v2h-3zM3 10.500h2v3H3zM19 10.500h2v3h-2z",
  lasso:
    "M12 4c5 0 9 2.600 9 6s-4 6-9 6c-1 0-2-.1-2.900-.3.1 2-.8 3.700-2.800 4.900l-1-1.700c1.300-.8 1.900-1.800 1.800-3.100C4.600 14.700 3 12.500 3 10c0-3.400 4-6 9-6zm0 2c-4 0-7 1.900-7 4s3 4 7 4 7-1.900 7-4-3-4-7-4z",
  zoom_in: "M11 4h2v7h7v2h-7v7h-2v-7H4v-2h7z",
  zoom_out: "M4 11h16v2H4z",
  reset:
    "M12 3.200l9.300 8.300-1.300 1.500-1-.900V20h-5.500v-5.500h-3V20H5v-7.900l-1 .900-1.300-1.500zM7 10.300V18h1.500v-5.500h7V18H17v-7.700l-5-4.400z",
  full_screen:
    "M4 4h6v2H7.400l3.300 3.300-1.400 1.400L6 7.400V10H4zM14 4h6v6h-2V7.400l-3.300 3.300-1.400-1.400L16.600 6H14zM9.300 13.300l1.400 1.400L7.400 18H10v2H4v-6h2v2.600zM14.700 13.300L18 16.600V14h2v6h-6v-2h2.600l-3.300-3.300z",
  link: "M10.600 13.400a1 1 0 0 1 0-1.400l3.500-3.500a1 1 0 0 1 1.400 1.400L12 13.400a1 1 0 0 1-1.400 0zM7.800 12.700l1.400 1.400-2.100 2.100a2 2 0 0 0 2.800 2.800L12 16.900l1.400 1.400-2.100 2.100a4 4 0 0 1-5.700-5.700zM16.200 11.300l-1.400-1.400 2.100-2.100a2 2 0 0 0-2.800-2.800L12 7.100l-1.400-1.400 2.100-2.100a4 4 0 0 1 5.700 5.700z",
  clear:
    "M6.400 5L12 10.600 17.600 5 19 6.400 13.400 12l5.600 5.600-1.400 1.400L12 13.400 6.400 19 5 17.600 10.600 12 5 6.400z",
};

export type Icon = keyof typeof ICONS;

export function setIcon(button: HTMLButtonElement, name: Icon) {
  if (button.dataset.icon === name) return;
  button.dataset.icon = name;
  button.querySelector("svg")?.remove();
  button.prepend(
    makeSvgElement("svg", { viewBox: "0 0 24 24", "aria-hidden": "true" }, makeSvgElement("path", { d: ICONS[name] })),
  );
}

export function iconButton(testid: string, icon: Icon, attributes: Record<string, string> = {}) {
  const button = makeElement("button", { testid, type: "button", ...attributes });
  setIcon(button, icon);
  return button;
}

/** Name a button that has an icon alone. */
export function nameButton(button: HTMLButtonElement, name: string) {
  button.setAttribute("aria-label", name);
  button.title = name;
}
