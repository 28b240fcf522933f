"""What the components that draw numbers as colours share: their payload, their colours and their words."""

import json
import struct
from collections.abc import Iterable, Mapping
from typing import Any

import torch
from torch import Tensor

from embedlib.i18n import N_

# What the steps of a component are moved with, in English.
STEPS: dict[str, str] = {
    "play": N_("Play"),
    "pause": N_("Pause"),
    "back": N_("Step back"),
    "forward": N_("Step forward"),
    "timeline": N_("Step"),
}
ZERO_INDEX = 127  # 0 is -limit, 254 is +limit: an odd number of steps, so that zero has a colour of its own


def pack(header: Mapping[str, Any], blocks: Iterable[Tensor] = (), tail: bytes = b"") -> bytes:
    """Lay out a header and float32 matrices as one payload, which the browser reads without parsing numbers.

    Args:
        header: JSON values; it must say how large the blocks are.
        blocks: float32, any shape and device.
        tail: bytes for the end, such as colour indices.

    Returns:
        The length of the header as 4 bytes, little-endian; the header as UTF-8 JSON, padded with spaces to a multiple
        of 4; the blocks, row by row, as little-endian float32; the tail.

    Raises:
        ValueError: a block is not float32, so that the numbers on the screen would be others.
    """
    blocks = list(blocks)
    if others := [block.dtype for block in blocks if block.dtype != torch.float32]:
        raise ValueError(f"blocks has {others[0]}: give torch.float32, which is what the browser reads out")
    numbers = (block.detach().cpu().contiguous().numpy().astype("<f4", copy=False).tobytes() for block in blocks)
    return pack_text(json.dumps(header, allow_nan=False), b"".join((*numbers, tail)))


def pack_text(header: str, tail: bytes) -> bytes:
    """Lay out a header that is JSON already, and what follows it, as `pack` does."""
    text = header.encode()
    text += b" " * (-len(text) % 4)
    return b"".join((struct.pack("<I", len(text)), text, tail))


def colour_indices(values: Tensor, limit: float) -> Tensor:
    """Place values on the colour scale.

    Args:
        values: finite, any shape.
        limit: where the scale ends on both sides, above 0.

    Returns:
        Same shape, uint8 in 0..254; 127 is zero, and what lies beyond the limit has the index of the end.
    """
    steps = (values.detach() / limit * ZERO_INDEX).round().clamp(-ZERO_INDEX, ZERO_INDEX)
    return (steps + ZERO_INDEX).to("cpu", torch.uint8)
