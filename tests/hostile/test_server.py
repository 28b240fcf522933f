"""A server under attack lives, answers the others, tells nobody a traceback, and lets go of all that it held."""

import asyncio
import json
import os
import random
from collections.abc import Awaitable, Callable
from contextlib import suppress
from pathlib import Path
from statistics import median

import pytest

from bench.visitors import Visitor, connect_visitor, sentence
from tests.browser.serving import ask_readyz, running_server
from tests.hostile.attack import PAGES, Sent, confuse, forge, garble, hold, impersonate, request
from tests.waiting import run, wait_until

SOCKETS = 40  # connections that an attacker holds


async def canary(url: str, waits: list[float], over: asyncio.Event) -> None:
    """Type a key about three times a second, as a visitor who does nothing wrong, and write down each wait."""
    async with await connect_visitor(url) as socket:
        visitor = Visitor(socket, url)
        await visitor.open("")
        number = 0
        while not (waits and over.is_set()):
            number += 1
            waits.append(await visitor.move("live-text", sentence(number)))
            with suppress(TimeoutError):
                async with asyncio.timeout(0.3):
                    await over.wait()


async def typing(url: str, attack: Awaitable[object]) -> list[float]:
    """Return how long the canary waited while something else went on."""
    waits: list[float] = []
    over = asyncio.Event()
    typist = asyncio.create_task(canary(url, waits, over))
    await attack
    over.set()
    await typist
    return waits


async def session_of(url: str) -> str:
    """Return the id of a visit that has just ended."""
    from streamlit.proto.BackMsg_pb2 import BackMsg
    from streamlit.proto.ForwardMsg_pb2 import ForwardMsg

    async with await connect_visitor(url) as socket:
        message, answer = BackMsg(), ForwardMsg()
        message.rerun_script.context_info.url = url
        await socket.send(message.SerializeToString())
        while not answer.new_session.initialize.session_id:
            answer.ParseFromString(await socket.recv(decode=False))
        return answer.new_session.initialize.session_id


async def attacked(url: str, count: int, sent: Sent, log: Callable[[], str]) -> dict[str, list[float]]:
    """Attack a server by every way in, one after the other, a canary typing beside each."""
    waits = {"nothing": await typing(url, asyncio.sleep(1 + count / 100))}
    over = asyncio.Event()
    holding = asyncio.create_task(hold(url, SOCKETS, over, sent))

    async def requests() -> None:
        for _ in range(count):
            await request(url, sent)

    for name, attack in (
        ("HTTP", requests()),
        ("garbled frames", garble(url, count // 4, sent)),
        ("another's ids", impersonate(url, max(2, count // 100), await session_of(url), sent)),
        ("forged reports", forge(url, count, sent, reports=True)),
    ):
        waits[name] = await typing(url, attack)
    assert "Uncaught app execution" not in log()  # so far nothing that a page asks for was of another type
    for name, attack in (
        ("out of order", confuse(url, count // 4, sent)),
        ("forged widgets", forge(url, count, sent, reports=False)),
    ):
        waits[name] = await typing(url, attack)
    over.set()
    await holding
    return waits


def sockets(pid: int) -> int:
    """Count the connections that a process holds open."""
    found = 0
    for path in Path(f"/proc/{pid}/fd").iterdir():
        with suppress(OSError):  # closed meanwhile
            found += str(path.readlink()).startswith("socket:")
    return found


def resident(pid: int) -> float:
    """Return the memory of a process in MB."""
    return int(Path(f"/proc/{pid}/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE") / 1e6


@pytest.mark.parametrize("count", [4, pytest.param(500, marks=pytest.mark.thorough)])
def test_a_server_under_attack_lives_and_answers_the_others(count: int, tmp_path: Path) -> None:
    sent = Sent(random.Random(count))
    with running_server(tmp_path) as server:
        if count > 100:
            run(visit_all(server.url))
        before, memory = sockets(server.pid), resident(server.pid)
        waits = run(attacked(server.url, count, sent, lambda: server.log.read_text("utf-8", "replace")))
        assert ask_readyz(server.url) == (200, "ready")
        assert all(waits.values())  # the canary was answered under each of them
        if count > 100:  # it takes a minute
            wait_until(lambda: sockets(server.pid) <= before, lambda: sockets(server.pid))
        said = {"cases": sent.cases, "median waits": {name: round(median(times), 3) for name, times in waits.items()}}
        (tmp_path / "said.json").write_text(json.dumps(said | {"MB more": round(resident(server.pid) - memory)}))
    assert sent.leaks == []
    assert server.connections.read_text() == ""


async def visit_all(url: str) -> None:
    """Open every page once, so that what is loaded late is there."""
    async with await connect_visitor(url) as socket:
        visitor = Visitor(socket, url)
        await visitor.open("")
        for page in PAGES:
            await visitor.open(page)
