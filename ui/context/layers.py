"""The reader's text through every layer: how similar its tokens are to each other."""

import streamlit as st
import torch
from torch import Tensor
from torch.nn.functional import normalize

from embedlib.contextual import TextTokens
from embedlib.figures import DIVERGING, SERIES, MatrixPanel, panels_figure
from embedlib.tokenizers import token_label
from ui.components import matrix_grid as grid_component
from ui.components.matrix_grid import Panel, Panels, grid_header, matrix_grid
from ui.components.token_chips import Chip
from ui.context.model import MAX_TOKENS, run_layers, tokenize
from ui.export import Drawing, Matrices, figure_drawing, save_menu
from ui.i18n import _, label_sentence, separator, translate_labels
from ui.markdown import as_code
from ui.settings import state
from ui.shared.opened_model import OpenedModel
from ui.shared.page import current_theme
from ui.shared.text.text_area import current_text, show_notices, text_area
from ui.shared.text.tokens import warn_of_limit
from ui.shared.token_choice import token_choice

NAMED = 14  # tokens at most along the axes of a small picture
PANELS = 8  # layers drawn; of more, so many evenly spaced


def text_by_layer(opened: OpenedModel) -> None:
    """Draw the similarity of the tokens in each layer, and say whether they grow more alike."""
    text = text_in_view()
    if not text.strip():
        st.info(_("The text has no tokens: type something."))
        return
    labels = token_labels(opened, tokenize(opened, text))
    panels, means = [], []
    for layer, cosines in cosines_by_layer(opened, text).items():
        means.append(mean_pair_cosine(cosines))
        title, mean = layer_title(layer), _("mean cosine {mean:.2f}").format(mean=means[-1])
        panels.append(
            Panel(
                title=title,
                place=mean,
                group=0,
                note="",
                alt=label_sentence(title, mean),
                values=cosines,
                rows=_("token"),
                columns=_("token"),
                positions=True,
                named=len(labels) <= NAMED,
            )
        )
    if means[-1] > means[0]:
        said = _(
            "Two different tokens have a cosine of {before:.2f} on average at the input and of {after:.2f} after the "
            "last layer: all tokens of a text take up something of the others and grow more alike."
        )
    else:
        said = _(
            "Two different tokens have a cosine of {before:.2f} on average at the input and of {after:.2f} after the "
            "last layer: here they do not grow more alike."
        )
    st.write(said.format(before=means[0], after=means[-1]))
    save_menu(similarity_by_layer, opened, text)
    token_grid(panels, labels, key="context-layers-grid")


def token_grid(panels: list[Panel], labels: list[str], *, key: str) -> None:
    """Draw matrices of a text's tokens side by side, the chosen token marked in each."""
    look = current_theme()
    matrix_grid(
        Panels(panels),
        grid_header(
            chosen=state.get("token"),
            tokens=labels,
            colours=DIVERGING[look],
            group_colours=SERIES[look],
            labels=translate_labels(grid_component.LABELS),
        ),
        key=key,
    )


def text_and_tokens(opened: OpenedModel | None) -> None:
    """Draw the text area and, once the model is open, the text's tokens."""
    prepared = text_area()
    show_notices(prepared)
    if opened is not None and prepared.text.strip():
        tokens = tokenize(opened, prepared.text)
        warn_of_limit(len(tokens.tokens) + tokens.n_truncated, MAX_TOKENS)
        chips = token_chips(opened, tokens)
        token_choice(chips, key="context-chips")
        if added := dict.fromkeys(as_code(chip.label) for chip in chips if tokens.special[chip.position]):
            st.caption(
                _("The model adds tokens of its own, {tokens}: they mark where a text begins or ends.").format(
                    tokens=separator(", ").join(added)
                )
            )


def cosines_by_layer(opened: OpenedModel, text: str) -> dict[int, Tensor]:
    """Return the cosines of a text's tokens, (seq_len, seq_len), in the input (0) and up to `PANELS` - 1 layers."""
    n_layers = opened.model.n_layers
    steps = min(PANELS, n_layers + 1) - 1
    shown = [round(step * n_layers / steps) for step in range(steps + 1)]  # the last layer among them
    directions = normalize(run_layers(opened, text).hidden[shown], dim=-1)  # (n_shown, seq_len, d_model)
    return dict(zip(shown, (directions @ directions.transpose(1, 2)).clamp(-1, 1), strict=True))


def layer_title(layer: int) -> str:
    """Return the name of a layer; 0 is the input of the first."""
    return _("after layer {layer}").format(layer=layer) if layer else _("input")


def similarity_by_layer(opened: OpenedModel, text: str) -> Drawing:
    """Draw the cosines of a text's tokens in several layers."""
    cosines, axis = cosines_by_layer(opened, text), _("token")
    return figure_drawing(
        "context-layers",
        _("A text by layer"),
        Matrices({str(layer): matrix for layer, matrix in cosines.items()}, name="layer"),
        panels_figure,
        [MatrixPanel(layer_title(layer), matrix, 1.0, axis, axis) for layer, matrix in cosines.items()],
        hover_text=_("{name}\nrow {row}, column {column}: {value}"),
    )


def text_in_view() -> str:
    """Return the text that all pages share, as this page can use it."""
    return current_text().text


def token_chips(opened: OpenedModel, tokens: TextTokens) -> list[Chip]:
    """Describe the tokens as chips."""
    chips, stop, labels = [], 0, token_labels(opened, tokens)
    for position, token in enumerate(tokens.tokens):
        beside = tokens.special[position] or (position > 0 and tokens.special[position - 1])
        gap = token.bytes[:1].isspace() or token.start > stop or beside
        chips.append(Chip(position, token.id, labels[position], token.bytes.hex(" ").upper(), gap))
        stop = max(stop, token.stop)
    return chips


def token_labels(opened: OpenedModel, tokens: TextTokens) -> list[str]:
    """Return how each token is written in a picture: as the vocabulary has it."""
    names = opened.model.tokenizer.names(tokens.token_ids)
    return [token_label(names[token_id].encode("utf-8", "surrogateescape")) for token_id in tokens.token_ids]


def mean_pair_cosine(cosines: Tensor) -> float:
    """Return the mean over pairs of different tokens; 1 where there is one token."""
    apart = ~torch.eye(len(cosines), dtype=torch.bool)
    return float(cosines[apart].mean()) if len(cosines) > 1 else 1.0
