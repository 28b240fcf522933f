"""One word in several sentences: its one row of E, and how its vectors diverge from layer to layer."""

import streamlit as st
import torch
from torch import Tensor
from torch.nn.functional import cosine_similarity, normalize

from embedlib.figures import heatmap_figure, lines_figure
from ui.context.model import word_vectors
from ui.context.request import WordRequest
from ui.export import Drawing, Lines, figure_drawing, show
from ui.i18n import _, separator
from ui.markdown import as_code
from ui.shared.opened_model import OpenedModel

DRAWN = 48  # dimensions of the word's vectors, as colours
DIRECTIONS_HEIGHT = 284  # px
DIRECTIONS_ROOM = DIRECTIONS_HEIGHT + 32 + 56  # px with the buttons above it and the downloads below


def show_word_by_layer(opened: OpenedModel, request: WordRequest) -> bool:
    """Show that the word has one row, and its vectors' cosine by layer; return False where a sentence is cut off."""
    if len(_word_vectors(opened, request)) < len(request.sentences):
        st.warning(_("Only the first tokens are read: shorten the sentences."))
        return False
    st.write(_summary(opened, request))
    show(cosines_by_layer, opened, request)
    return True


def cosines_by_layer(opened: OpenedModel, request: WordRequest) -> Drawing:
    """Draw the cosine of the word's vectors in the first sentence and in each other one, over the layers."""
    cosines = _cosines(opened, request)
    return figure_drawing(
        "context-word",
        _("The word by layer"),
        by_layer_lines(layer_names(opened), dict(zip(["other", "same"], cosines, strict=False))),
        lines_figure,
        cosines,
        alt=_summary(opened, request),
        names=[_("other meaning"), _("same meaning")][: len(cosines)],
        points=layer_names(opened),
        x_title=_("layer (0: the input)"),
        y_title=_("cosine"),
        hover_text=_("{name}\nlayer {x}: {y}"),
        height=390,
    )


def directions(opened: OpenedModel, request: WordRequest) -> Drawing:
    """Draw the word's row of E in each sentence, and its vector after the last layer, all of one length."""
    vectors, last = _word_vectors(opened, request), opened.model.n_layers
    parts = [normalize(torch.stack([one[place] for one in vectors]), dim=1) for place in (0, -1)]
    shown = [part[:, :DRAWN] for part in parts]
    named = _bar_positions(len(vectors), last)
    lines = [[name, n, *row] for (name, n), row in zip(filter(all, named), torch.cat(parts).tolist(), strict=True)]
    said = _("The word’s row of E, then its vector after layer {layer}, scaled to length 1.").format(layer=last)
    return figure_drawing(
        "context-directions",
        said,
        Lines(["vector", "sentence", *(f"dim_{column}" for column in range(parts[0].shape[1]))], lines),
        heatmap_figure,
        torch.cat([shown[0], torch.full((1, shown[0].shape[1]), torch.nan), shown[1]]),
        alt=said,
        x_title=_("dimension"),
        y_title=_("vector · sentence"),
        y_labels=[f"{name} · {n}" if n else "" for name, n in named],
        hover_text=_("{row}, dimension {column}\n{value}"),
        height=DIRECTIONS_HEIGHT,
    )


def _word_vectors(opened: OpenedModel, request: WordRequest) -> list[Tensor]:
    """Return the word's vectors in each sentence, (n_layers + 2, d_model); sentences where it is cut off have none."""
    found = [word_vectors(opened, request.word, sentence) for sentence in request.sentences]
    return [vectors for _ids, vectors in filter(None, found)]


def _cosines(opened: OpenedModel, request: WordRequest) -> Tensor:
    return word_cosines(_word_vectors(opened, request))  # (n_pairs, n_layers + 2)


def _bar_positions(n_sentences: int, last: int) -> list[tuple[str, int]]:
    """Return a name and a sentence number for each bar, 0 for the gap between."""
    numbers = range(1, n_sentences + 1)
    return [*(("E", n) for n in numbers), ("", 0), *((_("layer {layer}").format(layer=last), n) for n in numbers)]


def word_cosines(vectors: list[Tensor]) -> Tensor:
    """Return the cosines of a word's vectors in the first sentence, (n_points, d_model), with those in the others."""
    first, *others = vectors
    return torch.stack([cosine_similarity(first.double(), other.double(), dim=1) for other in others]).float()


def layer_names(opened: OpenedModel) -> list[str]:
    """Name the row of E, the input of the first layer, which counts as 0, and the layers."""
    return ["E", *map(str, range(opened.model.n_layers + 1))]


def by_layer_lines(names: list[str], columns: dict[str, Tensor]) -> Lines:
    """Return one line per layer."""
    values = (column.tolist() for column in columns.values())
    return Lines(["layer", *columns], list(zip(names, *values, strict=True)))


def _summary(opened: OpenedModel, request: WordRequest) -> str:
    cosines = _cosines(opened, request)
    found = [word_vectors(opened, request.word, sentence) for sentence in request.sentences]
    ids = [ids for ids, _vectors in filter(None, found)]
    if len(set(ids)) > 1:
        row = _("{word} has different tokens, so its rows differ.")
    elif len(ids[0]) > 1:
        row = _("{word} has the same {count} rows of E everywhere.")
    else:
        row = _("{word} is row {id:,} of E everywhere: cosine 1.")
    sentence = row.format(word=as_code(request.word), id=ids[0][0], count=len(ids[0]))
    if len(cosines) == 1:
        return sentence + separator(" ") + _("After the last layer: {other:.2f}.").format(other=float(cosines[0, -1]))
    last = _("After the last layer: {other:.2f} with the other meaning, {same:.2f} with the same.")
    return sentence + separator(" ") + last.format(other=float(cosines[0, -1]), same=float(cosines[1, -1]))
