// One observer of the page's elements for all modules that follow them: React makes elements anew as it likes.

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
