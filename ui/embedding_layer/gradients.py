"""Which rows learn: the steps of a small language model, how far each row moved in them, and why."""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

import streamlit as st
import torch
from plotly.graph_objects import Figure

from embedlib.embedding import (
    INITIALISATIONS,
    MAX_TRAINED_NUMBERS,
    MOVE_REASONS,
    ROW_OPTIMIZERS,
    TIED_LOGITS,
    UNTIED_LOGITS,
    RowOptimizer,
    RowStep,
    StepRefused,
    gradient_bytes,
    rows_to_show,
    step_texts,
    train_rows,
)
from embedlib.figures import row_moves_figure
from ui.cache.bounded import memo
from ui.embedding_layer import cache
from ui.embedding_layer.request import Request
from ui.embedding_layer.settings import SETTINGS
from ui.embedding_layer.written import bytes_written
from ui.export import chart, lines_csv
from ui.i18n import _, ngettext
from ui.settings import controls, state
from ui.settings.kinds import Real
from ui.shared.page import current_theme

SHORT = "normal_0.02"  # a start under which tied weights move every row
SHOWN = 16  # rows whose marks and names are apart
OTHERS = 8  # at least so many that were not looked up, where more than SHOWN were
OWN_RATE = "layer_rate_own"  # in the session: whether the reader has set the learning rate


@dataclass(frozen=True)
class Training:
    """How the rows are trained, in plain hashable values."""

    optimizer: str
    rate: float
    tied: bool
    steps: int


def which_rows_learn(request: Request) -> None:
    """Draw the controls and how far each row moved, or a sentence that says why no step can be taken."""
    st.header(_("Which rows learn"))
    st.write(
        _(
            "The smallest language model: look up a token’s row, and ask by its products with output rows which token "
            "comes next; the last token is asked for and not looked up. A gradient reaches E only through what was "
            "read of it."
        )
    )
    if request.matrix == "trained":
        st.caption(_("The steps start from E as it stands above, its trained rows among them."))
    _controls()
    wanted = training()
    try:
        step = steps_of(request, wanted)[-1]
    except StepRefused as refusal:
        st.info(_refused(refusal, wanted))
        return
    st.write(what_moved(request, wanted, step))
    lost_gradients(request, wanted, step)
    moves_chart(request, wanted)
    gradient_size(request, wanted, step)


def _controls() -> None:
    left, middle, right = st.columns([2, 1, 1], vertical_alignment="bottom")
    with left:
        controls.choice_control(
            "layer_optimizer", _("Optimizer"), lambda name: ROW_OPTIMIZERS[name].title, on_change=_take_usual_rate
        )
    with middle:
        _rate_control()
    with right:
        controls.number_control(
            "layer_steps", _("Steps"), help_text=_("The tokens are cut into so many parts, one for each step.")
        )
    st.toggle(
        _("Tie the output weights to E"),
        key="layer_tied",
        help=_("The rows that tell which token comes next are those of E itself, as in GPT-2."),
        on_change=state.dismiss_notices,
    )
    kind = ROW_OPTIMIZERS[state.get("layer_optimizer")]
    formula, sentence = st.columns([1, 1], gap="large")
    with formula:
        st.latex((TIED_LOGITS if state.get("layer_tied") else UNTIED_LOGITS) + r"\qquad " + kind.formula)
    with sentence:
        st.write(_("**{title}.** {summary}").format(title=kind.title, summary=_in_words(kind)))


def _in_words(kind: RowOptimizer) -> str:
    """Say which rows an optimizer moves, as the weights are tied or not."""
    if not state.get("layer_tied"):
        return _(kind.summary)
    told = _("The rows of E are the output too, so every row has a gradient, whether it was looked up or not.")
    if not kind.decays:
        return told
    return told + " " + _("And weight decay makes every row shorter in each step, by learning rate times weight decay.")


def _rate_control() -> None:
    kind, rule = ROW_OPTIMIZERS[state.get("layer_optimizer")], SETTINGS["layer_rate"]
    assert isinstance(rule, Real)
    st.number_input(
        _("Learning rate (usual: {rate:g})").format(rate=kind.learning_rate),
        rule.minimum,
        rule.maximum,
        key="layer_rate",
        step=kind.learning_rate / 10,
        format="%.9g",
        on_change=_keep_rate,
    )


def _keep_rate() -> None:
    st.session_state[OWN_RATE] = True
    state.dismiss_notices()


def _take_usual_rate() -> None:
    """Follow the optimizer with the learning rate, unless the reader has set one."""
    usual = {kind.learning_rate for kind in ROW_OPTIMIZERS.values()}
    if state.get("layer_rate") in usual and not st.session_state.get(OWN_RATE):
        state.put(layer_rate=ROW_OPTIMIZERS[state.get("layer_optimizer")].learning_rate)
    state.dismiss_notices()


def _refused(refusal: StepRefused, wanted: Training) -> str:
    if refusal.code == "too_few_tokens":
        return ngettext(
            "{steps} step needs at least {least} tokens, and there are fewer: type more.",
            "{steps} steps need at least {least} tokens, and there are fewer: type more, or take fewer steps.",
            wanted.steps,
        ).format(steps=wanted.steps, least=wanted.steps + 1)
    if refusal.code == "tied_needs_dense":
        return _(
            "SparseAdam needs a gradient that holds the rows looked up and no others; tied weights give every row one. "
            "Choose another optimizer, or untie the weights."
        )
    return _("This vocabulary is too large for so many tokens at once: look up fewer, or choose a smaller one.")


def training() -> Training:
    """Return what the controls ask for."""
    return Training(*(state.get(f"layer_{name}") for name in ("optimizer", "rate", "tied", "steps")))


def trained_width(request: Request) -> int:
    """Return how many dimensions are trained: all, or as many as a step takes without a wait."""
    return max(1, min(request.d_model, MAX_TRAINED_NUMBERS // request.vocab_size))


@memo()
def steps_of(request: Request, wanted: Training) -> list[RowStep]:
    """Train the first dimensions of E on the tokens that are looked up; StepRefused where that cannot be."""
    table = cache.table_of(request)[:, : trained_width(request)].cpu()
    steps = train_rows(
        table,
        step_texts(torch.tensor(request.token_ids), wanted.steps),
        optimizer=wanted.optimizer,
        learning_rate=wanted.rate,
        tied=wanted.tied,
    )
    return [replace(step, table=step.table[:0].clone()) for step in steps]  # whole tables would fill the memory


def can_train(request: Request) -> bool:
    """Tell whether the steps that the controls ask for can be taken."""
    try:
        steps_of(request, training())
    except StepRefused:
        return False
    return True


def what_moved(request: Request, wanted: Training, step: RowStep) -> str:
    """Say how many rows moved, and why."""
    counts = {reason: int((step.why == index).sum()) for index, reason in enumerate(MOVE_REASONS)}
    moved, looked_up = request.vocab_size - counts["still"], int((step.counts > 0).sum())
    parts = [_moved(request, moved, looked_up), _loss(request, step)]
    if counts["softmax"]:
        parts.append(
            (
                _(
                    "Besides them, the gradient moved {count:,} because E is the output too: the softmax pushes every "
                    "row, now or in an earlier step, the more likely it finds its token the harder."
                )
                if wanted.steps > 1
                else _(
                    "Besides them, the gradient moved {count:,} because E is the output too: the softmax pushes every "
                    "row, the more likely it finds its token the harder."
                )
            ).format(count=counts["softmax"])
        )
    if counts["momentum"]:
        parts.append(
            ngettext(
                "{count:,} row goes on moving from an earlier step, whose gradient the optimizer remembers.",
                "{count:,} rows go on moving from an earlier step, whose gradients the optimizer remembers.",
                counts["momentum"],
            ).format(count=counts["momentum"])
        )
    if counts["decay"]:
        parts.append(_decayed(wanted, counts["decay"]))
    if moved == looked_up and not wanted.tied:
        parts.append(_("Every other row has a gradient of exactly 0, and stays where it was."))
    return " ".join(parts)


def _moved(request: Request, moved: int, looked_up: int) -> str:
    return " ".join(
        (
            ngettext(
                "**{moved:,} of {rows:,} row has moved** in the last step;",
                "**{moved:,} of {rows:,} rows have moved** in the last step;",
                request.vocab_size,
            ).format(moved=moved, rows=request.vocab_size),
            ngettext(
                "{count:,} row was looked up in it.", "{count:,} different rows were looked up in it.", looked_up
            ).format(count=looked_up),
        )
    )


def _loss(request: Request, step: RowStep) -> str:
    """Say the loss beside what a guess would cost, and of what part of the rows both are."""
    said = _("Loss before the step: **{loss:.2f} nats**, where a blind guess costs ln {rows:,} = {guess:.2f}.").format(
        loss=step.loss, rows=request.vocab_size, guess=math.log(request.vocab_size)
    )
    width = trained_width(request)
    if width < request.d_model:
        said += " " + _(
            "Loss and moves are those of the **first {width} of {d_model} dimensions**: the rest is left out so that "
            "the step stays quick."
        ).format(width=width, d_model=request.d_model)
    return said


def _decayed(wanted: Training, count: int) -> str:
    return (
        _(
            "The other {count:,} became shorter by weight decay alone, which multiplies every row by 1 − ηλ in each "
            "step: their gradient is too small to change a float32."
        )
        if wanted.tied
        else _(
            "{count:,} became shorter by weight decay alone, which multiplies every row of the table by 1 − ηλ in each "
            "step."
        )
    ).format(count=count)


def lost_gradients(request: Request, wanted: Training, step: RowStep) -> None:
    """Explain, where weights are tied, why the gradients of most rows come to nothing, and offer shorter rows."""
    lost = (step.counts == 0) & ((step.why == MOVE_REASONS.index("still")) | (step.why == MOVE_REASONS.index("decay")))
    if not wanted.tied or not bool(lost.any()):
        return
    typical = float(step.gradient_norms[lost].median())
    length = float(cache.table_of(request)[:, : trained_width(request)].norm(dim=1).mean())
    told = [
        _("**Why {count:,} rows have a gradient and still get nothing from it.**").format(count=int(lost.sum())),
        (
            _(
                "Rows of E are {length:.2g} long here, so a row’s product with itself is about {length:.2g}² = "
                "{square:.2g}, and with most others much less: the softmax spreads over the few rows that point the "
                "same way, and the others hardly count."
            )
            if request.matrix == "trained"
            else _(
                "Rows of E are {length:.2g} long here, so a row’s product with itself is about {length:.2g}² = "
                "{square:.2g}, and with others much less: the softmax is all but certain, and other rows hardly count."
            )
        ).format(length=length, square=length**2),
        _("Half of these rows have a gradient shorter than {size}.").format(size=_power(typical))
        if typical > 0
        else _("Half of these rows have a gradient so small that float32 writes it as 0."),
        _("It is not zero by rule, as without the tie, but it is lost in the sum: float32 keeps about 7 digits."),
    ]
    with st.container(border=True):
        st.write(" ".join(told))
        if request.matrix == "trained" or (request.matrix == "random" and request.start != SHORT):
            st.button(
                _("Begin with short rows: “{start}”").format(start=_(INITIALISATIONS[SHORT].title)),
                key="layer_short_rows",
                on_click=_begin_short,
            )


def _power(size: float) -> str:
    """Write a tiny number as the power of ten above it, in LaTeX."""
    return f"$10^{{{math.ceil(math.log10(size))}}}$"


def _begin_short() -> None:
    state.put(layer_matrix="random", layer_start=SHORT)
    state.dismiss_notices()


def gradient_size(request: Request, wanted: Training, step: RowStep) -> None:
    """Say what a gradient of the whole table takes, and what one of the rows looked up would."""
    looked_up = int((step.counts > 0).sum())
    dense, sparse = (bytes_written(size) for size in gradient_bytes(request.vocab_size, request.d_model, looked_up))
    if wanted.tied:
        sentence = _("The gradient of E takes {dense}: tied to the output, no row of it can be left out.")
    elif looked_up == request.vocab_size:
        sentence = _("The gradient of E takes {dense}: every row was looked up, so there is nothing to leave out.")
    else:
        sentence = ngettext(
            "A dense gradient of E takes {dense}, and {zeros:,} of its {rows:,} rows is zeros; with `sparse=True` "
            "torch keeps the rows that were looked up and no others, {sparse}.",
            "A dense gradient of E takes {dense}, and {zeros:,} of its {rows:,} rows are zeros; with `sparse=True` "
            "torch keeps the rows that were looked up and no others, {sparse}.",
            request.vocab_size - looked_up,
        )
    st.caption(
        sentence.format(dense=dense, zeros=request.vocab_size - looked_up, rows=request.vocab_size, sparse=sparse)
    )


def moves_chart(request: Request, wanted: Training) -> None:
    """Draw the last step: the rows that were looked up, and others evenly from the table."""
    steps = steps_of(request, wanted)
    step = steps[-1]
    looked_up = len({row for each in steps for row in each.token_ids[:-1].tolist()})
    rows = rows_to_show(steps, limit=max(SHOWN, looked_up + OTHERS)).tolist()
    moves, why = step.moves[rows], step.why[rows]
    chosen = state.get("token")
    token_id = None if chosen is None or chosen >= len(request.token_ids) else request.token_ids[chosen]
    labels = [cache.name_of(request, row) or str(row) for row in rows]
    reasons = [_reason_titles()[reason] for reason in MOVE_REASONS]
    look, heading = current_theme(), _("How far each row moved in one step")
    x_title, y_title = _("rows of E"), _("length of the move")
    width = trained_width(request)
    if width < request.d_model:
        y_title = _("length of the move, first {width} dimensions").format(width=width)
    hover_text = _("{token}\nrow {row} moved by {move}: {reason}")
    positive = moves[moves > 0]
    # Where the far moves are a hundred times the near ones, only a logarithm shows both.
    logarithmic = len(positive) > 1 and float(positive.max() / positive.min()) > 100

    def draw(title: str = "") -> Figure:
        return row_moves_figure(
            moves,
            why,
            row_ids=rows,
            labels=labels,
            reasons=reasons,
            x_title=x_title,
            y_title=y_title,
            theme=look,
            chosen=rows.index(token_id) if token_id in rows else None,
            logarithmic=logarithmic,
            hover_text=hover_text,
            title=title,
        )

    alt = _("{shown} of {rows} rows: {moved} moved, by up to {most:.3g}; {still} stood still.").format(
        shown=len(rows),
        rows=request.vocab_size,
        moved=int((moves > 0).sum()),
        most=float(moves.max()),
        still=int((moves == 0).sum()),
    )
    chart("row-moves", draw, alt=alt, table=lambda: moves_csv(steps_of(request, wanted)[-1], rows), title=heading)
    if len(rows) < request.vocab_size:
        st.caption(
            _("{shown} rows are drawn: all that were looked up, and others evenly from the {rows:,}.").format(
                shown=len(rows), rows=request.vocab_size
            )
        )


def _reason_titles() -> dict[str, str]:
    return {
        "still": _("did not move"),
        "looked_up": _("looked up"),
        "softmax": _("through the tied output"),
        "momentum": _("remembered gradient"),
        "decay": _("weight decay alone"),
    }


def moves_csv(step: RowStep, rows: Sequence[int]) -> str:
    """Write one line per row: how often it was looked up, its gradient, how far it moved, and why."""
    lines = (
        [
            row,
            int(step.counts[row]),
            float(step.gradient_norms[row]),
            float(step.moves[row]),
            MOVE_REASONS[step.why[row]],
        ]
        for row in rows
    )
    return lines_csv(["row", "looked_up", "gradient", "moved", "why"], lines)
