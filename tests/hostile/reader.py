"""Read mutations one after the other, in a process that may end any way: `python -m tests.hostile.reader …`.

What a case may take is bounded, and what it does besides reading is written down.
"""

import codecs
import faulthandler
import json
import os
import random
import resource
import sys
import tempfile
import traceback
import warnings
from contextlib import suppress
from pathlib import Path
from typing import Any

import pyarrow as pa

from tests.hostile.formats import FORMATS, Format
from tests.hostile.mutations import mutated

MOST_MEMORY = 3 * 2**30  # bytes of addresses that a case may take besides what is there
PEAK = 400_000  # kB of memory by which none may raise the process's peak
PATIENCE = 60  # seconds after which a case counts as hanging
_WRITES = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC
_NEVER = (
    "subprocess.",
    "os.system",
    "os.exec",
    "os.posix_spawn",
    "os.fork",
    "os.kill",
    "socket.",
    "pickle.",
    "ctypes.",
)
_NEVER += ("marshal.", "os.remove", "os.rename", "os.rmdir", "shutil.", "code.", "urllib.", "webbrowser.")


class Guard:
    """Notes what a case does that no file may bring about."""

    def __init__(self, folder: Path) -> None:
        self.armed = False
        self.seen: list[str] = []
        self._folder = str(folder)
        sys.addaudithook(self._heard)

    def _heard(self, event: str, given: tuple[Any, ...]) -> None:
        if not self.armed:
            return
        if event == "exec":
            place = given[0].co_filename
            if place.startswith("<") and not place.startswith("<frozen"):
                self.seen.append(f"exec {place}")
        elif event == "open":
            path, _mode, flags = given
            if isinstance(flags, int) and flags & _WRITES and not str(path).startswith(self._folder):
                self.seen.append(f"open {path} for writing")
        elif event.startswith(_NEVER):
            self.seen.append(f"{event} {given!r}"[:200])


def main(names: str, seed: str, first: int, stop: int, report: Path) -> None:
    """Read the cases first … stop - 1 of some formats; `report` has a line before each of them, and one after.

    Before them whole files are read, which loads all that is loaded late.
    """
    warnings.simplefilter("ignore")
    for codec in ("utf-16", "utf-16-le", "utf-16-be", "utf-32", "windows-1252"):  # loaded late, which the guard notes
        codecs.lookup(codec)
    whole = {name: FORMATS[name].whole() for name in names.split(",")}
    pa.array([1.0], pa.float32()).to_numpy()  # it imports as late as a first file of one row
    with tempfile.TemporaryDirectory() as place, report.open("a", buffering=1) as lines:
        guard, inner = Guard(Path(place)), Path(place) / "in"
        tempfile.tempdir = place
        for name, files in whole.items():
            for data in files:
                inner.mkdir()
                with suppress(*FORMATS[name].errors):
                    FORMATS[name].read(data, inner)
                _empty(inner)
        _limit_memory()
        for name, files in whole.items():
            for case in range(first, stop):
                lines.write(f"{case}\n")
                chance = random.Random(f"{name} {seed} {case}")
                data = made(name, files, chance)
                inner.mkdir()
                kind, fault = _outcome(FORMATS[name], data, inner, guard)
                told = {"name": name, "case": case, "kind": kind, "fault": fault[-1500:]}
                lines.write(json.dumps(told) + "\n" if fault else f"={kind}\n")
                _empty(inner)


def _outcome(file: Format, data: bytes, folder: Path, guard: Guard) -> tuple[str, str]:
    """Read one file; return what came of it, and what is at fault."""
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    faulthandler.dump_traceback_later(PATIENCE, exit=True)
    guard.armed = True
    try:
        file.read(data, folder)
        kind, fault = "read", ""
    except file.errors as error:
        kind, fault = str(getattr(error, "code", getattr(error, "cause", ""))), ""
    except BaseException as error:
        kind, fault = "fault", "".join(traceback.format_exception(error)[-6:])
    finally:
        guard.armed = False
        faulthandler.cancel_dump_traceback_later()
    grown = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before
    if grown > PEAK and not file.isolated:
        kind, fault = "memory", f"{grown} kB more"
    if guard.seen:
        kind, fault = "guard", "; ".join(guard.seen)
        guard.seen.clear()
    return kind, fault


def made(name: str, whole: list[bytes], chance: random.Random) -> bytes:
    """Make the file of a case."""
    data, inside = chance.choice(whole), FORMATS[name].inside
    if inside and chance.random() < 0.7:
        return chance.choice(inside)(data, chance)
    return mutated(data, whole, chance)


def _limit_memory() -> None:
    pages = int(Path("/proc/self/statm").read_text().split()[0])
    most = pages * resource.getpagesize() + MOST_MEMORY
    resource.setrlimit(resource.RLIMIT_AS, (most, most))


def _empty(folder: Path) -> None:
    for path in folder.iterdir():
        path.unlink()
    folder.rmdir()


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2], int(sys.argv[3]), int(sys.argv[4]), Path(sys.argv[5]))
