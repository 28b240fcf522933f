"""Four experiments that train short and test long: tasks, lengths, compared schemes, and their runs."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from embedlib.extrapolation.config import TrainConfig
from embedlib.extrapolation.sweep import Measure
from embedlib.extrapolation.tasks import BackTask, SortTask, Task, TextTask, check_whole
from embedlib.i18n import N_
from embedlib.positional import SCHEMES, FormulaPositions
from embedlib.positional.rope_scaling import SCALINGS

Size = Literal["small", "wide"]

# Schemes of which the pages show the figures first: those that the published comparisons have.
FIRST_SCHEMES = ("none", "learned", "sinusoidal", "rope", "alibi", "t5")
FIRST_SEEDS = (0, 1, 2)
MANUAL = "manual"  # the source of a text: embedlib.texts.reference_manual()


@dataclass(frozen=True, slots=True)
class Shape:
    """Sizes of the models of an experiment.

    Attributes:
        trained_length: greatest length in training, in the task's own count.
        lengths: of the scores, rising.
        n_sequences: scored at each length.
        n_steps: default of the units, as is `learning_rate`.
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
        title: marked for translation.
        measure: of a LengthScore, by which schemes are compared.
        unit_of_length: marked for translation.
        shapes: "small" takes seconds on one core, "wide" wants a GPU.
        lines: keys of SCHEMES, or of SCALINGS where one run is tested under each of them.
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
        """Return the task; making one of a long text takes some 30 ms, so runs should share it.

        ValueError without a text where one is needed; CodedError where it is too short for the greatest length.
        """
        shape = self.shapes[size]
        if not self.needs_text:
            return self._task_without_text(shape)
        if text is None:
            raise ValueError(f"text is missing: {self.name!r} is trained on one, such as reference_manual()")
        task = TextTask(text, length=shape.trained_length)
        task.held_out(shape.lengths[-1], 1)
        return task

    def _task_without_text(self, shape: Shape) -> Task:
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
            N_("numbers to sort"),
            {
                "small": Shape(10, (2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 25, 30), n_values=64),
                "wide": Shape(256, (64, 128, 256, 384, 512, 1_024, 2_048, 4_096), 64, 8, 8, 512, 8_000, 1e-3, 8_192),
            },
        ),
        Experiment(
            "back",
            N_("Look back"),
            "accuracy",
            N_("numbers read"),
            {
                "small": Shape(32, (8, 16, 24, 32, 48, 64, 96, 128), n_steps=600, n_values=16),
                "wide": Shape(256, (64, 128, 256, 512, 1_024, 2_048, 4_096), 64, 8, 8, 512, 2_000, 1e-3, 16),
            },
        ),
        Experiment("text", N_("Language model"), "perplexity", N_("characters"), _LM, needs_text=True),
        Experiment("scaling", N_("RoPE scaled at test time"), "perplexity", N_("characters"), _LM, SCALINGS, True),
    )
}


@dataclass(frozen=True, slots=True)
class Unit:
    """One run and its scores: equal units give the same numbers, to the bit on one machine with as many threads.

    Attributes:
        scheme: key of SCHEMES, or "formula"; "rope" where scalings are compared.
        n_steps: in [1, 10^7]; 0 takes the experiment's own.
        learning_rate: the greatest, above 0; 0 takes the experiment's own.
        source: of the text: MANUAL, or any name of another text, such as its digest; "" where there is none.
        size: key of the experiment's ``shapes``.
        parameters: of "formula", arguments of make_scheme by name; () for other schemes.
    """

    experiment: str
    scheme: str
    seed: int = 0
    n_steps: int = 0
    learning_rate: float = 0.0
    source: str = ""
    size: Size = "small"
    parameters: tuple[tuple[str, str], ...] = ()

    def __post_init__(self) -> None:
        if self.experiment not in EXPERIMENTS:
            raise ValueError(f"experiment={self.experiment!r} is unknown: choose among {', '.join(EXPERIMENTS)}")
        whole = EXPERIMENTS[self.experiment]
        schemes = ("rope",) if whole.scales_rope else (*whole.lines, FormulaPositions.name)
        if (self.scheme == FormulaPositions.name) != bool(self.parameters):
            raise ValueError(f"parameters={self.parameters} do not fit {self.scheme!r}: lines are of 'formula'")
        object.__setattr__(self, "parameters", tuple(sorted((name, text) for name, text in self.parameters)))
        if self.scheme not in schemes:
            raise ValueError(f"scheme={self.scheme!r} is not in {self.experiment!r}: choose among {', '.join(schemes)}")
        if self.size not in whole.shapes:
            raise ValueError(f"size={self.size!r} is unknown: choose among {', '.join(whole.shapes)}")
        if whole.needs_text != bool(self.source):
            needs = "give one, such as 'manual'" if whole.needs_text else "leave it out"
            raise ValueError(f"source={self.source!r} does not fit {self.experiment!r}: {needs}")
        if not self.n_steps:
            object.__setattr__(self, "n_steps", self.shape.n_steps)
        if not self.learning_rate:
            object.__setattr__(self, "learning_rate", self.shape.learning_rate)
        check_whole("n_steps", self.n_steps, 1, 10_000_000)
        check_whole("seed", self.seed, 0, 2**63 - 1)
        if not 0 < self.learning_rate <= 100:
            raise ValueError(f"learning_rate={self.learning_rate} must be above 0 and at most 100")

    @property
    def shape(self) -> Shape:
        """Sizes of the model."""
        return EXPERIMENTS[self.experiment].shapes[self.size]

    @property
    def lines(self) -> tuple[str, ...]:
        """The lines of its scores: the scheme, or all SCALINGS."""
        whole = EXPERIMENTS[self.experiment]
        return whole.lines if whole.scales_rope else (self.scheme,)

    def config(self, task: Task) -> TrainConfig:
        """Return the settings of its run."""
        shape = self.shape
        n_rows = max(1_024, task.seq_len(shape.lengths[-1]))
        return TrainConfig(
            task,
            self.scheme,
            dict(self.parameters),
            n_layers=shape.n_layers,
            n_heads=shape.n_heads,
            d_model=shape.d_model,
            # A formula has no rows that could end: its L is the trained length.
            max_seq_len=task.seq_len(task.longest) if self.parameters else n_rows,
            learning_rate=self.learning_rate,
            n_steps=self.n_steps,
            seed=self.seed,
        )


def experiment_units(
    experiment: str,
    *,
    schemes: Sequence[str] = FIRST_SCHEMES,
    seeds: Sequence[int] = FIRST_SEEDS,
    n_steps: int = 0,
    learning_rate: float = 0.0,
    source: str = "",
    size: Size = "small",
    formulas: Mapping[str, Mapping[str, str]] | None = None,
) -> tuple[Unit, ...]:
    """Return the units of an experiment, all schemes with the first seed before the next seed.

    n_steps and learning_rate 0 take the experiment's own; source "" takes MANUAL where a text is needed. `formulas` has
    the arguments of make_scheme("formula", …) of each name in ``schemes`` that is not in SCHEMES.
    """
    whole = EXPERIMENTS[experiment] if experiment in EXPERIMENTS else None
    if whole is not None:
        source = (source or MANUAL) if whole.needs_text else ""
        schemes = ("rope",) if whole.scales_rope else schemes
    typed = {name: (FormulaPositions.name, tuple(lines.items())) for name, lines in (formulas or {}).items()}
    return tuple(
        Unit(experiment, name, seed, n_steps, learning_rate, source, size, lines)
        for seed in seeds
        for name, lines in (typed.get(scheme, (scheme, ())) for scheme in schemes)
    )
