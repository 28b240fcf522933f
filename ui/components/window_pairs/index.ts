// Inputs and targets of a batch side by side: what is lit, where the arrows lead, and what each event does.

import { makeElement } from "../_shared/elements.ts";
import { handleKeys, isActivation } from "../_shared/keys.ts";
import { type ParentElement, perFrame, persistentComponent, unmountFunction, watchSize } from "../_shared/lifecycle.ts";
import { link } from "../_shared/link.ts";
import { changeDetector } from "../_shared/payload.ts";
import { fillLabel } from "../_shared/text.ts";
import { explainOnHover } from "../_shared/tooltip.ts";
import { registerViewState } from "../_shared/view_state.ts";
import { type Cell, type Data, fillTable, layOutPairs, nextCell, pairTable, sameToken } from "./grid.ts";
import { boxIn, drawArrows, shiftArrows, shiftedCopy } from "./shift.ts";

export default persistentComponent(mountPairs);

function mountPairs(parentElement: ParentElement) {
  const inputs = pairTable("inputs");
  const targets = pairTable("targets");
  const tables = { inputs, targets };
  const arrows = shiftArrows();
  const stage = makeElement("div", { className: "stage", testid: "pairs-stage" }, inputs.root, targets.root, arrows);
  const button = makeElement("button", { className: "button", type: "button", testid: "pairs-shift" });
  const shown = makeElement("p", { className: "shown", testid: "pairs-shown" });
  const head = makeElement("div", { className: "head" }, button);
  const root = makeElement("div", { className: "pairs", testid: "window-pairs" }, head, stage, shown);
  parentElement.append(root);

  let data: Data | null = null;
  const isNew = changeDetector();
  /** The copy of the targets, while they lie on the inputs. */
  let copy: ReturnType<typeof shiftedCopy> | null = null;
  let here: Cell = { table: "inputs", row: 0, place: 0 }; // the way in by Tab
  let width = 0;
  const frames = perFrame(paint);
  const viewState = registerViewState(
    root,
    "laid",
    ([laid]) => void (Boolean(laid) !== Boolean(copy) && toggleCopy(false)),
  );

  function receive(next: Data) {
    if (isNew(next)) show(next);
    viewState.restore();
    frames.schedule();
  }

  const rootNode = () => root.getRootNode() as ShadowRoot;

  function show(next: Data) {
    const focused = stage.contains(rootNode().activeElement);
    data = next;
    const [rows, columns] = [data.inputs.length, data.inputs[0].length];
    const laid = Boolean(copy);
    copy?.remove();
    copy = null;
    for (const part of Object.values(tables)) fillTable(part, data);
    arrange(true);
    if (laid) layCopy(false);
    updateButton();
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
      layCopy(false);
    }
  }

  const cellAt = ({ table, row, place }: Cell) => tables[table].body.rows[row].cells[place + 1];

  function paint() {
    if (!data) return;
    arrange();
    for (const cell of stage.querySelectorAll(".cell") as NodeListOf<HTMLElement>) {
      const position = Number(cell.dataset.position);
      cell.firstElementChild?.classList.toggle("hovered", position === link.hovered);
      cell.firstElementChild?.classList.toggle("chosen", position === link.chosen);
      if (cell.hasAttribute("aria-selected")) cell.setAttribute("aria-selected", String(position === link.chosen));
    }
    const lit = link.hovered ?? link.chosen;
    const pairs = copy || lit === null ? [] : sameToken(lit, data.starts, data.inputs[0].length);
    const cells = pairs.map(([target, input]) => [cellAt(target), cellAt(input)] as [Element, Element]);
    drawArrows(arrows, stage, cells, root.classList.contains("stacked"));
  }

  /** Scrolls, within the figure, to the first place of a token that is out of sight. */
  function reveal(position: number | null) {
    const cell = stage.querySelector(`.cell[data-position="${position}"]`);
    if (!cell) return;
    const { left, top, width: wide, height } = boxIn(stage, cell);
    if (left < stage.scrollLeft || left + wide > stage.scrollLeft + stage.clientWidth)
      stage.scrollLeft = left - stage.clientWidth / 2;
    if (top < stage.scrollTop + 40 || top + height > stage.scrollTop + stage.clientHeight)
      stage.scrollTop = top - stage.clientHeight / 2;
  }

  /** Describe a cell's token as the arrow shows it: as a target, and as the next input. */
  function describeShift(cell: HTMLElement) {
    if (!data) return null;
    const at = {
      row: Number(cell.dataset.row),
      input: Number(cell.dataset.place) + Number(cell.dataset.table === "targets"),
    };
    const [inputs, targets] = [data.inputs[at.row], data.targets[at.row]];
    const id = at.input < inputs.length ? inputs[at.input] : targets[at.input - 1];
    const names = { sample: at.row, input: at.input, target: at.input - 1, id, token: data.texts[id] };
    if (at.input === 0)
      return fillLabel(data.labels.first, { ...names, after: data.texts[targets[0]], after_id: targets[0] });
    const role = at.input < data.shape[1] ? "both" : "last";
    return fillLabel(data.labels[role], { ...names, before: data.texts[inputs[at.input - 1]] });
  }

  function layCopy(gliding: boolean) {
    copy = shiftedCopy(stage, inputs, targets);
    if (gliding) copy.lay();
    else copy.rest();
  }

  function updateButton() {
    if (!data) return;
    root.classList.toggle("over", Boolean(copy));
    button.textContent = data.labels[copy ? "back" : "lay"];
    button.setAttribute("aria-pressed", String(Boolean(copy)));
  }

  function toggleCopy(gliding: boolean) {
    if (copy) {
      copy.back();
      copy = null;
    } else layCopy(gliding);
    viewState.setValue(copy ? [1] : null);
    updateButton();
    frames.schedule();
  }
  button.addEventListener("click", () => toggleCopy(true));

  const cellOf = (event: Event) => (event.target as Element).closest(".cell") as HTMLElement | null;
  const tooltip = explainOnHover(stage, ".cell", describeShift, {
    testid: "pairs-readout",
    announce: true,
    below: true,
  });
  const point = (cell: HTMLElement | null) => link.hover(cell && Number(cell.dataset.position));
  stage.addEventListener("pointerover", (event) => {
    if (cellOf(event) && event.pointerType !== "touch") point(cellOf(event));
  });
  stage.addEventListener("pointerleave", () => point(null));
  stage.addEventListener("click", (event) => {
    const cell = cellOf(event);
    if (!cell) return;
    if (cell.hasAttribute("tabindex")) setTabStop(cell.dataset);
    link.toggle(Number(cell.dataset.position));
  });
  stage.addEventListener("focusin", (event) => {
    const cell = cellOf(event);
    if (cell?.matches(":focus-visible")) point(cell);
  });
  stage.addEventListener("focusout", () => point(null));
  handleKeys(stage, (key, event) => {
    const cell = cellOf(event);
    if (!cell || !data) return false;
    const to = nextCell(here, key, [data.inputs.length, data.inputs[0].length]);
    if (to) {
      setTabStop(to);
      cellAt(here).focus();
    } else if (isActivation(key)) link.toggle(Number(cell.dataset.position));
    else if (key === "Escape") point(null);
    else return false;
  });

  function setTabStop({ table, row, place }: Cell | DOMStringMap) {
    cellAt(here).tabIndex = -1;
    here = { table: table as Cell["table"], row: Number(row), place: Number(place) };
    cellAt(here).tabIndex = 0;
  }

  const unsubscribe = link.subscribe(({ chosen, cause }) => {
    if (data && cause === "choose" && !stage.matches(":hover")) reveal(chosen);
    frames.schedule();
  });
  return {
    receive,
    unmount: unmountFunction(root, tooltip.hide, unsubscribe, watchSize(root, frames.schedule), frames.stop),
  };
}
