// What a phone shows of a lecture, from what it was told: no document here.

export type Question = { key: string; ask: string; choices: string[]; digits: number };
type Step = { page: string; title: string; say: string; attempt: string; query: string; question: Question | null };
type State = "on" | "away" | "ended" | "unknown" | "lost";

/** What a phone goes on with: what is in view stays where nothing new has come. */
export const next = (before: { step: Step | null; state: State }, told: { step?: Step | null; state: State }) => ({
  state: told.state,
  step: told.step ?? before.step,
});

/**
 * The name of the sentence about the lecture; "" for none.
 * @param hasStep whether the phone has seen a step
 */
export function noticeOf(state: State, hasStep: boolean) {
  if (state === "on") return hasStep ? "" : "wait";
  return { away: "away", unknown: hasStep ? "away" : "wait", ended: "ended", lost: "lost" }[state];
}

/**
 * Where the step's page is, with its settings; it leads back to the lecture.
 * @param here the phone's own address
 */
export function exploreAddress({ page, query }: Step, here: string, code: string) {
  const url = new URL(`../${page}`, here);
  const settings = new URLSearchParams(query);
  settings.set("follow", code);
  url.search = String(settings);
  url.hash = "";
  return String(url);
}

/** The code in a phone's address. */
export const codeOf = (path: string) => (path.split("/").filter(Boolean).pop() ?? "").toUpperCase();

/** The number that was typed, with a comma or a point; null where it is none. */
export function numberOf(text: string) {
  const written = text.trim().replace(",", ".").replace("−", "-");
  const value = Number(written);
  return written && Number.isFinite(value) ? value : null;
}
