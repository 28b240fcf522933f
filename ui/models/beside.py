"""Two models side by side: the neighbours of a word in each, and one table rotated onto the other."""

import streamlit as st

from embedlib.figures import ProjectionText, projection_figure
from embedlib.projection import project_together
from ui.components.browser import is_narrow, should_draw_section
from ui.export import Drawing, Lines, figure_drawing, show, show_texts
from ui.i18n import _, number
from ui.markdown import as_code
from ui.models.cache import (
    LEAST_COMMON,
    NEIGHBOURS,
    ComparedTable,
    TablePair,
    aligned_rows,
    compare_tables,
    grammar_side,
    model_side,
    pair_neighbours,
    tokenize,
)
from ui.settings import state
from ui.shared.model_choice import Model
from ui.shared.page import principal_titles
from ui.shared.text.prepared import MAX_TOKENS

LISTED = 8
DRAWN = 16  # words of the text whose rows are drawn


def side_by_side(model: Model, other: Model | None, text: str) -> str | None:
    """Compare two models, or one with the grammar's table, on the words of a text; return the chosen word."""
    if not should_draw_section("models-beside"):
        return None
    first = model_side(model)
    second = grammar_side(_("small word2vec table")) if other is None else model_side(other)
    pair = compare_tables(first, second)
    if pair is None:
        st.info(
            _(
                "The two vocabularies share {shared:,} words, too few for a comparison, which needs {least}: choose "
                "another model in the settings."
            ).format(shared=len(first.words.keys() & second.words.keys()), least=LEAST_COMMON)
        )
        return None
    index = {int(row): at for at, row in enumerate(pair.rows[:, 0])}
    places: dict[int, int] = {}  # of a common word in the pair: where it first stands in the text
    for position, token in enumerate(tokenize(model, text)[:MAX_TOKENS]):
        if token.id in index:
            places.setdefault(index[token.id], position)
    chosen = _word_choice(pair, places) if places else None
    if chosen is None:
        st.info(_("No word of your text is in both vocabularies: type another, such as “king”."))
    else:
        _show_neighbours(first, second, pair, chosen)
    _show_alignment(first, second, pair, list(places)[:DRAWN])
    return None if chosen is None else pair.words[chosen]


def _word_choice(pair: TablePair, places: dict[int, int]) -> int:
    """Draw the choice of a word of the text; the default has the most shared neighbours."""
    position = {at: at_word for at_word, at in places.items()}.get(state.get("token"))
    at = max(places, key=lambda word: int(pair.shared[word])) if position is None else position
    st.session_state["model_word"] = at
    st.pills(
        _("Word whose nearest words are listed"),
        list(places),
        key="model_word",
        format_func=lambda word: as_code(pair.words[word]),
        required=True,
        on_change=lambda: _apply_choice(places),
    )
    return at


def _apply_choice(places: dict[int, int]) -> None:
    at = st.session_state["model_word"]
    state.set_local(token=places.get(at))


def _show_neighbours(first: ComparedTable, second: ComparedTable, pair: TablePair, at: int) -> None:
    lists = [pair_neighbours(side, pair, which, at) for which, side in enumerate((first, second))]
    ids = [near.ids[0].tolist() for near in lists]
    both = set(ids[0]) & set(ids[1])
    for which, (column, side, near, own) in enumerate(
        zip(st.columns(2, gap="medium"), (first, second), lists, ids, strict=True), start=1
    ):
        with column:
            st.subheader(side.shown)
            show_texts(
                f"nearest-{which}",
                {
                    _("nearest words"): [as_code(pair.words[word]) for word in own],
                    _("cosine"): [number(cosine, ".3f") for cosine in near.similarities[0].tolist()],
                    _("also in the other list"): ["✓" if word in both else "" for word in own],
                },
                alt=_("Nearest words to {word} in {model}").format(word=pair.words[at], model=side.title),
            )
    count = len(pair.words)
    st.write(
        _(
            "Of the {k} nearest words to {word} in one list, {own} stand in the other too: they have a tick. Over all "
            "{count:,} words that both models have, the mean is {mean:.1f} of {k}; two lists drawn by chance would "
            "share {chance:.1f}."
        ).format(
            count=count,
            word=as_code(pair.words[at]),
            own=int(pair.shared[at]),
            k=NEIGHBOURS,
            mean=pair.shared.double().mean(),
            chance=NEIGHBOURS**2 / (count - 1),
        )
    )


def _show_alignment(first: ComparedTable, second: ComparedTable, pair: TablePair, drawn: list[int]) -> None:
    st.subheader(_("Alignment"))
    alignment, count = pair.alignment, len(pair.words)
    st.write(
        _(
            "Each model has axes of its own, so dimension 7 of one says nothing about dimension 7 of the other. But a "
            "whole table can be rotated. Here the rows of both tables are first centred on 0 and brought to length 1. "
            "Then {first} is rotated, and all its rows are multiplied by the number ({scale:.2f}) that brings its "
            "words as near as possible to the same words of the other table. Words that had no part in the fit put it "
            "to the test: half of them have their partner among the {rank:,} nearest of {count:,} words; by chance it "
            "would be among the {half:,} nearest. The mean squared distance between partners is {residual:.2f}; if "
            "words were paired at random, it would be {chance:.2f}, and if the one table were only the other one "
            "rotated, 0. Partners can be far apart and still be found, if the other words are farther."
        ).format(
            first=first.shown,
            scale=alignment.scale,
            residual=alignment.residual,
            chance=alignment.chance_residual,
            rank=int(alignment.ranks.median()),
            count=count,
            half=count // 2,
        )
    )
    left, right = st.columns([6, 4], gap="medium")
    with left:
        if len(drawn) > 1:
            show(rotated_rows, first, second, pair, tuple(drawn), is_narrow())
        else:
            st.info(_("Type at least two words that both vocabularies have."))
    order = alignment.residuals.argsort(stable=True)
    best, worst = order[:LISTED].tolist(), order.flip(0)[:LISTED].tolist()
    with right:
        show_texts(
            "alignment-words",
            {
                name: [f"{as_code(pair.words[at])} {number(alignment.residuals[at], '.2f')}" for at in words]
                for name, words in ((_("nearest to its partner"), best), (_("farthest from it"), worst))
            },
            alt=_("Words nearest to their partners and farthest from them"),
        )
        st.caption(
            _(
                "The number is the distance between a word’s two rows after the fit. Two such rows, of lengths "
                "{scale:.2f} and 1, would be {apart:.2f} apart at a right angle."
            ).format(scale=alignment.scale, apart=(1 + alignment.scale**2) ** 0.5)
        )


def rotated_rows(
    first: ComparedTable, second: ComparedTable, pair: TablePair, shown: tuple[int, ...], narrow: bool
) -> Drawing:
    """Draw where words of the text lie in the one table, rotated, and in the other."""
    projection = project_together(*aligned_rows(first, second, pair, list(shown)), n_components=2)
    ratios, alignment = projection.explained_variance_ratio.tolist(), pair.alignment
    columns = (pair.words, alignment.residuals.tolist(), alignment.ranks.tolist(), pair.shared.tolist())
    heading = ["word", "residual", "rank_left_out", "shared_neighbours"]
    more = {"turned": projection.before, "target": projection.after}
    return figure_drawing(
        "alignment",
        _("Alignment"),
        Lines(heading, list(zip(*columns, strict=True)), more),
        projection_figure,
        projection.before,
        projection.after,
        alt=_("{count} words of both models on two axes with {share:.0%} of the variance.").format(
            count=len(shown), share=sum(ratios)
        ),
        labels=[pair.words[at] for at in shown],
        axis_titles=principal_titles(ratios),
        text=ProjectionText(
            rows=_("{model}, rotated").format(model=first.title),
            positions=_("same word"),
            sums=second.title,
            hover_row="{token}",
            hover_sum="{token}",
        ),
        narrow=narrow,
    )
