"""One word in several sentences: its one row of E, and how its vectors diverge from layer to layer."""

import streamlit as st
import torch
from torch import Tensor
from torch.nn.functional import cosine_similarity, normalize

from embedlib.figures import heatmap_figure, lines_figure
from ui.context.model import MAX_TOKENS, word_vectors
from ui.context.request import WordRequest
from ui.export import Drawing, Lines, figure_drawing, show
from ui.i18n import _, join_sentences, label_sentence, separator
from ui.markdown import as_code
from ui.shared.opened_model import OpenedModel

DRAWN = 48  # dimensions of the word's vectors, as colours
DIRECTIONS_HEIGHT = 284  # px
DIRECTIONS_ROOM = DIRECTIONS_HEIGHT + 32 + 56  # px with the buttons above it and the downloads below


def show_word_by_layer(opened: OpenedModel, request: WordRequest) -> bool:
    """Show that the word has one row, and its vectors' cosine by layer; return False where a sentence is cut off."""
    if len(_word_vectors(opened, request)) < len(request.sentences):
        st.warning(
            _(
                "Only the first {count} tokens of a sentence are read, and the word comes later: shorten the sentences."
            ).format(count=MAX_TOKENS)
        )
        return False
    show(cosines_by_layer, opened, request)
    st.write(_summary(opened, request))
    return True


def cosines_by_layer(opened: OpenedModel, request: WordRequest) -> Drawing:
    """Draw the cosine of the word's vectors in the first sentence and in each other one, over the layers."""
    cosines = _cosines(opened, request)
    names = [_("other meaning"), _("same meaning")] if request.two_meanings else [_("2nd sentence"), _("3rd sentence")]
    return figure_drawing(
        "context-word",
        _("The word by layer"),
        by_layer_lines(["E", *layer_numbers(opened)], dict(zip(["other", "same"], cosines, strict=False))),
        lines_figure,
        cosines,
        alt=_summary(opened, request),
        names=names[: len(cosines)],
        points=layer_names(opened),
        x_title=_("row of E, input, then after each layer"),
        y_title=_("cosine with the first sentence"),
        hover_text="{name}\n" + label_sentence("{x}", "{y}"),
        height=390,
    )


def directions(opened: OpenedModel, request: WordRequest) -> Drawing:
    """Draw the word's row of E in each sentence, and its vector after the last layer, all of one length."""
    vectors, last = _word_vectors(opened, request), opened.model.n_layers
    parts = [normalize(torch.stack([one[place] for one in vectors]), dim=1) for place in (0, -1)]
    shown = [part[:, :DRAWN] for part in parts]
    named = _bar_positions(len(vectors), last)
    lines = [[name, n, *row] for (n, name), row in zip(filter(all, named), torch.cat(parts).tolist(), strict=True)]
    said = _(
        "Above: the word’s row of E in each sentence. Below: its vector after layer {layer}. Each is scaled to length "
        "1; the first {drawn} of {all} dimensions are drawn."
    ).format(layer=last, drawn=shown[0].shape[1], all=parts[0].shape[1])
    return figure_drawing(
        "context-directions",
        said,
        Lines(["vector", "sentence", *(f"dim_{column}" for column in range(parts[0].shape[1]))], lines),
        heatmap_figure,
        torch.cat([shown[0], torch.full((1, shown[0].shape[1]), torch.nan), shown[1]]),
        alt=said,
        x_title=_("dimension"),
        y_title=_("sentence, vector"),
        y_labels=[_("{number}, {vector}").format(number=n, vector=name) if n else "" for n, name in named],
        hover_text=_("{row}, dimension {column}\n{value}"),
        height=DIRECTIONS_HEIGHT,
    )


def _word_vectors(opened: OpenedModel, request: WordRequest) -> list[Tensor]:
    """Return the word's vectors in each sentence, (n_layers + 2, d_model); sentences where it is cut off have none."""
    found = [word_vectors(opened, request.word, sentence) for sentence in request.sentences]
    return [vectors for _ids, vectors in filter(None, found)]


def _cosines(opened: OpenedModel, request: WordRequest) -> Tensor:
    return word_cosines(_word_vectors(opened, request))  # (n_pairs, n_layers + 2)


def _bar_positions(n_sentences: int, last: int) -> list[tuple[int, str]]:
    """Return a sentence number and the vector's name for each bar, 0 for the gap between."""
    numbers = range(1, n_sentences + 1)
    after = _("layer {layer}").format(layer=last)
    return [*((n, _("row of E")) for n in numbers), (0, ""), *((n, after) for n in numbers)]


def word_cosines(vectors: list[Tensor]) -> Tensor:
    """Return the cosines of a word's vectors in the first sentence, (n_points, d_model), with those in the others."""
    first, *others = vectors
    return torch.stack([cosine_similarity(first.double(), other.double(), dim=1) for other in others]).float()


def layer_names(opened: OpenedModel) -> list[str]:
    """Name the row of E, the input of the first layer, which counts as 0, and the layers."""
    return [_("row of E"), _("input"), *map(str, range(1, opened.model.n_layers + 1))]


def layer_numbers(opened: OpenedModel) -> list[str]:
    """Return how files call the input, 0, and the layers."""
    return list(map(str, range(opened.model.n_layers + 1)))


def by_layer_lines(names: list[str], columns: dict[str, Tensor]) -> Lines:
    """Return one line per layer."""
    values = (column.tolist() for column in columns.values())
    return Lines(["layer", *columns], list(zip(names, *values, strict=True)))


def _input_sentence(cosines: Tensor, ids: list[tuple[int, ...]]) -> str:
    """Return a sentence on what position rows alone do to one row's cosine before the first layer; "" for nothing."""
    before = float(cosines[0, 1])
    if len(set(ids)) > 1 or before > 0.995:
        return ""
    return _(
        "At “input” the cosine is {cosine:.2f} already, before any attention: position rows have been added, and the "
        "word stands at another place in the other sentence."
    ).format(cosine=before)


def _summary(opened: OpenedModel, request: WordRequest) -> str:
    cosines = _cosines(opened, request)
    found = [word_vectors(opened, request.word, sentence) for sentence in request.sentences]
    ids = [ids for ids, _vectors in filter(None, found)]
    if len(set(ids)) > 1:
        row = _("{word} is cut into different tokens in these sentences, so its rows differ from the start.")
    elif len(ids[0]) > 1:
        row = _(
            "In every sentence {word} starts as the same {count} rows of the embedding matrix E, a table with one row "
            "of numbers for each token. The curves compare their means, and later vectors, by the cosine: 1 if they "
            "point the same way, as equal rows do, 0 if they have nothing in common."
        )
    else:
        row = _(
            "In every sentence {word} starts as row {id:,} of the embedding matrix E, a table with one row of numbers "
            "for each token. The curves compare such rows, and later vectors, by their cosine: 1 if they point the "
            "same way, as equal rows do, 0 if they have nothing in common."
        )
    sentence = row.format(word=as_code(request.word), id=ids[0][0], count=len(ids[0]))
    if len(cosines) == 1:
        last = _(
            "Attention mixes in the other words of the sentence, layer by layer; after the last one the cosine of the "
            "first two sentences is {other:.2f}."
        )
        return join_sentences(sentence, _input_sentence(cosines, ids), last.format(other=float(cosines[0, -1])))
    other, same = (float(line[-1]) for line in cosines[:2])
    if not request.two_meanings:
        last = _(
            "Attention mixes in the other words of the sentence, layer by layer; after the last one the cosine with "
            "the first sentence is {second:.2f} in the second and {third:.2f} in the third: among other words a word "
            "gets another vector, even where it means the same."
        )
        return join_sentences(sentence, _input_sentence(cosines, ids), last.format(second=other, third=same))
    last = (
        _(
            "Attention mixes in the other words of the sentence, layer by layer; after the last one the two uses with "
            "the same meaning are closer ({same:.2f}) than those with different meanings ({other:.2f})."
        )
        if same > other
        else _(
            "Attention mixes in the other words of the sentence, layer by layer; but after the last one the two uses "
            "with the same meaning ({same:.2f}) are no closer than those with different meanings ({other:.2f})."
        )
    )
    said = [sentence, _input_sentence(cosines, ids), last.format(other=other, same=same)]
    rising = (cosines[0, 1:].diff() > 0).nonzero()[:, 0] + 1
    if len(rising):
        layers = separator(", ").join(map(str, rising.tolist()))
        said.append(
            _(
                "Not every layer parts the meanings further: between the different ones the cosine rises again "
                "(layers: {layers})."
            ).format(layers=layers)
        )
    return join_sentences(*said)
