// Server-sent events by fetch, which can send headers, connected again whenever they end.

const SILENT = 40_000; // ms; the server says something every 15 s
const LONGEST = 20_000; // ms between two attempts
const SHORTEST = 1_000;

type Event = { type: string; id: string; data: string };

/**
 * Takes whole events off the front of what has come.
 * @returns a comment is an event without data
 */
export function takeEvents(text: string): { events: Event[]; rest: string } {
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
 * How long to wait before the next attempt.
 * @param failures so far, one after another
 * @param chance from 0 to 1: a room of phones that lost their server does not come back as one
 */
export const pause = (failures: number, chance: number) =>
  Math.min(LONGEST, SHORTEST * 2 ** Math.min(failures, 10)) * (0.5 + chance);

interface Listener {
  url: string;
  headers: () => Record<string, string>;
  heard: (event: Event) => void; // also those without data, which only say that the connection stands
  // in the server's words, or "" where it does not answer; false gives up
  refused: (sentence: string, status: number) => boolean;
}

/** Listens until the returned function is called. */
export function listen({ url, headers, heard, refused }: Listener): () => void {
  let [over, waits, failures, last, timer] = [false, false, 0, "", 0];
  let asked = new AbortController();
  const again = (wait: number) => {
    clearTimeout(timer);
    waits = !over;
    if (waits) timer = window.setTimeout(connect, wait);
  };
  async function connect() {
    waits = false;
    const own = new AbortController();
    asked = own;
    let quiet = window.setTimeout(() => own.abort(), SILENT);
    try {
      const known = { ...headers(), ...(last && { "Last-Event-ID": last }) };
      const answer = await fetch(url, { headers: known, cache: "no-store", signal: own.signal });
      if (!answer.ok || !answer.body) {
        over ||= !refused(await answer.text().catch(() => ""), answer.status);
      } else {
        const reader = answer.body.pipeThrough(new TextDecoderStream()).getReader();
        for (let text = ""; ; ) {
          const { value, done } = await reader.read();
          if (done || over) break;
          failures = 0;
          clearTimeout(quiet);
          quiet = window.setTimeout(() => own.abort(), SILENT);
          const { events, rest } = takeEvents(text + value);
          text = rest;
          for (const event of events) {
            last = event.id || last;
            heard(event);
          }
        }
      }
    } catch {
      over ||= !refused("", 0);
    }
    clearTimeout(quiet);
    again(pause(failures++, Math.random()));
  }
  const now = () => waits && again(0);
  window.addEventListener("online", now);
  connect();
  return () => {
    over = true;
    clearTimeout(timer);
    asked.abort();
    window.removeEventListener("online", now);
  };
}
