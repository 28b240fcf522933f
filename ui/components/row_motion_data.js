// Takes words, or where they are at a few steps, out of a payload and keeps them for the page's pictures.

export default lasting(mountMotionData);

const READERS = { words: readWords, frames: readFrames };

function mountMotionData() {
  const store = window.embeddingExplorerMotion;
  const holder = {};
  let held = null;
  const receive = (data) => {
    const { header, bytes } = unpackPayload(data);
    const about = JSON.stringify(header);
    if (about === held) return;
    held = about;
    store.put(holder, READERS[header.part](header, bytes));
  };
  return { receive, unmount: () => store.drop(holder) };
}

function readWords({ name, labels, kinds }, bytes) {
  return { name, labels, kinds, groups: bytes(labels.length), kindOf: bytes(labels.length) };
}

function readFrames({ run, count, steps, units }, bytes) {
  const frames = steps.map((step, at) => {
    const shares = new Int16Array(bytes(6 * count).buffer);
    const places = Float32Array.from(shares, (share) => share * units[at]);
    const [low, high] = [[0, 0, 0], [0, 0, 0]];
    for (let index = 0; index < places.length; index += 1) {
      const axis = index % 3;
      low[axis] = Math.min(low[axis], places[index]);
      high[axis] = Math.max(high[axis], places[index]);
    }
    return { step, places, low, high };
  });
  return { run, count, frames };
}
