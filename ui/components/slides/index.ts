// Shows a lesson, or a page's sections, as slides, which keys or a clicker turn. A slide is the page itself, magnified;
// elements that are not on it are hidden and keep their state.

import { debounce } from "../_shared/debounce.ts";
import { makeElement } from "../_shared/elements.ts";
import { isForElement, isSlidesKey } from "../_shared/keys.ts";
import { type Page, perFrame } from "../_shared/lifecycle.ts";
import { isAtRest, sectionSelector, storage, watchPage } from "../_shared/page.ts";
import { fillLabel } from "../_shared/text.ts";
import {
  type Action,
  fittingMagnification,
  keyAction,
  type Move,
  minMagnification,
  moveTarget,
  type Place,
  type Unit as SlideUnit,
  STOPPED,
  slideScale,
  splitSlide,
  type Timer,
  toggleTimer,
} from "./moves.ts";

/** A lesson to show as slides. */
interface LessonSlides {
  place: Place; // the stop in view
  questions: number; // the greatest `asked` there
  titles: string[]; // of all stops
  notes: string;
  light: string; // key of the section that is shown; "" for the page
}
/** The slides: a lesson's stops, or without a lesson the page's sections. */
export type Deck = { labels: Record<string, string>; lesson: LessonSlides | null };

const KEYBOARD_CONTROLS = "button, a, summary, input, [role], canvas"; // which get the keys if they were focused by keyboard
const TEXT_ONLY = '[class*="-chips"], .st-key-live-text, [class*="-sentence"], [class*="-area"]'; // components that are text, not figures
const KEYS = [
  ["next", "→ ␣ PageDown"],
  ["back", "← PageUp"],
  ["skip", "↓ ↑"],
  ["ends", "Home End"],
  ["notes", "S"],
  ["blank", "B ."],
  ["full", "F"],
  ["join", "Q"],
  ["end", "Esc P"],
];
const NAMED_KEYS = ["PageDown", "PageUp", "Home", "End", "Esc"]; // keys whose names are translated
const PROGRAM = '[data-near$="-code"], [class*="st-key-near-"][class*="-code"]';
const QUESTION = ':has(> [class*="st-key-question-"])'; // it and its choices are one unit
const SWIPE = 60; // CSS px
const REQUEST_TIMEOUT = 8_000; // ms after which a slide that has not arrived is given up
const POINTER_TIMEOUT = 3_000; // ms without a movement after which the pointer's dot is hidden
const CHART = 1.5; // magnification of a chart that is the slide's only figure
const GAP = 12; // CSS px between elements
const FIGURE = ".stPlotlyChart, .stBidiComponent, .stDataFrame, .text-table, .stProgress"; // stProgress becomes one
const SCROLL_TOLERANCE = 24; // CSS px of overflow that hides nothing

let deck: Deck | null = null;
let report: (name: string, value: unknown) => void = () => {};
/** The slide that was requested and has not arrived. */
let requested: { to: Place; since: number } | null = null;
let section = 0; // of a page without a lesson
let path = ""; // of that page
let part = 0; // index of the part in view of a slide that is split
let parts = 1;
let tooLarge = Infinity; // least magnification found too large: a figure that is narrower there can be higher
/** The last increase of the magnification. */
let lastGrowth: { times: number; units: Unit[] } = { times: 1, units: [] };
let byKeyboard = false; // whether the focus was moved by keyboard
let overlay: ReturnType<typeof createOverlay> | null = null;
let isListening = false;

const page = () => document.querySelector(".stMainBlockContainer") as HTMLElement | null;
const panel = () => document.querySelector(".st-key-walk");
const joinPanel = () => document.querySelector(".st-key-lecture");
/** Whether a program follows a heading. */
const isProgram = (heading: Element | null) => Boolean(heading?.nextElementSibling?.querySelector(PROGRAM));
/**
 * The headings of the page and its sections, but those of programs, which are for reading, and that of a picture which
 * answers the page's question and so stands on its slide.
 */
const sectionHeadings = () =>
  ([...document.querySelectorAll(".stMainBlockContainer :is(h1, h2)")] as HTMLElement[]).filter(
    (heading) => !heading.closest(".st-key-schemes-lead") && !isProgram(heading.closest(".stElementContainer")),
  );
const layout = perFrame(fitSlide);

/** @param data null if no slides are shown */
export function showDeck(data: Deck | null, setTriggerValue: Page["setTriggerValue"]) {
  report = setTriggerValue;
  if (!isListening) {
    isListening = true;
    document.addEventListener("keydown", onKey, true);
    document.addEventListener("pointerdown", () => void (byKeyboard = false), true);
  }
  deck = data;
  if (!deck) {
    overlay?.end();
    overlay = null;
    return;
  }
  if (deck.lesson && requested && isSamePlace(deck.lesson.place, requested.to)) {
    requested = null;
    tooLarge = Infinity; // until now it was found for the slide before
  }
  if (path !== window.location.pathname) {
    path = window.location.pathname;
    const [savedPath, savedSection] = (storage()?.getItem("slide-section") ?? "").split(" ");
    section = savedPath === path ? Number(savedSection) || 0 : 0;
    tooLarge = Infinity;
    part = 0;
  }
  overlay ??= createOverlay(deck.labels);
  overlay.say();
  layout.schedule();
}

const isSamePlace = (one: Place, other: Place) => one.slide === other.slide && one.asked === other.asked;

/** Return the slide in view, or the requested one. */
function currentPlace() {
  if (!deck?.lesson) return { slide: Math.max(0, Math.min(section, sectionHeadings().length - 1)), asked: 0 };
  return requested && performance.now() - requested.since < REQUEST_TIMEOUT ? requested.to : deck.lesson.place;
}

/** Return the titles of all slides. */
function slideTitles() {
  return deck?.lesson?.titles ?? sectionHeadings().map((heading) => heading.textContent.trim());
}

// ---- layout

function hideOtherSections() {
  const root = page();
  if (!root || !deck) return;
  for (const part of root.querySelectorAll("[data-off]")) part.removeAttribute("data-off");
  for (const heading of root.querySelectorAll("h2")) {
    const part = heading.closest(".stElementContainer");
    if (isProgram(part)) for (const each of [part, part?.nextElementSibling]) each?.setAttribute("data-off", "");
  }
  const { lesson } = deck;
  document.body.toggleAttribute("data-question", Boolean(lesson?.place.asked));
  if (document.body.dataset.slides === "join") hideAllExcept(root, joinPanel() ? [joinPanel()] : []);
  else if (!lesson) hideOtherThan(root, sectionHeadings(), currentPlace().slide);
  else if (lesson.place.asked)
    hideAllExcept(root, [panel(), joinPanel()]); // with the votes of phones, in a lecture
  else if (lesson.light) {
    const litSections = [...document.querySelectorAll(`:is(${sectionSelector(lesson.light)})`)];
    // It can be in a section that is not drawn yet.
    const visible = litSections.length ? litSections : [...document.querySelectorAll("[data-near]")];
    if (visible.length || !isAtRest()) hideAllExcept(root, [panel(), ...visible]);
  }
  root.dataset.title = slideTitles()[currentPlace().slide] ?? "";
}

function hideAllExcept(element: Element, exceptions: (Element | null)[]) {
  for (const child of element.children) {
    if (exceptions.includes(child)) continue;
    if (exceptions.some((part) => child.contains(part))) hideAllExcept(child, exceptions);
    else child.setAttribute("data-off", "");
  }
}

/** @param current index of the heading whose section is kept */
function hideOtherThan(element: Element, headings: Element[], current: number) {
  const [from, until] = [headings[current], headings[current + 1]];
  for (const child of element.children) {
    if (child === from) continue;
    const isAfter = !current || Boolean(from?.compareDocumentPosition(child) & Node.DOCUMENT_POSITION_FOLLOWING);
    const isBefore = !until || Boolean(until.compareDocumentPosition(child) & Node.DOCUMENT_POSITION_PRECEDING);
    if (child.contains(from) || (until && child.contains(until))) hideOtherThan(child, headings, current);
    else if (!isAfter || !isBefore) child.setAttribute("data-off", "");
  }
}

// Text is sized by the window. Figures get the room that text leaves and are magnified to fill it; elements without room go to
// the slide's next part.
function fitSlide() {
  const root = page();
  const block = root?.firstElementChild as HTMLElement | null;
  if (!root || !block || !overlay) return;
  const before = Number(document.body.dataset.magnified) || Infinity;
  const scale = slideScale(window.innerWidth, window.innerHeight);
  const least = minMagnification(scale);
  document.documentElement.style.setProperty("--slide", String(scale));
  magnify(least);
  document.body.removeAttribute("data-chart");
  hideOtherSections();
  const heading = ((deck?.lesson
    ? panel()
    : sectionHeadings()[currentPlace().slide]?.closest('[data-testid="stElementContainer"]')) ??
    null) as HTMLElement | null;
  const lead = document.querySelector(".st-key-page-lead") as HTMLElement | null; // the question, on each part of the first slide
  const heightOfWords = () => (heading?.offsetHeight ?? 0) + (lead?.offsetHeight ?? 0); // in CSS px of the page at its present magnification
  const words = heightOfWords();
  const { paddingTop, paddingBottom } = getComputedStyle(root);
  const fixedHeight = Number.parseFloat(paddingTop) + Number.parseFloat(paddingBottom) + words + GAP;
  const room = window.innerHeight - fixedHeight * least; // in CSS px of the window
  setHeight("--slide-room", room / least - GAP);
  const units = slideUnits(block, heading, room / least);
  const groups = splitSlide(units, room / least, Boolean(deck?.lesson));
  parts = groups.length;
  part = Math.min(part, parts - 1);
  showUnits(units, groups[part]);
  const chart = onlyChart(block);
  if (chart) {
    const [height, beside] = [chart.offsetHeight, block.offsetHeight - words - chart.offsetHeight];
    const times = Math.max(least, Math.min(room / (height + beside), CHART * scale));
    magnify(times);
    setHeight("--chart-height", room / times - beside);
    document.body.setAttribute("data-chart", "");
    return;
  }
  const times = fittingMagnification((times) => {
    magnify(times);
    return times < tooLarge && (block.offsetHeight - heightOfWords()) * times <= room;
  }, scale);
  // A figure whose height depends on its width would alternate between two magnifications.
  const isSame = units.every(({ element }, index) => element === lastGrowth.units[index]?.element);
  if (times > before) lastGrowth = { times, units };
  else if (times < before && before === lastGrowth.times && isSame) tooLarge = before;
}

/** @param shown those of the units that stay visible */
function showUnits(units: Unit[], shown: Unit[]) {
  const columns = new Set(units.map(({ element }) => element.closest(".stColumn")));
  for (const unit of units) unit.element.toggleAttribute("data-off", !shown.includes(unit));
  for (const column of columns) {
    column?.toggleAttribute("data-off", !shown.some(({ element }) => column.contains(element)));
  }
}

/** @param height in CSS px of the page */
function setHeight(name: string, height: number) {
  const value = `${Math.floor(height)}px`;
  if (document.body.style.getPropertyValue(name) !== value) document.body.style.setProperty(name, value);
}

/** Return the slide's chart if it is its only figure; it fills the slide. */
function onlyChart(block: Element) {
  const figures = ([...block.querySelectorAll(FIGURE)] as HTMLElement[]).filter((figure) => figure.checkVisibility());
  return figures.length === 1 && figures[0].matches(".stPlotlyChart") ? figures[0] : null;
}

function magnify(times: number) {
  document.body.dataset.magnified = times.toFixed(3);
  document.documentElement.style.setProperty("--magnified", times.toFixed(3));
}

/** An element that a slide's end does not split. */
type Unit = SlideUnit & { element: HTMLElement };

/**
 * Return the units of a slide from top to bottom; each is shown or hidden as a whole.
 * @param heading on every part of the slide
 * @param room columns that are higher are split into their units
 */
function slideUnits(block: HTMLElement, heading: Element | null, room: number): Unit[] {
  const children = [...block.children] as HTMLElement[];
  return children
    .filter((child) => child !== heading && child.offsetHeight > 0 && !child.matches(".st-key-page-lead"))
    .flatMap((child) => {
      const isBlock =
        child.matches('[data-testid="stLayoutWrapper"], .stVerticalBlock, .stColumn') && !child.matches(QUESTION);
      const isSplit =
        child.matches(".stHorizontalBlock") &&
        (child.offsetHeight > room || child.querySelector(":scope > [data-off]"));
      if (child.contains(heading) || isBlock || isSplit) return slideUnits(child, heading, room);
      const isFigure = child.querySelector(FIGURE) !== null && !child.matches(TEXT_ONLY);
      return [{ element: child, height: child.offsetHeight + GAP, isFigure }];
    });
}

// ---- navigation

/** Return the step button of the slide's player, if it has one. */
function stepButton(button: "forward" | "back") {
  for (const host of page()?.querySelectorAll("[data-testid='stBidiComponentIsolated'] *, .stBidiComponent *") ?? []) {
    const step: HTMLButtonElement | null | undefined = host.shadowRoot?.querySelector(`[data-testid$="-${button}"]`);
    if (step?.checkVisibility() && !step.disabled) return step;
  }
  return null;
}

function moveSlides(move: Move) {
  const main = document.querySelector('[data-testid="stMain"]');
  if (!deck || !main) return;
  const { lesson } = deck;
  const isPending = lesson && !isSamePlace(currentPlace(), lesson.place); // the slide in view is the previous one
  const above = main.scrollTop > SCROLL_TOLERANCE;
  const below = main.scrollHeight - main.scrollTop - main.clientHeight > SCROLL_TOLERANCE;
  const target = moveTarget(
    currentPlace(),
    {
      slides: slideTitles().length,
      questions: lesson && !isPending ? lesson.questions : 0,
      ahead: !isPending && (below || part < parts - 1 || stepButton("forward") !== null),
      behind: !isPending && (above || part > 0 || stepButton("back") !== null),
    },
    move,
  );
  if (target === "ahead" || target === "behind")
    stepWithinSlide(main, target === "ahead" ? 1 : -1, target === "ahead" ? below : above);
  else if (target) showSlide(target);
}

/** Move one step within a slide: of its player, by scrolling, or to its next part. */
function stepWithinSlide(main: Element, direction: 1 | -1, isLong: boolean) {
  const button = stepButton(direction > 0 ? "forward" : "back");
  if (button) button.click();
  else if (isLong) main.scrollBy({ top: direction * 0.85 * main.clientHeight });
  else {
    part += direction;
    tooLarge = Infinity;
    main.scrollTo({ top: 0 });
    layout.now();
  }
}

function showSlide(to: Place) {
  tooLarge = Infinity;
  part = 0;
  document.querySelector('[data-testid="stMain"]')?.scrollTo({ top: 0 });
  if (document.activeElement instanceof HTMLElement) document.activeElement.blur();
  if (deck?.lesson) {
    requested = { to, since: performance.now() };
    report("turn", to);
  } else section = to.slide;
  storage()?.setItem("slide-section", `${path} ${section}`);
  overlay?.say();
  if (!deck?.lesson) layout.now();
}

function onKey(event: KeyboardEvent) {
  const target = event.composedPath()[0];
  if (event.key === "Tab") byKeyboard = true;
  if (!deck || !(target instanceof Element) || isForElement(target)) return;
  const action = isSlidesKey(event) ? "end" : keyAction(event);
  if (document.body.dataset.slides === "blank") toggleOverlay("");
  else if (!action) return;
  else if (
    byKeyboard &&
    target.closest(KEYBOARD_CONTROLS) &&
    target !== document.body &&
    !/^Page|^[a-z.?]$/i.test(event.key)
  ) {
    if (event.key !== "Escape") return;
    target instanceof HTMLElement && target.blur();
    byKeyboard = false;
  } else perform(action);
  event.preventDefault();
  event.stopPropagation();
}

function perform(action: Move | Action) {
  switch (action) {
    case "notes":
      overlay?.openNotes();
      break;
    case "blank":
    case "keys":
      toggleOverlay(action);
      break;
    case "join":
      if (joinPanel()) toggleOverlay(action);
      break;
    case "full":
      if (document.fullscreenElement) document.exitFullscreen();
      else document.documentElement.requestFullscreen().catch(() => {}); // not allowed in a frame
      break;
    case "end":
      if (document.body.dataset.slides) toggleOverlay("");
      else report("present", false);
      break;
    default:
      toggleOverlay("");
      moveSlides(action);
  }
}

/** @param state name of the overlay over the slide; the same again removes it */
function toggleOverlay(state: string) {
  if (!document.body.dataset.slides && !state) return;
  document.body.dataset.slides = document.body.dataset.slides === state ? "" : state;
  tooLarge = Infinity;
  overlay?.say();
  layout.now();
  // The QR code is a dialog of the lecture's panel.
  if (document.body.dataset.slides === "join") queryPanel("[data-testid='lecture-qr']")?.click();
  else {
    const dialog = queryPanel("dialog[open]");
    if (dialog instanceof HTMLDialogElement) dialog.close();
  }
}

/** Find an element in the lecture's panel. */
function queryPanel(selector: string): HTMLElement | null {
  for (const { shadowRoot } of joinPanel()?.querySelectorAll("*") ?? []) {
    const part: HTMLElement | null | undefined = shadowRoot?.querySelector(selector);
    if (part) return part;
  }
  return null;
}

// ---- elements over the slides, and messages to the speaker's window

function createOverlay(labels: Record<string, string>) {
  tooLarge = Infinity;
  part = 0;
  const number = makeElement("p", { className: "slide-number", testid: "slide-number" });
  const spokenTitle = makeElement("p", { className: "slide-said", role: "status" });
  const dot = makeElement("div", { className: "slide-pointer" });
  const caps = labels.caps.split(" "); // as NAMED_KEYS
  const rows = KEYS.filter(([name]) => name !== "join" || joinPanel()).flatMap(([name, keys]) => [
    makeElement(
      "dt",
      {},
      ...keys.split(" ").map((key) => makeElement("kbd", { text: caps[NAMED_KEYS.indexOf(key)] ?? key })),
    ),
    makeElement("dd", { text: labels[name] }),
  ]);
  const keys = makeElement("dl", { className: "slide-keys", "aria-label": labels.keys, testid: "slide-keys" }, ...rows);
  const root = makeElement("aside", { className: "slides" }, number, spokenTitle, keys, dot);
  document.body.append(root);
  document.body.dataset.present = "";
  document.body.dataset.slides = "";

  const channel = new BroadcastChannel(channelName());
  channel.onmessage = ({ data }) => {
    if (data.move) moveSlides(data.move);
    if (data.timer)
      storage()?.setItem(
        "slide-timer",
        JSON.stringify(data.timer === "reset" ? STOPPED : toggleTimer(timer(), Date.now())),
      );
    if (data.blank) toggleOverlay("blank");
    update();
  };
  const isOnSlide = ({ type, target }: MutationRecord) => type === "childList" && page()?.contains(target);
  const unwatch = watchPage((changes) => changes.some(isOnSlide) && layout.schedule());
  const sizes = new ResizeObserver(layout.schedule);
  for (const part of [page(), page()?.firstElementChild]) if (part) sizes.observe(part);

  const hideDot = debounce(() => delete dot.dataset.seen, POINTER_TIMEOUT);
  const listeners = new AbortController();
  const { signal } = listeners;
  const onPointerMove = (event: PointerEvent) => {
    dot.style.translate = `${event.clientX}px ${event.clientY}px`;
    dot.dataset.seen = "";
    hideDot();
  };
  addEventListener("pointermove", onPointerMove, { signal, passive: true });
  addEventListener("resize", () => (tooLarge = Infinity), { signal });
  let firstTouch: Touch | undefined;
  addEventListener("touchstart", ({ touches }) => void (firstTouch = touches.length === 1 ? touches[0] : undefined), {
    signal,
    passive: true,
  });
  addEventListener(
    "touchend",
    ({ changedTouches: [touch], target }) => {
      const isFigure = target instanceof Element && target.closest("input, textarea, .js-plotly-plot, canvas");
      if (!firstTouch || isFigure) return;
      const [right, down] = [touch.clientX - firstTouch.clientX, touch.clientY - firstTouch.clientY];
      if (Math.abs(right) > SWIPE && Math.abs(right) > 2 * Math.abs(down)) moveSlides(right < 0 ? "next" : "back");
    },
    { signal, passive: true },
  );

  function update() {
    const { slide } = currentPlace();
    const all = slideTitles();
    const app = document.querySelector('[data-testid="stApp"]');
    if (app) root.style.colorScheme = getComputedStyle(app).colorScheme; // of Streamlit's theme, which the body does not have
    number.textContent = `${slide + 1} / ${all.length}`;
    if (spokenTitle.textContent !== all[slide]) spokenTitle.textContent = all[slide];
    channel.postMessage({
      labels: deck?.labels,
      place: fillLabel(labels.place, { stop: slide + 1, stops: all.length }),
      title: all[slide],
      next: all[slide + 1] ?? "",
      notes: deck?.lesson?.notes ?? "",
      isBlank: document.body.dataset.slides === "blank",
      timer: timer(),
    });
  }

  return {
    say: update,
    openNotes: () =>
      window.open(new URL(`./speaker#${channelName()}`, document.baseURI), channelName(), "popup,width=960,height=680"),
    end() {
      unwatch();
      sizes.disconnect();
      listeners.abort();
      channel.postMessage({ isOver: true });
      channel.close();
      root.remove();
      for (const part of document.querySelectorAll("[data-off]")) part.removeAttribute("data-off");
      for (const name of ["present", "slides", "magnified", "chart", "question"]) delete document.body.dataset[name];
      for (const name of ["--slide", "--magnified"]) document.documentElement.style.removeProperty(name);
      for (const name of ["--slide-room", "--chart-height"]) document.body.style.removeProperty(name);
      storage()?.removeItem("slide-section");
      path = "";
      if (document.fullscreenElement) document.exitFullscreen();
      dispatchEvent(new Event("resize"));
    },
  };
}

const timer = (): Timer => JSON.parse(storage()?.getItem("slide-timer") ?? "null") ?? STOPPED;

let savedChannel = "";

// One per tab, kept over reloads, so that two speakers' windows on one machine do not mix.
function channelName() {
  savedChannel ||= storage()?.getItem("slide-channel") ?? "";
  savedChannel ||= `slides-${[...crypto.getRandomValues(new Uint8Array(8))].map((byte) => byte.toString(16)).join("")}`;
  storage()?.setItem("slide-channel", savedChannel);
  return savedChannel;
}
