"""T5's buckets: which number of a head's each distance gets."""

from functools import partial

import streamlit as st
import torch
from torch import Tensor

from embedlib.figures.lines import lines_figure
from embedlib.positional import SCHEMES
from embedlib.positional.t5 import T5Positions, bucket_starts
from ui.export.tables import columns_csv
from ui.i18n import _
from ui.positions.chart import chart, file_name
from ui.shared import theme

FARTHEST = 512  # distances drawn at most


def bucket_map(scheme: T5Positions) -> None:
    """Draw the bucket of each distance, one line for each direction that has buckets of its own."""
    st.header(_("The bucket of each distance"))
    lines = _lines(scheme)
    starts = bucket_starts(
        bidirectional=scheme.bidirectional, num_buckets=scheme.num_buckets, max_distance=scheme.max_distance
    )
    sentence = _("Buckets begin at the distances {starts}; from {last} on all share the last one.").format(
        starts=_listed(starts), last=starts[-1]
    )
    chart(
        lines,
        partial(
            lines_figure,
            names=[_("earlier keys"), _("later keys")] if scheme.bidirectional else [""],
            x_title=_("distance between query and key"),
            y_title=_("bucket"),
            theme=theme.current(),
            zero=True,
            hover_text=_("{name}\ndistance {x}, bucket {y}"),
            height=340,
        ),
        again=lambda: lines,  # at most 4 kB
        table=lambda found: columns_csv(dict(zip(("earlier", "later"), found, strict=False)), row="distance"),
        key="buckets",
        name=file_name(scheme.name, "buckets"),
        title=_("{scheme}: the bucket of each distance").format(scheme=_(SCHEMES[scheme.name].title)),
        alt=sentence,
    )
    st.caption(sentence)


def _lines(scheme: T5Positions) -> Tensor:
    """Return the buckets of earlier keys, and of later ones where they have their own, (1 or 2, n_distances)."""
    distance = torch.arange(min(scheme.max_distance * 5 // 4 + 8, FARTHEST))  # (n_distances,)
    earlier, later = (scheme.buckets(signed).float() for signed in (distance, -distance))
    later[0] = torch.nan  # at distance 0 a key is neither earlier nor later
    return torch.stack([earlier, later]) if scheme.bidirectional else earlier[None]


def _listed(starts: list[int]) -> str:
    most = 40
    return ", ".join([*map(str, starts[:most]), *(["…"] if len(starts) > most else [])])
