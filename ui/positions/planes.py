"""Pairs of columns, each in the plane of its two numbers."""

from functools import partial

from torch import Tensor

from embedlib.figures.circles import CELL, circles_figure
from embedlib.measures.contributions import position_planes
from embedlib.positional import SCHEMES
from ui.cache.schemes import SchemeKey
from ui.export.tables import columns_csv
from ui.i18n import _
from ui.positions.chart import chart, file_name
from ui.shared import theme

NARROW_CELL = 160  # px, for two in a row on a phone
AXES = ((0, "x"), (1, "y"))


def circles_chart(key: SchemeKey, pairs: list[int], n_positions: int, position: int, *, narrow: bool) -> None:
    """Show where each position stands in the planes of some pairs, with a hand to the marked one."""

    def planes() -> Tensor:
        return position_planes(key.scheme(), n_positions)[pairs]  # (n_pairs, n_positions, 2)

    def table(found: Tensor) -> str:
        columns = {f"pair_{pair}_{axis}": found[at, :, side] for at, pair in enumerate(pairs) for side, axis in AXES}
        return columns_csv(columns, row="position")

    alt = _("Each of {count} pairs of columns in its plane, {positions} positions each.")
    chart(
        planes(),
        partial(
            circles_figure,
            names=[_("pair {pair}").format(pair=pair) for pair in pairs],
            chosen=[position],
            chosen_names=[_("position {position}").format(position=position)],
            theme=theme.current(),
            hover_text=_("{name}, position {position}\n({x}, {y})"),
            columns=2 if narrow else 4,
            cell=NARROW_CELL if narrow else CELL,
        ),
        again=planes,
        table=table,
        key="circles",
        name=file_name(key.name, "pairs"),
        title=_("{scheme}: pairs of columns").format(scheme=_(SCHEMES[key.name].title)),
        alt=alt.format(count=len(pairs), positions=n_positions),
    )
