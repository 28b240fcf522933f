"""What a room does and refuses, wherever it is kept: in memory, and in a real Redis."""

import asyncio
import json
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import asynccontextmanager
from functools import partial
from typing import Any

import pytest

from tests.ui.lecture.redis_server import RedisServer, running_redis
from tests.waiting import SOON, awaited
from ui.lecture import rooms, store
from ui.lecture.rooms import Refused, Rooms, clean_word, new_right, read_step, room_code, valid_right
from ui.lecture.store import MemoryStore, RedisStore, RoomStore, StoreUnavailable, open_store
from ui.lecture.streams import Streams

STEP = {"page": "tokens", "title": "T", "say": "S", "attempt": "", "text": "a", "query": "text=a", "question": None}
ASKED = {"key": "k", "ask": "Which?", "choices": ["one", "two"], "digits": 0, "right": None}
NUMBER = {"key": "n", "ask": "How many?", "choices": [], "digits": 1, "right": None}
CODE, SECRET = new_right().split(".")

MakeHome = Callable[[], RoomStore]


@pytest.fixture(scope="module")
def redis(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RedisServer]:
    with running_redis(tmp_path_factory.mktemp("redis")) as server:
        yield server


@pytest.fixture(params=["memory", "redis"])
def make_home(request: pytest.FixtureRequest) -> MakeHome:
    if request.param == "memory":
        return MemoryStore
    address = request.getfixturevalue("redis").address
    return lambda: RedisStore(address)


class Clock:
    def __init__(self) -> None:
        self.time = 1e9

    def __call__(self) -> float:
        return self.time


@asynccontextmanager
async def opened(make_home: MakeHome, clock: Callable[[], float] | None = None) -> AsyncIterator[Rooms]:
    kept = make_home()
    try:
        if isinstance(kept, RedisStore):
            await kept._client.flushall()
        yield Rooms(kept) if clock is None else Rooms(kept, clock)
    finally:
        await kept.close()


@asynccontextmanager
async def listened(all_rooms: Rooms) -> AsyncIterator[Streams]:
    """Let rooms be listened to until the context ends: what is asked of their Redis later would connect again."""
    streams = Streams(all_rooms)
    try:
        yield streams
    finally:
        streams.close()


async def reason(doing: Awaitable[object]) -> str:
    """Say why something is refused."""
    with pytest.raises(Refused) as refused:
        await doing
    return refused.value.reason


async def lecture(all_rooms: Rooms, question: object = None) -> str:
    """Open a room on a step; return the name of a phone in it."""
    await all_rooms.admit(CODE, SECRET, opening=True)
    await all_rooms.publish_step(CODE, STEP | {"question": question})
    return await all_rooms.join(CODE)


@awaited
async def test_followers_see_the_step_and_its_presenter(make_home: MakeHome) -> None:
    async with opened(make_home) as all_rooms:
        assert await all_rooms.follower_view(CODE) == {"state": "unknown", "silent": False, "step": None}
        await lecture(all_rooms)
        assert await all_rooms.follower_view(CODE) == {"state": "on", "silent": False, "step": STEP}
        await all_rooms.leave(CODE)
        assert (await all_rooms.follower_view(CODE))["state"] == "away"
        await all_rooms.admit(CODE, SECRET)
        assert (await all_rooms.follower_view(CODE))["state"] == "on"
        await all_rooms.end(CODE)
        assert await all_rooms.follower_view(CODE) == {"state": "ended", "silent": False, "step": None}
        assert await reason(all_rooms.admit(CODE, SECRET, opening=True)) == "unknown"


@awaited
async def test_only_the_secret_that_a_room_was_opened_with_lets_in_and_it_is_not_kept(make_home: MakeHome) -> None:
    async with opened(make_home) as all_rooms:
        await lecture(all_rooms)
        for secret in ("", SECRET[:-1], SECRET[::-1], new_right().split(".")[1]):
            assert await reason(all_rooms.admit(CODE, secret, opening=True)) == "right"
        kept = await all_rooms.store.read(f"room {CODE}")
        assert SECRET not in json.dumps(kept)
        other = new_right().split(".")[1]  # with a code of its own nobody gets another's room
        assert await reason(all_rooms.admit(CODE, other)) == "right"


@awaited
async def test_a_secret_whose_code_is_the_same_by_chance_gets_no_room_that_is_open(
    make_home: MakeHome, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(rooms, "room_code", lambda secret: CODE)
    async with opened(make_home) as all_rooms:
        await lecture(all_rooms)
        assert await reason(all_rooms.admit(CODE, new_right().split(".")[1], opening=True)) == "right"


@awaited
async def test_nobody_opens_a_room_under_a_code_of_their_choice(make_home: MakeHome) -> None:
    async with opened(make_home) as all_rooms:
        assert await reason(all_rooms.admit(CODE, new_right().split(".")[1], opening=True)) == "right"
        assert await all_rooms.store.read(f"room {CODE}") == {}


def test_a_right_that_is_cut_or_forged_is_none() -> None:
    right = f"{CODE}.{SECRET}"
    assert valid_right(right) == right
    for wrong in (right[:-1], right + "a", f"AAAAAA.{SECRET}", f"{CODE}.{SECRET[::-1]}", right.lower(), "", None, 7):
        assert valid_right(wrong) is None
    assert room_code(SECRET) == CODE
    assert len({new_right() for _ in range(100)}) == 100


@awaited
async def test_a_vote_counts_once_and_can_be_changed(make_home: MakeHome) -> None:
    async with opened(make_home) as all_rooms:
        phone = await lecture(all_rooms, ASKED)
        other = await all_rooms.join(CODE)
        for answer in (0, 1, 1):
            await all_rooms.vote(CODE, phone, "k", answer)
        await all_rooms.vote(CODE, other, "k", 0)
        assert (await all_rooms.presenter_view(CODE))["votes"] == {"1": 1, "0": 1}
        for answer in (2, -1, 0.5, True, "0", None, float("nan")):
            assert await reason(all_rooms.vote(CODE, phone, "k", answer)) == "answer"
        assert await reason(all_rooms.vote(CODE, phone, "other", 0)) == "over"
        assert await reason(all_rooms.vote(CODE, f"{phone[:-1]}x", "k", 0)) == "bad"
        assert await reason(all_rooms.vote(CODE, "", "k", 0)) == "bad"
        await all_rooms.publish_step(CODE, STEP | {"question": NUMBER})
        await all_rooms.vote(CODE, phone, "n", -0.04)
        await all_rooms.vote(CODE, other, "n", 2)
        assert (await all_rooms.presenter_view(CODE))["votes"] == {"0.0": 1, "2.0": 1}
        await all_rooms.publish_step(CODE, STEP | {"question": NUMBER | {"right": "2.0"}})
        assert await reason(all_rooms.vote(CODE, phone, "n", 2)) == "over"  # the answer is there to copy
        await all_rooms.publish_step(CODE, STEP | {"question": ASKED})  # back again: the votes are still there
        assert (await all_rooms.presenter_view(CODE))["votes"] == {"1": 1, "0": 1}


@awaited
async def test_a_phone_that_comes_back_is_the_same_one_also_in_a_room_that_had_to_be_opened_anew(
    make_home: MakeHome,
) -> None:
    async with opened(make_home) as all_rooms:
        phone = await lecture(all_rooms, ASKED)
        await all_rooms.store.remove(f"room {CODE}")
        assert await all_rooms.join(CODE, phone) == ""
        await lecture(all_rooms, ASKED)
        assert await all_rooms.join(CODE, phone) == phone
        assert await all_rooms.join(CODE, f"{phone}x") != phone


@awaited
async def test_words_wait_once_each_and_a_flood_of_them_is_refused(
    make_home: MakeHome, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(rooms, "MOST_WORDS", 4)
    async with opened(make_home) as all_rooms:
        phone = await lecture(all_rooms)
        for word in ("dragon", "Dragon", " dragon\n"):
            await all_rooms.submit_word(CODE, phone, word)
        await all_rooms.submit_word(CODE, phone, "<b>x</b>")
        assert (await all_rooms.presenter_view(CODE))["words"] == [("dragon", 2), ("<b>x</b>", 1), ("Dragon", 1)]
        await all_rooms.submit_word(CODE, phone, "elf")
        assert await reason(all_rooms.submit_word(CODE, phone, "sixth")) == "fast"
        other = await all_rooms.join(CODE)
        assert await reason(all_rooms.submit_word(CODE, other, "fifth")) == "many"
        await all_rooms.submit_word(CODE, other, "elf")  # which waits already
        await all_rooms.remove_word(CODE, "dragon")
        await all_rooms.submit_word(CODE, other, "fifth")
        assert [word for word, _count in (await all_rooms.presenter_view(CODE))["words"]] == [
            *("elf", "<b>x</b>", "Dragon", "fifth")
        ]


@pytest.mark.parametrize(
    ("sent", "word"),
    [
        ("  two\n words\t", "two words"),
        ("e\u0301", "é"),
        ("a\u202eb\u200fc\x00d", "abc d"),
        ("<script>", "<script>"),
        ("👩\u200d🔬", "👩\u200d🔬"),
        ("\ud800x", "x"),
        ("x" * 40, "x" * 40),
    ],
)
def test_a_word_is_one_line_of_plain_text(sent: str, word: str) -> None:
    assert clean_word(sent) == word


@pytest.mark.parametrize(
    ("sent", "why"), [("", "empty"), (" \n\u200b", "empty"), ("x" * 41, "long"), ("x" * 10**6, "long"), (None, "bad")]
)
def test_what_is_no_word_is_refused(sent: object, why: str) -> None:
    with pytest.raises(Refused) as refused:
        clean_word(sent)
    assert refused.value.reason == why


def test_a_step_has_what_phones_are_to_see_and_nothing_else() -> None:
    question = ASKED | {"answer": "one", "why": "because"}
    assert read_step(STEP | {"question": question, "notes": "for the speaker", "right": SECRET}) == STEP | {
        "question": ASKED
    }


@pytest.mark.parametrize(
    "wrong",
    [
        *({"page": "../x"}, {"page": None}, {"title": 7}, {"title": "x" * 121}, {"query": "x" * 20_001}),
        *({"question": 7}, {"question": {}}, {"question": ASKED | {"choices": ["x"] * 10}}),
        *({"question": ASKED | {"choices": [7]}}, {"question": ASKED | {"digits": 7}}),
    ],
)
def test_what_is_no_step_is_refused(wrong: dict[str, Any]) -> None:
    with pytest.raises(Refused, match="bad"):
        read_step(STEP | wrong)


@awaited
async def test_a_presenter_who_is_silent_is_away_and_a_room_without_one_is_over_in_the_end() -> None:
    clock = Clock()
    async with opened(lambda: MemoryStore(clock), clock) as all_rooms:
        await lecture(all_rooms)
        clock.time += rooms.SILENT
        assert await all_rooms.follower_view(CODE) == {"state": "away", "silent": True, "step": STEP}
        clock.time += rooms.KEPT
        assert (await all_rooms.follower_view(CODE))["state"] == "unknown"
        assert await reason(all_rooms.admit(CODE, SECRET)) == "unknown"


@awaited
async def test_what_is_over_takes_no_memory() -> None:
    clock = Clock()
    async with opened(lambda: MemoryStore(clock), clock) as all_rooms:
        phone = await lecture(all_rooms)
        await all_rooms.submit_word(CODE, phone, "word")
        clock.time += 2 * rooms.KEPT
        await all_rooms.store.write("other", {"a": "b"}, keep=1)
        assert isinstance(all_rooms.store, MemoryStore)
        assert set(all_rooms.store._kept) == {"other"}


@awaited
async def test_where_rooms_are_many_one_whose_presenter_is_long_gone_gives_way(
    make_home: MakeHome, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(rooms, "MOST_ROOMS", 2)
    clock = Clock()
    async with opened(make_home, clock) as all_rooms:
        rights = [new_right().split(".") for _ in range(4)]
        for code, secret in rights[:2]:
            await all_rooms.admit(code, secret, opening=True)
            clock.time += 1
        assert await reason(all_rooms.admit(*rights[2], opening=True)) == "rooms"
        clock.time += rooms.FORGOTTEN
        await all_rooms.admit(*rights[1])
        await all_rooms.admit(*rights[2], opening=True)
        states = [(await all_rooms.follower_view(code))["state"] for code, _secret in rights[:3]]
        assert states == ["unknown", "on", "on"]
        assert await reason(all_rooms.admit(*rights[3], opening=True)) == "rooms"


@awaited
async def test_a_full_room_says_so(make_home: MakeHome, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rooms, "MOST_FOLLOWERS", 3)
    async with opened(make_home) as all_rooms:
        await lecture(all_rooms)
        await all_rooms.update_count(CODE, "here", 2)
        await all_rooms.join(CODE)
        await all_rooms.update_count(CODE, "elsewhere", 1)
        assert await reason(all_rooms.join(CODE)) == "full"


async def next_data(events: AsyncIterator[bytes]) -> Any:
    """Return the content of the next event that has any, and is no follower's name."""
    while True:
        event = await asyncio.wait_for(anext(events), SOON)
        if b"data: " in event and b"event: you" not in event:
            return json.loads(event.partition(b"data: ")[2])


@awaited
async def test_a_step_reaches_all_who_listen_and_what_a_phone_has_is_not_sent_again(make_home: MakeHome) -> None:
    async with opened(make_home) as all_rooms, listened(all_rooms) as streams:
        phone = await lecture(all_rooms)
        followers = [streams.follow(CODE, phone) for _ in range(3)]
        presenter = streams.present(CODE)
        assert [await next_data(events) for events in followers] == [{"state": "on", "step": STEP}] * 3
        while (await next_data(presenter)).get("phones") != 3:
            pass
        await all_rooms.publish_step(CODE, STEP | {"title": "next"})
        assert [(await next_data(events))["step"]["title"] for events in followers] == ["next"] * 3
        again = streams.follow(CODE, phone, streams._open[CODE].step.name.decode())
        assert [await anext(again), await anext(again)][0].startswith(b"event: you")
        await all_rooms.publish_step(CODE, STEP)
        assert (await next_data(again))["step"] == STEP
        streams.close()
        assert [event async for event in again if event.strip(b": \n")] == []


@awaited
async def test_two_replicas_share_a_room_by_redis(redis: RedisServer) -> None:
    make = partial(RedisStore, redis.address)
    async with opened(make) as here, opened(make) as other, listened(here) as near, listened(other) as far:
        phone = await lecture(here, ASKED)
        presenter, follower = near.present(CODE), far.follow(CODE, phone)
        assert (await next_data(follower))["state"] == "on"
        await other.vote(CODE, phone, "k", 1)
        while (told := await next_data(presenter))["votes"] != {"1": 1} or told["phones"] != 1:
            pass
        await here.publish_step(CODE, STEP | {"title": "next"})
        assert (await next_data(follower))["step"]["title"] == "next"


@awaited
async def test_where_redis_is_killed_all_hear_it_and_go_on_once_it_is_back(
    redis: RedisServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(store, "_AGAIN", 0.05)
    async with opened(lambda: RedisStore(redis.address)) as all_rooms, listened(all_rooms) as streams:
        phone = await lecture(all_rooms)
        follower, presenter = streams.follow(CODE, phone), streams.present(CODE)
        assert (await next_data(follower))["state"] == "on"
        await asyncio.to_thread(redis.kill)
        while (await next_data(follower))["state"] != "lost":
            pass
        while (await next_data(presenter))["state"] != "lost":
            pass
        with pytest.raises(StoreUnavailable):
            await all_rooms.submit_word(CODE, phone, "word")
        await asyncio.to_thread(redis.start)
        assert (await next_data(follower))["state"] == "unknown"  # this Redis has kept nothing
        while (await next_data(presenter))["state"] != "unknown":
            pass
        await lecture(all_rooms)  # as the presenter's page does then
        while (await next_data(follower)) != {"state": "on", "step": STEP}:
            pass
        await all_rooms.submit_word(CODE, phone, "word")


@pytest.mark.parametrize("address", ["localhost:6379", "http://host", "redis://", "redis://h:x:secret", "unix://"])
def test_an_address_that_is_none_of_redis_is_refused_without_repeating_it(
    address: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(store.REDIS, address)
    with pytest.raises(SystemExit, match=r"redis://localhost:6379/0") as refused:
        open_store()
    assert "secret" not in str(refused.value)


def test_rooms_are_kept_where_the_environment_says(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(store.REDIS, raising=False)
    assert isinstance(open_store(), MemoryStore)
    for address in ("redis://:word@host:6379/1", "rediss://host", "unix:///run/redis.sock"):
        monkeypatch.setenv(store.REDIS, address)
        assert isinstance(open_store(), RedisStore)  # which connects to nothing yet
