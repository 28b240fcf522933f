"""What each scheme does with a text that is longer than any in training, and how RoPE can be stretched to it."""

from collections.abc import Callable, Mapping, Sequence
from functools import partial

import streamlit as st
import torch
from plotly.graph_objects import Figure
from torch import Tensor

from embedlib.extrapolation import EXPERIMENTS, FinishedUnit, units_of
from embedlib.figures import Curve, curves_alt, curves_figure
from embedlib.positional import SCALINGS, SCHEMES
from ui.cache import schemes as scheme_cache
from ui.compare.distance import draw_curves
from ui.compare.request import Comparison
from ui.export import chart, columns_csv
from ui.i18n import _, ngettext
from ui.settings import controls, rules, state
from ui.settings.kinds import Whole
from ui.shared.page import current_theme
from ui.shared.schemes import SCALING_COLOURS, SCALING_TITLES, label_of, title_of
from ui.shared.scores import score_written, shipped_runs

# Two whose orders are each other's reverse, and a language model; with how many times the trained length is told.
BESIDE = {"sort": 2, "back": 2, "text": 8}


def past_training(shown: Comparison) -> None:
    """Show what happens past the trained length, scheme by scheme, and the ways to stretch RoPE."""
    st.header(_("Past the trained length"))
    trained = shown.n_positions
    rule = state.SETTINGS["length"]
    assert isinstance(rule, Whole)
    length = max(state.get("length"), trained + 1)
    if length > state.get("length"):
        sentence = _("A text of {length} is no longer than those in training; {shown} is shown instead.")
        st.warning(sentence.format(length=state.get("length"), shown=length))
    shown_length = controls.shown_instead("length", length)
    st.slider(
        _("Length of the text that is read; none in training was longer than {trained}").format(trained=trained),
        trained + 1,
        rule.maximum,
        **shown_length,
    )
    draw_curves(
        {key.name: scheme_cache.far(key, trained, length) for key in shown.keys},
        shown,
        shows=(trained, length),
        key="past",
        y_title=_("similarity, distance 0 = 1"),
        edge=(trained - 1, _("never seen in training")),
    )
    _verdicts(shown, length)
    trained_short(shown)
    stretched(shown, length)


def _verdicts(shown: Comparison, length: int) -> None:
    words = {
        "undefined": (_("undefined"), _("There is no row for position {trained} and those after it: an error.")),
        "continues": (_("continues"), _("The same rule holds at every length, so nothing changes in kind.")),
        "saturates": (_("saturates"), _("All distances beyond a limit share one value: far is far.")),
        "unseen angles": (
            _("unseen angles"),
            _("Waves or turns go on to angles that no text in training has reached."),
        ),
        "rescales": (_("rescales"), _("Distances count relative to the query's position.")),
    }
    cells: dict[str, list[str]] = {_("Scheme"): [], _("Past position {last}").format(last=shown.n_positions - 1): []}
    meanings: list[str] = []
    for key in shown.keys:
        verdict, meaning = words[SCHEMES[key.name].past_training]
        for column, text in zip(cells.values(), (title_of(key.name), verdict), strict=True):
            column.append(text)
        meanings.append(meaning.format(trained=shown.n_positions))
    alt = _("What each scheme does at a length of {length}.").format(length=length)
    st.table(cells | {_("Which means"): meanings}, border="horizontal", hide_index=True, alt=alt)


def trained_short(shown: Comparison) -> None:
    """Say what the chosen schemes scored past the trained length, with where that comes from, and lead there."""
    lines = [line for name in BESIDE if (line := _line(name, shown))]
    if lines:
        st.markdown(_("**Trained short, tested long** by small decoders:") + "\n" + "\n".join(lines))
        st.caption(
            _(
                "The trained length of {length} above is assumed for the picture; these runs were trained, at "
                "lengths of {lengths}."
            ).format(length=shown.n_positions, lengths=_lengths())
            + " "
            + _origin(shown)
        )
    st.page_link(
        "../pages/extrapolation.py", label=_("Every length, and runs of your own"), icon=":material/arrow_forward:"
    )


def _line(experiment: str, shown: Comparison) -> str:
    """Return one experiment's scores as an item of a list; nothing where no run of these schemes ships."""
    whole, shape = EXPERIMENTS[experiment], EXPERIMENTS[experiment].shapes["small"]
    length = BESIDE[experiment] * shape.trained_length
    scores = {key.name: _mean_at(experiment, key.name, length) for key in shown.keys}
    told = [
        f"{label_of(name)} {score_written(score, whole.measure)}" for name, score in scores.items() if score is not None
    ]
    if experiment == "text":
        before = {name: _mean_at(experiment, name, shape.trained_length) for name in scores}
        told = [
            _("{name} {trained} and {score}").format(
                name=label_of(name),
                trained=score_written(trained, whole.measure),
                score=score_written(score, whole.measure),
            )
            for name, score in scores.items()
            if score is not None and (trained := before[name]) is not None
        ]
    if not told:
        return ""
    sentence = {
        "sort": _("sorting {twice} values, trained on up to {trained}, whole answers right: {scores}."),
        "back": _("looking three back in {twice} positions, trained on up to {trained}, tokens right: {scores}."),
        "text": _(
            "guessing the next character, trained on windows of {trained}, perplexity at {trained} and at {twice} "
            "(lower is better): {scores}."
        ),
    }[experiment]
    return "- " + sentence.format(twice=length, trained=shape.trained_length, scores=", ".join(told))


def _mean_at(experiment: str, scheme: str, length: int) -> float | None:
    """Return the mean over the seeds of a scheme's runs that ship, at a length; None where there is none."""
    whole = EXPERIMENTS[experiment]
    place = whole.shapes["small"].lengths.index(length)
    found = [getattr(one.scores[scheme][place], whole.measure) for one in _shipped(experiment, (scheme,))]
    return sum(found) / len(found) if found and None not in found else None


def _lengths() -> str:
    """Return the lengths at which the runs were trained, as a list in a sentence."""
    *first, last = (str(EXPERIMENTS[name].shapes["small"].trained_length) for name in BESIDE)
    return _("{first} and {last}").format(first=", ".join(first), last=last)


def _shipped(experiment: str, schemes: Sequence[str]) -> list[FinishedUnit]:
    """Return the runs that ship with the experiment's own settings."""
    return [shipped_runs()[unit] for unit in units_of(experiment, schemes=schemes) if unit in shipped_runs()]


def _origin(shown: Comparison) -> str:
    """Say where the scores come from."""
    runs = [one for name in BESIDE for one in _shipped(name, [key.name for key in shown.keys])]
    n_seeds = len({one.unit.seed for one in runs})
    origins = [one.provenance for one in runs]
    told = "; ".join(
        _("{machine}, computed on {device}, {date}, version {versions}").format(
            machine=machine,
            device=device,
            date=date,
            versions=", ".join(
                sorted(
                    {one.version for one in origins if (one.machine, one.device, one.date) == (machine, device, date)}
                )
            ),
        )
        for machine, device, date in sorted({(one.machine, one.device, one.date) for one in origins})
    )
    return ngettext(
        "Runs that ship with the project, one seed: {told}.",
        "Runs that ship with the project, means of {count} seeds: {told}.",
        n_seeds,
    ).format(count=n_seeds, told=told)


def stretched(shown: Comparison, length: int) -> None:
    """Show how far each scaling turns the pairs of columns at a length, and how slowly."""
    st.subheader(_("Stretching RoPE to this length"))
    trained = shown.n_positions
    d_model, heads = state.get("d_model"), state.get("heads")
    problem = rules.broken_scheme_rule("rope", d_model=d_model, n_heads=heads)
    if problem:
        st.info(problem)
        return
    reaches = _reaches(d_model, heads, trained, length)
    shows = (d_model, heads, _parameters("none", trained, length), length)
    known = scheme_cache.reach(d_model, heads, _parameters("none", trained, length), trained)  # (n_pairs,) radians
    st.write(
        _(
            "The text is {factor:.3g} times as long as in training. Each way to scale the turns brings some pairs "
            "of columns back to angles that training has met."
        ).format(factor=length / trained)
    )
    farthest, waves = st.columns(2)
    with farthest:
        _farthest({name: (reach / known).float() for name, reach in reaches.items()}, shows)
    with waves:
        turns = {name: (2 * torch.pi * (length - 1) / reach).float() for name, reach in reaches.items()}
        _waves(turns, trained, shows)
    whole = int((known >= 2 * torch.pi).sum())
    st.caption(
        _(
            "{whole} of {pairs} pairs went full circle in training and have met every angle; the others have not. "
            "Linear interpolation slows all pairs down alike; the others spare the fast ones, which tell neighbours "
            "apart. Dynamic NTK stretches for the length at hand, so at this length it is NTK."
        ).format(whole=whole, pairs=len(known))
    )


def _farthest(turns: Mapping[str, Tensor], shows: tuple[object, ...]) -> None:
    alt = _("{lines} scalings over {points} pairs: the last position turns {lowest:.2f} to {highest:.2f} times as far.")
    draw = partial(
        curves_figure,
        y_title=_("farthest turn, in training = 1"),
        level=(1.0, _("as far as in training")),
        hover_text=_("{name}\npair {x}: {y} times as far"),
    )
    _chart(turns, draw, shows, key="reach", name="rope-farthest-turns", alt=alt)


def _waves(positions: Mapping[str, Tensor], trained: int, shows: tuple[object, ...]) -> None:
    alt = _("{lines} scalings over {points} pairs: a full turn takes {lowest:.1f} to {highest:.0f} positions.")
    draw = partial(
        curves_figure,
        y_title=_("positions for a full turn"),
        level=(float(trained), _("trained length")),
        logarithmic=True,
        hover_text=_("{name}\npair {x}: a turn in {y} positions"),
    )
    _chart(positions, draw, shows, key="waves", name="rope-full-turns", alt=alt)


def _chart(
    lines: Mapping[str, Tensor],
    draw: Callable[..., Figure],
    shows: tuple[object, ...],
    *,
    key: str,
    name: str,
    alt: str,
) -> None:
    """Draw one line for each scaling, (n_pairs,) each, to look at and to take along."""
    values = torch.stack(list(lines.values()))
    build = partial(
        draw,
        values,
        curves=[
            Curve(_(SCALING_TITLES[scaling]), _(SCALING_TITLES[scaling]), SCALING_COLOURS[scaling]) for scaling in lines
        ],
        groups=(),
        x_title=_("pair of columns, fast to slow"),
        theme=current_theme(),
        height=420,
    )
    alt = alt.format(**curves_alt(values))
    chart(key, build, alt=alt, table=lambda: columns_csv(lines, row="pair"), name=name, shows=shows)


def _reaches(d_model: int, heads: int, trained: int, length: int) -> dict[str, torch.Tensor]:
    """Return the scalings that these sizes allow: some need more than one pair."""
    found: dict[str, torch.Tensor] = {}
    for name in SCALINGS:
        try:
            found[name] = scheme_cache.reach(d_model, heads, _parameters(name, trained, length), length)
        except ValueError:
            continue
    return found


def _parameters(scaling: str, trained: int, length: int) -> tuple[tuple[str, object], ...]:
    chosen = {
        name: value for name, value in state.scheme_parameters("rope").items() if name in ("base", "rotary_fraction")
    }
    # dynamic_ntk finds length / trained by itself; a factor would multiply it.
    factor = 1.0 if scaling == "dynamic_ntk" else length / trained
    stretch = {"scaling": scaling, "factor": factor, "original_max_seq_len": trained}
    return tuple({**chosen, **stretch}.items())
