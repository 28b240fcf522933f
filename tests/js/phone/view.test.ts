import assert from "node:assert/strict";
import { test } from "node:test";
import { exploreAddress, nextView, noticeName, parseNumber, roomCode } from "../../../ui/components/phone/view.ts";

const STEP = {
  page: "tokens",
  title: "T",
  say: "S",
  attempt: "",
  text: "a",
  query: "text=a+%26+b&d_model=8",
  question: null,
};

test("what is in view stays where the server has nothing new to show", () => {
  assert.deepEqual(nextView({ step: STEP, state: "on" }, { state: "lost", step: null }), { step: STEP, state: "lost" });
  const other = { ...STEP, title: "U" };
  assert.deepEqual(nextView({ step: STEP, state: "away" }, { state: "on", step: other }), { step: other, state: "on" });
});

test("each state has its sentence, and a lecture that goes on has none", () => {
  assert.equal(noticeName("on", true), "");
  assert.equal(noticeName("on", false), "wait");
  assert.equal(noticeName("unknown", false), "wait");
  assert.equal(noticeName("unknown", true), "away");
  assert.equal(noticeName("away", true), "away");
  assert.equal(noticeName("ended", true), "ended");
  assert.equal(noticeName("lost", true), "lost");
});

test("exploring opens the step's page with its settings, also where the app has a path of its own", () => {
  assert.equal(
    exploreAddress(STEP, "https://host/explorer/follow/ABC234?lang=fr#x", "ABC234"),
    "https://host/explorer/tokens?text=a+%26+b&d_model=8&follow=ABC234",
  );
  assert.equal(
    exploreAddress({ ...STEP, page: "", query: "" }, "http://host/follow/ABC234", "ABC234"),
    "http://host/?follow=ABC234",
  );
});

test("no query leads to another machine", () => {
  const address = exploreAddress({ ...STEP, query: "//evil.example/?a=1#b" }, "https://host/follow/ABC234", "ABC234");
  assert.equal(new URL(address).host, "host");
  assert.equal(new URL(address).pathname, "/tokens");
});

test("a code is read in any case, and a number with a comma or a point", () => {
  assert.equal(roomCode("/explorer/follow/abc234"), "ABC234");
  assert.equal(roomCode("/follow/ABC234/"), "ABC234");
  assert.equal(parseNumber(" 2,5 "), 2.5);
  assert.equal(parseNumber("-3"), -3);
  for (const wrong of ["", " ", "a", "1,2,3", "Infinity"]) assert.equal(parseNumber(wrong), null);
});
