"""The choice of device; no other module asks torch for the hardware."""

import os
from dataclasses import dataclass

import torch

NAMES = ("cuda", "mps", "cpu")  # fastest first


@dataclass(frozen=True, slots=True)
class Device:
    """The device of computations, and the reason for it.

    Attributes:
        device: what to pass as ``device=``.
        reason: one of a few English phrases.

    >>> from embedlib import pick_device
    >>> torch.zeros(2, device=pick_device("cpu").device).device
    device(type='cpu')
    """

    device: torch.device
    reason: str


def pick_device(prefer: str | None = None) -> Device:
    """Choose the device: EMBEDLIB_DEVICE, else `prefer`, else the fastest available one.

    Args:
        prefer: "cuda", "mps" or "cpu", or "cuda:1" for one of several; None means the first available, in this order.
            The environment variable EMBEDLIB_DEVICE takes the same names and wins over it; empty counts as unset.

    Returns:
        The device and the reason for it.

    Raises:
        ValueError: the name is unknown, or names hardware that this machine lacks.

    >>> from embedlib import pick_device
    >>> pick_device().device.type in ("cpu", "cuda", "mps")
    True
    """
    ordered = os.environ.get("EMBEDLIB_DEVICE", "").strip()
    if ordered:
        return Device(_parse_device("EMBEDLIB_DEVICE", ordered), "set by EMBEDLIB_DEVICE")
    if prefer is not None:
        return Device(_parse_device("prefer", prefer), "requested")
    if torch.cuda.is_available():
        return Device(torch.device("cuda"), "a CUDA GPU was found")
    if torch.backends.mps.is_available():
        return Device(torch.device("mps"), "an Apple GPU was found")
    return Device(torch.device("cpu"), "no GPU was found")


def _parse_device(source: str, name: str) -> torch.device:
    """Convert a name to an existing device."""
    kind, colon, index = name.partition(":")
    if kind not in NAMES or (colon and not (index.isascii() and index.isdecimal())):
        raise ValueError(f"{source}={name!r} is not a device: choose among {', '.join(NAMES)}, or cuda:0, cuda:1, …")
    if int(index or 0) >= _count(kind):
        choices = ", ".join(other for other in NAMES if _count(other))
        raise ValueError(f"{source}={name!r} is not available on this machine: choose among {choices}")
    return torch.device(kind, int(index)) if index else torch.device(kind)


def _count(kind: str) -> int:
    """Count the available devices of a kind."""
    if kind == "cuda":
        return torch.cuda.device_count() if torch.cuda.is_available() else 0
    return int(kind == "cpu" or torch.backends.mps.is_available())
