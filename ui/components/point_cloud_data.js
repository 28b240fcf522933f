// Takes the points' names or places out of their payload and keeps them for the pictures of the page.

export default function pointData({ data, parentElement }) {
  const store = window.embeddingExplorerPoints;
  const held = heldStates.get(parentElement) ?? { generation: 0, name: null };
  heldStates.set(parentElement, held);
  held.generation += 1;
  const { generation } = held;
  const { header, bytes } = unpackPayload(data);
  if (header.name !== held.name) {
    const before = held.name;
    held.name = header.name;
    const body = bytes(data.length);
    store.put(header.name, header.part === "names" ? readNames(body) : readPlaces(body));
    if (before) store.drop(before);
  }
  return () => {
    if (held.generation !== generation) return; // a later run has taken over
    store.drop(held.name);
    heldStates.delete(parentElement);
  };
}

function readNames(body) {
  const [count, width] = new Uint32Array(body.buffer, 0, 2);
  const ids = new { 2: Uint16Array, 4: Int32Array }[width](body.buffer, 8, count);
  const text = new TextDecoder().decode(body.subarray(8 + width * count));
  return { count, ids, labels: count ? text.split("\0") : [] };
}

function readPlaces(body) {
  const columns = new DataView(body.buffer).getUint32(0, true);
  return { columns, values: new Float32Array(body.buffer, 4) };
}
