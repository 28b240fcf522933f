"""Escaping of foreign text for sentences that Streamlit renders as markdown."""

import re

_LONGEST_NAME = 60  # characters of a file name that a sentence shows


def as_code(text: str) -> str:
    """Wrap text in backticks, so that nothing in it is rendered as markdown, HTML, a formula or a link.

    Args:
        text: anything; line breaks and runs of white space become one space. More backticks than the text has in a row
            form the fence, so that it cannot end the code.

    Source: https://spec.commonmark.org/0.31.2/#code-spans
    """
    visible = " ".join(text.split())
    fence = "`" * (1 + max(map(len, re.findall("`+", visible)), default=0))
    # One space on each side is not rendered, and separates backticks at the ends from the fence.
    padding = " " if visible.startswith("`") or visible.endswith("`") else ""
    return f"{fence}{padding}{visible or ' '}{padding}{fence}"


def as_text(text: str) -> str:
    """Escape text so that markdown shows it literally, on one line.

    Source: https://spec.commonmark.org/0.31.2/#backslash-escapes
    """
    return re.sub(r"([!-/:-@\[-`{-~])", r"\\\1", " ".join(text.split()))


def file_as_code(name: str) -> str:
    """Wrap a file name in backticks, shortened in the middle if it is long."""
    half = _LONGEST_NAME // 2
    return as_code(name if len(name) <= _LONGEST_NAME else f"{name[: half - 1]}…{name[-half:]}")
