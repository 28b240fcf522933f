// What a phone shows of a lecture, from what it was told: no document here.

/** @typedef {{ key: string, ask: string, choices: string[], digits: number }} Question */
/** @typedef {{ page: string, title: string, say: string, attempt: string, query: string, question: Question | null }} Step */
/** @typedef {"on" | "away" | "ended" | "unknown" | "lost"} State */

/**
 * What a phone goes on with: what is in view stays where nothing new has come.
 * @param {{ step: Step | null, state: State }} before
 * @param {{ step?: Step | null, state: State }} told
 */
export const next = (before, told) => ({ state: told.state, step: told.step ?? before.step });

/**
 * The name of the sentence about the lecture; "" for none.
 * @param {State} state
 * @param {boolean} hasStep whether the phone has seen a step
 */
export function noticeOf(state, hasStep) {
  if (state === "on") return hasStep ? "" : "wait";
  return { away: "away", unknown: hasStep ? "away" : "wait", ended: "ended", lost: "lost" }[state];
}

/**
 * Where the step's page is, with its settings; it leads back to the lecture.
 * @param {Step} step
 * @param {string} here the phone's own address
 * @param {string} code
 */
export function exploreAddress({ page, query }, here, code) {
  const url = new URL(`../${page}`, here);
  const settings = new URLSearchParams(query);
  settings.set("follow", code);
  url.search = String(settings);
  url.hash = "";
  return String(url);
}

/**
 * The code in a phone's address.
 * @param {string} path
 */
export const codeOf = (path) => (path.split("/").filter(Boolean).pop() ?? "").toUpperCase();

/**
 * The number that was typed, with a comma or a point; null where it is none.
 * @param {string} text
 */
export function numberOf(text) {
  const written = text.trim().replace(",", ".").replace("−", "-");
  const value = Number(written);
  return written && Number.isFinite(value) ? value : null;
}
