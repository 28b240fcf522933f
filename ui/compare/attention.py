"""Where one head with random weights looks under each scheme."""

import streamlit as st
from torch import Tensor

from embedlib.figures import colour_limit
from embedlib.positional import FormulaPositions
from ui.cache import Request
from ui.cache import schemes as scheme_cache
from ui.cache.schemes import SchemeKey
from ui.compare.pictures import grid, panel, short
from ui.compare.request import Comparison
from ui.components.browser import should_draw_section
from ui.components.matrix_grid import Panel
from ui.i18n import _
from ui.shared.page import own_block

NAMED = 12  # tokens at most along an axis; more of them than that cannot be read


@own_block
def attention(compared: Comparison, request: Request) -> None:
    """Show where each token looks, the same random weights for every scheme."""
    title = _("Attention of one head (random weights)") if compared.head >= 0 else _("Mean attention (random weights)")
    st.header(title)
    if not should_draw_section("compare-attention", height=562, phone=907):
        return
    st.caption(_("One causal layer, equal weights for all schemes, seed {seed}.").format(seed=request.seed))

    def matrices() -> dict[str, Tensor]:
        return {key.entry: scheme_cache.attention(key, request, compared.head) for key in compared.keys}

    def panels() -> dict[str, Panel]:
        patterns = matrices()
        limit = _limit(list(patterns.values()))
        return {
            key.entry: panel(
                key,
                note=_other_scale(key),
                values=patterns[key.entry],
                limit=limit,
                axes=(_("query"), _("key")),
                named=compared.n_tokens <= NAMED,
            )
            for key in compared.keys
        }

    grid(
        panels,
        compared,
        shows=(request, compared.head),
        key="attention",
        title=title,
        again=matrices,
    )


def _limit(patterns: list[Tensor]) -> float:
    """Return 1, or where many tokens share a row the greatest weight of a last row: the first rows lie beyond it."""
    if len(patterns[0]) <= NAMED:
        return 1.0
    return colour_limit(max(pattern[-1].max() for pattern in patterns))


def _other_scale(key: SchemeKey) -> str:
    """Say where a scheme multiplies q·k by another number than 1/√d, which alone makes rows sharper or flatter."""
    scheme = key.scheme()
    scale, usual = scheme.logit_scale(), scheme.head_dim**-0.5
    if (isinstance(scheme, FormulaPositions) and scheme.scale_varies) or abs(scale - usual) <= 1e-6 * usual:
        return ""
    return _("Multiplies q·k by {scale}, not 1/√d = {usual}.").format(scale=short(scale), usual=short(usual))
