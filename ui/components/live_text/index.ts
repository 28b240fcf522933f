// A text area that tells Python what is in it while one types.

import { type Page, type ParentElement, persistentComponent, watchSize } from "../_shared/lifecycle.ts";
import { direction } from "../_shared/text.ts";
import { agreementPause, isOver, measure, pause } from "./text.ts";

/** The payload from Python. */
type Data = {
  value: string;
  revision: number;
  limit: number;
  lines: boolean;
  labels: { label: string; hint?: string };
};
/** What the field reports. */
type Content = { text: string; total: number; revision: number | null; count: number };
/** What the field remembers between runs. */
interface Field {
  box: HTMLElement;
  area: HTMLTextAreaElement;
  data: Data;
  report: (content: Content) => void;
  count: number; // of reports
  composing: boolean; // whether an input method is at work
  long: boolean;
  timer: number | null; // until the text is sent
  typedAt: number | null; // when the first key of those not yet sent was pressed
  agreement: number; // timer
  revision: number | null; // of the text that Python last put here
  sent: string | null;
}

const LONG = 5000; // UTF-16 units; from here on the field keeps its height and its direction

export default persistentComponent(mountField);

function mountField(parentElement: ParentElement) {
  const field = createField(parentElement);
  const stopWatching = watchSize(field.area, () => fitHeight(field));
  return {
    receive(data: Data, { setStateValue }: Page) {
      field.data = data;
      field.report = (content) => setStateValue("content", content);
      part(field.box, "label").textContent = data.labels.label;
      part(field.box, "small").textContent = data.labels.hint ?? "";
      field.area.enterKeyHint = data.lines ? "enter" : "send";
      if (!field.composing) applyRevision(field);
      watchAgreement(field);
      field.box.hidden = false;
    },
    unmount() {
      stopWatching();
      cancel(field);
      clearTimeout(field.agreement);
    },
  };
}

/** @param tag of a part that index.html has */
function part<Tag extends keyof HTMLElementTagNameMap>(parent: ParentNode, tag: Tag) {
  return parent.querySelector(tag) as HTMLElementTagNameMap[Tag];
}

function createField(parentElement: ParentElement): Field {
  const box = parentElement.querySelector(".field") as HTMLElement;
  const area = part(box, "textarea");
  const field: Field = {
    data: {} as Data, // comes with the first run
    ...{ box, area, count: 0, composing: false, long: false, agreement: 0, report() {} },
    ...{ timer: null, typedAt: null, revision: null, sent: null },
  };

  area.addEventListener("beforeinput", ({ data }) => {
    if (data && data.length > LONG) fit(field, data);
  });
  area.addEventListener("input", () => {
    if (area.textLength > LONG !== field.long) fit(field, area.value);
    showLimit(field);
    fitHeight(field);
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
  area.addEventListener("keydown", (event) => {
    if (event.key !== "Enter" || event.shiftKey || event.isComposing || field.data.lines) return;
    event.preventDefault();
    send(field);
    if (matchMedia("(hover: none)").matches) area.blur(); // closes the keyboard on the screen, which hides the page
  });
  // Streamlit's own keys (R reruns, C clears caches) do not see that the target is a text field in a shadow root.
  for (const type of ["keydown", "keypress", "keyup"]) area.addEventListener(type, (event) => event.stopPropagation());
  return field;
}

/** Put Python's text into the field if it is one that was not put there before; return whether it was. */
function applyRevision(field: Field) {
  const { revision, value } = field.data;
  if (revision === field.revision) return false;
  cancel(field);
  field.revision = revision;
  fit(field, value);
  // An equal text stays, and with it the caret and what can be undone.
  if (field.area.value !== value) field.area.value = value;
  field.sent = field.area.value;
  showLimit(field);
  fitHeight(field);
  return true;
}

function schedule(field: Field) {
  const now = performance.now();
  field.typedAt ??= now;
  clearTimeout(field.timer ?? undefined);
  field.timer = window.setTimeout(() => send(field), pause(now - field.typedAt));
}

/**
 * Send the text again as long as Python still has another one after a pause, as when the server was restarted or while
 * the network is gone.
 * @param tries that have failed
 */
function watchAgreement(field: Field, tries: number = 0) {
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

function cancel(field: Field) {
  clearTimeout(field.timer ?? undefined);
  field.timer = field.typedAt = null;
}

/** @param again even if it was sent before */
function send(field: Field, again: boolean = false) {
  cancel(field);
  const text = field.area.value;
  if (text === field.sent && !again) return;
  field.sent = text;
  const { start, total } = measure(text, field.data.limit + 1);
  // Counted, because Streamlit passes over a state that equals the last one.
  field.count += 1;
  field.report({ text: start, total, revision: field.revision, count: field.count });
}

/** Fix height and direction of a very long text: dir="auto" reads all of it, 2 s per key at a million characters. */
function fit(field: Field, text: string) {
  field.long = text.length > LONG;
  field.area.classList.toggle("long", field.long);
  field.area.dir = field.long ? direction(text) : "auto";
}

/** Give the field the height of its text where the browser has no `field-sizing`, as WebKit until 2026. */
function fitHeight({ area, long }: Field) {
  if (CSS.supports("field-sizing", "content")) return;
  area.style.height = "0"; // of which scrollHeight would not be less
  area.style.height = long ? "" : `${area.scrollHeight + 2}px`;
}

function showLimit({ area, data }: Field) {
  area.setAttribute("aria-invalid", String(isOver(area.textLength, () => area.value, data.limit)));
}
