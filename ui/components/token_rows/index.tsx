// Several tokenizations of one text, aligned by character. Only the lines in sight are elements; the page's one pointer
// counts columns, and what holds the column under it is marked in every row.

import { canvasContext, makeElement, windowHeight } from "../_shared/elements.ts";
import { handleKeys, isActivation, keyAlong } from "../_shared/keys.ts";
import {
  type Page,
  type ParentElement,
  persistentComponent,
  unmountFunction,
  watchSize,
} from "../_shared/lifecycle.ts";
import { link } from "../_shared/link.ts";
import { changeDetector } from "../_shared/payload.ts";
import { chosenToken } from "../_shared/tokens.ts";
import { createTooltip } from "../_shared/tooltip.ts";
import { render } from "../_shared/view.ts";
import { registerScroll } from "../_shared/view_state.ts";
import { virtualList } from "../_shared/virtual_list.ts";
import {
  estimateWidths,
  LETTER,
  type Line,
  MAX_PARTS,
  type Model,
  type Place,
  placeAfterKey,
  placeBeside,
  restingColumn,
  rowsModel,
  textLines,
  tokensAt,
} from "./columns.ts";
import { Counts, Differences, LinesInSight, tokenSentence, tokensAtText } from "./head.tsx";
import { lineElement } from "./line.tsx";

const MAX_LINES = 3; // in sight at once
const SHORT = 1.35; // times larger is a text that is one line even so

export default persistentComponent(mountRows);

function mountRows(parentElement: ParentElement) {
  const part = (className: string) => makeElement("div", { className });
  const [above, below, counts, body] = [part("above"), part("below"), part("counts"), part("body")];
  const scroller = makeElement(
    "div",
    { className: "scroller", role: "group", tabindex: "0", testid: "token-rows" },
    body,
  );
  const frame = makeElement("div", { className: "window" }, scroller);
  const root = makeElement("div", { className: "rows" }, above, frame, below, counts);
  body.ariaHidden = "true"; // the counts say it, and what the keys point at is read out
  parentElement.append(root);

  const choice = chosenToken(link);
  const isNew = changeDetector();
  const tooltip = createTooltip(root, { testid: "rows-readout" });
  const viewState = registerScroll(root, scroller);
  let model: Model | null = null;
  let lines: Line[] = [];
  let shown = 1; // lines in sight at once
  let lineHeight = 1;
  let width = 0;
  /** The token that the pointer or the keys are on, beside the column that all views share. */
  let cursor: Place | null = null;
  let acting = false;
  const list = virtualList(scroller, body, (index) => lineElement(model as Model, lines[index]), paint);

  function receive(data: Uint8Array, page: Page) {
    const before = model;
    if (isNew(data)) model = rowsModel(data);
    if (!model) return;
    if (model.content !== before?.content) {
      if (cursor && !(cursor.token < model.rows[cursor.row]?.count)) cursor = null;
      scroller.setAttribute("aria-label", model.labels.figure);
      arrange();
    }
    choice.receive(model, page);
    paint();
  }

  const context = canvasContext(document.createElement("canvas"));
  function textMeasure() {
    const font = getComputedStyle(root).getPropertyValue("--st-code-font") || "monospace";
    const known = new Map<string, number>();
    return (text: string, size: number) => {
      const key = `500 ${size}px ${font}, ${text}`;
      if (!known.has(key)) {
        context.font = `500 ${size}px ${font}`;
        known.set(key, context.measureText(text).width);
      }
      return known.get(key) ?? 0;
    };
  }

  function arrange() {
    frame.hidden = !model?.count;
    width = scroller.clientWidth;
    if (!model?.count || width === 0) return;
    // The browser says how wide the names are, which on a narrow page stand above, and how high a line is.
    const probe = lineElement(model, { start: 0, stop: 1 });
    body.append(probe);
    const names = Number.parseFloat(getComputedStyle(probe).gridTemplateColumns);
    const room = width - names - 4;
    const widths = estimateWidths(model, textMeasure());
    const isShort = widths.reduce((sum, each) => sum + each, 0) * SHORT <= room;
    lines = textLines(model, widths, room);
    root.style.setProperty("--letter", `${isShort ? LETTER * SHORT : LETTER}px`);
    lineHeight = probe.offsetHeight;
    probe.remove();
    // Whole lines; where they scroll, never more than a screen of them.
    const fitting = names ? Math.floor(Math.max(560, windowHeight() * 0.8) / lineHeight) : MAX_LINES;
    shown = Math.min(lines.length, MAX_LINES, Math.max(1, fitting));
    scroller.style.height = `${shown * lineHeight}px`;
    list.resize(lines.length, lineHeight);
    viewState.restore();
  }

  const within = (column: number | null) => (column !== null && model && column < model.count ? column : null);

  /** Set a CSS class on the elements that match a selector, and remove it from all others. */
  function mark(className: string, selector: string) {
    for (const part of body.querySelectorAll(`.${className}`)) part.classList.remove(className);
    if (selector) for (const part of body.querySelectorAll(selector)) part.classList.add(className);
  }

  function paint() {
    if (!model) return;
    const first = Math.round(scroller.scrollTop / lineHeight); // read before anything changes, or the browser lays out
    const [hovered, chosen] = [within(link.hovered), within(link.chosen)];
    const column = hovered ?? chosen ?? restingColumn(model);
    mark("hovered", partsAt(model, column));
    mark("chosen", partsAt(model, chosen));
    mark("cursor", cursor ? tokenSelector(cursor) : "");
    const { labels, count } = model;
    const hint = <span class="hint">{labels.hint}</span>;
    const differences = <Differences model={model} column={hovered ?? chosen} onStep={goToDifference} />;
    render(count ? [differences, hint] : labels.empty, above);
    const ways = lines.length > shown && (
      <LinesInSight {...{ model, first, shown, count: lines.length, onStep: turnLines }} />
    );
    render([ways, model.isMixed && <p class="stored">{labels.stored_order}</p>], below);
    render(<Counts {...{ model, column, cursor: hovered === null ? null : cursor }} />, counts);
  }

  function point(column: number | null, next: Place | null) {
    cursor = next;
    acting = true;
    link.hover(column);
    acting = false;
    paint();
  }

  function turnLines(step: 1 | -1) {
    scroller.scrollTop += step * scroller.clientHeight;
    list.update();
    paint();
  }

  function goToDifference(step: 1 | -1) {
    const column = model && placeBeside(model, within(link.chosen), step);
    if (column === null) return;
    point(null, null);
    link.choose(column);
    scrollTo(column);
  }

  const scrollTo = (column: number) => list.scrollTo(lines.findIndex(({ stop }) => column < stop));

  /** The column under the pointer, and the token there. */
  function hit(event: MouseEvent): [column: number, cursor: Place | null] | null {
    const target = event.target as Element;
    const characters = target.closest(".line")?.querySelectorAll<HTMLElement>(".character") ?? [];
    const character = [...characters].find((each) => {
      const { left, right } = each.getBoundingClientRect();
      return left <= event.clientX && event.clientX < right;
    });
    const chip = target.closest<HTMLElement>(".chip");
    const row = Number(target.closest<HTMLElement>(".row")?.dataset.row);
    return character ? [Number(character.dataset.column), chip && { row, token: Number(chip.dataset.token) }] : null;
  }

  function explain(column: number, cursor: Place | null, at: Parameters<typeof tooltip.show>[1], announce = false) {
    if (model) tooltip.show(cursor ? tokenSentence(model, cursor) : tokensAtText(model, column), at, { announce });
  }

  scroller.addEventListener("pointermove", (event) => {
    const under = event.pointerType === "touch" ? null : hit(event);
    if (!under) return;
    point(...under);
    explain(...under, event);
  });
  scroller.addEventListener("pointerleave", () => {
    tooltip.hide();
    point(null, null);
  });
  scroller.addEventListener("click", (event) => {
    const under = hit(event);
    if (!under) return;
    const [column, place] = under;
    // Who touches means the character: what each row has there is shown.
    cursor = (event as PointerEvent).pointerType === "touch" ? null : place;
    acting = true;
    link.toggle(column);
    acting = false;
    paint();
    if (link.chosen === null) tooltip.hide();
    else explain(column, cursor, event);
  });
  scroller.addEventListener("scroll", paint, { passive: true });
  handleKeys(scroller, (pressed) => {
    if (!model?.count) return false;
    const key = keyAlong(pressed, model.along);
    const { rows } = model;
    const start = within(link.hovered) ?? within(link.chosen) ?? 0;
    const at = cursor ?? { row: 0, token: Math.min(rows[0].count - 1, tokensAt(rows[0], start)[0]) };
    if (at.token < 0) return false;
    const next = cursor ? placeAfterKey(model, lines, at, key) : key.startsWith("Arrow") ? at : null;
    const columnOf = ({ row, token }: Place) => rows[row].first[token];
    if (next && next.token >= 0) {
      scrollTo(columnOf(next));
      point(columnOf(next), next);
      explain(columnOf(next), next, body.querySelector(".cursor") ?? scroller, true);
    } else if (isActivation(key)) link.toggle(columnOf(at));
    else if (key === "Escape" && cursor) {
      tooltip.hide();
      point(null, null);
    } else return false;
  });
  scroller.addEventListener("blur", () => {
    tooltip.hide();
    if (cursor) point(null, null);
  });

  const unsubscribe = link.subscribe(({ chosen, hovered, cause }) => {
    if (cause === "choose") choice.report(chosen);
    if (acting) return; // which paints by itself, at what is in sight
    if (cause === "hover") cursor = null;
    const column = within(cause === "hover" ? hovered : chosen);
    if (column !== null && lines.length) scrollTo(column);
    paint();
  });
  const unwatch = watchSize(root, () => {
    if (scroller.clientWidth !== width) arrange();
  });
  document.fonts.addEventListener("loadingdone", arrange); // other letters are of another width
  const forget = () => document.fonts.removeEventListener("loadingdone", arrange);
  return {
    receive,
    unmount: unmountFunction(root, unsubscribe, unwatch, forget, tooltip.hide, () => link.hover(null)),
  };
}

const tokenSelector = ({ row, token }: Place) => `[data-row="${row}"] [data-token="${token}"]`;

/** Selector of a column's character and of the tokens that hold any of it. */
function partsAt({ rows }: Model, column: number | null) {
  if (column === null) return "";
  const tokens = rows.flatMap((each, row) => {
    const [start, stop] = tokensAt(each, column);
    const length = Math.min(stop - start, MAX_PARTS + 1);
    return Array.from({ length }, (_, index) => tokenSelector({ row, token: start + index }));
  });
  return [`[data-column="${column}"]`, ...tokens].join();
}
