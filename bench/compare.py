"""Cost of the comparison page: server time, also of a key in a formula, and memory of a long bias."""

import asyncio
from collections.abc import Iterator
from urllib.parse import urlencode

from bench.app import temporary_server
from bench.table import Row
from bench.timing import CAN_SAY_PEAKS, Samples, million_steps, process_cpu_seconds, processor_seconds, run_alone
from bench.visitors import Visitor, connect_visitor
from embedlib.positional import SCHEMES
from ui.settings import Formulas, OwnScheme

VISITS = 5
CHANGES = 12
D_MODEL, HEADS, POSITIONS = 64, 4, 64
TEXT = " ".join(["The quick brown fox jumps over the lazy dog"] * 7 + ["again"])  # 64 tokens of GPT-2's
WORDS = ("once", "twice", "soon", "later", "now", "then", "there", "here", "away", "too", "still", "always")
LONGEST = 2_048
OWN = (  # rows, bias, turn and scale of each
    ("", "-0.1 * abs(q - k)", "", ""),
    ("where(even(i), sin(p / 10000**(i/d)), cos(p / 10000**((i-1)/d)))", "", "", ""),
    ("", "", "p * 1000**(-2*i/d)", ""),
    ("", "-log(1 + abs(q - k)) * (h + 1)", "", "0.1"),
)


def rows() -> Iterator[Row]:
    """Yield the rows of the table as they are measured."""
    yield from page_rows()
    yield from own_rows()
    if CAN_SAY_PEAKS:
        yield from bias_rows()


def page_rows() -> Iterator[Row]:
    """Time the runs of the page that show every scheme, first ones on fresh servers and then changes of a control."""
    what = f"{len(SCHEMES)} schemes side by side, 64 tokens"
    first: list[float] = []
    changes: dict[str, list[float]] = {}
    for number in range(VISITS):
        with temporary_server() as server:
            seconds, changes = asyncio.run(visit_page(server.url, with_changes=number == VISITS - 1))
        first.append(seconds)
    samples = Samples(first)
    yield Row(f"{what}, first time: on the server, s", str(samples), "", samples.median, 0.400)
    for name, each in changes.items():
        samples = Samples(each)
        yield Row(f"{what}, {name}: on the server, s", str(samples), "", samples.median, 0.080)


async def visit_page(url: str, *, with_changes: bool) -> tuple[float, dict[str, list[float]]]:
    """Return the seconds of a first run of the page, and of changes by what is changed."""
    async with await connect_visitor(url) as socket:
        visitor = Visitor(socket, "", urlencode(_link()))
        await visitor.open("")
        first = await visitor.open("compare")
        return first, await _changes(visitor) if with_changes else {}


def own_rows() -> Iterator[Row]:
    """Time a key in one of four formulas, until every chart of the page has been sent."""
    with temporary_server() as server:
        seconds, spent, loop = asyncio.run(type_keys(server.url, server.pid))
    samples = Samples(seconds)
    said = f"{spent / loop:.2f} loops of a million steps: processor of the server"
    yield Row(
        "4 typed schemes, 64 tokens, a key in a formula: on the server, s", str(samples), said, samples.median, 0.150
    )


async def type_keys(url: str, pid: int) -> tuple[list[float], float, float]:
    """Return the seconds of each key, the server's processor for one of them, and that of a loop."""
    own = tuple(OwnScheme(slot, f"Mine {slot}", lines) for slot, lines in enumerate(OWN, 1))
    entries = ",".join(one.entry for one in own)
    link = _link() | {"schemes": entries, "formulas": Formulas(()).format(own)}
    keys = [f"{OWN[0][1]} - {number} / 1000" for number in range(4 + CHANGES)]
    async with await connect_visitor(url) as socket:
        visitor = Visitor(socket, "", urlencode(link))
        await visitor.open("")
        await visitor.open("compare")
        for text in keys[:4]:
            await visitor.move("own-bias-1", text)
        loop, before = processor_seconds(million_steps), process_cpu_seconds(pid)
        seconds = [await visitor.move("own-bias-1", text) for text in keys[4:]]
        return seconds, (process_cpu_seconds(pid) - before) / CHANGES, loop


def bias_rows() -> Iterator[Row]:
    """Measure the peak memory of one bias of LONGEST positions for each scheme that has one."""
    for name, scheme in SCHEMES.items():
        if "score" in scheme.acts_on:
            made = f"make_scheme({name!r}, d_model={D_MODEL}, n_heads={HEADS}).requires_grad_(False)"
            # A short one has torch load what it loads at first use.
            prepare = f"from embedlib import make_scheme\nscheme = {made}\nscheme.bias(8)"
            (megabytes,) = run_alone(prepare, f"bias = scheme.bias({LONGEST})").peaks
            result = 4 * HEADS * LONGEST**2 / 1e6
            yield Row(
                f"bias of {name}, {HEADS} heads, {LONGEST:,} positions: peak memory, MB",
                f"{megabytes:.0f} MB",
                f"the result alone: {result:.0f} MB",
                megabytes,
                300,
            )


def _link() -> dict[str, str | int]:
    return {"text": TEXT, "schemes": ",".join(SCHEMES), "d_model": D_MODEL, "heads": HEADS, "positions": POSITIONS}


async def _changes(visitor: Visitor) -> dict[str, list[float]]:
    """Move one control after the other, each to where it has not been; the text only ever changes its last word."""
    heads = [*(f"head {head}" for head in range(1, HEADS)), "mean of all heads"]
    titles = [scheme.title for scheme in SCHEMES.values()]
    moves: dict[str, tuple[str, list[str | dict[str, object]]]] = {
        "another position": ("position", [{"double_array_value": [20.0 + n]} for n in range(CHANGES)]),
        "another head": ("head", [{"string_value": head} for head in heads]),
        "another in front": ("front", [{"string_value": title} for title in titles[:CHANGES]]),
        "another length": ("length", [{"double_array_value": [300.0 + n]} for n in range(CHANGES)]),
        "another last word": ("live-text", [f"{TEXT.rpartition(' ')[0]} {word}" for word in WORDS]),
    }
    return {what: [await visitor.move(key, value) for value in values] for what, (key, values) in moves.items()}
