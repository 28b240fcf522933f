const PAUSE = 50; // ms without a key before the text is sent
const LONGEST_WAIT = 1000; // ms after which it is sent although the keys go on
const AGREEMENT = 700; // ms after which Python should have the text that was sent to it
const LONG = 5000; // UTF-16 units; from here on the field keeps its height and its direction
const RIGHT_TO_LEFT = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufeff\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u;
const fields = new WeakMap(); // parentElement -> what the field remembers between calls

export default function ({ data, parentElement, setStateValue }) {
  let field = fields.get(parentElement);
  if (!field) fields.set(parentElement, (field = createField(parentElement)));
  field.data = data;
  field.report = (content) => setStateValue("content", content);
  field.box.querySelector("label").textContent = data.labels.label;
  if (!field.composing && !applyRevision(field)) catchUp(field);
  watchAgreement(field);
  field.box.hidden = false;

  // A call that another has overtaken is cleaned up after that other one ran: only the newest may stop the timer.
  const call = ++field.calls;
  return () => {
    if (call !== field.calls) return;
    cancel(field);
    clearTimeout(field.agreement);
  };
}

function createField(parentElement) {
  const box = parentElement.querySelector(".field");
  const area = box.querySelector("textarea");
  const field = { box, area, calls: 0, composing: false, long: false };
  field.timer = field.typedAt = field.revision = field.sent = null;

  area.addEventListener("beforeinput", ({ data }) => {
    if (data?.length > LONG) fit(field, data);
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

/** Put Python's text into the field if it is one that was not put there before; say whether it was. */
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

function schedule(field) {
  const now = performance.now();
  field.typedAt ??= now;
  clearTimeout(field.timer);
  field.timer = setTimeout(() => send(field), Math.max(0, Math.min(PAUSE, field.typedAt + LONGEST_WAIT - now)));
}

/** Start the timer that a cleanup stopped before the text was sent. */
function catchUp(field) {
  if (field.timer === null && field.area.value !== field.sent) schedule(field);
}

/** Send the text again if Python still has another one after a while, as it has when the server was restarted. */
function watchAgreement(field) {
  clearTimeout(field.agreement);
  field.agreement = setTimeout(() => {
    const { value, limit } = field.data;
    const disagrees = !field.composing && field.timer === null && measure(field.area.value, limit + 1).start !== value;
    if (disagrees) send(field, true);
  }, AGREEMENT);
}

function cancel(field) {
  clearTimeout(field.timer);
  field.timer = field.typedAt = null;
}

function send(field, again = false) {
  cancel(field);
  const text = field.area.value;
  if (text === field.sent && !again) return;
  field.sent = text;
  const { start, total } = measure(text, field.data.limit + 1);
  // Counted, because Streamlit passes over a state that equals the last one.
  field.count = (field.count ?? 0) + 1;
  field.report({ text: start, total, revision: field.revision, count: field.count });
}

/** The direction of the first letter. */
function direction(text) {
  return RIGHT_TO_LEFT.test(/\p{L}/u.exec(text)?.[0] ?? "") ? "rtl" : "ltr";
}

/** Count characters as Python does, by code point, and cut after `most` of them. */
function measure(text, most) {
  let total = 0;
  let end = text.length;
  for (let index = 0; index < text.length; index++) {
    if (total === most) end = Math.min(end, index);
    total += 1;
    const pair = (text.charCodeAt(index) & 0xfc00) === 0xd800 && (text.charCodeAt(index + 1) & 0xfc00) === 0xdc00;
    if (pair) index += 1;
  }
  return { start: text.slice(0, end), total };
}

/** Fix height and direction of a very long text: dir="auto" reads all of it, 2 s per key at a million characters. */
function fit(field, text) {
  field.long = text.length > LONG;
  field.area.classList.toggle("long", field.long);
  field.area.dir = field.long ? direction(text) : "auto";
}

function showLimit({ area, data: { limit } }) {
  // A character takes one or two units: exact counting is for the doubtful range only.
  const units = area.textLength;
  const over = units > limit && (units > 2 * limit || measure(area.value, limit).total > limit);
  area.setAttribute("aria-invalid", String(over));
}
