"""What of the tokens page the link carries."""

from dataclasses import dataclass

from embedlib.tokenizers import CHAT_FORMATS, SENTENCES
from ui.cache.models import is_source
from ui.i18n import _, between
from ui.settings import Choice, Model, Names, OptionalWhole, Setting, Text, Whole

TRAINED_HERE = ("bpe", "wordpiece", "unigram")
# From the longest pieces to the shortest; r50k_base is left out, for it splits every text as gpt2 does.
TOKENIZER_NAMES = ("words", "gpt2", "minilm", "cl100k_base", "o200k_base", *TRAINED_HERE, "characters", "bytes")
OWN = "yours"  # the tokenizer.json that a reader has loaded
MOST_MODELS = 6  # of the tokenizers side by side
LEAST_PIECES, MOST_PIECES = 1, 8_000
ALL = "all"  # of the sentences that are there in five languages


@dataclass(frozen=True)
class SomeNames(Names):
    """One or more of a few names or of models, none twice."""

    def parse(self, raw: str) -> list[str]:
        """Read "gpt2,bytes"."""
        names = raw.split(",")
        if self._known(raw) != names:
            raise ValueError(raw[:20])
        return names

    def repair(self, raw: str) -> list[str]:
        """Keep the names that there are."""
        return self._known(raw) or list(self.default)

    def rule(self) -> str:
        """List the names."""
        choices = between(", ").join([*self.options, "owner/name", "./folder"])
        return _("some of {choices}, with commas").format(choices=choices)

    def _known(self, raw: str) -> list[str]:
        names = dict.fromkeys(raw[:1_000].split(","))
        models = [name for name in names if is_model(name)][:MOST_MODELS]
        return [name for name in names if name in self.options or name in models]


@dataclass(frozen=True)
class TokenizerName(Choice):
    """One of a few names, or a model."""

    def parse(self, raw: str) -> str:
        """Read "gpt2" or "owner/name"."""
        if raw not in self.options and not is_model(raw):
            raise ValueError(raw[:20])
        return raw


def is_model(name: str) -> bool:
    """Tell whether a tokenizer's name can be a model's."""
    try:
        return is_source(Model(None).parse(name)) and not {",", ":"} & set(name)
    except ValueError:
        return False


SETTINGS: dict[str, Setting] = {
    "tokenizers": SomeNames(["words", "gpt2", "wordpiece", "unigram", "characters"], (*TOKENIZER_NAMES, OWN)),
    "pieces": Whole(1_000, LEAST_PIECES, MOST_PIECES),
    "train_on": Choice("sentences", ("sentences", "manual", "text")),
    "closely": TokenizerName("gpt2", (*TOKENIZER_NAMES, OWN)),
    "character": OptionalWhole(None, 0, 19_999),
    "specials": Choice("text", ("text", "special")),
    "chat_specials": Choice("special", ("special", "text")),
    "chat": Choice("chatml", tuple(CHAT_FORMATS)),
    "chat_system": Text("Answer in one short sentence."),
    "chat_user": Text("Do you like tea?"),
    "chat_assistant": Text("Yes, with a little milk."),
    "same_sentence": Choice("story", (*SENTENCES, ALL)),
    "own_sentence": Text(""),
}
