"""The tokens of a chat: messages below each other, each token with its id, special ones highlighted."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from embedlib.i18n import N_
from ui.components import register

__all__ = ["LABELS", "Line", "LineToken", "token_line"]

# Every string on the component, in English; the page passes the same names with translations.
LABELS: dict[str, str] = {
    "figure": N_("The chat as tokens"),
    "special": N_("special token"),
    "typed": N_("special token typed as text"),
    "frame": N_("format"),
    "content": N_("message"),
    "id": N_("{label}, {kind}, id {id}"),
}

_component = register("token-line", "token_line")

Kind = Literal["special", "frame", "content"]


@dataclass(frozen=True, slots=True)
class LineToken:
    """One token of a message."""

    label: str
    """How it is written."""
    id: int
    """Its id."""
    kind: Kind
    """What it is for."""
    whole: bool
    """Whether a special token is one token here, and not typed as text."""


@dataclass(frozen=True, slots=True)
class Line:
    """One message."""

    title: str
    """Who speaks."""
    tokens: Sequence[LineToken]
    """In the order of the text."""


def token_line(lines: Sequence[Line], *, labels: Mapping[str, str], key: str) -> None:
    """Draw the messages. The page's shared pointer refers to another text, so it has no effect here."""
    _component(
        key=key,
        data={
            "lines": [
                [line.title, [[token.label, token.id, token.kind, token.whole] for token in line.tokens]]
                for line in lines
            ],
            "labels": dict(labels),
        },
    )
