"""A Plotly chart tied to the page's one pointer: hover and click its points, and see the pointer's token swell."""

from collections.abc import Sequence

from ui.components import register

_mount = register("chart-link", "chart_link")


def chart_link(chart: str, *, tokens: int, labels: Sequence[str] = (), key: str) -> None:
    """Tie a chart that is drawn on this page to the pointer that all views share.

    Args:
        chart: the `key` of the `st.plotly_chart`, whose points carry the token's position as customdata.
        tokens: how many tokens the chart shows; traces of as many points are taken for the tokens' own.
        labels: how each token is written; the chosen one's stands beside its point. Empty for a chart that needs none.
        key: Streamlit key, without "__".
    """
    _mount(key=key, data={"chart": chart, "tokens": tokens, "names": list(labels)})
