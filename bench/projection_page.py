"""Cost of the projection page: opened with GPT-2's vocabulary, and with only its colours changed."""

import asyncio
from collections.abc import Iterator
from urllib.parse import urlencode

from bench.app import temporary_server
from bench.recording import record_points
from bench.table import Row
from bench.timing import Samples
from bench.visitors import Visitor, connect_visitor

VISITS = 3
QUERY = urlencode({"vectors": "random", "d_model": 768, "text": "the quick brown fox"})
COLOURS = ("characters", "script", "vector length", "frequency in your text", "kind of token")
WHAT = "50257 x 768 in view"


def rows() -> Iterator[Row]:
    """Yield the rows of the table as they are measured, each visit on a server that has computed nothing before."""
    sent, coloured, drawn, redrawn = [], [], [], []
    for _ in range(VISITS):
        with temporary_server() as server:
            points, colours = asyncio.run(visit_page(server.url))
        sent.append(points)
        coloured += colours
        with temporary_server() as server:
            first, others = record_points(f"{server.url}/projection?{QUERY}", server.url, COLOURS)
            drawn.append(first)
            redrawn += others
    for name, seconds, limit in (
        ("first time: on the server, until the points are sent, s", sent, 3.0),
        ("first visitor, opened to the points drawn, s", drawn, 3.0),
        ("other colours: on the server, s", coloured, 0.3),
        ("other colours: key to the points drawn, s", redrawn, 0.3),
    ):
        samples = Samples(seconds)
        yield Row(f"{WHAT}, {name}", str(samples), "", samples.median, limit)


async def visit_page(url: str) -> tuple[float, list[float]]:
    """Return the seconds until the points are sent, and those of each change of their colours."""
    async with await connect_visitor(url) as socket:
        visitor = Visitor(socket, "", QUERY)
        await visitor.open("projection")
        points = visitor.arrived["point-cloud"]
        return points, [await visitor.move("colour", {"string_value": title}) for title in COLOURS]
