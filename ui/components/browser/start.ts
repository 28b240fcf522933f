// Runs before Streamlit's own code.

// It is told where its server is. By itself it looks under the page's own path first, and every page but the first begins
// with two requests that fail. Told whose messages it may take up too, those of this site alone, it opens its connection at
// once, in place of asking for two answers before.

const tab: { __streamlit?: object; requestIdleCallback?: (callback: () => void) => number } = window as object;
tab.__streamlit = {
  ...tab.__streamlit,
  BACKEND_BASE_URL: new URL("./", document.baseURI).href,
  HOST_CONFIG: { allowedOrigins: [location.origin], useExternalAuthToken: false },
};

// The theme that the reader has chosen in Streamlit's menu, where it is not the system's: the first frame is in its colour.
try {
  const theme = JSON.parse(localStorage.getItem(`stActiveTheme-${location.pathname}-v2`) ?? "null");
  if (theme === "Light" || theme === "Dark") document.documentElement.style.colorScheme = theme.toLowerCase();
} catch {
  // No storage in a frame whose cookies are blocked: the system's.
}

// Plotly alone is parsed for half a second, in which nothing else happens. Where it has not been needed yet, that is done
// while the reader looks at the page, and not when a chart is to be drawn.

const REST = 2000; // ms without a run of the page, without a file that comes and without the reader's doing anything
const later = (document.currentScript?.dataset.later ?? "").split(" ").filter(Boolean);
const whenIdle = tab.requestIdleCallback ?? setTimeout; // Safari has none
let timer = 0;

function wait() {
  clearTimeout(timer);
  if (later.length) timer = window.setTimeout(() => whenIdle(parseNext), REST);
}

function parseNext() {
  const app = document.querySelector('[data-testid="stApp"]');
  const isAtRest = app?.getAttribute("data-test-script-state") === "notRunning";
  const script = isAtRest && later.shift(); // on a busy machine two idle moments can be awaited, with one script left
  if (script) import(new URL(script, document.baseURI).href).catch(() => {});
  wait();
}

for (const event of ["load", "keydown", "pointerdown", "wheel", "touchmove"]) {
  addEventListener(event, wait, { capture: true, passive: true });
}
// A picture is drawn after the run of the page, once its code and its data have come.
new PerformanceObserver(wait).observe({ type: "resource" });
