"""Four experiments that train short and test long: what is trained, at which lengths, and what is compared."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from embedlib.extrapolation.old_tasks import BackTask, SortTask, Task, TextTask
from embedlib.extrapolation.sweep import Measure
from embedlib.i18n import N_
from embedlib.positional import SCHEMES
from embedlib.positional.rope_scaling import SCALINGS

Size = Literal["small", "wide"]


@dataclass(frozen=True, slots=True)
class Shape:
    """What is trained in one size of an experiment.

    Attributes:
        trained_length: greatest length in training, in the task's own count.
        lengths: at which every run is scored, rising.
        n_sequences: scored at each length.
        n_layers: of the decoder.
        n_heads: of the decoder.
        d_model: of the decoder.
        n_steps: unless a unit says otherwise.
        learning_rate: unless a unit says otherwise.
        n_values: of a task that draws values; 0 for text.
    """

    trained_length: int
    lengths: tuple[int, ...]
    n_sequences: int = 256
    n_layers: int = 2
    n_heads: int = 4
    d_model: int = 64
    n_steps: int = 800
    learning_rate: float = 5e-3
    n_values: int = 0


@dataclass(frozen=True, slots=True)
class Experiment:
    """Runs that differ in one thing, all scored at the same lengths.

    Attributes:
        name: key of EXPERIMENTS.
        title: marked for translation.
        measure: of a LengthScore, which tells the schemes apart.
        unit_of_length: what a length counts, marked for translation.
        shapes: what is trained: "small" takes seconds on one core, "wide" wants a GPU.
        lines: what is compared: keys of SCHEMES, or of SCALINGS where one run is tested under each of them.
        needs_text: whether it is trained on a text.
    """

    name: str
    title: str
    measure: Measure
    unit_of_length: str
    shapes: Mapping[Size, Shape]
    lines: tuple[str, ...] = tuple(SCHEMES)
    needs_text: bool = False

    @property
    def scales_rope(self) -> bool:
        """Whether one run under rope is tested under each of SCALINGS, instead of a run for each scheme."""
        return self.lines == SCALINGS

    def task(self, text: str | None = None, *, size: Size = "small") -> Task:
        """Return what is trained on.

        Args:
            text: of an experiment that needs one.
            size: key of ``shapes``.

        Returns:
            The task; making one of a long text takes some 30 ms, so that runs should share it.

        Raises:
            ValueError: a text is missing; TextTooShort where it cannot be tested at the greatest length.
        """
        shape = self.shapes[size]
        if not self.needs_text:
            return self._without_text(shape)
        if text is None:
            raise ValueError(f"text is missing: {self.name!r} is trained on one, such as reference_manual()")
        task = TextTask(text, length=shape.trained_length)
        task.held_out(shape.lengths[-1], 1)
        return task

    def _without_text(self, shape: Shape) -> Task:
        if self.name == "sort":
            return SortTask(n_values=shape.n_values, longest=shape.trained_length)
        return BackTask(n_values=shape.n_values, longest=shape.trained_length)


_LM_LENGTHS = (16, 32, 64, 96, 128, 192, 256, 384, 512)
_LM: dict[Size, Shape] = {
    "small": Shape(64, _LM_LENGTHS, n_sequences=64, n_steps=400),
    "wide": Shape(256, (64, 128, 256, 512, 1_024, 2_048, 4_096), 32, 8, 8, 512, 4_000, 1e-3),
}

EXPERIMENTS: dict[str, Experiment] = {
    experiment.name: experiment
    for experiment in (
        Experiment(
            "sort",
            N_("Sort"),
            "exact",
            N_("values to sort"),
            {
                "small": Shape(10, (2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 25, 30), n_values=64),
                "wide": Shape(256, (64, 128, 256, 384, 512, 1_024, 2_048, 4_096), 64, 8, 8, 512, 8_000, 1e-3, 8_192),
            },
        ),
        Experiment(
            "back",
            N_("Look back"),
            "accuracy",
            N_("positions"),
            {
                "small": Shape(32, (8, 16, 24, 32, 48, 64, 96, 128), n_steps=600, n_values=16),
                "wide": Shape(256, (64, 128, 256, 512, 1_024, 2_048, 4_096), 64, 8, 8, 512, 2_000, 1e-3, 16),
            },
        ),
        Experiment("text", N_("Language model"), "perplexity", N_("characters"), _LM, needs_text=True),
        Experiment("scaling", N_("RoPE scaled at test time"), "perplexity", N_("characters"), _LM, SCALINGS, True),
    )
}
