"""The tensor shapes from the text to the block of vectors, one step below the other."""

from collections.abc import Sequence
from dataclasses import dataclass
from html import escape

import streamlit as st

from embedlib.figures import SERIES
from embedlib.i18n import N_
from ui.batches.batch import Batch
from ui.batches.request import Request
from ui.i18n import _, ngettext, number, separator
from ui.shared.formats import format_bytes
from ui.shared.page import current_theme, section

# One colour for each axis, the same on every rung: its place among those of lines.
AXIS_COLOURS = {"token": 0, "window": 0, "batch": 3, "position": 1, "dimension": 2}


@dataclass(frozen=True)
class LadderStep:
    """One step between the text and the block: its shape and what leads to it."""

    step: str  # what leads here, translated; empty for the first
    names: Sequence[str]  # of the tensors of this shape
    shape: Sequence[tuple[int, str]]  # sizes, and axes that are keys of AXIS_COLOURS; empty for what is no tensor
    note: str  # what it is, translated
    item_bytes: int  # of one number; 0 for what is no tensor


@section(
    "batches-shapes",
    N_("Shapes"),
    lead=N_(
        "A shape says how many numbers there are along each axis. Follow it from the text to the block of input "
        "rows: tokens become windows, windows a batch, and each id a row of numbers."
    ),
)
def shape_ladder(request: Request, batch: Batch) -> None:
    """Show the shape of everything between the text and the input of the first layer."""
    st.html(ladder_html(ladder_steps(request, batch), colours=SERIES[current_theme()]))


def ladder_steps(request: Request, batch: Batch) -> list[LadderStep]:
    """Return the steps with the current sizes."""
    plan, d_model, vocab_size = request.plan, request.d_model, request.tokenized_text.vocab_size
    n_samples, length = batch.inputs.shape
    cut = [(n_samples, "batch"), (length, "position")]
    block = [*cut, (d_model, "dimension")]
    n_characters = len(request.source.text)
    characters = ngettext("{count:,} character", "{count:,} characters", n_characters).format(count=n_characters)
    windows = _(
        "The ids are cut into windows of {length:,}, with stride {stride:,}; the targets are the ids one place later."
    ).format(length=length, stride=plan.stride)
    return [
        LadderStep("", ["text"], [], characters, 0),
        LadderStep(
            _("Tokenizer: {name}").format(name=request.tokenizer),
            ["token_ids"],
            [(plan.n_ids, "token")],
            "",
            8,
        ),
        LadderStep(
            windows,
            ["all_inputs", "all_targets"],
            [(plan.n_windows, "window"), (length, "position")],
            _("each window is made when a batch asks for it"),
            8,
        ),
        LadderStep(
            _batch_step_sentence(request, n_samples),
            ["inputs", "targets"],
            cut,
            _("the ids that are read, and the ids to predict"),
            8,
        ),
        LadderStep(
            _("Each id picks a row of the embedding matrix, {shape}.").format(shape=_shape(vocab_size, d_model)),
            ["token_embeddings"],
            block,
            "",
            4,
        ),
        LadderStep(
            _("The row of its position, from the table {shape}, is added to every token.").format(
                shape=_shape(length, d_model)
            ),
            ["input_embeddings"],
            block,
            _("input rows; MiniLM then adds a type row and applies LayerNorm")
            if request.table == "minilm"
            else _("input rows, the input of the first layer"),
            4,
        ),
    ]


def ladder_html(steps: Sequence[LadderStep], *, colours: Sequence[str]) -> str:
    """Return the steps as an ordered HTML list; everything that is no number is escaped."""
    items = []
    for rung in steps:
        names = "<br>".join(f"<code>{escape(name)}</code>" for name in rung.names)
        step = f'<p class="ladder-step">{escape(rung.step)}</p>' if rung.step else ""
        items.append(
            f'<li>{step}<div class="ladder-rung"><div class="ladder-names">{names}</div>'
            f'<div class="ladder-shape">{_shape_html(rung, colours)}</div>'
            f'<div class="ladder-note">{escape(rung.note)}{_cost_html(rung)}</div></div></li>'
        )
    return f'<ol class="shape-ladder">{"".join(items)}</ol>'


def _shape_html(rung: LadderStep, colours: Sequence[str]) -> str:
    if not rung.shape:
        return ""
    names = {
        "token": _("tokens"),
        "window": _("windows"),
        "batch": _("sequences"),
        "position": _("positions"),
        "dimension": _("dimensions"),
    }
    sizes = '<span class="ladder-sign">,</span>'.join(
        f'<span class="ladder-size" style="--axis: {colours[AXIS_COLOURS[axis]]}"><b>{number(size, ",")}</b>'
        f"<small>{escape(names[axis])}</small></span>"
        for size, axis in rung.shape
    )
    end = ",)" if len(rung.shape) == 1 else ")"
    return f'<span class="ladder-sign">(</span>{sizes}<span class="ladder-sign">{end}</span>'


def _shape(rows: int, columns: int) -> str:
    return f"({number(rows, ',')}, {number(columns, ',')})"


def _cost_html(rung: LadderStep) -> str:
    if not rung.shape:
        return ""
    count = 1
    for size, _axis in rung.shape:
        count *= size
    numbers = ngettext("{count:,} number", "{count:,} numbers", count).format(count=count)
    each = _("{numbers}, {size} each") if len(rung.names) > 1 else _("{numbers}, {size}")
    said = each.format(numbers=numbers, size=format_bytes(count * rung.item_bytes))
    return f'<span class="ladder-cost">{escape(said)}</span>'


def _batch_step_sentence(request: Request, n_samples: int) -> str:
    """Return a sentence on which windows are in the batch, and how many drop_last leaves out."""
    plan = request.plan
    if plan.n_batches == 1 and n_samples == plan.n_windows:
        sentence = _("All windows together are the only batch; its sequences: {count:,}.")
    elif n_samples < plan.batch_size:
        sentence = _("The windows that are left are the last batch; its sequences: {count:,}.")
    elif plan.shuffle:
        sentence = _("Batch {number:,} takes {count:,} windows as its sequences, shuffled with seed {seed}.")
    else:
        sentence = _("Batch {number:,} takes {count:,} windows as its sequences, in the order of the text.")
    sentence = sentence.format(number=request.batch + 1, count=n_samples, seed=plan.seed)
    if plan.n_dropped:
        dropped = _("Of all {total:,} windows drop_last leaves out {count:,}.")
        sentence += separator(" ") + dropped.format(count=plan.n_dropped, total=plan.n_windows)
    return sentence
