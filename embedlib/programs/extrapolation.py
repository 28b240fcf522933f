"""The short program that prints the scores of the page that trains short and tests long."""

from collections.abc import Sequence

from embedlib.extrapolation.experiments import Experiment, Shape, Size
from embedlib.extrapolation.sweep import Measure

_HEAD = """\
from pathlib import Path

import torch
{imports}

torch.set_num_threads(1)  # as many as here: with others the last digits differ
torch.set_printoptions(precision=4, sci_mode=False, linewidth=120)
{task}
lengths = {lengths}
settings = dict(n_layers={n_layers}, n_heads={n_heads}, d_model={d_model}, max_seq_len={max_seq_len},
                n_steps={n_steps}, learning_rate={learning_rate!r})
"""

_SCHEMES = """\
for scheme in {schemes}:
    found = extrapolation(
        TrainConfig(task, scheme, **settings), lengths=lengths, seeds={seeds}, n_sequences={n_sequences}{device}
    )
    values = found.values({measure!r})  # (n_seeds, n_lengths)
    print(scheme, {measure!r}, values.mean(0))
    print(scheme, "each seed", values)
"""

_SCALINGS = """\
values = {{}}  # scaling to one row for each seed
for seed in {seeds}:
    run = new_run(TrainConfig(task, "rope", seed=seed, **settings){device})
    for step in train(run):
        pass
    for scaling, scores in rope_scaling_scores(run, lengths, n_sequences={n_sequences}).items():
        values.setdefault(scaling, []).append([score.{measure} for score in scores])
for scaling, rows in values.items():
    print(scaling, {measure!r}, torch.tensor(rows).mean(0))
    print(scaling, "each seed", torch.tensor(rows))
"""


def extrapolation_program(
    experiment: Experiment,
    *,
    size: Size = "small",
    schemes: Sequence[str],
    seeds: Sequence[int],
    measure: Measure,
    n_steps: int,
    learning_rate: float,
    text: str | None = None,
    cuda: bool = False,
) -> str:
    """Write the program whose output is what the page shows of an experiment.

    Args:
        experiment: what is done.
        size: key of its shapes.
        schemes: to compare; not read where the scalings of one run are.
        seeds: of the runs.
        measure: that is printed.
        n_steps: of each run.
        learning_rate: of each run.
        text: to train on, which becomes a string literal, so that nothing in it can become code; None for the manual.
            One of more than 2,000 characters is read from a file, text.txt, instead.
        cuda: whether the runs were trained on a GPU.

    Returns:
        Source text of a program that needs torch and this library only.
    """
    shape = experiment.shapes[size]
    names = ["new_run", "rope_scaling_scores", "train"] if experiment.scales_rope else ["extrapolation"]
    imports = [*_imports(experiment, text), f"from embedlib.extrapolation import TrainConfig, {', '.join(names)}"]
    body = _SCALINGS if experiment.scales_rope else _SCHEMES
    task = _task(experiment, shape, text)
    head = _HEAD if "Path(" in task else _HEAD.removeprefix("from pathlib import Path\n\n")
    return head.format(
        imports="\n".join(imports),
        task=task,
        lengths=shape.lengths,
        n_layers=shape.n_layers,
        n_heads=shape.n_heads,
        d_model=shape.d_model,
        max_seq_len=_max_seq_len(experiment, shape),
        n_steps=n_steps,
        learning_rate=learning_rate,
    ) + body.format(
        schemes=list(schemes),
        seeds=tuple(seeds),
        n_sequences=shape.n_sequences,
        measure=measure,
        device=', device=torch.device("cuda")' if cuda else "",
    )


_LITERAL = 2_000  # characters of a text that still stand in the program


def _imports(experiment: Experiment, text: str | None) -> list[str]:
    if experiment.needs_text:
        return [
            *(["from embedlib.texts.corpus import reference_manual"] if text is None else []),
            _from_tasks("TextTask"),
        ]
    return [_from_tasks("SortTask" if experiment.name == "sort" else "BackTask")]


def _from_tasks(name: str) -> str:
    return f"from embedlib.extrapolation.tasks import {name}"


def _task(experiment: Experiment, shape: Shape, text: str | None) -> str:
    if experiment.needs_text:
        read = (
            "reference_manual()"
            if text is None
            else ascii(text)
            if len(text) <= _LITERAL
            else 'Path("text.txt").read_text(encoding="utf-8")'
        )
        return f"task = TextTask({read}, length={shape.trained_length})"
    kind = "SortTask" if experiment.name == "sort" else "BackTask"
    return f"task = {kind}(n_values={shape.n_values}, longest={shape.trained_length})"


def _max_seq_len(experiment: Experiment, shape: Shape) -> int:
    """As many rows as the units' own runs have; see Unit.config."""
    longest = 2 * shape.lengths[-1] if experiment.name == "sort" else shape.lengths[-1]
    return max(1_024, longest)
