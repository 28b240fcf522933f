"""A figure of the page of one scheme, with its numbers and itself to take along."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import streamlit as st
from plotly.graph_objects import Figure
from torch import Tensor

from embedlib.figures import heads_alt, heads_figure, heatmap_alt, heatmap_figure, lines_alt, lines_figure
from ui.cache.schemes import SchemeKey
from ui.components.browser import should_draw_section
from ui.export import show_figure, take_along, with_ticks_written
from ui.i18n import _, between
from ui.shared.page import current_theme, own_block
from ui.shared.schemes import title_of


@dataclass(frozen=True)
class SchemeView:
    """What the figures of the page are of.

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
    def named_position(self) -> str:
        """The marked position, with its token where it has one."""
        token = self.tokens[self.position : self.position + 1]
        return f"{self.position} {token[0]}" if token else str(self.position)

    @property
    def on_x(self) -> dict[str, Any]:
        """What an axis of positions says, of the tokens too: the narrowest window has 16 px for each label."""
        title = _("position, token of your text") if self.tokens else _("position")
        return {"x_title": title, "tokens": self.tokens, "room": 17 if self.narrow else 44}


@own_block
def chart(
    view: SchemeView,
    what: str,
    title: str,
    numbers: Callable[[], Tensor],
    draw: Callable[..., Figure],
    *,
    table: Callable[[Tensor], str],
    file: str = "",
    heading: Callable[[str], object] | None = st.header,
    waits: int = 0,
    phone: int = 0,
    **words: Any,
) -> bool:
    """Draw a figure under its heading, and offer it and its numbers under it.

    Args:
        view: what it is of.
        what: its Streamlit key.
        title: of the figure; where it is taken along, after the scheme's.
        numbers: finds what is drawn, now and when somebody takes it along, when there is no session.
        draw: makes the figure of the numbers.
        table: writes the numbers as CSV.
        file: the end of the names of its files; "" for its key.
        heading: writes the title on the page; None where it stands there already.
        waits: CSS px that it takes, where it is drawn when the reader comes near; 0 where it does not wait.
        phone: the same on a phone; 0 for as much.
        **words: what `draw` takes besides.

    Returns:
        Whether it is drawn.
    """
    if heading:
        heading(title)
    if waits and not should_draw_section(f"positions-{what}", height=waits, phone=phone):
        return False
    values = numbers()
    full_title = title_of(view.key.entry) + between(": ") + title
    alt = title + between(". ") + _in_numbers(draw, values)
    name = f"{view.key.name.replace('_', '-')}-{file or what}"
    show_figure(with_ticks_written(draw, values, theme=current_theme(), **words), key=what, alt=alt)
    take_along(
        name,
        table=lambda: table(numbers()),
        figure=lambda: draw(numbers(), theme="light", title=full_title, **words),
        arrays=lambda: {what.replace("-", "_"): numbers()},
        title=full_title,
        key=what,
    )
    return True


def _in_numbers(draw: Callable[..., Figure], values: Tensor) -> str:
    """Say what a figure shows, for those who do not see it."""
    if draw is lines_figure:
        return _("{lines} lines of {points} points, {lowest:.2f} to {highest:.2f}.").format(**lines_alt(values))
    if draw is heatmap_figure:
        return _("{rows} × {columns}, {lowest:.2f} to {highest:.2f}.").format(**heatmap_alt(values))
    if draw is heads_figure:
        return _("{heads} squares, from {lowest:.2f} to {highest:.2f}.").format(**heads_alt(values))
    return _("{count} pairs at {positions} positions.").format(count=len(values), positions=values.shape[1])
