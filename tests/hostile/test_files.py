"""Every kind of file that the product takes, with anything wrong in it: a result or a documented error, and no more."""

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.hostile.formats import FORMATS

ROOT = Path(__file__).parents[2]
MOST_RESTARTS = 10  # of a reader that some file has ended


def cases_of(name: str, count: int, report: Path) -> Iterator[dict[str, Any]]:
    """Read so many mutations of a format in a process of its own, and yield those that are at fault."""
    first = 0
    for _ in range(MOST_RESTARTS):
        command = [sys.executable, "-m", "tests.hostile.reader", name, "1", str(first), str(count), str(report)]
        ended = subprocess.run(
            command, cwd=ROOT, env=os.environ | {"OMP_NUM_THREADS": "1"}, capture_output=True, check=False
        )
        lines = report.read_text(encoding="utf-8").splitlines()
        yield from (json.loads(line) for line in lines if line.startswith("{"))
        if ended.returncode == 0:
            return
        last = next(int(line) for line in reversed(lines) if line.lstrip("-").isdecimal())
        if not (name in FORMATS and FORMATS[name].isolated):
            yield {"case": last, "kind": f"ended with {ended.returncode}", "fault": ended.stderr[-2_000:].decode()}
        report.unlink()
        first = max(0, last) + 1


@pytest.mark.parametrize("name", FORMATS)
@pytest.mark.parametrize("count", [pytest.param(10_000, marks=pytest.mark.thorough)])
def test_a_file_with_anything_wrong_is_read_or_refused_in_a_sentence(name: str, count: int, tmp_path: Path) -> None:
    report = tmp_path / "report"
    assert list(cases_of(name, count, report)) == []
    outcomes = [line for line in report.read_text(encoding="utf-8").splitlines() if line.startswith("=")]
    assert len(outcomes) >= count
    assert len(set(outcomes)) > (name != "vocabulary")  # some are refused; of a vocabulary all, for its hash is known


def test_a_few_of_every_kind_are_read_or_refused_in_a_sentence(tmp_path: Path) -> None:
    report = tmp_path / "report"
    assert list(cases_of(",".join(FORMATS), 3, report)) == []
    assert sum(line.startswith("=") for line in report.read_text(encoding="utf-8").splitlines()) >= 3 * len(FORMATS)
