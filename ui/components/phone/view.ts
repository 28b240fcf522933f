// State of a phone's page, computed from the lecture's messages, without a document.

/** A question; right is the answer as votes are counted, null until the presenter shows it. */
export type Question = { key: string; ask: string; choices: string[]; digits: number; right: string | null };
type Step = {
  page: string;
  title: string;
  say: string;
  attempt: string;
  text: string;
  query: string;
  question: Question | null;
};
type State = "on" | "away" | "ended" | "unknown" | "lost";

/** Return the state after a message: a message without a step keeps the step in view. */
export const nextView = (
  previous: { step: Step | null; state: State },
  message: { step?: Step | null; state: State },
) => ({
  state: message.state,
  step: message.step ?? previous.step,
});

/**
 * Return the name of the notice on the lecture's state; "" for none.
 * @param hasStep whether the phone has received a step
 */
export function noticeName(state: State, hasStep: boolean) {
  if (state === "on") return hasStep ? "" : "wait";
  return { away: "away", unknown: hasStep ? "away" : "wait", ended: "ended", lost: "lost" }[state];
}

/**
 * Return the URL of the step's page with its settings; that page links back to the lecture.
 * @param address the phone's own address
 */
export function exploreAddress({ page, query }: Step, address: string, code: string) {
  const url = new URL(`../${page}`, address);
  const settings = new URLSearchParams(query);
  settings.set("follow", code);
  url.search = String(settings);
  url.hash = "";
  return String(url);
}

/** Return the room's code in a phone's address. */
export const roomCode = (path: string) => (path.split("/").filter(Boolean).pop() ?? "").toUpperCase();

/** Parse a typed number, with a decimal comma or point; null for none. */
export function parseNumber(text: string) {
  const normalized = text.trim().replace(",", ".").replace("−", "-");
  const value = Number(normalized);
  return normalized && Number.isFinite(value) ? value : null;
}
