"""What there is to say about a vocabulary that is trained here, or cannot be."""

from embedlib.tokenizers.trained import TrainedTokenizer, TrainingRefused
from ui.i18n import _, ngettext
from ui.tokens.cache import Cutter, manual, trained


def refusal(error: TrainingRefused) -> str:
    """Say in one sentence why a vocabulary cannot be trained as it was asked for, and what helps."""
    if error.code == "text_too_short":
        return _("your text holds no word to learn from. Type a few words, or train on Python’s manual.")
    return _("the alphabet alone takes {least:,} pieces. Choose a vocabulary of {least:,} or more.").format(
        least=error.least
    )


def origin(cutter: Cutter) -> str:
    """Say where a tokenizer's vocabulary comes from, and whether it became as large as was asked for."""
    if cutter.is_encoding:
        return _("published by OpenAI, from text of the web")
    if cutter.name == "bytes":
        return _("the 256 bytes; nothing is learned")
    if not cutter.trained:
        return _("the different ones in your text")
    found = trained(cutter)
    return f"{_learned_on(cutter)} {_reached(found)}".strip()


def _learned_on(cutter: Cutter) -> str:
    if not cutter.on_manual:
        return _("trained here, on your text.")
    return _("trained here, on the first {count:,} characters of Python’s manual.").format(count=len(manual()))


def _reached(found: TrainedTokenizer) -> str:
    if found.vocab_size >= found.asked:
        return ""
    return ngettext(
        "{count:,} piece is all that it gives; {asked:,} were asked for.",
        "{count:,} pieces are all that it gives; {asked:,} were asked for.",
        found.vocab_size,
    ).format(count=found.vocab_size, asked=found.asked)
