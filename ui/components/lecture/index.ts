// The presenter's panel, which shows the room's events as ../_shared/room.ts receives them.

import { makeElement, makeSvgElement } from "../_shared/elements.ts";
import { type Page, persistentComponent } from "../_shared/lifecycle.ts";
import { countText, localizeNumber, namedText } from "../_shared/numbers.ts";
import { endRoom, type News, removeWord, watchRoom } from "../_shared/room.ts";
import { orderWords, type Question, totalVotes, voteRows } from "./votes.ts";

type Data = {
  code: string;
  address: string;
  qr: { size: number; path: string };
  question: Question | null;
  labels: Record<string, string>;
};

const LOCAL = /^https?:\/\/(localhost|127\.|\[::1\])/;

function qrPicture({ size, path }: Data["qr"]) {
  const attributes = { viewBox: `0 0 ${size} ${size}`, "aria-hidden": "true", "shape-rendering": "crispEdges" };
  return makeSvgElement("svg", attributes, makeSvgElement("path", { d: path }));
}

export default persistentComponent((parentElement) => {
  const root = parentElement.querySelector(".lecture") as HTMLElement;
  const button = (testid: string, onClick: () => void, className = "") => {
    const element = makeElement("button", { type: "button", testid, className });
    element.addEventListener("click", onClick);
    return element;
  };
  const code = makeElement("strong", { className: "code" });
  const phones = makeElement("span", { testid: "lecture-phones" });
  const status = makeElement("span", { className: "said", role: "status" });
  const qr = button("lecture-qr", () => dialog.showModal());
  const end = button("lecture-end", endLecture, "quiet");
  const votes = makeElement("div", { className: "votes", testid: "lecture-votes" });
  const words = makeElement("div", { className: "words", testid: "lecture-words" });
  // Closed initially: whoever sees others' votes votes like them.
  const [openVotes, openWords] = [votes, words].map((part) => {
    const toggle = button(`${part.dataset.testid}-open`, () => {
      const isOpen = part.toggleAttribute("data-open");
      toggle.setAttribute("aria-expanded", String(isOpen));
    });
    toggle.setAttribute("aria-expanded", "false");
    return toggle;
  });
  const line = makeElement("div", { className: "line" }, code, phones, qr, openVotes, openWords, status, end);
  const closeButton = button("lecture-close", () => dialog.close());
  const picture = makeElement("div", { className: "qr" });
  const address = makeElement("p", { className: "address" });
  const local = makeElement("p", { className: "local" });
  const dialog = makeElement("dialog", { testid: "lecture-dialog" }, picture, address, local, closeButton);
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
  let drawnState = ""; // JSON of the state that the lists show
  let wordOrder: string[] = []; // words in the order of the list, removed ones included
  let rows = new Map<string, { row: HTMLElement; frequency: HTMLElement }>();

  async function endLecture() {
    const wrong = await endRoom();
    if (!wrong) page.setTriggerValue("ended", true);
  }

  async function decide(word: string, isApproved: boolean) {
    const row = rows.get(word)?.row;
    if (!row || row.inert) return; // a second click before the answer
    row.inert = true;
    const wrong = await removeWord(word);
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
    status.textContent = labels[wrong] ?? wrong;
    const counts = question && news.question === question.key ? (news.votes ?? {}) : {};
    const state = JSON.stringify([question, counts, news.words, labels.votes]);
    if (state === drawnState) return;
    drawnState = state;
    drawVotes(question, counts);
    drawWords();
  }

  function drawVotes(question: Question | null, counts: Record<string, number>) {
    if (votes.dataset.key !== (question?.key ?? "")) {
      votes.dataset.key = question?.key ?? "";
      votes.removeAttribute("data-open");
      openVotes.setAttribute("aria-expanded", "false");
    }
    votes.hidden = openVotes.hidden = !question;
    if (!question) return;
    const { labels } = data;
    openVotes.textContent = labels.votes.replace("{count}", countText(totalVotes(counts)));
    const show = button("lecture-answer", () => page.setStateValue("answered", question.key), "quiet");
    show.textContent = labels.answer;
    show.hidden = question.right !== null;
    const rows = voteRows(question, counts).map(({ label, count, share, isRight }) => {
      const bar = makeElement("span", { className: "bar" });
      bar.style.width = `${100 * share}%`;
      const space = makeElement("span", { className: "space" }, bar);
      const name = makeElement(
        "span",
        { className: "name" },
        isRight ? "✓ " : "",
        makeElement("bdi", { text: question.choices.length ? label : localizeNumber(label) }),
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

  function wordRow(word: string) {
    const { labels } = data;
    const frequency = makeElement("span", { className: "often" });
    const yes = button("lecture-approve", () => decide(word, true));
    const no = button("lecture-reject", () => decide(word, false), "quiet");
    yes.textContent = labels.approve;
    no.textContent = labels.reject;
    yes.setAttribute("aria-label", namedText(labels.approve, word));
    no.setAttribute("aria-label", namedText(labels.reject, word));
    return {
      row: makeElement("li", {}, makeElement("bdi", { className: "word", text: word }), frequency, yes, no),
      frequency,
    };
  }

  function drawWords(waiting = news.words ?? [], isPointedAt = words.hasAttribute("data-open")) {
    words.hidden = openWords.hidden = !waiting.length;
    openWords.textContent = data.labels.words.replace("{count}", countText(waiting.length));
    const counts = new Map(waiting);
    wordOrder = orderWords(wordOrder, [...counts.keys()], isPointedAt);
    rows = new Map(wordOrder.map((word) => [word, rows.get(word) ?? wordRow(word)]));
    for (const [word, { row, frequency }] of rows) {
      const count = counts.get(word) ?? 0;
      row.classList.toggle("gone", !count);
      frequency.textContent = count > 1 ? `×${count}` : "";
    }
    const [oldRows, newRows] = [[...list.children], [...rows.values()].map(({ row }) => row)];
    if (oldRows.length !== newRows.length || newRows.some((row, place) => row !== oldRows[place]))
      list.replaceChildren(...newRows);
  }

  const unwatch = watchRoom((latest) => {
    news = latest;
    draw();
    if (news.state === "ended") page?.setTriggerValue("ended", true);
  });

  return {
    receive(nextData: Data, nextPage: Page) {
      if (data?.labels.approve !== nextData.labels.approve) rows.clear(); // another language
      [data, page] = [nextData, nextPage];
      const { labels } = data;
      root.setAttribute("aria-label", labels.panel);
      code.textContent = data.code;
      qr.textContent = labels.qr;
      end.textContent = labels.end;
      closeButton.textContent = labels.close;
      if (address.textContent !== data.address) {
        address.textContent = data.address;
        picture.replaceChildren(qrPicture(data.qr));
      }
      local.textContent = LOCAL.test(data.address) ? labels.local : "";
      drawnState = "";
      draw();
    },
    unmount: unwatch,
  };
});
