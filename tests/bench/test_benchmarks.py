"""Every benchmark once, as small as it goes: whether it still finds what it measures, not how fast that is."""

import shutil
import sys
from dataclasses import replace
from typing import Any

import pytest

from bench import peers, whole_class
from bench.__main__ import BENCHMARKS, measure
from bench.table import Row

# Ours stands in for the tool that is like it, which is not installed here.
PEERS = (replace(peers.OURS, title="again"), *(peer for peer in peers.PEERS if peer.search is None))
# Constants of modules of bench, by the name of the benchmark.
SMALL: dict[str, dict[str, Any]] = {
    "app": {"app.STARTS": 1, "recording.KEYS": " a", "recording.LOOKED_AT": 0},
    "checkpoints": {"checkpoints.ROUNDS": 1, "checkpoints.TSV_ROUNDS": 1, "checkpoints.TSV_ROWS": 100},
    "class": {"whole_class.PLAN": whole_class.ClassPlan(visitors=2, minutes=0.2, idle=2)},
    "cluster": {"cluster.ON_DISK": (2_000, 16)},
    "compare": {"compare.VISITS": 1, "compare.CHANGES": 1},
    "context": {"context.ROUNDS": 1, "context.OPENINGS": 1},
    "follow": {"follow.PHONES": 3, "follow.SPELL": 0.5, "follow.STEPS": 1},
    "languages": {"languages.TURNS": 1, "languages.WARM": 1},
    "lessons": {"lessons.N_BYTES": 20_000, "lessons.VOCAB_SIZE": 300, "lessons.ROUNDS": 1},
    "lessons-batches": {"lessons_batches.CHANGES": 1, "lessons_batches.SIZE": 10_000},
    "lessons-layer": {"lessons_layer.N_TOKENS": 64},
    "library": {"library.VOCAB_SIZE": 2_000, "library.D_MODEL": 64},
    "load": {"load.EDITS": 2, "load.BUSY": 1, "load.VISITORS": (2,), "load.SPELL": 2.0},
    "maps": {"maps.MAPPED": 200},
    "peers": {"peers.WIDTHS": (2,), "peers.OPENED": 1, "peers.ASKED": 1, "peers.PEERS": PEERS}
    | {"peers.PYTHON": sys.executable},
    "projection": {"projection.VOCAB_SIZE": 2_000, "projection.D_MODEL": 64}
    | {"projection.WIDE": (600, 400), "projection.ON_DISK": (2_000, 384)},
    "projection-page": {"projection_page.VISITS": 1, "projection_page.COLOURS": ("script",)},
    "training": {"training.SCHEMES": ("none", "rope"), "training.SEEDS": (0,)},
}


@pytest.mark.thorough
@pytest.mark.parametrize("name", BENCHMARKS)
def test_a_benchmark_finds_what_it_measures(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    if name == "killed" and shutil.which("nginx") is None:
        pytest.skip("needs nginx")
    for constant, value in SMALL.get(name, {}).items():
        monkeypatch.setattr(f"bench.{constant}", value)
    for row in measure([name]):
        assert row.measured
        assert row.limit or row.is_met, row  # a count of wrong answers


@pytest.mark.parametrize("rows", [[], [Row("share", "none", "", float("nan"), 1.0)]])
def test_a_benchmark_that_reads_nothing_fails(rows: list[Row], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(BENCHMARKS, "maps", lambda: iter(rows))
    with pytest.raises(RuntimeError, match="maps"):
        list(measure(["maps"]))


def test_one_wrong_neighbour_misses_the_limit() -> None:
    import numpy as np

    names = [str(row) for row in range(30)]
    example = peers.Example(peers.Path(), np.eye(2, dtype=np.float32)[[0, *[0] * 10, *[1] * 19]], names)
    assert example.count_wrong("0", names[1:11]) == 0
    assert example.count_wrong("0", [*names[1:10], "20"]) == 1
    assert example.count_wrong("0", []) == 10
