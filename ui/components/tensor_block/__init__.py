"""A block of numbers, batch by position by dimension, that can be rotated and cut open."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from torch import Tensor

from embedlib.components.payload import float_bytes, pack
from embedlib.i18n import N_
from ui.components import register
from ui.components._shared.data import SharedData, serve
from ui.components._shared.reports import new_report

__all__ = ["LABELS", "BlockView", "drawn_shape", "tensor_block"]

MAX_BATCH = 16
MAX_POSITIONS = 64
MAX_DIMENSIONS = 256
MAX_NUMBERS = 65_536  # 256 kB of float32: 16 x 64 x 64

# Every string on the component, in English; the page passes the same names with translations.
LABELS: dict[str, str] = {
    "figure": N_(
        "A block of {batch} sequences × {positions} positions × {dimensions} dimensions. Arrows rotate "
        "it; with Shift they move from number to number. Enter chooses the token, Home shows the "
        "corner, Escape leaves."
    ),
    "batch": N_("batch"),
    "sample": N_("sequence"),
    "position": N_("position"),
    "dimension": N_("dimension"),
    "whole_axis": N_("all {count}"),
    "cut_axis": N_("{first}–{last} of {count}"),
    "cut": N_("Cut along: {axis}"),
    "whole": N_("Whole block"),
    "to_token": N_("Cut to chosen token"),
    "corner": N_("Corner"),
    "front": N_("Front"),
    "side": N_("Side"),
    "top": N_("Top"),
    "views": N_("View"),
    "hint": N_("Drag the block to rotate it; point at a cell to see its number."),
    "hint_touch": N_("Drag the block to rotate it; tap a cell to see its number."),
    "readout": N_("sequence {sample}, position {position}, dimension {dimension} · ‘{label}’: {value}"),
    "shown": N_("Drawn are the first {drawn} of its {whole} numbers."),
    "scale": N_("The colours end at ±{limit}; larger numbers have the strongest colour."),
}

_component = register("tensor-block", "tensor_block")


@dataclass(frozen=True, slots=True)
class BlockView:
    """The rotation and cuts of the block; plain values for a link."""

    cut: tuple[int, int, int] = (0, 0, 0)
    """How many of the first samples, positions and dimensions are cut away, each at least 0."""
    yaw: int = 30
    """Degrees that it is turned to the side, -180..180; positive shows the side of the first dimension."""
    pitch: int = 24
    """Degrees that it is tilted, -90..90; positive shows the first position, from above."""


def drawn_shape(shape: Sequence[int]) -> tuple[int, int, int]:
    """Return the drawn shape of a (batch, positions, dimensions) block: the first entries of each axis."""
    batch, positions, dimensions = shape
    batch, positions = min(batch, MAX_BATCH), min(positions, MAX_POSITIONS)
    return batch, positions, min(dimensions, MAX_DIMENSIONS, MAX_NUMBERS // (batch * positions))


def tensor_block(
    values: Tensor,  # (batch, positions, dimensions) float32, finite, at least drawn_shape(shape) of the block
    *,
    shape: Sequence[int],  # of the whole block
    starts: Sequence[int],  # position in the text of each drawn sample's first token
    tokens: Sequence[Sequence[str]],  # how the tokens of each sample drawn are written
    colours: Sequence[str],  # stops of the diverging scale as "#rrggbb", an odd number
    limit: float,  # of the colour scale on both sides, above 0
    view: BlockView,
    labels: Mapping[str, str],  # translations of LABELS
    key: str,
    on_view: Callable[[], None],
) -> BlockView:
    """Draw the block and return the user's view of it, within the drawn shape.

    Pass back what this returned. What the reader turned or cut wins over `view` in the one run that it starts; in
    every other run `view` rules. The browser tells it when the block has come to rest, not at every frame.
    """
    drawn = batch, positions, dimensions = drawn_shape(shape)
    turn, report = new_report(key, "view")
    view = _clamp_view(view if report is None else _reported_view(report.get("value")), drawn)
    header = {
        "shape": list(shape),
        "shown": list(drawn),
        "starts": [int(start) for start in starts[:batch]],
        "tokens": [list(row[:positions]) for row in tokens[:batch]],
        "colours": list(colours),
        "limit": limit,
        "view": {"cut": list(view.cut), "yaw": view.yaw, "pitch": view.pitch},
        "turn": turn,
        "labels": dict(labels),
    }
    numbers = SharedData(float_bytes(values[:batch, :positions, :dimensions]))  # up to 256 kB, unchanged by rotation
    _component(key=key, data=pack(header, shared=serve(numbers)), on_view_change=on_view)
    return view


def _clamp_view(view: BlockView, drawn: tuple[int, int, int]) -> BlockView:
    batch, positions, dimensions = (max(0, min(cut, count - 1)) for cut, count in zip(view.cut, drawn, strict=True))
    yaw = (view.yaw + 180) % 360 - 180
    return BlockView((batch, positions, dimensions), yaw, max(-90, min(90, view.pitch)))


def _reported_view(value: Any) -> BlockView:
    """Return the view reported by the browser; the default if it is invalid."""
    report = value if isinstance(value, Mapping) else {}
    cut, yaw, pitch = report.get("cut"), report.get("yaw"), report.get("pitch")
    numbers = [*cut, yaw, pitch] if isinstance(cut, list) and len(cut) == 3 else []
    if len(numbers) != 5 or any(type(number) is not int for number in numbers):
        return BlockView()
    return BlockView((numbers[0], numbers[1], numbers[2]), numbers[3], numbers[4])
