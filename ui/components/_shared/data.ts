// Large data of components: fetched once by the hash of its content (data.py serves it), and cached for later runs.

import type { Page } from "./lifecycle.ts";

const LIMIT = 32e6; // bytes; the least recently used data are dropped first, and are still in the browser's cache
const TRIES = 8;
const FIRST_WAIT = 200; // ms before the second try; each further wait is twice as long

/** Data by address, the least recently used first. */
const cache = new Map<string, Uint8Array>();
const pendingRequests = new Map<string, Promise<Uint8Array>>();

/** Return cached data; null if it has to be fetched. */
export function cachedData(address: string) {
  const data = cache.get(address);
  if (data) {
    cache.delete(address);
    cache.set(address, data);
  }
  return data ?? null;
}

/**
 * Fetch data, once for all components that request it meanwhile. If the server has dropped it, a rerun of the page serves
 * it again.
 * @param page of the component that requests it
 */
export function fetchData(address: string, page: Page) {
  const cached = cachedData(address);
  if (cached) return Promise.resolve(cached);
  let promise = pendingRequests.get(address);
  if (!promise) {
    promise = fetchWithRetries(address, page).finally(() => pendingRequests.delete(address));
    pendingRequests.set(address, promise);
  }
  return promise;
}

async function fetchWithRetries(address: string, page: Page) {
  for (let number = 1; ; number += 1) {
    // A browser that is offline gets no answer; once it is online again, the next attempt succeeds.
    const answer = await fetch(new URL(`component-data/${address}`, document.baseURI)).catch(() => null);
    if (answer?.ok) return cacheData(address, new Uint8Array(await answer.arrayBuffer()));
    if (number === TRIES) throw new Error(`No data of a component: ${answer?.status ?? "no answer"}`);
    if (answer?.status === 404) page.setTriggerValue("missing", address);
    await new Promise((resolve) => setTimeout(resolve, FIRST_WAIT * 2 ** (number - 1)));
  }
}

/** Put data into the cache, and return them. */
export function cacheData(address: string, data: Uint8Array) {
  cache.set(address, data);
  let size = [...cache.values()].reduce((sum, { length }) => sum + length, 0);
  for (const [oldest, { length }] of cache) {
    if (size <= LIMIT || oldest === address) break;
    cache.delete(oldest);
    size -= length;
  }
  return data;
}
