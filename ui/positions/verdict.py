"""Properties of a scheme without training: which positions it distinguishes, how it rounds, what it costs."""

import streamlit as st

from embedlib.i18n import N_
from embedlib.measures import MIN_LOGIT_STEP, AddedCost, Rounding, Verdict
from ui.cache import schemes as scheme_cache
from ui.embed import embeddable
from ui.export import Lines, save_table
from ui.i18n import _, label_sentence, number, separator
from ui.positions.view import SchemeView, file_stem
from ui.shared.page import section, text_table
from ui.shared.schemes import scheme_title

HEADS_LISTED = 8


@section(
    "positions-verdict",
    N_("What this scheme can and cannot tell"),
    lead=N_(
        "These questions can be answered without training, because the answers follow from how the scheme computes. "
        "Where scores are asked for, they are those of tokens in a model with random weights."
    ),
)
def verdict_table(view: SchemeView) -> None:
    """Show the verdict, with the positions in view as the trained length."""
    key, trained = view.key, view.n_positions
    found = scheme_cache.scheme_verdict(key, trained, view.seed)
    lines, scheme = _property_sentences(found, trained, key.d_model), scheme_title(key.entry)
    rows = {_("Property"): list(lines), scheme: list(lines.values())}
    title = label_sentence(scheme, _("Verdict"))
    save_table(file_stem(key, "verdict"), title, rows, numbers=verdict_numbers(found, trained))
    text_table(rows, alt=_("Verdict"))


def _property_sentences(found: Verdict, trained: int, d_model: int) -> dict[str, str]:
    """Return a sentence on each property."""
    lines = {
        _("Do scores change if the whole text moves to later positions?"): _yes_or_no(found.shift_sensitive),
        _(
            "If every token may look at all others (no causal mask): do scores change if the text is read backwards?"
        ): _yes_or_no(found.reversal_sensitive),
        _("Do scores change if all distances double?"): _yes_or_no(found.scale_sensitive),
    }
    unique = (
        _("Do the distances 0 to {last:,} all get different numbers?")
        if found.unit == "distance" or found.shift_sensitive is False
        else _("Do the positions 0 to {last:,} all get different numbers?")
    )
    for count, holds in ((trained, found.unique_trained), (10 * trained, found.unique_tenfold)):
        lines[unique.format(last=count - 1)] = _unique_sentence(holds, found)
    heads = [number(count - 1, ",") for count in found.distinct_distances[:HEADS_LISTED]]
    if len(heads) > 1:
        heads = [label_sentence(_("head {head}").format(head=head), count) for head, count in enumerate(heads)]
    heads += ["…"] * (len(found.distinct_distances) > HEADS_LISTED)
    told_apart = _(
        "Up to which distance does each step farther away still change the score, by {least} or more? (tried up to "
        "{last:,})"
    ).format(last=trained - 1, least=number(MIN_LOGIT_STEP, "g"))
    lines[told_apart] = separator(", ").join(heads)
    for cost in found.costs:
        lines[_("What does it cost at {count:,} tokens?").format(count=cost.seq_len)] = _cost_sentence(cost, d_model)
    return lines


@embeddable("positions-rounding")
def rounding_table(view: SchemeView) -> None:
    """Show whether number formats of 16 bits keep neighbouring positions apart, for a scheme that has numbers."""
    found = scheme_cache.scheme_verdict(view.key, view.n_positions, view.seed)
    if not found.rounding:
        return
    st.write(
        _(
            "Models often keep their numbers in formats of 16 bits, such as float16 and bfloat16, which round to two "
            "or three digits. Then the numbers of two neighbouring positions can become equal."
        )
    )
    question = _("Do neighbours below position {count:,} still differ in this format?").format(count=found.n_rounded)
    rows = {
        _("Number format"): [rounded.dtype for rounded in found.rounding],
        question: [_rounding_sentence(rounded) for rounded in found.rounding],
    }
    save_table(file_stem(view.key, "rounding"), question, rows)
    text_table(rows, alt=question)


def _yes_or_no(holds: bool | None) -> str:
    if holds is None:
        return _("– does not apply")
    return _("yes") if holds else _("no")


def _unique_sentence(holds: bool | None, found: Verdict) -> str:
    if holds is False and found.collision is not None:
        return _("no: {first:,} and {second:,} are equal").format(first=found.collision[0], second=found.collision[1])
    if holds is None and found.last_row is not None:
        return _("the table ends at position {last:,}: no later one has a row").format(last=found.last_row)
    return _yes_or_no(True) if holds else _("unknown: {count:,} were compared").format(count=found.n_compared)


def _rounding_sentence(rounded: Rounding) -> str:
    said = []
    if rounded.first_merged is not None:
        said.append(_("no: from {first:,} on neighbours are equal").format(first=rounded.first_merged))
    if rounded.first_overflow is not None:
        said.append(_("no: from {first:,} on they are infinite").format(first=rounded.first_overflow))
    said = said or [_("yes, all of them")]
    return separator("; ").join(
        [*said, _("the largest number is {greatest}").format(greatest=_number(rounded.greatest))]
    )


def _cost_sentence(cost: AddedCost, d_model: int) -> str:
    """Return the memory in 16-bit numbers, and the operations relative to q·k and the weighted values."""
    share = cost.operations / (4 * cost.seq_len**2 * d_model)
    sentence = _("{megabytes} MB more, and {share:.2g} % more arithmetic than attention without positions")
    return sentence.format(megabytes=_number(cost.bytes / 1e6), share=100 * share)


def _number(value: float) -> str:
    return number(value, ",.0f" if 100 <= value < 1e9 else ".3g")


def verdict_numbers(found: Verdict, trained: int) -> Lines:
    """Return a verdict, one line per number; what is not known is empty."""
    lines: list[tuple[str, object]] = [
        ("trained_length", trained),
        *(
            (name, getattr(found, name))
            for name in ("shift_sensitive", "reversal_sensitive", "scale_sensitive", "unit", "unique")
        ),
        ("unique_trained", found.unique_trained),
        ("unique_tenfold", found.unique_tenfold),
        *zip(("equal_first", "equal_second"), found.collision or (None, None), strict=True),
        ("n_compared", found.n_compared),
        *((f"distinct_distances_head_{head}", count) for head, count in enumerate(found.distinct_distances)),
        ("n_rounded", found.n_rounded),
    ]
    for rounded in found.rounding:
        lines += [
            (f"{rounded.dtype}_{name}", getattr(rounded, name))
            for name in ("greatest", "first_merged", "first_overflow")
        ]
    for cost in found.costs:
        lines += [
            (f"added_{name}_at_{cost.seq_len}", getattr(cost, name)) for name in ("numbers", "bytes", "operations")
        ]
    return Lines(["property", "value"], lines)
