"""What the tokenizers of the page are called."""

from ui import controls
from ui.i18n import _


def title_of(name: str) -> str:
    """Name a tokenizer in a choice."""
    trained = {
        "bpe": _("BPE, trained here"),
        "wordpiece": _("WordPiece, trained here"),
        "unigram": _("Unigram, trained here"),
    }
    return trained.get(name) or controls.tokenizer_titles()[name]


def short_title(name: str) -> str:
    """Name a tokenizer at the head of a row or in a sentence."""
    own = {
        "bpe": _("BPE"),
        "wordpiece": _("WordPiece"),
        "unigram": _("Unigram"),
        "bytes": _("bytes"),
        "characters": _("characters"),
        "words": _("words"),
    }
    return own.get(name, name)
