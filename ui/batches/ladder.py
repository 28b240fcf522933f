"""The shape at every step, as a ladder from the text down to the block: what each rung holds, and what leads to it."""

from collections.abc import Sequence
from dataclasses import dataclass
from html import escape

import streamlit as st

from embedlib.figures import SERIES
from ui.batches.batch import Batch
from ui.batches.request import Request
from ui.i18n import _, ngettext
from ui.shared.page import current_theme

# One colour for each axis, the same on every rung: its place among those of lines.
AXIS_COLOURS = {"token": 0, "window": 0, "batch": 3, "position": 1, "dimension": 2}


@dataclass(frozen=True)
class Rung:
    """One step.

    Attributes:
        step: what leads here, translated; empty for the first.
        names: of the tensors of this shape.
        shape: (size, axis) pairs, the axes being keys of AXIS_COLOURS; empty for what is no tensor.
        note: what it is, translated.
        item_bytes: of one number; 0 for what is no tensor.
    """

    step: str
    names: Sequence[str]
    shape: Sequence[tuple[int, str]]
    note: str
    item_bytes: int


def shapes(request: Request, batch: Batch) -> None:
    """Show the shape of everything between the text and the input of the first layer."""
    st.header(_("The shape at every step"))
    st.html(ladder_html(rungs(request, batch), colours=SERIES[current_theme()]))


def rungs(request: Request, batch: Batch) -> list[Rung]:
    """Describe each step with the sizes of now."""
    plan, read, d_model = request.plan, request.read, request.d_model
    n_samples, length = batch.inputs.shape
    windows = [(plan.n_windows, "window"), (length, "position")]
    cut = [(n_samples, "batch"), (length, "position")]
    block = [*cut, (d_model, "dimension")]
    return [
        Rung("", ["text"], [], _characters(len(request.source.text)), 0),
        Rung(
            _("The tokenizer {name} finds the id of each token.").format(name=request.tokenizer),
            ["token_ids"],
            [(plan.n_ids, "token")],
            _("one id for each token"),
            8,
        ),
        Rung(
            _step_to_windows(length, plan.stride),
            ["all_inputs", "all_targets"],
            windows,
            _("cut when they are asked for, never all at once"),
            8,
        ),
        Rung(
            _step_to_batch(request, n_samples),
            ["inputs", "targets"],
            cut,
            _("the ids that a model is given, and those it is to answer"),
            8,
        ),
        Rung(
            _("Each id picks its row of the token table, {shape}.").format(shape=f"({read.vocab_size:,}, {d_model:,})"),
            ["token_embeddings"],
            block,
            _("equal tokens have equal rows"),
            4,
        ),
        Rung(
            _("Row p of the position table, {shape}, is added at position p: the same row for every sample.").format(
                shape=f"({length:,}, {d_model:,})"
            ),
            ["input_embeddings"],
            block,
            _("what the first layer of a model is given"),
            4,
        ),
    ]


def ladder_html(steps: Sequence[Rung], *, colours: Sequence[str]) -> str:
    """Draw the rungs as an ordered list; everything that is no number is escaped."""
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


def _shape_html(rung: Rung, colours: Sequence[str]) -> str:
    if not rung.shape:
        return ""
    names = {
        "token": _("tokens"),
        "window": _("windows"),
        "batch": _("batch"),
        "position": _("position"),
        "dimension": _("dimension"),
    }
    sizes = '<span class="ladder-sign">,</span>'.join(
        f'<span class="ladder-size" style="--axis: {colours[AXIS_COLOURS[axis]]}"><b>{size:,}</b>'
        f"<small>{escape(names[axis])}</small></span>"
        for size, axis in rung.shape
    )
    end = ",)" if len(rung.shape) == 1 else ")"
    return f'<span class="ladder-sign">(</span>{sizes}<span class="ladder-sign">{end}</span>'


def _cost_html(rung: Rung) -> str:
    if not rung.shape:
        return ""
    count = 1
    for size, _axis in rung.shape:
        count *= size
    numbers = ngettext("{count:,} number", "{count:,} numbers", count).format(count=count)
    each = _("{numbers}, {size} each") if len(rung.names) > 1 else _("{numbers}, {size}")
    said = each.format(numbers=numbers, size=in_bytes(count * rung.item_bytes))
    return f'<span class="ladder-cost">{escape(said)}</span>'


def in_bytes(count: int) -> str:
    """Write a number of bytes with three digits, in B, kB, MB or GB."""
    for unit, size in (("GB", 10**9), ("MB", 10**6), ("kB", 10**3)):
        if count >= size:
            return f"{float(f'{count / size:.3g}'):,g} {unit}"
    return f"{count} B"


def _characters(count: int) -> str:
    return ngettext("{count:,} character", "{count:,} characters", count).format(count=count)


def _step_to_windows(length: int, stride: int) -> str:
    if stride == 1:
        return _("A window of {length:,} ids begins at every id; its targets lie one id further.").format(length=length)
    return _("A window of {length:,} ids begins every {stride:,} ids; its targets lie one id further.").format(
        length=length, stride=stride
    )


def _step_to_batch(request: Request, n_samples: int) -> str:
    plan = request.plan
    sentence = _taken(request, n_samples)
    if plan.n_dropped:
        sentence += " " + ngettext(
            "drop_last leaves out {count:,} of the {total:,} windows.",
            "drop_last leaves out {count:,} of the {total:,} windows.",
            plan.n_dropped,
        ).format(count=plan.n_dropped, total=plan.n_windows)
    return sentence


def _taken(request: Request, n_samples: int) -> str:
    plan = request.plan
    values = {"number": request.batch + 1, "count": n_samples, "seed": plan.seed}
    if plan.n_batches == 1 and n_samples == plan.n_windows:
        return ngettext(
            "The one batch takes the one window that there is.", "The one batch takes all {count:,} windows.", n_samples
        ).format(**values)
    if n_samples < plan.batch_size:
        return ngettext(
            "Batch {number:,}, the last one, gets the one window that is left.",
            "Batch {number:,}, the last one, gets the {count:,} windows that are left.",
            n_samples,
        ).format(**values)
    if plan.shuffle:
        return ngettext(
            "Batch {number:,} takes its one window in the order that seed {seed} shuffles.",
            "Batch {number:,} takes its {count:,} windows in the order that seed {seed} shuffles.",
            n_samples,
        ).format(**values)
    return ngettext(
        "Batch {number:,} takes its one window in the order of the text.",
        "Batch {number:,} takes its {count:,} windows in the order of the text.",
        n_samples,
    ).format(**values)
