"""What a scheme adds to the logits of attention: head by head, part by part, T5's buckets and ALiBi's slopes."""

from collections.abc import Callable
from functools import partial

import streamlit as st
import torch
from torch import Tensor

from embedlib.figures import HEAD_CELL, colour_limit, heads_alt, heads_figure, lines_figure
from embedlib.measures import named_terms
from embedlib.positional import SCHEMES, T5Positions, alibi_slopes, bucket_starts, geometric_slopes
from ui.cache.schemes import SchemeKey
from ui.export import columns_csv, parts_csv
from ui.i18n import _
from ui.positions.chart import chart, file_name
from ui.settings import controls, state
from ui.shared.page import current_theme

MATRIX_POSITIONS = 128  # beyond it a cell is less than a pixel on many screens, and heads cost a megabyte each
HEADS_DRAWN = 8
NARROW_CELL = 150  # px, for two in a row on a phone
DRAWN = 64  # positions; in smaller squares a phone shows more of the lines between cells than of the cells
HEADS_OFFERED = 8
FARTHEST = 512  # distances drawn at most


def heads_chart(logits: Callable[[], Tensor], scheme: str, what: str, position: int, *, narrow: bool) -> None:
    """Show a matrix for each of the first heads.

    Args:
        logits: finds (n_heads, n_positions, n_positions), -inf where masked; called again for what is taken along.
        scheme: name in SCHEMES.
        what: the figure's key, and part of the name of its files.
        position: the query that is outlined, where it is among them.
        narrow: whether two squares fill the width.
    """
    found = logits()
    n_heads, n_positions = found.shape[:2]
    drawn = found[:HEADS_DRAWN]
    alt = _("{heads} heads, values from {lowest:.2f} to {highest:.2f}; keys after the query are masked.")
    chart(
        drawn,
        partial(
            heads_figure,
            names=[_("head {head}").format(head=head) for head in range(len(drawn))],
            x_title=_("key"),
            y_title=_("query"),
            theme=current_theme(),
            chosen=position if position < n_positions else None,
            hover_text=_("{name}\nquery {row}, key {column}: {value}"),
            columns=2 if narrow else 4,
            cell=NARROW_CELL if narrow else HEAD_CELL,
        ),
        again=lambda: logits()[:HEADS_DRAWN],
        table=heads_csv,
        key=what,
        name=file_name(scheme, what),
        title=_("{scheme}: what each head adds to its logits").format(scheme=_(SCHEMES[scheme].title)),
        alt=alt.format(**heads_alt(drawn)),
    )
    st.caption(
        _("Heads 0–{heads} of {all_heads}, positions 0–{last}; keys after the query are masked and left grey.").format(
            heads=len(drawn) - 1, all_heads=n_heads, last=n_positions - 1
        )
    )


def heads_csv(heads: Tensor) -> str:
    """Write the squares of (n_heads, n_queries, n_keys) below each other; what is masked is -inf."""
    return parts_csv({f"head_{head}": square for head, square in enumerate(heads)}, column="key")


def term_matrices(key: SchemeKey, *, n_positions: int, position: int, narrow: bool) -> None:
    """Show the named parts of one head's logits and their sum; nothing where the scheme names none."""
    heads = min(key.n_heads, HEADS_OFFERED)
    head = min(state.get("term_head"), heads - 1)
    shown = min(n_positions, DRAWN)
    seed = state.get("seed")
    terms = named_terms(key.scheme(), shown, head=head, seed=seed)
    if not terms:
        return
    st.header(_("The parts of one head’s logits"))
    st.latex(" + ".join(rf"\underbrace{{{name}}}_{{{count}}}" for count, name in enumerate(terms, start=1)))
    if key.n_heads > 1:
        shown_head = controls.shown_instead("term_head", head)
        st.segmented_control(_("Head"), range(heads), required=True, **shown_head)
    squares = _with_sum(terms)  # (n_terms + 1, shown, shown)
    alt = _("{heads} squares: the parts of the logits of one head and their sum, from {lowest:.2f} to {highest:.2f}.")
    chart(
        squares,
        partial(
            heads_figure,
            names=[*(str(count) for count in range(1, len(terms) + 1)), _("sum")],
            x_title=_("key"),
            y_title=_("query"),
            theme=current_theme(),
            limit=colour_limit(squares[squares.isfinite()]),  # one far value must not make all others pale
            chosen=position if position < shown else None,
            hover_text=_("part {name}\nquery {row}, key {column}: {value}"),
            columns=2 if narrow or len(terms) == 3 else 3,
            cell=NARROW_CELL if narrow else HEAD_CELL,
        ),
        again=lambda: _with_sum(named_terms(key.scheme(), shown, head=head, seed=seed)),
        table=_csv,
        key="terms",
        name=file_name(key.name, f"parts-of-head-{head}"),
        title=_("{scheme}: the parts of the logits of head {head}").format(
            scheme=_(SCHEMES[key.name].title), head=head
        ),
        alt=alt.format(**heads_alt(squares)),
    )
    st.caption(_("Queries and keys are standard normal, seed {seed}; all squares share one scale.").format(seed=seed))


def _with_sum(terms: dict[str, Tensor]) -> Tensor:
    """Stack the parts, and their sum behind them."""
    together = torch.stack(list(terms.values()))
    return torch.cat([together, together.sum(0, keepdim=True)])


def _csv(squares: Tensor) -> str:
    names = [*(f"part_{count}" for count in range(1, len(squares))), "sum"]
    return parts_csv(dict(zip(names, squares, strict=True)), column="key")


def bucket_map(scheme: T5Positions) -> None:
    """Draw the bucket of each distance, one line for each direction that has buckets of its own."""
    st.header(_("The bucket of each distance"))
    lines = _lines(scheme)
    starts = bucket_starts(
        bidirectional=scheme.bidirectional, num_buckets=scheme.num_buckets, max_distance=scheme.max_distance
    )
    sentence = _("Buckets begin at the distances {starts}; from {last} on all share the last one.").format(
        starts=_listed(starts), last=starts[-1]
    )
    chart(
        lines,
        partial(
            lines_figure,
            names=[_("earlier keys"), _("later keys")] if scheme.bidirectional else [""],
            x_title=_("distance between query and key"),
            y_title=_("bucket"),
            theme=current_theme(),
            zero=True,
            hover_text=_("{name}\ndistance {x}, bucket {y}"),
            height=340,
        ),
        again=lambda: lines,  # at most 4 kB
        table=lambda found: columns_csv(dict(zip(("earlier", "later"), found, strict=False)), row="distance"),
        key="buckets",
        name=file_name(scheme.name, "buckets"),
        title=_("{scheme}: the bucket of each distance").format(scheme=_(SCHEMES[scheme.name].title)),
        alt=sentence,
    )
    st.caption(sentence)


def _lines(scheme: T5Positions) -> Tensor:
    """Return the buckets of earlier keys, and of later ones where they have their own, (1 or 2, n_distances)."""
    distance = torch.arange(min(scheme.max_distance * 5 // 4 + 8, FARTHEST))  # (n_distances,)
    earlier, later = (scheme.buckets(signed).float() for signed in (distance, -distance))
    later[0] = torch.nan  # at distance 0 a key is neither earlier nor later
    return torch.stack([earlier, later]) if scheme.bidirectional else earlier[None]


def _listed(starts: list[int]) -> str:
    most = 40
    return ", ".join([*map(str, starts[:most]), *(["…"] if len(starts) > most else [])])


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
            theme=current_theme(),
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
    st.caption(sentence + " " + _("In order: {slopes}.").format(slopes=_slopes_listed(published)))


def _slopes_listed(slopes: Tensor) -> str:
    most = 8
    numbers = [f"{slope:.6g}" for slope in slopes[:most].tolist()]
    return ", ".join([*numbers, "…"] if len(slopes) > most else numbers)
