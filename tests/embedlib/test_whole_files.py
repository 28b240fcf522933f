import os
import time
from pathlib import Path

import pytest

from embedlib.whole_files import remove_left, write_whole


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
    remove_left(tmp_path)
    assert set(tmp_path.iterdir()) == {written, kept}
