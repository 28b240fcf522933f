"""The rows as a cloud that moves, along axes that do not."""

import hashlib

import numpy as np
import streamlit as st

from embedlib.figures import KINDS as COLOURS
from embedlib.figures import cloud_figure
from embedlib.grammar import GROUPS, KINDS
from embedlib.projection import RowAxes
from ui.components.point_cloud.motion import LABELS, NONE, RowMotion, row_motion, row_motion_frames
from ui.export import Drawing, LabelledPoints, figure_drawing, save_menu
from ui.i18n import _, join_sentences, separator, translate_labels
from ui.markdown import as_code
from ui.settings import controls, state
from ui.shared.page import current_theme
from ui.training import step_results
from ui.training.view import Recording, TrainingView, default_word

HEIGHT = 760
_BESIDE = 330  # px of a window that are not the picture's: what stands over it, and its slider
_NAMED = 10  # neighbours of the chosen word that keep their names
_KEY = "train-cloud"
_OTHERS = "#767c85"  # words of no known kind


def step_in_view(recording: Recording) -> int:
    """Return the step in view: the stored one nearest to the reader's choice, else the newest."""
    wanted: int | None = state.get("train_step")
    if wanted is None:
        return recording.last
    return min(recording.kept_steps, key=lambda step: (abs(step - wanted), step))


def current_view(recording: Recording) -> TrainingView:
    """Return the view of a recording that the panels draw."""
    words = recording.history.words
    word = state.get("train_word")
    return TrainingView(
        recording=recording,
        step=step_in_view(recording),
        word=words.index(word) if word in words else None,
        axes=recording.run.axes(state.get("train_axes"), state.get("train_fit")),
    )


def picture_sidebar(*, has_kinds: bool) -> None:
    """Draw the choice of the axes and of their number."""
    with st.sidebar:
        st.subheader(_("Picture"))
        if has_kinds:
            controls.control("train_axes", titles={"kinds": _("the kinds"), "principal": _("all rows")})
        controls.control(
            "train_fit",
            titles={"ahead": _("early in training"), "last": _("at the end")},
            help=_("The axes are computed once and then held fixed, so that only the points move."),
        )
        controls.control("train_view", titles={"2d": _("2-D"), "3d": _("3-D")})


def cloud(view: TrainingView, about: str) -> None:
    """Draw the cloud with its slider, below it the text's description, and apply clicks there."""
    done = _moving_cloud(view)
    st.caption(join_sentences(about, axes_sentence(view)))
    _apply_choice(view, done.step, done.chosen)


def _moving_cloud(view: TrainingView) -> RowMotion:
    recording, axes = view.recording, view.axes
    run, kept = recording.run, recording.kept_steps
    put_back = "|put back" if recording.state == "diverged" else ""  # the browser lets go of what led astray
    name = f"{_digest(recording)}|{axes.basis}-{axes.step}{put_back}"
    groups, group_of = list(GROUPS) if recording.has_kinds else [], _group_indices(view)
    kind_names = list(KINDS) if recording.has_kinds else []
    kind_of = [NONE if kind is None else kind_names.index(kind) for kind in view.kinds]
    colours = COLOURS[current_theme()]
    following = recording.state == "training" and state.get("train_step") is None
    save_menu(words_at_step, view)
    return row_motion(
        run=name,
        steps=kept,
        frames=row_motion_frames(kept, [run.places(axes, step) for step in kept], run=name),
        follow=following,
        step=view.step,
        labels=view.words,
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
        texts=translate_labels(LABELS),
        height=HEIGHT,
        beside=_BESIDE,
        replay=state.get("train_step") is None,
        key=_KEY,
        on_change=state.dismiss_notices,
    )


def _group_indices(view: TrainingView) -> list[int]:
    """Return the index of each word's group in GROUPS; NONE for words of no known kind."""
    places = {group: place for place, group in enumerate(GROUPS)}
    return [NONE if kind is None else places[KINDS[kind].group] for kind in view.kinds]


def words_at_step(view: TrainingView) -> Drawing:
    """Draw the words' coordinates at the step in view."""
    words, group_of = view.words, _group_indices(view)
    points = np.asarray(view.recording.run.places(view.axes, view.step), dtype=np.float32)
    dimensions, palette = 2 if state.get("train_view") == "2d" else 3, [*COLOURS["light"], _OTHERS]
    kinds = [(index, _(GROUPS[group])) for index, group in enumerate(GROUPS)] if view.recording.has_kinds else []
    kinds += [(len(palette) - 1, _("all others"))] if kinds and NONE in group_of else []
    named = {*range(min(_NAMED, len(words))), *(row for row, _cosine in _neighbours(view))}
    return figure_drawing(
        "training-words",
        _("Words at step {step:,}").format(step=view.step),
        LabelledPoints(np.arange(len(words)), words, points, {"rows": view.rows}),
        cloud_figure,
        points[:, :dimensions],
        key=_KEY,
        source=_("trained here, {steps:,} steps").format(steps=view.recording.last),
        labels=words,
        colours=np.array([len(palette) - 1 if group == NONE else group for group in group_of], dtype=np.uint8),
        palette=palette,
        kinds=kinds,
        axis_titles=_titles(view.axes)[:dimensions],
        named=sorted(named | ({view.word} if view.word is not None else set())),
    )


def provenance(view: TrainingView) -> str:
    """Return a sentence on the source of the numbers."""
    run, seed = view.recording.run, view.request.config.seed
    if run.begun_at:
        return _("Trained elsewhere to step {begun:,}, then here, with seed {seed} on {device}.").format(
            begun=run.begun_at, seed=seed, device=str(run.device).upper()
        )
    return _("Trained here, with seed {seed} on {device}.").format(seed=seed, device=str(run.device).upper())


def implementation_note(view: TrainingView) -> str:
    """Return where the numbers come from, and how the loss is computed fast."""
    shared = _(
        "All pairs of a step share one draw of random words, weighted to count as {negatives} each: one product of "
        "matrices instead of many single products. Random words are drawn by frequency to the power of ¾, neighbours "
        "by distance, and very frequent words are skipped at times (Mikolov et al. 2013). Each word has a second row "
        "for its part as a neighbour or a random word, which is trained likewise and then dropped. The optimizer is "
        "AdamW, which lets a row move on for a few steps after it was read."
    )
    return join_sentences(provenance(view), shared.format(negatives=view.request.config.negatives))


def axes_sentence(view: TrainingView) -> str:
    """Return a sentence on the axes, and the share of the rows' variance on them at this step."""
    axes, recording = view.axes, view.recording
    sentence = (
        _(
            "The axes are those along which the kinds of words differ most. They were computed from the rows of step "
            "{fitted:,} and stay fixed, so that only the points move."
        )
        if axes.basis == "kinds"
        else _(
            "The axes are those along which the rows differ most. They were computed from the rows of step {fitted:,} "
            "and stay fixed, so that only the points move."
        )
    ).format(fitted=axes.step)
    if recording.has_kinds and (others := view.kinds.count(None)):
        sentence = join_sentences(_("Grey: {count:,} words of no kind.").format(count=others), sentence)
    if recording.state == "training" and view.step == recording.last:
        return sentence  # the picture runs on: a sentence that names a step would be behind it
    shares = axes.shares(view.rows)[: 2 if state.get("train_view") == "2d" else 3]
    held = _("At step {step:,} the picture shows {share:.0%} of the differences between the rows.").format(
        share=float(shares.sum()), step=view.step
    )
    return join_sentences(sentence, held)


def _apply_choice(view: TrainingView, wanted: int | None, chosen: int | None) -> None:
    """Apply a chosen step or word with a full rerun, since only full reruns write the link."""
    recording = view.recording
    if wanted is not None:
        newest = wanted == recording.last
        state.put(train_step=None if newest else wanted)
    if chosen != view.word:
        state.put(train_word="" if chosen is None else view.words[chosen])
    if chosen != view.word or (wanted is not None and wanted != view.step):
        st.rerun()


def _neighbours(view: TrainingView) -> list[tuple[int, float]]:
    if view.word is None:
        return []
    around = step_results.neighbour_ranks_at(view.recording, view.step, view.word)
    return [(row, float(around.similarities[row])) for row in around.nearest(_NAMED)]


def _titles(axes: RowAxes) -> list[str]:
    title = _("axis {number} of the kinds") if axes.basis == "kinds" else _("axis {number} of all rows")
    return [title.format(number=number) for number in (1, 2, 3)]


def _digest(recording: Recording) -> str:
    return hashlib.blake2b(repr(recording.request).encode(), digest_size=8).hexdigest()


def note_missing(view: TrainingView) -> None:
    """Show which step or word is in view instead of the requested one."""
    for sentence in (_missing_step_sentence(view.recording), _missing_word_sentence(view)):
        if sentence:
            st.warning(sentence)


def _missing_step_sentence(recording: Recording) -> str | None:
    wanted: int | None = state.get("train_step")
    in_view = step_in_view(recording)
    if wanted is None or wanted == in_view:
        return None
    if wanted > recording.request.config.steps:
        reason = _("Step {asked:,} is past the end:")
    elif recording.state == "training":
        return None
    elif wanted > recording.last:
        reason = _("Step {asked:,} is not trained yet:")
    else:
        reason = _("Step {asked:,} was not kept:")
    return reason.format(asked=wanted) + separator(" ") + _("showing step {step:,}.").format(step=in_view)


def _missing_word_sentence(view: TrainingView) -> str | None:
    wanted = state.get("train_word")
    if not wanted or wanted in view.words:
        return None
    return _("No row for {asked}: showing {shown}.").format(
        asked=as_code(wanted[:40]), shown=as_code(view.words[default_word(view)])
    )
