"""The request of the extrapolation page, in plain values that decide every number, its runs, and their text."""

from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field, replace
from hashlib import sha256

import streamlit as st

from embedlib.errors import CodedError
from embedlib.extrapolation import (
    EXPERIMENTS,
    FIRST_SEEDS,
    MANUAL,
    Experiment,
    Measure,
    Shape,
    Size,
    Task,
    TextTask,
    Unit,
    experiment_units,
)
from embedlib.positional import FormulaError
from embedlib.texts import repeated_share
from ui.cache.bounded import memo
from ui.extrapolation.outcomes import has_wide
from ui.i18n import _
from ui.settings import OwnScheme, state
from ui.shared import rules
from ui.shared.own_scheme import show_scheme_problem
from ui.shared.text.source import Source, choose_text, manual_text

_WINDOW, _MUCH = 64, 0.1  # characters, and the share of them that is worth a word
# Measures that say something of an experiment; the first is its own.
MEASURES: dict[str, tuple[Measure, ...]] = {
    "sort": ("exact", "accuracy", "loss"),
    "back": ("accuracy", "exact", "loss"),
    "text": ("perplexity", "loss", "accuracy"),
    "scaling": ("perplexity", "loss", "accuracy"),
}


@dataclass(frozen=True)
class Request:
    """Runs of one experiment that differ in scheme and seed, and what of their scores is shown.

    Attributes:
        experiment: key of EXPERIMENTS.
        schemes: to compare, keys of SCHEMES or entries of ``own``; ("rope",) where the scalings of one run are.
        source: MANUAL, "text" and the digest of another text, or "" where there is none.
        size: key of the experiment's shapes.
        here: whether runs of this server are shown, even where some ship with the project.
        own: the reader's own schemes among them.
        text: that is trained on; None for the manual, or where there is none.
    """

    experiment: str
    schemes: tuple[str, ...]
    seeds: tuple[int, ...]
    n_steps: int
    learning_rate: float
    source: str
    size: Size
    measure: Measure
    here: bool
    own: tuple[OwnScheme, ...] = ()
    text: str | None = field(default=None, repr=False, compare=False)

    @property
    def whole(self) -> Experiment:
        """The experiment."""
        return EXPERIMENTS[self.experiment]

    @property
    def shape(self) -> Shape:
        """Shape of the decoder that is trained."""
        return self.whole.shapes[self.size]

    @property
    def units(self) -> tuple[Unit, ...]:
        """Every run, all schemes with the first seed before the next seed."""
        return experiment_units(
            self.experiment,
            schemes=self.schemes,
            seeds=self.seeds,
            n_steps=self.n_steps,
            learning_rate=self.learning_rate,
            source=self.source,
            size=self.size,
            formulas=self.formulas,
        )

    @property
    def formulas(self) -> dict[str, dict[str, str]]:
        """The reader's own schemes by their entries, as formulas."""
        return {one.entry: one.arguments for one in self.own}

    @property
    def named_units(self) -> tuple[tuple[Unit, Mapping[str, str]], ...]:
        """Each of ``units``, with the name that each of ``lines`` has in its scores."""
        entries = self.schemes * len(self.seeds)
        return tuple(
            (unit, {name: name for name in unit.lines} if self.whole.scales_rope else {entry: unit.scheme})
            for unit, entry in zip(self.units, entries, strict=True)
        )

    @property
    def lines(self) -> tuple[str, ...]:
        """The compared lines: keys of SCHEMES, or of SCALINGS."""
        return self.whole.lines if self.whole.scales_rope else self.schemes

    def task(self) -> Task:
        """Return the task, built once for each text."""
        return _build_task(self)


def _task_key(request: Request) -> tuple[str, str, Size]:
    return "text" if request.whole.needs_text else request.experiment, request.source, request.size


# Texts as ids: the manual takes 4 MB, a file of the greatest size 40.
@memo(200_000_000, size=lambda task: _task_bytes(task), key=_task_key)
def _build_task(request: Request) -> Task:
    text = (manual_text() if request.text is None else request.text) if request.whole.needs_text else None
    return request.whole.task(text, size=request.size)


def default_request(experiment: str, schemes: tuple[str, ...]) -> Request:
    """Return the request for an experiment's shipped runs, whatever the controls say."""
    whole = EXPERIMENTS[experiment]
    shape = whole.shapes["small"]
    return Request(
        experiment=experiment,
        schemes=("rope",) if whole.scales_rope else schemes,
        seeds=FIRST_SEEDS,
        n_steps=shape.n_steps,
        learning_rate=shape.learning_rate,
        source=MANUAL if whole.needs_text else "",
        size="small",
        measure=whole.measure,
        here=False,
    )


def checked_request(source: Source | None) -> Request | None:
    """Build a request from the controls and the text, or show in one sentence why there is none."""
    experiment = state.get("experiment")
    whole = EXPERIMENTS[experiment]
    size: Size = state.get("ext_size") if has_wide(experiment) else "small"
    shape = whole.shapes[size]
    small = size == "small"  # the other is shown as it was trained, and not trained here
    text = source.text if source is not None and source.is_own else None
    measure, chosen = state.get("ext_measure"), state.get("ext_schemes")
    request = Request(
        experiment=experiment,
        schemes=("rope",) if whole.scales_rope else tuple(chosen),
        seeds=tuple(range(state.get("ext_seeds"))),
        n_steps=(state.get("ext_steps") if small else None) or shape.n_steps,
        learning_rate=state.get("ext_rate") if small else shape.learning_rate,
        source="" if not whole.needs_text else MANUAL if text is None else f"text {_digest(text)}",
        size=size,
        measure=measure if measure in MEASURES[experiment] else whole.measure,
        here=state.get("ext_runs") == "here" and small,
        own=() if whole.scales_rope else tuple(one for one in state.get("formulas") if one.entry in chosen),
        text=text,
    )
    if text is not None and request.schemes:
        if not _is_long_enough(text, request):
            return None
        warn_of_repetition(text)
    request = _without_faults(request)
    if not request.schemes:
        st.info(_("Choose at least one scheme."))
        return None
    return request


def _without_faults(request: Request) -> Request:
    """Leave out schemes with faults, each with a notice."""
    typed = {one.entry: one for one in request.own}
    kept = []
    for entry in request.schemes:
        fault = None
        if entry.startswith("formula:"):
            # One that was removed, or is not in the link, says nothing.
            fault = _training_fault(request, typed[entry]) if entry in typed else FormulaError("nothing", line="rows")
        if fault is None:
            kept.append(entry)
        else:
            show_scheme_problem(rules.formula_problem(entry, fault), entry)
    return replace(request, schemes=tuple(kept), own=tuple(one for one in request.own if one.entry in kept))


@memo(key=lambda request, one: (*_task_key(request), request.experiment, tuple(one.arguments.items())))
def _training_fault(request: Request, one: OwnScheme) -> FormulaError | None:
    """Return the fault that keeps a scheme from being trained; None where there is none."""
    try:
        replace(request, schemes=(one.entry,), own=(one,)).units[0].config(request.task())
    except FormulaError as error:
        return error.with_traceback(None)
    return None


def _is_long_enough(text: str, request: Request) -> bool:
    greatest = request.shape.lengths[-1]
    try:
        with suppress(CodedError):
            request.task()
            return True
        TextTask(text, length=greatest)  # which says how much the greatest length needs
    except CodedError as error:
        sentence = _("The text has {count:,} of {least:,} characters: add more.")
        st.warning(sentence.format(count=error.values["n_characters"], least=error.values["least"]))
    return False


@memo()
def _digest(text: str) -> str:
    return sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:16]


def _task_bytes(task: Task) -> int:
    return task.ids.nbytes + 4 * len(task.text) if isinstance(task, TextTask) else 1_000


def text_choice() -> Source:
    """Draw the choice of a text and its controls; return the text that is in view."""
    source = choose_text(
        "ext_text",
        {"manual": _("Python’s manual"), "text": _("Your text"), "own": _("Your file")},
        label=_("Training text"),
        instead="manual",
        no_file=lambda: st.caption(_("No file yet: training on Python’s manual.")),
        about_file=lambda file: st.caption(_("Training on {file} (this session only).").format(file=file)),
    )
    if source.name == "text":
        st.caption(_("{count:,} characters.").format(count=len(source.text)))
    return source


def warn_of_repetition(text: str) -> None:
    """Warn where much of the test text also occurs in the training text."""
    share = _repeated_share(text)
    if share >= _MUCH:
        st.warning(
            _(
                "{share:.0%} of the test’s {length}-character windows are in the training text: results measure memory."
            ).format(share=share, length=_WINDOW)
        )


@memo()
def _repeated_share(text: str) -> float:
    return repeated_share(text, len(text) - len(text) // 10, length=_WINDOW)
