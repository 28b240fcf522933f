"""Refusals that a program can tell apart and that a page can say in another language."""

import copyreg
from collections.abc import Callable, Mapping
from typing import Any

LONGEST_TEXT = 60  # characters of a name, a cell or a formula that a sentence quotes
MOST_NAMES = 8  # names that a sentence lists


class CodedError(ValueError):
    """Something that is refused; the message is one plain English sentence with the remedy.

    Attributes:
        code: what is wrong, such as "text_too_short".
        values: the numbers and texts that a translated sentence is filled with; a text may come from a file or from
            the reader: treat it as foreign.
    """

    def __init__(self, code: str, message: str, /, **values: Any) -> None:
        super().__init__(message)
        self.code = code
        self.values = values

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle the message and all attributes; an exception would otherwise be made again from its message."""
        return copyreg.__newobj__, (type(self), *self.args), self.__dict__  # type: ignore[attr-defined]


def fill_sentence(sentence: str, values: Mapping[str, Any], *, quote: Callable[[str], str]) -> str:
    """Fill the names of a sentence with values.

    Args:
        sentence: with names in braces, in any language.
        values: numbers, texts, and tuples of texts, of which at most MOST_NAMES are listed.
        quote: how a text is set off from the sentence; a long text is cut in its middle before.
    """
    return sentence.format(**{name: _quote(value, quote) for name, value in values.items()})


def shorten_middle(text: str) -> str:
    """Return a text of at most LONGEST_TEXT characters, an ellipsis in the place of its middle."""
    half = LONGEST_TEXT // 2
    return text if len(text) <= LONGEST_TEXT else f"{text[: half - 1]}…{text[-half:]}"


def _quote(value: Any, quote: Callable[[str], str]) -> Any:
    if isinstance(value, str):
        return quote(shorten_middle(value))
    if isinstance(value, tuple):
        names = [quote(shorten_middle(str(part))) for part in value[:MOST_NAMES]]
        return ", ".join([*names, "…"] if len(value) > MOST_NAMES else names) or "–"
    return value
