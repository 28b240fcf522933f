import assert from "node:assert/strict";
import { test } from "node:test";
import { addPngTexts, crc32, drawSheet, escapeXml, wrapLines } from "../../../ui/components/paper/sheet.ts";

const measure = (text: string) => 8 * text.length;
const words = {
  title: "Rows <b> & sums",
  entries: [
    { word: "Source", text: "random, seed 123" },
    { word: "Link", text: "http://here/?text=%3Cb%3E&d_model=8" },
  ],
  link: "http://here/?text=%3Cb%3E&d_model=8",
};

test("a text is markup nowhere, and has no sign that XML has no form for", () => {
  assert.equal(escapeXml('<a href="x">&\u0000\u000b'), "&lt;a href=&quot;x&quot;&gt;&amp;\ufffd\ufffd");
});

test("lines break between words, a long word anywhere, and what is left over is cut", () => {
  assert.deepEqual(wrapLines("one two three", 64, measure), ["one two", "three"]);
  assert.deepEqual(wrapLines("abcdefghij", 40, measure), ["abcde", "fghij"]);
  assert.deepEqual(wrapLines("a b c d", 8, measure, 2), ["a", "…"]);
  assert.deepEqual(wrapLines("", 80, measure), []);
  assert.deepEqual(wrapLines("x", 0, measure), ["x"]);
});

test("Chinese breaks between any two characters, but never before its closing punctuation nor after what opens", () => {
  assert.deepEqual(wrapLines("每个词元对应一行，各行相加。", 64, measure), ["每个词元对应一", "行，各行相加。"]);
  assert.deepEqual(wrapLines("词元的嵌入加上，位置", 56, measure), ["词元的嵌入加", "上，位置"]);
  assert.deepEqual(wrapLines("它们（见下）相加", 40, measure), ["它们（见", "下）相加"]);
});

test("a French space before a colon breaks no line", () => {
  assert.deepEqual(wrapLines("nommer la source\u00a0: b", 136, measure), ["nommer la", "source\u00a0: b"]);
});

test("no pair of surrogates is torn apart", () => {
  assert.deepEqual(wrapLines("ab😀😀", 24, measure), ["ab", "😀", "😀"]);
});

test("a sheet is white, and has title, picture, source and a link that can be followed, all as text", () => {
  const { svg, width, height } = drawSheet(
    { ...words, language: "zh-Hans" },
    { width: 400, height: 300, inner: "<svg/>" },
    measure,
  );
  assert.equal(width, 448);
  assert.ok(height > 300 + 48);
  assert.ok(svg.includes('fill="#ffffff"'));
  assert.ok(svg.includes(' xml:lang="zh-Hans" '));
  assert.ok(svg.includes("<title>Rows &lt;b&gt; &amp; sums</title>"));
  assert.ok(svg.includes(">Rows &lt;b&gt; &amp; sums</text>"));
  assert.ok(svg.includes("Source: random, seed 123</text>"));
  assert.ok(svg.includes('<a href="http://here/?text=%3Cb%3E&amp;d_model=8"><text'));
  assert.ok(svg.includes('width="400" height="300"><svg/></svg>'));
  assert.ok(svg.includes("d_model=8</desc>"));
});

test("a link of several lines leads on from each of them, and is whole in the description", () => {
  const link = `http://here/?text=${"x".repeat(900)}`;
  const { svg } = drawSheet(
    { title: "", entries: [{ word: "Link", text: link }], link, language: "en" },
    { width: 400, height: 9, inner: "" },
    measure,
  );
  assert.equal(svg.split("<a href").length - 1, 4);
  assert.ok(svg.includes(`Link: ${link}</desc>`));
});

test("a checksum is that of PNG", () => {
  assert.equal(crc32(new TextEncoder().encode("IEND")), 0xae426082);
});

test("texts stand in a PNG after its first chunk, each with its length and checksum", () => {
  const png = Uint8Array.from({ length: 45 }, (_, index) => index);
  const whole = addPngTexts(png, [["Title", "é"]]);
  assert.deepEqual([...whole.subarray(0, 33)], [...png.subarray(0, 33)]);
  const view = new DataView(whole.buffer);
  const length = view.getUint32(33);
  assert.equal(length, "Title".length + 5 + 2);
  const data = whole.subarray(37, 37 + 4 + length);
  assert.equal(new TextDecoder().decode(data), "iTXtTitle\0\0\0\0\0é");
  assert.equal(view.getUint32(37 + 4 + length), crc32(data));
  assert.deepEqual([...whole.subarray(45 + length)], [...png.subarray(33)]);
});
