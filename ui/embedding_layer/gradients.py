"""Training steps of a small language model: which rows of E move, how far, and why."""

import math
from dataclasses import dataclass, replace

import numpy as np
import streamlit as st
import torch

from embedlib.embedding import (
    INITIALISATIONS,
    MAX_TRAINED_NUMBERS,
    MOVE_REASONS,
    ROW_OPTIMIZERS,
    TIED_LOGITS,
    UNTIED_LOGITS,
    RowOptimizer,
    RowStep,
    gradient_bytes,
    rows_to_show,
    step_texts,
    train_rows,
)
from embedlib.errors import CodedError
from embedlib.figures import row_moves_figure
from embedlib.i18n import N_
from ui.cache.bounded import memo
from ui.embedding_layer import cache
from ui.embedding_layer.request import Request
from ui.export import Blocks, Drawing, figure_drawing, show
from ui.i18n import _, join_sentences, separator
from ui.settings import Real, controls, state
from ui.shared.formats import format_bytes
from ui.shared.page import section
from ui.shared.rows import LEARNED

SHORT = "normal_0.02"  # a start under which tied weights move every row
SHOWN = 16  # rows whose marks and names are apart
OTHERS = 8  # at least so many that were not looked up, where more than SHOWN were
OWN_RATE = "layer_rate_own"  # in the session: whether the reader has set the learning rate


@dataclass(frozen=True)
class Training:
    """Settings of the training, in plain hashable values."""

    optimizer: str
    rate: float
    tied: bool
    count: int  # of steps


@section(
    "layer-learning",
    N_("Which rows learn"),
    lead=N_(
        "Where do the numbers of E come from? They are learned. A small model reads your text and predicts "
        "each next token from the row of the token before; then training moves the rows a little, so that the "
        "prediction gets better. Only rows of tokens that were read get a gradient, the direction in which the error "
        "grows fastest; training moves the row the other way. There is one exception: the last layer of a language "
        "model compares its output with a row for each token. If it uses E for that (tied weights), all rows get a "
        "gradient."
    ),
)
def which_rows_learn(request: Request) -> None:
    """Draw the controls and how far each row moved, or why no step can be trained."""
    _controls()
    steps = chosen_training()
    try:
        step = row_steps(request, steps)[-1]
    except CodedError as refusal:
        st.info(_refusal_sentence(refusal, steps))
        return
    st.write(moved_rows_sentence(request, steps, step))
    explain_lost_gradients(request, steps, step)
    show(row_moves, request, steps)
    if (count := len(shown_rows(request, steps))) < request.vocab_size:
        caption = _("Drawn are {shown} of {rows:,} rows, among them all that were looked up.")
        st.caption(caption.format(shown=count, rows=request.vocab_size))
    show_gradient_size(request, steps, step)


def _controls() -> None:
    left, middle, right = st.columns([2, 1, 1], vertical_alignment="bottom")
    with left:
        controls.control(
            "layer_optimizer", titles=lambda name: ROW_OPTIMIZERS[name].title, on_change=_apply_default_rate
        )
    with middle:
        _rate_control()
    with right:
        controls.control("layer_steps", help=_("Each step reads its own part of the tokens."))
    controls.control("layer_tied", help=_("The output layer uses the rows of E as its own weights, as in GPT-2."))
    kind = ROW_OPTIMIZERS[state.get("layer_optimizer")]
    formula, sentence = st.columns([1, 1], gap="large")
    formula.latex((TIED_LOGITS if state.get("layer_tied") else UNTIED_LOGITS) + r"\qquad " + kind.formula)
    sentence.write(_("**{title}.** {summary}").format(title=kind.title, summary=_optimizer_sentence(kind)))
    st.caption(_letters_sentence(kind))


def _letters_sentence(kind: RowOptimizer) -> str:
    """Return what the letters of the two formulas stand for."""
    said = [
        _(
            "h is the vector that the model computes from the token before. Its dot product with the row of a token is "
            "that token’s logit: the larger it is, the more likely the model takes this token to come next."
        ),
        _("These rows are those of E.")
        if state.get("layer_tied")
        else _("These rows are those of W, a second matrix."),
        _(
            "The arrow says that the new row takes the place of the old one. η is the learning rate: the larger it is, "
            "the farther a step goes."
        ),
        _("gᵢ is the gradient of row i.") if kind.name in ("sgd", "sparse_adam") else "",
        ""
        if kind.name == "sgd"
        else _(
            "m̂ᵢ and v̂ᵢ are running means of the gradient and of its square; ϵ is a tiny number that prevents a "
            "division by 0."
        ),
        _("λ is the weight decay: at each step a row loses the share η · λ of its length.")
        if kind.weight_decay
        else "",
    ]
    return join_sentences(*said)


def _optimizer_sentence(kind: RowOptimizer) -> str:
    """Return a sentence on which rows an optimizer moves, with tied or untied weights."""
    if not state.get("layer_tied"):
        return _(kind.summary)
    every = _("E is also the matrix of the output, so all rows learn.")
    return every + separator(" ") + _("Weight decay makes all rows a little shorter.") if kind.weight_decay else every


def _rate_control() -> None:
    kind, rule = ROW_OPTIMIZERS[state.get("layer_optimizer")], state.SETTINGS["layer_rate"]
    assert isinstance(rule, Real)
    controls.control(
        "layer_rate",
        st.number_input,
        rule.minimum,
        rule.maximum,
        label=_("Learning rate (usual: {rate:g})").format(rate=kind.learning_rate),
        step=kind.learning_rate / 10,
        format="%.9g",
        on_change=_save_rate,
    )


def _save_rate() -> None:
    st.session_state[OWN_RATE] = True


def _apply_default_rate() -> None:
    """Follow the optimizer with the learning rate, unless the reader has set one."""
    usual = {kind.learning_rate for kind in ROW_OPTIMIZERS.values()}
    if state.get("layer_rate") in usual and not st.session_state.get(OWN_RATE):
        state.put(layer_rate=ROW_OPTIMIZERS[state.get("layer_optimizer")].learning_rate)


def _refusal_sentence(refusal: CodedError, steps: Training) -> str:
    if refusal.code == "too_few_tokens":
        return _("{least} tokens are needed for so many steps: type more, or take fewer steps.").format(
            least=steps.count + 1
        )
    if refusal.code == "tied_needs_dense":
        return _("SparseAdam cannot train tied weights, whose gradient has no empty rows: untie them.")
    return _("These are too many tokens for one step: look up fewer.")


def chosen_training() -> Training:
    """Return the training settings from the controls."""
    return Training(*(state.get(f"layer_{name}") for name in ("optimizer", "rate", "tied", "steps")))


def trained_width(request: Request) -> int:
    """Return how many dimensions are trained: all, or as many as keep a step fast."""
    return max(1, min(request.d_model, MAX_TRAINED_NUMBERS // request.vocab_size))


@memo()
def row_steps(request: Request, training: Training) -> list[RowStep]:
    """Train the first dimensions of E on the tokens that are looked up; CodedError where that is impossible."""
    table = cache.full_matrix(request)[:, : trained_width(request)].cpu()
    steps = train_rows(
        table,
        step_texts(torch.tensor(request.token_ids), training.count),
        optimizer=training.optimizer,
        learning_rate=training.rate,
        tied=training.tied,
    )
    return [replace(step, table=step.table[:0].clone()) for step in steps]  # whole tables would fill the memory


def can_train(request: Request) -> bool:
    """Return whether the requested steps can be trained."""
    try:
        row_steps(request, chosen_training())
    except CodedError:
        return False
    return True


def moved_rows_sentence(request: Request, steps: Training, step: RowStep) -> str:
    """Return a sentence on how many rows moved, and why."""
    counts = {reason: int((step.reasons == index).sum()) for index, reason in enumerate(MOVE_REASONS)}
    moved, looked_up = request.vocab_size - counts["still"], int((step.counts > 0).sum())
    sentences = [
        _(
            "**In the last step {moved:,} of {rows:,} rows moved.** The step had read {count:,} different "
            "rows (the last token is only predicted)."
        ).format(moved=moved, rows=request.vocab_size, count=looked_up)
    ]
    if counts["softmax"]:
        sentences.append(
            _("The softmax at the output gave a gradient to {count:,} more.").format(count=counts["softmax"])
        )
    if counts["momentum"]:
        sentences.append(
            _("Rows that moved only because the optimizer remembers earlier gradients: {count:,}.").format(
                count=counts["momentum"]
            )
        )
    if counts["decay"]:
        sentences.append(_("Rows that weight decay alone made shorter: {count:,}.").format(count=counts["decay"]))
    if moved == looked_up and not steps.tied:
        sentences.append(_("The others have a gradient of 0 and stay where they are."))
    sentences.append(
        _(
            "The loss before the step was **{loss:.2f}**: that is −ln of the probability that the model gave to the "
            "right tokens, on average. Guessing blindly among {rows:,} tokens has ln {rows:,} = {guess:.2f}."
        ).format(loss=step.loss, rows=request.vocab_size, guess=math.log(request.vocab_size))
    )
    width = trained_width(request)
    if width < request.d_model:
        sentences.append(
            _("(To be quick, only the first {width} of the {d_model} dimensions are trained here.)").format(
                width=width, d_model=request.d_model
            )
        )
    return separator(" ").join(sentences)


def explain_lost_gradients(request: Request, steps: Training, step: RowStep) -> None:
    """Explain, where weights are tied, why the gradients of most rows vanish, with a button for shorter rows."""
    lost = (step.counts == 0) & (
        (step.reasons == MOVE_REASONS.index("still")) | (step.reasons == MOVE_REASONS.index("decay"))
    )
    if not steps.tied or not bool(lost.any()):
        return
    length = float(cache.full_matrix(request)[:, : trained_width(request)].norm(dim=1).mean())
    sentences = [
        _("**{count:,} rows have gradients too small for float32.**").format(count=int(lost.sum())),
        _(
            "Rows of length {length:.2g} have dot products of up to {square:.2g}; softmax then gives nearly "
            "all tokens a probability too small for float32."
        ).format(length=length, square=length**2),
    ]
    with st.container(border=True):
        st.write(separator(" ").join(sentences))
        if request.matrix in LEARNED or (request.matrix == "random" and request.start != SHORT):
            st.button(
                _("Start with short rows: “{start}”").format(start=_(INITIALISATIONS[SHORT].title)),
                key="layer_short_rows",
                on_click=_use_short_rows,
            )


def _use_short_rows() -> None:
    state.put(layer_matrix="random", layer_start=SHORT)


def show_gradient_size(request: Request, steps: Training, step: RowStep) -> None:
    """Show the size of a gradient of the whole table, and of one of only the rows that were looked up."""
    looked_up = int((step.counts > 0).sum())
    dense, sparse = (format_bytes(size) for size in gradient_bytes(request.vocab_size, request.d_model, looked_up))
    if steps.tied or looked_up == request.vocab_size:
        sentence = _("Stored in full, the gradient takes {dense}: it has a number for every number of E.")
    else:
        sentence = _(
            "Stored in full, the gradient takes {dense}, though {zeros:,} of its {rows:,} rows are 0. With "
            "`sparse=True` PyTorch stores only the other rows: {sparse}."
        )
    st.caption(
        sentence.format(dense=dense, zeros=request.vocab_size - looked_up, rows=request.vocab_size, sparse=sparse)
    )


def row_moves(request: Request, training: Training) -> Drawing:
    """Draw the last step: the rows that were looked up, and others evenly from the table."""
    step, rows = row_steps(request, training)[-1], shown_rows(request, training)
    moves, why = step.moves[rows], step.reasons[rows]
    chosen = state.get("token")
    token_id = None if chosen is None or chosen >= len(request.token_ids) else request.token_ids[chosen]
    titles = {
        "still": _("did not move"),
        "looked_up": _("looked up"),
        "softmax": _("moved by the softmax at the output"),
        "momentum": _("moved by remembered gradients"),
        "decay": _("shortened by weight decay alone"),
    }
    width, positive = trained_width(request), moves[moves > 0]
    y_title = _("length of the move")
    if width < request.d_model:
        y_title = _("length of the move in {width} dimensions").format(width=width)
    reasons = [MOVE_REASONS[reason] for reason in why.tolist()]
    columns = [np.array(rows), step.counts[rows].numpy(), step.gradient_norms[rows].numpy(), moves.numpy(), reasons]
    return figure_drawing(
        "row-moves",
        _("How far each row moved"),
        Blocks(
            ["row", "looked_up", "gradient", "moved", "why"],
            [columns],
            {"rows": torch.tensor(rows), "moves": moves, "why": why},
        ),
        row_moves_figure,
        moves,
        why,
        alt=_("{shown} of {rows} rows: {moved} moved, up to {most:.3g}").format(
            shown=len(rows), rows=request.vocab_size, moved=len(positive), most=float(moves.max())
        ),
        row_ids=rows,
        labels=[cache.row_label(request, row) or str(row) for row in rows],
        reasons=[titles[reason] for reason in MOVE_REASONS],
        x_title=_("rows of E"),
        y_title=y_title,
        chosen=rows.index(token_id) if token_id in rows else None,
        # Where the far moves are a hundred times the near ones, only a logarithm shows both.
        logarithmic=len(positive) > 1 and float(positive.max() / positive.min()) > 100,
        hover_text=_("{token}\nrow {row} moved by {move}: {reason}"),
    )


def shown_rows(request: Request, training: Training) -> list[int]:
    """Return which rows are drawn: all that were looked up, and others."""
    steps = row_steps(request, training)
    looked_up = len({row for step in steps for row in step.token_ids[:-1].tolist()})
    return rows_to_show(steps, limit=max(SHOWN, looked_up + OTHERS)).tolist()
