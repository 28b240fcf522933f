// What index.js is sent, and its axes: 0 is the batch, 1 the position, 2 the dimension.

import { colourScale } from "../_shared/colour.js";
import { unpackPayload } from "../_shared/payload.js";
import { decimalText, fillLabel } from "../_shared/text.js";

export function blockModel(data) {
  const { header, numbers } = unpackPayload(data);
  const [batch, positions, dimensions] = header.shown;
  const values = numbers(batch * positions * dimensions);
  return {
    ...header,
    values,
    indexNames: [header.labels.sample, header.labels.position, header.labels.dimension], // of one step along an axis
    names: [header.labels.batch, header.labels.position, header.labels.dimension],
    scale: colourScale(header.colours, header.limit),
    value: ([b, i, d]) => values[(b * positions + i) * dimensions + d],
    tokenPosition: ([b, i]) => header.starts[b] + i,
    pictures: new Map(), // of faces.js: the layers that were looked at
  };
}

// Every [sample, position] where a token of the text stands: windows that overlap have it more than once.
export function placesOf(model, position) {
  if (position === null) return [];
  const [, positions] = model.shown;
  return model.starts.flatMap((start, b) =>
    position >= start && position < start + positions ? [[b, position - start]] : [],
  );
}

export function readCell(model, cell) {
  const [sample, position, dimension] = cell;
  const value = decimalText(model.value(cell), 4);
  const label = model.tokens[sample][position];
  return fillLabel(model.labels.readout, { sample, position, dimension, label, value });
}

export function rangeText(model, axis, first) {
  const [count, drawn] = [model.shape[axis], model.shown[axis]];
  if (first === 0 && count === drawn) return fillLabel(model.labels.whole_axis, { count });
  return fillLabel(model.labels.cut_axis, { first, last: drawn - 1, count });
}
