// Takes the points' names, their places or an order of them out of a payload and keeps them for the page's pictures.

import { lasting } from "../_shared/lifecycle.js";
import { unpackPayload } from "../_shared/payload.js";
import { store } from "./store.js";

export default lasting(mountData);

const READERS = { names: readNames, places: readPlaces, order: readOrder };

function mountData() {
  let name = null;
  const receive = (data) => {
    const { header, bytes } = unpackPayload(data);
    if (header.name === name) return;
    const before = name;
    name = header.name;
    store.put(name, READERS[header.part](bytes(data.length)));
    if (before) store.drop(before);
  };
  return { receive, unmount: () => store.drop(name) };
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

function readOrder(body) {
  const [count, width] = new Uint32Array(body.buffer, 0, 2);
  return new { 2: Uint16Array, 4: Uint32Array }[width](body.buffer, 8, count);
}
