// The presenter's side of a lecture: the right to present, which this tab's address has after "#" and sends nowhere but to
// the room; what is in view, told to the room; and what the room says.

import type { Page } from "./lifecycle.ts";
import { listenToEvents } from "./stream.ts";
import { viewState, watchViewState, withViewState } from "./view_state.ts";

const RIGHT = /^[A-HJ-NP-Z2-9]{6}\.[\w-]{32}$/;
const BETWEEN = 400; // ms between two steps: a text that is typed changes the address with each key

/** What is in view, without its settings. */
type Step = { page: string; title: string; say: string; attempt: string; question: object | null };
export type News = {
  state: string;
  phones?: number;
  question?: string;
  votes?: Record<string, number>;
  words?: [string, number][];
  sentence?: string;
};
/** What Python sends, with which settings are the presenter's own. */
type Data = { right: string; ended: string; session: string; lang: string; own: string[]; step: Step | null };

/** The right to present in an address; "" for none. */
export function parseRight(hash: string) {
  const right = hash.startsWith("#room=") ? hash.slice("#room=".length) : "";
  return RIGHT.test(right) ? right : "";
}

/** The settings of a page without those that are the presenter's own. */
export function publicQuery(query: string, own: string[]) {
  const settings = new URLSearchParams(query);
  for (const name of own) settings.delete(name);
  return String(settings);
}

/** What the browser's address.ts knows. */
const addressQuery = () =>
  ((window as { embeddingExplorerAddress?: { query: string } }).embeddingExplorerAddress?.query ?? "") as string;
const room = {
  right: "",
  reportedSession: "", // to which visit on the server
  lang: "en",
  own: [] as string[],
  step: null as Step | null,
  sentStep: "", // the step that the room has
  isSending: false,
  stop: () => {},
  news: { state: "unknown" } as News,
  watchers: new Set() as Set<(news: News) => void>,
};

export default function ({ right, ended, session, lang, own, step }: Data, page: Page) {
  Object.assign(room, { lang, own, step });
  if (ended && ended === room.right) connect("");
  else if (right && right !== room.right) connect(right);
  const { hash: given } = window.location;
  const known = room.right || (ended ? "" : parseRight(given) || (given.startsWith("#room=") && "cut"));
  if (known && !right && !ended && room.reportedSession !== session) {
    room.reportedSession = session;
    page.setTriggerValue("room", known);
  }
  const hash = right ? `#room=${right}` : "";
  if (right ? window.location.hash !== hash : ended && parseRight(window.location.hash)) {
    const url = new URL(window.location.href);
    url.hash = hash;
    window.history.replaceState(window.history.state, "", url);
  }
}

/**
 * Tells the room what is in view, where that has changed; each run of the page, or of a part of it, ends with this, and so
 * does a step of a player, a camera that is turned, a section that is opened.
 */
export async function sendStep() {
  if (!room.right || !room.step || room.isSending) return;
  const query = withViewState(publicQuery(addressQuery(), room.own), viewState());
  const step = { ...room.step, query };
  const written = JSON.stringify(step);
  if (written === room.sentStep) return;
  const { right } = room;
  room.isSending = true;
  const wrong = await post("step", { step });
  if (!wrong && right === room.right) room.sentStep = written;
  setTimeout(() => {
    room.isSending = false;
    if (!wrong) sendStep(); // what came meanwhile
  }, BETWEEN);
}

watchViewState(sendStep);

/**
 * What shows the room hears its news, at once and as they come.
 * @returns ends that
 */
export function watchRoom(listener: (news: News) => void): () => void {
  room.watchers.add(listener);
  listener(room.news);
  return () => void room.watchers.delete(listener);
}

/**
 * Takes a word away that waits.
 * @returns what is wrong; "" where it is gone
 */
export const removeWord = (word: string): Promise<string> => post("judged", { word });

/** Closes the room for all. */
export const endRoom = () => post("end", {});

function publishNews(news: Partial<News>) {
  room.news = { ...room.news, sentence: "", ...news };
  for (const listener of room.watchers) listener(room.news);
}

/** @param right of the room that this tab presents in from now on; "" for none */
async function connect(right: string) {
  room.stop();
  Object.assign(room, { right, sentStep: "", news: { state: "unknown" }, stop: () => {} });
  if (!right) return;
  await sendStep(); // which opens it
  if (right !== room.right) return;
  room.stop = listenToEvents({
    url: `${address("room")}`,
    headers: authorization,
    onEvent: ({ data }) => {
      if (data) receiveNews(JSON.parse(data));
      else confirmPresence();
    },
    onRefused: (sentence, status) => {
      publishNews({ sentence: sentence || "offline" });
      if (status === 404) reopenRoom();
      return status !== 403;
    },
  });
}

function receiveNews(news: News) {
  publishNews(news);
  if (news.state === "unknown") reopenRoom(); // what kept it has forgotten it
}

function reopenRoom() {
  room.sentStep = "";
  sendStep();
}

/** The presenter is still there; the room asks for that whenever it says that it is. */
async function confirmPresence() {
  publishNews({});
  const { right, stop } = room;
  const answer = await request("step", { step: null });
  if (answer?.status === 404) reopenRoom();
  const isHeard = !answer?.ok || (await answer.json()).heard;
  if (isHeard || right !== room.right || stop !== room.stop) return;
  connect(right); // it has come to another process of the server
}

const authorization = () => ({ Authorization: `Bearer ${room.right.split(".")[1]}` });

function address(action: string) {
  return new URL(`follow/${room.right.split(".")[0]}/${action}?lang=${room.lang}`, document.baseURI).href;
}

async function request(action: string, content: object) {
  const headers = { ...authorization(), "Content-Type": "application/json" };
  try {
    return await fetch(address(action), { method: "POST", headers, body: JSON.stringify(content) });
  } catch {
    return null;
  }
}

async function post(action: string, content: object) {
  const answer = await request(action, content);
  if (answer?.ok) return "";
  const sentence = (await answer?.text()) || "offline";
  publishNews({ sentence });
  return sentence;
}
