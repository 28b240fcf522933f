import os
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Barrier

import pytest

from embedlib.whole_files import remove_stale_folders, write_whole
from tests.waiting import PATIENCE


def test_what_cannot_be_put_in_its_place_leaves_the_old_file_and_nothing_beside_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object) -> None:
        raise OSError("No space left on device")

    place = tmp_path / "kept"
    write_whole(place, b"old")
    monkeypatch.setattr(Path, "replace", full)
    with pytest.raises(OSError, match="No space left"):
        write_whole(place, b"new")
    assert list(tmp_path.iterdir()) == [place]
    assert place.read_bytes() == b"old"


def test_writers_of_one_file_at_once_do_no_harm_and_none_shows_a_part(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    place, seen = tmp_path / "kept", list[bool]()
    together = Barrier(4, timeout=PATIENCE)
    write_bytes = Path.write_bytes

    def write_in_part(path: Path, content: bytes) -> int:
        write_bytes(path, content[:2])
        together.wait()  # all have written something, none has put its file in place
        seen.append(place.exists())
        together.wait()
        return write_bytes(path, content)

    monkeypatch.setattr(Path, "write_bytes", write_in_part)
    with ThreadPoolExecutor(4) as pool:
        list(pool.map(write_whole, [place] * 4, [b"whole"] * 4))
    assert seen == [False] * 4
    assert [path.read_bytes() for path in tmp_path.iterdir()] == [b"whole"]


def test_what_killed_writers_left_goes_and_what_another_writes_now_stays(tmp_path: Path) -> None:
    place, left, written, other = (
        tmp_path / name for name in ("run[1]", ".run[1].aa.part", ".run[1].bb.part", ".run1.cc.part")
    )
    for file in (left, written, other):
        file.write_bytes(b"half")
    for file in (left, other):
        os.utime(file, (time.time() - 7_200,) * 2)
    write_whole(place, b"whole")
    assert set(tmp_path.iterdir()) == {place, written, other}


def test_folders_of_killed_writers_go_and_those_in_which_somebody_writes_stay(tmp_path: Path) -> None:
    left, empty, written, kept = (tmp_path / name for name in ("left", "empty", "written", "kept.npy"))
    for folder in (left, empty, written):
        folder.mkdir()
    kept.write_bytes(b"whole")
    for file in (left / "places.npy", written / "places.npy"):
        file.write_bytes(b"half")
    for part in (left / "places.npy", left, empty, written, kept):
        os.utime(part, (time.time() - 7_200,) * 2)
    remove_stale_folders(tmp_path)
    assert set(tmp_path.iterdir()) == {written, kept}
