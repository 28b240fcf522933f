"""Points as one picture, in 2-D or 3-D: what the browser is sent of them, and what it reports."""

import base64
import struct
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, astuple, dataclass
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from embedlib.components.payload import SharedData, pack
from embedlib.i18n import N_

LONGEST_SEARCH = 200  # characters
NAMED_AT_MOST = 400  # of the highlighted points; a screen has room for a few dozen names

# The page passes the same names with translations.
LABELS: dict[str, str] = {
    "figure": N_("{count} points, {dimensions} axes: {axes}."),
    "help": N_("Drag to move."),
    "help_space": N_("Drag to turn; with Shift or two fingers, move."),
    "help_always": N_("Ctrl + wheel or two fingers zoom, a click chooses."),
    "help_touch": N_("Two fingers move and zoom."),
    "help_space_touch": N_("Drag to turn; two fingers move and zoom."),
    "help_always_touch": N_("A tap chooses."),
    "help_region": N_("Drag around points."),
    "keys_title": N_("Keys"),
    "keys": N_("Arrows move."),
    "keys_space": N_("Arrows turn, with Shift they move."),
    "keys_always": N_(
        "+ and − zoom, 0 shows everything, N and P visit neighbours, Enter chooses, S selects all, Esc clears."
    ),
    "search": N_("Search"),
    "expression": N_("Regex"),
    "expression_help": N_("Searches for a regular expression anywhere in the names, the space before a word included."),
    "found": N_("Rows found: {count}"),
    "matches": N_("Rows found"),
    "tools": N_("Tools"),
    "move": N_("Move"),
    "turn": N_("Turn"),
    "box": N_("Box select"),
    "lasso": N_("Lasso select"),
    "zoom_in": N_("Zoom in"),
    "zoom_out": N_("Zoom out"),
    "reset": N_("Show everything"),
    "full_screen": N_("Full screen"),
    "leave_full_screen": N_("Leave full screen"),
    "legend": N_("Colours"),
    "id": N_("id {id}"),
    "about": N_("about {value}"),
    "similarity": N_("similarity {value}"),
    "rows": N_("Rows: {count}"),
    "token_at": N_("token {position}"),
    "chosen": N_("Chosen: {label}, id {id}"),
    "nothing_chosen": N_("Nothing is chosen."),
    "marked": N_("Points selected: {count}"),
    "clear": N_("Clear selection"),
    "wheel": N_("To zoom, click the picture or hold Ctrl."),
    "waiting": N_("Loading…"),
    "empty": N_("No points to draw."),
}

# On the picture with a time axis.
MOTION_LABELS: dict[str, str] = {
    "figure": N_("{count} words, step {step} of {steps}, along {axes}."),
    "figure_chosen": N_("Chosen: {word}. Nearest: {words}."),
    "step_of": N_("step {step} of {steps}"),
    "replay": N_("Replay"),
    "pause_replay": N_("Pause"),
    "first": N_("First step"),
    "last": N_("Newest step"),
    "timeline": N_("Step shown"),
    "speed": N_("Speed"),
    "speed_times": N_("{factor}×"),
    "search": N_("Find a word"),
    "not_found": N_("No row for ‘{word}’."),
    "kind": N_("Kind of word"),
    "all_kinds": N_("All kinds"),
    "no_kind": N_("no kind"),
    "trails": N_("Trails"),
    "names": N_("Names"),
    "fit": N_("Fit each step"),
    "full_screen": N_("Full screen"),
    "leave_full_screen": N_("Leave full screen"),
    "legend": N_("Groups of words"),
    "similarity": N_("similarity {value}"),
    "chosen": N_("Chosen: {word}."),
    "nothing_chosen": N_("Nothing is chosen."),
    "emphasised": N_("{kind}: {count} words highlighted."),
    "nothing_emphasised": N_("No kind is highlighted."),
    "help": N_("Click a word, group or kind; Esc clears."),
    "help_touch": N_("Tap a word, group or kind."),
    "help_space": N_("Drag or press arrows to turn."),
    "help_space_touch": N_("Drag to turn."),
    "waiting": N_("Loading…"),
}

Rectangle = tuple[float, float, float, float]  # left, bottom, right, top, in the units of the coordinates


@dataclass(frozen=True, slots=True)
class Kind:
    """One line of the legend."""

    index: int
    """Into the palette."""
    name: str
    count: int


@dataclass(frozen=True, slots=True)
class Gradient:
    """A legend for a palette whose colours run from the least to the greatest value."""

    title: str
    low: float
    """Value of the first colour."""
    high: float
    """Value of the last colour."""
    logarithmic: bool = False
    """Whether equal steps along the palette are equal factors; low and high are the true values all the same."""


@dataclass(frozen=True, slots=True)
class Extent:
    """A summary of points that are too many for the browser."""

    box: Rectangle
    """The bounding box of all points, shown first."""
    n_points: int
    window: Rectangle | None
    """The initial view, also after a change of `turn`; None for all."""
    turn: int
    """Number of the page's last request for a view."""
    counted: tuple[NDArray[np.uint32], Rectangle] | None
    """Points per cell, (rows, columns) from the bottom up, and the cells' box; None if the browser has the points."""


@dataclass(frozen=True, slots=True)
class Token:
    """One token of the text."""

    position: int
    """In the text, from 0: identifies the token in every view of the page."""
    label: str
    coordinates: tuple[float, float, float]
    """In the units of the coordinates."""


@dataclass(frozen=True, slots=True)
class Search:
    """The user's search among the names of the points."""

    text: str
    expression: bool
    """Whether the text is a regular expression."""
    texts: SharedData | Literal["labels"] | None
    """Names for the search in the browser, from `search_texts`, with the results of `search_names` at every key. None
    where the browser lacks names of some rows: then Python searches, as it does for an expression."""
    count: str | None = None
    """How many rows Python found, formatted, "" where the search cannot be done; None where the browser searches."""
    first: Sequence[tuple[int, str]] = ()
    """The best of them: row and label."""


@dataclass(frozen=True, kw_only=True, eq=False)
class Points:
    """Contents of the point cloud: its points, colours, legend and labels, and what is chosen, found or selected."""

    data: str
    """ "names.places", the addresses of `names_data` and `coordinates_data`, which the browser can fetch."""
    picture: str = ""
    """Identifies the coordinates, such as "gpt2/pca": a change resets zoom and rotation."""
    colours: NDArray[np.uint8]
    """(n,), the index of each point's colour in the palette."""
    palette: Sequence[str]
    """At most 256 colours as "#rrggbb"."""
    legend: Sequence[Kind] | Gradient
    """Kinds by name, or the values of the palette's ends."""
    dimensions: Literal[2, 3]
    """2 draws the first two coordinates, 3 all of them, turned by dragging."""
    axes: Sequence[str]
    """2 or 3 titles."""
    labels: Mapping[str, str]
    """The entries of LABELS, translated."""
    height: int
    """Of the picture in px, at least 200; a phone's screen limits it further."""
    beside: int = 0
    """Px of the window's height reserved for elements above; if less than `height` remains, the picture takes that, but
    at least 380 px."""
    chosen: int | None
    """Index of the chosen point; None, or an invalid one, for none. See `reports.resolve_choice`."""
    neighbours: Sequence[tuple[int, float]] = ()
    """The chosen point's, nearest first: index and similarity. Lines lead to them."""
    highlighted: Sequence[int] | None = None
    """Indices of the matches of Python's search, the best first; None where it has not searched."""
    search: Search | None = None
    """None for a picture without a search."""
    marked: Sequence[int] = ()
    """The points selected with box or lasso. The browser adopts changes; its own selection wins otherwise."""
    tokens: Sequence[Token] = ()
    """The text's tokens, drawn as points with names."""
    landmarks: SharedData | Literal["all"] | None = None
    """Points to label while nothing is chosen, searched or selected, the most important first, by `point_order`; "all"
    in their own order. As many are labelled as fit, more after zooming in. None for no labels."""
    named: Sequence[int] = ()
    """Points with permanent labels, such as the words that define an axis of meaning."""
    lines: Sequence[tuple[int, int]] = ()
    """Pairs of points, each joined by a line."""
    ids: NDArray[np.int64] | None = None
    """Ascending, (n,), if points come and go while the user looks: clicks are reported by the point's id."""
    extent: Extent | None = None
    """Of a 2-D picture with more points than the browser gets; None if it gets all."""

    def point_index(self, row: int | None) -> int | None:
        """Return the index of a reported point; None for none."""
        if row is None or self.ids is None:
            index = row
        else:
            index = int(np.searchsorted(self.ids, row))
            if index < len(self.ids) and self.ids[index] != row:
                return None
        return index if index is not None and 0 <= index < len(self.colours) else None

    def header(
        self, chosen: int | None, turn: int, search_turn: int, *, serve: Callable[[SharedData], SharedData]
    ) -> dict[str, Any]:
        """Return the header for the browser, with the numbers of the user's last choice and last search.

        `serve` is called with all data that the header refers to by their address.
        """
        legend, landmarks, matches = self.legend, self.landmarks, self.highlighted
        return {
            "data": self.data,
            "picture": self.picture,
            "count": len(self.colours),
            "palette": list(self.palette),
            "legend": {"gradient": asdict(legend)}
            if isinstance(legend, Gradient)
            else {"kinds": [astuple(kind) for kind in legend]},
            "dimensions": self.dimensions,
            "chosen": chosen,
            "turn": turn,
            "neighbours": [[int(at), float(similarity)] for at, similarity in self.neighbours],
            "search": None if self.search is None else _search_header(self.search, search_turn, serve),
            "found": None if matches is None else list(matches[:NAMED_AT_MOST]),
            "marked": len(self.marked),
            "named": list(self.named),
            "lines": list(self.lines),
            "landmarks": serve(landmarks).address
            if isinstance(landmarks, SharedData)
            else {"all": "", None: None}[landmarks],
            "tokens": [{"position": one.position, "label": one.label, "place": one.coordinates} for one in self.tokens],
            "axes": list(self.axes),
            "height": self.height,
            "beside": self.beside,
            "labels": dict(self.labels),
            "extent": None if self.extent is None else _extent_header(self.extent, serve),
        }

    @property
    def masks(self) -> bytes:
        """Return a bit per point for what Python found, if it has searched, and for what is marked, if anything is."""
        return b"".join(self._packed_mask(rows) for rows in (self.highlighted, self.marked or None) if rows is not None)

    def _packed_mask(self, indices: Sequence[int]) -> bytes:
        """Return a bit per point, 1 for those of the indices; the first point is the lowest bit of the first byte."""
        mask = np.zeros(len(self.colours), np.uint8)
        mask[list(indices)] = 1
        return np.packbits(mask, bitorder="little").tobytes()


def read_search(report: object) -> tuple[str, bool] | None:
    """Return the text that the browser reports as searched for, and whether it is a regular expression.

    None if nothing was sent, or nothing sound.
    """
    if not isinstance(report, Mapping) or not isinstance(report.get("text"), str):
        return None
    return report["text"][:LONGEST_SEARCH], report.get("expression") is True


def read_selection(report: object, n_points: int) -> list[int] | None:
    """Return the indices of the selected points.

    Args:
        report: what the browser sent: base64 of one bit per point, the first point in the lowest bit.
        n_points: how many points there are.

    Returns:
        Rising indices in 0..n_points-1; None if nothing was sent, or nothing sound.
    """
    # A browser can send anything.
    if not isinstance(report, str) or len(report) > 4 * (n_points // 8 + 4):
        return None
    try:
        bits = base64.b64decode(report, validate=True)
    except ValueError:  # includes binascii.Error; non-ASCII letters raise ValueError itself
        return None
    if bits and len(bits) != (n_points + 7) // 8:
        return None
    marked = np.unpackbits(np.frombuffer(bits, np.uint8), bitorder="little")[:n_points]
    return [int(index) for index in np.flatnonzero(marked)]


def point_order(order: Sequence[int] | NDArray[np.integer], n_points: int) -> SharedData | None:
    """Return an order of points, of which `point_cloud` labels as many as have room.

    Args:
        order: indices in 0..n_points-1, each at most once.
        n_points: how many points there are.

    Returns:
        None where the order is 0, 1, 2, … to the last point.
    """
    indices = np.asarray(order, dtype=np.int64)
    if len(indices) == n_points and (indices == np.arange(n_points)).all():
        return None
    width = 2 if n_points <= 2**16 else 4
    return _part("order", struct.pack("<II", len(indices), width) + indices.astype(f"<u{width}").tobytes())


def search_texts(texts: Sequence[str], labels: Sequence[str]) -> SharedData | Literal["labels"]:
    """Return what a search in the browser needs besides the labels: the texts of the points that these do not show.

    Args:
        texts: names of all points, as they are.
        labels: as `point_data` has them; a "·" stands for a space.

    Returns:
        "labels" where they say all.
    """
    pairs = enumerate(zip(texts, labels, strict=True))
    others = {row: text for row, (text, label) in pairs if label.replace("·", " ") != text}
    if not others:
        return "labels"
    return SharedData(pack({"part": "texts", "rows": list(others), "texts": list(others.values())}))


def density_data(counts: NDArray[np.uint32]) -> SharedData:
    """Return the counts of points per cell, encoded for the browser.

    Args:
        counts: (rows, columns) from the bottom up.

    Returns:
        Header uint32 columns, rows, n_large; then n_large uint32 counts; then one byte per cell, top row first; 255
        means: read the next uint32 count.
    """
    rows, columns = counts.shape
    downwards = counts[::-1].ravel()
    large = downwards[downwards >= 255].astype("<u4").tobytes()
    cells = np.minimum(downwards, 255).astype(np.uint8).tobytes()
    return _part("density", struct.pack("<III", columns, rows, len(large) // 4) + large + cells)


def _part(part: str, payload: bytes) -> SharedData:
    """Return the data that store.ts reads under this name."""
    return SharedData(pack({"part": part}, (), payload))


def names_data(ids: NDArray[np.integer], labels: Sequence[str]) -> SharedData:
    """Return the count, the bytes of an id, the ids, and the labels separated by zeros."""
    text = "\0".join(labels).encode(errors="replace")
    if text.count(0) != max(0, len(labels) - 1):
        text = "\0".join(label.replace("\0", "␀") for label in labels).encode(errors="replace")
    narrow = not len(ids) or int(ids.max()) < 2**16
    numbers = ids.astype("<u2" if narrow else "<i4").tobytes()
    return _part("names", struct.pack("<II", len(ids), 2 if narrow else 4) + numbers + text)


def coordinates_data(coordinates: NDArray[np.float32]) -> SharedData:
    """Return the number of columns, then (n, columns) float32: the third only if it is not constantly 0."""
    columns = 3 if coordinates[:, 2].any() else 2
    return _part("places", struct.pack("<I", columns) + coordinates[:, :columns].astype("<f4").tobytes())


def _search_header(search: Search, turn: int, serve: Callable[[SharedData], SharedData]) -> dict[str, Any]:
    texts = search.texts
    return {
        "text": search.text,
        "expression": search.expression,
        "turn": turn,
        "texts": serve(texts).address if isinstance(texts, SharedData) else {"labels": "", None: None}[texts],
        "answer": {"count": search.count, "first": [*map(list, search.first)]} if search.count is not None else None,
    }


def _extent_header(extent: Extent, serve: Callable[[SharedData], SharedData]) -> dict[str, Any]:
    """Return the header of the points that the browser does not have, with the address of their density."""
    left, bottom, right, top = extent.box
    return {
        "low": [left, bottom],
        "high": [right, top],
        "count": extent.n_points,
        "window": extent.window,
        "turn": extent.turn,
        "cells": "" if extent.counted is None else serve(density_data(extent.counted[0])).address,
        "over": None if extent.counted is None else extent.counted[1],
        "most": 0 if extent.counted is None else int(extent.counted[0].max()),
    }
