"""Texts that are already on the machine, for counting and training."""

import re

# Letters with inner apostrophes; digits, underscores and signs end a word.
_WORD = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)*")


def reference_manual() -> str:
    """Return Python's reference manual, as the interpreter carries it for `help()`.

    About 465,000 characters in Python 3.11; another Python has another edition.

    Source: `pydoc_data.topics` of the standard library.
    """
    try:
        from pydoc_data.topics import topics
    except ImportError as error:
        raise ValueError(
            "this Python has no pydoc_data, which carries the manual: install the whole standard library"
        ) from error
    return "\n".join(topics[name] for name in sorted(topics))


def words(text: str) -> list[str]:
    """Return the words of a text in order, case-folded: runs of letters, apostrophes inside them included."""
    return [word.casefold() for word in _WORD.findall(text)]
