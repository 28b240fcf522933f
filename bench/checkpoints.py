"""What a few rows of a model on disk cost: in time and memory, against safetensors' own reading of the same rows."""

import tempfile
from collections.abc import Iterator
from pathlib import Path

import torch
from safetensors.torch import save_file

from bench.table import Row
from bench.timing import Samples, alone

ROUNDS = 21
PREPARE = """
import random
import torch
from safetensors import safe_open
from embedlib.checkpoints import open_checkpoint

folder = Path({folder!r})
random.seed(0)
checkpoint = open_checkpoint(folder) if {is_opened} else None

def theirs():
    with safe_open(folder / "model.safetensors", "pt") as file:
        table = file.get_slice("wte.weight")
        torch.cat([table[row : row + 1] for row in random.sample(range(50257), 20)])
"""
WORK = {
    "open": "open_checkpoint(folder).rows(random.sample(range(50257), 20))",
    "rows": "checkpoint.rows(random.sample(range(50257), 20))",
    "theirs": "theirs()",
}


def rows() -> Iterator[Row]:
    """Read 20 rows of a table of GPT-2's size."""
    with tempfile.TemporaryDirectory() as folder:
        save_file({"wte.weight": torch.randn(50_257, 768)}, Path(folder) / "model.safetensors")
        measured = {kind: _measured(folder, kind) for kind in WORK}
    against = f"safetensors: {measured['theirs'][0]}"
    for kind, what in (("open", "a 50,257 x 768 checkpoint opened, and 20 rows"), ("rows", "20 more rows")):
        samples, megabytes = measured[kind]
        yield Row(f"{what}, s", str(samples), against, samples.median, 0.005)
        yield Row(f"{what}: peak memory, MB", f"{megabytes:.1f} MB", f"{measured['theirs'][1]:.1f} MB", megabytes, 10)


def _measured(folder: str, kind: str) -> tuple[Samples, float]:
    """Return the time of each call, and by how much the first raised the peak of its process's memory."""
    done = alone(PREPARE.format(folder=folder, is_opened=kind == "rows"), WORK[kind], rounds=ROUNDS)
    return Samples(done.seconds), done.peaks[0]
