// A component that outlives the runs of its page: mounted once for its element, handed the data of each run, and taken
// down when no later run has taken over.

import { cachedData, fetchData } from "./data.ts";
import { setLanguage } from "./numbers.ts";
import { insertShared, parseJsonPayload, sharedAddress } from "./payload.ts";

/** What Streamlit hands a component besides its data: how the reader's doings are told to the page. */
export interface Page {
  setStateValue: (name: string, value: unknown) => void;
  setTriggerValue: (name: string, value: unknown) => void;
}
/** Where a component stands. */
export type ParentElement = HTMLElement | ShadowRoot;
/** One run of the page, as a component's default export gets it. */
type Run = { data: unknown; parentElement: ParentElement } & Page;
interface Mounted<Data> {
  // says false while what it draws from is on its way: it then calls `sayDrawn` itself
  receive: (data: Data, page: Page) => unknown;
  unmount: () => void;
}

/**
 * Where runs follow each other closely, Streamlit can call them in any order, and takes down in the same task those
 * that a later one has overtaken; of one that another follows in its time it forgets what it returned. So data is
 * handed on in a task of its own, by when the runs that are overtaken are gone.
 * @returns what a script exports
 */
export function persistentComponent<Data>(
  mount: (parentElement: ParentElement) => Mounted<Data>,
): (run: Run) => () => void {
  /** What mount returned, and the timer of the last run it was handed. */
  const components = new WeakMap<ParentElement, { mounted: Mounted<Data>; last: number }>();
  return ({ data, parentElement, ...page }) => {
    const run = window.setTimeout(() => {
      const mounted = components.get(parentElement)?.mounted ?? mount(parentElement);
      components.set(parentElement, { mounted: mounted, last: run });
      const deliver = (whole: unknown) => {
        if (components.get(parentElement)?.last !== run) return; // a later run has come while this one's data were fetched
        setLanguage((whole as { labels?: Record<string, string> } | null)?.labels);
        if (mounted.receive(whole as Data, page) !== false) markDrawn(parentElement);
      };
      const address = sharedAddress(data);
      const shared = address && cachedData(address);
      if (!address) deliver(parseJsonPayload(data));
      else if (shared) deliver(insertShared(data as Uint8Array, shared));
      else
        fetchData(address, page).then((fetched) => deliver(insertShared(data as Uint8Array, fetched)), console.error);
    });
    return () => {
      clearTimeout(run);
      const entry = components.get(parentElement);
      if (entry?.last !== run) return;
      entry.mounted.unmount();
      components.delete(parentElement);
    };
  };
}

/** Says that a component is drawn: the page has kept a height for it until now. */
export function markDrawn(parentElement: ParentElement) {
  if (parentElement instanceof ShadowRoot) parentElement.host.setAttribute("data-drawn", "");
}

/** What takes a component down: ends all that it has begun, and takes its element off the page. */
export function unmountFunction(root: Element, ...ends: (() => void)[]) {
  return () => {
    for (const end of ends) end();
    root.remove();
  };
}

/**
 * Calls something whenever an element's size changes, and at once.
 * @returns ends that
 */
export function watchSize(element: Element, onChange: () => void): () => void {
  const observer = new ResizeObserver(() => onChange());
  observer.observe(element);
  return () => observer.disconnect();
}

/** Draws once in the next frame, however often that is wished for. */
export function perFrame(draw: () => void) {
  let frame = 0;
  const now = () => {
    cancelAnimationFrame(frame);
    frame = 0;
    draw();
  };
  return {
    schedule: () => void (frame ||= requestAnimationFrame(now)),
    now,
    stop: () => cancelAnimationFrame(frame),
  };
}
