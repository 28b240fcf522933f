// A phone that follows: it draws the step it was told last, and keeps it whatever becomes of server and presenter.

import { makeElement } from "../_shared/elements.ts";
import { localized, sentencesText, speak } from "../_shared/numbers.ts";
import { listen } from "../_shared/stream.ts";
import { codeOf, exploreAddress, next, noticeOf, numberOf, type Question } from "./view.ts";

const labels: Record<string, string> = JSON.parse(document.body.dataset.labels ?? "{}");
speak(labels);
const code = codeOf(window.location.pathname);
const part = (id: string) => document.getElementById(id) as HTMLElement;
const STORED = "follow"; // one lecture at a time; who the phone is in it, and what it voted

let own: { code: string; you: string; votes: Record<string, number> } = { code, you: "", votes: {} };
let shown: Parameters<typeof next>[0] = { step: null, state: "on" };
let asked = ""; // what the question in view is drawn from

try {
  const kept = JSON.parse(window.localStorage.getItem(STORED) ?? "null");
  if (kept?.code === code) own = { ...own, ...kept };
} catch {} // nothing is kept here

function keep() {
  try {
    window.localStorage.setItem(STORED, JSON.stringify(own));
  } catch {}
}

/** Sends something; what is wrong with it comes back as a sentence. */
async function send(way: string, content: object) {
  const headers = { "Content-Type": "application/json", "X-Follower": own.you };
  try {
    const address = `${code}/${way}${window.location.search}`;
    const answer = await fetch(address, { method: "POST", headers, body: JSON.stringify(content) });
    return answer.ok ? "" : await answer.text();
  } catch {
    return labels.offline;
  }
}

function say(sentence: string) {
  const state = part("state");
  if (state.textContent !== sentence) state.textContent = sentence;
}

function draw() {
  const { step, state } = shown;
  const notice = noticeOf(state, step !== null);
  say(notice ? labels[notice] : "");
  part("word").hidden = state === "ended" || !step;
  if (!step) return;
  const title = document.querySelector("h1") as HTMLElement;
  if (title.textContent !== step.title) title.textContent = step.title;
  document.title = `${step.title} · ${code}`;
  if (part("say").textContent !== step.say) part("say").textContent = step.say;
  const attempt = step.attempt ? sentencesText([labels.attempt, step.attempt]) : "";
  if (part("attempt").textContent !== attempt) part("attempt").textContent = attempt;
  const explore = part("explore") as HTMLAnchorElement;
  explore.hidden = false;
  explore.href = exploreAddress(step, window.location.href, code);
  const question = state === "ended" ? null : step.question;
  const now = JSON.stringify(question);
  if (asked !== now) drawQuestion(question);
  asked = now;
}

function drawQuestion(question: Question | null) {
  const form = part("question") as HTMLFormElement;
  form.hidden = !question;
  if (!question) return;
  const said = makeElement("p", { className: "said", role: "status" });
  const vote = async (answer: number) => {
    const wrong = await send("vote", { question: question.key, answer });
    said.textContent = wrong || labels.voted;
    if (wrong) return;
    own.votes[question.key] = answer;
    keep();
    mark();
  };
  const buttons = question.choices.map((choice, place) => {
    const button = makeElement("button", { className: "choice", type: "button", text: choice });
    button.addEventListener("click", () => vote(place));
    return button;
  });
  const mark = () => {
    buttons.forEach((button, place) => {
      button.setAttribute("aria-pressed", String(own.votes[question.key] === place));
    });
  };
  const ask = makeElement("p", { className: "ask", id: "ask", text: question.ask });
  if (question.choices.length) form.replaceChildren(ask, ...buttons, said);
  else {
    const field = makeElement("input", { type: "text", inputmode: "decimal", "aria-labelledby": "ask", maxlength: 20 });
    field.autocomplete = "off";
    field.value = localized(String(own.votes[question.key] ?? ""));
    const button = makeElement("button", { className: "main", text: labels.vote });
    form.replaceChildren(ask, makeElement("div", { className: "line" }, field, button), said);
    form.onsubmit = (event) => {
      event.preventDefault();
      const answer = numberOf(field.value);
      vote(answer as number); // what is no number the server refuses, in words
    };
  }
  mark();
}

function drawWord() {
  const form = part("word");
  const field = makeElement("input", { type: "text", id: "own", maxlength: 60, enterkeyhint: "send" });
  field.autocomplete = "off";
  const button = makeElement("button", { text: labels.send });
  const said = makeElement("p", { className: "said", role: "status" });
  const label = makeElement("label", { for: "own", text: labels.word });
  form.replaceChildren(label, makeElement("div", { className: "line" }, field, button), said);
  form.onsubmit = async (event) => {
    event.preventDefault();
    button.disabled = true;
    const wrong = await send("word", { word: field.value });
    button.disabled = false;
    said.textContent = wrong || labels.sent;
    if (!wrong) field.value = "";
  };
}

(document.querySelector("#place b") as HTMLElement).textContent = code;
part("explore").textContent = labels.explore;
part("explore").hidden = true;
say(labels.wait);
drawWord();
listen({
  url: `${code}/events${window.location.search}`,
  headers: () => (own.you ? { "X-Follower": own.you } : {}) as Record<string, string>,
  heard: ({ type, data }) => {
    if (type === "you") {
      own.you = JSON.parse(data);
      keep();
    } else {
      if (data) shown = next(shown, JSON.parse(data));
      draw(); // also where it only hears that the connection stands again
    }
  },
  refused: (sentence) => {
    say(sentence || labels.offline);
    return true;
  },
});
