"""What the tokenizers of the page are called."""

from ui.i18n import _
from ui.settings import controls
from ui.shared.downloads import REMOTE_TOKENIZERS


def title_of(name: str) -> str:
    """Name a tokenizer, in a choice, at the head of a row, in a sentence."""
    own = {
        "bpe": _("BPE"),
        "wordpiece": _("WordPiece"),
        "unigram": _("Unigram"),
        "bytes": _("bytes"),
        "characters": _("code points"),
        "words": _("words"),
    }
    return own.get(name, name)


def choice_title(name: str) -> str:
    """Name a tokenizer where it is chosen: an encoding with what it is known from."""
    if name == "characters":
        return _("characters (code points)")
    return controls.tokenizer_titles()[name] if name in REMOTE_TOKENIZERS else title_of(name)
