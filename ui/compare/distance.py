"""Similarity by distance, all schemes on one chart: within the trained length and past it."""

from collections.abc import Mapping
from typing import Any

import streamlit as st
import torch
from torch import Tensor

from embedlib.figures import Curve, curves_figure
from ui.cache import schemes as scheme_cache
from ui.cache.schemes import SchemeKey
from ui.compare.request import Comparison
from ui.compare.units import profile_in_unit, unit_title
from ui.export import Columns, Drawing, figure_drawing, show
from ui.i18n import _, separator
from ui.shared.schemes import file_name, group_index, group_titles, scheme_label, scheme_or_class, scheme_title

SAME = 1e-4  # of two curves whose distance 0 is 1


def by_distance(compared: Comparison) -> None:
    """Show how each scheme's similarity falls, or does not fall, with the distance."""
    profiles = profiles_in_unit(compared)
    if any(profile is not None for profile in profiles.values()):
        show(similarity_by_distance, compared)
    list_undefined(profiles)
    wave_count_note(compared)


def profiles_in_unit(compared: Comparison) -> dict[str, Tensor | None]:
    """Return each scheme's similarity by distance, (n_positions,); None where it is not defined."""
    return {key.entry: profile_in_unit(key, compared.n_positions) for key in compared.keys}


def similarity_by_distance(compared: Comparison) -> Drawing:
    """Draw the similarity of positions by their distance, the marked position's first key marked."""
    position = compared.position
    return profile_curves(
        profiles_in_unit(compared),
        compared.front_entry,
        key="by-distance",
        title=_("Similarity of positions"),
        y_title=unit_title(),
        groups=list(group_titles().values()),
        chosen=(position, _("from position {position} back to 0").format(position=position)),
    )


def profile_curves(
    profiles: Mapping[str, Tensor | None], front: str | None, *, key: str, title: str, y_title: str, **options: Any
) -> Drawing:
    """Draw the profiles that are defined, a line per scheme.

    Args:
        profiles: by the scheme's entry.
        front: entry of the highlighted scheme; None for none.
        key: of the figure.
        title: of the drawing.
        y_title: what the profiles are.
        **options: of `curves_figure`.
    """
    defined = {name: profile for name, profile in profiles.items() if profile is not None}
    names = list(defined)
    return figure_drawing(
        f"compare-{key}",
        title,
        Columns({file_name(name): profile for name, profile in defined.items()}, row="distance"),
        curves_figure,
        torch.stack(list(defined.values())),
        key=key,
        curves=[Curve(scheme_title(name), scheme_label(name), group_index(name)) for name in names],
        x_title=_("distance between query and key"),
        y_title=y_title,
        front=names.index(front) if front in names else None,
        hover_text=_("{name}\ndistance {x}: {y}"),
        ended_text=_("{name} ends here"),
        **options,
    )


def list_undefined(profiles: Mapping[str, Tensor | None]) -> None:
    """Name the schemes that have no profile, and say why."""
    missing = {name: scheme_or_class(name) for name, profile in profiles.items() if profile is None}
    if idle := [scheme_title(name) for name, scheme in missing.items() if not scheme.acts_on]:
        sentence = _("No curve for {schemes}: without positions all distances count the same.")
        st.caption(sentence.format(schemes=separator(", ").join(idle)))
    if other := [scheme_title(name) for name, scheme in missing.items() if scheme.acts_on]:
        sentence = _("No curve for {schemes}: the numbers depend on the tokens, or are near 0 at distance 0.")
        st.caption(sentence.format(schemes=separator(", ").join(other)))


def wave_count_note(compared: Comparison) -> None:
    """Show, where both are compared, that RoPE has fewer waves than sinusoids: those of one head."""
    keys = {key.entry: key for key in compared.keys}
    if not {"rope", "sinusoidal"} <= keys.keys():
        return
    rope, sinusoidal = keys["rope"], keys["sinusoidal"]
    turned, added = int(scheme_cache.scheme_rotations(rope, compared.n_positions).shape[1]), sinusoidal.d_model
    one_head = SchemeKey("rope", rope.d_model, 1, rope.parameters)
    if _profiles_coincide(rope, sinusoidal, compared.n_positions):
        sentence = _("RoPE and sinusoids have the same curve, for they use the same waves.")
    elif turned < added:
        sentence = _(
            "RoPE and sinusoids use the same kind of waves. RoPE’s curve is rougher, because each of its heads has "
            "only {few} waves where a sinusoidal row has {many}."
        )
        if _profiles_coincide(one_head, sinusoidal, compared.n_positions):
            sentence += separator(" ") + _(
                "If RoPE had a single head, it would use the same waves as the sinusoids, and both curves would be "
                "equal."
            )
    else:
        return
    sentence += separator(" ") + _(
        "They differ in the place: sinusoids are added to the token rows, where the model has to take token and "
        "position apart again; RoPE rotates queries and keys, and the rows stay as they are."
    )
    st.markdown(sentence.format(few=turned // 2, many=added // 2))


def _profiles_coincide(rope: SchemeKey, sinusoidal: SchemeKey, n_positions: int) -> bool:
    try:
        first, second = (scheme_cache.profile(key, n_positions) for key in (rope, sinusoidal))
    except ValueError:  # one head may be of an odd width
        return False
    if first is None or second is None:
        return False
    return torch.allclose(first / first[0], second / second[0], rtol=0, atol=SAME)
