"""ALiBi's slopes: as they were published, and as one geometric series."""

from functools import partial

import streamlit as st
import torch
from torch import Tensor

from embedlib.figures.lines import lines_figure
from embedlib.positional.alibi import alibi_slopes, geometric_slopes
from ui.export.tables import columns_csv
from ui.i18n import _
from ui.positions.chart import chart, file_name
from ui.shared import theme


def slopes_chart(n_heads: int) -> None:
    """Draw each head's slope under both rules, and say whether they differ."""
    st.header(_("The slope of each head"))
    published, geometric = alibi_slopes(n_heads), geometric_slopes(n_heads)
    same = torch.equal(published, geometric)
    slopes = published[None] if same else torch.stack([published, geometric])  # (1 or 2, n_heads)
    if same:
        sentence = _("{heads} heads are a power of two: the published slopes are one geometric series.")
    else:
        sentence = _(
            "{heads} heads are no power of two: the published code takes the slopes of {power} heads and fills up with "
            "every other one of {double}, so they are no geometric series any more."
        )
    power = 1 << (n_heads.bit_length() - 1)
    sentence = sentence.format(heads=n_heads, power=power, double=2 * power)
    chart(
        slopes.log2(),
        partial(
            lines_figure,
            names=[""] if same else [_("published"), _("geometric")],
            x_title=_("head"),
            y_title=_("log₂ of the slope"),
            theme=theme.current(),
            hover_text=_("head {x}\nlog₂ of the slope {y}"),
            height=320,
        ),
        again=lambda: slopes.log2(),  # at most 128 numbers
        table=lambda _logarithms: columns_csv({"published": published, "geometric": geometric}, row="head"),
        key="slopes",
        name=file_name("alibi", "slopes"),
        title=_("ALiBi: the slope of each head"),
        alt=sentence,
    )
    st.caption(sentence + " " + _("In order: {slopes}.").format(slopes=_listed(published)))


def _listed(slopes: Tensor) -> str:
    most = 8
    numbers = [f"{slope:.6g}" for slope in slopes[:most].tolist()]
    return ", ".join([*numbers, "…"] if len(slopes) > most else numbers)
