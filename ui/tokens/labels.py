"""How the page writes characters and tokens."""

from functools import lru_cache

from embedlib.tokenizers import Token
from embedlib.tokenizers.labels import token_label
from ui.tokens.cache import Cutter, trained

SPELLED = ("wordpiece", "unigram")  # whose vocabularies mark where in a word a piece stands, and name the unknown


@lru_cache(maxsize=4_096)
def character_label(character: str) -> str:
    """Write one character as it is read.

    Args:
        character: a grapheme cluster.

    Returns:
        The character itself where it can be seen, joined emoji and accents included, else the mark that stands for it.
    """
    first = character[0]
    return character if len(character) > 1 and token_label(first.encode()) == first else token_label(character.encode())


def token_name(cutter: Cutter, token: Token) -> str:
    """Write a token as its vocabulary spells it: "##ing", "▁the", "[UNK]"; elsewhere its bytes."""
    if cutter.name in SPELLED:
        return token_label(trained(cutter).piece(token.id).encode())
    return token_label(token.bytes)
