"""Event streams of a room: each event is read and encoded once, and sent to all listeners."""

import asyncio
import hashlib
import json
import secrets
from collections.abc import AsyncIterator, Coroutine, Mapping
from contextlib import suppress
from typing import Any

from ui.lecture.rooms import Rooms
from ui.lecture.store import StoreUnavailable

BEAT = 15.0  # s between keep-alive comments; proxies close silent connections
GATHER = 0.25  # s in which votes and words are collected into one event for the presenter
GRACE = 3.0  # s in which a presenter who reloads the page counts as present


class _LatestEvent:
    """The latest event of a stream, for any number of listeners."""

    def __init__(self) -> None:
        self.name = self.event = b""
        self.changed = asyncio.Event()

    def update(self, content: Mapping[str, Any]) -> None:
        data = json.dumps(content, ensure_ascii=False, separators=(",", ":")).encode()
        name = hashlib.blake2b(data, digest_size=8).hexdigest().encode()
        if name != self.name:
            self.name, self.event = name, b"id: " + name + b"\ndata: " + data + b"\n\n"
            self.wake()

    def wake(self) -> None:
        """Wake all listeners."""
        changed, self.changed = self.changed, asyncio.Event()
        changed.set()


class _Room:
    """One room, as long as this process has listeners to it."""

    def __init__(self, code: str, rooms: Rooms, replica: str) -> None:
        self.code, self.rooms, self.replica = code, rooms, replica
        self.step, self.news = _LatestEvent(), _LatestEvent()  # for followers, and for presenters
        self.followers = self.presenters = self.reconnects = 0  # reconnects: how often all followers had to reconnect
        self._lost = False
        self._noted = 0
        self._look, self._gather = asyncio.Event(), asyncio.Event()
        self.known = asyncio.Event()  # whether the step has been read once
        self._tasks = [asyncio.create_task(self._follow()), asyncio.create_task(self._report())]
        rooms.store.subscribe(code, self._on_message)

    def end(self) -> None:
        self.rooms.store.unsubscribe(self.code, self._on_message)
        for task in self._tasks:
            task.cancel()

    def report_count(self) -> None:
        """Schedule a report of the number of followers here."""
        self._gather.set()

    def _on_message(self, what: str) -> None:
        self._lost = what == "lost"
        if what != "room":
            self._look.set()
        self._gather.set()

    async def _follow(self) -> None:
        was_silent = False
        while True:
            self._look.clear()
            content: dict[str, Any]
            try:
                if self._lost:
                    raise StoreUnavailable
                content = await self.rooms.follower_view(self.code)
                is_silent = content.pop("silent")
                if is_silent and not was_silent and not self.rooms.store.is_shared:
                    # The presenter may have moved to another process: followers reconnect, and reach it too.
                    self.reconnects += 1
                    self.step.wake()
                was_silent = is_silent
            except StoreUnavailable:
                content = {"state": "lost", "step": None}
            self.step.update(content)
            self.known.set()
            with suppress(TimeoutError):
                async with asyncio.timeout(BEAT):
                    await self._look.wait()

    async def _report(self) -> None:
        while True:
            self._gather.clear()
            try:
                if self.followers or self._noted:  # repeatedly, since old reports are not counted
                    is_news, self._noted = self._noted != self.followers, self.followers
                    await self.rooms.update_count(self.code, self.replica, self.followers, is_news=is_news)
                if self.presenters:
                    state = (await self.rooms.follower_view(self.code))["state"]
                    self.news.update({"state": state} | await self.rooms.presenter_view(self.code))
            except StoreUnavailable:
                self._noted = -1
                self.news.update({"state": "lost"})
            with suppress(TimeoutError):
                async with asyncio.timeout(BEAT):
                    await self._gather.wait()
            await asyncio.sleep(GATHER)


class Streams:
    """The rooms with listeners in this process."""

    def __init__(self, rooms: Rooms) -> None:
        """Start without rooms."""
        self.rooms = rooms
        self._open: dict[str, _Room] = {}
        self._replica = secrets.token_hex(4)
        self._leaving: set[asyncio.Task[None]] = set()
        self._is_over = False

    def has_presenter(self, code: str) -> bool:
        """Return whether a presenter listens to a room in this process."""
        return code in self._open and self._open[code].presenters > 0

    async def follow(self, code: str, name: str, last: str = "") -> AsyncIterator[bytes]:
        """Stream to a follower their name, then each step, starting with the present one if it is new to them.

        Args:
            code: of the room, which may not be there yet.
            name: of the follower; "" for none.
            last: id of the last event that they had.
        """
        room = self._enter(code)
        room.followers += 1
        room.report_count()
        try:
            if name:
                yield f"event: you\ndata: {json.dumps(name)}\n\n".encode()
            await room.known.wait()
            reconnects = room.reconnects
            async for event in self._events(room.step, last.encode()):
                if room.reconnects != reconnects:
                    return
                if event:
                    yield event
        finally:
            room.followers -= 1
            room.report_count()
            self._leave_room(room)

    async def present(self, code: str) -> AsyncIterator[bytes]:
        """Stream a room's events to its presenter."""
        room = self._enter(code)
        room.presenters += 1
        room.report_count()
        try:
            async for event in self._events(room.news, b""):
                if event:
                    yield event
        finally:
            room.presenters -= 1
            self._start_task(self._leave(room))
            self._leave_room(room)

    async def _events(self, latest: _LatestEvent, last: bytes) -> AsyncIterator[bytes]:
        yield b": \n\n"  # confirms the connection at once
        while not self._is_over:
            changed = latest.changed
            if latest.name != last:
                last = latest.name
                yield latest.event
                continue
            try:
                async with asyncio.timeout(BEAT):
                    await changed.wait()
            except TimeoutError:
                yield b": \n\n"
            else:
                if latest.name == last:
                    yield b""  # lets the caller check whether the stream is over

    def _enter(self, code: str) -> _Room:
        if code not in self._open:
            self._open[code] = _Room(code, self.rooms, self._replica)
        return self._open[code]

    def _leave_room(self, room: _Room) -> None:
        """Drop a room without listeners, after a grace period."""

        async def close_room() -> None:
            await asyncio.sleep(GRACE)
            if not room.followers and not room.presenters and self._open.get(room.code) is room:
                del self._open[room.code]
                room.end()
                with suppress(StoreUnavailable):
                    await self.rooms.update_count(room.code, self._replica, 0)

        if not room.followers and not room.presenters:
            self._start_task(close_room())

    async def _leave(self, room: _Room) -> None:
        await asyncio.sleep(GRACE)
        if not room.presenters:
            with suppress(StoreUnavailable):
                await self.rooms.leave(room.code)

    def _start_task(self, doing: Coroutine[Any, Any, None]) -> None:
        if self._is_over:
            doing.close()
            return
        task = asyncio.ensure_future(doing)
        self._leaving.add(task)
        task.add_done_callback(self._leaving.discard)

    def close(self) -> None:
        """End all streams: a server that shuts down waits for them."""
        self._is_over = True
        for room in self._open.values():
            room.step.wake()
            room.news.wake()
            room.end()
        for task in self._leaving:
            task.cancel()
