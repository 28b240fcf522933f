"""The rows as a cloud that moves, along axes that do not."""

import hashlib

import numpy as np
import streamlit as st

from embedlib.figures import KINDS as COLOURS
from embedlib.grammar import GROUPS, KINDS
from embedlib.projection import RowAxes
from ui.components.point_cloud.motion import LABELS, NONE, row_motion, row_motion_frames
from ui.i18n import _, translated
from ui.settings import controls, state
from ui.shared.markdown import as_code
from ui.shared.page import current_theme
from ui.training import measured
from ui.training.view import Recording, TrainingView, word_of

HEIGHT = 760
_BESIDE = 500  # px of a window that are not the picture's: what stands over it, its slider and its legend
_NAMED = 10  # neighbours of the chosen word that keep their names
_KEY = "train-cloud"


def step_in_view(recording: Recording) -> int:
    """Return the step that all views show: the reader's, as near as one is kept, else the newest."""
    asked: int | None = state.get("train_step")
    if asked is None:
        return recording.last
    return min(recording.kept, key=lambda step: (abs(step - asked), step))


def view_of(recording: Recording) -> TrainingView:
    """Return what the panels are drawn from."""
    words = recording.history.words
    word = state.get("train_word")
    return TrainingView(
        recording=recording,
        step=step_in_view(recording),
        word=words.index(word) if word in words else None,
        axes=recording.axes(state.get("train_axes"), state.get("train_fit")),
    )


def picture_sidebar(*, has_kinds: bool) -> None:
    """Draw the choice of the axes and of their number."""
    with st.sidebar:
        st.subheader(_("Picture"))
        if has_kinds:
            _choice(
                "train_axes",
                _("Axes"),
                {"kinds": _("between kinds"), "principal": _("all rows")},
                _(
                    "Between kinds: the principal components of the mean row of each kind. All rows: those of every "
                    "row, which know nothing of kinds."
                ),
            )
        _choice(
            "train_fit",
            _("Axes are fitted"),
            {"ahead": _("early"), "last": _("at the end")},
            _(
                "The axes are fitted once and then held, so that what moves are the rows: early, from rows trained "
                "ahead of the picture, or to the rows of the last step once they are there."
            ),
        )
        _choice("train_view", _("Dimensions"), {"2d": _("2D"), "3d": _("3D")}, None)


def cloud(view: TrainingView, about: str) -> None:
    """Draw the cloud with its slider, and take up what the reader did there.

    Args:
        view: what is drawn.
        about: what the text is, in words.
    """
    recording, axes = view.recording, view.axes
    run, kept = recording.run, recording.kept
    words, kinds = view.words, view.kinds
    put_back = "|put back" if recording.state == "diverged" else ""  # the browser lets go of what led astray
    name = f"{_digest(recording)}|{axes.by}-{axes.fitted_at}{put_back}"
    row_motion_frames(kept, [run.places(axes, step) for step in kept], key=f"{_KEY}-frames", run=name)
    groups = list(GROUPS) if recording.has_kinds else []
    group_of = [NONE if kind is None else groups.index(KINDS[kind].group) for kind in kinds]
    kind_names = list(KINDS) if recording.has_kinds else []
    kind_of = [NONE if kind is None else kind_names.index(kind) for kind in kinds]
    colours = COLOURS[current_theme()]
    following = recording.state == "training" and state.get("train_step") is None
    done = row_motion(
        run=name,
        steps=kept,
        follow=following,
        step=view.step,
        labels=words,
        groups=bytes(group_of),
        legend=[
            (_(GROUPS[group]), colours[index], int(np.count_nonzero(np.array(group_of) == index)))
            for index, group in enumerate(groups)
        ],
        kinds=[_(KINDS[kind].title) for kind in kind_names],
        kind_of=bytes(kind_of),
        chosen=view.word,
        neighbours=_neighbours(view),
        axes=_titles(axes),
        dimensions=2 if state.get("train_view") == "2d" else 3,
        n_steps=recording.request.config.steps,
        texts=translated(LABELS),
        height=HEIGHT,
        beside=_BESIDE,
        replay=state.get("train_step") is None,
        key=_KEY,
        on_change=state.dismiss_notices,
    )
    _take(view, done.step, done.chosen)
    st.caption(" ".join([about, provenance(view), axes_sentence(view)]))


def _plays(view: TrainingView) -> bool:
    """Tell whether the picture runs on: a sentence that names a step would be behind it."""
    return view.recording.state == "training" and view.step == view.recording.last


def provenance(view: TrainingView) -> str:
    """Say where the numbers come from."""
    run, config = view.recording.run, view.request.config
    if _plays(view):
        return _("Trained here, seed {seed}, on {device}.").format(seed=config.seed, device=run.device)
    if run.begun_at:
        return _(
            "The rows at step {step:,} of {steps:,}, seed {seed}: trained elsewhere up to step {begun:,}, then here on "
            "{device}."
        ).format(step=view.step, steps=config.steps, seed=config.seed, begun=run.begun_at, device=run.device)
    return _("Trained here: step {step:,} of {steps:,}, seed {seed}, on {device}.").format(
        step=view.step, steps=config.steps, seed=config.seed, device=run.device
    )


def axes_sentence(view: TrainingView) -> str:
    """Say what the axes are, and how much of the rows' variance they show at this step."""
    axes = view.axes
    what = (
        _("The axes are the principal components of the kinds’ mean rows at step {fitted:,}, held for all steps.")
        if axes.by == "kinds"
        else _("The axes are the principal components of all rows at step {fitted:,}, held for all steps.")
    )
    said = [what]
    if axes.fitted_at > view.recording.last:
        said.append(_("For them the rows were trained ahead of the picture."))
    if not _plays(view):
        said.append(_("They show {share:.0%} of the rows’ variance at step {step:,}."))
    shares = axes.shares(view.rows)[: 2 if state.get("train_view") == "2d" else 3]
    return " ".join(said).format(fitted=axes.fitted_at, share=float(shares.sum()), step=view.step)


def _take(view: TrainingView, asked: int | None, chosen: int | None) -> None:
    """Take up a step or a word that the reader chose, in a whole run: the link is written in those only."""
    recording = view.recording
    if asked is not None:
        newest = asked == recording.last
        state.put(train_step=None if newest else asked)
    if chosen != view.word:
        state.put(train_word="" if chosen is None else view.words[chosen])
    if chosen != view.word or (asked is not None and asked != view.step):
        st.rerun()


def _neighbours(view: TrainingView) -> list[tuple[int, float]]:
    if view.word is None:
        return []
    found = measured.around(view.recording, view.step, view.word)
    return [(row, float(found.similarities[row])) for row in found.first(_NAMED)]


def _titles(axes: RowAxes) -> list[str]:
    title = _("kinds’ means, component {number}") if axes.by == "kinds" else _("rows, component {number}")
    return [title.format(number=number) for number in (1, 2, 3)]


def _digest(recording: Recording) -> str:
    return hashlib.blake2b(repr(recording.key).encode(), digest_size=8).hexdigest()


def _choice(setting: str, label: str, titles: dict[str, str], help_text: str | None) -> None:
    controls.choice_control(setting, label, titles, help_text=help_text)


def missing_said(view: TrainingView) -> None:
    """Say which step or word is shown in place of one that was asked for."""
    for sentence in (_step_missing(view.recording), _word_missing(view)):
        if sentence:
            st.warning(sentence)


def _step_missing(recording: Recording) -> str | None:
    asked: int | None = state.get("train_step")
    if asked is None:
        return None
    shown, steps = step_in_view(recording), recording.request.config.steps
    names = {"asked": asked, "shown": shown, "steps": steps}
    if asked > steps:
        return _("Step {asked:,} was asked for, but this training ends at step {steps:,}: that is shown.").format(
            **names
        )
    if asked == shown or recording.state == "training":
        return None
    if asked > recording.last:
        return _("Step {asked:,} was asked for, and the training is not there yet: step {shown:,} is in view.").format(
            **names
        )
    return _(
        "Step {asked:,} was asked for, but its rows were not kept: step {shown:,}, the nearest that was, is in view."
    ).format(**names)


def _word_missing(view: TrainingView) -> str | None:
    asked = state.get("train_word")
    if not asked or asked in view.words:
        return None
    return _("The word {asked} was asked for, but has no row: {shown} is in its place.").format(
        asked=as_code(asked[:40]), shown=as_code(view.words[word_of(view)])
    )
