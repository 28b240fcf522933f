// Inputs and targets of a batch side by side: what is lit, where the arrows lead, and what each event does.

import { makeElement } from "../_shared/elements.js";
import { lasting } from "../_shared/lifecycle.js";
import { link } from "../_shared/link.js";
import { fillLabel } from "../_shared/text.js";
import { fillTable, layOutPairs, nextCell, pairTable } from "./grid.js";
import { boxIn, drawArrows, shiftArrows, shiftedCopy } from "./shift.js";

export default lasting(mountPairs);

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
  const root = makeElement("div", { className: "pairs", testid: "window-pairs" }, button, readout, stage, shown);
  parentElement.append(root);

  const held = {};
  let [data, drawn] = [null, ""];
  let copy = null; // of the targets, while they lie on the inputs
  let here = { table: "inputs", row: 0, place: 0 }; // the way in by Tab
  let pointed = null; // the cell under the pointer or the focus
  let [width, frame] = [0, 0];

  held.receive = (next) => {
    const written = JSON.stringify(next);
    if (written !== drawn) show(next);
    drawn = written;
    schedule();
    root.getRootNode().host?.setAttribute("data-drawn", ""); // the page reserved its height until now
  };

  function show(next) {
    const focused = stage.contains(root.getRootNode().activeElement);
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

  const cellAt = ({ table, row, place }) => tables[table].body.rows[row].cells[place + 1];
  const schedule = () => (frame ||= requestAnimationFrame(paint));

  function paint() {
    frame = 0;
    if (!data) return;
    arrange();
    for (const cell of stage.querySelectorAll(".cell")) {
      const position = Number(cell.dataset.position);
      cell.classList.toggle("hovered", position === link.hovered);
      cell.classList.toggle("chosen", position === link.chosen);
      if (cell.hasAttribute("aria-selected")) cell.setAttribute("aria-selected", String(position === link.chosen));
    }
    const lit = link.hovered ?? link.chosen;
    drawArrows(arrows, stage, copy ? [] : pairsOf(lit), root.classList.contains("stacked"));
    const text = sentence();
    readout.ariaLive = root.matches(":focus-within") ? "polite" : "off"; // not at every move of the mouse
    if (readout.textContent !== text) readout.textContent = text;
    readout.classList.toggle("on", text !== data.labels.hint);
  }

  // The cells [target, input] that are this token, for each row that has it as both.
  function pairsOf(position) {
    if (position === null) return [];
    return data.starts.flatMap((start, row) => {
      const place = position - start;
      if (place < 1 || place >= data.inputs[0].length) return [];
      return [[cellAt({ table: "targets", row, place: place - 1 }), cellAt({ table: "inputs", row, place })]];
    });
  }

  // Scrolls, within the figure, to the first place of a token that is out of sight.
  function reveal(position) {
    const cell = stage.querySelector(`.cell[data-position="${position}"]`);
    if (!cell) return;
    const { left, top, width: wide, height } = boxIn(stage, cell);
    if (left < stage.scrollLeft || left + wide > stage.scrollLeft + stage.clientWidth)
      stage.scrollLeft = left - stage.clientWidth / 2;
    if (top < stage.scrollTop + 40 || top + height > stage.scrollTop + stage.clientHeight)
      stage.scrollTop = top - stage.clientHeight / 2;
  }

  // What the arrow shows of one token: where it is the target, and where the next input.
  function sentence() {
    const at = pointed ?? placeOf(link.hovered) ?? (copy ? null : placeOf(link.chosen));
    if (!at) return data.labels[copy ? "laid" : "hint"];
    const [inputs, targets] = [data.inputs[at.row], data.targets[at.row]];
    const id = at.input < inputs.length ? inputs[at.input] : targets[at.input - 1];
    const names = { sample: at.row, input: at.input, target: at.input - 1, id, token: data.texts[id] };
    if (at.input === 0)
      return fillLabel(data.labels.first, { ...names, after: data.texts[targets[0]], after_id: targets[0] });
    const role = at.input < data.shape[1] ? "both" : "last";
    return fillLabel(data.labels[role], { ...names, before: data.texts[inputs[at.input - 1]] });
  }

  // {row, input}: the first sample that has a token, and at which of its inputs; one past the last is its last target.
  function placeOf(position) {
    if (position === null) return null;
    const columns = data.inputs[0].length;
    for (const last of [columns - 1, columns]) {
      const row = data.starts.findIndex((start) => position >= start && position - start <= last);
      if (row >= 0) return { row, input: position - data.starts[row] };
    }
    return null;
  }

  function lay(gliding) {
    copy = shiftedCopy(stage, inputs, targets);
    if (gliding) copy.lay();
    else copy.rest();
  }

  function say() {
    root.classList.toggle("over", Boolean(copy));
    button.textContent = data.labels[copy ? "back" : "lay"];
    button.setAttribute("aria-pressed", String(Boolean(copy)));
  }

  button.addEventListener("click", () => {
    if (copy) {
      copy.back();
      copy = null;
    } else lay(true);
    say();
    schedule();
  });

  const cellOf = (event) => event.target.closest?.(".cell") ?? null;
  function point(cell) {
    pointed = cell && {
      row: Number(cell.dataset.row),
      input: Number(cell.dataset.place) + (cell.dataset.table === "targets" ? 1 : 0),
    };
    link.hover(cell && Number(cell.dataset.position));
    schedule();
  }
  stage.addEventListener(
    "pointerover",
    (event) => cellOf(event) && event.pointerType !== "touch" && point(cellOf(event)),
  );
  stage.addEventListener("pointerleave", () => point(null));
  stage.addEventListener("click", (event) => {
    const cell = cellOf(event);
    if (!cell) return;
    if (cell.hasAttribute("tabindex")) rove(cell.dataset);
    link.toggle(Number(cell.dataset.position));
  });
  stage.addEventListener("focusin", (event) => event.target.matches(".cell:focus-visible") && point(event.target));
  stage.addEventListener("focusout", () => point(null));
  stage.addEventListener("keydown", (event) => {
    const cell = cellOf(event);
    if (!cell || event.ctrlKey || event.metaKey || event.altKey) return;
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

  function rove({ table, row, place }) {
    cellAt(here).tabIndex = -1;
    here = { table, row: Number(row), place: Number(place) };
    cellAt(here).tabIndex = 0;
  }

  const resized = new ResizeObserver(schedule);
  resized.observe(root);
  const unsubscribe = link.subscribe(({ chosen, cause }) => {
    if (data && cause === "choose" && !stage.matches(":hover")) reveal(chosen);
    schedule();
  });
  held.unmount = () => {
    unsubscribe();
    resized.disconnect();
    cancelAnimationFrame(frame);
    root.remove();
  };
  return held;
}
