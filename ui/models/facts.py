"""Sizes and parameters of a model, and its rows of the reader's text."""

from contextlib import suppress
from html import escape

import streamlit as st
from torch import Tensor

from embedlib.checkpoints import CheckpointError, ModelParts, positional_scheme, read_rope_config
from embedlib.figures import SERIES, heatmap_figure
from ui.embed import embeddable
from ui.export import Drawing, Keyed, Lines, Matrix, figure_drawing, save_table, show
from ui.i18n import _, number, separator
from ui.markdown import as_code
from ui.models.cache import read_parts, token_chips, tokenize
from ui.shared.model_choice import Model, show_model_errors
from ui.shared.model_rows import model_token_rows
from ui.shared.page import current_theme
from ui.shared.schemes import scheme_title
from ui.shared.text.tokens import tokens_or_notice
from ui.shared.token_choice import token_choice

MOST_TOKENS, MOST_COLUMNS = 64, 1_024  # of the rows that are drawn
_DTYPES = {"torch.float32": "float32", "torch.float16": "float16", "torch.bfloat16": "bfloat16"}


@embeddable("models-sizes")
def show_model_sizes(model: Model) -> None:
    """Show a model's sizes, and how its parameters are distributed."""
    checkpoint = model.checkpoint
    facts = {
        _("Tokens in the vocabulary"): number(checkpoint.vocab_size, ","),
        _("Numbers in a row"): number(checkpoint.d_model, ","),
        _("Number format"): _DTYPES[str(checkpoint.dtype)],
        _("Positions"): position_summary(model),
    }
    parts: ModelParts | None = None
    with show_model_errors():
        for name, stated, actual in checkpoint.contradictions:
            said = _("config.json has {name} = {stated:,}, the weights {found:,}.")
            st.warning(said.format(name=as_code(name), stated=stated, found=actual))
        parts = read_parts(model)
        outputs = {
            "own": parts.evidence,
            "tied": _("the token table again: each row is compared with the model’s last vector (tied weights)"),
            "none": _("none: it returns vectors, not words"),
        }
        facts |= {
            _("Output layer"): outputs[parts.output],
            _("Numbers in all (parameters)"): number(parts.n_parameters, ","),
        }
    lines = "".join(f"<dt>{escape(name)}</dt><dd>{escape(value)}</dd>" for name, value in facts.items())
    if parts is None:
        st.html(f'<dl class="model-facts">{lines}</dl>')
        return
    n_parameters = parts.n_parameters
    sizes = [
        (_("token table"), parts.token_table),
        (_("position table"), parts.position_table),
        (_("output weights"), parts.output_table),
        (_("all layers and the rest"), parts.rest),
    ]
    inks = SERIES[current_theme()]
    bars = [(name, size, inks[place]) for place, (name, size) in zip((0, 1, 3, 5), sizes, strict=True) if size]
    bar = "".join(f'<span style="flex: {size}; background: {ink}"></span>' for _name, size, ink in bars)
    legend = "".join(
        f'<li><i style="background: {ink}"></i>{escape(name)}<b>{number(size, ",")}</b>'
        f"<b>{number(size / n_parameters, '.1%')}</b></li>"
        for name, size, ink in bars
    )
    grid = {
        _("Parameters"): [name for name, size in sizes if size],
        "": [number(size, ",") for _name, size in sizes if size],
        "%": [number(size / n_parameters, ".1%") for _name, size in sizes if size],
    }
    save_table("model-parameters", model.title, grid, numbers=Lines(["part", "parameters"], sizes))
    share = parts.token_table / n_parameters
    st.write(
        (
            _(
                "**{share:.1%} of the model is its token table**, the embedding matrix E: more than everything else "
                "together."
            )
            if share > 0.5
            else _(
                "**{share:.1%} of the model is its token table**, the embedding matrix E, with one row for each token "
                "of the vocabulary."
            )
        ).format(share=share)
    )
    with st.container(key="model-parts"):
        st.html(
            f'<dl class="model-facts">{lines}</dl>'
            f'<div class="model-parts" aria-hidden="true">{bar}</div><ul class="model-legend">{legend}</ul>'
        )


def position_summary(model: Model) -> str:
    """Return a phrase on a model's positional scheme: its number of position rows, or the bases of its rotations."""
    try:
        name, arguments = positional_scheme(model.checkpoint.config)
        others = read_rope_config(model.checkpoint.config).others if name == "rope" else {}
    except CheckpointError:
        return _("unknown")
    with suppress(CheckpointError):  # the error is shown with the rows
        if count := model.checkpoint.n_positions:
            return f"{scheme_title(name)} · {number(count, ',')}"
    bases = dict.fromkeys(number(one["base"], ",.9g") for one in (arguments, *others.values()) if "base" in one)
    return f"{scheme_title(name)} · base {separator(', ').join(bases)}" if bases else scheme_title(name)


@embeddable("models-rows")
def show_text_rows(model: Model, text: str) -> None:
    """Show the tokens of a text, as the model cuts it, and their rows."""
    if not text:
        return
    tokens = tokenize(model, text)  # what its files lack is not for the text to mend
    if tokens_or_notice(lambda: tokens, limit=MOST_TOKENS) is None:
        return
    shown = token_chips(model, text, MOST_TOKENS)
    chosen = token_choice(shown, key="token-chips")
    rows = model_token_rows(model, [chip.id for chip in shown], key="model-rows-job")
    if rows is not None:
        show(token_rows, model, text, Keyed(rows, (model.key, text)), chosen)
    read = len({chip.id for chip in shown})
    said = _(
        "Your text reads {read:,} of the {rows:,} rows, one for each different token. Equal tokens have equal rows, "
        "wherever they stand."
    )
    st.write(said.format(read=read, rows=model.checkpoint.vocab_size))


def token_rows(model: Model, text: str, rows: Keyed[Tensor], chosen: int | None) -> Drawing:
    """Draw the rows of a text's tokens, (n_tokens, d_model), as a matrix."""
    chips = token_chips(model, text, MOST_TOKENS)
    return figure_drawing(
        "model-rows",
        _("Rows of {name}").format(name=model.title),
        Matrix(rows.value, "position", "dim", "rows"),
        heatmap_figure,
        rows.value[:, :MOST_COLUMNS],
        x_title=_("dimension"),
        y_title=_("token"),
        y_labels=[chip.label for chip in chips],
        chosen=chosen,
        hover_text=_("{row}, dimension {column}\n{value}"),
        height=124 + max(96, min(600, 20 * len(chips))),
    )
