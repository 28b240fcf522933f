"""The binary payload of components that draw numbers, data that payloads share, and labels of players."""

import gzip
import hashlib
import json
import struct
from collections.abc import Iterable, Mapping
from functools import cached_property
from typing import Any

import torch
from torch import Tensor

from embedlib.i18n import N_

# Labels of a stepper's buttons, in English.
STEPS: dict[str, str] = {
    "play": N_("Play"),
    "pause": N_("Pause"),
    "back": N_("Step back"),
    "forward": N_("Step forward"),
    "timeline": N_("Step"),
}
INLINE = 4_096  # bytes up to which shared data travels with the header: a request costs more
_SHARED = 1 << 31  # in the length of a header: the digest of shared data follows it
_LEVEL = 6  # of gzip


class SharedData:
    """Content that many payloads refer to by its hash; keep it with the objects that it is made from."""

    def __init__(self, content: bytes) -> None:
        self.content = content

    @property
    def nbytes(self) -> int:
        """Return its size in bytes."""
        return len(self.content)

    @cached_property
    def digest(self) -> bytes:
        """Return the SHA-256 of the content: only who knows the content knows its address."""
        return hashlib.sha256(self.content).digest()

    @property
    def address(self) -> str:
        """Return the digest in hex, by which the browser asks for the content."""
        return self.digest.hex()

    @cached_property
    def gzip_bytes(self) -> bytes | None:
        """Return the content as gzip; None if that saves less than a tenth, as with most float32 numbers."""
        content = gzip.compress(self.content, _LEVEL, mtime=0)
        return content if len(content) < 0.9 * len(self.content) else None


def pack(
    header: Mapping[str, Any], blocks: Iterable[Tensor] = (), tail: bytes = b"", *, shared: SharedData | None = None
) -> bytes:
    """Pack a header and float32 matrices into one payload, which the browser reads without parsing numbers.

    Args:
        header: JSON values, with the sizes of the blocks.
        blocks: float32, any shape and device.
        tail: bytes for the end, such as colour indices.
        shared: data between the header and the blocks that stay the same from run to run: the browser fetches them
            once, unless they are small.

    Returns:
        The length of the header as 4 bytes, little-endian; the header as UTF-8 JSON, padded with spaces to a multiple
        of 4; the shared data, or their SHA-256 where the length has its highest bit set; the blocks, row by row, as
        little-endian float32; the tail.

    Raises:
        ValueError: a block is not float32.
    """
    numbers = b"".join(map(float_bytes, blocks))
    return pack_text(json.dumps(header, allow_nan=False), numbers + tail, shared=shared)


def float_bytes(block: Tensor) -> bytes:
    """Return a float32 tensor as little-endian bytes, row by row."""
    if block.dtype != torch.float32:
        raise ValueError(f"blocks has {block.dtype}: give torch.float32, which is what the browser reads out")
    return block.detach().cpu().contiguous().numpy().astype("<f4", copy=False).tobytes()


def pack_text(header: str, tail: bytes, *, shared: SharedData | None = None) -> bytes:
    """Pack a header that is JSON already, and its data, as `pack` does."""
    text = header.encode()
    text += b" " * (-len(text) % 4)
    length, behind = len(text), b""
    if shared is not None and len(shared.content) <= INLINE:
        behind = shared.content
    elif shared is not None:
        length, behind = length | _SHARED, shared.digest
    return b"".join((struct.pack("<I", length), text, behind, tail))
