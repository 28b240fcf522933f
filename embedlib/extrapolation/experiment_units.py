"""One run of an experiment and its scores: one scheme, one seed, a few seconds of one core."""

from collections.abc import Sequence
from dataclasses import dataclass

from embedlib.extrapolation.base import check_whole
from embedlib.extrapolation.config import TrainConfig
from embedlib.extrapolation.experiments import EXPERIMENTS, Shape, Size
from embedlib.extrapolation.old_tasks import Task

# Schemes of which the pages show the figures first: those that the published comparisons have.
FIRST_SCHEMES = ("none", "learned", "sinusoidal", "rope", "alibi", "t5")
FIRST_SEEDS = (0, 1, 2)
MANUAL = "manual"  # the source of a text: embedlib.texts.corpus.reference_manual()


@dataclass(frozen=True, slots=True)
class Unit:
    """One run and its scores: equal units give the same numbers, to the bit on one machine with as many threads.

    Attributes:
        experiment: key of EXPERIMENTS.
        scheme: key of SCHEMES; "rope" where scalings are compared.
        seed: of the run.
        n_steps: in [1, 10^7]; 0 takes the experiment's own.
        learning_rate: the greatest, above 0; 0 takes the experiment's own.
        source: of the text: MANUAL, or any name of another text, such as its digest; "" where there is none.
        size: key of the experiment's ``shapes``.

    Raises:
        ValueError: an unknown experiment, scheme or size, a source without need or none where there must be one, or a
            number out of range.
    """

    experiment: str
    scheme: str
    seed: int = 0
    n_steps: int = 0
    learning_rate: float = 0.0
    source: str = ""
    size: Size = "small"

    def __post_init__(self) -> None:
        if self.experiment not in EXPERIMENTS:
            raise ValueError(f"experiment={self.experiment!r} is unknown: choose among {', '.join(EXPERIMENTS)}")
        whole = EXPERIMENTS[self.experiment]
        schemes = ("rope",) if whole.scales_rope else whole.lines
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
        """What is trained."""
        return EXPERIMENTS[self.experiment].shapes[self.size]

    @property
    def lines(self) -> tuple[str, ...]:
        """What its scores are of: the scheme, or all SCALINGS."""
        whole = EXPERIMENTS[self.experiment]
        return whole.lines if whole.scales_rope else (self.scheme,)

    def config(self, task: Task) -> TrainConfig:
        """Return the settings of its run.

        Args:
            task: of the experiment, on the unit's text.

        Returns:
            A TrainConfig.

        Raises:
            ValueError: as TrainConfig.
        """
        shape = self.shape
        return TrainConfig(
            task,
            self.scheme,
            n_layers=shape.n_layers,
            n_heads=shape.n_heads,
            d_model=shape.d_model,
            max_seq_len=max(1_024, task.seq_len(shape.lengths[-1])),
            learning_rate=self.learning_rate,
            n_steps=self.n_steps,
            seed=self.seed,
        )


def units_of(
    experiment: str,
    *,
    schemes: Sequence[str] = FIRST_SCHEMES,
    seeds: Sequence[int] = FIRST_SEEDS,
    n_steps: int = 0,
    learning_rate: float = 0.0,
    source: str = "",
    size: Size = "small",
) -> tuple[Unit, ...]:
    """Cut an experiment into units, all schemes with the first seed before the next seed.

    Args:
        experiment: key of EXPERIMENTS.
        schemes: to compare; not read where the scalings of one run are.
        seeds: of the runs.
        n_steps: of each run; 0 takes the experiment's own.
        learning_rate: of each run; 0 takes the experiment's own.
        source: of the text; "" takes MANUAL where there must be one.
        size: "small" or "wide".

    Returns:
        The units.

    Raises:
        ValueError: as Unit.
    """
    whole = EXPERIMENTS[experiment] if experiment in EXPERIMENTS else None
    if whole is not None:
        source = (source or MANUAL) if whole.needs_text else ""
        schemes = ("rope",) if whole.scales_rope else schemes
    return tuple(
        Unit(experiment, scheme, seed, n_steps, learning_rate, source, size) for seed in seeds for scheme in schemes
    )
