// Takes what the pictures of the page are drawn from out of a payload, and keeps it for them.

import { lasting } from "../_shared/lifecycle.js";
import { unpackPayload } from "../_shared/payload.js";
import { readPart, store } from "./store.js";

export default lasting(() => {
  const holder = {};
  /** @type {string | null} */
  let held = null;
  return {
    receive(data) {
      const content = data instanceof Uint8Array ? unpackPayload(data).header.name : JSON.stringify(data);
      if (held === content) return;
      held = content;
      store.put(holder, readPart(data));
    },
    unmount: () => store.drop(holder),
  };
});
