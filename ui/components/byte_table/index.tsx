// Characters, their code points, their bytes and their tokens; only the rows in sight are elements. The page's one
// pointer counts characters: with one of them all bytes of the tokens that hold it are marked.

import type { ComponentChildren } from "preact";
import { makeElement } from "../_shared/elements.ts";
import { handleKeys, isActivation, nextInList } from "../_shared/keys.ts";
import { type ParentElement, persistentComponent, unmountFunction, watchSize } from "../_shared/lifecycle.ts";
import { link } from "../_shared/link.ts";
import { changeDetector } from "../_shared/payload.ts";
import { createTooltip } from "../_shared/tooltip.ts";
import { render } from "../_shared/view.ts";
import { registerScroll } from "../_shared/view_state.ts";
import { virtualList } from "../_shared/virtual_list.ts";
import {
  arrangeRows,
  type ByteGroup,
  bitsText,
  bytesOf,
  type Character,
  type Data,
  describeCharacter,
  groupBytes,
  hexText,
  leadBits,
  type Row,
  readCharacters,
  tokensOf,
} from "./rows.ts";

const ROW_HEIGHT = 96; // px

export default persistentComponent(mountBytes);

function mountBytes(parentElement: ParentElement) {
  const lead = makeElement("p", { className: "lead" });
  const body = makeElement("div", { className: "body" });
  const scroller = makeElement(
    "div",
    { className: "scroller", role: "group", tabindex: "0", testid: "byte-table" },
    body,
  );
  const root = makeElement("div", { className: "bytes-root" }, lead, scroller);
  parentElement.append(root);

  const isNew = changeDetector();
  const tooltip = createTooltip(root, { testid: "byte-readout" });
  const viewState = registerScroll(root, scroller);
  let data: Data | null = null;
  let characters: Character[] = [];
  let rows: Row[] = [];
  let acting = false;
  const list = virtualList(scroller, body, (index) => rowElement(rows[index], data as Data), paint);

  function receive(next: Data) {
    if (!isNew(next)) return;
    data = next;
    characters = readCharacters(data);
    const { labels } = data;
    const sizes = characters.map((character) => bytesOf(character).length);
    const hints = [sizes.includes(1) && labels.single, sizes.some((size) => size > 1) && labels.lead];
    render(characters.length ? hints.map((hint) => hint && <span>{hint}</span>) : labels.empty, lead);
    scroller.setAttribute("aria-label", labels.figure);
    scroller.hidden = !characters.length;
    arrange();
    viewState.restore();
  }

  function arrange() {
    if (!body.clientWidth || !data) return;
    rows = arrangeRows(characters, body.clientWidth - 20, data.token_of_byte);
    list.resize(rows.length, ROW_HEIGHT);
    paint();
  }

  const characterAt = (column: number | null) =>
    column !== null && data ? characters[column - data.first_column] : undefined;

  function paint() {
    for (const name of ["hovered", "chosen"] as const) {
      const character = characterAt(link[name]);
      const tokens = character && data ? tokensOf(character, data) : new Set();
      for (const part of body.querySelectorAll<HTMLElement>("[data-column], [data-token]")) {
        const { column, token } = part.dataset;
        part.classList.toggle(name, column ? Number(column) === character?.column : tokens.has(Number(token)));
      }
    }
  }

  function point(column: number | null) {
    acting = true;
    link.hover(column);
    acting = false;
  }

  function reveal({ column }: Character) {
    const first = rows.findIndex((row) => row.characters.some((each) => each.column === column));
    list.scrollTo(first, rows.filter((row) => row.characters[0].column === column).length || 1);
  }

  function explain(character: Character, announce = false) {
    const at = body.querySelector(`[data-column="${character.column}"]`);
    if (data && at) tooltip.show(describeCharacter(character, data), at, { announce });
  }

  const characterUnder = (event: Event) => {
    const column = (event.target as Element).closest<HTMLElement>("[data-at]")?.dataset.at;
    return column ? characterAt(Number(column)) : undefined;
  };
  scroller.addEventListener("pointerover", (event) => {
    const character = characterUnder(event);
    if (event.pointerType === "touch" || !character) return;
    point(character.column);
    if (bytesOf(character).length === 1) explain(character);
    else tooltip.hide();
  });
  scroller.addEventListener("pointerleave", () => {
    tooltip.hide();
    point(null);
  });
  scroller.addEventListener("click", (event) => {
    const character = characterUnder(event);
    if (!character) return;
    acting = true;
    link.toggle(character.column);
    acting = false;
    if (bytesOf(character).length === 1) explain(character);
  });
  handleKeys(scroller, (key) => {
    if (!data || !characters.length) return false;
    const hovered = characterAt(link.hovered);
    const here = (hovered ?? characterAt(link.chosen) ?? characters[0]).column - data.first_column;
    const next = nextInList(key, here, characters.length, 5);
    if (next !== null) {
      // The first key only shows where the pointer is.
      const character = characters[hovered || key === "Home" || key === "End" ? next : here];
      reveal(character);
      point(character.column);
      explain(character, true);
    } else if (isActivation(key)) link.toggle(characters[here].column);
    else if (key === "Escape" && hovered) {
      tooltip.hide();
      point(null);
    } else return false;
  });
  scroller.addEventListener("blur", () => {
    tooltip.hide();
    point(null);
  });

  const unsubscribe = link.subscribe(({ hovered, chosen, cause }) => {
    const character = characterAt(cause === "hover" ? hovered : chosen);
    if (!acting && character && rows.length) reveal(character);
    paint();
  });
  let width = 0;
  const unwatch = watchSize(root, () => {
    if (root.clientWidth !== width) arrange();
    width = root.clientWidth;
  });
  return { receive, unmount: unmountFunction(root, unsubscribe, unwatch, tooltip.hide, () => link.hover(null)) };
}

function rowElement(row: Row, data: Data) {
  const root = makeElement("div", { className: row.point === null ? "row" : `row full${row.point ? "" : " opens"}` });
  render(row.point === null ? <OneByteRow row={row} data={data} /> : <CodePointRow row={row} data={data} />, root);
  return root;
}

/** Characters of one byte, those of one token together, each above its byte and all above their token's id. */
function OneByteRow({ row, data }: { row: Row; data: Data }) {
  const { start } = row.characters[0];
  const bytes = row.characters.map((character) => bytesOf(character)[0]);
  return groupBytes(bytes, start, data.token_of_byte).map((group) => (
    <Group group={group} caption={group.token < 0 ? data.labels.no_token : String(data.tokens[group.token][1])}>
      {row.characters
        .slice(group.start - start, group.start - start + group.bytes.length)
        .map(({ label, column }, index) => (
          <span class="byte" data-at={column} data-column={column}>
            <bdi class={label.length > 3 ? "small" : ""}>{label}</bdi>
            <small>{hexText(group.bytes[index])}</small>
          </span>
        ))}
    </Group>
  ));
}

/** A code point with its bytes in hexadecimal and in bits; the first of a character has the character too. */
function CodePointRow({ row: { characters, point }, data }: { row: Row; data: Data }) {
  const [{ column, label, points, start }] = characters;
  const [number, name, bytes] = points[point ?? 0];
  const first = points.slice(0, point ?? 0).reduce((sum, [, , { length }]) => sum + length, start);
  return (
    <>
      <bdi
        class={`character${label.length > 3 && label.startsWith("⟨") ? " small" : ""}`}
        data-at={column}
        data-column={point ? undefined : column}
      >
        {point ? "" : label}
      </bdi>
      <span class="code-point" data-at={column} title={name}>
        <b>{number}</b> {name}
      </span>
      <span class="groups" data-at={column}>
        {groupBytes(bytes, first, data.token_of_byte).map((group) => (
          <Group group={group} caption={<Caption group={group} data={data} />}>
            {group.bytes.map((byte) => (
              <span class="byte">
                <b>{hexText(byte)}</b>
                <small>
                  <u>{bitsText(byte).slice(0, leadBits(byte))}</u>
                  {bitsText(byte).slice(leadBits(byte))}
                </small>
              </span>
            ))}
          </Group>
        ))}
      </span>
    </>
  );
}

/** The token's name and id where it begins, its name alone where it goes on. */
function Caption({ group: { token, begins }, data }: { group: ByteGroup; data: Data }) {
  if (token < 0) return data.labels.no_token;
  const [label, id] = data.tokens[token];
  const name = <bdi class={begins ? "begins" : ""}>{label}</bdi>;
  return begins ? [name, ` ${id}`] : ["… ", name];
}

/** Bytes in one token; on the side where the token goes on in another group the box is open. */
function Group({
  group,
  caption,
  children,
}: {
  group: ByteGroup;
  caption: ComponentChildren;
  children: ComponentChildren;
}) {
  const { token, begins, goesOn } = group;
  const look = ["token-chip", "held", token < 0 && "none", !begins && "from-before", goesOn && "goes-on"];
  return (
    <span class="group">
      <span class={look.filter(Boolean).join(" ")} data-token={token < 0 ? undefined : token}>
        {children}
      </span>
      <span class="caption">{caption}</span>
    </span>
  );
}
