// A text area that tells Python what is in it while one types.

import { lasting } from "../_shared/lifecycle.js";
import { direction } from "../_shared/text.js";
import { agreementPause, isOver, measure, pause } from "./text.js";

/**
 * What Python sends.
 * @typedef {{ value: string, revision: number, limit: number, labels: { label: string } }} Data
 */
/** @typedef {{ text: string, total: number, revision: number | null, count: number }} Content what is reported */
/**
 * What the field remembers between runs.
 * @typedef {object} Field
 * @property {HTMLElement} box
 * @property {HTMLTextAreaElement} area
 * @property {Data} data
 * @property {(content: Content) => void} report
 * @property {number} count of reports
 * @property {boolean} composing whether an input method is at work
 * @property {boolean} long
 * @property {number | null} timer until the text is sent
 * @property {number | null} typedAt when the first key of those not yet sent was pressed
 * @property {number} agreement timer
 * @property {number | null} revision of the text that Python last put here
 * @property {string | null} sent
 */

const LONG = 5000; // UTF-16 units; from here on the field keeps its height and its direction

export default lasting(mountField);

/** @param {import("../_shared/lifecycle.js").Place} parentElement */
function mountField(parentElement) {
  const field = createField(parentElement);
  return {
    /**
     * @param {Data} data
     * @param {import("../_shared/lifecycle.js").Page} page
     */
    receive(data, { setStateValue }) {
      field.data = data;
      field.report = (content) => setStateValue("content", content);
      part(field.box, "label").textContent = data.labels.label;
      if (!field.composing) applyRevision(field);
      watchAgreement(field);
      field.box.hidden = false;
    },
    unmount() {
      cancel(field);
      clearTimeout(field.agreement);
    },
  };
}

/**
 * @template {keyof HTMLElementTagNameMap} Tag
 * @param {ParentNode} parent
 * @param {Tag} tag of a part that index.html has
 */
function part(parent, tag) {
  return /** @type {HTMLElementTagNameMap[Tag]} */ (parent.querySelector(tag));
}

/**
 * @param {import("../_shared/lifecycle.js").Place} parentElement
 * @returns {Field}
 */
function createField(parentElement) {
  const box = /** @type {HTMLElement} */ (parentElement.querySelector(".field"));
  const area = part(box, "textarea");
  /** @type {Field} */
  const field = {
    data: /** @type {Data} */ ({}), // comes with the first run
    ...{ box, area, count: 0, composing: false, long: false, agreement: 0, report() {} },
    ...{ timer: null, typedAt: null, revision: null, sent: null },
  };

  area.addEventListener("beforeinput", ({ data }) => {
    if (data && data.length > LONG) fit(field, data);
  });
  area.addEventListener("input", () => {
    if (area.textLength > LONG !== field.long) fit(field, area.value);
    showLimit(field);
    if (!field.composing) schedule(field);
  });
  // Half a syllable of an input method is not text yet.
  area.addEventListener("compositionstart", () => {
    field.composing = true;
    cancel(field);
  });
  area.addEventListener("compositionend", () => {
    field.composing = false;
    if (!applyRevision(field)) schedule(field);
  });
  area.addEventListener("blur", () => {
    if (field.timer !== null) send(field);
  });
  // Streamlit's own keys (R reruns, C clears caches) do not see that the target is a text field in a shadow root.
  for (const type of ["keydown", "keypress", "keyup"]) area.addEventListener(type, (event) => event.stopPropagation());
  return field;
}

/**
 * Put Python's text into the field if it is one that was not put there before; say whether it was.
 * @param {Field} field
 */
function applyRevision(field) {
  const { revision, value } = field.data;
  if (revision === field.revision) return false;
  cancel(field);
  field.revision = revision;
  fit(field, value);
  // An equal text stays, and with it the caret and what can be undone.
  if (field.area.value !== value) field.area.value = value;
  field.sent = field.area.value;
  showLimit(field);
  return true;
}

/** @param {Field} field */
function schedule(field) {
  const now = performance.now();
  field.typedAt ??= now;
  clearTimeout(field.timer ?? undefined);
  field.timer = window.setTimeout(() => send(field), pause(now - field.typedAt));
}

/**
 * Send the text again as long as Python has another one after a while, as it has when the server was restarted or while
 * the network is gone.
 * @param {Field} field
 * @param {number} tries that have failed
 */
function watchAgreement(field, tries = 0) {
  clearTimeout(field.agreement);
  const wait = agreementPause(tries);
  if (wait === null) return;
  field.agreement = window.setTimeout(() => {
    const { value, limit } = field.data;
    if (measure(field.area.value, limit + 1).start === value) return;
    if (!field.composing && field.timer === null) send(field, true);
    watchAgreement(field, tries + 1);
  }, wait);
}

/** @param {Field} field */
function cancel(field) {
  clearTimeout(field.timer ?? undefined);
  field.timer = field.typedAt = null;
}

/**
 * @param {Field} field
 * @param {boolean} again even if it was sent before
 */
function send(field, again = false) {
  cancel(field);
  const text = field.area.value;
  if (text === field.sent && !again) return;
  field.sent = text;
  const { start, total } = measure(text, field.data.limit + 1);
  // Counted, because Streamlit passes over a state that equals the last one.
  field.count += 1;
  field.report({ text: start, total, revision: field.revision, count: field.count });
}

/**
 * Fix height and direction of a very long text: dir="auto" reads all of it, 2 s per key at a million characters.
 * @param {Field} field
 * @param {string} text
 */
function fit(field, text) {
  field.long = text.length > LONG;
  field.area.classList.toggle("long", field.long);
  field.area.dir = field.long ? direction(text) : "auto";
}

/** @param {Field} field */
function showLimit({ area, data }) {
  area.setAttribute("aria-invalid", String(isOver(area.textLength, () => area.value, data.limit)));
}
