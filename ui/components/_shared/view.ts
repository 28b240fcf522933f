// Components whose page is a tree of HTML elements: Preact renders them.

import { type ComponentType, h, render } from "preact";
import { makeElement } from "./elements.ts";
import { lasting, type Page } from "./lifecycle.ts";

export { Fragment, h, render } from "preact";
export { useCallback, useEffect, useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";
export { jsx, jsxs } from "preact/jsx-runtime";

/**
 * A component that Preact renders anew with the data of each run.
 * @param View gets the data that Python sent and the page that it reports to
 * @returns what the component's script exports
 */
export const preactComponent = <Data>(View: ComponentType<{ data: Data; page: Page }>) =>
  lasting<Data>((parentElement) => {
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
