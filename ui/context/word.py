"""One word in several sentences: the row that it always has, and how its vectors part from layer to layer."""

from functools import partial

import streamlit as st
import torch
from torch import Tensor
from torch.nn.functional import cosine_similarity, normalize

from embedlib.figures import heatmap_figure, lines_figure
from ui.context.model import word_vectors
from ui.context.request import WordRequest
from ui.export import chart, lines_csv
from ui.i18n import _, between
from ui.markdown import as_code
from ui.shared.opened_model import OpenedModel
from ui.shared.page import current_theme

DRAWN = 48  # dimensions of the word's vectors, as colours
DIRECTIONS_HEIGHT = 284  # px
DIRECTIONS_ROOM = DIRECTIONS_HEIGHT + 32 + 56  # px with the buttons above it and the downloads below


def by_layer(opened: OpenedModel, request: WordRequest) -> bool:
    """Say that the row is one, and draw the cosine of the word's vectors over the layers; False where it is cut off."""
    found = [word_vectors(opened, request.word, sentence) for sentence in request.sentences]
    known = [one for one in found if one is not None]
    if len(known) < len(found):
        st.warning(_("Only the first tokens are read: shorten the sentences."))
        return False
    cosines = word_cosines([vectors for _ids, vectors in known])  # (n_pairs, n_layers + 2)
    st.write(_summary(request, [ids for ids, _vectors in known], cosines))
    names = [_("other meaning"), _("same meaning")][: len(cosines)]
    draw = partial(
        lines_figure,
        cosines,
        names=names,
        points=layer_names(opened),
        x_title=_("layer (0: the input)"),
        y_title=_("cosine"),
        theme=current_theme(),
        hover_text=_("{name}\nlayer {x}: {y}"),
        height=390,
    )
    chart(
        "context-word",
        draw,
        alt=_summary(request, [ids for ids, _vectors in known], cosines),
        table=lambda: layers_csv(layer_names(opened), dict(zip(["other", "same"], cosines, strict=False))),
        arrays=lambda: {"cosines": cosines},
        title=_("The word by layer"),
        shows=(opened.key, request),
    )
    return True


def directions(opened: OpenedModel, request: WordRequest) -> None:
    """Draw the word's row of E in each sentence, and its vector after the last layer, all of one length."""
    found = [word_vectors(opened, request.word, sentence) for sentence in request.sentences]
    vectors = [vectors for _ids, vectors in filter(None, found)]
    last = opened.model.n_layers
    parts = [normalize(torch.stack([one[place] for one in vectors]), dim=1) for place in (0, -1)]
    drawn = [part[:, :DRAWN] for part in parts]
    named = _places(len(vectors), last)
    draw = partial(
        heatmap_figure,
        torch.cat([drawn[0], torch.full((1, drawn[0].shape[1]), torch.nan), drawn[1]]),
        x_title=_("dimension"),
        y_title=_("vector · sentence"),
        theme=current_theme(),
        y_labels=[f"{name} · {n}" if n else "" for name, n in named],
        hover_text=_("{row}, dimension {column}\n{value}"),
        height=DIRECTIONS_HEIGHT,
    )
    said = _("The word’s row of E, then its vector after layer {layer}, scaled to length 1.").format(layer=last)

    def table() -> str:
        lines = ([name, n, *row] for (name, n), row in zip(filter(all, named), torch.cat(parts).tolist(), strict=True))
        return lines_csv(["vector", "sentence", *(f"dim_{column}" for column in range(parts[0].shape[1]))], lines)

    def arrays() -> dict[str, Tensor]:
        return dict(zip(("rows", "last_layer"), parts, strict=True))

    chart("context-directions", draw, alt=said, table=table, arrays=arrays, title=said)


def _places(n_sentences: int, last: int) -> list[tuple[str, int]]:
    """Name what is drawn and number the sentences, 0 for the gap between."""
    numbers = range(1, n_sentences + 1)
    return [*(("E", n) for n in numbers), ("", 0), *((_("layer {layer}").format(layer=last), n) for n in numbers)]


def word_cosines(vectors: list[Tensor]) -> Tensor:
    """Compare the first sentence's vectors of a word, (n_points, d_model) each, with those of the others."""
    first, *others = vectors
    return torch.stack([cosine_similarity(first.double(), other.double(), dim=1) for other in others]).float()


def layer_names(opened: OpenedModel) -> list[str]:
    """Name the row of E, the input of the first layer, which counts as 0, and the layers."""
    return ["E", *map(str, range(opened.model.n_layers + 1))]


def layers_csv(names: list[str], columns: dict[str, Tensor]) -> str:
    """Write one line per layer."""
    return lines_csv(["layer", *columns], zip(names, *(column.tolist() for column in columns.values()), strict=True))


def _summary(request: WordRequest, ids: list[tuple[int, ...]], cosines: Tensor) -> str:
    if len(set(ids)) > 1:
        row = _("{word} has different tokens, so its rows differ.")
    elif len(ids[0]) > 1:
        row = _("{word} has the same {count} rows of E everywhere.")
    else:
        row = _("{word} is row {id:,} of E everywhere: cosine 1.")
    sentence = row.format(word=as_code(request.word), id=ids[0][0], count=len(ids[0]))
    if len(cosines) == 1:
        return sentence + between(" ") + _("After the last layer: {other:.2f}.").format(other=float(cosines[0, -1]))
    last = _("After the last layer: {other:.2f} with the other meaning, {same:.2f} with the same.")
    return sentence + between(" ") + last.format(other=float(cosines[0, -1]), same=float(cosines[1, -1]))
