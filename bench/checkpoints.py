"""Cost of reading foreign files: rows of a model on disk against safetensors, a text table against PyArrow alone."""

import tempfile
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import torch
from safetensors.torch import save_file

from bench.table import Row
from bench.timing import Samples, run_alone

ROUNDS = 21
TSV_ROUNDS = 5
TSV_LIMITS = {"a 100 MB .tsv": 1.5, "the same as an upload": 2.0}
PREPARE = """
import random
import numpy as np
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
    """Read 20 rows of a table of GPT-2's size, and a text table."""
    with tempfile.TemporaryDirectory() as folder:
        save_file({"wte.weight": torch.randn(50_257, 768)}, Path(folder) / "model.safetensors")
        measured = {kind: _time_and_peak(folder, kind) for kind in WORK}
    against = f"safetensors: {measured['theirs'][0]}"
    for kind, what in (("open", "a 50,257 x 768 checkpoint opened, and 20 rows"), ("rows", "20 more rows")):
        samples, megabytes = measured[kind]
        yield Row(f"{what}, s", str(samples), against, samples.median, 0.005)
        yield Row(f"{what}: peak memory, MB", f"{megabytes:.1f} MB", f"{measured['theirs'][1]:.1f} MB", megabytes, 10)
    yield from _text_table()


def _time_and_peak(folder: str, kind: str) -> tuple[Samples, float]:
    """Return the time of each call, and by how much the first raised the peak of its process's memory."""
    done = run_alone(PREPARE.format(folder=folder, is_opened=kind == "rows"), WORK[kind], rounds=ROUNDS)
    return Samples(done.seconds), done.peaks[0]


TSV_ROWS, TSV_COLUMNS = 37_000, 300  # 100 MB
READ_TSV = """
import numpy
import pyarrow
from pyarrow import csv
from embedlib.tables import read_table

path = Path({path!r})
names = [str(column) for column in range({columns})]

def theirs():
    types = dict.fromkeys(names, pyarrow.float32())
    table = csv.read_csv(
        path,
        csv.ReadOptions(column_names=names, use_threads=False),
        csv.ParseOptions(delimiter="\\t", quote_char=False),
        csv.ConvertOptions(column_types=types),
    )
    return numpy.column_stack([column.to_numpy() for column in table.columns])
"""


def _text_table() -> Iterator[Row]:
    """Read 100 MB of text: by its path in this process, and as an upload, which a child process reads."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "vectors.tsv"
        np.savetxt(path, np.random.default_rng(0).normal(size=(TSV_ROWS, TSV_COLUMNS)), fmt="%.6f", delimiter="\t")
        prepare = READ_TSV.format(path=str(path), columns=TSV_COLUMNS)
        work = {
            "a 100 MB .tsv": "read_table(path)",
            "the same as an upload": "read_table(path.open('rb'))",
            "": "theirs()",
        }
        taken = {what: Samples(run_alone(prepare, line, rounds=TSV_ROUNDS).seconds) for what, line in work.items()}
    theirs = taken.pop("")
    for what, samples in taken.items():
        yield Row(what, str(samples), f"pyarrow.csv: {theirs}", samples.median / theirs.median, TSV_LIMITS[what])
