"""The scheme in view, and what the drawings of it share."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from plotly.graph_objects import Figure
from torch import Tensor

from ui.cache.schemes import SchemeKey
from ui.export import Drawing, Numbers, figure_drawing
from ui.i18n import _, label_sentence
from ui.shared.schemes import scheme_title


@dataclass(frozen=True)
class SchemeView:
    """The scheme in view, and what the figures mark.

    Attributes:
        key: the scheme in its sizes.
        n_positions: how many positions are drawn.
        position: the one that all figures mark.
        tokens: labels of the reader's tokens, which stand at the first positions.
        narrow: whether the page is as narrow as a phone.
        seed: of random queries and keys.
    """

    key: SchemeKey
    n_positions: int
    position: int
    tokens: tuple[str, ...]
    narrow: bool
    seed: int

    @property
    def position_label(self) -> str:
        """The marked position, with its token where it has one."""
        token = self.tokens[self.position : self.position + 1]
        return f"{self.position} ({token[0]})" if token else str(self.position)

    @property
    def x_axis_options(self) -> dict[str, Any]:
        """Options of an x axis of positions, with the tokens; the narrowest window has 16 px for each label."""
        title = _("position, token of your text") if self.tokens else _("position")
        return {"x_title": title, "tokens": self.tokens, "room": 17 if self.narrow else 44}


def file_stem(key: SchemeKey, what: str) -> str:
    """Return the name of a scheme's files, without their endings."""
    return f"{key.name.replace('_', '-')}-{what}"


def scheme_drawing(
    key: SchemeKey,
    what: str,
    title: str,
    numbers: Numbers,
    draw: Callable[..., Figure],
    values: Tensor,
    *,
    file: str = "",
    shown: str = "",
    **options: Any,
) -> Drawing:
    """Return a drawing of a scheme, named after it.

    Args:
        key: the scheme in its sizes.
        what: Streamlit key.
        title: of the figure, without the scheme's.
        numbers: what the files hold.
        draw: draws the values.
        values: what the figure shows.
        file: the end of the names of its files; "" for its key.
        shown: what the figure shows, as a sentence; "" for the range of the numbers.
        **options: of `draw`.
    """
    title = label_sentence(scheme_title(key.entry), title)
    return figure_drawing(
        file_stem(key, file or what),
        title,
        numbers,
        draw,
        values,
        key=what,
        alt=label_sentence(title, shown) if shown else "",
        **options,
    )
