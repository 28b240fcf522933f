// Several tokenizations of one text, aligned by character. Only the lines in sight are in the page; the page's one
// pointer counts columns, and what holds the column under it lights up in every row.

import { contextOf, makeElement, pointIn } from "../_shared/elements.ts";
import { lasting, type Page, type ParentElement, takingDown, watchSize } from "../_shared/lifecycle.ts";
import { link } from "../_shared/link.ts";
import { lookOfScroll } from "../_shared/look.ts";
import { newsWatch } from "../_shared/payload.ts";
import { choiceOf, keyAlong } from "../_shared/tokens.ts";
import { type Line, type Model, restingColumn, rowsModel, textLines, tokensAt } from "./columns.ts";
import { chosenText, fillHead, placeBeside, readoutOf, rowsHead, showHere, showLines, showPlace } from "./head.ts";
import { type Place, placeAfterKey, placeUnder } from "./keys.ts";
import { type DrawnLine, drawLine, LINE_GAP, litElements, type Staff, sizeStaff, staffMeasures } from "./lines.ts";

const TOUCHED = window.matchMedia("(hover: none)");

export default lasting(mountRows);

function mountRows(parentElement: ParentElement) {
  const head = rowsHead();
  const readout = makeElement("p", { className: "readout", testid: "rows-readout" });
  const staffBox = makeElement("div", { className: "staff", "aria-hidden": "true" });
  const scroller = makeElement(
    "div",
    { className: "scroller", role: "group", tabindex: "0", testid: "token-rows" },
    staffBox,
  );
  const empty = makeElement("p", { className: "empty" });
  const frame = makeElement("div", { className: "window" }, scroller);
  const root = makeElement("div", { className: "rows" }, head.bar, frame, head.foot, head.stored, head.table, empty);
  head.bar.append(readout);
  parentElement.append(root);

  const choice = choiceOf(link);
  const isNew = newsWatch();
  let model: Model | null = null;
  let staff: Staff | null = null;
  let lines: Line[] = [];
  let width = 0;
  /** The lines in sight, by index. */
  let drawn = new Map<number, DrawnLine>();
  /** Elements that the pointer lit, each with its class. */
  let lit: [HTMLElement, string][] = [];
  /** The token that the pointer or the keys are on, beside the column that all views share. */
  let cursor: Place | null = null;
  let acting = false;
  const look = lookOfScroll(root, scroller);

  function receive(data: Uint8Array, page: Page) {
    const before = model;
    if (isNew(data)) model = rowsModel(data);
    if (!model) return;
    if (model.looks !== before?.looks) show(model);
    choice.follow(model, page);
    paint();
  }

  function show(model: Model) {
    if (cursor && !(cursor.token < model.rows[cursor.row]?.count)) cursor = null;
    scroller.setAttribute("aria-label", model.labels.figure);
    empty.textContent = model.labels.empty;
    for (const part of [head.bar, head.foot, frame]) part.hidden = model.count === 0;
    empty.hidden = model.count > 0;
    fillHead(head, model);
    arrange();
  }

  const context = contextOf(document.createElement("canvas"));
  function measure(text: string, size: number) {
    const style = getComputedStyle(root);
    context.font = `500 ${size}px ${style.getPropertyValue("--st-code-font") || "monospace"}`;
    return context.measureText(text).width;
  }

  function arrange() {
    width = scroller.clientWidth;
    if (!model || model.count === 0 || width === 0) return;
    staff = staffMeasures(model, width, measure);
    lines = textLines(model, staff.widths, staff.room);
    staff.span = Math.max(...lines.map((line) => line.width));
    sizeStaff({ root, scroller, staffBox }, model, staff, lines.length);
    for (const line of drawn.values()) line.root.remove();
    drawn = new Map();
    drawLines();
    look.ready();
  }

  function drawLines() {
    if (!staff || !model) return;
    const first = Math.max(0, Math.floor(scroller.scrollTop / staff.lineHeight) - 1);
    const last = Math.min(
      lines.length - 1,
      Math.floor((scroller.scrollTop + scroller.clientHeight) / staff.lineHeight) + 1,
    );
    for (const [index, line] of drawn) {
      if (index >= first && index <= last) continue;
      line.root.remove();
      drawn.delete(index);
    }
    for (let index = first; index <= last; index += 1) {
      if (drawn.has(index)) continue;
      const line = drawLine(model, staff, lines[index]);
      line.root.style.top = `${index * staff.lineHeight}px`;
      line.root.style.height = `${staff.lineHeight}px`;
      staffBox.append(line.root);
      drawn.set(index, line);
    }
    const top = Math.round(scroller.scrollTop / staff.lineHeight);
    const bottom = Math.min(lines.length, top + staff.shown) - 1;
    showLines(head, model.labels, top, bottom, lines.length);
    frame.classList.toggle("below", bottom < lines.length - 1);
    paint();
  }

  const within = (column: number | null) => (column !== null && model && column < model.count ? column : null);

  function paint() {
    if (!model) return;
    for (const [element, name] of lit) element.classList.remove(name);
    const [hovered, chosen] = [within(link.hovered), within(link.chosen)];
    const column = hovered ?? chosen ?? restingColumn(model);
    lit = litElements(model, [...drawn.values()], { hovered: column, chosen, cursor });
    for (const [element, name] of lit) element.classList.add(name);
    showHere(head, model, column, hovered === null ? null : cursor);
    showPlace(head, model, hovered ?? chosen);
    showReadout(model);
  }

  function showReadout(model: Model) {
    const column = within(link.hovered) ?? within(link.chosen);
    let text = model.labels[TOUCHED.matches ? "hint_touch" : "hint"];
    if (cursor) text = readoutOf(model, cursor);
    else if (column !== null) text = chosenText(model, column);
    // Read out for who moves by key, not at every move of the mouse.
    readout.ariaLive = scroller.matches(":focus-visible") ? "polite" : "off";
    if (readout.textContent !== text) readout.textContent = text;
    readout.classList.toggle("on", cursor !== null);
    readout.classList.toggle("several", cursor === null && column !== null);
  }

  function point(column: number | null, next: Place | null) {
    cursor = next;
    acting = true;
    link.hover(column);
    acting = false;
    paint();
  }

  function hit(event: MouseEvent) {
    return staff && model && placeUnder(model, staff, lines, ...pointIn(event, staffBox));
  }

  function scrollTo(column: number) {
    const index = lines.findIndex(({ stop }) => column < stop);
    if (index < 0 || !staff) return;
    const top = index * staff.lineHeight;
    const bottom = top + staff.lineHeight - LINE_GAP;
    if (top < scroller.scrollTop - 4) scroller.scrollTop = top;
    else if (bottom > scroller.scrollTop + scroller.clientHeight)
      scroller.scrollTop = (index - staff.shown + 1) * staff.lineHeight;
    drawLines();
  }

  scroller.addEventListener("pointermove", (event) => {
    const under = event.pointerType === "touch" ? null : hit(event);
    if (under) point(under.column, under.cursor);
  });
  scroller.addEventListener("pointerleave", () => point(null, null));
  scroller.addEventListener("click", (event) => {
    const under = hit(event);
    if (!under) return;
    // Who touches means the character: the box then says what each row has there.
    cursor = (event as PointerEvent).pointerType === "touch" ? null : under.cursor;
    acting = true;
    link.toggle(under.column);
    acting = false;
  });
  scroller.addEventListener("scroll", drawLines, { passive: true });
  for (const step of [-1, 1] as const) {
    (step < 0 ? head.up : head.down).addEventListener("click", () => {
      if (!staff) return;
      const top = Math.round(scroller.scrollTop / staff.lineHeight) + step * staff.shown;
      scroller.scrollTop = Math.max(0, top) * staff.lineHeight;
      drawLines();
    });
  }
  scroller.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || !model || !staff) return;
    const key = keyAlong(event.key, model.along);
    const start = within(link.hovered) ?? within(link.chosen) ?? 0;
    const { rows } = model;
    const at = cursor ?? { row: 0, token: Math.min(rows[0].count - 1, tokensAt(rows[0], start)[0]) };
    if (at.token < 0) return;
    const target = cursor ? placeAfterKey(model, lines, at, key) : key.startsWith("Arrow") ? at : null;
    const columnOf = ({ row, token }: Place) => rows[row].first[token];
    if (target && target.token >= 0) {
      scrollTo(columnOf(target));
      point(columnOf(target), target);
    } else if (event.key === "Enter" || event.key === " ") link.toggle(columnOf(at));
    else if (event.key === "Escape" && cursor) point(null, null);
    else return;
    event.preventDefault();
    event.stopPropagation();
  });
  scroller.addEventListener("blur", () => {
    if (cursor) point(null, null);
  });
  for (const step of [-1, 1] as const) {
    (step < 0 ? head.before : head.next).addEventListener("click", () => {
      const column = model && placeBeside(model, within(link.chosen), step);
      if (column === null) return;
      point(null, null);
      link.choose(column);
      scrollTo(column);
    });
  }

  const unsubscribe = link.subscribe(({ chosen, hovered, cause }) => {
    if (!acting && cause === "hover") cursor = null;
    if (cause === "choose") choice.tell(chosen);
    if (!model) return;
    const column = within(cause === "hover" ? hovered : chosen);
    if (!acting && column !== null && staff) scrollTo(column);
    paint();
  });
  const unwatch = watchSize(root, () => {
    if (scroller.clientWidth !== width) arrange();
  });
  document.fonts.addEventListener("loadingdone", arrange); // other letters are of another width
  const forget = () => document.fonts.removeEventListener("loadingdone", arrange);
  return { receive, unmount: takingDown(root, unsubscribe, unwatch, forget, () => link.hover(null)) };
}
