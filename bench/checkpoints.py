"""What a few rows of a model on disk cost: in time and memory, against safetensors' own reading of the same rows."""

import json
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import torch
from safetensors.torch import save_file

from bench.table import Row
from bench.timing import Samples

ROOT = Path(__file__).parent.parent
ROUNDS = 21
# In a process of its own: the time of each call, and by how many kB the first raised the peak of its memory.
PROGRAM = """
import json, random, sys, time
from pathlib import Path
import torch
from safetensors import safe_open
from embedlib.checkpoints import open_checkpoint

folder, kind, rounds = Path(sys.argv[1]), sys.argv[2], int(sys.argv[3])
random.seed(0)

def opened():
    open_checkpoint(folder).rows(random.sample(range(50257), 20))

checkpoint = open_checkpoint(folder) if kind == "rows" else None

def alone():
    checkpoint.rows(random.sample(range(50257), 20))

def theirs():
    with safe_open(folder / "model.safetensors", "pt") as file:
        table = file.get_slice("wte.weight")
        torch.cat([table[row : row + 1] for row in random.sample(range(50257), 20)])

def kilobytes(name):
    return next(int(line.split()[1]) for line in open("/proc/self/status") if line.startswith(name))

work = {"open": opened, "rows": alone, "theirs": theirs}[kind]
Path("/proc/self/clear_refs").write_text("5")  # Linux then forgets the earlier maximum
before, seconds = kilobytes("VmRSS"), []
for _ in range(rounds):
    started = time.perf_counter()
    work()
    seconds.append(time.perf_counter() - started)
    if len(seconds) == 1:
        after = kilobytes("VmHWM")
print(json.dumps([seconds, after - before]))
"""


def rows() -> Iterator[Row]:
    """Read 20 rows of a table of GPT-2's size."""
    with tempfile.TemporaryDirectory() as folder:
        save_file({"wte.weight": torch.randn(50_257, 768)}, Path(folder) / "model.safetensors")
        measured = {kind: _measured(folder, kind) for kind in ("open", "rows", "theirs")}
    against = f"safetensors: {measured['theirs'][0]}"
    for kind, what in (("open", "a 50,257 x 768 checkpoint opened, and 20 rows"), ("rows", "20 more rows")):
        samples, megabytes = measured[kind]
        yield Row(f"{what}, s", str(samples), against, samples.median, 0.005)
        yield Row(f"{what}: peak memory, MB", f"{megabytes:.1f} MB", f"{measured['theirs'][1]:.1f} MB", megabytes, 10)


def _measured(folder: str, kind: str) -> tuple[Samples, float]:
    command = [sys.executable, "-c", PROGRAM, folder, kind, str(ROUNDS)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    seconds, kilobytes = json.loads(done.stdout)
    return Samples(seconds), kilobytes / 1_000
