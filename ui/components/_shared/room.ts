// The presenter's side of a lecture: keeps the right to present, which is the hash of this tab's address and is sent to the
// room alone; sends the step in view to the room; and receives the room's news.

import type { Page } from "./lifecycle.ts";
import { listenToEvents } from "./stream.ts";
import { viewState, watchViewState, withViewState } from "./view_state.ts";

const RIGHT = /^[A-HJ-NP-Z2-9]{6}\.[\w-]{32}$/;
const BETWEEN = 400; // ms between two steps: typing changes the address with each key

/** The step in view, without its settings. */
type Step = { page: string; title: string; say: string; attempt: string; question: object | null };
export type News = {
  state: string;
  phones?: number;
  question?: string;
  votes?: Record<string, number>;
  words?: [string, number][];
  sentence?: string;
};
/** Python's data; `own` are the names of the presenter's own settings. */
type Data = { right: string; ended: string; session: string; lang: string; own: string[]; step: Step | null };

/** Return the right to present in an address's hash; "" for none. */
export function parseRight(hash: string) {
  const right = hash.startsWith("#room=") ? hash.slice("#room=".length) : "";
  return RIGHT.test(right) ? right : "";
}

/** Return a query without the presenter's own settings. */
export function publicQuery(query: string, own: string[]) {
  const settings = new URLSearchParams(query);
  for (const name of own) settings.delete(name);
  return String(settings);
}

/** Return the page's query as browser/address.ts has it. */
const addressQuery = () =>
  ((window as { embeddingExplorerAddress?: { query: string } }).embeddingExplorerAddress?.query ?? "") as string;
const room = {
  right: "",
  reportedSession: "", // the session that the right was reported to
  lang: "en",
  own: [] as string[],
  step: null as Step | null,
  sentStep: "", // JSON of the step that the room has
  isSending: false,
  stop: () => {},
  news: { state: "unknown" } as News,
  watchers: new Set() as Set<(news: News) => void>,
};

export default function ({ right, ended, session, lang, own, step }: Data, page: Page) {
  Object.assign(room, { lang, own, step });
  if (ended && ended === room.right) connect("");
  else if (right && right !== room.right) connect(right);
  const { hash: addressHash } = window.location;
  const known = room.right || (ended ? "" : parseRight(addressHash) || (addressHash.startsWith("#room=") && "cut"));
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
 * Send the step in view to the room if it has changed: called after each run of the page or a fragment, and when the view state
 * changes.
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
    if (!wrong) sendStep(); // changes since then
  }, BETWEEN);
}

watchViewState(sendStep);

/**
 * Call a function with the room's news, at once and whenever they change.
 * @returns a function that stops it
 */
export function watchRoom(listener: (news: News) => void): () => void {
  room.watchers.add(listener);
  listener(room.news);
  return () => void room.watchers.delete(listener);
}

/**
 * Remove a pending word.
 * @returns an error message; "" for success
 */
export const removeWord = (word: string): Promise<string> => post("judged", { word });

/** Close the room for all. */
export const endRoom = () => post("end", {});

function publishNews(news: Partial<News>) {
  room.news = { ...room.news, sentence: "", ...news };
  for (const listener of room.watchers) listener(room.news);
}

/** @param right to present in the room that this tab presents in from now on; "" for none */
async function connect(right: string) {
  room.stop();
  Object.assign(room, { right, sentStep: "", news: { state: "unknown" }, stop: () => {} });
  if (!right) return;
  await sendStep(); // opens the room
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
  if (news.state === "unknown") reopenRoom(); // the server has lost it
}

function reopenRoom() {
  room.sentStep = "";
  sendStep();
}

/** Confirm that the presenter is still there, which the room asks for with each sign of life. */
async function confirmPresence() {
  publishNews({});
  const { right, stop } = room;
  const answer = await request("step", { step: null });
  if (answer?.status === 404) reopenRoom();
  const isHeard = !answer?.ok || (await answer.json()).heard;
  if (isHeard || right !== room.right || stop !== room.stop) return;
  connect(right); // another server process has the room
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
