"""What the batches page asks at its end; each answer is worked out from the plan and the batch in view."""

from dataclasses import replace

from ui.batches.batch import Batch
from ui.batches.request import Request
from ui.i18n import _
from ui.markdown import as_code
from ui.questions import Question, questions


def ask(request: Request, batch: Batch) -> None:
    """Ask about the number of windows, about a target, and about the position rows."""
    questions([_windows(request), _target(batch), _positions(batch)])


def _windows(request: Request) -> Question:
    plan = request.plan
    stride = 1 if plan.stride != 1 else max(2, plan.max_length)
    n_windows = replace(plan, stride=stride, drop_last=False).n_windows
    last_start = plan.n_ids - plan.max_length - 1
    return Question(
        name="batches-windows",
        prompt=_(
            "The text has {n_ids:,} tokens and a window holds {max_length:,}. How many windows would a stride of "
            "{stride:,} give?"
        ).format(n_ids=plan.n_ids, max_length=plan.max_length, stride=stride),
        answer=n_windows,
        explanation=_(
            "A window and its targets need {needed:,} tokens, so the last window starts at {last:,} or before. Starts "
            "are 0, {stride:,}, {twice:,} and so on: {last:,} // {stride:,} + 1 = {answer:,}."
        ).format(needed=plan.max_length + 1, last=last_start, stride=stride, twice=2 * stride, answer=n_windows),
        hint=_("The last target is a token too: a window takes one token more than it holds."),
    )


def _target(batch: Batch) -> Question:
    last = batch.inputs.shape[1] - 1
    target = int(batch.targets[0, -1])
    # The right one, the input at the same place, and the first of the window: told apart by id, so none is there twice.
    places = {int(batch.inputs[0, 0]): 0, int(batch.inputs[0, -1]): last, target: last + 1}
    choices = {str(token_id): as_code(batch.label(0, places[token_id])) for token_id in sorted(places)}
    if len(choices) == 1:  # the window says one thing over and over
        choices["other"] = _("another token")
    said = {"token": as_code(batch.label(0, last)), "target": as_code(batch.label(0, last + 1))}
    return Question(
        name="batches-target",
        prompt=_("Row 0 of the inputs ends in {token}. Which token stands at the same place of the targets?").format(
            **said
        ),
        answer=str(target),
        choices=choices,
        explanation=_(
            "Targets are the inputs moved by one. After {token} the text goes on with {target}, id {id:,}: it lies "
            "past the end of the window, and is its last target."
        ).format(**said, id=target),
        hint=_("Look one token further in the text, past the end of the window."),
    )


def _positions(batch: Batch) -> Question:
    n_samples, max_length = batch.inputs.shape
    return Question(
        name="batches-positions",
        prompt=_(
            "The batch has {n_samples:,} × {max_length:,} = {places:,} places. How many different rows of the position "
            "table are added to them?"
        ).format(n_samples=n_samples, max_length=max_length, places=n_samples * max_length),
        answer=max_length,
        explanation=_(
            "Row p is added at place p of every sample, whatever token stands there: the table has {max_length:,} "
            "rows, and each is added {n_samples:,} times."
        ).format(max_length=max_length, n_samples=n_samples),
        hint=_("Put the position rows into the block and go from sample to sample: what changes?"),
    )
