// The payload as three maps: rows of the tokens, of the positions, and their sum, each with its picture.
function sumModel(data) {
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
  const { tokens, ids, total, adds, labels, first_position: firstPosition } = header;
  return { nRows, dModel, scale, maps, tokens, ids, total, adds, labels, firstPosition };
}
