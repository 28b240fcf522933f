"""Atomic file writes: a file is there whole or not at all, whenever the writer is killed."""

import glob
import os
import shutil
import time
import uuid
from contextlib import suppress
from pathlib import Path

_LEFT = 3_600.0  # seconds after which no writer is still active


def write_whole(path: str | os.PathLike[str], content: bytes) -> None:
    """Write a file beside its place and move it there in one step, so that nobody reads half of it.

    Leftovers of writers that were killed an hour ago or earlier are removed. After an OSError the old file is
    unchanged.
    """
    place = Path(path)
    beside = place.with_name(f".{place.name}.{uuid.uuid4().hex}.part")
    try:
        beside.write_bytes(content)
        beside.replace(place)
    finally:
        beside.unlink(missing_ok=True)
    for left in place.parent.glob(f".{glob.escape(place.name)}.*.part"):
        with suppress(OSError):
            if time.time() - left.stat().st_mtime > _LEFT:
                left.unlink()


def remove_stale_folders(folder: str | os.PathLike[str]) -> None:
    """Remove the folders in one in which nothing has been written for an hour: those of killed writers."""
    for left in Path(folder).iterdir():
        with suppress(OSError):
            if left.is_dir() and time.time() - max(one.stat().st_mtime for one in (left, *left.iterdir())) > _LEFT:
                shutil.rmtree(left)
