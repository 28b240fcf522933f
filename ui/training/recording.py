"""A training as one visitor sees it: as much of the shared run as they have watched."""

from collections.abc import Hashable
from dataclasses import dataclass
from typing import Literal

from torch import Tensor

from embedlib.projection.shared import By, RowAxes
from embedlib.word2vec.history import RowHistory
from ui.training.request import Request
from ui.training.run import Run

State = Literal["fresh", "training", "paused", "done", "diverged"]
Fit = Literal["ahead", "last"]


@dataclass(frozen=True)
class Recording:
    """The shared run and how much of it this visitor has in view.

    Attributes:
        run: whose rows are shown; other visitors may share it and be further.
        last: the newest kept step that this visitor may see.
        state: "fresh" at step 0 with nothing asked for, "training" while more is wanted, "paused", "done" at the last
            step, "diverged" where training went astray and this visitor has seen it, and `last` the last sound step.
    """

    run: Run
    last: int
    state: State

    @property
    def request(self) -> Request:
        """What is trained on what."""
        return self.run.request

    @property
    def history(self) -> RowHistory:
        """The rows and losses of the whole run, which may be further than `last`."""
        return self.run.history

    @property
    def key(self) -> Hashable:
        """Equal for equal numbers: (key, step) keys what is computed from the rows of a step."""
        return self.run.request

    @property
    def kinds(self) -> tuple[str | None, ...]:
        """The kind of each word, a key of embedlib.grammar.generate.KINDS; None for words without one."""
        return self.run.kinds

    @property
    def has_kinds(self) -> bool:
        """Whether the text has words whose kind is known."""
        return self.run.has_kinds

    @property
    def kept(self) -> tuple[int, ...]:
        """The kept steps up to `last`, rising."""
        return tuple(step for step in self.run.kept if step <= self.last)

    @property
    def losses(self) -> Tensor:
        """The loss of every step up to `last`, (last + 1,) float32; nan where it is not known.

        Where training went astray, of those steps too that led there, whose rows are not kept.
        """
        return self.history.losses if self.state == "diverged" else self.history.losses[: self.last + 1]

    def axes(self, by: By, fit: Fit) -> RowAxes:
        """Return the axes that are held for the whole run.

        Args:
            by: "kinds" where words have kinds, else all rows are fitted.
            fit: at the look-ahead step, or at the last; the look-ahead step also until the last is there, and step 0
                until that is.
        """
        return self.run.axes(by, fit)
