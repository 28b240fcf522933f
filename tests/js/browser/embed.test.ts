import assert from "node:assert/strict";
import { test } from "node:test";
import { embedUrl, frameCode, wholePageUrl } from "../../../ui/components/browser/embed.ts";

const PAGE = "http://host/app/positions?scheme=rope&lesson=tour&lang=fr&look=1~at!3~hands.time!4&embed=true#top";

test("an embedded section has the page's settings and view, and nothing of its lesson and its scroll position", () => {
  assert.equal(
    embedUrl(PAGE, "positions-hands", "fr", ["lesson"]),
    "http://host/app/positions?scheme=rope&look=1~hands.time!4&lang=fr&embed=true&section=positions-hands",
  );
  assert.equal(embedUrl("http://host/", "rows-sum", "en", []), "http://host/?lang=en&embed=true&section=rows-sum");
});

test("from there one comes to the whole page in that state, at that section", () => {
  const frameUrl = `${embedUrl(PAGE, "positions-hands", "fr", ["lesson"])}&embed_options=dark_theme`;
  assert.equal(
    wholePageUrl(frameUrl),
    "http://host/app/positions?scheme=rope&lang=fr&look=1~hands.time!4~to!positions-hands",
  );
  assert.equal(wholePageUrl("http://host/?section=%22%3E"), "http://host/");
});

test("a title and a text with quotation marks stay within their attributes", () => {
  assert.equal(
    frameCode("http://host/?text=%22a%22&lang=en", '"a" <b> & c', 300).split("\n")[0],
    '<iframe src="http://host/?text=%22a%22&amp;lang=en" title="&quot;a&quot; &lt;b&gt; &amp; c" width="100%" ' +
      'height="300" style="border: 0" loading="lazy" allow="clipboard-write; fullscreen"></iframe>',
  );
});
