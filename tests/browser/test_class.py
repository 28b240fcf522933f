"""What a class leaves behind once everybody has gone: nothing but what the warm-up had made."""

import asyncio
import json
import urllib.request
from pathlib import Path

import pytest

from bench.visitors import OF_A_CLASS, visitors
from bench.whole_class import start_training
from tests.browser.serving import Server, running_server
from tests.waiting import PATIENCE, SOON, run, wait_until
from ui.server.readiness import OPTION

CHANGES = 3
STREAMLITS = {"AppSession": 1}  # whom it spoke to last it holds until it speaks to the next


def counts(server: Server) -> dict[str, int]:
    with urllib.request.urlopen(f"{server.url}/counts", timeout=PATIENCE) as answer:
        return json.load(answer)


def more(after: dict[str, int], before: dict[str, int]) -> dict[str, int]:
    """Tell what there is more of than before."""
    return {what: n for what, n in after.items() if n > before[what] + STREAMLITS.get(what, 0)}


async def lesson(server: Server, first: int) -> dict[str, int]:
    """Have a visitor change something on each page and one train; return what there is while all are there."""

    async def visit(page: str) -> None:
        async with visitors(server.url, 1, page) as (visitor,):
            for number in range(first, first + CHANGES):
                if page == "training":
                    await start_training(visitor, number)
                else:
                    key, value = OF_A_CLASS[page]
                    await visitor.move(key, value(number))
            done.release()
            await over.wait()

    done, over = asyncio.Semaphore(0), asyncio.Event()
    pages = [*OF_A_CLASS, "training"]
    async with asyncio.timeout(PATIENCE), asyncio.TaskGroup() as group:
        for page in pages:
            group.create_task(visit(page))
        for _ in pages:
            await done.acquire()
        here = await asyncio.to_thread(counts, server)
        over.set()
    async with visitors(server.url, 1, ""):  # the last is one who did nothing
        return here


@pytest.mark.thorough
def test_nothing_is_left_of_a_class_once_everybody_has_gone(tmp_path: Path) -> None:
    settings = {"STREAMLIT_SERVER_DISCONNECTED_SESSION_TTL": "1", OPTION: "all"}
    with running_server(tmp_path, app="tests/browser/counted_app.py", settings=settings) as server:
        wait_until(lambda: not counts(server)["warming up"])
        before = counts(server)
        here = run(lesson(server, 100))
        assert here["AppSession"] > len(OF_A_CLASS)
        assert here["Run"] >= CHANGES
        assert here["bytes of caches"] > before["bytes of caches"] + 10_000_000
        wait_until(lambda: not more(counts(server), before), lambda: more(counts(server), before), patience=SOON)
