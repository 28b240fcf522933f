"""What a scheme adds to the logits of attention: head by head, part by part, T5's buckets and ALiBi's slopes."""

from collections.abc import Callable

import streamlit as st
import torch
from torch import Tensor

from embedlib.figures import HEAD_CELL, colour_limit, heads_figure, lines_figure
from embedlib.measures import named_terms
from embedlib.positional import T5Positions, alibi_slopes, bucket_starts, geometric_slopes
from ui.components.browser import comes_near
from ui.export import columns_csv, parts_csv
from ui.i18n import _, between, number
from ui.positions.chart import SchemeView, chart
from ui.settings import controls, state
from ui.shared.page import own_block

MATRIX_POSITIONS = 128  # beyond it a cell is less than a pixel on many screens, and heads cost a megabyte each
HEADS_DRAWN = 8
NARROW_CELL = 150  # px, for two in a row on a phone
DRAWN = 64  # positions; in smaller squares a phone shows more of the lines between cells than of the cells
FARTHEST = 512  # distances drawn at most
MOST_STARTS = 40  # buckets that a sentence lists


def heads_chart(logits: Callable[[], Tensor], what: str, view: SchemeView) -> None:
    """Show the matrices of the first heads, of (n_heads, n_positions, n_positions) logits, -inf where masked."""
    n_heads, n_positions = logits().shape[:2]
    drawn = min(n_heads, HEADS_DRAWN)
    _squares(
        view,
        what,
        _("Added to the logits"),
        lambda: logits()[:HEADS_DRAWN],
        names=[_("head {head}").format(head=head) for head in range(drawn)],
        n_positions=n_positions,
        columns=4,
        parts=[f"head_{head}" for head in range(drawn)],
    )
    sentence = _("Heads 0–{heads} of {all_heads}, positions 0–{last}; later keys are masked.")
    st.caption(sentence.format(heads=drawn - 1, all_heads=n_heads, last=n_positions - 1))


def _squares(
    view: SchemeView,
    what: str,
    title: str,
    numbers: Callable[[], Tensor],
    *,
    names: list[str],
    n_positions: int,
    columns: int,
    parts: list[str],
    limit: float | None = None,
    file: str = "",
    heading: Callable[[str], object] | None = st.header,
) -> None:
    """Show squares of queries by keys under their names, and write them below each other under those of `parts`."""
    chart(
        view,
        what,
        title,
        numbers,
        heads_figure,
        names=names,
        x_title=_("key"),
        y_title=_("query"),
        limit=limit,
        chosen=view.position if view.position < n_positions else None,
        hover_text=_("{name}\nquery {row}, key {column}: {value}"),
        columns=2 if view.narrow else columns,
        cell=NARROW_CELL if view.narrow else HEAD_CELL,
        file=file,
        heading=heading,
        table=lambda squares: parts_csv(dict(zip(parts, squares, strict=True)), column="key"),
    )


@own_block
def term_matrices(view: SchemeView) -> None:
    """Show the named parts of one head's logits and their sum; nothing where the scheme names none."""
    key, seed = view.key, view.seed
    heads = min(key.n_heads, HEADS_DRAWN)
    head = min(state.get("term_head"), heads - 1)
    n_positions = min(view.n_positions, DRAWN)
    terms = named_terms(key.scheme(), n_positions, head=head, seed=seed)
    if not terms:
        return
    title = _("Parts of the logits of head {head}").format(head=head)
    st.header(title)
    if not comes_near("positions-terms", height=900, phone=1039):
        return
    st.latex(" + ".join(rf"\underbrace{{{name}}}_{{{count}}}" for count, name in enumerate(terms, start=1)))
    if key.n_heads > 1:
        controls.control("term_head", st.segmented_control, range(heads), required=True, value=head)
    squares = _with_sum(terms)  # (n_terms + 1, n_positions, n_positions)
    numbers = [str(count) for count in range(1, len(squares))]
    _squares(
        view,
        "terms",
        title,
        lambda: _with_sum(named_terms(key.scheme(), n_positions, head=head, seed=seed)),
        names=[*numbers, _("sum")],
        n_positions=n_positions,
        columns=2 if len(terms) == 3 else 3,
        limit=colour_limit(squares[squares.isfinite()]),  # one far value must not make all others pale
        parts=[*(f"part_{number}" for number in numbers), "sum"],
        file=f"parts-of-head-{head}",
        heading=None,
    )


def _with_sum(terms: dict[str, Tensor]) -> Tensor:
    together = torch.stack(list(terms.values()))
    return torch.cat([together, together.sum(0, keepdim=True)])


def bucket_map(view: SchemeView, scheme: T5Positions) -> None:
    """Draw the bucket of each distance, one line for each direction that has buckets of its own."""
    starts = bucket_starts(
        bidirectional=scheme.bidirectional, num_buckets=scheme.num_buckets, max_distance=scheme.max_distance
    )
    listed = between(", ").join([*map(str, starts[:MOST_STARTS]), *(["…"] if len(starts) > MOST_STARTS else [])])
    sentence = _("Buckets begin at distances {starts}.").format(starts=listed)
    lines = _buckets(scheme)
    drawn = chart(
        view,
        "buckets",
        _("Bucket of each distance"),
        lambda: lines,  # at most 4 kB
        lines_figure,
        names=[_("earlier keys"), _("later keys")] if scheme.bidirectional else [""],
        x_title=_("distance between query and key"),
        y_title=_("bucket"),
        zero=True,
        hover_text=_("{name}\ndistance {x}, bucket {y}"),
        height=340,
        waits=430,
        table=lambda values: columns_csv(dict(zip(("earlier", "later"), values, strict=False)), row="distance"),
    )
    if drawn:
        st.caption(sentence)


def _buckets(scheme: T5Positions) -> Tensor:
    """Return the buckets of earlier keys, and of later ones where they have their own, (1 or 2, n_distances)."""
    distance = torch.arange(min(scheme.max_distance * 5 // 4 + 8, FARTHEST))  # (n_distances,)
    earlier, later = (scheme.buckets(signed).float() for signed in (distance, -distance))
    later[0] = torch.nan  # at distance 0 a key is neither earlier nor later
    return torch.stack([earlier, later]) if scheme.bidirectional else earlier[None]


def slopes_chart(view: SchemeView, n_heads: int) -> None:
    """Draw each head's slope under both rules, and say whether they differ."""
    published, geometric = alibi_slopes(n_heads), geometric_slopes(n_heads)
    same = torch.equal(published, geometric)
    slopes = published[None] if same else torch.stack([published, geometric])  # (1 or 2, n_heads)
    sentence = _("From head 0: {slopes}.").format(slopes=_slopes_listed(published))
    if not same:
        power = 1 << (n_heads.bit_length() - 1)
        sentence += between(" ") + _(
            "{heads} is no power of two: {power} heads’ slopes, then every other of {double}."
        ).format(heads=n_heads, power=power, double=2 * power)
    drawn = chart(
        view,
        "slopes",
        _("Slope of each head"),
        lambda: slopes.log2(),  # at most 128 numbers
        lines_figure,
        names=[""] if same else [_("published"), _("geometric")],
        x_title=_("head"),
        y_title=_("log₂ of the slope"),
        hover_text=_("head {x}\nlog₂ slope {y}"),
        height=320,
        waits=380,
        table=lambda _logarithms: columns_csv({"published": published, "geometric": geometric}, row="head"),
    )
    if drawn:
        st.caption(sentence)


def _slopes_listed(slopes: Tensor) -> str:
    most = 8
    numbers = [number(slope, ".6g") for slope in slopes[:most].tolist()]
    return between(", ").join([*numbers, "…"] if len(slopes) > most else numbers)
