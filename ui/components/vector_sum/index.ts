// Token rows plus position rows give input rows: three bands of colours, one under the other, with a cell for each number.

import { clamp01 } from "../_shared/canvas.ts";
import { colourIndices, colourScale, paintIndices } from "../_shared/colour.ts";
import { fetchData } from "../_shared/data.ts";
import {
  canvasContext,
  deviceRatio,
  isEmbedded,
  makeElement,
  makeSvgElement,
  maxFigureHeight,
  tokenElement,
  windowHeight,
} from "../_shared/elements.ts";
import { type GridCell, handleKeys, isActivation, nextInGrid } from "../_shared/keys.ts";
import { colourLegend } from "../_shared/legend.ts";
import {
  type Page,
  type ParentElement,
  perFrame,
  persistentComponent,
  unmountFunction,
  watchSize,
} from "../_shared/lifecycle.ts";
import { link } from "../_shared/link.ts";
import { countText } from "../_shared/numbers.ts";
import { changeDetector } from "../_shared/payload.ts";
import { namedStep, playSteps, stepBar } from "../_shared/stepper.ts";
import { drawLines, nearestRow, stripPicture } from "../_shared/strip.ts";
import { fillLabel } from "../_shared/text.ts";
import { createTooltip } from "../_shared/tooltip.ts";
import { registerScroll } from "../_shared/view_state.ts";
import { axisTicks, cellCharacters, numberSize, type Rows, rowsLayout } from "./layout.ts";
import {
  bandValues,
  cellNumbers,
  cellText,
  columnsTogether,
  limitText,
  type Model,
  NARROW_TABLE,
  sumModel,
} from "./model.ts";

const STEP_COUNT = 5; // tokens, rows, positions, half of the numbers added, all of them
const LAST = STEP_COUNT - 1;
const AROUND = 200; // px around the bands once the page is scrolled to them
const BAR = 348; // px of a phone around them
const KINDS = ["token", "position", "input"] as const; // of bands, as labels and styles call them
const NARROW = 700; // px
const BESIDE_GAP = 28; // px between bands beside each other, as in the styles

export default persistentComponent(mountSum);

function mountSum(parentElement: ParentElement) {
  const steps = stepBar("step", STEP_COUNT);
  const bands = KINDS.map(makeBand);
  // E, and lines from there to the token rows.
  const strip = makeElement("div", { className: "strip", testid: "matrix-strip", role: "img" });
  const lines = makeSvgElement("svg", { class: "lines", "aria-hidden": "true" });
  bands[0].root.append(strip, lines);
  const figure = makeElement(
    "div",
    { className: "bands", testid: "sum-bands", role: "application", tabindex: 0 },
    ...bands.map(({ root }) => root),
  );
  const spacer = makeElement("div", {}, figure);
  const scroller = makeElement("div", { className: "scroller", testid: "sum-scroller" }, spacer);
  const legend = colourLegend("sum-colours");
  const note = makeElement("span", { testid: "sum-note" });
  const hint = makeElement("span", { className: "hint" });
  const foot = makeElement("div", { className: "foot" }, legend.root, note, hint);
  const root = makeElement("div", { className: "sum", testid: "vector-sum" }, steps.bar, scroller, foot);
  parentElement.append(root);

  const tooltip = createTooltip(root, { testid: "sum-readout" });
  const isNew = changeDetector();
  const isNewStrip = changeDetector();
  let model: Model | null = null;
  let rows: Rows | null = null;
  let cell: GridCell | null = null; // pointed at
  let pointed = { band: 0, byKey: false };
  let moved = false; // the text's rows are others: the chosen one may be out of sight
  let wasSlide = false;
  let place = { size: "", above: 0 }; // of the bands in a window of a size
  const frames = perFrame(draw);
  const viewState = registerScroll(root, scroller);
  const { player, label } = playSteps(steps, root, {
    last: LAST,
    start: LAST,
    describe: (step) => (model ? namedStep(model.labels, step, STEP_COUNT) : { title: "", text: "" }),
    onTime: frames.schedule,
  });

  const positionOf = (row: number) => (model ? model.firstPosition + row : null);
  function rowOf(position: number | null) {
    const row = model && position !== null ? position - model.firstPosition : -1;
    return model && row >= 0 && row < model.rows ? row : null;
  }

  function receive(data: Uint8Array, page: Page) {
    if (isNew(data)) {
      const before = model;
      model = sumModel(data);
      moved ||= before?.firstPosition !== model.firstPosition; // the first time too: a link may name a token further down
      cell = cell && before && followed(cell, before, model);
      fillBands(bands, model);
      const { labels, matrices, rows, columns } = model;
      figure.setAttribute("aria-label", fillLabel(labels.figure, { rows, columns }));
      const limit = limitText(matrices[2].scale.limit);
      legend.fill(matrices[2].scale.stops, [`−${limit}`, "0", limit]);
      hint.textContent = labels.readout_hint;
      showStrip(model, page).catch(console.error);
      label(labels);
    }
    arrange();
  }

  /** Paint E once it has been fetched; the rows do not wait for it. */
  async function showStrip({ strip: sent, colours, labels, ids, columns }: Model, page: Page) {
    root.classList.toggle("picks", sent !== null);
    if (!sent) return;
    const sizes = { vocab_size: sent.vocab_size, d_model: columns };
    strip.setAttribute("aria-label", fillLabel(labels.strip, { ...sizes, marked: new Set(ids).size }));
    if (!isNewStrip([sent, colours])) return;
    const halves = await fetchData(sent.address, page);
    if (model?.strip?.address === sent.address)
      strip.replaceChildren(stripPicture(halves.slice(), sent, colourScale(colours, sent.limit)));
  }

  // Measures and lays out anew: after new data or a new size.
  function arrange() {
    if (!model || root.clientWidth === 0) return;
    const { rows: count, columns, firstPosition, causal } = model;
    const isSlide = document.body.dataset.present !== undefined;
    const isNarrow = root.clientWidth < NARROW;
    root.classList.toggle("narrow", isNarrow);
    root.classList.add("beside");
    const headsFit = bands.every(({ root: band, title }) => title.offsetWidth <= band.offsetWidth + BESIDE_GAP / 2);
    root.classList.remove("beside");
    const head = model.strip ? bands[0].title.offsetHeight : 0;
    const options = { isNarrow, isSlide, isTable: columns <= NARROW_TABLE, headsFit, head };
    rows = isSlide
      ? rowsLayout(count, maxFigureHeight() - steps.bar.offsetHeight, options)
      : rowsLayout(count, windowHeight() - (isNarrow ? BAR : heightAbove()), {
          ...options,
          most: (isEmbedded() ? 2 : 1) * windowHeight() - AROUND, // a frame grows, and should not scroll inside
        });
    root.classList.toggle("beside", rows.beside);
    root.style.setProperty("--count", String(count));
    root.style.setProperty("--row", `${rows.rowHeight}px`);
    root.style.setProperty("--visible", `${rows.height}px`);
    scroller.classList.toggle("long", rows.maxScroll > 0);
    scroller.style.height = spacer.style.height = "";
    const height = figure.offsetHeight;
    scroller.style.height = rows.maxScroll > 0 ? `${height}px` : "";
    spacer.style.height = rows.maxScroll > 0 ? `${height + rows.maxScroll}px` : "";
    const width = bands[0].cells.clientWidth;
    const characters = cellCharacters(columns, width, rows.rowHeight);
    root.style.setProperty("--number", `${numberSize(rows.rowHeight)}px`);
    bands.forEach((band, index) => {
      paintBand(band, model as Model, index, Math.max(1, Math.floor(width * deviceRatio())));
      writeNumbers(band, model as Model, index, characters);
      const ticks = axisTicks({ first: causal ? firstPosition : 0, columns }, width);
      band.axis.replaceChildren(
        ...ticks.map(({ at, share }) => {
          const tick = makeElement("span", { text: String(at) });
          tick.style.left = `${100 * share}%`;
          return tick;
        }),
      );
    });
    if (isSlide && !wasSlide && player.time === LAST) player.jump(0); // a speaker leads through the steps
    wasSlide = isSlide;
    if (moved) showRow(rowOf(link.chosen));
    moved = false;
    frames.now();
    viewState.restore();
  }

  /** Measured once for each size of the window: what is typed above must not change how the bands stand. */
  function heightAbove() {
    const size = `${window.innerWidth} ${window.innerHeight}`;
    if (place.size !== size) {
      const page = document.querySelector('[data-testid="stMain"]'); // a notebook has none, and its cells move
      const above = page ? figure.getBoundingClientRect().top + page.scrollTop : AROUND;
      place = { size, above: above < windowHeight() ? above : AROUND };
    }
    return place.above;
  }

  function draw() {
    if (!model || !rows) return;
    const shares = sharesAt(player.time);
    const [hovered, chosen] = [rowOf(link.hovered), rowOf(link.chosen)];
    const columns = cell ? columnsTogether(model, cell.column) : [];
    root.classList.toggle("unread", player.time < 1);
    root.classList.toggle("adding", shares[2] > 0 && shares[2] < 1);
    root.style.setProperty("--scroll", `${scroller.scrollTop}px`);
    root.style.setProperty("--added", String(shares[2]));
    for (const [index, band] of bands.entries()) {
      band.root.style.setProperty("--shown", String(shares[index]));
      placeMark(band.hovered, hovered === chosen ? null : hovered);
      placeMark(band.chosen, chosen);
      band.marks.forEach((mark, at) =>
        placeMark(mark, at < columns.length && cell ? cell.row : null, columns[at], model?.columns),
      );
    }
    if (model.strip) {
      const visible = model.ids.flatMap((_, index) => {
        const y = (index + 0.5) * (rows?.rowHeight ?? 0) - scroller.scrollTop;
        return y >= 0 && y <= strip.clientHeight ? [{ index, y }] : [];
      });
      const tokenRows = { ids: model.ids.map(Number), vocabSize: model.strip.vocab_size };
      drawLines(lines, strip, tokenRows, visible, { hovered, chosen });
    }
    const text = noteText(model, rows, scroller.scrollTop);
    if (note.textContent !== text) note.textContent = text;
    if (cell)
      tooltip.show(cellText(model, cell), bands[pointed.band].marks[cell.column === columns[1] ? 1 : 0], {
        announce: pointed.byKey,
      });
    else tooltip.hide();
    root.dataset.cell = cell ? `${cell.row},${cell.column}` : "";
  }

  function showRow(row: number | null) {
    if (row === null || !rows) return;
    const top = row * rows.rowHeight;
    const visible = rows.height;
    scroller.scrollTop = Math.min(top, Math.max(scroller.scrollTop, top + rows.rowHeight - visible));
    frames.schedule();
  }

  /** The cell under a pointer, without a column on a token's label. */
  function hit({ target, offsetX, offsetY }: MouseEvent) {
    if (!(target instanceof HTMLElement) || !model || !rows) return null;
    const band = bands.findIndex(({ root }) => root.contains(target));
    if (target === strip && model.strip) {
      const row = nearestRow(offsetY, model.ids.map(Number), model.strip.vocab_size, strip.clientHeight);
      return row === null ? null : { band, row, column: null };
    }
    if (target !== bands[band]?.cells) {
      const row = target.closest<HTMLElement>(".label")?.dataset.row;
      return row === undefined ? null : { band, row: Number(row), column: null };
    }
    const column = Math.floor((offsetX / target.clientWidth) * model.columns);
    const row = Math.floor(offsetY / rows.rowHeight);
    return row < model.rows && column >= 0 && column < model.columns ? { band, row, column } : null;
  }

  function pointAt(place: { row: number; column: number | null; band?: number } | null, byKey = false) {
    cell = place && place.column !== null ? { row: place.row, column: place.column } : null;
    pointed = { band: place?.band ?? 0, byKey };
    link.hover(place && positionOf(place.row));
    frames.schedule();
  }

  figure.addEventListener("pointermove", (event) => event.pointerType === "touch" || pointAt(hit(event)));
  figure.addEventListener("pointerleave", (event) => event.pointerType === "mouse" && pointAt(null)); // a tapped cell stays
  figure.addEventListener("click", (event) => {
    const place = hit(event);
    pointAt(place);
    if (place) link.toggle(positionOf(place.row));
  });
  figure.addEventListener("blur", () => pointAt(null));
  handleKeys(figure, (key) => {
    if (!model || !rows) return false;
    const start = { row: Math.ceil(scroller.scrollTop / rows.rowHeight), column: 0 };
    const next = nextInGrid(key, cell, model, { start, page: Math.max(1, Math.floor(rows.height / rows.rowHeight)) });
    if (next) {
      showRow(next.row);
      pointAt(next, true);
    } else if (isActivation(key)) link.toggle(positionOf(cell?.row ?? start.row));
    else if (key === "Escape") pointAt(null);
    else return false;
  });
  scroller.addEventListener("scroll", frames.schedule, { passive: true });

  const unsubscribe = link.subscribe(({ chosen, cause }) => {
    if (cause === "choose" && !figure.matches(":hover")) showRow(rowOf(chosen));
    frames.schedule();
  });
  const ends = [unsubscribe, watchSize(root, arrange), player.stop, frames.stop, tooltip.hide];
  return { receive, unmount: unmountFunction(root, ...ends) };
}

type Band = ReturnType<typeof makeBand>;

function makeBand(kind: (typeof KINDS)[number]) {
  const part = (className: string, ...children: Node[]) => makeElement("div", { className }, ...children);
  const sign = makeElement("span", { className: "sign", "aria-hidden": "true" });
  const name = makeElement("b");
  const scale = makeElement("small");
  const [labels, numbers, axis, axisName] = ["labels", "numbers", "axis", "axis-name"].map((name) => part(name));
  const canvas = makeElement("canvas", { testid: "sum-canvas" });
  const none = makeElement("p", { className: "none", testid: "sum-no-addition" });
  const marks = [part("mark"), part("mark")];
  const [hovered, chosen] = [part("mark hovered"), part("mark chosen")];
  const cells = makeElement(
    "div",
    { className: "cells", testid: "sum-cells" },
    part("picture", canvas, numbers),
    none,
    chosen,
    hovered,
    ...marks,
  );
  const size = part("size");
  const title = part("title", size, sign, name, scale);
  const root = part(`band ${kind}`, title, part("rows", labels, cells), axisName, axis);
  const names = { title, size, sign, name, scale, axisName, none };
  return { root, ...names, labels, canvas, numbers, axis, cells, hovered, chosen, marks };
}

/** Writes what stands beside the bands: their names, their rows' tokens, ids and positions. */
function fillBands(bands: Band[], { labels, tokens, ids, places, matrices, adds, pairs, strip, columns }: Model) {
  const sizes = strip && { vocab_size: countText(strip.vocab_size), d_model: countText(columns) };
  bands[0].size.textContent =
    sizes && [labels.rows, labels.columns].map((label) => fillLabel(label, sizes)).join(" · ");
  for (const [index, band] of bands.entries()) {
    const { limit } = matrices[index].scale;
    band.name.textContent = labels[`${KINDS[index]}_rows`];
    band.sign.textContent = [strip ? "→" : "", pairs ? "↻" : "+", "="][index];
    band.scale.textContent =
      limit === matrices[2].scale.limit ? "" : fillLabel(labels.own_scale, { limit: limitText(limit) });
    band.scale.style.setProperty("--stops", matrices[index].scale.stops.join(", "));
    band.axisName.textContent = labels.dimension;
    band.none.textContent = labels.no_addition;
    band.none.hidden = adds || index !== 1;
    band.labels.replaceChildren(
      ...tokens.map((token, row) => {
        const number = makeElement("small", { text: index === 0 ? ids[row] : String(places[row]) });
        const names = index === 1 ? [] : [tokenElement(token, { title: token })];
        return makeElement("div", { className: "label", "data-row": row }, ...names, number);
      }),
    );
  }
}

/** @param most columns of the picture: as many as the band has pixels */
function paintBand({ canvas }: Band, model: Model, index: number, most: number) {
  const matrix = model.matrices[index];
  const { values, shape, extent } = bandValues(matrix, model, most);
  const picture = paintIndices(colourIndices(values, matrix.scale), ...shape, matrix.scale);
  [canvas.height, canvas.width] = shape;
  canvas.style.width = `${(100 * shape[1]) / extent[1]}%`;
  canvasContext(canvas).drawImage(picture, 0, 0);
}

/** @param most characters of a cell */
function writeNumbers({ numbers }: Band, model: Model, index: number, most: number) {
  const { values, scale } = model.matrices[index];
  const cells = cellNumbers(model, index, most);
  const usual = Math.min(...cells.map(({ decimals }) => decimals || Infinity));
  numbers.style.gridTemplateColumns = `repeat(${model.columns}, 1fr)`;
  numbers.replaceChildren(
    ...cells.map(({ text, decimals }, at) => {
      const number = makeElement("span", { text });
      // Decimal points stand under each other, though some sums need more digits to add up.
      number.style.cssText = `color:${scale.ink(values[at])};padding-right:calc(50% - ${decimals - usual / 2 + 1}ch)`;
      return number;
    }),
  );
}

/** How much of each band is there at a time. */
export const sharesAt = (time: number) => [clamp01(time), clamp01(time - 1), clamp01((time - 2) / 2)];

/** @param row null hides the mark */
function placeMark(mark: HTMLElement, row: number | null, column = 0, columns = 1) {
  mark.hidden = row === null;
  mark.style.cssText = `top:calc(${row} * var(--row));left:${(100 * column) / columns}%;width:${100 / columns}%`;
}

/** What the bands do not show as it is: numbers beyond the scale, and tokens out of sight. */
export function noteText(
  { labels, rows: count, firstPosition, total, matrices }: Model,
  rows: Rows,
  scrollTop: number,
) {
  const { values, scale } = matrices[2];
  const shown = { first: firstPosition, last: firstPosition + count - 1, total };
  const [first, last] = [scrollTop, scrollTop + rows.height - 1].map(
    (y) => firstPosition + Math.floor(y / rows.rowHeight),
  );
  return [
    values.some((value) => Math.abs(value) > scale.limit) &&
      fillLabel(labels.clipped, { limit: limitText(scale.limit) }),
    count < total && fillLabel(labels.tokens_shown, shown),
    rows.maxScroll > 0 && fillLabel(labels.in_sight, { first, last }),
  ]
    .filter(Boolean)
    .join(" · ");
}

/** The pointer stays on its token when the rows are those of other positions; null where that is not shown any more. */
export function followed(
  { row, column }: GridCell,
  before: Pick<Model, "firstPosition">,
  now: Pick<Model, "firstPosition" | "rows" | "columns">,
): GridCell | null {
  const next = row + before.firstPosition - now.firstPosition;
  return next >= 0 && next < now.rows && column < now.columns ? { row: next, column } : null;
}
