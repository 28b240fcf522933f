"""Traces of token frequency in a model's rows: their lengths by rank, and tokens that were hardly trained."""

from functools import partial

import streamlit as st
import torch
from torch import Tensor

from embedlib.figures import length_bands_figure
from embedlib.i18n import N_
from ui.export import Grid, chart, lines_csv, take_along, without_marks
from ui.i18n import _, number
from ui.markdown import as_code
from ui.models.cache import bands_of, lengths_of, tokens_of, under_training_of, vocabulary_of
from ui.shared.model_choice import Model
from ui.shared.page import current_theme, late_block
from ui.shared.text.prepared import MAX_TOKENS

LISTED = 12


@late_block("models-lengths", N_("Vector lengths by frequency"), height=513, phone=578)
def lengths_by_rank(model: Model, text: str, *, on_phone: bool) -> None:
    """Show how long rows are, by how frequent their tokens were, with the text's tokens among them."""
    vocabulary, lengths = vocabulary_of(model), lengths_of(model)
    if not len(vocabulary.ranked):
        st.info(_("The vocabulary has single signs and special tokens only: none has a rank."))
        return
    bands = bands_of(model)
    place = {row: rank for rank, row in enumerate(vocabulary.ranked.tolist(), start=1)}

    def token(row: int) -> tuple[float, float, str]:
        return float(place[row]), float(lengths[row]), vocabulary.labels[row]

    ends = vocabulary.ranked[sorted({*bands.shortest.tolist(), *bands.longest.tolist()})].tolist()
    own = dict.fromkeys(token.id for token in tokens_of(model, text)[:MAX_TOKENS] if token.id in place)
    draw = partial(
        length_bands_figure,
        bands.ranks,
        bands.quantiles,
        points=[token(row) for row in ends],
        marked=[token(row) for row in own],
        names=(_("80% of rows"), _("median"), _("shortest, longest"), _("your text")),
        x_title=_("rank by frequency"),
        y_title=_("length"),
        theme=current_theme(),
        width=250 if on_phone else 660,
        hover_text=_("{token}\nrank {rank}, length {length}"),
    )
    chart(
        "model-lengths",
        draw,
        alt=_("Medians: {first:.2f} at rank 1, {last:.2f} at {count:,}.").format(
            first=bands.quantiles[1, 0], last=bands.quantiles[1, -1], count=len(vocabulary.ranked)
        ),
        table=lambda: lines_csv(
            ["rank", "row", "token", "length"],
            ([rank, row, vocabulary.labels[row], float(lengths[row])] for row, rank in place.items()),
        ),
        arrays=lambda: {"lengths": lengths},
        title=_("Vector lengths by frequency"),
        shows=(model.key, text, on_phone),
    )
    st.caption(_("Rank: order in the vocabulary, by frequency in training."))


@late_block("models-untrained", N_("Under-trained tokens"), height=549, phone=1096)
def hardly_trained(model: Model) -> None:
    """List the tokens whose rows are closest to rows that training never touched."""
    vocabulary, distances = vocabulary_of(model), under_training_of(model)
    if len(vocabulary.unused):
        low, high = distances[vocabulary.unused].quantile(torch.tensor([0.1, 0.9])).tolist()
        st.write(
            _(
                "Distance to the mean of {count:,} unused rows: 80% of these have {low:.2f} to {high:.2f}; the median "
                "of all rows is {middle:.2f} ([Land, Bartolo 2024](https://arxiv.org/abs/2405.05417))."
            ).format(count=len(vocabulary.unused), low=low, high=high, middle=distances.median())
        )
    else:
        st.write(
            _(
                "Distance to zero, as no row is known to be unused; the median of all rows is {middle:.2f} ([Land, "
                "Bartolo 2024](https://arxiv.org/abs/2405.05417))."
            ).format(middle=distances.median())
        )
    known = torch.zeros(len(distances), dtype=torch.bool)
    known[vocabulary.unused] = True
    ranked = torch.zeros(len(distances), dtype=torch.bool)
    ranked[vocabulary.ranked] = True
    left, right = st.columns(2, gap="medium")
    with left:
        st.subheader(words := _("Words and pieces"))
        of_words = _listed(model, distances, ranked & ~known)
    with right:
        st.subheader(signs := _("Single signs and special tokens"))
        of_signs = _listed(model, distances, ~ranked & ~known)
    labels = vocabulary.labels

    def both() -> Grid:
        lists = {words: without_marks(of_words), signs: without_marks(of_signs)}
        kinds = [kind for kind, columns in lists.items() for _row in next(iter(columns.values()))]
        return {"": kinds} | {name: [*lists[words][name], *lists[signs][name]] for name in of_words}

    take_along(
        "under-trained",
        grid=both,
        table=lambda: lines_csv(
            ["row", "token", "distance"], zip(range(len(labels)), labels, distances.tolist(), strict=True)
        ),
        arrays=lambda: {"distances": distances},
        title=_("Under-trained tokens"),
    )


def _listed(model: Model, distances: Tensor, among: Tensor) -> dict[str, list[str]]:
    """Draw the rows among some that are nearest, and return the columns."""
    rows = among.nonzero()[:, 0]
    nearest = rows[distances[rows].argsort(stable=True)[:LISTED]].tolist()
    labels = vocabulary_of(model).labels
    columns = {
        _("token"): [as_code(labels[row]) for row in nearest],
        _("row"): [number(row, ",") for row in nearest],
        _("distance"): [number(float(distances[row]), ".3f") for row in nearest],
    }
    st.table(columns, border="horizontal", hide_index=True, alt=_("Under-trained tokens"))
    return columns
