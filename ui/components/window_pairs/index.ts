// Inputs and targets of a batch side by side: what is lit, where the arrows lead, and what each event does.

import { makeElement } from "../_shared/elements.js";
import { lasting, perFrame, takingDown, watchSize } from "../_shared/lifecycle.js";
import { link } from "../_shared/link.js";
import { lookOf } from "../_shared/look.js";
import { newsWatch } from "../_shared/payload.js";
import { fillLabel } from "../_shared/text.js";
import { fillTable, layOutPairs, nextCell, pairTable, placeOf, sameToken } from "./grid.js";
import { boxIn, drawArrows, shiftArrows, shiftedCopy } from "./shift.js";

export default lasting(mountPairs);

/** @typedef {import("./grid.js").Data} Data */
/** @typedef {import("./grid.js").Cell} Cell */

/** @param {import("../_shared/lifecycle.js").Place} parentElement */
function mountPairs(parentElement) {
  const inputs = pairTable("inputs");
  const targets = pairTable("targets");
  const tables = { inputs, targets };
  const arrows = shiftArrows();
  const stage = makeElement("div", { className: "stage", testid: "pairs-stage" }, inputs.root, targets.root, arrows);
  const readout = makeElement("p", {
    className: "readout",
    testid: "pairs-readout",
    role: "status",
    "aria-live": "off",
  });
  const button = makeElement("button", { type: "button", testid: "pairs-shift" });
  const shown = makeElement("p", { className: "shown", testid: "pairs-shown" });
  const head = makeElement("div", { className: "head" }, button, readout);
  const root = makeElement("div", { className: "pairs", testid: "window-pairs" }, head, stage, shown);
  parentElement.append(root);

  /** @type {Data | null} */
  let data = null;
  const isNew = newsWatch();
  /** @type {ReturnType<typeof shiftedCopy> | null} of the targets, while they lie on the inputs */
  let copy = null;
  /** @type {Cell} */
  let here = { table: "inputs", row: 0, place: 0 }; // the way in by Tab
  /** @type {{ row: number, input: number } | null} the cell under the pointer or the focus */
  let pointed = null;
  let width = 0;
  const frames = perFrame(paint);
  const look = lookOf(root, "laid", ([laid]) => void (Boolean(laid) !== Boolean(copy) && turn(false)));

  /** @param {Data} next */
  function receive(next) {
    if (isNew(next)) show(next);
    look.ready();
    frames.schedule();
  }

  const rootNode = () => /** @type {ShadowRoot} */ (root.getRootNode());

  /** @param {Data} next */
  function show(next) {
    const focused = stage.contains(rootNode().activeElement);
    data = next;
    const [rows, columns] = [data.inputs.length, data.inputs[0].length];
    const laid = Boolean(copy);
    copy?.remove();
    copy = pointed = null;
    for (const part of Object.values(tables)) fillTable(part, data);
    arrange(true);
    if (laid) lay(false);
    say();
    const all = { rows, columns, all_rows: data.shape[0], all_columns: data.shape[1] };
    shown.hidden = rows === data.shape[0] && columns === data.shape[1];
    shown.textContent = shown.hidden ? "" : fillLabel(data.labels.shown, all);
    here = { ...here, row: Math.min(here.row, rows - 1), place: Math.min(here.place, columns - 1) };
    cellAt(here).tabIndex = 0;
    if (focused) cellAt(here).focus({ preventScroll: true });
  }

  function arrange(anew = false) {
    const room = stage.clientWidth - 4; // without the scroll bar
    if (!data || room <= 0 || (!anew && room === width)) return;
    width = room;
    layOutPairs(root, data.inputs[0].length, width);
    if (copy && !anew) {
      copy.remove();
      lay(false);
    }
  }

  const cellAt = (/** @type {Cell} */ { table, row, place }) => tables[table].body.rows[row].cells[place + 1];

  function paint() {
    if (!data) return;
    arrange();
    for (const cell of /** @type {NodeListOf<HTMLElement>} */ (stage.querySelectorAll(".cell"))) {
      const position = Number(cell.dataset.position);
      cell.classList.toggle("hovered", position === link.hovered);
      cell.classList.toggle("chosen", position === link.chosen);
      if (cell.hasAttribute("aria-selected")) cell.setAttribute("aria-selected", String(position === link.chosen));
    }
    const lit = link.hovered ?? link.chosen;
    const pairs = copy || lit === null ? [] : sameToken(lit, data.starts, data.inputs[0].length);
    const cells = pairs.map(([target, input]) => /** @type {[Element, Element]} */ ([cellAt(target), cellAt(input)]));
    drawArrows(arrows, stage, cells, root.classList.contains("stacked"));
    const text = sentence(data);
    readout.ariaLive = root.matches(":focus-within") ? "polite" : "off"; // not at every move of the mouse
    if (readout.textContent !== text) readout.textContent = text;
    readout.classList.toggle("on", text !== data.labels.hint);
  }

  /**
   * Scrolls, within the figure, to the first place of a token that is out of sight.
   * @param {number | null} position
   */
  function reveal(position) {
    const cell = stage.querySelector(`.cell[data-position="${position}"]`);
    if (!cell) return;
    const { left, top, width: wide, height } = boxIn(stage, cell);
    if (left < stage.scrollLeft || left + wide > stage.scrollLeft + stage.clientWidth)
      stage.scrollLeft = left - stage.clientWidth / 2;
    if (top < stage.scrollTop + 40 || top + height > stage.scrollTop + stage.clientHeight)
      stage.scrollTop = top - stage.clientHeight / 2;
  }

  /**
   * What the arrow shows of one token: where it is the target, and where the next input.
   * @param {Data} data
   */
  function sentence(data) {
    const place = (/** @type {number | null} */ position) =>
      position === null ? null : placeOf(position, data.starts, data.inputs[0].length);
    const at = pointed ?? place(link.hovered) ?? (copy ? null : place(link.chosen));
    if (!at) return data.labels[copy ? "laid" : "hint"];
    const [inputs, targets] = [data.inputs[at.row], data.targets[at.row]];
    const id = at.input < inputs.length ? inputs[at.input] : targets[at.input - 1];
    const names = { sample: at.row, input: at.input, target: at.input - 1, id, token: data.texts[id] };
    if (at.input === 0)
      return fillLabel(data.labels.first, { ...names, after: data.texts[targets[0]], after_id: targets[0] });
    const role = at.input < data.shape[1] ? "both" : "last";
    return fillLabel(data.labels[role], { ...names, before: data.texts[inputs[at.input - 1]] });
  }

  /** @param {boolean} gliding */
  function lay(gliding) {
    copy = shiftedCopy(stage, inputs, targets);
    if (gliding) copy.lay();
    else copy.rest();
  }

  function say() {
    if (!data) return;
    root.classList.toggle("over", Boolean(copy));
    button.textContent = data.labels[copy ? "back" : "lay"];
    button.setAttribute("aria-pressed", String(Boolean(copy)));
  }

  /** @param {boolean} gliding */
  function turn(gliding) {
    if (copy) {
      copy.back();
      copy = null;
    } else lay(gliding);
    look.say(copy ? [1] : null);
    say();
    frames.schedule();
  }
  button.addEventListener("click", () => turn(true));

  const cellOf = (/** @type {Event} */ event) =>
    /** @type {HTMLElement | null} */ (/** @type {Element} */ (event.target).closest(".cell"));
  /** @param {HTMLElement | null} cell */
  function point(cell) {
    pointed = cell && {
      row: Number(cell.dataset.row),
      input: Number(cell.dataset.place) + (cell.dataset.table === "targets" ? 1 : 0),
    };
    link.hover(cell && Number(cell.dataset.position));
    frames.schedule();
  }
  stage.addEventListener("pointerover", (event) => {
    if (cellOf(event) && event.pointerType !== "touch") point(cellOf(event));
  });
  stage.addEventListener("pointerleave", () => point(null));
  stage.addEventListener("click", (event) => {
    const cell = cellOf(event);
    if (!cell) return;
    if (cell.hasAttribute("tabindex")) rove(/** @type {any} */ (cell.dataset));
    link.toggle(Number(cell.dataset.position));
  });
  stage.addEventListener("focusin", (event) => {
    const cell = cellOf(event);
    if (cell?.matches(":focus-visible")) point(cell);
  });
  stage.addEventListener("focusout", () => point(null));
  stage.addEventListener("keydown", (event) => {
    const cell = cellOf(event);
    if (!cell || !data || event.ctrlKey || event.metaKey || event.altKey) return;
    const to = nextCell(here, event.key, [data.inputs.length, data.inputs[0].length]);
    if (to) {
      rove(to);
      cellAt(here).focus();
    } else if (event.key === "Enter" || event.key === " ") link.toggle(Number(cell.dataset.position));
    else if (event.key === "Escape") point(null);
    else return;
    event.preventDefault();
    event.stopPropagation();
  });

  /** @param {Cell} cell */
  function rove({ table, row, place }) {
    cellAt(here).tabIndex = -1;
    here = { table, row: Number(row), place: Number(place) };
    cellAt(here).tabIndex = 0;
  }

  const unsubscribe = link.subscribe(({ chosen, cause }) => {
    if (data && cause === "choose" && !stage.matches(":hover")) reveal(chosen);
    frames.schedule();
  });
  return { receive, unmount: takingDown(root, unsubscribe, watchSize(root, frames.schedule), frames.stop) };
}
