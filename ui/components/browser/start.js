// Runs before Streamlit's own code: tells it where its server is. By itself it looks under the page's own path first, and
// every page but the first begins with two requests that fail.

/** @type {{ __streamlit?: object }} */
const tab = /** @type {any} */ (window);
tab.__streamlit = { ...tab.__streamlit, BACKEND_BASE_URL: new URL("./", document.baseURI).href };
