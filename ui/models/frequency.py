"""Traces of token frequency in a model's rows: their lengths by rank, and tokens that were hardly trained."""

import streamlit as st
import torch
from torch import Tensor

from embedlib.figures import length_bands_figure
from embedlib.i18n import N_
from ui.export import Drawing, Lines, figure_drawing, save_table, show
from ui.i18n import _, number
from ui.markdown import as_code
from ui.models.cache import model_row_norms, model_vocabulary, norm_bands, tokenize, undertrained_distances
from ui.shared.model_choice import Model
from ui.shared.page import section
from ui.shared.text.prepared import MAX_TOKENS

LISTED = 12


@section(
    "models-lengths",
    N_("Lengths of token rows by frequency"),
    lead=N_(
        "Training moves the row of a frequent token often and that of a rare one hardly ever. But a token such as "
        "“the” stands beside words of every kind: the pulls on its row go in all directions, and much of them "
        "cancels. See how the lengths of the rows depend on it. A token’s rank says how frequent it is: 1 is the most "
        "frequent. It is read from the order of the vocabulary, which was listed roughly from frequent to rare when "
        "the tokenizer was made. Diamonds are the tokens of your text."
    ),
)
def lengths_by_rank(model: Model, text: str, *, on_phone: bool) -> None:
    """Show the lengths of rows by the frequency of their tokens, with the text's tokens among them."""
    if not len(model_vocabulary(model).ranked):
        st.info(_("The vocabulary has single signs and special tokens only: none has a rank."))
        return
    show(lengths_figure, model, text, on_phone)
    st.write(_lengths_sentence(model))


def _lengths_sentence(model: Model) -> str:
    """Return a sentence on how the median length changes from frequent to rare tokens."""
    bands = norm_bands(model)
    medians, last = bands.quantiles[1], len(bands.ranks) - 1
    longest = int(medians.argmax())
    values = {"first": float(medians[0]), "last": float(medians[-1]), "count": len(model_vocabulary(model).ranked)}
    if longest in (0, last):
        return _(
            "The most frequent token has a row of length {first:.2f}; the rarest, up to rank {count:,}, have a median "
            "length of {last:.2f}."
        ).format(**values)
    return _(
        "The most frequent token has a row of length {first:.2f}. The rows are longest around rank {rank:,.0f}, with a "
        "median of {longest:.2f}; those of the rarest tokens, up to rank {count:,}, have a median of {last:.2f}."
    ).format(longest=float(medians[longest]), rank=float(bands.ranks[longest]), **values)


def lengths_figure(model: Model, text: str, on_phone: bool) -> Drawing:
    """Draw the lengths of rows by the rank of their tokens: bands of quantiles, the ends, and the text's tokens."""
    vocabulary, lengths, bands = model_vocabulary(model), model_row_norms(model), norm_bands(model)
    place = {row: rank for rank, row in enumerate(vocabulary.ranked.tolist(), start=1)}

    def point(row: int) -> tuple[float, float, str]:
        return float(place[row]), float(lengths[row]), vocabulary.labels[row]

    ends = vocabulary.ranked[sorted({*bands.shortest.tolist(), *bands.longest.tolist()})].tolist()
    own = dict.fromkeys(token.id for token in tokenize(model, text)[:MAX_TOKENS] if token.id in place)
    return figure_drawing(
        "model-lengths",
        _("Lengths of token rows by frequency"),
        Lines(
            ["rank", "row", "token", "length"],
            lambda: ([rank, row, vocabulary.labels[row], float(lengths[row])] for row, rank in place.items()),
            {"ranks": bands.ranks, "quantiles": bands.quantiles},
        ),
        length_bands_figure,
        bands.ranks,
        bands.quantiles,
        alt=_("The median length is {first:.2f} at rank 1 and {last:.2f} at rank {count:,}.").format(
            first=bands.quantiles[1, 0], last=bands.quantiles[1, -1], count=len(vocabulary.ranked)
        ),
        points=[point(row) for row in ends],
        marked=[point(row) for row in own],
        names=(_("80% of the rows"), _("median"), _("shortest and longest"), _("your text")),
        x_title=_("rank by frequency (1: most frequent)"),
        y_title=_("length of the row"),
        width=250 if on_phone else 660,
        hover_text=_("{token}\nrank {rank}, length {length}"),
    )


@section(
    "models-untrained",
    N_("Under-trained tokens"),
    lead=N_(
        "Some tokens stand in the vocabulary but hardly in the training text, so their rows stayed about where they "
        "began. They are called glitch tokens: a model that meets one has never learned what it stands for, and may "
        "answer anything."
    ),
)
def undertrained_tokens(model: Model) -> None:
    """List the tokens whose rows are closest to rows that training never touched."""
    vocabulary, distances = model_vocabulary(model), undertrained_distances(model)
    if len(vocabulary.unused):
        low, high = distances[vocabulary.unused].quantile(torch.tensor([0.1, 0.9])).tolist()
        st.write(
            _(
                "{count:,} rows belong to tokens that no text contains, such as placeholders for later use. Take the "
                "mean of these rows and measure how far each row of the table is from it. Of the {count:,} rows "
                "themselves, 80% are {low:.2f} to {high:.2f} away; of all rows, half are more than {middle:.2f} away. "
                "The lists show the other tokens whose rows lie nearest to that mean: these have hardly been trained "
                "([Land, Bartolo 2024](https://arxiv.org/abs/2405.05417)). Even a common sign can be one of them: "
                "where a tokenizer always cuts “...” into single dots, the token “...” never comes up."
            ).format(count=len(vocabulary.unused), low=low, high=high, middle=distances.median())
        )
    else:
        st.write(
            _(
                "Rows that training does not move stay short. Half of all rows are longer than {middle:.2f}; the lists "
                "show the shortest, which have probably hardly been trained ([Land, Bartolo "
                "2024](https://arxiv.org/abs/2405.05417))."
            ).format(middle=distances.median())
        )
    known = torch.zeros(len(distances), dtype=torch.bool)
    known[vocabulary.unused] = True
    ranked = torch.zeros(len(distances), dtype=torch.bool)
    ranked[vocabulary.ranked] = True
    corner = st.empty()  # the menu above the two lists that it saves
    left, right = st.columns(2, gap="medium")
    with left:
        st.subheader(words := _("Words and pieces"))
        of_words = _show_nearest(model, distances, ranked & ~known)
    with right:
        st.subheader(signs := _("Single signs and special tokens"))
        of_signs = _show_nearest(model, distances, ~ranked & ~known)
    lists = {words: of_words, signs: of_signs}
    kinds = [kind for kind, columns in lists.items() for _row in next(iter(columns.values()))]
    both = {"": kinds} | {name: [*of_words[name], *of_signs[name]] for name in of_words}
    labels = vocabulary.labels
    numbers = Lines(
        ["row", "token", "distance"], lambda: zip(range(len(labels)), labels, distances.tolist(), strict=True)
    )
    with corner:
        save_table("under-trained", _("Under-trained tokens"), both, numbers=numbers)


def _show_nearest(model: Model, distances: Tensor, among: Tensor) -> dict[str, list[str]]:
    """Show the nearest of some rows to the untrained ones, and return the columns."""
    rows = among.nonzero()[:, 0]
    nearest = rows[distances[rows].argsort(stable=True)[:LISTED]].tolist()
    labels = model_vocabulary(model).labels
    columns = {
        _("token"): [as_code(labels[row]) for row in nearest],
        _("row"): [number(row, ",") for row in nearest],
        _("distance"): [number(float(distances[row]), ".3f") for row in nearest],
    }
    st.table(columns, border="horizontal", hide_index=True, alt=_("Under-trained tokens"))
    return columns
