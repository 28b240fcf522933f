"""Questions of the batches page; each answer is computed from the plan and the batch in view."""

from dataclasses import replace

from ui.batches.batch import Batch
from ui.batches.request import Request
from ui.i18n import _
from ui.markdown import as_code
from ui.shared.questions import Question


def page_questions(request: Request, batch: Batch) -> list[Question]:
    """Ask about the number of windows, about a target, and about the position rows."""
    return [_window_count_question(request), _target_question(batch), _position_rows_question(batch)]


def _window_count_question(request: Request) -> Question:
    plan = request.plan
    stride = 1 if plan.stride != 1 else max(2, plan.max_length)
    n_windows = replace(plan, stride=stride, drop_last=False).n_windows
    values = {"needed": plan.max_length + 1, "last": plan.n_ids - plan.max_length - 1, "stride": stride}
    return Question(
        name="batches-windows",
        prompt=_("How many windows of {max_length:,} do {n_ids:,} tokens give at stride {stride:,}?").format(
            n_ids=plan.n_ids, max_length=plan.max_length, stride=stride
        ),
        answer=n_windows,
        explanation=_(
            "A window with its last target needs {needed:,} tokens, so it starts at token {last:,} at the "
            "latest. There are {last:,} // {stride:,} + 1 = {answer:,} starts."
        ).format(answer=n_windows, **values),
        hint_for=lambda given: _window_count_hint(given, n_windows, stride=stride, needed=plan.max_length + 1),
    )


def _window_count_hint(given: float | str, n_windows: int, *, stride: int, needed: int) -> str:
    if given == n_windows + 1:
        return _("One too many: the last window needs one more token, for its last target.")
    if given == n_windows - 1:
        return _("One too few: the first window starts at token 0, and counts too.")
    return _(
        "Windows start at 0, {stride:,}, {twice:,}, …: count those starts after which {needed:,} tokens are left."
    ).format(stride=stride, twice=2 * stride, needed=needed)


def _target_question(batch: Batch) -> Question:
    last = batch.inputs.shape[1] - 1
    target = int(batch.targets[0, -1])
    # The right one, the input at the same index, and the first of the window, each id once.
    places = {int(batch.inputs[0, 0]): 0, int(batch.inputs[0, -1]): last, target: last + 1}
    choices = {str(token_id): as_code(batch.label(0, places[token_id])) for token_id in sorted(places)}
    if len(choices) == 1:  # the window says one thing over and over
        choices["other"] = _("another token")
    tokens = {"token": as_code(batch.label(0, last)), "target": as_code(batch.label(0, last + 1))}
    return Question(
        name="batches-target",
        prompt=_("What is the target of {token}, the last input of sequence 0?").format(**tokens),
        answer=str(target),
        choices=choices,
        explanation=_("In the text {target} (id {id:,}) follows {token}, so it is the target.").format(
            **tokens, id=target
        ),
        hint=_("Look in the text for the token after the window."),
    )


def _position_rows_question(batch: Batch) -> Question:
    n_samples, max_length = batch.inputs.shape
    return Question(
        name="batches-positions",
        prompt=_("How many different position rows does this batch use?"),
        answer=max_length,
        explanation=_(
            "{max_length:,}, one for each position of a window. Sequences of the batch: {n_samples:,}; all "
            "use the same rows."
        ).format(n_samples=n_samples, max_length=max_length),
        hint_for=lambda given: (
            _("Positions start again at 0 in every sequence.")
            if given == n_samples * max_length
            else _("Choose “Position rows” at the block and compare two sequences.")
        ),
    )
