"""What the page of schemes side by side costs the server, a key in a formula too, and a long bias in memory."""

import json
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlencode

from bench.app import temporary_server
from bench.library import output_of
from bench.session import Session, session
from bench.table import Row
from bench.timing import Samples, a_million_steps, processor_of, seconds_of_processor
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

# Takes one bias in a process of its own and prints by how many kB that raised the memory that it holds at most, after a
# short one has loaded what torch loads at first use. Linux forgets the earlier maximum when 5 is written to clear_refs.
PEAK = """
from pathlib import Path
import torch
from embedlib import make_scheme
scheme = make_scheme({name!r}, d_model={d_model}, n_heads={heads}).requires_grad_(False)
scheme.bias(8)
def kilobytes(name):
    lines = Path("/proc/self/status").read_text().splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith(name))
Path("/proc/self/clear_refs").write_text("5")
before = kilobytes("VmRSS")
bias = scheme.bias({positions})
assert bias.shape == ({heads}, {positions}, {positions})
print(kilobytes("VmHWM") - before)
"""


def rows() -> Iterator[Row]:
    """Measure one row of the table after the other."""
    yield from page_rows()
    yield from own_rows()
    if Path("/proc/self/clear_refs").exists():
        yield from bias_rows()


def page_rows() -> Iterator[Row]:
    """Time the runs of the page that show every scheme, first ones on fresh servers and then changes of a control."""
    what = f"{len(SCHEMES)} schemes side by side, 64 tokens"
    first: list[float] = []
    changes: dict[str, list[float]] = {}
    for number in range(VISITS):
        with temporary_server() as server, session(server.url, urlencode(_link())) as visit:
            visit.open("")
            first.append(visit.open("compare"))
            if number == VISITS - 1:
                changes = _changes(visit)
    samples = Samples(first)
    yield Row(f"{what}, first time: on the server, s", str(samples), "", samples.median, 0.400)
    for name, seconds in changes.items():
        samples = Samples(seconds)
        yield Row(f"{what}, {name}: on the server, s", str(samples), "", samples.median, 0.080)


def own_rows() -> Iterator[Row]:
    """Time a key in one of four formulas, until every chart of the page has been sent."""
    own = tuple(OwnScheme(slot, f"Mine {slot}", lines) for slot, lines in enumerate(OWN, 1))
    entries = ",".join(one.entry for one in own)
    link = _link() | {"schemes": entries, "formulas": Formulas(()).format(own)}
    with temporary_server() as server, session(server.url, urlencode(link)) as visit:
        visit.open("")
        visit.open("compare")
        keys = [f"{OWN[0][1]} - {number} / 1000" for number in range(4 + CHANGES)]
        reports = [json.dumps({"content": {"text": text, "total": len(text), "revision": 0}}) for text in keys]
        for report in reports[:4]:
            visit.set("own-bias-1", json_value=report)
        loop, before = seconds_of_processor(a_million_steps), processor_of(server.pid)
        samples = Samples([visit.set("own-bias-1", json_value=report) for report in reports[4:]])
        spent = (processor_of(server.pid) - before) / CHANGES
    said = f"{spent / loop:.2f} loops of a million steps: processor of the server"
    yield Row(
        "4 typed schemes, 64 tokens, a key in a formula: on the server, s", str(samples), said, samples.median, 0.150
    )


def bias_rows() -> Iterator[Row]:
    """Take the peak memory of one bias of LONGEST positions for each scheme that has one."""
    for name, scheme in SCHEMES.items():
        if "score" in scheme.acts_on:
            program = PEAK.format(name=name, d_model=D_MODEL, heads=HEADS, positions=LONGEST)
            megabytes = int(output_of(program)) * 1024 / 1e6
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


def _changes(visit: Session) -> dict[str, list[float]]:
    """Move one control after the other, each to where it has not been; the text only ever changes its last word."""
    heads = [*(f"head {head}" for head in range(1, HEADS)), "mean of all heads"]
    texts = [f"{TEXT.rpartition(' ')[0]} {word}" for word in WORDS]
    reports = [json.dumps({"content": {"text": text, "total": len(text), "revision": 0}}) for text in texts]
    return {
        "another position": [visit.set("shown_position", double_array_value=[20.0 + n]) for n in range(CHANGES)],
        "another head": [visit.set("shown_head", string_value=head) for head in heads],
        "another in front": [visit.set("shown_front", string_array_value=[title]) for title in _titles()[:CHANGES]],
        "another length": [visit.set("shown_length", double_array_value=[300.0 + number]) for number in range(CHANGES)],
        "another last word": [visit.set("live-text", json_value=report) for report in reports],
    }


def _titles() -> list[str]:
    return [scheme.title for scheme in SCHEMES.values()]
