"""Errors with a code for programs and a sentence that a page can translate."""

import copyreg
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from operator import index
from typing import Any

LONGEST_TEXT = 60  # characters of a name, a cell or a formula that a sentence quotes
MAX_NAMES = 8  # names that a sentence lists


class CodedError(ValueError):
    """A refusal; the message is one plain English sentence with the remedy.

    Attributes:
        code: such as "text_too_short".
        values: numbers and texts in the sentence; a text may come from a file or from the user: treat it as foreign.
    """

    def __init__(self, code: str, message: str, /, **values: Any) -> None:
        super().__init__(message)
        self.code = code
        self.values = values

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle the message and all attributes; an exception would otherwise be rebuilt from its message."""
        return copyreg.__newobj__, (type(self), *self.args), self.__dict__  # type: ignore[attr-defined]


def check_ints(**values: Any) -> None:
    """Raise ValueError for the first that is no int; NumPy's and torch's integers are."""
    for name, value in values.items():
        try:
            index(value)
        except TypeError:
            raise ValueError(f"{name}={shorten_middle(repr(value))} must be a whole number: give an int") from None


@contextmanager
def check_memory(**sizes: int) -> Iterator[None]:
    """Raise CodedError "out_of_memory" instead of torch's own error where a tensor of these sizes has no room."""
    try:
        yield
    except RuntimeError as error:  # on the CPU torch has no type for it; on all devices it says "tried to allocate"
        if "tried to allocate" not in str(error).lower():
            raise
        named = ", ".join(f"{name}={size}" for name, size in sizes.items())
        raise CodedError("out_of_memory", f"{named}: more than the memory holds, choose smaller sizes") from error


def check_tables(**tables: Any) -> None:
    """Raise ValueError for the first argument that is neither a tensor nor an array, a list for example."""
    for name, table in tables.items():
        if not hasattr(table, "shape"):
            kind = type(table).__name__
            raise ValueError(f"{name} is a {kind}: it must be a tensor or an array, such as torch.tensor({name})")


def fill_sentence(sentence: str, values: Mapping[str, Any], *, quote: Callable[[str], str]) -> str:
    """Fill the names in braces of a sentence, in any language, with values.

    Values are numbers, texts, and tuples of texts, of which at most MAX_NAMES are listed. `quote` sets off a text from
    the sentence; the middle of a long one is cut first.
    """
    return sentence.format(**{name: _quote(value, quote) for name, value in values.items()})


def shorten_middle(text: str) -> str:
    """Shorten a text to LONGEST_TEXT characters, with an ellipsis in place of its middle."""
    half = LONGEST_TEXT // 2
    return text if len(text) <= LONGEST_TEXT else f"{text[: half - 1]}…{text[-half:]}"


def _quote(value: Any, quote: Callable[[str], str]) -> Any:
    if isinstance(value, str):
        return quote(shorten_middle(value))
    if isinstance(value, tuple):
        names = [quote(shorten_middle(str(part))) for part in value[:MAX_NAMES]]
        return ", ".join([*names, "…"] if len(value) > MAX_NAMES else names) or "–"
    return value
