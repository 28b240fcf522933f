// The presenter's side of a lecture: the right to present, which this tab's address has after "#" and sends nowhere but to
// the room; what is in view, told to the room; and what the room says.

import { shownLook, watchLook, withLook } from "./look.js";
import { listen } from "./stream.js";

const RIGHT = /^[A-HJ-NP-Z2-9]{6}\.[\w-]{32}$/;
const BETWEEN = 400; // ms between two steps: a text that is typed changes the address with each key

/** @typedef {{ page: string, title: string, say: string, attempt: string, question: object | null }} Shown what is in view, without its settings */
/** @typedef {{ state: string, phones?: number, question?: string, votes?: Record<string, number>, words?: [string, number][], sentence?: string }} News */
/** @typedef {{ right: string, ended: string, session: string, lang: string, own: string[], step: Shown | null }} Data and which settings are the presenter's own */

/**
 * The right to present in an address; "" for none.
 * @param {string} hash
 */
export function rightIn(hash) {
  const right = hash.startsWith("#room=") ? hash.slice("#room=".length) : "";
  return RIGHT.test(right) ? right : "";
}

/**
 * The settings of a page without those that are the presenter's own.
 * @param {string} query
 * @param {string[]} own
 */
export function publicQuery(query, own) {
  const settings = new URLSearchParams(query);
  for (const name of own) settings.delete(name);
  return String(settings);
}

/** What the browser's address.js knows. */
const linked = () => /** @type {string} */ (/** @type {any} */ (window).embeddingExplorerAddress?.query ?? "");
const room = {
  right: "",
  reported: "", // to which visit on the server
  lang: "en",
  /** @type {string[]} */
  own: [],
  /** @type {Shown | null} */
  step: null,
  sent: "", // the step that the room has
  isSending: false,
  stop: () => {},
  /** @type {News} */
  news: { state: "unknown" },
  /** @type {Set<(news: News) => void>} */
  watchers: new Set(),
};

/**
 * @param {Data} data
 * @param {import("./lifecycle.js").Page} page
 */
export default function ({ right, ended, session, lang, own, step }, page) {
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
 * @param {(news: News) => void} heard
 * @returns {() => void} ends that
 */
export function watchRoom(heard) {
  room.watchers.add(heard);
  heard(room.news);
  return () => void room.watchers.delete(heard);
}

/**
 * Takes a word away that waits.
 * @param {string} word
 * @returns {Promise<string>} what is wrong; "" where it is gone
 */
export const judge = (word) => post("judged", { word });

/** Closes the room for all. */
export const endRoom = () => post("end", {});

/** @param {Partial<News>} news */
function tell(news) {
  room.news = { ...room.news, sentence: "", ...news };
  for (const heard of room.watchers) heard(room.news);
}

/** @param {string} right of the room that this tab presents in from now on; "" for none */
async function begin(right) {
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

/** @param {News} news */
function hear(news) {
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

/** @param {string} way */
function address(way) {
  return new URL(`follow/${room.right.split(".")[0]}/${way}?lang=${room.lang}`, document.baseURI).href;
}

/**
 * @param {string} way
 * @param {object} content
 */
async function ask(way, content) {
  const headers = { ...authorization(), "Content-Type": "application/json" };
  try {
    return await fetch(address(way), { method: "POST", headers, body: JSON.stringify(content) });
  } catch {
    return null;
  }
}

/**
 * @param {string} way
 * @param {object} content
 */
async function post(way, content) {
  const answer = await ask(way, content);
  if (answer?.ok) return "";
  const sentence = (await answer?.text()) || "offline";
  tell({ sentence });
  return sentence;
}
