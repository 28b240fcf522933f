// Server-sent events by fetch, which can send headers unlike EventSource; reconnects whenever the stream ends.

const MAX_SILENCE = 40_000; // ms; the server sends something every 15 s
const MAX_DELAY = 20_000; // ms between two attempts
const MIN_DELAY = 1_000;

type Event = { type: string; id: string; data: string };

/**
 * Parse the complete events at the start of a text.
 * @returns events: comments are events without data; rest: the incomplete end
 */
export function parseEvents(text: string): { events: Event[]; rest: string } {
  const blocks = text.split("\n\n");
  const rest = blocks.pop() ?? "";
  const events = blocks.map((block) => {
    const fields: Record<string, string> = {};
    for (const line of block.split("\n")) {
      const colon = line.indexOf(":");
      if (colon > 0) fields[line.slice(0, colon)] = line.slice(colon + 1).replace(/^ /, "");
    }
    return { type: fields.event ?? "", id: fields.id ?? "", data: fields.data ?? "" };
  });
  return { events, rest };
}

/**
 * Return the ms to wait before the next attempt.
 * @param failures number of failed attempts in a row
 * @param chance random, from 0 to 1: phones that have lost their server do not all come back at once
 */
export const retryDelay = (failures: number, chance: number) =>
  Math.min(MAX_DELAY, MIN_DELAY * 2 ** Math.min(failures, 10)) * (0.5 + chance);

interface Listener {
  url: string;
  headers: () => Record<string, string>;
  onEvent: (event: Event) => void; // also without data: a sign of life
  // with the server's error message, "" without an answer; returning false gives up
  onRefused: (sentence: string, status: number) => boolean;
}

/** Listen to events until the returned function is called. */
export function listenToEvents({ url, headers, onEvent: heard, onRefused: refused }: Listener): () => void {
  let [isClosed, isWaiting, failures, lastId, timer] = [false, false, 0, "", 0];
  let currentRequest = new AbortController();
  const again = (wait: number) => {
    clearTimeout(timer);
    isWaiting = !isClosed;
    if (isWaiting) timer = window.setTimeout(connect, wait);
  };
  async function connect() {
    isWaiting = false;
    const own = new AbortController();
    currentRequest = own;
    let quiet = window.setTimeout(() => own.abort(), MAX_SILENCE);
    try {
      const known = { ...headers(), ...(lastId && { "Last-Event-ID": lastId }) };
      const answer = await fetch(url, { headers: known, cache: "no-store", signal: own.signal });
      if (!answer.ok || !answer.body) {
        isClosed ||= !refused(await answer.text().catch(() => ""), answer.status);
      } else {
        const reader = answer.body.pipeThrough(new TextDecoderStream()).getReader();
        for (let text = ""; ; ) {
          const { value, done } = await reader.read();
          if (done || isClosed) break;
          failures = 0;
          clearTimeout(quiet);
          quiet = window.setTimeout(() => own.abort(), MAX_SILENCE);
          const { events, rest } = parseEvents(text + value);
          text = rest;
          for (const event of events) {
            lastId = event.id || lastId;
            heard(event);
          }
        }
      }
    } catch {
      isClosed ||= !refused("", 0);
    }
    clearTimeout(quiet);
    again(retryDelay(failures++, Math.random()));
  }
  const now = () => isWaiting && again(0);
  window.addEventListener("online", now);
  connect();
  return () => {
    isClosed = true;
    clearTimeout(timer);
    currentRequest.abort();
    window.removeEventListener("online", now);
  };
}
