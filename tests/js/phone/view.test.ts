import assert from "node:assert/strict";
import { test } from "node:test";
import { codeOf, exploreAddress, next, noticeOf, numberOf } from "../../../ui/components/phone/view.ts";

const STEP = { page: "tokens", title: "T", say: "S", attempt: "", query: "text=a+%26+b&d_model=8", question: null };

test("what is in view stays where the server has nothing new to show", () => {
  assert.deepEqual(next({ step: STEP, state: "on" }, { state: "lost", step: null }), { step: STEP, state: "lost" });
  const other = { ...STEP, title: "U" };
  assert.deepEqual(next({ step: STEP, state: "away" }, { state: "on", step: other }), { step: other, state: "on" });
});

test("each state has its sentence, and a lecture that goes on has none", () => {
  assert.equal(noticeOf("on", true), "");
  assert.equal(noticeOf("on", false), "wait");
  assert.equal(noticeOf("unknown", false), "wait");
  assert.equal(noticeOf("unknown", true), "away");
  assert.equal(noticeOf("away", true), "away");
  assert.equal(noticeOf("ended", true), "ended");
  assert.equal(noticeOf("lost", true), "lost");
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
  assert.equal(codeOf("/explorer/follow/abc234"), "ABC234");
  assert.equal(codeOf("/follow/ABC234/"), "ABC234");
  assert.equal(numberOf(" 2,5 "), 2.5);
  assert.equal(numberOf("-3"), -3);
  for (const wrong of ["", " ", "a", "1,2,3", "Infinity"]) assert.equal(numberOf(wrong), null);
});
