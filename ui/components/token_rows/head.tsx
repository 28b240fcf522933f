// Around the lines: the counts of each tokenizer with its token under the pointer, and the ways to the next difference
// and to the next lines.

import { setIcon } from "../_shared/icons.ts";
import { countText, decimalText, listText } from "../_shared/numbers.ts";
import { fillLabel } from "../_shared/text.ts";
import { type Model, type Place, placeBeside, type Row, sharingTokens, tokensAt, tokenText } from "./columns.ts";

interface Pointed {
  model: Model;
  column: number | null;
  cursor: Place | null;
}

/** The counts, and the token that each row has at a column. */
export function Counts({ model, column, cursor }: Pointed) {
  const { labels, rows } = model;
  const most = Math.max(1, ...rows.map((row) => row.count));
  return (
    <table data-testid="token-counts" aria-label={labels.counts}>
      <thead>
        <tr>
          <th>{labels.tokenizer}</th>
          <th colSpan={2}>{labels.tokens}</th>
          <th class="ratio">{labels.characters_per_token}</th>
          <th class="ratio">{labels.bytes_per_token}</th>
          <th class="here">{column === null ? "" : fillLabel(labels.here, { character: model.characters[column] })}</th>
        </tr>
      </thead>
      <tbody>
        {rows.map((row, index) => (
          <tr class={cursor?.row === index ? "now" : ""} data-testid="token-count">
            <th scope="row">{row.title}</th>
            <td class="number">
              {countText(row.count)}
              {row.unknown > 0 && <small>{unknownText(model, row)}</small>}
            </td>
            <td class="bar" aria-hidden="true">
              <i class={row.unknown > 0 ? "hatched" : ""} style={{ width: `${(100 * row.count) / most}%` }} />
            </td>
            <td class="ratio">{ratioText(row, row.characters_per_token)}</td>
            <td class="ratio">{ratioText(row, row.bytes_per_token)}</td>
            <td class="here">
              {column !== null && (
                <Here {...{ model, row, column }} token={cursor?.row === index ? cursor.token : null} />
              )}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

const unknownText = ({ labels }: Model, row: Row) =>
  row.unknown === row.count ? labels.all_unknown : fillLabel(labels.unknown, { count: countText(row.unknown) });

/** A ratio says something where there are tokens and each holds what it stands for. */
export function ratioText(row: Row, ratio: number | null) {
  if (ratio === null) return "–";
  return row.unknown > 0 ? "?" : decimalText(ratio, 2);
}

/** The token that is pointed at, or the only one at a column, or how many there are. */
function Here({ model, row, column, token }: { model: Model; row: Row; column: number; token: number | null }) {
  const { labels } = model;
  const [start, stop] = tokensAt(row, column);
  const one = token ?? (stop - start === 1 ? start : null);
  if (one === null)
    return <i>{stop > start ? fillLabel(labels.parts_here, { parts: stop - start }) : labels.nothing_here}</i>;
  const [from, to] = sharingTokens(row, one);
  const part = fillLabel(labels.part_of, { part: one - from + 1, parts: to - from + 1 });
  return (
    <>
      <bdi>{tokenText(model, row, one)}</bdi> {row.ids[one]}
      {to > from && ` · ${part}`}
    </>
  );
}

/** Each row's tokens at a column: "gpt2: ‘·cat’ 3797". */
export function tokensAtText(model: Model, column: number): string[] {
  const { labels } = model;
  const tokens = model.rows.map((row) => {
    const [start, stop] = tokensAt(row, column);
    const tokenizer = row.title;
    if (stop - start === 1)
      return fillLabel(labels.one_of_chosen, { tokenizer, label: tokenText(model, row, start), id: row.ids[start] });
    const words = stop > start ? fillLabel(labels.parts_here, { parts: stop - start }) : labels.nothing_here;
    return fillLabel(labels.none_of_chosen, { tokenizer, words });
  });
  return [fillLabel(labels.here, { character: model.characters[column] }), ...tokens];
}

/** "gpt2, token 3 of 9: ‘·cat’, id 3797". */
export function tokenSentence(model: Model, { row: index, token }: Place) {
  const row = model.rows[index];
  return fillLabel(model.labels.readout, {
    tokenizer: row.title,
    number: countText(token + 1),
    count: countText(row.count),
    label: tokenText(model, row, token),
    id: row.ids[token],
  });
}

interface StepsProps {
  testid: string;
  names: [before: string, next: string];
  canStep: [before: boolean, next: boolean];
  onStep: (step: 1 | -1) => void;
  text: string;
  textId: string;
}

/** Two buttons that lead on and back, and a text on where one is. */
function Steps({ testid, names, canStep, onStep, text, textId }: StepsProps) {
  return (
    <div class="steps">
      {([-1, 1] as const).map((step, index) => (
        <button
          type="button"
          class="button"
          data-testid={`${testid}-${["before", "next"][index]}`}
          aria-label={names[index]}
          title={names[index]}
          disabled={!canStep[index]}
          onClick={() => onStep(step)}
          ref={(button) => void (button && setIcon(button, index ? "forward" : "back"))}
        />
      ))}
      <span data-testid={textId}>{text}</span>
    </div>
  );
}

/** The differences between the rows, and where they are none, why. */
export function Differences({
  model,
  column,
  onStep,
}: {
  model: Model;
  column: number | null;
  onStep: (step: 1 | -1) => void;
}) {
  const { differing, labels, place } = model;
  const number = column === null ? 0 : place[column] + 1;
  const empty = model.rows.filter((row) => row.count === 0).map((row) => row.title);
  const agreeing = empty.length > 0 ? fillLabel(labels.some_empty, { names: listText(empty) }) : labels.all_agree;
  const template = number > 0 ? labels.place : ([agreeing, labels.one_place][differing.length] ?? labels.no_place);
  const text = fillLabel(template, { number, count: differing.length });
  if (differing.length === 0) return <span data-testid="place">{text}</span>;
  const canStep: [boolean, boolean] = [placeBeside(model, column, -1) !== null, placeBeside(model, column, 1) !== null];
  return <Steps testid="place" textId="place" names={[labels.before, labels.next]} {...{ canStep, onStep, text }} />;
}

/** Which lines are in sight, and the way to the others. */
export function LinesInSight({
  model,
  first,
  shown,
  count,
  onStep,
}: {
  model: Model;
  first: number;
  shown: number;
  count: number;
  onStep: (step: 1 | -1) => void;
}) {
  const { labels } = model;
  const last = Math.min(count, first + shown);
  const values = { first: countText(first + 1), last: countText(last), count: countText(count) };
  const text = fillLabel(shown === 1 ? labels.line : labels.lines, values);
  const canStep: [boolean, boolean] = [first > 0, last < count];
  return (
    <Steps
      testid="lines"
      textId="lines"
      names={[labels.lines_before, labels.lines_next]}
      {...{ canStep, onStep, text }}
    />
  );
}
