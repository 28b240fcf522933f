"""Cost of languages other than English: the same moves by visitors of each, in turns."""

import asyncio
import random
from collections.abc import Iterator
from urllib.parse import urlencode

from bench.app import temporary_server
from bench.table import Row
from bench.timing import Samples, process_cpu_seconds, ratio, wait_until_idle
from bench.visitors import OF_A_CLASS, SENTENCE, visitors
from ui.i18n import languages

TURNS = 40
WARM = 5  # moves before, which nobody counts
SETTLED = 0.003  # seconds after a run in which the server still sends
# What everybody reads alike: the languages open with sentences of their own.
LINK = {"text": SENTENCE, "first": "the dog saw the man", "second": "the man saw the dog"}


def rows() -> Iterator[Row]:
    """Yield the rows of the table as they are measured."""
    for page, (key, _) in OF_A_CLASS.items():
        with temporary_server() as server:
            spent = asyncio.run(measure_moves(server.url, server.pid, page))
        for language in languages()[1:]:
            what = f"{page or 'pipeline'}, {key} moved, {language}: processor of the server"
            ours, english = spent[language], spent["en"]
            yield Row(what, str(ours), f"en: {english}", ratio(ours, english), 1.02)


async def measure_moves(url: str, pid: int, page: str) -> dict[str, Samples]:
    """Return the processor time of each move by language, in the order of the rounds."""
    key, value = OF_A_CLASS[page]
    spoken, chance = languages(), random.Random(1)
    spent: dict[str, list[float]] = {language: [] for language in spoken}
    queries = [urlencode(LINK | {"lang": language}) for language in spoken]
    async with visitors(url, 1, page, queries) as present:
        await wait_until_idle(pid)
        for turn in range(WARM + TURNS):
            # Another text in each language: what one has had computed the next would find.
            numbers = range(100 + len(spoken) * turn, 100 + len(spoken) * (turn + 1))
            for which, number in zip(
                chance.sample(range(len(spoken)), len(spoken)), chance.sample(numbers, len(spoken)), strict=True
            ):
                before = process_cpu_seconds(pid)
                await present[which].move(key, value(number))
                await asyncio.sleep(SETTLED)
                if turn >= WARM:
                    spent[spoken[which]].append(process_cpu_seconds(pid) - before)
    return {language: Samples(seconds) for language, seconds in spent.items()}
