"""Style and name of each line and run: of a scheme as on the page that compares them, or of a scaling of RoPE."""

from typing import Any

from plotly.graph_objects import Figure
from torch import Tensor

from embedlib.extrapolation import Unit
from embedlib.figures import Curve, by_length_figure
from embedlib.i18n import N_
from embedlib.positional import SCALINGS, SCHEMES, FormulaPositions
from ui.i18n import _
from ui.settings import OWN_ENTRIES, state
from ui.shared.schemes import (
    GROUP_COLOURS,
    SCALING_COLOURS,
    SCALING_TITLES,
    group_index,
    group_titles,
    scheme_label,
    scheme_title,
)

OWN_COLOUR = 4  # of SERIES, that of no place in GROUP_COLOURS: readers find their own among many
_BRIEFEST = 10  # characters

# Names beside a line's end on a phone, at most ten characters, where the short name is longer.
_BRIEF = {
    "learned": N_("learned"),
    "sinusoidal_2d": N_("sinus. 2-D"),
    "t5": N_("T5"),
    "transformer_xl": N_("T.-XL"),
    "scaled none": N_("unchanged"),
    "scaled dynamic_ntk": N_("dyn. NTK"),
}


def line_style(line: str, experiment: str, *, hollow: tuple[int, ...] = ()) -> Curve:
    """Return a line's style; line: a scheme or a key of SCALINGS; hollow: indices of lengths with untrained rows."""
    if experiment == "scaling":
        name, nth = line_name(line, experiment), SCALINGS.index(line)
        return Curve(name, name, SCALING_COLOURS[line], nth, hollow, _scaling_name(f"scaled {line}"))
    if line in OWN_ENTRIES:
        colour, nth = OWN_COLOUR, OWN_ENTRIES.index(line)
    else:
        group = group_index(line)
        colour, nth = GROUP_COLOURS[group], [name for name in SCHEMES if group_index(name) == group].index(line)
    return Curve(scheme_title(line), scheme_label(line), colour, nth, hollow, _scaling_name(line))


def _scaling_name(line: str) -> str:
    if line in OWN_ENTRIES and len(name := scheme_label(line)) > _BRIEFEST:
        return f"{name[: _BRIEFEST - 1]}…"
    return _(_BRIEF[line]) if line in _BRIEF else ""


def line_name(line: str, experiment: str) -> str:
    """Return a line's short name."""
    return _(SCALING_TITLES[line]) if experiment == "scaling" else scheme_label(line)


def colour_legend(lines: tuple[str, ...], experiment: str) -> list[tuple[str, int]]:
    """Return the legend of the schemes' colours, without colours that no line has; empty for scalings."""
    if experiment == "scaling":
        return []
    own = [(_(FormulaPositions.title), OWN_COLOUR)] if set(lines) & set(OWN_ENTRIES) else []
    used = {group_index(line) for line in lines if line not in OWN_ENTRIES}
    places = [(title, GROUP_COLOURS[group]) for group, title in enumerate(group_titles().values()) if group in used]
    return places + own


def lengths_figure(values: Tensor, *, narrow: bool, title: str = "", **options: Any) -> Figure:
    """Draw lines by length as `by_length_figure` does; under a title, for a file, never narrow."""
    return by_length_figure(values, narrow=narrow and not title, title=title, **options)


def unit_label(unit: Unit) -> str:
    """Name a run."""
    typed = dict(unit.parameters)
    entry = next((one.entry for one in state.get("formulas") if one.arguments == typed), unit.scheme)
    return _("{scheme}, seed {seed}").format(scheme=scheme_label(entry), seed=unit.seed)
