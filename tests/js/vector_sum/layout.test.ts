// Three heatmaps side by side or stacked: where cells are, which are in sight, and what the window's controls do.

import assert from "node:assert/strict";
import test from "node:test";

import { badgeText } from "../../../ui/components/vector_sum/draw.ts";
import { followed } from "../../../ui/components/vector_sum/index.ts";
import {
  axisTicks,
  cellAt,
  columnLeft,
  nextCell,
  nextCellWidth,
  reveal,
  rowTop,
  scrollTo,
  sumLayout,
  wheelColumns,
  zoomed,
} from "../../../ui/components/vector_sum/layout.ts";
import { afterSign, cellTerms, isMasked, leastDecimals, sumOf } from "../../../ui/components/vector_sum/model.ts";
import { limitText, windowText } from "../../../ui/components/vector_sum/parts.ts";
import { seenAt } from "../../../ui/components/vector_sum/steps.ts";

const layoutOf = (changes: Partial<Parameters<typeof sumLayout>[0]> = {}) =>
  sumLayout({
    width: 1200,
    gutter: 100,
    nRows: 5,
    dModel: 768,
    wish: { first: 0, cellWidth: null },
    scrollTop: 0,
    ratio: 1,
    ...changes,
  });

test("three maps side by side leave room for tokens and signs, and fill the width to a few pixels", () => {
  for (const ratio of [1, 1.5, 2, 3])
    for (const width of [700, 999, 1000, 1400])
      for (const dModel of [2, 8, 64, 768]) {
        const { panels, between, cellWidth, mapWidth, shown, room } = layoutOf({ width, dModel, ratio });
        assert.equal(panels[0].x, 110);
        for (const index of [1, 2]) {
          assert.ok(Math.abs(panels[index].x - panels[index - 1].x - mapWidth - between) < 1e-9);
          assert.equal(panels[index].y, panels[0].y);
        }
        assert.ok(panels[2].x + mapWidth <= width, `${width} ${dModel}`);
        assert.ok(mapWidth <= room && room - mapWidth < shown / ratio + 1e-9);
        assert.ok(Math.abs(cellWidth * ratio - Math.round(cellWidth * ratio)) < 1e-9); // whole device pixels
      }
});

test("stacked maps stand under each other, each under its title", () => {
  const { panels, stacked, height, mapHeight } = layoutOf({ width: 400, gutter: 60 });
  assert.equal(stacked, true);
  assert.deepEqual(
    panels.map(({ x }) => x),
    [70, 70, 70],
  );
  assert.equal(panels[1].y - panels[0].y, mapHeight + 36);
  assert.equal(height, panels[2].y + mapHeight + 26);
});

test("rows are as tall as fits, and what does not fit is scrolled", () => {
  assert.equal(layoutOf({ nRows: 5 }).rowHeight, 44);
  assert.equal(layoutOf({ nRows: 9 }).rowHeight, Math.floor(220 / 9)); // in sight below the text at 1280 x 720
  assert.equal(layoutOf({ nRows: 20 }).rowHeight, 22);
  const long = layoutOf({ nRows: 64, scrollTop: 5000 });
  assert.equal(long.rowHeight, 22);
  assert.equal(long.mapHeight, 517);
  assert.equal(long.scroll, 64 * 22 - 517);
  assert.deepEqual([long.firstRow, long.lastRow], [Math.floor((64 * 22 - 517) / 22), 63]);
  scrollTo(long, 0);
  assert.deepEqual([long.firstRow, long.lastRow], [0, 23]);
  scrollTo(long, 22);
  assert.deepEqual([long.firstRow, long.lastRow], [1, 24]);
});

test("narrow tables are shown whole, wide ones in a window of cells six pixels wide", () => {
  assert.equal(layoutOf({ dModel: 64 }).shown, 64);
  const { shown, room } = layoutOf();
  assert.equal(shown, Math.floor(room / 6));
  assert.equal(layoutOf({ wish: { first: 700, cellWidth: 44 } }).shown, Math.floor(room / 44));
  assert.equal(layoutOf({ wish: { first: 9999, cellWidth: 44 } }).first, 768 - Math.floor(room / 44));
});

test("the middle of every cell in sight is found under its point, in each map", () => {
  for (const changes of [
    {},
    { width: 500, gutter: 70 },
    { nRows: 64, scrollTop: 30, wish: { first: 40, cellWidth: 16 } },
  ]) {
    const layout = layoutOf(changes);
    for (const panel of layout.panels)
      for (let row = layout.firstRow; row <= layout.lastRow; row += 1)
        for (const column of [layout.first, layout.first + 3, layout.first + layout.shown - 1]) {
          const y = rowTop(layout, panel, row) + layout.rowHeight / 2;
          if (y < panel.y || y >= panel.y + panel.height) continue;
          assert.deepEqual(cellAt(layout, columnLeft(layout, panel, column + 0.5), y), { row, column });
        }
  }
});

test("beside the maps lies a token or nothing", () => {
  const layout = layoutOf();
  const [first, second] = layout.panels;
  assert.deepEqual(cellAt(layout, 20, first.y + 50), { row: 1, column: null });
  assert.equal(cellAt(layout, second.x - 5, first.y + 50), null);
  assert.equal(cellAt(layout, 20, first.y - 1), null);
  assert.equal(cellAt(layout, 20, first.y + first.height), null);
});

test("a wider cell shows fewer columns, a narrower one more, and at the end there is none", () => {
  const measures = { room: 300, dModel: 768 };
  assert.equal(nextCellWidth({ ...measures, shown: 50 }, 1), 10);
  assert.equal(nextCellWidth({ ...measures, shown: 50 }, -1), 4);
  assert.equal(nextCellWidth({ ...measures, shown: 3 }, 1), null);
  assert.equal(nextCellWidth({ ...measures, shown: 300 }, -1), null);
  assert.equal(nextCellWidth({ ...measures, dModel: 2, shown: 2 }, 1), null);
});

test("zooming keeps the column pointed at where it is", () => {
  const layout = { room: 600, dModel: 768, shown: 100, first: 200 };
  const wish = zoomed(layout, 10, 225); // 60 columns, a quarter of the way from the left
  assert.deepEqual(wish, { first: 225 - 0.25 * 60, cellWidth: 10 });
  assert.deepEqual(zoomed(layout, 10, null), { first: 250 - 30, cellWidth: 10 });
});

test("a cell out of sight is brought in by the least that is needed", () => {
  const layout = { first: 10, shown: 5, scroll: 44, rowHeight: 22, mapHeight: 66 };
  assert.deepEqual(reveal(layout, { row: 3, column: 12 }), { first: 10, scroll: 44 });
  assert.deepEqual(reveal(layout, { row: 1, column: 9 }), { first: 9, scroll: 22 });
  assert.deepEqual(reveal(layout, { row: 5, column: 15 }), { first: 11, scroll: 66 });
  assert.deepEqual(reveal(layout, { row: 0, column: null }), { first: 10, scroll: 0 });
});

test("keys go from cell to cell and by windows; the first only shows where the pointer is", () => {
  const layout = { firstRow: 2, first: 30, shown: 10, nRows: 5, dModel: 50 };
  assert.deepEqual(nextCell("ArrowDown", null, layout), { row: 2, column: 30 });
  const expected = {
    ArrowLeft: [3, 34],
    ArrowRight: [3, 36],
    ArrowUp: [2, 35],
    ArrowDown: [4, 35],
    PageUp: [3, 25],
    PageDown: [3, 45],
    Home: [3, 0],
    End: [3, 49],
  };
  for (const [key, [row, column]] of Object.entries(expected))
    assert.deepEqual(nextCell(key, { row: 3, column: 35 }, layout), { row, column }, key);
  assert.deepEqual(nextCell("ArrowDown", { row: 4, column: 0 }, layout), { row: 4, column: 0 });
  assert.deepEqual(nextCell("PageDown", { row: 0, column: 45 }, layout), { row: 0, column: 49 });
  assert.equal(nextCell("x", null, layout), null);
});

test("the wheel slides the window only sideways, and only where there is more", () => {
  const layout = { shown: 100, dModel: 768, cellWidth: 8 };
  const wheel = { shiftKey: false, deltaX: 0, deltaY: 0, lines: false };
  assert.equal(wheelColumns({ ...wheel, deltaX: 16 }, layout), 2);
  assert.equal(wheelColumns({ ...wheel, deltaX: 1, lines: true }, layout), 3);
  assert.equal(wheelColumns({ ...wheel, deltaX: -8, deltaY: 9 }, layout), null);
  assert.equal(wheelColumns({ ...wheel, shiftKey: true, deltaY: -40 }, layout), -5);
  assert.equal(wheelColumns({ ...wheel, deltaY: 40 }, layout), null);
  assert.equal(wheelColumns({ ...wheel, deltaX: 16 }, { ...layout, cellWidth: 2 }), 4);
  assert.equal(wheelColumns({ ...wheel, deltaX: 16 }, { ...layout, shown: 768 }), null);
});

test("numbers on the axis are round, inside the window, and at least 40 pixels apart", () => {
  assert.deepEqual(axisTicks({ first: 0, shown: 12, cellWidth: 16 }), [0, 5, 10]);
  assert.deepEqual(axisTicks({ first: 101, shown: 60, cellWidth: 4 }), [110, 120, 130, 140, 150, 160]);
  assert.deepEqual(axisTicks({ first: 3, shown: 3, cellWidth: 76 }), [3, 4, 5]);
  assert.deepEqual(axisTicks({ first: 0, shown: 300, cellWidth: 1 }), [0, 50, 100, 150, 200, 250]);
});

test("the pointer stays on its token when the rows shown are others", () => {
  const now = { firstPosition: 12, nRows: 4, dModel: 8 };
  assert.deepEqual(followed({ row: 3, column: 5 }, { firstPosition: 10 }, now), { row: 1, column: 5 });
  assert.equal(followed({ row: 1, column: 5 }, { firstPosition: 10 }, now), null);
  assert.equal(followed({ row: 4, column: 5 }, { firstPosition: 12 }, now), null);
  assert.equal(followed({ row: 3, column: 8 }, { firstPosition: 10 }, now), null);
});

test("sums are those of float32, and are written with the signs between them", () => {
  const [first, second] = [Float32Array.of(0.1, 2 ** 24, 2), Float32Array.of(-0.25, 1, 3)];
  assert.deepEqual([...sumOf(first, second)], [Math.fround(first[0] - 0.25), 2 ** 24, 5]);
  const model = {
    maps: [first, second, sumOf(first, second)].map((values) => ({ values })),
    decimals: 3,
    dModel: 1,
    sums: true,
  };
  const sum = cellTerms(model as any, { row: 0, column: 0 });
  assert.deepEqual(
    [0, 1, 2].map((index) => badgeText(sum, "+", index)),
    ["0.100", "+ (−0.250)", "= −0.150"],
  );
  const across = { ...model, dModel: 2 };
  assert.equal(cellTerms(across as any, { row: 1, column: 0 }).terms[2], "5.000");
});

test("what is turned is written as it was sent, and keys after the query are masked", () => {
  const maps = [0.5, -1.25, 2].map((value) => ({ values: Float32Array.of(value) }));
  const model = { maps, decimals: 3, dModel: 1, sums: false } as any;
  assert.deepEqual(cellTerms(model, { row: 0, column: 0 }).terms, ["0.500", "−1.250", "2.000"]);
  assert.deepEqual(["−1.250", "1.250"].map(afterSign), ["(−1.250)", "1.250"]);
  const masked = (causal: boolean) => [0, 1, 2].map((column) => isMasked({ causal }, { row: 1, column }));
  assert.deepEqual(masked(true), [false, false, true]);
  assert.deepEqual(masked(false), [false, false, false]);
});

test("narrow tables have four decimals where one of their sums needs more than three", () => {
  assert.equal(leastDecimals(Float32Array.of(0.5), Float32Array.of(0.25), 8), 3);
  const [a, b] = [Float32Array.of(0.0004), Float32Array.of(0.0004)];
  assert.equal(leastDecimals(a, b, 8), 4);
  assert.equal(leastDecimals(a, b, 9), 3);
});

test("the maps come one after the other, and the sum last", () => {
  assert.deepEqual(seenAt(0), { maps: [0, 0, 0], plus: 0, equals: 0 });
  assert.deepEqual(seenAt(1), { maps: [1, 0, 0], plus: 0, equals: 0 });
  assert.deepEqual(seenAt(2), { maps: [1, 1, 0], plus: 0, equals: 0 });
  assert.deepEqual(seenAt(3), { maps: [1, 1, 0], plus: 1, equals: 0 });
  assert.deepEqual(seenAt(3.25), { maps: [1, 1, 0], plus: 1, equals: 0.5 });
  assert.deepEqual(seenAt(4), { maps: [1, 1, 1], plus: 1, equals: 1 });
});

test("what the window shows is said, and which rows are in sight", () => {
  const names = ["all_dimensions", "dimensions_shown", "all_tokens", "tokens_shown", "in_sight"];
  const labels = Object.fromEntries(names.map((name) => [name, `${name} {first} {last} {d_model} {total}`]));
  const model = { labels, nRows: 4, dModel: 8, firstPosition: 10, total: 20 };
  const layout = { first: 2, shown: 5, firstRow: 1, lastRow: 2, maxScroll: 40 };
  const [dimensions, tokens, sight] = windowText(model, layout).split(" · ");
  assert.equal(dimensions, "dimensions_shown 2 6 8 {total}");
  assert.equal(tokens, "tokens_shown 10 13 {d_model} 20");
  assert.equal(sight, "in_sight 11 12 {d_model} {total}");
  const all = windowText({ ...model, total: 4 }, { ...layout, shown: 8, maxScroll: 0 });
  assert.match(all, /^all_dimensions .* · all_tokens [^·]*$/);
});

test("the end of the scale has the digits that matter", () => {
  const expected = { 2.5: "2.50", 12.34: "12.3", 0.00123: "0.00123", 12345: "1.23e+4" };
  for (const [limit, text] of Object.entries(expected)) assert.equal(limitText(Number(limit)), text);
});
