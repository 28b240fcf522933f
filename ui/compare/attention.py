"""Attention weights of one head with random weights under each scheme."""

from functools import partial

import streamlit as st
from torch import Tensor

from embedlib.figures import colour_limit
from embedlib.positional import FormulaPositions
from ui.cache import Request
from ui.cache import schemes as scheme_cache
from ui.cache.bounded import memo
from ui.cache.schemes import SchemeKey
from ui.compare.pictures import (
    PANELS_LIMIT,
    SchemePanels,
    language_key,
    panel,
    panel_bytes,
    scheme_panels,
    short_number,
    show_grid,
)
from ui.compare.request import Comparison
from ui.i18n import _
from ui.shared.page import section

NAMED = 12  # tokens at most along an axis; more of them than that cannot be read


def attention_title(compared: Comparison, _request: Request) -> str:
    """Return the section's heading."""
    if compared.head >= 0:
        return _("Attention of one head (random weights)")
    return _("Mean attention (random weights)")


@section("compare-attention", attention_title)
def attention(compared: Comparison, request: Request) -> None:
    """Show where each token looks, the same random weights for every scheme."""
    st.caption(_("One causal layer, equal weights for all schemes, seed {seed}.").format(seed=request.seed))
    panels = partial(attention_panels, compared.keys, request, compared.head, compared.n_tokens <= NAMED)
    show_grid(panels, compared, key="attention", title=attention_title(compared, request))


@memo(PANELS_LIMIT, size=panel_bytes, key=language_key)
def attention_panels(keys: tuple[SchemeKey, ...], request: Request, head: int, named: bool) -> SchemePanels:
    """Describe the attention of a head, or the mean of all for -1, with the tokens along the axes where `named`."""
    patterns = {key: scheme_cache.attention(key, request, head) for key in keys}
    limit = _colour_range(list(patterns.values()))
    axes = _("query"), _("key")
    return scheme_panels(
        {
            key.entry: panel(key, note=_scale_note(key), values=pattern, limit=limit, axes=axes, named=named)
            for key, pattern in patterns.items()
        }
    )


def _colour_range(patterns: list[Tensor]) -> float:
    """Return the end of the colour scale: 1, or with many tokens the greatest weight of a last row."""
    if len(patterns[0]) <= NAMED:
        return 1.0
    return colour_limit(max(pattern[-1].max() for pattern in patterns))


def _scale_note(key: SchemeKey) -> str:
    """Return a sentence on a scale of q·k other than 1/√d, which alone makes rows sharper or flatter; "" for 1/√d."""
    scheme = key.scheme()
    scale, usual = scheme.logit_scale(), scheme.head_dim**-0.5
    if (isinstance(scheme, FormulaPositions) and scheme.scale_varies) or abs(scale - usual) <= 1e-6 * usual:
        return ""
    return _("Multiplies q·k by {scale}, not 1/√d = {usual}.").format(
        scale=short_number(scale), usual=short_number(usual)
    )
