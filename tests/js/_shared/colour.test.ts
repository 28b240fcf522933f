// Numbers as colours: where on the scale a number lies, which colour that is, and text that can be read on it.

import assert from "node:assert/strict";
import test from "node:test";

import { colourIndices, colourScale, downscale } from "../../../ui/components/_shared/colour.ts";

const scale = colourScale(["#0000ff", "#ffffff", "#ff0000"], 2);

test("a number's index is its share of the limit, in 127 steps to either side", () => {
  const expected = new Map([
    [-2, 0],
    [-1, 64], // half a step counts as a whole one, upwards
    [0, 127],
    [0.01, 128],
    [1, 191],
    [2, 254],
    [-100, 0],
    [100, 254],
  ]);
  for (const [value, index] of expected) assert.equal(scale.index(value), index, `${value}`);
});

test("between two stops every channel goes evenly", () => {
  assert.equal(scale.css(-2), "rgb(0 0 255)");
  assert.equal(scale.css(0), "rgb(255 255 255)");
  assert.equal(scale.css(2), "rgb(255 0 0)");
  assert.equal(scale.css(1), "rgb(255 126 126)");
});

test("the packed colours are those of css, red in the lowest byte and opaque", () => {
  for (const value of [-2, -0.7, 0, 1.3, 2]) {
    const packed = scale.packed[scale.index(value)];
    const [red, green, blue, alpha] = [packed & 255, (packed >> 8) & 255, (packed >> 16) & 255, packed >>> 24];
    assert.equal(`rgb(${red} ${green} ${blue})`, scale.css(value));
    assert.equal(alpha, 255);
  }
});

test("what is no number is clear, and no colour of the scale is", () => {
  const [nothing, zero, one] = colourIndices(Float32Array.of(Number.NaN, 0, 1), scale);
  assert.equal(scale.packed[nothing], 0);
  assert.deepEqual([zero, one], [127, 191]);
});

test("ink is black or white, whichever contrasts more", () => {
  const grey = colourScale(["#000000", "#ffffff"], 1);
  assert.equal(grey.ink(-1), "#ffffff");
  assert.equal(grey.ink(1), "#000000");
  const luminance = (colour: string) => {
    const [channel] = colour.match(/\d+/) ?? [];
    const share = Number(channel) / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  };
  for (let value = -1; value <= 1; value += 1 / 127) {
    const ground = luminance(grey.css(value)) + 0.05;
    const contrast = grey.ink(value) === "#000000" ? ground / 0.05 : 1.05 / ground;
    assert.ok(contrast >= 4.58, `${grey.css(value)} has ${contrast}`);
  }
});

test("a picture with fewer pixels than cells has the mean of the cells in each pixel", () => {
  const values = Float32Array.from({ length: 5 * 384 }, (_, cell) => Math.sin(cell) * (cell % 384));
  const small = downscale(values, [5, 384], [4, 320]);
  assert.deepEqual(small.shape, [3, 192]);
  assert.deepEqual(small.extent, [2.5, 192]);
  for (let y = 0; y < 3; y += 1)
    for (let x = 0; x < 192; x += 1) {
      const cells = [2 * y, 2 * y + 1]
        .filter((row) => row < 5)
        .flatMap((row) => [...values.slice(row * 384 + 2 * x, row * 384 + 2 * x + 2)]);
      const mean = cells.reduce((sum, value) => sum + value, 0) / cells.length;
      assert.ok(Math.abs(small.values[y * 192 + x] - mean) < 1e-4);
    }
});

test("what is masked is passed over in the mean, and a matrix that fits stays as it is", () => {
  const values = Float32Array.of(1, 3, Number.NaN, 5, Number.NaN, Number.NaN);
  assert.deepEqual([...downscale(values, [1, 6], [9, 3]).values], [2, 5, Number.NaN]);
  assert.deepEqual([...downscale(values, [2, 3], [2, 3]).values], [...values]);
  const alternating = Float32Array.from({ length: 384 }, (_, column) => column % 2);
  assert.deepEqual(new Set(downscale(alternating, [1, 384], [1, 170]).values), new Set([0.5])); // no stripes
});
