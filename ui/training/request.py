"""What is trained on what, in plain values: who asks for the same shares one recording."""

from dataclasses import dataclass, field

from embedlib.skip_gram_config import SkipGramConfig


@dataclass(frozen=True)
class Request:
    """Everything that decides the numbers of a training.

    Attributes:
        corpus: one of settings.CORPORA.
        key: tells the text from every other.
        config: how rows are trained.
        file: name of the file that the text was read from; None where there is none.
        loaded: key of the saved training that is gone on with; "" for one that begins here.
    """

    corpus: str
    key: str
    config: SkipGramConfig
    file: str | None = field(default=None, compare=False)
    loaded: str = ""
