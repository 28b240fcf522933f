// Charts that are zoomed or turned, as the link says them, and the link that others may have.

import assert from "node:assert/strict";
import test from "node:test";
import { shareableUrl } from "../../../ui/components/browser/copy.ts";
import {
  cameraNumbers,
  canShow,
  parseCamera,
  rangeText,
  sectionKey,
  zoomedRanges,
} from "../../../ui/components/browser/page_state.ts";

const axis = { _name: "xaxis", range: [0, 10], _rangeInitial0: 0, _rangeInitial1: 10, autorange: false };

test("an axis is zoomed where it shows another range than at first", () => {
  const found = { _name: "yaxis", range: [0, 1], autorange: true };
  assert.deepEqual(zoomedRanges([axis, found]), new Map());
  assert.deepEqual(
    zoomedRanges([
      { ...axis, range: [2, 3] },
      { ...found, autorange: false },
    ]),
    new Map([
      ["xaxis", [2, 3]],
      ["yaxis", [0, 1]],
    ]),
  );
  assert.deepEqual(zoomedRanges([{ ...axis, range: [2, 3], fixedrange: true }]), new Map());
});

test("a range is shown where the axis has something in it", () => {
  assert.ok(canShow(axis, [2, 3]));
  assert.ok(canShow({ ...axis, range: [10, 0] }, [3, 2]));
  for (const range of [null, [2], [2, 2], [11, 20], [-5, 0]]) assert.ok(!canShow(axis, range), String(range));
  assert.ok(!canShow(undefined, [2, 3]));
});

test("a range that the link says already stays as it is said there, and another is written anew", () => {
  assert.equal(rangeText([-4.7541451, 8.9244151], "-4.75414,8.92441"), "-4.75414,8.92441");
  assert.equal(rangeText([-4.7541451, 8.9244151], null), "-4.75415,8.92442");
  for (const said of ["-4.754,8.92442", "-4.75415,8.925", "-4.75415", "", "all"])
    assert.equal(rangeText([-4.7541451, 8.9244151], said), "-4.75415,8.92442", said);
  assert.equal(rangeText([1, 0], "1.000004,0"), "1.000004,0");
});

test("a camera reads back, with its upright only where that is another", () => {
  const [eye, center] = [
    { x: 1, y: 2, z: 3 },
    { x: 0, y: 0, z: 0.5 },
  ];
  for (const up of [
    { x: 0, y: 0, z: 1 },
    { x: 0, y: 1, z: 0 },
  ])
    assert.deepEqual(parseCamera(cameraNumbers({ eye, center, up })), { eye, center, up });
  assert.equal(cameraNumbers({ eye, center, up: { x: 0, y: 0, z: 1 } }).length, 6);
  assert.equal(parseCamera([1, 2]), null);
});

test("sections have names by their titles, in any writing", () => {
  assert.match(sectionKey("更多"), /^open\.[a-z0-9]+$/);
  assert.notEqual(sectionKey("More"), sectionKey("Sources"));
});

test("a link that is copied leaves out what stays here, however it is written", () => {
  const address = "http://host/app/tokens?text=a+b&room=secret&look=1~a!1&r%6Fom=secret&embed=true#top";
  assert.equal(shareableUrl(address, ["room"]), "http://host/app/tokens?text=a+b&look=1~a!1&embed=true");
  assert.equal(shareableUrl("http://host/?%E0=1", ["room"]), "http://host/?%E0=1");
});
