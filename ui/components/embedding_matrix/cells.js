// The numbers of a row that is pulled out of E: how many fit, and each on its colour.

import { paintIndices } from "../_shared/colour.js";
import { makeElement } from "../_shared/elements.js";
import { decimalText } from "../_shared/text.js";

// Numbers first, then colours alone, as far as the width goes.
export function cellLayout(header, layout, listWidth) {
  const { narrow } = layout;
  const longest = Math.max(1, ...header.tokens.map((token) => [...token].length));
  const token = Math.max(48, Math.min(170, longest * 11));
  const repeated = new Set(header.ids).size < header.ids.length;
  const id = repeated ? 180 : 96;
  const x = narrow ? 8 : 8 + token + 10 + id + 10;
  let width = narrow ? 58 : 76;
  const room = listWidth - x - 8;
  const stripe = 5; // pixels per column shown as colour alone
  const fitting = (space) => Math.max(1, Math.min(header.k, Math.floor(space / width)));
  let numbered = fitting(room);
  if (numbered < header.d_model) {
    // Room for "…", and for the rest of k as colours: all of it, or two fifths of the width.
    const beside = narrow ? 22 : Math.min(room * 0.4, (header.k - fitting(room)) * stripe + 34);
    numbered = fitting(room - beside);
  }
  if (numbered === header.d_model && !narrow) width = Math.max(width, Math.min(120, Math.floor(room / numbered)));
  const left = Math.floor((room - numbered * width - 34) / stripe);
  const coloured = narrow ? 0 : Math.max(0, Math.min(header.k - numbered, left));
  return { token, id, x, width, numbered, coloured, stripe };
}

// The number of a row, and beside or under it the word that tells it from rows that are not random.
export function numberOf(idText, byChance) {
  const box = makeElement("span", { className: "id", text: idText });
  if (byChance !== null)
    box.append(" ", makeElement("span", { className: "by-chance", testid: "matrix-by-chance", text: byChance }));
  return box;
}

export function rowCells(values, scale, { numbered, coloured, width, stripe }, dModel) {
  const box = makeElement("span", { className: "cells" });
  for (let column = 0; column < numbered; column += 1) {
    const value = values[column];
    const cell = makeElement("span", { className: "cell", testid: "matrix-cell", text: decimalText(value, 4) });
    cell.style.cssText = `width:${width}px;background:${scale.css(value)};color:${scale.ink(value)}`;
    box.append(cell);
  }
  if (coloured > 0) {
    const indices = values.subarray(numbered, numbered + coloured).map(scale.index);
    const picture = paintIndices(indices, 1, coloured, scale);
    picture.style.width = `${coloured * stripe}px`;
    picture.setAttribute("aria-hidden", "true");
    box.append(picture);
  }
  if (numbered + coloured < dModel)
    box.append(makeElement("span", { className: "more", text: "…", "aria-hidden": "true" }));
  return box;
}
