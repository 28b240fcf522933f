// The three tables: one-hot rows, the rows of E that are drawn, and the token rows that lookup or product give.

import { Fragment } from "preact";
import { countText, decimalText } from "../_shared/numbers.ts";
import { fillLabel } from "../_shared/text.ts";
import type { Cell, Model, Token } from "./model.ts";

/** What the tables show of the model. */
interface View {
  model: Model;
  dimensions: number[]; // in sight
  cell: Cell | null; // under the pointer, or focused
  marks: { hovered: number | null; chosen: number | null; focus: number }; // positions of tokens
  isLookedUp: boolean; // whether the token rows come from the lookup; else they come from the product
  isStacked: boolean; // whether the tables stand under each other
}

const classes = (...names: (string | false | 0)[]) => names.filter(Boolean).join(" ");

export function Tables({ model, dimensions, cell, marks, isLookedUp, isStacked }: View) {
  const { rows, tokens, labels, scale, k, vocab_size, d_model } = model;
  const lastId = rows[rows.length - 1].id;
  const focusId = tokens.find(({ position }) => position === marks.focus)?.id;

  const title = (name: string, ...shape: number[]) => (
    <caption>
      {name} <small>{shape.map(countText).join(" × ")}</small>
    </caption>
  );
  const heading = (number: number, className = "") => (
    <th scope="col" key={number} class={className}>
      <span>{number}</span>
    </th>
  );
  const tokenHeading = ({ label, id }: Token) => (
    <>
      <th scope="row" class="name">
        <bdi dir="ltr">{label}</bdi>
      </th>
      <td class="id">{id}</td>
    </>
  );
  const gap = (count: number) =>
    count > 0 && (
      <tr class="gap">
        <td colSpan={3 + dimensions.length}>{fillLabel(labels.gap, { count: countText(count) })}</td>
      </tr>
    );
  /** Which of the marks a row has, given the tokens that it belongs to. */
  const marksOfRow = (belongs: (token: Token) => boolean) =>
    Object.entries(marks)
      .filter(([, position]) => tokens.some((token) => token.position === position && belongs(token)))
      .map(([name]) => name)
      .join(" ");
  const cellAttributes = (table: Cell["table"], row: number, column: number, className: string) => {
    const isHere = cell?.table === table && cell.row === row && cell.column === column;
    // A number of a token row stands in E too.
    const isCopied = cell?.table === "result" && table === "matrix" && cell.column === column;
    const isPointed = isHere || (isCopied && rows[row].id === tokens[cell.row].id);
    const start = table === "hot" ? rows.findIndex(({ id }) => id === tokens[0].id) : dimensions[0];
    const isTabStop = cell?.table === table ? isHere : row === 0 && column === start;
    return {
      key: column,
      class: classes(className, isPointed && "pointed"),
      tabIndex: isTabStop ? 0 : -1,
      "data-cell": `${table} ${row} ${column}`,
    };
  };
  const numbers = (table: Cell["table"], row: number, values: Float32Array) =>
    dimensions.map((dimension) => (
      <td
        {...cellAttributes(table, row, dimension, "number")}
        style={{ background: scale.css(values[dimension]), color: scale.ink(values[dimension]) }}
      >
        {decimalText(values[dimension], 4)}
      </td>
    ));

  return (
    <>
      <table class="hot">
        {title(labels.one_hot, tokens.length, vocab_size)}
        <thead>
          <tr>
            <td />
            <th scope="col">{labels.id}</th>
            {rows.map(({ id, skipped }) =>
              heading(id, classes("place", skipped && "skipped", lastId > 999 && "upright")),
            )}
          </tr>
        </thead>
        <tbody>
          {tokens.map((token, row) => (
            <tr key={token.position} class={marksOfRow((other) => other === token)}>
              {tokenHeading(token)}
              {rows.map(({ id, skipped }, column) => (
                <td
                  {...cellAttributes(
                    "hot",
                    row,
                    column,
                    classes("place", skipped && "skipped", id === token.id && "one"),
                  )}
                >
                  {Number(id === token.id)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      <b class="sign times" aria-hidden="true">
        ×
      </b>
      <table class="matrix">
        {title(labels.table, vocab_size, d_model)}
        <thead>
          <tr>
            <th colSpan={3}>{labels.dimension}</th>
            {dimensions.map((dimension) => heading(dimension))}
          </tr>
        </thead>
        <tbody>
          {rows.map(({ id, name, values, skipped }, row) => (
            <Fragment key={id}>
              {gap(skipped)}
              <tr class={marksOfRow((token) => token.id === id)} data-id={id}>
                <td class="name">
                  <bdi dir="ltr">{name}</bdi>
                </td>
                <th scope="row" class="id">
                  {id}
                </th>
                <td class={classes("place", "factor", id === focusId && "one")}>{Number(id === focusId)}</td>
                {numbers("matrix", row, values)}
              </tr>
            </Fragment>
          ))}
          {gap(vocab_size - lastId - 1)}
        </tbody>
      </table>
      <b class="sign equals" aria-hidden="true">
        =
      </b>
      <table class="result">
        {title(labels.result, tokens.length, d_model)}
        <thead>
          <tr>
            {isStacked && <td colSpan={2} />}
            {dimensions.map((dimension) => heading(dimension))}
          </tr>
        </thead>
        <tbody>
          {tokens.map((token, row) => (
            <tr key={token.position} class={marksOfRow((other) => other === token)} data-id={token.id}>
              {isStacked && tokenHeading(token)}
              {numbers("result", row, isLookedUp ? token.looked : token.product)}
              <td class="tick">{token.equal === k ? "✓" : "✗"}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </>
  );
}
