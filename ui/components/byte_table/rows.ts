// Characters as rows of the list: characters of one byte stand side by side, any other has a row for each code point.

import { fillLabel } from "../_shared/text.ts";

type CodePoint = [number: string, name: string, bytes: number[]];
const LETTER = 42; // px that a character of one byte takes, as in style.css
const BOX = 4; // px that the box of a token takes in addition

/** The payload from Python. */
export interface Data {
  kinds: [label: string, points: CodePoint[]][]; // the characters that differ
  order: number[]; // index of each character's kind, in the order of the text
  tokens: [label: string, id: number][];
  token_of_byte: number[]; // index of each byte's token, -1 where it is in none
  first_column: number;
  labels: Record<string, string>; // LABELS in Python
}
/** One character of the text; `start` is the index of its first byte. */
export interface Character {
  column: number;
  label: string;
  points: CodePoint[];
  start: number;
}
/** Several characters of one byte, or one code point of any other. */
export type Row = { characters: Character[]; point: number | null };
/** Neighbouring bytes in one token, -1 for none. */
export type ByteGroup = { token: number; start: number; bytes: number[]; begins: boolean; goesOn: boolean };

export function readCharacters({ kinds, order, first_column }: Pick<Data, "kinds" | "order" | "first_column">) {
  let start = 0;
  return order.map((kind, index): Character => {
    const [label, points] = kinds[kind];
    const character = { column: first_column + index, label, points, start };
    start += bytesOf(character).length;
    return character;
  });
}

export const bytesOf = ({ points }: Character) => points.flatMap(([, , bytes]) => bytes);

/**
 * Arrange characters in rows, which end where a token ends unless it is longer than a row.
 * @param room px of a row
 */
export function arrangeRows(characters: Character[], room: number, tokenOfByte: number[] = []): Row[] {
  const rows: Row[] = [];
  let used = 0; // px of the last row
  for (const character of characters) {
    if (bytesOf(character).length > 1) {
      rows.push(...character.points.map((_, point) => ({ characters: [character], point })));
      continue;
    }
    const token = tokenOfByte[character.start];
    const begins = !(token >= 0) || tokenOfByte[character.start - 1] !== token;
    const width = begins ? LETTER + BOX : LETTER;
    const tokenWidth = begins && token >= 0 ? BOX + LETTER * tokenOfByte.filter((other) => other === token).length : 0;
    const last = rows.at(-1);
    if (last?.point === null && used + (tokenWidth > room ? width : Math.max(width, tokenWidth)) <= room) {
      last.characters.push(character);
      used += width;
    } else {
      rows.push({ characters: [character], point: null });
      used = LETTER + BOX;
    }
  }
  return rows;
}

/**
 * Bytes grouped by their tokens.
 * @param start index of the first byte
 */
export function groupBytes(bytes: number[], start: number, tokenOfByte: number[]): ByteGroup[] {
  const groups: ByteGroup[] = [];
  bytes.forEach((byte, offset) => {
    const at = start + offset;
    const token = tokenOfByte[at];
    const last = groups.at(-1);
    const goesOn = token >= 0 && tokenOfByte[at + 1] === token;
    if (last && token >= 0 && last.token === token) {
      last.bytes.push(byte);
      last.goesOn = goesOn;
    } else groups.push({ token, start: at, bytes: [byte], begins: token < 0 || tokenOfByte[at - 1] !== token, goesOn });
  });
  return groups;
}

/** How many of a byte's bits say where it stands: 0 alone, 10 inside, 110, 1110 and 11110 first of two, three and four. */
export function leadBits(byte: number) {
  if (byte < 0x80) return 1;
  if (byte < 0xc0) return 2;
  if (byte < 0xe0) return 3;
  return byte < 0xf0 ? 4 : 5;
}

export const hexText = (byte: number) => byte.toString(16).toUpperCase().padStart(2, "0");
export const bitsText = (byte: number) => byte.toString(2).padStart(8, "0");

/** Tokens that hold a byte of a character. */
export const tokensOf = (character: Character, { token_of_byte }: Pick<Data, "token_of_byte">) =>
  new Set(
    token_of_byte.slice(character.start, character.start + bytesOf(character).length).filter((token) => token >= 0),
  );

/** All about a character: itself, its code points, its bytes, its tokens. */
export function describeCharacter(character: Character, data: Pick<Data, "tokens" | "token_of_byte" | "labels">) {
  const bytes = bytesOf(character);
  const tokens = [...tokensOf(character, data)].map((token) => {
    const [label, id] = data.tokens[token];
    return fillLabel(data.labels.token, { label, id });
  });
  const written = bytes.length === 1 ? `${hexText(bytes[0])} = ${bitsText(bytes[0])}` : bytes.map(hexText).join(" ");
  return [character.label, ...character.points.map(([number, name]) => `${number} ${name}`), written, ...tokens];
}
