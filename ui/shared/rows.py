"""Where the rows of the embedding matrix come from: the choice, and what is said of the rows that a text picks."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import streamlit as st
import torch
from torch import Tensor

from embedlib.checkpoints import CHECKPOINT_ERRORS
from embedlib.figures import heatmap_figure
from embedlib.tables import fill_sentence, float32_rows
from embedlib.word2vec import TABLE_CONFIG
from ui import cache
from ui.cache import Request
from ui.cache.minilm import has_minilm, minilm_error, opens_with_minilm
from ui.components.token_chips import Chip
from ui.export import Blocks, Drawing, figure_drawing
from ui.i18n import _, language
from ui.markdown import as_code
from ui.settings import MINILM_WIDTH, controls, state

TRAINED_WIDTH = TABLE_CONFIG.d_model
WORDLESS = ("characters", "bytes")  # tokenizers whose tokens are neither words nor pieces of words
LEARNED = ("minilm", "trained")  # rows that fit one width, and some tokenizers only


def row_source(*, by_hand: bool = True, setting: str = "tokenizer") -> str:
    """Return where the rows come from: what is chosen, or chance where that fits neither the width nor the tokens.

    Args:
        by_hand: whether the page can show the rows by hand.
        setting: the one that names the page's tokenizer.
    """
    chosen = str(state.get("table"))
    return chosen if rows_fit(chosen, setting) or (chosen == "by_hand" and by_hand) else "random"


def rows_fit(rows: str, setting: str = "tokenizer") -> bool:
    """Tell whether rows that a model has learned have the width that is set, and are of the tokens."""
    return are_compatible(rows, state.get(setting), state.get("d_model"))


def are_compatible(rows: str, tokenizer: str, d_model: int) -> bool:
    """Tell whether learned rows have this width and are of these tokens."""
    if rows == "minilm":
        return bool(tokenizer == "minilm" and d_model == MINILM_WIDTH)
    return rows == "trained" and tokenizer not in WORDLESS and d_model == TRAINED_WIDTH


def rows_control(*, by_hand: bool = True, setting: str = "tokenizer") -> None:
    """Choose where the rows of the embedding matrix come from; learned ones bring their width with them.

    Args:
        by_hand: whether the page can show the rows by hand.
        setting: the one that names the page's tokenizer.
    """
    hand = {"by_hand": _("by hand, 3 words × 3")} if by_hand else {}
    rows_choice(row_source(by_hand=by_hand, setting=setting), hand, setting=setting)


def rows_choice(in_view: str, by_hand: Mapping[str, str], *, table: str = "table", setting: str = "tokenizer") -> None:
    """Draw the choice of the rows, and say why others are in view than those that are chosen.

    Args:
        in_view: what is chosen, or what the page shows instead.
        by_hand: the titles of the rows by hand that there are, by their names in the setting.
        table: the setting that says where the page's rows come from.
        setting: the one that names the page's tokenizer.
    """
    offered = {"minilm": has_minilm(), "trained": state.get(setting) not in WORDLESS}
    titles = learned_titles() | {"random": _("random"), **by_hand}
    controls.control(
        table,
        st.selectbox,
        [name for name in state.options(table) if name in titles and offered.get(name, True)],
        titles=titles,
        value=in_view,
        help=trained_help(),
        on_change=lambda: choose_rows(state.get(table), table, setting=setting),
    )
    if in_view == "random" and state.get(table) in LEARNED:
        st.markdown(f":material/info: {width_sentence(setting, table)}")
        state.override_link(**{table: in_view})
    if (error := minilm_error()) is not None:
        st.markdown(f":material/info: {fill_sentence(_(CHECKPOINT_ERRORS[error.code]), error.values, quote=as_code)}")


def learned_titles() -> dict[str, str]:
    """Name the rows that a model has learned where the source of an embedding matrix is chosen."""
    sentences = cache.shipped_table().n_sentences
    return {"minilm": _("MiniLM"), "trained": _("trained on {sentences:,} sentences").format(sentences=sentences)}


def trained_help() -> str:
    """Say what the trained rows are."""
    return _("Trained on sentences: only words of a small grammar.")


def show_english_note() -> None:
    """Tell readers of another language why the words that follow are English."""
    if language() != "en":
        st.caption(_("Trained on English text."))


def learned_rows_button(request: Request) -> None:
    """Offer learned rows in one click where a text shows random ones: MiniLM's, or those that its tokens could have."""
    if request.table != "random":
        return
    if opens_with_minilm():
        st.button(_("Show MiniLM’s rows"), key="show_minilm", on_click=choose_rows, args=("minilm",))
    elif request.tokenizer not in WORDLESS:
        st.button(
            _("Show trained rows"),
            key="show_trained",
            help=None
            if request.d_model == TRAINED_WIDTH
            else _("Trained rows need d_model = {width}.").format(width=TRAINED_WIDTH),
            on_click=choose_rows,
            args=("trained",),
        )


def width_sentence(setting: str = "tokenizer", table: str = "table") -> str:
    """Say why learned rows that were chosen are not shown: they have another width, or are of other tokens."""
    if state.get(table) == "minilm":
        return _minilm_sizes()
    if state.get(setting) in WORDLESS:
        return trained_help()
    return _("Trained rows need d_model = {width}.").format(width=TRAINED_WIDTH)


def _minilm_sizes() -> str:
    return _("MiniLM’s rows need its tokenizer and d_model = {width}.").format(width=MINILM_WIDTH)


def choose_rows(rows: str, table: str = "table", *, setting: str = "tokenizer") -> None:
    """Take other rows, with the width and the tokenizer that they need; call it from a callback.

    Args:
        rows: what the setting becomes.
        table: the setting that says where the page's rows come from.
        setting: the one that names the page's tokenizer.
    """
    goes_with: dict[str, Any] = {}
    if rows == "minilm":
        goes_with = {setting: "minilm", "d_model": MINILM_WIDTH}
    elif rows == "trained":
        goes_with = {"d_model": TRAINED_WIDTH}
        if state.get(setting) == "minilm":
            goes_with[setting] = state.SETTINGS[setting].default
    state.put(**goes_with, **{table: rows})


def rows_drawing(rows: Tensor, chips: Sequence[Chip], *, source: str = "") -> Drawing:
    """Return the drawing of the rows of E that tokens pick.

    Args:
        rows: (n_tokens, d_model).
        chips: of the tokens.
        source: where the rows come from; "" for what the page says of all its numbers.
    """
    ids, labels = [chip.id for chip in chips], [chip.label for chip in chips]
    heading = ["position", "token_id", "token", *(f"dim_{column}" for column in range(rows.shape[1]))]
    return figure_drawing(
        "rows-of-tokens",
        _("Rows of the tokens"),
        Blocks(
            heading,
            [[np.arange(len(ids)), np.array(ids), labels, *float32_rows(rows).T]],
            by_name={"token_ids": torch.tensor(ids), "rows": rows},
        ),
        heatmap_figure,
        rows,
        source=source,
        x_title=_("dimension"),
        y_title=_("token"),
        y_labels=labels,
    )
