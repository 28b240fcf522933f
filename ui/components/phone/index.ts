// The page of a phone that follows a lecture: it shows the last step received, whatever happens to server and presenter.

import { makeElement } from "../_shared/elements.ts";
import { localizeNumber, namedText, sentencesText, setLanguage } from "../_shared/numbers.ts";
import { listenToEvents } from "../_shared/stream.ts";
import { exploreAddress, nextView, noticeName, parseNumber, type Question, roomCode } from "./view.ts";

const labels: Record<string, string> = JSON.parse(document.body.dataset.labels ?? "{}");
setLanguage(labels);
const code = roomCode(window.location.pathname);
const element = (id: string) => document.getElementById(id) as HTMLElement;
const STORAGE_KEY = "follow"; // in localStorage: the phone's id and votes in its last lecture

let follower: { code: string; you: string; votes: Record<string, number> } = { code, you: "", votes: {} };
let view: Parameters<typeof nextView>[0] = { step: null, state: "on" };
let drawnQuestion: Question | null = null;

try {
  const stored = JSON.parse(window.localStorage.getItem(STORAGE_KEY) ?? "null");
  if (stored?.code === code) follower = { ...follower, ...stored };
} catch {} // nothing is kept here

function saveFollower() {
  try {
    window.localStorage.setItem(STORAGE_KEY, JSON.stringify(follower));
  } catch {}
}

/** Send a vote or a word; return an error message, "" for none. */
async function post(action: string, content: object) {
  const headers = { "Content-Type": "application/json", "X-Follower": follower.you };
  try {
    const address = `${code}/${action}${window.location.search}`;
    const answer = await fetch(address, { method: "POST", headers, body: JSON.stringify(content) });
    return answer.ok ? "" : await answer.text();
  } catch {
    return labels.offline;
  }
}

function setStatus(sentence: string) {
  const state = element("state");
  if (state.textContent !== sentence) state.textContent = sentence;
}

function draw() {
  const { step, state } = view;
  const notice = noticeName(state, step !== null);
  setStatus(notice ? labels[notice] : "");
  element("word").hidden = state === "ended" || !step;
  if (!step) return;
  const title = document.querySelector("h1") as HTMLElement;
  if (title.textContent !== step.title) title.textContent = step.title;
  document.title = `${step.title} · ${code}`;
  if (element("say").textContent !== step.say) element("say").textContent = step.say;
  const attempt = step.attempt ? sentencesText([labels.attempt, step.attempt]) : "";
  if (element("attempt").textContent !== attempt) element("attempt").textContent = attempt;
  const text = element("text");
  if (text.lastElementChild?.textContent !== (step.text || undefined))
    text.replaceChildren(...(step.text ? [namedText(labels.text, ""), makeElement("bdi", { text: step.text })] : []));
  const explore = element("explore") as HTMLAnchorElement;
  explore.hidden = false;
  explore.href = exploreAddress(step, window.location.href, code);
  const question = state === "ended" ? null : step.question;
  if (JSON.stringify(drawnQuestion) !== JSON.stringify(question)) drawQuestion(question, drawnQuestion);
  drawnQuestion = question;
}

function drawQuestion(question: Question | null, before: Question | null) {
  const form = element("question") as HTMLFormElement;
  form.hidden = !question;
  if (!question) return;
  const isSame = before?.ask === question.ask;
  const unsentText = isSame ? form.querySelector("input")?.value : undefined;
  const { right } = question;
  const status = makeElement("p", { className: "said", role: "status" });
  const vote = async (answer: number) => {
    const wrong = await post("vote", { question: question.key, answer });
    status.textContent = wrong || labels.voted;
    if (wrong) return;
    follower.votes[question.key] = answer;
    saveFollower();
    mark();
  };
  const buttons = question.choices.map((choice, place) => {
    const isRight = right === String(place);
    const text = isRight ? `✓ ${choice}` : choice;
    const className = `choice${isRight ? " right" : ""}`;
    const button = makeElement("button", { className, type: "button", text });
    button.disabled = right !== null;
    button.addEventListener("click", () => vote(place));
    return button;
  });
  const mark = () => {
    buttons.forEach((button, place) => {
      button.setAttribute("aria-pressed", String(follower.votes[question.key] === place));
    });
  };
  const ask = makeElement("p", { className: "ask", id: "ask", text: question.ask });
  if (question.choices.length) form.replaceChildren(ask, ...buttons, status);
  else {
    const field = makeElement("input", { type: "text", inputmode: "decimal", "aria-labelledby": "ask", maxlength: 20 });
    field.autocomplete = "off";
    field.value = unsentText ?? localizeNumber(String(follower.votes[question.key] ?? ""));
    field.disabled = right !== null;
    const button = makeElement("button", { className: "main", text: labels.vote });
    button.disabled = right !== null;
    form.replaceChildren(ask, makeElement("div", { className: "line" }, field, button), status);
    form.onsubmit = (event) => {
      event.preventDefault();
      const answer = parseNumber(field.value);
      vote(answer as number); // null: the server refuses it with a message
    };
  }
  mark();
  if (right !== null) {
    const answer = question.choices.length ? question.choices[Number(right)] : localizeNumber(right);
    status.textContent = namedText(labels.shown, answer);
  } else if (isSame && before.key !== question.key && before.key in follower.votes) status.textContent = labels.again;
}

function drawWord() {
  const form = element("word");
  const field = makeElement("input", { type: "text", id: "own", maxlength: 60, enterkeyhint: "send" });
  field.autocomplete = "off";
  const button = makeElement("button", { text: labels.send });
  const status = makeElement("p", { className: "said", role: "status" });
  const label = makeElement("label", { for: "own", text: labels.word });
  form.replaceChildren(label, makeElement("div", { className: "line" }, field, button), status);
  form.onsubmit = async (event) => {
    event.preventDefault();
    button.disabled = true;
    const wrong = await post("word", { word: field.value });
    button.disabled = false;
    status.textContent = wrong || labels.sent;
    if (!wrong) field.value = "";
  };
}

(document.querySelector("#place b") as HTMLElement).textContent = code;
element("explore").textContent = labels.explore;
element("explore").hidden = true;
setStatus(labels.wait);
drawWord();
listenToEvents({
  url: `${code}/events${window.location.search}`,
  headers: () => (follower.you ? { "X-Follower": follower.you } : {}) as Record<string, string>,
  onEvent: ({ type, data }) => {
    if (type === "you") {
      follower.you = JSON.parse(data);
      saveFollower();
    } else {
      if (data) view = nextView(view, JSON.parse(data));
      draw(); // also after a reconnection without news
    }
  },
  onRefused: (sentence) => {
    setStatus(sentence || labels.offline);
    return true;
  },
});
