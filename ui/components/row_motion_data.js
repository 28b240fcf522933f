// Keeps what it is sent for the page's pictures. It is small, because it travels with everything that it is sent.

export default lasting(mountMotionData);

function mountMotionData() {
  const store = window.embeddingExplorerMotion;
  const holder = {};
  return { receive: (data) => store.put(holder, data), unmount: () => store.drop(holder) };
}
