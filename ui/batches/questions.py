"""What the batches page asks at its end; each answer is worked out from the plan and the batch in view."""

from dataclasses import replace

from ui.batches.batch import Batch
from ui.batches.request import Request
from ui.i18n import _
from ui.shared.markdown import as_code
from ui.shared.questions import Question, questions


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
        hint_for=lambda given: _hint_on_windows(given, n_windows, stride=stride, needed=plan.max_length + 1),
    )


def _hint_on_windows(given: float | str, n_windows: int, *, stride: int, needed: int) -> str:
    if given == n_windows + 1:
        return _("That is one too many: the last target is a token too, so a window takes one more than it holds.")
    if given == n_windows - 1:
        return _("That is one too few: the window that begins at token 0 counts as well.")
    return _(
        "Count the places where a window can begin: 0, {stride:,}, {twice:,} and so on, as long as {needed:,} tokens "
        "are left from there."
    ).format(stride=stride, twice=2 * stride, needed=needed)


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
        prompt=_("The inputs of sample 0 end in {token}. Which token is the target at that position?").format(**said),
        answer=str(target),
        choices=choices,
        explanation=_(
            "Targets are the inputs moved by one. After {token} the text goes on with {target}, id {id:,}: it lies "
            "past the end of the window, and is its last target."
        ).format(**said, id=target),
        hint_for=lambda given: (
            _("That is the input itself: its target is the token that follows it in the text.")
            if given == str(int(batch.inputs[0, -1]))
            else _("Look one token further in the text, past the end of the window.")
        ),
    )


def _positions(batch: Batch) -> Question:
    n_samples, max_length = batch.inputs.shape
    return Question(
        name="batches-positions",
        prompt=_(
            "The inputs have the shape ({n_samples:,}, {max_length:,}). How many different rows of the position "
            "table are added to its vectors?"
        ).format(n_samples=n_samples, max_length=max_length),
        answer=max_length,
        explanation=_(
            "Row p is added at position p of every sample, whatever token stands there: the table has {max_length:,} "
            "rows, and each is added {n_samples:,} times."
        ).format(max_length=max_length, n_samples=n_samples),
        hint_for=lambda given: (
            _("So many vectors are added, but not so many different ones: compare position 0 of two samples.")
            if given == n_samples * max_length
            else _("Let the block above hold the position rows and go from sample to sample: what changes?")
        ),
    )
