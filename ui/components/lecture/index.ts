// The presenter's panel: it hears the room by ../_shared/room.ts, which outlives every page.

import { makeElement, svgElement } from "../_shared/elements.ts";
import { lasting, type Page } from "../_shared/lifecycle.ts";
import { countText, localized, namedText } from "../_shared/numbers.ts";
import { endRoom, judge, type News, watchRoom } from "../_shared/room.ts";
import { placesOf, type Question, rowsOf, total } from "./votes.ts";

type Data = {
  code: string;
  address: string;
  qr: { size: number; path: string };
  question: Question | null;
  labels: Record<string, string>;
};

const LOCAL = /^https?:\/\/(localhost|127\.|\[::1\])/;

function drawn({ size, path }: Data["qr"]) {
  const attributes = { viewBox: `0 0 ${size} ${size}`, "aria-hidden": "true", "shape-rendering": "crispEdges" };
  return svgElement("svg", attributes, svgElement("path", { d: path }));
}

export default lasting((parentElement) => {
  const root = parentElement.querySelector(".lecture") as HTMLElement;
  const button = (testid: string, pressed: () => void, className = "") => {
    const made = makeElement("button", { type: "button", testid, className });
    made.addEventListener("click", pressed);
    return made;
  };
  const code = makeElement("strong", { className: "code" });
  const phones = makeElement("span", { testid: "lecture-phones" });
  const said = makeElement("span", { className: "said", role: "status" });
  const qr = button("lecture-qr", () => dialog.showModal());
  const end = button("lecture-end", close, "quiet");
  const votes = makeElement("div", { className: "votes", testid: "lecture-votes" });
  const words = makeElement("div", { className: "words", testid: "lecture-words" });
  // Closed at first: who sees how others vote, votes like them.
  const [openVotes, openWords] = [votes, words].map((part) => {
    const opens = button(`${part.dataset.testid}-open`, () => {
      const isOpen = part.toggleAttribute("data-open");
      opens.setAttribute("aria-expanded", String(isOpen));
    });
    opens.setAttribute("aria-expanded", "false");
    return opens;
  });
  const line = makeElement("div", { className: "line" }, code, phones, qr, openVotes, openWords, said, end);
  const shut = button("lecture-close", () => dialog.close());
  const picture = makeElement("div", { className: "qr" });
  const address = makeElement("p", { className: "address" });
  const local = makeElement("p", { className: "local" });
  const dialog = makeElement("dialog", { testid: "lecture-dialog" }, picture, address, local, shut);
  const list = makeElement("ul");
  words.append(list);
  words.addEventListener("pointerleave", ({ pointerType }) => {
    if (data && pointerType === "mouse") drawWords(undefined, false);
  });
  root.replaceChildren(votes, words, line, dialog);

  let data: Data;
  let page: Page;
  let news: News = { state: "unknown" };
  let approved: [string, string][] = [];
  let before = ""; // what the lists are drawn from
  let places: string[] = []; // words by their places in the list
  let rows = new Map<string, { row: HTMLElement; often: HTMLElement }>();

  async function close() {
    const wrong = await endRoom();
    if (!wrong) page.setTriggerValue("ended", true);
  }

  async function decide(word: string, isApproved: boolean) {
    const row = rows.get(word)?.row;
    if (!row || row.inert) return; // a second click of the same hand
    row.inert = true;
    const wrong = await judge(word);
    row.inert = false;
    row.classList.toggle("gone", !wrong);
    if (wrong || !isApproved) return;
    approved = [...approved, [crypto.getRandomValues(new Uint32Array(2)).join("-"), word]];
    page.setStateValue("approved", approved);
  }

  function draw() {
    if (!data) return;
    const { labels, question } = data;
    phones.textContent = labels.phones.replace("{count}", countText(news.phones ?? 0));
    const wrong = news.state === "lost" ? "lost" : (news.sentence ?? "");
    said.textContent = labels[wrong] ?? wrong;
    const counted = question && news.question === question.key ? (news.votes ?? {}) : {};
    const now = JSON.stringify([question, counted, news.words, labels.votes]);
    if (now === before) return;
    before = now;
    drawVotes(question, counted);
    drawWords();
  }

  function drawVotes(question: Question | null, counted: Record<string, number>) {
    if (votes.dataset.key !== (question?.key ?? "")) {
      votes.dataset.key = question?.key ?? "";
      votes.removeAttribute("data-open");
      openVotes.setAttribute("aria-expanded", "false");
    }
    votes.hidden = openVotes.hidden = !question;
    if (!question) return;
    const { labels } = data;
    openVotes.textContent = labels.votes.replace("{count}", countText(total(counted)));
    const show = button("lecture-answer", () => page.setStateValue("answered", question.key), "quiet");
    show.textContent = labels.answer;
    show.hidden = question.right !== null;
    const rows = rowsOf(question, counted).map(({ label, count, share, isRight }) => {
      const bar = makeElement("span", { className: "bar" });
      bar.style.width = `${100 * share}%`;
      const space = makeElement("span", { className: "space" }, bar);
      const name = makeElement(
        "span",
        { className: "name" },
        isRight ? "✓ " : "",
        makeElement("bdi", { text: question.choices.length ? label : localized(label) }),
      );
      const row = makeElement(
        "li",
        {},
        name,
        space,
        makeElement("span", { className: "count", text: countText(count) }),
      );
      row.classList.toggle("right", isRight);
      return row;
    });
    votes.replaceChildren(makeElement("ul", {}, ...rows), show);
  }

  function rowOf(word: string) {
    const { labels } = data;
    const often = makeElement("span", { className: "often" });
    const yes = button("lecture-approve", () => decide(word, true));
    const no = button("lecture-reject", () => decide(word, false), "quiet");
    yes.textContent = labels.approve;
    no.textContent = labels.reject;
    yes.setAttribute("aria-label", namedText(labels.approve, word));
    no.setAttribute("aria-label", namedText(labels.reject, word));
    return { row: makeElement("li", {}, makeElement("bdi", { className: "word", text: word }), often, yes, no), often };
  }

  function drawWords(waiting = news.words ?? [], isPointedAt = words.hasAttribute("data-open")) {
    words.hidden = openWords.hidden = !waiting.length;
    openWords.textContent = data.labels.words.replace("{count}", countText(waiting.length));
    const counts = new Map(waiting);
    places = placesOf(places, [...counts.keys()], isPointedAt);
    rows = new Map(places.map((word) => [word, rows.get(word) ?? rowOf(word)]));
    for (const [word, { row, often }] of rows) {
      const count = counts.get(word) ?? 0;
      row.classList.toggle("gone", !count);
      often.textContent = count > 1 ? `×${count}` : "";
    }
    const [drawn, now] = [[...list.children], [...rows.values()].map(({ row }) => row)];
    if (drawn.length !== now.length || now.some((row, place) => row !== drawn[place])) list.replaceChildren(...now);
  }

  const unwatch = watchRoom((told) => {
    news = told;
    draw();
    if (news.state === "ended") page?.setTriggerValue("ended", true);
  });

  return {
    receive(received: Data, handed: Page) {
      if (data?.labels.approve !== received.labels.approve) rows.clear(); // another language
      [data, page] = [received, handed];
      const { labels } = data;
      root.setAttribute("aria-label", labels.panel);
      code.textContent = data.code;
      qr.textContent = labels.qr;
      end.textContent = labels.end;
      shut.textContent = labels.close;
      if (address.textContent !== data.address) {
        address.textContent = data.address;
        picture.replaceChildren(drawn(data.qr));
      }
      local.textContent = LOCAL.test(data.address) ? labels.local : "";
      before = "";
      draw();
    },
    unmount: unwatch,
  };
});
