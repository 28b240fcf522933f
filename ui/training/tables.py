"""The numbers of the training page's panels as tables that other programs read."""

import csv
import io
from collections.abc import Iterable, Mapping, Sequence

from embedlib.figures import RankedBar, StepLine
from ui.training.measured import StepScore


def lines_csv(lines: Sequence[StepLine], value: str) -> str:
    """Write one line per name and step."""
    return written(
        ["name", "step", value],
        ([line.name, step, number] for line in lines for step, number in zip(line.steps, line.values, strict=True)),
    )


def bars_csv(bars: Sequence[RankedBar], value: str, aside: str) -> str:
    """Write one line per bar: its name, value, what stands aside, and what the pointer is told."""
    return written(["name", value, aside, "detail"], ([bar.name, bar.value, bar.aside, bar.detail] for bar in bars))


def scores_csv(scores: Mapping[int, StepScore]) -> str:
    """Write one line per step: the score, the share of analogies that come out right, and the score of each kind."""
    kinds = next((list(score.kinds.by_kind) for score in scores.values() if score.kinds is not None), [])
    return written(
        ["step", "same_kind_at_10", "analogies_right", *kinds],
        (
            [step, *_numbers([None if score.kinds is None else score.kinds.score, score.share_right]), *_by_kind(score)]
            for step, score in scores.items()
        ),
    )


def written(heading: Sequence[str], lines: Iterable[Sequence[object]]) -> str:
    """Write lines under a heading."""
    target = io.StringIO()
    writer = csv.writer(target, lineterminator="\n")
    writer.writerow(heading)
    writer.writerows(lines)
    return target.getvalue()


def _by_kind(score: StepScore) -> list[float]:
    return [] if score.kinds is None else list(score.kinds.by_kind.values())


def _numbers(values: Sequence[float | None]) -> list[float | str]:
    return ["" if value is None else value for value in values]
