// One-hot rows × E beside the rows that a lookup gives, step by step. style.css shows the parts of the tables that belong
// to a step; rows move from table to table by Web Animations.

import type { RefObject } from "preact";
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";
import { clamp, prefersReducedMotion } from "../_shared/canvas.ts";
import { displayScale } from "../_shared/elements.ts";
import { isActivation, keyListener } from "../_shared/keys.ts";
import { watchSize } from "../_shared/lifecycle.ts";
import { link } from "../_shared/link.ts";
import { countText, decimalText } from "../_shared/numbers.ts";
import { namedStep, playSteps, stepBar } from "../_shared/stepper.ts";
import { fillLabel } from "../_shared/text.ts";
import type { Tooltip } from "../_shared/tooltip.ts";
import { preactComponent, useComputed, useLink, useTooltip, useViewState } from "../_shared/view.ts";
import {
  type Cell,
  cellText,
  fittingDimensions,
  type Model,
  nextCell,
  productModel,
  shorten,
  tokenAt,
  verdictText,
} from "./model.ts";
import { Tables } from "./tables.tsx";

export default preactComponent<Uint8Array>(({ data }) => <Product whole={useComputed(data, productModel)} />);

const STEP_COUNT = 6;
const [PICK, ONE, ALL] = [1, 3, 4]; // steps at which rows move
const ON_SLIDE = 4; // tokens; more would be small
const STACKED = 3; // tokens; more would not be on one screen of a phone
const NARROW = 720; // px on the screen below which the tables stand under each other
const SPACING = 2; // px between cells, as style.css has it
const SIGN = 28; // px that a sign takes at least

function Product({ whole }: { whole: Model }) {
  const [root, stage] = [useRef<HTMLDivElement>(null), useRef<HTMLElement>(null)];
  const [width, setWidth] = useState(0);
  const [first, setFirst] = useState(0); // dimension at the left
  const [shown, setShown] = useState(1); // dimensions in sight
  const [cell, setCell] = useState<Cell | null>(null); // under the pointer, or focused
  const [step, bar] = useSteps(root, whole.labels);
  const tooltip = useTooltip(root, { testid: "product-readout" });
  const { hovered, chosen } = useLink();

  const isStacked = width * (stage.current ? displayScale(stage.current) : 1) < NARROW;
  const most = isStacked ? STACKED : document.body.dataset.present === undefined ? Infinity : ON_SLIDE;
  const model = useMemo(() => shorten(whole, most, chosen), [whole, most, chosen]);
  const { rows, tokens, labels, k, vocab_size, d_model } = model;
  const focus = (tokens.find(({ position }) => position === chosen) ?? tokens[0]).position; // multiplied first
  const from = clamp(first, 0, k - shown);
  const dimensions = Array.from({ length: shown }, (_, column) => from + column);

  const viewState = useViewState(root, "cells", ([to]) => setFirst(Math.max(0, Math.round(to))));
  useEffect(() => viewState.current?.setValue(from ? [from] : null), [from]);
  useEffect(() => watchSize(stage.current as Element, () => setWidth(stage.current?.clientWidth ?? 0)), []);
  useLayoutEffect(() => setShown(clamp(countFitting(stage.current as HTMLElement, width, shown, isStacked), 1, k)));
  useFlights(stage, step);

  function point(next: Cell | null, at?: Parameters<Tooltip["show"]>[1], announce = false) {
    setCell(next);
    link.hover(tokenAt(model, next)?.position);
    if (next && at) tooltip.current?.show(cellText(model, next), at, { announce });
    else tooltip.current?.hide();
  }

  const onPointer = (event: PointerEvent) => cellOf(event) && point(cellOf(event), event);
  const onFocus = (event: FocusEvent) => {
    const target = event.target as Element;
    point(cellOf(event), target, target.matches(":focus-visible"));
  };
  const onKey = keyListener((key, event) => {
    const here = cellOf(event);
    const next = here && nextCell(key, here, model);
    if (!here) return false;
    if (next) {
      if (next.table !== "hot") setFirst(clamp(from, next.column - shown + 1, next.column));
      setCell(next);
      const name = `[data-cell="${next.table} ${next.row} ${next.column}"]`;
      requestAnimationFrame(() => stage.current?.querySelector<HTMLElement>(name)?.focus());
    } else if (isActivation(key)) link.toggle(tokenAt(model, here)?.position);
    else if (key === "Escape") point(null);
    else return false;
  });

  const range = { first: from, last: from + shown - 1, d_model };
  const dimensionText = fillLabel(labels[shown === d_model ? "all_dimensions" : "dimensions_shown"], range);
  const counts = { shown: rows.length, vocab_size: countText(vocab_size), tokens: tokens.length, d_model };
  const rowText = fillLabel(labels[rows.length === vocab_size ? "all_rows" : "rows_shown"], counts);
  return (
    <div class="product" data-testid="one-hot-product" ref={root}>
      <div class="steps" ref={bar} />
      <figure
        class={isStacked ? "stage stacked" : "stage"}
        style={{ "--digits": useMemo(() => widestNumber(whole), [whole]) }}
        ref={stage}
        aria-label={fillLabel(labels.figure, counts)}
        onPointerOver={onPointer}
        onPointerMove={onPointer}
        onPointerLeave={(event) => event.pointerType === "mouse" && point(null)}
        onClick={(event) => link.toggle(tokenAt(model, cellOf(event))?.position)}
        onFocusIn={onFocus}
        onFocusOut={() => point(null)}
        onKeyDown={onKey}
      >
        <Tables
          {...{ model, dimensions, cell, isStacked }}
          marks={{ hovered, chosen, focus }}
          isLookedUp={step < ONE}
        />
      </figure>
      <div class="window">
        <span class="range-text">
          {dimensionText} · {rowText}
        </span>
        <input
          type="range"
          data-testid="product-dimensions"
          hidden={shown === k}
          min="0"
          max={k - shown}
          value={from}
          aria-label={labels.scroll_dimensions}
          aria-valuetext={dimensionText}
          onInput={(event) => setFirst(Number(event.currentTarget.value))}
        />
      </div>
      <p class="verdict" data-testid="product-equal">
        {verdictText(whole)}
      </p>
    </div>
  );
}

/** The cell that an event is on. */
function cellOf({ target }: Event): Cell | null {
  const [table, row, column] = (target as Element).closest<HTMLElement>("[data-cell]")?.dataset.cell?.split(" ") ?? [];
  return table ? { table: table as Cell["table"], row: Number(row), column: Number(column) } : null;
}

/** Characters of the widest number. */
const widestNumber = ({ rows }: Model) =>
  decimalText(-Math.max(1, ...rows.flatMap(({ values }) => [...values].map(Math.abs))), 4).length;

/** How many dimensions there is room for, beside all else that is in the tables. */
function countFitting(stage: HTMLElement, width: number, shown: number, isStacked: boolean) {
  const number =
    (stage.querySelector(".number") as Element).getBoundingClientRect().width / displayScale(stage) + SPACING;
  const [hot, matrix, result] = [...stage.querySelectorAll("table")].map((table) => table.offsetWidth);
  if (isStacked) return fittingDimensions(shown, width - Math.max(matrix, result), number);
  return fittingDimensions(shown, width - hot - matrix - result - 2 * SIGN, 2 * number);
}

/** The step that is shown, and the place of the bar that plays the steps. */
function useSteps(root: RefObject<HTMLDivElement | null>, labels: Model["labels"]) {
  const [step, setStep] = useState(0);
  const bar = useRef<HTMLDivElement>(null);
  const steps = useRef<ReturnType<typeof playSteps>>(null);
  const current = useRef(labels);
  current.current = labels;
  useLayoutEffect(() => {
    const parts = stepBar("product", STEP_COUNT);
    bar.current?.append(parts.bar);
    steps.current = playSteps(parts, root.current as HTMLElement, {
      last: STEP_COUNT - 1,
      instant: true,
      describe: (step) => namedStep(current.current, step, STEP_COUNT),
      onTime: setStep,
    });
    return steps.current.player.stop;
  }, []);
  useLayoutEffect(() => steps.current?.label(labels), [labels]);
  return [step, bar] as const;
}

/** Animate rows from the positions of their numbers in the previous step. */
function useFlights(stage: RefObject<HTMLElement | null>, step: number) {
  const before = useRef(step);
  useLayoutEffect(() => {
    const isNext = step === before.current + 1;
    before.current = step;
    if (!isNext || prefersReducedMotion() || !stage.current) return;
    const cells = (selector: string) => [...(stage.current?.querySelectorAll<HTMLElement>(selector) ?? [])];
    const scale = displayScale(stage.current);
    if (step === ONE) fly(cells(".factor"), cells(".hot .focus .place"), scale, 0);
    const rows = cells(".result tbody tr").filter(
      (row) => step === PICK || (step === ONE) === row.classList.contains("focus"),
    );
    if (step === PICK || step === ONE || step === ALL)
      rows.forEach((row, index) => {
        const source = cells(`.matrix [data-id="${row.dataset.id}"] .number`);
        fly([...row.querySelectorAll<HTMLElement>(".number")], source, scale, step === ONE ? 700 : 80 * index);
      });
  }, [step]);
}

function fly(elements: HTMLElement[], sources: HTMLElement[], scale: number, delay: number) {
  elements.forEach((element, index) => {
    const [to, from] = [element.getBoundingClientRect(), sources[index].getBoundingClientRect()];
    const transform = `translate(${(from.left - to.left) / scale}px, ${(from.top - to.top) / scale}px)`;
    element.animate([{ transform }, { transform: "none" }], {
      duration: 800,
      delay,
      easing: "ease-in-out",
      fill: "backwards",
    });
  });
}
