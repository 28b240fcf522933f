// One line of the text: its characters, and under them a row of chips for each tokenizer. All are items of one grid
// whose columns are the characters, so that the browser makes a column as wide as its widest part in any row.

import { makeElement } from "../_shared/elements.ts";
import { fillLabel, runsAgainst } from "../_shared/text.ts";
import { render } from "../_shared/view.ts";
import {
  chipLabel,
  isSmall,
  type Line,
  MAX_PARTS,
  type Model,
  sharingTokens,
  tokenCharacters,
  tokensAt,
} from "./columns.ts";

// Letters that may stand apart, each in its column; those of other scripts join or stack.
const APART =
  /^[\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Common}]*$/u;

export function lineElement(model: Model, line: Line) {
  const root = makeElement("div", { className: "line", dir: model.along });
  root.style.setProperty("--columns", String(line.stop - line.start));
  render(<LineContent model={model} line={line} />, root);
  return root;
}

/** Grid lines between which columns lie; those beyond the line of text are cut off. The first track has the names. */
function gridColumn(line: Line, first: number, last: number) {
  return `${Math.max(first, line.start) - line.start + 2} / ${Math.min(last + 1, line.stop) - line.start + 2}`;
}

function LineContent({ model, line }: { model: Model; line: Line }) {
  const columns = Array.from({ length: line.stop - line.start }, (_, index) => line.start + index);
  const bands = columns.filter(
    (c) => model.place[c] >= 0 && (c === line.start || model.place[c] !== model.place[c - 1]),
  );
  return (
    <>
      <div class="row">
        {bands.map((column) => (
          <div
            class="band"
            style={{ gridColumn: gridColumn(line, column, model.differing[model.place[column]][1] - 1) }}
          />
        ))}
        {columns.map((column) => (
          <bdi
            class={isSmall(model.characters[column]) ? "character small" : "character"}
            data-column={column}
            style={{ gridColumn: gridColumn(line, column, column) }}
          >
            {model.characters[column]}
          </bdi>
        ))}
      </div>
      {model.rows.map((row, index) => (
        <div class="row" data-row={index}>
          <b class="name">{row.title}</b>
          {chipGroups(model, index, line)}
        </div>
      ))}
    </>
  );
}

/** The chips of a row in a line; those that share a column are one item of the grid. */
function chipGroups(model: Model, index: number, line: Line) {
  const row = model.rows[index];
  const groups = [];
  for (let [token] = tokensAt(row, line.start); token < row.count && row.first[token] < line.stop; token += 1) {
    const [from, to] = sharingTokens(row, token);
    const style = { gridColumn: gridColumn(line, row.first[token], row.last[token]) };
    if (from === to) {
      groups.push(<Chip {...{ model, index, token, line, style }} />);
      continue;
    }
    const parts = [];
    const first = token;
    for (; token <= to && row.first[token] < line.stop; token += 1) {
      const crowd = token === from + MAX_PARTS && to > token ? to - token + 1 : 0;
      parts.push(<Chip {...{ model, index, token, line, crowd }} />);
      if (crowd) token = to;
    }
    token -= 1;
    const gridColumnOfAll = gridColumn(line, row.first[first], row.last[token]);
    groups.push(
      <div class="sharing" style={{ gridColumn: gridColumnOfAll }}>
        {parts}
      </div>,
    );
  }
  return groups;
}

interface ChipProps {
  model: Model;
  index: number;
  token: number;
  line: Line;
  style?: { gridColumn: string };
  crowd?: number;
}

function Chip({ model, index, token, line, style, crowd }: ChipProps) {
  const row = model.rows[index];
  const [first, last] = [row.first[token], row.last[token]];
  const [begins, ends] = [first >= line.start, last < line.stop];
  const { label, mark = "" } = chipLabel(model, row, token);
  const look = [
    "token-chip chip",
    label !== undefined && (style ? "other" : "part"),
    !begins && "from-before",
    !ends && "goes-on",
  ];
  // Part of a character is named where the character is.
  const small = crowd ? fillLabel(model.labels.crowd, { count: crowd }) : style || ends ? label : undefined;
  let letters = tokenCharacters(model, row, token).slice(Math.max(0, line.start - first), line.stop - first);
  // A mark takes the place of the space that it stands for; else it is beside the letters, which it does not move.
  const isSpace = mark && begins && letters[0] === "·";
  if (isSpace) letters[0] = mark;
  const text = letters.join("");
  if (!style || !(APART.test(text) || runsAgainst(text, model.along))) letters = [text];
  return (
    <div class={look.filter(Boolean).join(" ")} style={style} data-token={token}>
      {mark && begins && !isSpace && <small class={mark === "▁" ? "space" : ""}>{mark}</small>}
      {small !== undefined && <bdi class="small">{small}</bdi>}
      {small === undefined &&
        letters.map((letter) => <bdi class={isSmall(letter) ? "letter small" : "letter"}>{letter}</bdi>)}
    </div>
  );
}
