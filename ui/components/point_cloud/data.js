// Takes what the pictures of the page are drawn from out of a payload, and keeps it for them.

import { lasting } from "../_shared/lifecycle.js";
import { newsWatch, unpackPayload } from "../_shared/payload.js";
import { readPart, store } from "./store.js";

export default lasting(() => {
  const holder = {};
  const isNew = newsWatch();
  return {
    receive(data) {
      if (isNew(data instanceof Uint8Array ? unpackPayload(data).header.name : data)) store.put(holder, readPart(data));
    },
    unmount: () => store.drop(holder),
  };
});
