"""How tokenizers, characters and tokens are written, and what there is to say about a vocabulary trained here."""

from embedlib.tokenizers import Token, token_label
from embedlib.tokenizers.trained import TrainedTokenizer, TrainingRefused
from ui.cache.bounded import memo
from ui.i18n import _, ngettext
from ui.settings import controls
from ui.shared.downloads import REMOTE_TOKENIZERS
from ui.tokens.cache import TokenizerSpec, manual, trained

SPELLED = ("wordpiece", "unigram")  # whose vocabularies mark where in a word a piece stands, and name the unknown


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


@memo()
def character_label(character: str) -> str:
    """Write one character as it is read.

    Args:
        character: a grapheme cluster.

    Returns:
        The character itself where it can be seen, joined emoji and accents included, else the mark that stands for it.
    """
    first = character[0]
    return character if len(character) > 1 and token_label(first.encode()) == first else token_label(character.encode())


def token_name(spec: TokenizerSpec, token: Token) -> str:
    """Write a token as its vocabulary spells it: "##ing", "▁the", "[UNK]"; elsewhere its bytes."""
    if spec.name in SPELLED:
        return token_label(trained(spec).piece(token.id).encode())
    return token_label(token.bytes)


def refusal(error: TrainingRefused) -> str:
    """Say in one sentence why a vocabulary cannot be trained as it was asked for, and what helps."""
    if error.code == "text_too_short":
        return _("your text holds no word to learn from. Type a few words, or train on Python’s manual.")
    return _("the alphabet alone takes {least:,} pieces. Choose a vocabulary of {least:,} or more.").format(
        least=error.least
    )


def origin(spec: TokenizerSpec) -> str:
    """Say where a tokenizer's vocabulary comes from, and whether it became as large as was asked for."""
    if spec.is_encoding:
        return _("published by OpenAI, from text of the web")
    if spec.name == "bytes":
        return _("the 256 bytes; nothing is learned")
    if not spec.trained:
        return _("the different ones in your text")
    found = trained(spec)
    return f"{_learned_on(spec)} {_reached(found)}".strip()


def _learned_on(spec: TokenizerSpec) -> str:
    if not spec.on_manual:
        return _("trained here, on your text.")
    return _("trained here, on the first {count:,} characters of Python’s manual.").format(count=len(manual()))


def _reached(found: TrainedTokenizer) -> str:
    if found.vocab_size >= found.requested_size:
        return ""
    return ngettext(
        "{count:,} piece is all that it gives; {asked:,} were asked for.",
        "{count:,} pieces are all that it gives; {asked:,} were asked for.",
        found.vocab_size,
    ).format(count=found.vocab_size, asked=found.requested_size)
