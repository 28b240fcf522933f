// The presenter's side of a lecture: the right to present, which this tab's address has after "#" and sends nowhere but to
// the room; what is in view, told to the room; and what the room says.

import type { Page } from "./lifecycle.ts";
import { shownLook, watchLook, withLook } from "./look.ts";
import { listen } from "./stream.ts";

const RIGHT = /^[A-HJ-NP-Z2-9]{6}\.[\w-]{32}$/;
const BETWEEN = 400; // ms between two steps: a text that is typed changes the address with each key

/** What is in view, without its settings. */
type Shown = { page: string; title: string; say: string; attempt: string; question: object | null };
export type News = {
  state: string;
  phones?: number;
  question?: string;
  votes?: Record<string, number>;
  words?: [string, number][];
  sentence?: string;
};
/** What Python sends, with which settings are the presenter's own. */
type Data = { right: string; ended: string; session: string; lang: string; own: string[]; step: Shown | null };

/** The right to present in an address; "" for none. */
export function rightIn(hash: string) {
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
const linked = () =>
  ((window as { embeddingExplorerAddress?: { query: string } }).embeddingExplorerAddress?.query ?? "") as string;
const room = {
  right: "",
  reported: "", // to which visit on the server
  lang: "en",
  own: [] as string[],
  step: null as Shown | null,
  sent: "", // the step that the room has
  isSending: false,
  stop: () => {},
  news: { state: "unknown" } as News,
  watchers: new Set() as Set<(news: News) => void>,
};

export default function ({ right, ended, session, lang, own, step }: Data, page: Page) {
  Object.assign(room, { lang, own, step });
  if (ended && ended === room.right) begin("");
  else if (right && right !== room.right) begin(right);
  const { hash: given } = window.location;
  const known = room.right || (ended ? "" : rightIn(given) || (given.startsWith("#room=") && "cut"));
  if (known && !right && !ended && room.reported !== session) {
    room.reported = session;
    page.setTriggerValue("room", known);
  }
  const hash = right ? `#room=${right}` : "";
  if (right ? window.location.hash !== hash : ended && rightIn(window.location.hash)) {
    const url = new URL(window.location.href);
    url.hash = hash;
    window.history.replaceState(window.history.state, "", url);
  }
}

/**
 * Tells the room what is in view, where that has changed; each run of the page, or of a part of it, ends with this, and so
 * does a step of a player, a camera that is turned, a section that is opened.
 */
export async function tellRoom() {
  if (!room.right || !room.step || room.isSending) return;
  const query = withLook(publicQuery(linked(), room.own), shownLook());
  const step = { ...room.step, query };
  const written = JSON.stringify(step);
  if (written === room.sent) return;
  const { right } = room;
  room.isSending = true;
  const wrong = await post("step", { step });
  if (!wrong && right === room.right) room.sent = written;
  setTimeout(() => {
    room.isSending = false;
    if (!wrong) tellRoom(); // what came meanwhile
  }, BETWEEN);
}

watchLook(tellRoom);

/**
 * What shows the room hears its news, at once and as they come.
 * @returns ends that
 */
export function watchRoom(heard: (news: News) => void): () => void {
  room.watchers.add(heard);
  heard(room.news);
  return () => void room.watchers.delete(heard);
}

/**
 * Takes a word away that waits.
 * @returns what is wrong; "" where it is gone
 */
export const judge = (word: string): Promise<string> => post("judged", { word });

/** Closes the room for all. */
export const endRoom = () => post("end", {});

function tell(news: Partial<News>) {
  room.news = { ...room.news, sentence: "", ...news };
  for (const heard of room.watchers) heard(room.news);
}

/** @param right of the room that this tab presents in from now on; "" for none */
async function begin(right: string) {
  room.stop();
  Object.assign(room, { right, sent: "", news: { state: "unknown" }, stop: () => {} });
  if (!right) return;
  await tellRoom(); // which opens it
  if (right !== room.right) return;
  room.stop = listen({
    url: `${address("room")}`,
    headers: authorization,
    heard: ({ data }) => {
      if (data) hear(JSON.parse(data));
      else stay();
    },
    refused: (sentence, status) => {
      tell({ sentence: sentence || "offline" });
      if (status === 404) openAnew();
      return status !== 403;
    },
  });
}

function hear(news: News) {
  tell(news);
  if (news.state === "unknown") openAnew(); // what kept it has forgotten it
}

function openAnew() {
  room.sent = "";
  tellRoom();
}

/** The presenter is still there; the room asks for that whenever it says that it is. */
async function stay() {
  tell({});
  const { right, stop } = room;
  const answer = await ask("step", { step: null });
  if (answer?.status === 404) openAnew();
  const isHeard = !answer?.ok || (await answer.json()).heard;
  if (isHeard || right !== room.right || stop !== room.stop) return;
  begin(right); // it has come to another process of the server
}

const authorization = () => ({ Authorization: `Bearer ${room.right.split(".")[1]}` });

function address(way: string) {
  return new URL(`follow/${room.right.split(".")[0]}/${way}?lang=${room.lang}`, document.baseURI).href;
}

async function ask(way: string, content: object) {
  const headers = { ...authorization(), "Content-Type": "application/json" };
  try {
    return await fetch(address(way), { method: "POST", headers, body: JSON.stringify(content) });
  } catch {
    return null;
  }
}

async function post(way: string, content: object) {
  const answer = await ask(way, content);
  if (answer?.ok) return "";
  const sentence = (await answer?.text()) || "offline";
  tell({ sentence });
  return sentence;
}
