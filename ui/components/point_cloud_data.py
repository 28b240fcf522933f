"""The points of a picture, put into the browser once: where they are, what they are called."""

import hashlib
import json
import struct
from collections.abc import Sequence

import numpy as np
import streamlit as st
from numpy.typing import NDArray

from ui.components import assets

_files = assets("point_cloud_data", "heat", "point_cloud_store")
_names_mount = st.components.v2.component("point-cloud-names", js=_files["js"])
_places_mount = st.components.v2.component("point-cloud-places", js=_files["js"])


def point_data(coordinates: NDArray[np.float32], ids: NDArray[np.integer], labels: Sequence[str], *, key: str) -> str:
    """Put points into the browser for every `point_cloud` of the page to draw.

    Names and places travel apart, and either only when it has changed: Streamlit sends the fingerprint of an element
    that the browser still holds. Points that stay what they are while their places change need their places again,
    12 bytes each, or 8 where the third coordinate is 0 throughout. 50,000 points of GPT-2 take 1.1 MB at first.

    Args:
        coordinates: (n, 3) finite float32, any scale and centre; float32 so that zooming far in shows true places.
        ids: (n,) integers in 0..2**31-1, shown beside the labels.
        labels: n, how each point is written.
        key: Streamlit key, without "__".

    Returns:
        The fingerprint that `point_cloud` wants, "names.places"; the first part depends on ids and labels alone.

    Raises:
        ValueError: arrays that are not of these shapes, coordinates that are not finite, ids out of range.
    """
    names, places = _names_payload(ids, labels), _places_payload(coordinates)
    if len(coordinates) != len(labels):
        raise ValueError(f"coordinates has {len(coordinates)} rows for {len(labels)} labels: give one row per label")
    fingerprints = [hashlib.blake2b(payload, digest_size=9).hexdigest() for payload in (names, places)]
    for mount, part, payload, name in zip(
        (_names_mount, _places_mount), ("names", "places"), (names, places), fingerprints, strict=True
    ):
        mount(key=f"{key}-{part}", data=_with_header({"part": part, "name": name}, payload))
    return ".".join(fingerprints)


def _with_header(header: dict[str, str], payload: bytes) -> bytes:
    """Lay out as heat.js reads it: the header's length, the header padded to a multiple of 4, the payload."""
    text = json.dumps(header).encode()
    text += b" " * (-len(text) % 4)
    return struct.pack("<I", len(text)) + text + payload


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
