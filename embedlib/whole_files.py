"""Atomic file writes: a file is there whole or not at all, whenever the writer is killed."""

import glob
import os
import shutil
import time
import uuid
from contextlib import suppress
from pathlib import Path

_STALE = 3_600.0  # seconds after which no writer is still active


def write_whole(path: str | os.PathLike[str], content: bytes) -> None:
    """Write a temporary file and rename it to the path, so that nobody reads half of it.

    Leftovers of writers that were killed an hour ago or earlier are removed. After an OSError the old file is
    unchanged.
    """
    path = Path(path)
    temporary = path.with_name(f".{path.name}.{uuid.uuid4().hex}.part")
    try:
        temporary.write_bytes(content)
        temporary.replace(path)
    finally:
        temporary.unlink(missing_ok=True)
    for leftover in path.parent.glob(f".{glob.escape(path.name)}.*.part"):
        with suppress(OSError):
            if time.time() - leftover.stat().st_mtime > _STALE:
                leftover.unlink()


def remove_stale_folders(folder: str | os.PathLike[str]) -> None:
    """Remove the folders in one in which nothing has been written for an hour: those of killed writers."""
    for leftover in Path(folder).iterdir():
        with suppress(OSError):
            if (
                leftover.is_dir()
                and time.time() - max(path.stat().st_mtime for path in (leftover, *leftover.iterdir())) > _STALE
            ):
                shutil.rmtree(leftover)
