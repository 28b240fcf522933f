// The speaker's window beside the slides: notes, next slide and time; its buttons and keys turn the slides. It gets its content
// from the window with the slides, over a BroadcastChannel whose name is the address's hash.

import { language, setLanguage } from "../_shared/numbers.ts";
import { clockFace, elapsedTime, keyAction, STOPPED } from "../_shared/slides.ts";

type Part =
  | "place"
  | "timer"
  | "clock"
  | "title"
  | "notes"
  | "next"
  | "back"
  | "forward"
  | "blank"
  | "toggle"
  | "reset";
const TICK = 250; // ms
const PARTS = "place timer clock title notes next back forward blank toggle reset".split(" ") as Part[];
const BUTTONS = ["back", "forward", "blank", "toggle", "reset"] as Part[];
const MESSAGES = {
  back: { move: "back" },
  forward: { move: "next" },
  blank: { blank: true },
  toggle: { timer: "toggle" },
  reset: { timer: "reset" },
} as Record<string, object>;

/** @param name of the channel */
function listen(name: string) {
  const channel = new BroadcastChannel(name);
  const entries = PARTS.map((id) => [id, document.getElementById(id) as HTMLElement]);
  const parts = Object.fromEntries(entries) as Record<Part, HTMLElement>;
  let labels: Record<string, string> = {};
  let timer = STOPPED;

  const tick = () => {
    parts.clock.textContent = new Date().toLocaleTimeString(language(), { hour: "2-digit", minute: "2-digit" });
    parts.timer.textContent = clockFace(elapsedTime(timer, Date.now()));
  };
  channel.onmessage = ({ data }) => {
    const isOver = Boolean(data.isOver);
    for (const id of BUTTONS) (parts[id] as HTMLButtonElement).disabled = isOver;
    if (isOver) {
      parts.place.textContent = labels.over ?? "";
      return;
    }
    if (!data.labels) return; // a message of another speaker's window
    ({ labels, timer } = data);
    setLanguage(labels);
    document.documentElement.lang = language();
    document.title = `${labels.notes} · ${data.title}`;
    parts.place.textContent = data.place;
    parts.title.textContent = data.title;
    parts.notes.textContent = data.notes;
    parts.next.textContent = data.next && labels.following.replace("{page}", data.next);
    for (const id of ["back", "forward", "blank", "reset"]) parts[id as Part].textContent = labels[id];
    parts.back.textContent = labels.return;
    parts.toggle.textContent = timer.since === null ? labels.start : labels.pause;
    parts.blank.setAttribute("aria-pressed", String(data.isBlank));
    tick();
  };
  for (const id of BUTTONS) parts[id].addEventListener("click", () => channel.postMessage(MESSAGES[id]));
  document.addEventListener("keydown", (event) => {
    const meaning = keyAction(event);
    const isButton = event.target instanceof HTMLButtonElement && (event.key === " " || event.key === "Enter");
    if (!meaning || isButton || ["notes", "keys", "end", "full", "join"].includes(meaning)) return;
    event.preventDefault();
    channel.postMessage(meaning === "blank" ? MESSAGES.blank : { move: meaning });
  });
  setInterval(tick, TICK);
  tick();
  channel.postMessage({ hello: true });
}

listen(location.hash.slice(1));
