// Components whose page is a tree of HTML elements: Preact renders them.

import { type ComponentType, h, type RefObject, render } from "preact";
import { useEffect, useLayoutEffect, useReducer, useRef } from "preact/hooks";
import { makeElement } from "./elements.ts";
import { type Page, persistentComponent } from "./lifecycle.ts";
import { link } from "./link.ts";
import { changeDetector } from "./payload.ts";
import { createTooltip, type Tooltip } from "./tooltip.ts";
import { registerViewState } from "./view_state.ts";

export { Fragment, h, render } from "preact";
export { useCallback, useEffect, useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";
export { jsx, jsxs } from "preact/jsx-runtime";

/**
 * A component that Preact renders anew with the data of each run.
 * @param View gets the data that Python sent and the page that it reports to
 * @returns what the component's script exports
 */
export const preactComponent = <Data>(View: ComponentType<{ data: Data; page: Page }>) =>
  persistentComponent<Data>((parentElement) => {
    const root = makeElement("div");
    parentElement.append(root);
    return {
      receive: (data, page) => render(h(View, { data, page }), root),
      unmount() {
        render(null, root);
        root.remove();
      },
    };
  });

/** The page's pointer; the component is rendered anew when another token is hovered or chosen. */
export function useLink() {
  const [, renderAgain] = useReducer((count: number) => count + 1, 0);
  useEffect(() => link.subscribe(() => renderAgain(undefined)), []);
  return link;
}

/**
 * Register a part of the component's view state, which is numbers; see registerViewState.
 * @param apply applies the link's value
 */
export function useViewState(root: RefObject<HTMLElement | null>, part: string, apply: (numbers: number[]) => void) {
  const latest = useRef(apply);
  latest.current = apply;
  const entry = useRef<ReturnType<typeof registerViewState> | null>(null);
  useLayoutEffect(() => {
    if (root.current) entry.current ??= registerViewState(root.current, part, (numbers) => latest.current(numbers));
    entry.current?.restore();
  });
  return entry;
}

/** A tooltip in an element of the component, from its first effect on. */
export function useTooltip(root: RefObject<HTMLElement | null>, options: { testid?: string } = {}) {
  const tooltip = useRef<Tooltip | null>(null);
  useLayoutEffect(() => {
    if (root.current) tooltip.current = createTooltip(root.current, options);
    return () => tooltip.current?.hide();
  }, []);
  return tooltip;
}

/** Compute a value from a run's data, again only if these differ from the run before. */
export function useComputed<Data, Result>(data: Data, compute: (data: Data) => Result): Result {
  const state = useRef<{ isNew: (data: unknown) => boolean; result?: Result }>({ isNew: changeDetector() });
  if (state.current.isNew(data)) state.current.result = compute(data);
  return state.current.result as Result;
}
