// Keeps what it is sent for the page's pictures.

import { lasting } from "../_shared/lifecycle.js";
import { store } from "./store.js";

export default lasting(mountMotionData);

function mountMotionData() {
  const holder = {};
  return { receive: (data) => store.put(holder, data), unmount: () => store.drop(holder) };
}
