"""A room: the step that phones follow, their votes and words, and permissions. Texts expire soon."""

import hashlib
import hmac
import json
import math
import re
import secrets
import time
import unicodedata
from collections.abc import Callable, Mapping
from typing import Any, Literal

from embedlib.i18n import N_
from ui.lecture.store import RoomStore
from ui.settings import ROOM_CODE, ROOM_LETTERS

RIGHT = re.compile(rf"(?P<code>{ROOM_CODE.pattern})\.(?P<secret>[\w-]{{32}})", re.ASCII)
KEPT = 2 * 3600.0  # s for which a room stays after its presenter's last request
SILENT = 50.0  # s without a request after which a presenter is away
MOST_ROOMS = 300
FORGOTTEN = 600.0  # s after which a room without its presenter may be replaced by a new one
MOST_FOLLOWERS = 2_000
MOST_VOTES = 20_000  # of all questions of a room
MOST_WORDS = 200  # different pending ones
MOST_CHARACTERS = 40  # of a word
WORDS_A_MINUTE = 5  # of one phone
SENTENCES: dict[str, str] = {
    "unknown": N_("No lecture {code}: check the code."),
    "right": N_("Only the presenter may do that."),
    "rooms": N_("Too many lectures: try later."),
    "full": N_("The lecture is full ({most:,} phones)."),
    "over": N_("This question is over."),
    "answer": N_("Choose an answer or type a number."),
    "long": N_("A word has at most {most} characters."),
    "empty": N_("Type a word first."),
    "fast": N_("At most {most} words a minute: wait."),
    "many": N_("Too many words: try later."),
    "bad": N_("This page is outdated: reload it."),
    "lost": N_("No connection to Redis. Trying again; everything here stays."),
}
_STATUS = {"unknown": 404, "right": 403, "rooms": 503, "full": 503, "fast": 429, "many": 429, "lost": 503, "over": 409}
# Characters removed from words: bidi controls, line separators and invisible characters.
_INVISIBLE = re.compile("[\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u2069\ufeff\ufff9-\ufffb]")
# Texts of a step, and their most characters.
_TEXTS = {"title": 120, "say": 600, "attempt": 400, "text": 600, "query": 20_000}

State = Literal["on", "away", "ended", "unknown"]


class Refused(Exception):
    """A request that a room refuses; `SENTENCES` has the reason."""

    def __init__(self, reason: str, **values: object) -> None:
        """Store the reason, and the values of its sentence."""
        super().__init__(reason)
        self.reason, self.values = reason, values

    @property
    def status(self) -> int:
        """Return the HTTP status of the refusal."""
        return _STATUS.get(self.reason, 400)


def new_right() -> str:
    """Create the right to present in a new room: "CODE.SECRET", 192 bits of it secret."""
    secret = secrets.token_urlsafe(24)
    return f"{room_code(secret)}.{secret}"


def room_code(secret: str) -> str:
    """Return the room code derived from a secret, so that nobody can choose a code."""
    digest = hashlib.sha256(b"code " + secret.encode()).digest()
    return "".join(ROOM_LETTERS[byte % 32] for byte in digest[:6])


def valid_right(raw: object) -> str | None:
    """Return a presenter's right if its code fits its secret; else None."""
    found = RIGHT.fullmatch(raw) if isinstance(raw, str) else None
    return found[0] if found and room_code(found["secret"]) == found["code"] else None


def clean_word(raw: object) -> str:
    """Return the word that a phone sent as one line of plain text.

    Raises:
        Refused: nothing is left, or it is too long.
    """
    if not isinstance(raw, str):
        raise Refused("bad")
    # Cut before it is looked through; a letter and its marks can become one.
    kept = _INVISIBLE.sub("", unicodedata.normalize("NFC", raw[: 20 * MOST_CHARACTERS]))
    shown = "".join(" " if unicodedata.category(one) in ("Cc", "Cs", "Co", "Cn") else one for one in kept)
    word = " ".join(shown.split())
    if not word:
        raise Refused("empty")
    if len(word) > MOST_CHARACTERS:
        raise Refused("long", most=MOST_CHARACTERS)
    return word


def read_step(raw: object) -> dict[str, Any]:
    """Validate a step from a presenter's page; return what followers get.

    Returns:
        page, title, say, attempt, text, query, and question: None, or its key, ask, choices, digits, and right: the
        answer as votes are counted, once the presenter has shown it; None before.

    Raises:
        Refused: it is no step.
    """
    if not isinstance(raw, Mapping) or not re.fullmatch("[a-z_]{0,40}", str(raw.get("page"))):
        raise Refused("bad")
    step: dict[str, Any] = {"page": raw["page"]}
    for name, most in _TEXTS.items():
        step[name] = _text(raw.get(name), most)
    asked = raw.get("question")
    if asked is not None:
        if not isinstance(asked, Mapping) or not isinstance(choices := asked.get("choices"), list) or len(choices) > 9:
            raise Refused("bad")
        digits = asked.get("digits")
        if not isinstance(digits, int) or not 0 <= digits <= 6:
            raise Refused("bad")
        asked = {
            "key": _text(asked.get("key"), 40),
            "ask": _text(asked.get("ask"), 400),
            "choices": [_text(choice, 200) for choice in choices],
            "digits": int(digits),
            "right": None if asked.get("right") is None else _text(asked["right"], 40),
        }
    return step | {"question": asked}


def _text(raw: object, most: int) -> str:
    if not isinstance(raw, str) or len(raw) > most:
        raise Refused("bad")
    return raw.encode(errors="replace").decode()  # half a surrogate pair is no text


def _normalise_answer(question: Mapping[str, Any], raw: object) -> str:
    """Return a vote as it is counted: the choice's index, or the number with its decimals."""
    if isinstance(raw, bool) or not isinstance(raw, int | float) or not math.isfinite(raw) or abs(raw) > 1e12:
        raise Refused("answer")
    if not question["choices"]:
        return f"{round(float(raw), question['digits']) + 0.0:.{question['digits']}f}"
    if raw not in range(len(question["choices"])):
        raise Refused("answer")
    return str(int(raw))


def _hash_secret(secret: str) -> str:
    return hashlib.sha256(b"right " + secret.encode()).hexdigest()


class Rooms:
    """All rooms of a store. Only a hash of each secret is stored.

    Args:
        store: of the rooms.
        now: the time, s.
    """

    def __init__(self, store: RoomStore, now: Callable[[], float] = time.time) -> None:
        """Use a store and a clock."""
        self.store = store
        self._now = now

    async def admit(self, code: str, secret: str, *, opening: bool = False) -> None:
        """Check a presenter's right, record their presence, and open the room if it does not exist (any more).

        Args:
            code: of the room.
            secret: the presenter's.
            opening: whether it may be opened.

        Raises:
            Refused: the secret is not this room's, it is not open, or there are too many.
        """
        if valid_right(f"{code}.{secret}") is None:
            raise Refused("right")
        room = await self.store.read(f"room {code}")
        if not room:
            if not opening:
                raise Refused("unknown", code=code)
            await self._evict_oldest_room()
        elif not hmac.compare_digest(room["right"], _hash_secret(secret)):
            raise Refused("right")
        was = self._state(room)
        if was == "ended":
            raise Refused("unknown", code=code)
        seen = f"{self._now():.3f}"
        await self.store.write(f"room {code}", {"right": _hash_secret(secret), "seen": seen}, keep=KEPT)
        await self.store.write("rooms", {code: seen}, keep=KEPT)
        if was != "on":
            await self.store.publish(code, "step")

    async def _evict_oldest_room(self) -> None:
        listed = {code: float(seen) for code, seen in (await self.store.read("rooms")).items()}
        over = [code for code, seen in listed.items() if self._now() - seen > KEPT]
        if len(listed) - len(over) >= MOST_ROOMS:
            oldest = min(listed.keys() - over, key=lambda code: listed[code])
            if self._now() - listed[oldest] < FORGOTTEN:
                raise Refused("rooms")
            over.append(oldest)
            await self.store.remove(f"room {oldest}")
            await self.store.publish(oldest, "step")
        if over:
            await self.store.remove("rooms", *over)

    async def publish_step(self, code: str, step: Mapping[str, Any]) -> None:
        """Publish a step, as returned by `read_step`, to all followers."""
        written = json.dumps(step, ensure_ascii=False, separators=(",", ":"))
        if await self.store.read_field(f"room {code}", "step") != written:
            await self.store.write(f"room {code}", {"step": written}, keep=KEPT)
            await self.store.publish(code, "step")

    async def leave(self, code: str) -> None:
        """Record that the presenter's page has gone; the room stays."""
        if await self.store.read_field(f"room {code}", "seen"):
            await self.store.write(f"room {code}", {"seen": "0"}, keep=KEPT)
            await self.store.publish(code, "step")

    async def end(self, code: str) -> None:
        """Close the room: delete its words and votes at once, and notify followers."""
        await self.store.remove(f"words {code}")
        await self.store.remove(f"votes {code}")
        await self.store.write(f"room {code}", {"ended": "1"}, keep=FORGOTTEN)
        await self.store.remove("rooms", code)
        await self.store.publish(code, "step")

    async def remove_word(self, code: str, word: str) -> None:
        """Remove a pending word that was approved or rejected."""
        await self.store.remove(f"words {code}", word)
        await self.store.publish(code, "room")

    async def follower_view(self, code: str) -> dict[str, Any]:
        """Return what followers see: the state and the last step."""
        room = await self.store.read(f"room {code}")
        state = self._state(room)
        step = json.loads(room["step"]) if "step" in room and state != "ended" else None
        return {"state": state, "silent": state == "away" and room["seen"] != "0", "step": step}

    async def presenter_view(self, code: str) -> dict[str, Any]:
        """Return what the presenter sees: number of followers, votes on the question in view, and pending words."""
        question = ((await self.follower_view(code))["step"] or {}).get("question")
        key = question["key"] if question else ""
        votes: dict[str, int] = {}
        for field, answer in (await self.store.read(f"votes {code}") if key else {}).items():
            if field.rpartition(" ")[0] == key:
                votes[answer] = votes.get(answer, 0) + 1
        words = [(word, int(count)) for word, count in (await self.store.read(f"words {code}")).items()]
        words.sort(key=lambda pair: (-pair[1], pair[0]))
        return {"phones": await self.count(code), "question": key, "votes": votes, "words": words[:50]}

    def follower(self, code: str, right: str, given: str = "") -> str:
        """Return a follower's name: the given one if this room created it, else a new one."""
        own = given.partition(".")[0]
        name = own if re.fullmatch(r"[\w-]{16}", own, re.ASCII) else secrets.token_urlsafe(12)
        proof = hmac.new(right.encode(), f"{code} {name}".encode(), hashlib.sha256).hexdigest()[:20]
        made = f"{name}.{proof}"
        return made if name != own or hmac.compare_digest(given.encode(), made.encode()) else self.follower(code, right)

    async def join(self, code: str, given: str = "") -> str:
        """Return the name of a new follower; "" if there is no such room now.

        Raises:
            Refused: the room is full.
        """
        right = await self.store.read_field(f"room {code}", "right")
        if right is None:
            return ""
        if await self.count(code) >= MOST_FOLLOWERS:
            raise Refused("full", most=MOST_FOLLOWERS)
        return self.follower(code, right, given)

    async def _check_follower(self, code: str, follower: str) -> dict[str, str]:
        room = await self.store.read(f"room {code}")
        if self._state(room) in ("unknown", "ended"):
            raise Refused("unknown", code=code)
        if self.follower(code, room["right"], follower) != follower:
            raise Refused("bad")
        return room

    async def vote(self, code: str, follower: str, key: object, answer: object) -> None:
        """Count a follower's answer to the question in view, replacing an earlier one, until the answer is shown.

        Raises:
            Refused: there is no such room, follower, question or answer, or too many votes.
        """
        room = await self._check_follower(code, follower)
        question = json.loads(room.get("step", "{}")).get("question")
        if question is None or question["key"] != key or question["right"] is not None:
            raise Refused("over")
        counted, field = _normalise_answer(question, answer), f"{key} {follower.partition('.')[0]}"
        before = await self.store.read_field(f"votes {code}", field)
        if before is None and await self.store.count_fields(f"votes {code}") >= MOST_VOTES:
            raise Refused("full", most=MOST_FOLLOWERS)
        if before != counted:
            await self.store.write(f"votes {code}", {field: counted}, keep=KEPT)
            await self.store.publish(code, "room")

    async def submit_word(self, code: str, follower: str, raw: object) -> None:
        """Submit a follower's word for the presenter's approval.

        Raises:
            Refused: there is no such room or follower, the word is invalid, or there are too many.
        """
        await self._check_follower(code, follower)
        word = clean_word(raw)
        if await self.store.increment(f"pace {code} {follower}", "words", keep=60) > WORDS_A_MINUTE:
            raise Refused("fast", most=WORDS_A_MINUTE)
        known = await self.store.read_field(f"words {code}", word)
        if known is None and await self.store.count_fields(f"words {code}") >= MOST_WORDS:
            raise Refused("many")
        await self.store.write(f"words {code}", {word: str(int(known or 0) + 1)}, keep=KEPT)
        await self.store.publish(code, "room")

    async def update_count(self, code: str, replica: str, count: int, *, is_news: bool = True) -> None:
        """Store the number of followers at one replica, and notify presenters if it has changed."""
        if count:
            await self.store.write(f"phones {code}", {replica: f"{count} {self._now():.0f}"}, keep=KEPT)
        else:
            await self.store.remove(f"phones {code}", replica)
        if is_news:
            await self.store.publish(code, "room")

    async def count(self, code: str) -> int:
        """Return the number of followers at all replicas that reported lately."""
        noted = (entry.split() for entry in (await self.store.read(f"phones {code}")).values())
        return sum(int(count) for count, when in noted if self._now() - float(when) < SILENT)

    def _state(self, room: Mapping[str, str]) -> State:
        if not room or "right" not in room:
            return "unknown"
        if "ended" in room:
            return "ended"
        return "on" if self._now() - float(room.get("seen", "0")) < SILENT else "away"
