// The components as anywidget runs them in notebooks. anywidget imports this bundle once for each widget's model: the displays of
// one widget share the module's state, such as the pointer and the view state, and different widgets share nothing.

import sharedCss from "./_shared/all.css";
import { cacheData } from "./_shared/data.ts";
import { makeElement } from "./_shared/elements.ts";
import { link } from "./_shared/link.ts";
import { packPayload } from "./_shared/payload.ts";
import stepperCss from "./_shared/stepper.css";
import { chosenToken } from "./_shared/tokens.ts";
import { applyViewState, setViewStateStorage } from "./_shared/view_state.ts";
import matrixGrid from "./matrix_grid/index.tsx";
import matrixGridCss from "./matrix_grid/style.css";
import pointCloud from "./point_cloud/index.ts";
import labelsCss from "./point_cloud/labels.css";
import scatterCss from "./point_cloud/scatter.css";
import searchCss from "./point_cloud/search.css";
import pointCloudCss from "./point_cloud/style.css";
import tokenChipsHtml from "./token_chips/index.html";
import tokenChips from "./token_chips/index.ts";
import tokenChipsCss from "./token_chips/style.css";
import tokenRows from "./token_rows/index.tsx";
import tokenRowsCss from "./token_rows/style.css";
import twoHands from "./two_hands/index.tsx";
import twoHandsCss from "./two_hands/style.css";
import vectorSum from "./vector_sum/index.ts";
import vectorSumCss from "./vector_sum/style.css";
import widgetsCss from "./widgets.css";

type Theme = "light" | "dark";
/** The traits of embedlib/widgets/widget.py. */
interface Traits {
  _component: keyof typeof COMPONENTS;
  _header: Record<string, unknown>;
  _tail: DataView | null; // what follows the header; null for a component whose data are JSON
  _themes: Record<Theme, Record<string, unknown>>; // entries of the header that differ
  _shared: Record<string, DataView>; // data that the header refers to by their address
  chosen: number | null; // not of two_hands
  _key: string; // of the static picture beside the widget
  _view_state: string;
}
/** A widget's model, as anywidget has it. */
interface Model {
  get: <Name extends keyof Traits>(name: Name) => Traits[Name];
  set: <Name extends keyof Traits>(name: Name, value: Traits[Name]) => void;
  save_changes: () => void;
  send: (content: unknown) => void;
  on: (event: string, listener: () => void) => void;
  off: (event: string, listener: () => void) => void;
}

interface Component {
  run: typeof tokenChips;
  css: string[];
  html?: string;
  choosesByPointer?: boolean;
  sharesViewState?: boolean; // whether the displays of one widget move together
}

const COMPONENTS = {
  token_chips: { run: tokenChips, html: tokenChipsHtml, css: [tokenChipsCss] },
  vector_sum: { run: vectorSum, css: [stepperCss, vectorSumCss], choosesByPointer: true },
  token_rows: { run: tokenRows, css: [tokenRowsCss] },
  matrix_grid: { run: matrixGrid, css: [matrixGridCss], choosesByPointer: true },
  point_cloud: { run: pointCloud, css: [scatterCss, labelsCss, searchCss, pointCloudCss] },
  two_hands: { run: twoHands, css: [twoHandsCss], sharesViewState: true },
};
const SHOWN = ["_header", "_tail", "_themes", "_shared", "chosen"].map((name) => `change:${name}`);

export default { initialize, render };

/** Keep the view state in the model, so that it outlives a view and Python can read and set it. */
function initialize({ model }: { model: Model }) {
  let isWriting = false;
  setViewStateStorage({
    page: () => "",
    read: () => model.get("_view_state"),
    write(state) {
      isWriting = true;
      model.set("_view_state", state);
      model.save_changes();
      isWriting = false;
    },
  });
  model.on("change:_view_state", () => {
    const component: Component = COMPONENTS[model.get("_component")];
    if (!isWriting || component.sharesViewState) applyViewState(model.get("_view_state"));
  });
}

function render({ model, el }: { model: Model; el: HTMLElement }) {
  const component: Component = COMPONENTS[model.get("_component")];
  const host = makeElement("div", { testid: "embedlib-widget" });
  const root = host.attachShadow({ mode: "open" });
  root.innerHTML = component.html ?? "";
  root.prepend(
    makeElement("style", { text: [widgetsCss, ...component.css, sharedCss].map(mediaToContainerQueries).join("\n") }),
  );
  host.dataset.lmSuppressShortcuts = "true"; // JupyterLab's own keys, such as B for a new cell
  const picture = `[data-embedlib-still="${model.get("_key")}"]`;
  const hiding = makeElement("style", { text: `${picture}, .jp-OutputArea-child:has(${picture}) { display: none; }` });
  el.append(host, hiding);

  let choiceCount = 0; // of the reader's choices so far
  let stop = () => {};
  let isShowQueued = false;
  const streamlitApi = {
    setStateValue(name: string, value: unknown) {
      if (name !== "chosen") return model.send({ name, value });
      const report = value as { value: number | null; turn: number };
      choiceCount = report.turn;
      model.set("chosen", report.value);
      model.save_changes();
    },
    setTriggerValue: (name: string, value: unknown) => model.send({ name, value }),
  };
  const choice = component.choosesByPointer ? chosenToken(link) : null;

  function show() {
    isShowQueued = false;
    const theme = currentTheme();
    host.dataset.theme = theme;
    for (const [address, data] of Object.entries(model.get("_shared"))) cacheData(address, bytesOf(data));
    const [chosen, tail] = [model.get("chosen"), model.get("_tail")];
    const header = { ...model.get("_header"), ...model.get("_themes")[theme], chosen, turn: choiceCount };
    stop = component.run({
      data: tail ? packPayload(header, bytesOf(tail)) : header,
      parentElement: root,
      ...streamlitApi,
    });
    choice?.receive({ chosen, turn: choiceCount }, streamlitApi);
  }
  /** Several traits change in one message. */
  function schedule() {
    if (!isShowQueued) queueMicrotask(show);
    isShowQueued = true;
  }

  show();
  for (const event of SHOWN) model.on(event, schedule);
  const unwatch = watchTheme(schedule);
  const unsubscribe = link.subscribe(({ chosen, cause }) => {
    if (cause === "choose") choice?.report(chosen);
  });
  return () => {
    for (const event of SHOWN) model.off(event, schedule);
    unwatch();
    unsubscribe();
    setTimeout(() => stop()); // a run is delivered in a task of its own
  };
}

/** Make rules for narrow windows apply to narrow widgets, which a wide window can have; the widths include what the app has beside. */
const mediaToContainerQueries = (css: string) =>
  css.replace(/@media \(max-width: (\d+)px\)/g, (_, width) => `@container (max-width: ${Math.min(width, 760)}px)`);

const bytesOf = ({ buffer, byteOffset, byteLength }: DataView) => new Uint8Array(buffer, byteOffset, byteLength);

const DARK = window.matchMedia("(prefers-color-scheme: dark)");

/** Return the theme of JupyterLab, VS Code, Colab or marimo; on any other page that of the system. */
function currentTheme(): Theme {
  const [{ dataset, classList }, page] = [document.body, document.documentElement];
  if (dataset.jpThemeLight) return dataset.jpThemeLight === "true" ? "light" : "dark";
  if (dataset.vscodeThemeKind) return dataset.vscodeThemeKind.endsWith("light") ? "light" : "dark";
  const named =
    page.getAttribute("theme") ?? [...classList, ...page.classList].find((name) => /^(dark|light)$/.test(name));
  return named === "dark" || (named !== "light" && DARK.matches) ? "dark" : "light";
}

/** Call a function when the theme has changed; return a function that stops watching. */
function watchTheme(onChange: () => void) {
  let last = currentTheme();
  const compare = () => {
    if (currentTheme() === last) return;
    last = currentTheme();
    onChange();
  };
  const observer = new MutationObserver(compare);
  for (const element of [document.documentElement, document.body]) observer.observe(element, { attributes: true });
  DARK.addEventListener("change", compare);
  return () => {
    observer.disconnect();
    DARK.removeEventListener("change", compare);
  };
}
