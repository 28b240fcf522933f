"""Whoever is killed while they write leaves the whole file of before, a whole new one, or none."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.hostile.killing import WORK

ROOT = Path(__file__).parents[2]


@pytest.mark.parametrize(
    ("what", "times"), [(",".join(WORK), 4), *(pytest.param(what, 200, marks=pytest.mark.thorough) for what in WORK)]
)
def test_a_writer_that_is_killed_leaves_nothing_half_written_that_passes_for_whole(
    what: str, times: int, tmp_path: Path
) -> None:
    command = [sys.executable, "-m", "tests.hostile.killing", what, str(times), str(tmp_path)]
    ended = subprocess.run(
        command, cwd=ROOT, env=os.environ | {"OMP_NUM_THREADS": "1"}, capture_output=True, check=False, text=True
    )
    assert ended.returncode == 0, ended.stdout + ended.stderr[-2_000:]
    assert ended.stdout.count("\n") == what.count(",") + 1
