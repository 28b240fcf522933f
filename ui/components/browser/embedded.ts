// One section of a page alone, in a frame of somebody's page: a link to the whole page, and the section's height, which is sent
// to that page as a plain number of CSS px.

import { perFrame, watchSize } from "../_shared/lifecycle.ts";
import { writeViewState } from "../_shared/view_state.ts";
import { wholePageUrl } from "./embed.ts";

const LINK = "a.whole-page";

const updateLink = (link: HTMLAnchorElement) => {
  writeViewState();
  Object.assign(link, { href: wholePageUrl(window.location.href), target: "_blank", rel: "noopener" });
};

function onLinkUse({ target }: Event) {
  const link = target instanceof Element ? target.closest<HTMLAnchorElement>(LINK) : null;
  if (link) updateLink(link);
}

/** @param section its key */
export default function (section: string) {
  document.documentElement.dataset.embedded = section;
  const link = document.querySelector<HTMLAnchorElement>(LINK);
  if (link) updateLink(link);
  const page = document.querySelector<HTMLElement>(".stMainBlockContainer");
  const content = page?.querySelector<HTMLElement>(".stVerticalBlock");
  const sendHeight = perFrame(() => {
    if (!page || !content || window.parent === window) return;
    const { paddingTop, paddingBottom } = getComputedStyle(page);
    const height = content.offsetHeight + Number.parseFloat(paddingTop) + Number.parseFloat(paddingBottom);
    window.parent.postMessage(Math.ceil(height), "*"); // any site may know it
  });
  const unwatch = content ? watchSize(content, sendHeight.schedule) : undefined;
  for (const event of ["pointerdown", "focusin"]) document.addEventListener(event, onLinkUse);
  return () => {
    delete document.documentElement.dataset.embedded;
    unwatch?.();
    sendHeight.stop();
    for (const event of ["pointerdown", "focusin"]) document.removeEventListener(event, onLinkUse);
  };
}
