"""How the page writes characters and tokens."""

from functools import lru_cache

from embedlib.labels import token_label


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
