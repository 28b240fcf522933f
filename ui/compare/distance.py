"""Similarity by distance, all schemes on one chart: within the trained length and past it."""

from functools import partial

import streamlit as st
import torch
from torch import Tensor

from embedlib.figures import Curve, curves_alt, curves_figure
from ui.cache import schemes as scheme_cache
from ui.cache.schemes import SchemeKey
from ui.compare.request import Comparison
from ui.compare.units import profile_in_unit, unit_title
from ui.export import chart, columns_csv
from ui.i18n import _, between
from ui.shared.page import current_theme
from ui.shared.schemes import file_name, group_of, group_titles, label_of, title_of

SAME = 1e-4  # of two curves whose distance 0 is 1


def by_distance(compared: Comparison) -> None:
    """Show how each scheme's similarity falls, or does not fall, with the distance."""
    profiles = {key.entry: profile_in_unit(key, compared.n_positions) for key in compared.keys}
    shows = (compared.n_positions, unit_title())
    title = _("Similarity of positions")
    draw_curves(profiles, compared, shows=shows, key="by-distance", title=title, y_title=unit_title())
    how_many_waves(compared)


def draw_curves(
    profiles: dict[str, Tensor | None],
    compared: Comparison,
    *,
    shows: tuple[object, ...],
    key: str,
    title: str,
    y_title: str,
    edge: tuple[float, str] | None = None,
) -> None:
    """Draw the profiles that there are, to look at and to take along, and name the schemes that have none.

    Args:
        profiles: by the scheme's entry.
        compared: what is compared.
        shows: what decides the profiles besides the schemes.
        key: of the chart.
        title: of the chart that is saved.
        y_title: what the profiles are.
        edge: a distance and what is said of those beyond it; without one, the marked position is marked.
    """
    names = [name for name, profile in profiles.items() if profile is not None]
    if names:
        values = torch.stack([profile for profile in profiles.values() if profile is not None])
        front = compared.keys[compared.front].entry if compared.front is not None else None
        position = compared.position if edge is None else None
        build = partial(
            curves_figure,
            values,
            curves=[Curve(title_of(name), label_of(name), group_of(name)) for name in names],
            groups=list(group_titles().values()) if edge is None else (),
            x_title=_("distance between query and key"),
            y_title=y_title,
            theme=current_theme(),
            front=names.index(front) if front in names else None,
            chosen=(compared.position, _("first key of position {position}").format(position=compared.position))
            if edge is None
            else None,
            edge=edge,
            hover_text=_("{name}\ndistance {x}: {y}"),
            ended_text=_("{name} ends here"),
        )
        alt = _("{lines} lines of {points} points, {lowest:.2f} to {highest:.2f}.")
        columns = dict(zip(map(file_name, names), values, strict=True))
        chart(
            key,
            build,
            alt=alt.format(**curves_alt(values)),
            table=lambda: columns_csv(columns, row="distance"),
            arrays=lambda: columns,
            name=f"compare-{key}",
            title=title,
            shows=(shows, tuple(compared.keys), compared.front, position),
        )
    missing = [title_of(name) for name, profile in profiles.items() if profile is None]
    if missing:
        st.caption(_("Not defined in this unit: {schemes}.").format(schemes=between(", ").join(missing)))


def how_many_waves(compared: Comparison) -> None:
    """Say in one sentence, where both are compared, that RoPE has the columns of one head only."""
    keys = {key.entry: key for key in compared.keys}
    if not {"rope", "sinusoidal"} <= keys.keys():
        return
    rope, sinusoidal = keys["rope"], keys["sinusoidal"]
    turned, added = int(scheme_cache.turned(rope, compared.n_positions).shape[1]), sinusoidal.d_model
    one_head = SchemeKey("rope", rope.d_model, 1, rope.parameters)
    if _coincide(rope, sinusoidal, compared.n_positions):
        sentence = _("The curves are equal: RoPE turns the {added} dimensions of a sinusoidal row.")
    elif turned < added:
        sentence = _("RoPE’s curve is rougher: it averages {few} waves per head, not {many}.")
        if _coincide(one_head, sinusoidal, compared.n_positions):
            sentence += between(" ") + _("With one head both curves are equal.")
    else:
        return
    st.caption(sentence.format(added=added, few=turned // 2, many=added // 2))


def _coincide(rope: SchemeKey, sinusoidal: SchemeKey, n_positions: int) -> bool:
    try:
        first, second = (scheme_cache.profile(key, n_positions) for key in (rope, sinusoidal))
    except ValueError:  # one head may be of an odd width
        return False
    if first is None or second is None:
        return False
    return torch.allclose(first / first[0], second / second[0], rtol=0, atol=SAME)
