import assert from "node:assert/strict";
import { test } from "node:test";
import { fileUrl } from "../../../ui/components/browser/saving.ts";

test("an image is made of what the server sends of the figure, every other file is fetched as it is", () => {
  assert.equal(fileUrl("token/lengths", "png", ""), "saved/token/lengths.json");
  assert.equal(
    fileUrl("token/lengths", "svg", "1~lengths.xaxis!0,4"),
    "saved/token/lengths.json?look=1~lengths.xaxis!0%2C4",
  );
  assert.equal(fileUrl("token/lengths", "npz", ""), "saved/token/lengths.npz");
});
