"""What every panel of the training page is drawn from."""

from dataclasses import dataclass

from torch import Tensor

from embedlib.projection.shared import RowAxes
from embedlib.word2vec.history import RowHistory
from ui.training.recording import Recording
from ui.training.request import Request


@dataclass(frozen=True)
class TrainingView:
    """One step of a recording, and one word of it.

    Attributes:
        recording: of which run, and how far this visitor is.
        step: a kept step, at most recording.last; all panels show it.
        word: the chosen row; None where none is chosen.
        axes: of the cloud.
    """

    recording: Recording
    step: int
    word: int | None
    axes: RowAxes

    @property
    def request(self) -> Request:
        """What is trained on what."""
        return self.recording.request

    @property
    def history(self) -> RowHistory:
        """Rows and losses; ask recording.kept and recording.losses for what this visitor may see of them."""
        return self.recording.history

    @property
    def kinds(self) -> tuple[str | None, ...]:
        """The kind of each word; all None where kinds are not known, as recording.has_kinds tells."""
        return self.recording.kinds

    @property
    def words(self) -> tuple[str, ...]:
        """What each row stands for, the most frequent first."""
        return self.recording.history.words

    @property
    def first(self) -> int:
        """The step before any training."""
        return self.recording.history.kept[0]

    @property
    def rows(self) -> Tensor:
        """The rows at this step, (vocab_size, d_model) float32. Only read them."""
        return self.recording.history.rows(self.step)
