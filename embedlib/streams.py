"""Random numbers of its own for each purpose, so that any step of a run can be drawn again by itself."""

import hashlib

import torch


def stream(seed: int, *purpose: str | int) -> torch.Generator:
    """Return a generator that the seed and a purpose decide together.

    Step 300 of a run draws the same whether 299 steps came before it or a file was loaded, and what one purpose draws
    leaves every other alone.

    Args:
        seed: any whole number.
        *purpose: what the numbers are for, such as "batch", 300.

    Returns:
        A fresh generator on the CPU; equal arguments give equal numbers, others numbers that have nothing to do with
        them.
    """
    digest = hashlib.blake2b(repr((seed, *purpose)).encode(), digest_size=8).digest()
    return torch.Generator().manual_seed(int.from_bytes(digest, "little") >> 1)  # in [0, 2^63)
