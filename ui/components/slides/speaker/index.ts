// The speaker's window beside the slides: notes, next slide and time; its buttons and keys turn the slides. It gets its content
// from the window with the slides, over a BroadcastChannel whose name is the address's hash.

import { language, setLanguage } from "../../_shared/numbers.ts";
import { clockFace, elapsedTime, keyAction, STOPPED } from "../moves.ts";

const TICK = 250; // ms
const TEXTS = ["place", "timer", "clock", "title", "notes", "next"] as const;
const BUTTONS = ["back", "forward", "blank", "toggle", "reset"] as const;
type Part = (typeof TEXTS)[number] | (typeof BUTTONS)[number];
const MESSAGES = {
  back: { move: "back" },
  forward: { move: "next" },
  blank: { blank: true },
  toggle: { timer: "toggle" },
  reset: { timer: "reset" },
};

/**
 * Show what the window with the slides sends, and send it what the reader does.
 * @param name of the channel
 */
function connect(name: string) {
  const channel = new BroadcastChannel(name);
  const entries = [...TEXTS, ...BUTTONS].map((id) => [id, document.getElementById(id) as HTMLElement]);
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
    for (const id of ["forward", "blank", "reset"] as const) parts[id].textContent = labels[id];
    parts.back.textContent = labels.return;
    (document.querySelector("footer") as HTMLElement).hidden = false; // its buttons have names now
    parts.toggle.textContent = timer.since === null ? labels.start : labels.pause;
    parts.blank.setAttribute("aria-pressed", String(data.isBlank));
    tick();
  };
  for (const id of BUTTONS) parts[id].addEventListener("click", () => channel.postMessage(MESSAGES[id]));
  document.addEventListener("keydown", (event) => {
    const action = keyAction(event);
    const isButton = event.target instanceof HTMLButtonElement && (event.key === " " || event.key === "Enter");
    if (!action || isButton || ["notes", "keys", "end", "full", "join"].includes(action)) return;
    event.preventDefault();
    channel.postMessage(action === "blank" ? MESSAGES.blank : { move: action });
  });
  setInterval(tick, TICK);
  tick();
  channel.postMessage({ hello: true });
}

connect(location.hash.slice(1));
