// The page around the components: its changes, whether it rests, its sections, the tab's storage.

type Listener = (changes: MutationRecord[]) => void;

const listeners = new Set<Listener>();
/** Attributes that name controls, in which words.ts translates what Streamlit says. */
export const NAME_ATTRIBUTES = ["aria-label", "title", "placeholder", "data-title"];
const OPTIONS = { childList: true, characterData: true, subtree: true, attributeFilter: NAME_ATTRIBUTES };
let observer: MutationObserver | undefined;

/**
 * Call a function whenever elements, texts or names of controls on the page change; components' shadow roots do not count.
 * @returns a function that stops it
 */
export function watchPage(listener: Listener) {
  listeners.add(listener);
  observer ??= new MutationObserver((changes) => {
    for (const each of listeners) each(changes);
  });
  if (listeners.size === 1) observer.observe(document.body, OPTIONS);
  return () => {
    listeners.delete(listener);
    if (!listeners.size) observer?.disconnect();
  };
}

/** Whether no run of the page is under way. */
export const isAtRest = () =>
  document.querySelector('[data-testid="stApp"]')?.getAttribute("data-test-script-state") === "notRunning";

/** Return the CSS selector of a section's key: of its placeholder or, once drawn, of its block. */
export function sectionSelector(key: string) {
  const placeholder = key.startsWith("near-") ? `, [data-near="${key.slice("near-".length)}"]` : "";
  return `.st-key-${key}${placeholder}`;
}

/** Return the tab's sessionStorage; undefined in a frame on a site whose cookies the browser blocks. */
export function storage() {
  try {
    return window.sessionStorage;
  } catch {
    return undefined;
  }
}
