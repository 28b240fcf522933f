"""Train the position rows and distance biases that ship: small decoders over the characters of the grammar's sentences.

T5's two-sided buckets come from two decoders: for earlier keys from one that reads forwards, for later keys from one
that reads the same text backwards.
"""

import sys

import torch
from torch import Tensor

from embedlib.extrapolation import TrainConfig
from embedlib.extrapolation.tasks import TextTask
from embedlib.extrapolation.train import train
from embedlib.grammar import grammar_text
from embedlib.positional import N_TRAINED
from embedlib.tensor_files import write_tensors

N_SENTENCES, N_STEPS, BATCH_SIZE, SEED = 20_000, 1_600, 8, 0
# name -> scheme, its parameters, and the direction in which the text is read
RUNS: dict[str, tuple[str, dict[str, bool | float], int]] = {
    "learned": ("learned", {"std": 0.02}, 1),
    "t5": ("t5", {"bidirectional": False}, 1),
    "t5_earlier": ("t5", {"bidirectional": True}, 1),
    "t5_later": ("t5", {"bidirectional": True}, -1),
}


def train_run(name: str, n_steps: int = N_STEPS) -> tuple[Tensor, float]:
    """Train one of RUNS.

    Returns: The scheme's table, (n_rows, width), and the loss of the last step.
    """
    scheme, parameters, direction = RUNS[name]
    task = TextTask(grammar_text(N_SENTENCES)[::direction], length=N_TRAINED)
    config = TrainConfig(
        task, scheme, parameters, max_seq_len=N_TRAINED, batch_size=BATCH_SIZE, n_steps=n_steps, seed=SEED
    )
    for step in train(config):
        if step.number % 100 == 0:
            print(name, step.number, f"{step.loss:.3f}", flush=True)
        last = step
    return last.run.decoder.scheme.get_parameter("table").detach(), last.loss


def main(path: str) -> None:
    """Write the file, to the same bytes each time on the same machine with one thread."""
    torch.set_num_threads(1)
    tables, losses = {}, {}
    for name in RUNS:
        tables[name], losses[name] = train_run(name)
    half = len(tables["t5_earlier"]) // 2
    both = torch.cat([tables.pop("t5_earlier")[:half], tables.pop("t5_later")[:half]])
    about = {"kind": "positions", "text": f"{N_SENTENCES} sentences of embedlib.grammar", "length": N_TRAINED}
    about |= {"n_steps": N_STEPS, "batch_size": BATCH_SIZE, "seed": SEED, "losses": losses}
    write_tensors(path, about, tables | {"t5_bidirectional": both})


if __name__ == "__main__":
    main(sys.argv[1])
