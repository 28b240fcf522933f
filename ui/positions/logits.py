"""A scheme's addition to the attention logits: by head and by term, T5's buckets and ALiBi's slopes."""

from collections.abc import Mapping
from typing import Literal

import streamlit as st
import torch
from torch import Tensor

from embedlib.figures import HEAD_CELL, colour_limit, heads_alt, heads_figure, lines_figure
from embedlib.i18n import N_
from embedlib.measures import content_term, named_terms, score_bias
from embedlib.positional import AlibiPositions, T5Positions, bucket_starts, geometric_slopes
from ui.cache.bounded import memo
from ui.cache.schemes import SchemeKey
from ui.embed import section_scope
from ui.export import Columns, Drawing, Parts, show
from ui.i18n import _, number, separator
from ui.positions.view import SchemeView, scheme_drawing
from ui.settings import controls, state
from ui.shared.page import section

MATRIX_POSITIONS = 128  # beyond it a cell is less than a pixel on many screens, and heads cost a megabyte each
HEADS_DRAWN = 8
NARROW_CELL = 150  # px, for two in a row on a phone
DRAWN = 64  # positions; in smaller squares a phone shows more of the lines between cells than of the cells
FARTHEST = 512  # distances drawn at most
MOST_STARTS = 40  # buckets that a sentence lists


def show_added_logits(view: SchemeView, what: Literal["bias", "content"]) -> None:
    """Show what is added to the logits of the first heads: a bias, or for random queries and keys."""
    with section_scope(f"positions-{what}") as is_drawn:
        if not is_drawn:
            return
        st.header(_("How the attention scores are changed"))
        added = _added_logits(view, what)
        st.write(
            _(
                "A square for each head. Before the softmax turns scores into weights, the scheme changes the score of "
                "each query with each key: in blue cells it takes something away, in orange cells it adds something, "
                "and the stronger the colour, the more."
            )
            if bool((added > 0).any())
            else _(
                "A square for each head. Before the softmax turns scores into weights, the scheme takes something away "
                "from the score of each query with each key: the stronger the blue, the more."
            )
        )
        show(logits_by_head, view, what)
        sentence = _(
            "Heads 0 to {heads} of {all_heads}, positions 0 to {last}. Grey: later tokens. A model that writes text (a "
            "decoder) may look only at earlier ones; the causal mask hides the later. Framed: the query at the "
            "position to follow."
        )
        n_heads, last = view.key.n_heads, min(view.n_positions, MATRIX_POSITIONS) - 1
        st.caption(sentence.format(heads=min(n_heads, HEADS_DRAWN) - 1, all_heads=n_heads, last=last))


def logits_by_head(view: SchemeView, what: Literal["bias", "content"]) -> Drawing:
    """Draw what is added to the logits of the first heads."""
    squares = {f"head_{head}": square for head, square in enumerate(_added_logits(view, what))}
    names = [_("head {head}").format(head=head) for head in range(len(squares))]
    scheme = view.key.scheme()
    if isinstance(scheme, AlibiPositions):
        slopes = scheme.slopes().tolist()
        name = _("head {head}, slope {slope}")
        names = [name.format(head=head, slope=number(slopes[head], ".3g")) for head in range(len(squares))]
    return _squares(view, what, _("How the attention scores are changed"), squares, names=names, columns=4)


def _added_logits(view: SchemeView, what: Literal["bias", "content"]) -> Tensor:
    """Return what is added to the scores of the first heads, (n_heads, n_positions, n_positions), -inf where masked."""
    scheme, n_positions = view.key.scheme(), min(view.n_positions, MATRIX_POSITIONS)
    added = score_bias(scheme, n_positions) if what == "bias" else content_term(scheme, n_positions, seed=view.seed)
    return added[:HEADS_DRAWN]


def _squares(
    view: SchemeView,
    what: str,
    title: str,
    squares: Mapping[str, Tensor],
    *,
    names: list[str],
    columns: int,
    limit: float | None = None,
    file: str = "",
) -> Drawing:
    """Draw squares of queries by keys, (n_positions, n_positions) each, -inf where masked, by their names in files."""
    stacked = torch.stack(list(squares.values()))  # (n_squares, n_positions, n_positions)
    return scheme_drawing(
        view.key,
        what,
        title,
        Parts(squares, column="key"),
        heads_figure,
        stacked,
        file=file,
        shown=_("{heads} squares, from {lowest:.2f} to {highest:.2f}.").format(**heads_alt(stacked)),
        names=names,
        x_title=_("key"),
        y_title=_("query"),
        limit=limit,
        chosen=view.position if view.position < stacked.shape[1] else None,
        hover_text=_("{name}\nquery {row}, key {column}: {value}"),
        columns=2 if view.narrow else columns,
        cell=NARROW_CELL if view.narrow else HEAD_CELL,
    )


def shown_terms(view: SchemeView) -> Mapping[str, Tensor]:
    """Return the terms of the chosen head's logits by their LaTeX; empty where the scheme has no named terms."""
    return _terms(view.key, min(view.n_positions, DRAWN), _shown_head(view), view.seed)


@memo()
def _terms(key: SchemeKey, n_positions: int, head: int, seed: int) -> dict[str, Tensor]:
    return named_terms(key.scheme(), n_positions, head=head, seed=seed)


def _shown_head(view: SchemeView) -> int:
    return min(int(state.get("term_head")), min(view.key.n_heads, HEADS_DRAWN) - 1)


def terms_title(view: SchemeView) -> str:
    """Return the heading of the terms of the logits."""
    return _("Parts of the attention scores of head {head}").format(head=_shown_head(view))


@section("positions-terms", terms_title)
def term_matrices(view: SchemeView) -> None:
    """Show the terms of one head's logits and their sum."""
    braces = enumerate(shown_terms(view), start=1)
    st.latex(" + ".join(rf"\underbrace{{{name}}}_{{{count}}}" for count, name in braces))
    if view.key.n_heads > 1:
        heads = range(min(view.key.n_heads, HEADS_DRAWN))
        controls.control("term_head", st.segmented_control, heads, required=True, value=_shown_head(view))
    show(logits_by_part, view)


def logits_by_part(view: SchemeView) -> Drawing:
    """Draw the terms of the chosen head's logits and their sum."""
    terms = list(shown_terms(view).values())
    squares = {f"part_{count}": term for count, term in enumerate(terms, start=1)}
    squares["sum"] = torch.stack(terms).sum(0)
    values = torch.stack(list(squares.values()))
    return _squares(
        view,
        "terms",
        terms_title(view),
        squares,
        names=[*(str(count) for count in range(1, len(squares))), _("sum")],
        columns=2 if len(terms) == 3 else 3,
        limit=colour_limit(values[values.isfinite()]),  # one far value must not make all others pale
        file=f"parts-of-head-{_shown_head(view)}",
    )


@section(
    "positions-buckets",
    N_("Bucket of each distance"),
    lead=N_(
        "Small distances have a bucket each; larger ones share one, and all in a bucket get the same learned number."
    ),
)
def bucket_map(key: SchemeKey, scheme: T5Positions) -> None:
    """Show the bucket of each distance, and where buckets begin."""
    show(distance_buckets, key)
    starts = bucket_starts(
        bidirectional=scheme.bidirectional, num_buckets=scheme.num_buckets, max_distance=scheme.max_distance
    )
    listed = separator(", ").join([*map(str, starts[:MOST_STARTS]), *(["…"] if len(starts) > MOST_STARTS else [])])
    st.caption(_("A new bucket begins at the distances {starts}.").format(starts=listed))


def distance_buckets(key: SchemeKey) -> Drawing:
    """Draw the bucket of each distance, one line for each direction that has buckets of its own."""
    scheme = key.scheme()
    assert isinstance(scheme, T5Positions)
    buckets = _buckets(scheme)
    return scheme_drawing(
        key,
        "buckets",
        _("Bucket of each distance"),
        Columns(buckets, row="distance"),
        lines_figure,
        torch.stack(list(buckets.values())),
        names=[_("earlier keys"), _("later keys")] if scheme.bidirectional else [""],
        x_title=_("distance between query and key"),
        y_title=_("bucket"),
        zero=True,
        hover_text=_("{name}\ndistance {x}, bucket {y}"),
        height=340,
    )


def _buckets(scheme: T5Positions) -> dict[str, Tensor]:
    """Return the buckets of earlier keys, and of later ones where they have their own, (n_distances,) each."""
    distance = torch.arange(min(scheme.max_distance * 5 // 4 + 8, FARTHEST))  # (n_distances,)
    earlier, later = (scheme.buckets(signed).float() for signed in (distance, -distance))
    later[0] = torch.nan  # at distance 0 a key is neither earlier nor later
    return {"earlier": earlier, "later": later} if scheme.bidirectional else {"earlier": earlier}


@section(
    "positions-slopes",
    N_("Slope of each head"),
    lead=N_(
        "For each token of distance, a head subtracts its slope once from the score. A head with a steep slope hardly "
        "feels far tokens; for one with a flat slope they count nearly as much as near ones."
    ),
)
def slopes(key: SchemeKey) -> None:
    """Show each head's slope under both rules, and say whether they differ."""
    show(head_slopes, key)
    n_heads = key.n_heads
    published, geometric = _slope_rules(key)
    sentence = _("Slopes from head 0 on: {slopes}.").format(slopes=_slopes_sentence(published))
    if not torch.equal(published, geometric):
        power = 1 << (n_heads.bit_length() - 1)
        sentence += separator(" ") + _(
            "{heads} is not a power of two, so the published rule takes the slopes of {power} heads and then every "
            "other one of {double}."
        ).format(heads=n_heads, power=power, double=2 * power)
    st.caption(sentence)


def head_slopes(key: SchemeKey) -> Drawing:
    """Draw each head's slope under both rules, as one line where they agree."""
    published, geometric = _slope_rules(key)
    same = torch.equal(published, geometric)
    lines = {"published": published} | ({} if same else {"geometric": geometric})
    return scheme_drawing(
        key,
        "slopes",
        _("Slope of each head"),
        Columns({"published": published, "geometric": geometric}, row="head"),
        lines_figure,
        torch.stack(list(lines.values())),
        shown=Columns(lines, row="head").alt(),
        names=[""] if same else [_("published"), _("geometric")],
        x_title=_("head"),
        y_title=_("slope"),
        zero=True,
        hover_text=_("head {x}\nslope {y}"),
        height=320,
    )


def _slope_rules(key: SchemeKey) -> tuple[Tensor, Tensor]:
    """Return the slopes of a key's ALiBi and those of the paper's formula with its parameters, (n_heads,) each."""
    scheme = key.scheme()
    assert isinstance(scheme, AlibiPositions)
    geometric = geometric_slopes(scheme.n_heads, max_exponent=scheme.max_exponent)
    return scheme.slopes(), geometric / scheme.head_dim**0.5 if scheme.divided else geometric


def _slopes_sentence(slopes: Tensor) -> str:
    most = 8
    numbers = [number(slope, ".6g") for slope in slopes[:most].tolist()]
    return separator(", ").join([*numbers, "…"] if len(slopes) > most else numbers)
