// Shows a lesson, or a page's sections, as slides: one part of the page at a time, moved on by keys or a clicker. What is
// not on the slide is hidden and stays as it was made; the slide is the page itself, magnified.

import { makeElement } from "../_shared/elements.ts";
import { type Page, perFrame } from "../_shared/lifecycle.ts";
import {
  type Act,
  grouped,
  leastMagnified,
  type Move,
  magnified,
  meaningOf,
  type Place,
  type Unit as SlideUnit,
  STOPPED,
  slideScale,
  type Timer,
  toggled,
  turned,
} from "../_shared/slides.ts";
import { fillLabel } from "../_shared/text.ts";
import { placeOf } from "./light.ts";
import { storage } from "./near.ts";
import { isAtRest } from "./stay.ts";

/** A lesson that is shown as slides. */
interface Lesson {
  place: Place; // the stop in view
  questions: number; // what `asked` can be at most there
  titles: string[]; // of all stops
  notes: string;
  light: string; // key of the part that is shown; "" for the page
}
/** What is shown as slides: a lesson, or without one the page's sections. */
type Shown = { labels: Record<string, string>; lesson: Lesson | null };

const FIELDS = "input:not([type='button'], [type='range']), textarea, select, [contenteditable='true']";
const OPENED = "[data-baseweb='popover'], [role='dialog']:not(.slides *), [role='menu']";
const WITH_KEYS = "button, a, summary, input, [role], canvas"; // which take keys where the keyboard has led to them
const WRITTEN = '[class*="-chips"], .st-key-live-text, [class*="-sentence"], [class*="-area"]'; // no figures by themselves
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
const CAPS = ["PageDown", "PageUp", "Home", "End", "Esc"]; // keys that other keyboards name otherwise
const PROGRAM = '[data-near$="-code"], [class*="st-key-near-"][class*="-code"]';
const SWIPE = 60; // CSS px
const PATIENCE = 8_000; // ms; a slide that has not come by then is asked for anew
const IDLE = 3_000; // ms without a movement after which the pointer goes
const CHART = 1.5; // times its size on the page a chart is shown where it is the slide's only figure
const GAP = 12; // CSS px between what stands below each other
const FIGURE = ".stPlotlyChart, .stBidiComponent, .stDataFrame, .text-table, .stProgress"; // or what is to become one
const LEFT_OVER = 24; // CSS px that a slide can be scrolled by without hiding anything

let shown: Shown | null = null;
let tell: (name: string, value: unknown) => void = () => {};
/** The slide that was asked for and has not come. */
let asked: { to: Place; since: number } | null = null;
let section = 0; // of a page without a lesson
let path = ""; // of that page
let part = 0; // of the slide, where it has no room for all that is on it
let parts = 1;
let most = Infinity; // times at which the figure was found too high: it is narrower there, and can be higher for it
/** How the slide was when it was last magnified more. */
let raised: { times: number; units: Unit[] } = { times: 1, units: [] };
let byKeyboard = false; // whether the focus was led where it is by keyboard
let stage: ReturnType<typeof begin> | null = null;
let isListening = false;

const page = () => document.querySelector(".stMainBlockContainer") as HTMLElement | null;
const panel = () => document.querySelector(".st-key-walk");
const join = () => document.querySelector(".st-key-lecture");
/** The title and the sections, but those that are programs, which are for reading. */
const headings = () =>
  ([...document.querySelectorAll(".stMainBlockContainer :is(h1, h2)")] as HTMLElement[]).filter(
    (heading) => !heading.closest(".stElementContainer")?.nextElementSibling?.querySelector(PROGRAM),
  );
const layout = perFrame(layOut);

/** @param data nothing where no slides are shown */
export default function (data: Shown | null, { setTriggerValue }: Page) {
  tell = setTriggerValue;
  if (!isListening) {
    isListening = true;
    document.addEventListener("keydown", onKey, true);
    document.addEventListener("pointerdown", () => void (byKeyboard = false), true);
  }
  shown = data;
  if (!shown) {
    stage?.end();
    stage = null;
    return;
  }
  if (shown.lesson && asked && isAt(shown.lesson.place, asked.to)) asked = null;
  if (path !== window.location.pathname) {
    path = window.location.pathname;
    const [before, kept] = (storage()?.getItem("slide-section") ?? "").split(" ");
    section = before === path ? Number(kept) || 0 : 0;
    most = Infinity;
    part = 0;
  }
  stage ??= begin(shown.labels);
  stage.say();
  layout.schedule();
}

const isAt = (one: Place, other: Place) => one.slide === other.slide && one.asked === other.asked;

/** Where the slides are, or will be once what was asked for has come. */
function place() {
  if (!shown?.lesson) return { slide: Math.max(0, Math.min(section, headings().length - 1)), asked: 0 };
  return asked && performance.now() - asked.since < PATIENCE ? asked.to : shown.lesson.place;
}

/** What there is to say of the slide in view. */
function titles() {
  return shown?.lesson?.titles ?? headings().map((heading) => heading.textContent.trim());
}

// ---- what is on the slide

function arrange() {
  const root = page();
  if (!root || !shown) return;
  for (const part of root.querySelectorAll("[data-off]")) part.removeAttribute("data-off");
  const { lesson } = shown;
  document.body.toggleAttribute("data-question", Boolean(lesson?.place.asked));
  if (document.body.dataset.slides === "join") keepOnly(root, join() ? [join()] : []);
  else if (!lesson) keepBetween(root, headings(), place().slide);
  else if (lesson.place.asked)
    keepOnly(root, [panel(), join()]); // where phones follow, with their votes
  else if (lesson.light) {
    const lit = [...document.querySelectorAll(`:is(${placeOf(lesson.light)})`)];
    // It can be in a section that waits to be looked at.
    const waiting = lit.length ? lit : [...document.querySelectorAll("[data-near]")];
    if (waiting.length || !isAtRest()) keepOnly(root, [panel(), ...waiting]);
  }
  root.dataset.title = titles()[place().slide] ?? "";
}

function keepOnly(element: Element, kept: (Element | null)[]) {
  for (const child of element.children) {
    if (kept.includes(child)) continue;
    if (kept.some((part) => child.contains(part))) keepOnly(child, kept);
    else child.setAttribute("data-off", "");
  }
}

/** @param current of them, the one whose section is kept */
function keepBetween(element: Element, headings: Element[], current: number) {
  const [from, until] = [headings[current], headings[current + 1]];
  for (const child of element.children) {
    if (child === from) continue;
    const isAfter = !current || Boolean(from?.compareDocumentPosition(child) & Node.DOCUMENT_POSITION_FOLLOWING);
    const isBefore = !until || Boolean(until.compareDocumentPosition(child) & Node.DOCUMENT_POSITION_PRECEDING);
    if (child.contains(from) || (until && child.contains(until))) keepBetween(child, headings, current);
    else if (!isAfter || !isBefore) child.setAttribute("data-off", "");
  }
}

// Letters are written for the whole window. Figures get what the words leave, and are magnified to fill it; what has no
// room beside others comes after them.
function layOut() {
  const root = page();
  const block = root?.firstElementChild as HTMLElement | null;
  if (!root || !block || !stage) return;
  const before = Number(document.body.dataset.magnified) || Infinity;
  const scale = slideScale(window.innerWidth, window.innerHeight);
  const least = leastMagnified(scale);
  document.documentElement.style.setProperty("--slide", String(scale));
  magnify(least);
  document.body.removeAttribute("data-chart");
  arrange();
  const heading = ((shown?.lesson
    ? panel()
    : headings()[place().slide]?.closest('[data-testid="stElementContainer"]')) ?? null) as HTMLElement | null;
  const heightOfWords = () => heading?.offsetHeight ?? 0; // in CSS px of the page, as it is magnified now
  const words = heightOfWords();
  const { paddingTop, paddingBottom } = getComputedStyle(root);
  const around = Number.parseFloat(paddingTop) + Number.parseFloat(paddingBottom) + words + GAP;
  const room = window.innerHeight - around * least; // in CSS px of the window
  setRoom("--slide-room", room / least - GAP);
  const units = unitsOf(block, heading, room / least);
  const groups = grouped(units, room / least, Boolean(shown?.lesson));
  parts = groups.length;
  part = Math.min(part, parts - 1);
  hideAllBut(units, groups[part]);
  const chart = onlyChart(block);
  if (chart) {
    const [height, beside] = [chart.offsetHeight, block.offsetHeight - words - chart.offsetHeight];
    const times = Math.max(least, Math.min(room / (height + beside), CHART * scale));
    magnify(times);
    setRoom("--chart-height", room / times - beside);
    document.body.setAttribute("data-chart", "");
    return;
  }
  const times = magnified((times) => {
    magnify(times);
    return times < most && (block.offsetHeight - heightOfWords()) * times <= room;
  }, scale);
  // A figure whose height changes with its width would go to and fro.
  const isSame = units.every(({ element }, index) => element === raised.units[index]?.element);
  if (times > before) raised = { times, units };
  else if (times < before && before === raised.times && isSame) most = before;
}

/** @param shown of them */
function hideAllBut(units: Unit[], shown: Unit[]) {
  const columns = new Set(units.map(({ element }) => element.closest(".stColumn")));
  for (const unit of units) unit.element.toggleAttribute("data-off", !shown.includes(unit));
  for (const column of columns) {
    column?.toggleAttribute("data-off", !shown.some(({ element }) => column.contains(element)));
  }
}

/** @param height in CSS px of the page */
function setRoom(name: string, height: number) {
  const written = `${Math.floor(height)}px`;
  if (document.body.style.getPropertyValue(name) !== written) document.body.style.setProperty(name, written);
}

/** The chart on the slide, where it has no other figure: its height is the slide's. */
function onlyChart(block: Element) {
  const figures = ([...block.querySelectorAll(FIGURE)] as HTMLElement[]).filter((figure) => figure.checkVisibility());
  return figures.length === 1 && figures[0].matches(".stPlotlyChart") ? figures[0] : null;
}

function magnify(times: number) {
  document.body.dataset.magnified = times.toFixed(3);
  document.documentElement.style.setProperty("--magnified", times.toFixed(3));
}

/** What is not parted by a slide's end. */
type Unit = SlideUnit & { element: HTMLElement };

/**
 * What stands below each other, and is shown or hidden as one.
 * @param heading that is on the slide in any case
 * @param room columns that are higher come after each other
 */
function unitsOf(block: HTMLElement, heading: Element | null, room: number): Unit[] {
  const children = [...block.children] as HTMLElement[];
  return children
    .filter((child) => child !== heading && child.offsetHeight > 0)
    .flatMap((child) => {
      const isBlock = child.matches('[data-testid="stLayoutWrapper"], .stVerticalBlock, .stColumn');
      const isSplit =
        child.matches(".stHorizontalBlock") &&
        (child.offsetHeight > room || child.querySelector(":scope > [data-off]"));
      if (child.contains(heading) || isBlock || isSplit) return unitsOf(child, heading, room);
      const isFigure = child.querySelector(FIGURE) !== null && !child.matches(WRITTEN);
      return [{ element: child, height: child.offsetHeight + GAP, isFigure }];
    });
}

// ---- moving

/** The step player on the slide, if there is one. */
function stepButton(button: "forward" | "back") {
  for (const host of page()?.querySelectorAll("[data-testid='stBidiComponentIsolated'] *, .stBidiComponent *") ?? []) {
    const found: HTMLButtonElement | null | undefined = host.shadowRoot?.querySelector(`[data-testid$="-${button}"]`);
    if (found?.checkVisibility() && !found.disabled) return found;
  }
  return null;
}

function go(move: Move) {
  const main = document.querySelector('[data-testid="stMain"]');
  if (!shown || !main) return;
  const { lesson } = shown;
  const isAwaited = lesson && !isAt(place(), lesson.place); // and what is seen is the slide before
  const above = main.scrollTop > LEFT_OVER;
  const below = main.scrollHeight - main.scrollTop - main.clientHeight > LEFT_OVER;
  const led = turned(
    place(),
    {
      slides: titles().length,
      questions: lesson && !isAwaited ? lesson.questions : 0,
      ahead: !isAwaited && (below || part < parts - 1 || stepButton("forward") !== null),
      behind: !isAwaited && (above || part > 0 || stepButton("back") !== null),
    },
    move,
  );
  if (led === "ahead" || led === "behind") step(main, led === "ahead" ? 1 : -1, led === "ahead" ? below : above);
  else if (led) lead(led);
}

/** One step on a slide: of its player, down what is longer than the window, or to its next part. */
function step(main: Element, direction: 1 | -1, isLong: boolean) {
  const button = stepButton(direction > 0 ? "forward" : "back");
  if (button) button.click();
  else if (isLong) main.scrollBy({ top: direction * 0.85 * main.clientHeight });
  else {
    part += direction;
    most = Infinity;
    main.scrollTo({ top: 0 });
    layout.now();
  }
}

function lead(to: Place) {
  most = Infinity;
  part = 0;
  document.querySelector('[data-testid="stMain"]')?.scrollTo({ top: 0 });
  if (document.activeElement instanceof HTMLElement) document.activeElement.blur();
  if (shown?.lesson) {
    asked = { to, since: performance.now() };
    tell("turn", to);
  } else section = to.slide;
  storage()?.setItem("slide-section", `${path} ${section}`);
  stage?.say();
  if (!shown?.lesson) layout.now();
}

function onKey(event: KeyboardEvent) {
  const target = event.composedPath()[0];
  if (event.key === "Tab") byKeyboard = true;
  if (!(target instanceof Element) || target.matches(FIELDS) || document.querySelector(OPENED)) return;
  const isPlain = !event.ctrlKey && !event.metaKey && !event.altKey;
  if (!shown) {
    if (isPlain && event.key.toLowerCase() === "p" && !event.repeat) tell("present", true);
    return;
  }
  const meaning = isPlain && event.key.toLowerCase() === "p" ? "end" : meaningOf(event);
  if (document.body.dataset.slides === "blank") setState("");
  else if (!meaning) return;
  else if (byKeyboard && target.closest(WITH_KEYS) && target !== document.body && !/^Page|^[a-z.?]$/i.test(event.key)) {
    if (event.key !== "Escape") return;
    target instanceof HTMLElement && target.blur();
    byKeyboard = false;
  } else act(meaning);
  event.preventDefault();
  event.stopPropagation();
}

function act(meaning: Move | Act) {
  switch (meaning) {
    case "notes":
      stage?.openNotes();
      break;
    case "blank":
    case "keys":
      setState(meaning);
      break;
    case "join":
      if (join()) setState(meaning);
      break;
    case "full":
      if (document.fullscreenElement) document.exitFullscreen();
      else document.documentElement.requestFullscreen().catch(() => {}); // a frame may not
      break;
    case "end":
      if (document.body.dataset.slides) setState("");
      else tell("present", false);
      break;
    default:
      setState("");
      go(meaning);
  }
}

/** @param state what lies over the slide; the same again takes it away */
function setState(state: string) {
  if (!document.body.dataset.slides && !state) return;
  document.body.dataset.slides = document.body.dataset.slides === state ? "" : state;
  most = Infinity;
  stage?.say();
  layout.now();
  // The code is a dialog of the lecture's panel, which fills the window.
  if (document.body.dataset.slides === "join") inPanel("[data-testid='lecture-qr']")?.click();
  else {
    const dialog = inPanel("dialog[open]");
    if (dialog instanceof HTMLDialogElement) dialog.close();
  }
}

/** A part of the lecture's panel. */
function inPanel(selector: string): HTMLElement | null {
  for (const { shadowRoot } of join()?.querySelectorAll("*") ?? []) {
    const part: HTMLElement | null | undefined = shadowRoot?.querySelector(selector);
    if (part) return part;
  }
  return null;
}

// ---- what stands over the slides, and what tells the speaker's window

function begin(labels: Record<string, string>) {
  most = Infinity;
  part = 0;
  const number = makeElement("p", { className: "slide-number", testid: "slide-number" });
  const said = makeElement("p", { className: "slide-said", role: "status" });
  const dot = makeElement("div", { className: "slide-pointer" });
  const caps = labels.caps.split(" "); // as CAPS
  const rows = KEYS.filter(([name]) => name !== "join" || join()).flatMap(([name, keys]) => [
    makeElement(
      "dt",
      {},
      ...keys.split(" ").map((key) => makeElement("kbd", { text: caps[CAPS.indexOf(key)] ?? key })),
    ),
    makeElement("dd", { text: labels[name] }),
  ]);
  const keys = makeElement("dl", { className: "slide-keys", "aria-label": labels.keys, testid: "slide-keys" }, ...rows);
  const over = makeElement("aside", { className: "slides" }, number, said, keys, dot);
  document.body.append(over);
  document.body.dataset.present = "";
  document.body.dataset.slides = "";

  const channel = new BroadcastChannel(channelName());
  channel.onmessage = ({ data }) => {
    if (data.move) go(data.move);
    if (data.timer)
      storage()?.setItem(
        "slide-timer",
        JSON.stringify(data.timer === "reset" ? STOPPED : toggled(timer(), Date.now())),
      );
    if (data.blank) setState("blank");
    say();
  };
  const changes = new MutationObserver(layout.schedule);
  const root = document.querySelector('[data-testid="stMain"]');
  if (root) changes.observe(root, { childList: true, subtree: true });
  const sizes = new ResizeObserver(layout.schedule);
  for (const part of [page(), page()?.firstElementChild]) if (part) sizes.observe(part);

  let idle = 0;
  const listeners = new AbortController();
  const { signal } = listeners;
  const pointed = (event: PointerEvent) => {
    dot.style.translate = `${event.clientX}px ${event.clientY}px`;
    dot.dataset.seen = "";
    clearTimeout(idle);
    idle = window.setTimeout(() => delete dot.dataset.seen, IDLE);
  };
  addEventListener("pointermove", pointed, { signal, passive: true });
  addEventListener("resize", () => (most = Infinity), { signal });
  let touched: Touch | undefined;
  addEventListener("touchstart", ({ touches }) => void (touched = touches.length === 1 ? touches[0] : undefined), {
    signal,
    passive: true,
  });
  addEventListener(
    "touchend",
    ({ changedTouches: [touch], target }) => {
      const isFigure = target instanceof Element && target.closest("input, textarea, .js-plotly-plot, canvas");
      if (!touched || isFigure) return;
      const [right, down] = [touch.clientX - touched.clientX, touch.clientY - touched.clientY];
      if (Math.abs(right) > SWIPE && Math.abs(right) > 2 * Math.abs(down)) go(right < 0 ? "next" : "back");
    },
    { signal, passive: true },
  );

  function say() {
    const { slide } = place();
    const all = titles();
    const app = document.querySelector('[data-testid="stApp"]');
    if (app) over.style.colorScheme = getComputedStyle(app).colorScheme; // that of its theme, which the body has not
    number.textContent = `${slide + 1} / ${all.length}`;
    if (said.textContent !== all[slide]) said.textContent = all[slide];
    channel.postMessage({
      labels: shown?.labels,
      place: fillLabel(labels.place, { stop: slide + 1, stops: all.length }),
      title: all[slide],
      next: all[slide + 1] ?? "",
      notes: shown?.lesson?.notes ?? "",
      isBlank: document.body.dataset.slides === "blank",
      timer: timer(),
    });
  }

  return {
    say,
    openNotes: () =>
      window.open(new URL(`./speaker#${channelName()}`, document.baseURI), channelName(), "popup,width=960,height=680"),
    end() {
      changes.disconnect();
      sizes.disconnect();
      listeners.abort();
      channel.postMessage({ isOver: true });
      channel.close();
      over.remove();
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

let name = "";

// Of this tab, and the same after a reload: two lecturers on one machine do not meet.
function channelName() {
  name ||= storage()?.getItem("slide-channel") ?? "";
  name ||= `slides-${[...crypto.getRandomValues(new Uint8Array(8))].map((byte) => byte.toString(16)).join("")}`;
  storage()?.setItem("slide-channel", name);
  return name;
}
