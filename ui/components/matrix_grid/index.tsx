// Matrices side by side. One pointer for all: the row under it is marked in every panel and in every other view of the
// page, and each panel reads out its own value of the same cell.

import { keyListener, nextInGrid } from "../_shared/keys.ts";
import { quotedText } from "../_shared/numbers.ts";
import { unpackPayload } from "../_shared/payload.ts";
import { fillLabel } from "../_shared/text.ts";
import { preactComponent, useComputed, useLink, useRef, useState, useTooltip } from "../_shared/view.ts";
import { type Cell, cellAt, cellBox, GridPanel, type Header, type Matrix, valueText } from "./panel.tsx";

type Cursor = Cell & { panel: number };

export default preactComponent<Uint8Array>(({ data }) => {
  const { header, matrices } = useComputed(data, readPanels);
  const root = useRef<HTMLDivElement>(null);
  const tooltip = useTooltip(root, { testid: "grid-readout" });
  const [cursor, setCursor] = useState<Cursor | null>(null);
  const link = useLink();

  function point(next: Cursor | null, at?: MouseEvent, announce = false) {
    setCursor(next);
    if (header.linked) link.hover(next?.row ?? null);
    const matrix = next && matrices[next.panel];
    const frame = next && root.current?.querySelectorAll(".frame")[next.panel];
    if (!matrix || !frame) return tooltip.current?.hide();
    const lines = [...cellNames(header, next), valueText(matrix, next, header.labels)];
    tooltip.current?.show(lines, at ?? cellBox(frame.getBoundingClientRect(), matrix.shape, next), { announce });
  }

  const onKeyDown = keyListener((key) => {
    const panel = cursor?.panel ?? matrices.findIndex(Boolean);
    const matrix = matrices[panel];
    if (!matrix) return false;
    const [rows, columns] = matrix.shape;
    const next = nextInGrid(key, cursor, { rows, columns }, { start: { row: header.chosen ?? 0, column: 0 } });
    if (next) point({ ...next, panel }, undefined, true);
    else if (key === "Enter" && cursor && header.linked) link.choose(cursor.row);
    else if (key === "Escape") point(null);
    else return false;
  });

  return (
    <div className="grid-root" data-testid="matrix-grid" ref={root}>
      {/* biome-ignore lint/a11y/useSemanticElements: a fieldset holds controls */}
      <div
        className={panelsClass(header.panels)}
        role="group"
        // biome-ignore lint/a11y/noNoninteractiveTabindex: arrow keys move through its cells
        tabIndex={0}
        data-testid="grid-panels"
        aria-label={header.labels.hint}
        style={{ "--count": header.panels.length }}
        onKeyDown={onKeyDown}
        onBlur={() => cursor && point(null)}
      >
        {header.panels.map((spec, index) => {
          const matrix = matrices[index];
          const cursorAt = (event: MouseEvent) =>
            matrix && { ...cellAt(matrix.shape, event, event.currentTarget as Element), panel: index };
          return (
            <GridPanel
              key={index}
              spec={spec}
              matrix={matrix}
              header={header}
              front={index === header.front}
              hovered={(header.linked ? link.hovered : null) ?? cursor?.row ?? null}
              cursor={cursor}
              onPointerMove={(event: PointerEvent) => point(cursorAt(event), event)}
              onPointerLeave={() => point(null)}
              onClick={(event: MouseEvent) => {
                const next = cursorAt(event);
                point(next, event);
                if (header.linked) link.choose(next?.row);
              }}
            />
          );
        })}
      </div>
    </div>
  );
});

/** Class of the panels: whether they stand in fours, and whether each has many more columns than rows. */
function panelsClass(panels: Header["panels"]) {
  const isWide = panels.every(({ shape }) => shape && shape[1] >= 4 * shape[0]);
  return `panels${[7, 8].includes(panels.length) ? " fours" : ""}${isWide ? " wide" : ""}`;
}

function readPanels(data: Uint8Array) {
  const { header, numbers } = unpackPayload<Header>(data);
  const matrices = header.panels.map(
    ({ shape }): Matrix | null => shape && { shape, values: numbers(shape[0] * shape[1]) },
  );
  return { header, matrices };
}

/**
 * Names of a cell in each picture that has it, its own picture first: rows and columns are not of one kind in all of
 * them.
 */
export function cellNames(
  { panels, tokens, labels }: Pick<Header, "panels" | "tokens" | "labels">,
  { row, column, panel }: Cursor,
) {
  const positionName = (position: number) =>
    position < tokens.length ? `${position} ${quotedText(tokens[position])}` : String(position);
  const names = [panels[panel], ...panels]
    .filter(({ shape }) => shape && row < shape[0] && column < shape[1])
    .map(({ rows, columns, positions }) => {
      const columnName = positions ? positionName(column) : String(column);
      return fillLabel(labels.cell, { rows, row: positionName(row), columns, column: columnName });
    });
  return [...new Set(names)];
}
