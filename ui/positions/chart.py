"""A figure of the page of one scheme, with its numbers and itself to take along."""

from collections.abc import Callable

from plotly.graph_objects import Figure
from torch import Tensor

from ui.export import show_figure, take_along


def chart(
    numbers: Tensor,
    draw: Callable[..., Figure],
    *,
    again: Callable[[], Tensor],
    table: Callable[[Tensor], str],
    key: str,
    name: str,
    title: str,
    alt: str,
) -> None:
    """Draw a figure, and offer it and its numbers under it.

    Args:
        numbers: what is drawn now.
        draw: makes the figure of the numbers; takes a `title`. It is called once more when somebody takes the figure
            along, when there is no session: it must hold its words and its theme.
        again: finds the numbers once more, then; it must hold no tensor of the session's own.
        table: writes the numbers as CSV.
        key: Streamlit key of the figure.
        name: of the files, without their endings.
        title: heading of the figure that is taken along; on the page it has one above it.
        alt: what the figure shows, for those who do not see it.
    """
    show_figure(draw(numbers), key=key, alt=alt, name=name)
    take_along(name, table=lambda: table(again()), figure=lambda: draw(again(), title=title))


def file_name(scheme: str, what: str) -> str:
    """Name the files of a scheme's figure, such as "alibi-bias"."""
    return f"{scheme.replace('_', '-')}-{what}"
