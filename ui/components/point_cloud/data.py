"""The points of a picture, put into the browser once: where they are, what they are called."""

import hashlib
import struct
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ui.cache.bounded import BoundedCache
from ui.components import register
from ui.components._shared.payload import pack
from ui.components.point_cloud.given import checked_indices

_names_mount = register("point-cloud-names", "point_cloud", script="data.js")
_places_mount = register("point-cloud-places", "point_cloud", script="data.js")
# Apart from the picture, which is sent anew at every choice.
send_density = register("point-cloud-density", "point_cloud", script="data.js")
send_order = register("point-cloud-order", "point_cloud", script="data.js")


class _Encoded(NamedTuple):
    fingerprint: str
    names: bytes
    places: bytes


# Of 50,000 points: 1.1 MB, and 25-50 ms to write anew.
_encoded: BoundedCache[tuple[str, int], _Encoded] = BoundedCache(
    64_000_000, lambda encoded: len(encoded.names) + len(encoded.places)
)


def point_data(
    coordinates: NDArray[np.float32],
    ids: NDArray[np.integer],
    labels: Sequence[str],
    *,
    key: str,
    cache_key: str | None = None,
) -> str:
    """Put points into the browser for every `point_cloud` of the page to draw.

    Names and places travel apart, and either only when it has changed: Streamlit sends the fingerprint of an element
    that the browser still holds. Points that stay what they are while their places change need their places again,
    12 bytes each, or 8 where the third coordinate is 0 throughout. 50,000 points of GPT-2 take 1.1 MB at first.

    Args:
        coordinates: (n, 3) finite float32, any scale and centre; float32 so that zooming far in shows true places.
        ids: (n,) integers in 0..2**31-1, shown beside the labels.
        labels: n, how each point is written.
        key: Streamlit key, without "__".
        cache_key: what these points are, for all sessions: another call with the same one sends what the first call
            wrote, without looking at its arguments. None writes everything anew.

    Returns:
        The fingerprint that `point_cloud` wants, "names.places"; the first part depends on ids and labels alone.

    Raises:
        ValueError: arrays that are not of these shapes, coordinates that are not finite, ids out of range.
    """
    if cache_key is None:
        encoded = _encode(coordinates, ids, labels)
    else:
        encoded = _encoded.get((cache_key, len(labels)), lambda: _encode(coordinates, ids, labels))
    _names_mount(key=f"{key}-names", data=encoded.names)
    _places_mount(key=f"{key}-places", data=encoded.places)
    return encoded.fingerprint


def order_payload(order: Sequence[int] | NDArray[np.integer], n_points: int) -> tuple[str, bytes]:
    """Write down an order of points.

    Args:
        order: indices in 0..n_points-1, each at most once.
        n_points: how many points there are.

    Returns:
        Its fingerprint, and what `send_order` puts into the browser; both empty where the order is 0, 1, 2, … to the
        last point.

    Raises:
        ValueError: an index out of range, or one that comes twice.
    """
    indices = checked_indices("landmarks", order, n_points)
    if len(indices) == n_points and (indices == np.arange(n_points)).all():
        return "", b""
    times = np.bincount(indices, minlength=1)
    if times.max() > 1:
        raise ValueError(f"landmarks has point {times.argmax()} {times.max()} times: give each at most once")
    width = 2 if n_points <= 2**16 else 4
    payload = struct.pack("<II", len(indices), width) + indices.astype(f"<u{width}").tobytes()
    return _part("order", payload)


def density_payload(counts: NDArray[np.uint32]) -> tuple[str, bytes]:
    """Write down how many points lie in each cell.

    Args:
        counts: (rows, columns) from the bottom up.

    Returns:
        Its fingerprint, and what `send_density` puts into the browser: a byte for each cell from the top down, row by
        row; 255 says that its count, at least that, is among those of four bytes behind them.
    """
    rows, columns = counts.shape
    downwards = counts[::-1].ravel()
    large = downwards[downwards >= 255].astype("<u4").tobytes()
    cells = np.minimum(downwards, 255).astype(np.uint8).tobytes()
    return _part("density", struct.pack("<III", columns, rows, len(large) // 4) + large + cells)


def _encode(coordinates: NDArray[np.float32], ids: NDArray[np.integer], labels: Sequence[str]) -> _Encoded:
    names_name, names = _part("names", _names_payload(ids, labels))
    places_name, places = _part("places", _places_payload(coordinates))
    if len(coordinates) != len(labels):
        raise ValueError(f"coordinates has {len(coordinates)} rows for {len(labels)} labels: give one row per label")
    return _Encoded(f"{names_name}.{places_name}", names, places)


def _part(part: str, payload: bytes) -> tuple[str, bytes]:
    """Give the fingerprint of what store.js reads under this name, and the whole as it is sent."""
    name = hashlib.blake2b(payload, digest_size=9).hexdigest()
    return name, pack({"part": part, "name": name}, (), payload)


def _names_payload(ids: NDArray[np.integer], labels: Sequence[str]) -> bytes:
    """How many, the bytes of an id, the ids, the labels with a zero between them."""
    if ids.shape != (len(labels),) or not np.issubdtype(ids.dtype, np.integer):
        raise ValueError(f"ids has shape {ids.shape} and dtype {ids.dtype}: give one integer for each label")
    if len(ids) and not 0 <= int(ids.min()) <= int(ids.max()) < 2**31:
        raise ValueError(f"ids reach from {ids.min()} to {ids.max()}: give numbers in 0..{2**31 - 1}")
    text = "\0".join(labels).encode(errors="replace")
    if text.count(0) != max(0, len(labels) - 1):
        text = "\0".join(label.replace("\0", "␀") for label in labels).encode(errors="replace")
    narrow = not len(ids) or int(ids.max()) < 2**16
    return struct.pack("<II", len(ids), 2 if narrow else 4) + ids.astype("<u2" if narrow else "<i4").tobytes() + text


def _places_payload(coordinates: NDArray[np.float32]) -> bytes:
    """How many columns, then (n, columns) float32: the third only where it says something."""
    if coordinates.ndim != 2 or coordinates.shape[1] != 3:
        raise ValueError(f"coordinates has shape {coordinates.shape}: give (n, 3); the third may be zeros")
    if coordinates.dtype != np.float32:
        raise ValueError(f"coordinates has dtype {coordinates.dtype}: give float32, which is what the browser draws")
    if not np.isfinite(coordinates).all():
        raise ValueError("coordinates has values that are not finite: leave those points out")
    columns = 3 if coordinates[:, 2].any() else 2
    return struct.pack("<I", columns) + coordinates[:, :columns].astype("<f4").tobytes()
