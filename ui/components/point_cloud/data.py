"""The points of a picture, which the browser fetches once: coordinates, ids and labels."""

import struct
from collections.abc import Sequence
from typing import Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ui.cache.bounded import BoundedCache
from ui.components._shared.data import SharedData
from ui.components._shared.payload import pack


class _Encoded(NamedTuple):
    names: SharedData
    places: SharedData


# Of 50,000 points: 1.1 MB, and 25-50 ms to encode.
_encoded: BoundedCache[tuple[str, int], _Encoded] = BoundedCache(
    64_000_000, lambda encoded: encoded.names.nbytes + encoded.places.nbytes
)


def point_data(
    coordinates: NDArray[np.float32], ids: NDArray[np.integer], labels: Sequence[str], *, cache_key: str | None = None
) -> str:
    """Serve points for all instances of `point_cloud` on the page.

    Names and coordinates have separate addresses: points that only move need new coordinates, 12 bytes each, or 8 if
    the third one is constantly 0. 50,000 points of GPT-2 take 1.1 MB at first.

    Args:
        coordinates: (n, 3) finite float32, any scale and centre; float32 so that zooming far in shows true places.
        ids: (n,) integers in 0..2**31-1, shown beside the labels.
        labels: of the n points.
        cache_key: identifies the points in all sessions: further calls with it return the first call's result and
            ignore their arguments. None for no caching.

    Returns:
        "names.places", the addresses for `point_cloud`; the first depends on ids and labels alone.
    """
    if cache_key is None:
        encoded = _encode(coordinates, ids, labels)
    else:
        encoded = _encoded.get((cache_key, len(labels)), lambda: _encode(coordinates, ids, labels))
    return f"{encoded.names.address}.{encoded.places.address}"


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
        A byte for each cell from the top down, row by row; 255 says that its count, at least that, is among those of
        four bytes before them.
    """
    rows, columns = counts.shape
    downwards = counts[::-1].ravel()
    large = downwards[downwards >= 255].astype("<u4").tobytes()
    cells = np.minimum(downwards, 255).astype(np.uint8).tobytes()
    return _part("density", struct.pack("<III", columns, rows, len(large) // 4) + large + cells)


def _encode(coordinates: NDArray[np.float32], ids: NDArray[np.integer], labels: Sequence[str]) -> _Encoded:
    return _Encoded(
        _part("names", _names_payload(ids, labels)),
        _part("places", _places_payload(coordinates)),
    )


def _part(part: str, payload: bytes) -> SharedData:
    """Return the data that store.ts reads under this name."""
    return SharedData(pack({"part": part}, (), payload))


def _names_payload(ids: NDArray[np.integer], labels: Sequence[str]) -> bytes:
    """Return the count, the bytes of an id, the ids, and the labels separated by zeros."""
    text = "\0".join(labels).encode(errors="replace")
    if text.count(0) != max(0, len(labels) - 1):
        text = "\0".join(label.replace("\0", "␀") for label in labels).encode(errors="replace")
    narrow = not len(ids) or int(ids.max()) < 2**16
    return struct.pack("<II", len(ids), 2 if narrow else 4) + ids.astype("<u2" if narrow else "<i4").tobytes() + text


def _places_payload(coordinates: NDArray[np.float32]) -> bytes:
    """Return the number of columns, then (n, columns) float32: the third only if it is not constantly 0."""
    columns = 3 if coordinates[:, 2].any() else 2
    return struct.pack("<I", columns) + coordinates[:, :columns].astype("<f4").tobytes()
