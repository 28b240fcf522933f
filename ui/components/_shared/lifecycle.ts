// A component that outlives the runs of its page: mounted once for its element, called with the data of each run, and unmounted
// when no later run has it.

import { cachedData, fetchData } from "./data.ts";
import { insertShared, parseJsonPayload, sharedAddress } from "./payload.ts";
import { prepareLabels } from "./text.ts";

/** Streamlit's functions by which a component reports what the reader does. */
export interface Page {
  setStateValue: (name: string, value: unknown) => void;
  setTriggerValue: (name: string, value: unknown) => void;
}
/** The element that a component is mounted in. */
export type ParentElement = HTMLElement | ShadowRoot;
/** One run of the page, as a component's default export gets it. */
type Run = { data: unknown; parentElement: ParentElement } & Page;
interface Mounted<Data> {
  // returns false while its data are loading: it then calls `markDrawn` itself
  receive: (data: Data, page: Page) => unknown;
  unmount: () => void;
}

/**
 * Return a component's default export, which mounts the component once and passes it the data of each run.
 *
 * Streamlit may call runs that follow each other closely in any order. It unmounts those that a later run has overtaken in the
 * same task, and forgets the cleanup function of a run that another one follows in time. So data are passed on in a task of
 * their own, when the overtaken runs are gone.
 */
export function persistentComponent<Data>(
  mount: (parentElement: ParentElement) => Mounted<Data>,
): (run: Run) => () => void {
  /** Mounted components, each with the timer of the last run that it was passed. */
  const components = new WeakMap<ParentElement, { mounted: Mounted<Data>; last: number }>();
  return ({ data, parentElement, ...page }) => {
    const run = window.setTimeout(() => {
      const mounted = components.get(parentElement)?.mounted ?? mount(parentElement);
      components.set(parentElement, { mounted: mounted, last: run });
      const deliver = (whole: unknown) => {
        if (components.get(parentElement)?.last !== run) return; // a later run arrived while this one's data were fetched
        const { labels, texts } = (whole ?? {}) as Record<"labels" | "texts", Record<string, string> | undefined>;
        prepareLabels(labels ?? texts);
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

/** Mark a component as drawn: the page has reserved a height for it until now. */
export function markDrawn(parentElement: ParentElement) {
  if (parentElement instanceof ShadowRoot) parentElement.host.setAttribute("data-drawn", "");
}

/** Return a function that unmounts a component: it calls all cleanup functions and removes the element. */
export function unmountFunction(root: Element, ...ends: (() => void)[]) {
  return () => {
    for (const end of ends) end();
    root.remove();
  };
}

/**
 * Call a function whenever an element's size changes, and at once.
 * @returns stops watching
 */
export function watchSize(element: Element, onChange: () => void): () => void {
  const observer = new ResizeObserver(() => onChange());
  observer.observe(element);
  return () => observer.disconnect();
}

/** Return a scheduler that draws once in the next frame, however often it is called. */
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
