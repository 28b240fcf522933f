"""Where the rows of the embedding matrix come from: the choice, and what is said of the rows that a text picks."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import streamlit as st
import torch
from plotly.graph_objects import Figure
from torch import Tensor

from embedlib.checkpoints import CHECKPOINT_ERRORS
from embedlib.figures import heatmap_figure
from embedlib.tables import fill_sentence, float32_rows
from embedlib.word2vec import TABLE_CONFIG
from ui import cache
from ui.cache import Request
from ui.cache.minilm import has_minilm, minilm_error, opens_with_minilm
from ui.export import lines_csv, take_along
from ui.i18n import _, between, language
from ui.markdown import as_code
from ui.settings import MINILM_WIDTH, controls, state

TRAINED_WIDTH = TABLE_CONFIG.d_model
WORDLESS = ("characters", "bytes")  # tokenizers whose tokens are neither words nor pieces of words
LEARNED = ("minilm", "trained")  # rows that fit one width, and some tokenizers only
MOST_NAMED = 12  # tokens that a sentence lists


def row_source(*, by_hand: bool = True, setting: str = "tokenizer") -> str:
    """Return where the rows come from: what is chosen, or chance where that fits neither the width nor the tokens.

    Args:
        by_hand: whether the page can show the rows by hand.
        setting: the one that names the page's tokenizer.
    """
    chosen = str(state.get("table"))
    return chosen if fits(chosen, setting) or (chosen == "by_hand" and by_hand) else "random"


def fits(rows: str, setting: str = "tokenizer") -> bool:
    """Tell whether rows that a model has learned have the width that is set, and are of the tokens."""
    return fit_together(rows, state.get(setting), state.get("d_model"))


def fit_together(rows: str, tokenizer: str, d_model: int) -> bool:
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
        state.link_instead(**{table: in_view})
    if (error := minilm_error()) is not None:
        st.markdown(f":material/info: {fill_sentence(_(CHECKPOINT_ERRORS[error.code]), error.values, quote=as_code)}")


def learned_titles() -> dict[str, str]:
    """Name the rows that a model has learned where the source of an embedding matrix is chosen."""
    sentences = cache.shipped_table().n_sentences
    return {"minilm": _("MiniLM"), "trained": _("trained on {sentences:,} sentences").format(sentences=sentences)}


def trained_help() -> str:
    """Say what the trained rows are."""
    return _("Trained on sentences: only words of a small grammar.")


def origin(request: Request) -> str:
    """Say where the rows come from that a text picks, and name those tokens whose rows are not trained."""
    if request.table == "by_hand":
        return _("Numbers by hand.")
    if request.table == "minilm":
        sentence = minilm_sentence()
    elif request.table == "trained":
        sentence = trained_sentence(
            cache.labels_of(request), cache.trained_tokens(request), seed=request.seed, of=cache.trained_count(request)
        )
    else:
        sentence = random_sentence(seed=request.seed)
    if request.scale:
        sentence += between(" ") + _("Times √{d_model} in the sum.").format(d_model=request.d_model)
    return sentence


def rows_source(table: str, *, seed: int) -> str:
    """Say in a few words where rows come from, for files: "minilm", "trained", "random" or "by_hand"."""
    if table == "by_hand":
        return _("by hand, 3 words × 3")
    if table == "minilm":
        return model_source("MiniLM")
    return learned_titles()["trained"] if table == "trained" else _("random, seed {seed}").format(seed=seed)


def model_source(model: str) -> str:
    """Say in a few words that numbers are a model's weights."""
    return _("{model}’s weights").format(model=model)


def minilm_sentence() -> str:
    """Say what MiniLM's rows are."""
    return _("Rows of {name}").format(name="all-MiniLM-L6-v2") + between(".")


def say_english() -> None:
    """Tell readers of another language why the words that follow are English."""
    if language() != "en":
        st.caption(_("Trained on English text."))


def random_sentence(*, seed: int, setting: str = "tokenizer") -> str:
    """Say that the rows are random, and what brings the learned ones back where these are chosen and do not fit."""
    sentence = _("**Random, not trained** (seed {seed}).").format(seed=seed)
    return sentence + between(" ") + width_sentence(setting) if state.get("table") in LEARNED else sentence


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


def trained_sentence(
    labels: Sequence[str], known: Sequence[bool], *, seed: int, of: tuple[int, int] | None = None
) -> str:
    """Say how many tokens have trained rows, name the others, and count the whole table's (trained, all)."""
    text = _text_sentence(labels, known, seed=seed)
    if of is None or of[0] == of[1]:
        return text
    return text + between(" ") + _table_sentence(*of)


def _table_sentence(trained: int, rows: int) -> str:
    return _("{trained:,} of {rows:,} rows are trained.").format(rows=rows, trained=trained)


def _text_sentence(labels: Sequence[str], known: Sequence[bool], *, seed: int) -> str:
    table = cache.shipped_table()
    others = {label: None for label, met in zip(labels, known, strict=True) if not met}
    values = {"known": sum(known), "count": len(known), "sentences": table.n_sentences, "seed": seed}
    if not others:
        return _("Rows trained on {sentences:,} sentences of a small grammar.").format(**values)
    if not any(known):
        return _("**Random, not trained** (seed {seed}).").format(**values)
    named = between(", ").join(map(as_code, list(others)[:MOST_NAMED]))
    if (more := len(others) - MOST_NAMED) > 0:
        named += between(" ") + _("and {count:,} more").format(count=more)
    return _(
        "Trained: {known:,} of {count:,} tokens ({sentences:,} sentences of a small grammar). "
        "Random, seed {seed}: {tokens}."
    ).format(tokens=named, **values)


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


def take_picked(rows: Callable[[], Tensor], ids: Sequence[int], labels: Sequence[str], *, source: str = "") -> None:
    """Offer to save the rows of E that tokens pick, (n_tokens, d_model), with the tokens' ids and labels."""
    title, x_title, y_title = _("Rows of the tokens"), _("dimension"), _("token")

    def arrays() -> dict[str, Tensor]:
        return {"token_ids": torch.tensor(ids), "rows": rows()}

    def figure() -> Figure:
        return heatmap_figure(rows(), x_title=x_title, y_title=y_title, y_labels=labels, theme="light", title=title)

    def table() -> str:
        values = float32_rows(rows())
        heading = ["position", "token_id", "token", *(f"dim_{column}" for column in range(values.shape[1]))]
        lines = zip(ids, labels, values, strict=True)
        return lines_csv(heading, ([place, number, label, *row] for place, (number, label, row) in enumerate(lines)))

    take_along("rows-of-tokens", table=table, figure=figure, arrays=arrays, title=title, source=source)
