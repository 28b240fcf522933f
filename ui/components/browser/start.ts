// Runs before Streamlit's own code.

// Streamlit gets its server's URL: otherwise it looks under the page's own path first, and every page but the first begins
// with two requests that fail. It also gets the origins whose messages it accepts, this site alone: otherwise it makes two
// requests before it opens its connection.

const tab: { __streamlit?: object; requestIdleCallback?: (callback: () => void) => number } = window as object;
tab.__streamlit = {
  ...tab.__streamlit,
  BACKEND_BASE_URL: new URL("./", document.baseURI).href,
  HOST_CONFIG: { allowedOrigins: [location.origin], useExternalAuthToken: false },
};

// Apply the theme that the reader has chosen in Streamlit's menu, if it is not the system's, to the first frame.
try {
  const theme = JSON.parse(localStorage.getItem(`stActiveTheme-${location.pathname}-v2`) ?? "null");
  if (theme === "Light" || theme === "Dark") document.documentElement.style.colorScheme = theme.toLowerCase();
} catch {
  // No storage in a frame whose cookies are blocked: the system's theme.
}

// A section alone is shown without the page around it from the first frame on.
if (new URLSearchParams(location.search).get("section")) document.documentElement.dataset.embedded = "";

// Parsing Plotly blocks the page for half a second. If no chart has needed it yet, it is parsed while the browser is idle.

const PAUSE = 2000; // ms without a run, a loaded file or an input of the reader
const scripts = (document.currentScript?.dataset.later ?? "").split(" ").filter(Boolean);
const whenIdle = tab.requestIdleCallback ?? setTimeout; // Safari has none
let timer = 0;

function scheduleNext() {
  clearTimeout(timer);
  if (scripts.length) timer = window.setTimeout(() => whenIdle(parseNext), PAUSE);
}

function parseNext() {
  const app = document.querySelector('[data-testid="stApp"]');
  const isAtRest = app?.getAttribute("data-test-script-state") === "notRunning";
  const script = isAtRest && scripts.shift(); // two idle callbacks can be pending with one script left
  if (script) import(new URL(script, document.baseURI).href).catch(() => {});
  scheduleNext();
}

for (const event of ["load", "keydown", "pointerdown", "wheel", "touchmove"]) {
  addEventListener(event, scheduleNext, { capture: true, passive: true });
}
// A picture may be drawn after the run, when its code and data have loaded.
new PerformanceObserver(scheduleNext).observe({ type: "resource" });
