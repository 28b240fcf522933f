"""Whole tables: mapped from files here, fetched from a Hub of our own in pieces, resumed where that was cut."""

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from types import SimpleNamespace

import pytest
import torch
from huggingface_hub import constants
from safetensors.torch import load_file, save_file

from embedlib.checkpoints import CheckpointError, open_checkpoint, open_tokenizer
from embedlib.checkpoints import checkpoint as checkpoints
from embedlib.checkpoints import hub as ours
from tests.embedlib.checkpoints.hub import Hub, in_place_of_the_hub
from tests.embedlib.checkpoints.models import D_MODEL, DTYPES, STORED, TOKEN_TABLES, VOCAB_SIZE, save

STEP = 1_000
BYTES = VOCAB_SIZE * D_MODEL * 4


@pytest.fixture
def hub(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[Hub]:
    monkeypatch.setattr(ours, "STEP", STEP)
    with in_place_of_the_hub(monkeypatch, tmp_path) as server:
        save("gpt2", "float32", tmp_path / "gpt2")
        server.models["owner/gpt2"] = tmp_path / "gpt2"
        yield server


@pytest.fixture
def expected(hub: Hub, tmp_path: Path) -> torch.Tensor:
    return load_file(tmp_path / "gpt2" / "model.safetensors")[TOKEN_TABLES["gpt2"]]


def kept(ending: str) -> list[Path]:
    return sorted(Path(constants.HF_ASSETS_CACHE).glob(f"*/*/*.{ending}"))


@pytest.mark.parametrize(("kind", "dtype", "shard_bytes"), STORED)
def test_a_table_is_what_safetensors_loads(
    kind: str, dtype: str, shard_bytes: int | None, hub: Hub, tmp_path: Path
) -> None:
    save(kind, dtype, tmp_path / "made", shard_bytes=shard_bytes)
    hub.models["owner/made"] = tmp_path / "made"
    files = (tmp_path / "made").glob("*.safetensors")
    weights = {name: numbers for file in files for name, numbers in load_file(file).items()}
    for source in (tmp_path / "made", "owner/made"):
        table = open_checkpoint(source).whole_table()
        assert table.dtype == DTYPES[dtype]
        assert torch.equal(table, weights[TOKEN_TABLES[kind]])


def test_a_table_of_a_folder_is_mapped_and_not_read(tmp_path: Path) -> None:
    save_file({"wte.weight": torch.rand(3_000, 64)}, tmp_path / "model.safetensors")
    table = open_checkpoint(tmp_path).whole_table()
    mapping = next(line for line in Path("/proc/self/maps").read_text().splitlines() if str(tmp_path) in line)
    first, last = (int(place, 16) for place in mapping.split()[0].split("-"))
    assert first <= table.data_ptr() < last


def test_numbers_that_begin_anywhere_in_the_file_are_read(tmp_path: Path) -> None:
    rows = torch.rand(50, 3)
    save_file({"a": torch.zeros(1, dtype=torch.uint8), "wte.weight": rows}, tmp_path / "model.safetensors")
    content = (tmp_path / "model.safetensors").read_bytes()
    length = int.from_bytes(content[:8], "little")
    for spaces in range(5):
        header = content[8 : 8 + length] + b" " * spaces
        moved = len(header).to_bytes(8, "little") + header + content[8 + length :]
        (tmp_path / "model.safetensors").write_bytes(moved)
        assert torch.equal(open_checkpoint(tmp_path).whole_table(), rows)


def test_what_is_fetched_once_is_found_again(hub: Hub, expected: torch.Tensor) -> None:
    first = open_checkpoint("owner/gpt2")
    shares: list[float] = []
    assert first.table_bytes == BYTES
    assert not first.has_whole_table()
    assert torch.equal(first.whole_table(progress=shares.append), expected)
    assert shares == pytest.approx([start / BYTES for start in range(0, BYTES, STEP)])
    second = open_checkpoint("owner/gpt2")
    before = hub.sent
    assert second.has_whole_table()
    assert torch.equal(second.whole_table(), expected)
    assert hub.sent == before
    assert len(kept("table")) == 1
    assert kept("part") == []


class Stopped(Exception):
    pass


def stop_at(share: float) -> "ours.Progress":
    def progress(done: float) -> None:
        if done >= share:
            raise Stopped

    return progress


def test_work_that_is_stopped_goes_on_from_there(hub: Hub, expected: torch.Tensor) -> None:
    with pytest.raises(Stopped):
        open_checkpoint("owner/gpt2").whole_table(progress=stop_at(0.6))
    checkpoint = open_checkpoint("owner/gpt2")
    assert not checkpoint.has_whole_table()
    before = hub.sent
    assert torch.equal(checkpoint.whole_table(), expected)
    assert hub.sent - before <= 0.4 * BYTES + 2 * STEP


PROGRAM = """
import os, signal
from embedlib.checkpoints import hub, open_checkpoint

hub.STEP = {step}

def progress(share):
    if share > 0.5:
        os.kill(os.getpid(), signal.SIGKILL)

open_checkpoint("owner/gpt2").whole_table(progress=progress)
"""


@pytest.mark.thorough
def test_a_process_that_is_killed_leaves_no_half_that_passes_for_whole(
    hub: Hub, expected: torch.Tensor, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    assets = tmp_path / "home" / "assets"
    environment = os.environ | {"HF_ENDPOINT": hub.endpoint, "HF_HOME": str(tmp_path / "home"), "NO_PROXY": "*"}
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM.format(step=STEP)], env=environment, check=False, cwd=Path(__file__).parents[3]
    )
    assert done.returncode == -9
    monkeypatch.setattr(constants, "HF_ASSETS_CACHE", str(assets))
    assert len(kept("part")) == 1
    assert kept("table") == []
    (part,) = kept("part")
    size = part.stat().st_size
    assert 0 < size < BYTES
    with part.open("r+b") as stream:  # as a machine without power may leave the last piece
        stream.seek(size - 10)
        stream.write(bytes(10))
    before = hub.sent
    assert torch.equal(open_checkpoint("owner/gpt2").whole_table(), expected)
    assert hub.sent - before <= BYTES - size + 2 * STEP + 5_000  # the header, a step, and what was not there
    assert kept("part") == []


@pytest.mark.parametrize("fault", ["cut", "short", "other range", "status 500", "status 429 77", "status 403"])
def test_every_fault_is_said_and_the_next_call_goes_on(fault: str, hub: Hub, expected: torch.Tensor) -> None:
    checkpoint = open_checkpoint("owner/gpt2")
    hub.faults = ["", "", *[fault] * 3]
    with pytest.raises(CheckpointError) as caught:
        checkpoint.whole_table()
    assert caught.value.code in ("network", "access")
    hub.faults = []
    before = hub.sent
    assert torch.equal(checkpoint.whole_table(), expected)
    assert hub.sent - before <= BYTES - STEP


def test_two_who_fetch_the_same_together_both_get_it(hub: Hub, expected: torch.Tensor) -> None:
    opened = [open_checkpoint("owner/gpt2") for _ in range(4)]
    with ThreadPoolExecutor(4) as pool:
        tables = list(pool.map(lambda checkpoint: checkpoint.whole_table(), opened))
    assert all(torch.equal(table, expected) for table in tables)


def test_one_finishes_just_before_another_would(
    hub: Hub, expected: torch.Tensor, monkeypatch: pytest.MonkeyPatch
) -> None:
    sync = os.fsync

    def finished_by_another(descriptor: int) -> None:
        sync(descriptor)
        for partial in kept("part"):
            if partial.stat().st_size == BYTES:
                partial.replace(partial.with_suffix(".table"))

    monkeypatch.setattr(os, "fsync", finished_by_another)
    assert torch.equal(open_checkpoint("owner/gpt2").whole_table(), expected)
    assert kept("part") == []


def test_a_table_that_another_lets_go_meanwhile_takes_no_room(
    hub: Hub, expected: torch.Tensor, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    found = Path.glob
    gone = tmp_path / "assets" / "embedlib" / "owner--other" / "gone.part"
    monkeypatch.setattr(Path, "glob", lambda self, pattern: [*found(self, pattern), gone])
    assert torch.equal(open_checkpoint("owner/gpt2").whole_table(), expected)


def test_another_commit_is_another_table(
    hub: Hub, expected: torch.Tensor, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    open_checkpoint("owner/gpt2").whole_table()
    weights = load_file(tmp_path / "gpt2" / "model.safetensors")
    save_file({name: numbers + 1 for name, numbers in weights.items()}, tmp_path / "gpt2" / "model.safetensors")
    monkeypatch.setattr("tests.embedlib.checkpoints.hub.COMMIT", "f" * 40)
    assert torch.equal(open_checkpoint("owner/gpt2").whole_table(), expected + 1)
    monkeypatch.setattr(
        "tests.embedlib.checkpoints.hub.COMMIT", "no commit"
    )  # rows could be of another than the header
    with pytest.raises(CheckpointError, match="HF_ENDPOINT"):
        open_checkpoint("owner/gpt2")


def test_sizes_are_capped_and_what_cannot_be_stored_is_said(
    hub: Hub, expected: torch.Tensor, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    checkpoint = open_checkpoint("owner/gpt2")
    with monkeypatch.context() as patch:
        patch.setattr(checkpoints, "MAX_TABLE", BYTES - 1)
        with pytest.raises(CheckpointError) as caught:
            checkpoint.whole_table()
        assert caught.value.code == "too_large"
    with monkeypatch.context() as patch:
        patch.setattr(shutil, "disk_usage", lambda path: SimpleNamespace(free=BYTES - 1))
        with pytest.raises(CheckpointError) as caught:
            checkpoint.whole_table()
        assert caught.value.code == "no_room"
    (tmp_path / "file").write_bytes(b"")
    with monkeypatch.context() as patch:
        patch.setattr(constants, "HF_ASSETS_CACHE", str(tmp_path / "file"))  # no folder can be made there
        with pytest.raises(CheckpointError) as caught:
            checkpoint.whole_table()
        assert caught.value.code == "no_room"
    assert torch.equal(checkpoint.whole_table(), expected)


def test_the_longest_unused_tables_go_where_they_are_too_many(
    hub: Hub, expected: torch.Tensor, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(ours, "MAX_STORED", 2 * BYTES)
    for number in range(3):
        hub.models[f"owner/{number}"] = tmp_path / "gpt2"
    for number in (0, 1):
        open_checkpoint(f"owner/{number}").whole_table()
    first, second = (next(path for path in kept("table") if f"--{number}" in path.parent.name) for number in (0, 1))
    os.utime(second, (1, 1))
    open_checkpoint("owner/2").whole_table()
    assert first.exists()
    assert not second.exists()
    assert torch.equal(open_checkpoint("owner/1").whole_table(), expected)


def test_of_a_tokenizer_nothing_else_is_fetched(hub: Hub, tmp_path: Path) -> None:
    from tokenizers import Tokenizer, models, pre_tokenizers

    made = Tokenizer(models.WordLevel({"king": 0, "queen": 1, "?": 2}, unk_token="?"))
    made.pre_tokenizer = pre_tokenizers.Whitespace()
    made.save(str(tmp_path / "gpt2" / "tokenizer.json"))
    for tokenizer in (open_tokenizer("owner/gpt2"), open_tokenizer("gpt2", root=tmp_path)):
        assert tokenizer.encode("queen king") == [1, 0]
    assert {path.rpartition("/")[2] for _, _, path, _, _ in hub.asked} == {
        "tokenizer.json",
        "tokenizer.json?signature=secret",
    }
    (tmp_path / "gpt2" / "tokenizer.json").unlink()
    for source, root in (("owner/gpt2", None), ("gpt2", tmp_path)):
        with pytest.raises(CheckpointError) as caught:
            open_tokenizer(source, root=root)
        assert caught.value.code == "missing"
