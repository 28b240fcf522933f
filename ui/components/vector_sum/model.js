// The payload as three maps: rows of the tokens, of the positions, and their sum, each with its picture.

import { colourScale, paintIndices } from "../_shared/colour.js";
import { MIN_DECIMALS, sumParts } from "../_shared/exact_sum.js";
import { unpackPayload } from "../_shared/payload.js";

const NARROW = 8; // dimensions

export function sumModel(data) {
  const { header, numbers } = unpackPayload(data);
  const { n_rows: nRows, d_model: dModel } = header;
  const scale = colourScale(header.colours, header.limit);
  const [first, second] = [numbers(nRows * dModel), numbers(nRows * dModel)];
  const sum = first.map((value, at) => value + second[at]); // stored as float32: Math.fround of the exact sum
  const maps = [first, second, sum].map((values) => {
    const indices = new Uint8Array(values.length);
    for (let at = 0; at < values.length; at += 1) indices[at] = scale.index(values[at]);
    return { values, picture: paintIndices(indices, nRows, dModel, scale) };
  });
  const beyond = maps.some(({ values }) => values.some((value) => Math.abs(value) > header.limit));
  const decimals = leastDecimals(first, second, dModel);
  const { tokens, ids, total, adds, labels, first_position: firstPosition } = header;
  return { nRows, dModel, scale, beyond, decimals, maps, tokens, ids, total, adds, labels, firstPosition };
}

// How many decimals every number has at least. A narrow table is read number by number, so there all have alike where
// they can: three where each sum comes out in three, else four; a sum that needs more still takes more.
function leastDecimals(first, second, dModel) {
  if (dModel > NARROW) return MIN_DECIMALS;
  const short = (value, at) => sumParts(value, second[at]).terms[0].split(".")[1].length === MIN_DECIMALS;
  return first.every(short) ? MIN_DECIMALS : MIN_DECIMALS + 1;
}
