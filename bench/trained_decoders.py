"""Train the decoders whose heads ship: one for each scheme, all with the same text, steps and seed."""

import sys
from dataclasses import replace
from typing import Any

import torch
from torch import Tensor

from embedlib.extrapolation import EXPERIMENTS, MANUAL, Unit, train
from embedlib.extrapolation.tasks import TextTask
from embedlib.tensor_files import write_tensors
from embedlib.texts import reference_manual

EXPERIMENT, SEED, BATCH_SIZE = "text", 0, 32
SCHEMES = EXPERIMENTS[EXPERIMENT].lines


def train_decoder(scheme: str, task: TextTask, n_steps: int = 0) -> tuple[dict[str, Tensor], float]:
    """Train the decoder of one scheme.

    Returns: Its weights by name, float16, and the mean loss of the last steps in nats per character.
    """
    config = Unit(EXPERIMENT, scheme, SEED, n_steps=n_steps, source=MANUAL).config(task)
    config = replace(config, max_seq_len=task.length, batch_size=BATCH_SIZE)
    for step in train(config):
        if step.number % 100 == 0:
            print(scheme, step.number, f"{step.loss:.3f}", flush=True)
        run = step.run
    tail = run.losses[-20:]
    return {name: weight.half() for name, weight in run.decoder.state_dict().items()}, sum(tail) / len(tail)


def main(path: str) -> None:
    """Write the file."""
    torch.set_num_threads(1)
    task = TextTask(reference_manual(), length=EXPERIMENTS[EXPERIMENT].shapes["small"].trained_length)
    tensors: dict[str, Tensor] = {}
    losses: dict[str, float] = {}
    for scheme in SCHEMES:
        weights, losses[scheme] = train_decoder(scheme, task)
        tensors |= {f"{scheme}.{name}": weight for name, weight in weights.items()}
    shape = EXPERIMENTS[EXPERIMENT].shapes["small"]
    about: dict[str, Any] = {
        "kind": "decoders",
        "text": "reference manual of Python, from pydoc_data",
        "characters": task.characters,
    }
    about |= {"length": task.length, "n_layers": shape.n_layers, "n_heads": shape.n_heads, "d_model": shape.d_model}
    about |= {"n_steps": shape.n_steps, "batch_size": BATCH_SIZE, "seed": SEED, "losses": losses}
    write_tensors(path, about, tensors)


if __name__ == "__main__":
    main(sys.argv[1])
