"""Runs as files: what is read is what was saved, to the bit, and nothing else is taken for a run."""

import json
import pickle
from itertools import islice
from pathlib import Path
from typing import Any

import pytest
import safetensors.torch
import torch
from safetensors import safe_open

from embedlib.extrapolation import Run, RunFileError, TrainConfig, load_run, new_run, save_run, train
from embedlib.extrapolation.tasks import BackTask, SortTask, Task, TextTask
from tests.embedlib.extrapolation.small import small


def stopped(config: TrainConfig, n_steps: int) -> Run:
    run = new_run(config)
    list(islice(train(run), n_steps))
    return run


def parts_of(path: Path) -> tuple[dict[str, torch.Tensor], dict[str, Any]]:
    with safe_open(path, framework="pt") as file:
        return {name: file.get_tensor(name) for name in file.keys()}, json.loads(file.metadata()["about"])


def write(path: Path, tensors: dict[str, torch.Tensor], settings: object) -> Path:
    path.write_bytes(safetensors.torch.save(tensors, metadata={"about": json.dumps(settings)}))
    return path


@pytest.fixture
def saved(tmp_path: Path) -> Path:
    path = tmp_path / "run.safetensors"
    save_run(stopped(small(), 5), path)
    return path


@pytest.mark.parametrize("n_steps", [0, 1, 7, 12])
@pytest.mark.parametrize("scheme", ["t5", "learned", "rope"])
def test_a_run_that_was_saved_and_read_ends_where_an_unbroken_one_does(
    scheme: str, n_steps: int, tmp_path: Path
) -> None:
    config = small(scheme=scheme)
    unbroken = stopped(config, 12)
    save_run(stopped(config, n_steps), tmp_path / "run")
    run = load_run(tmp_path / "run")
    assert run.n_done == n_steps
    list(train(run))
    assert run.losses == unbroken.losses
    for (name, a), b in zip(run.decoder.named_parameters(), unbroken.decoder.parameters(), strict=True):
        assert torch.equal(a, b), name


@pytest.mark.parametrize(
    "task",
    [
        SortTask(9, 2, 4),
        BackTask(n_values=7, back=2, shortest=4, longest=9),
        TextTask("naïve 🙂\ud800\r\n" * 50, length=6),
    ],
)
def test_the_whole_config_comes_back(task: Task, tmp_path: Path) -> None:
    config = small(
        task=task, scheme="rope", parameters={"base": 500.0, "pairing": "halves"}, learning_rate=1, weight_decay=0
    )
    save_run(stopped(config, 2), tmp_path / "run")
    assert load_run(tmp_path / "run").config == config


def test_a_file_replaces_another_and_leaves_nothing_beside_it(saved: Path) -> None:
    save_run(stopped(small(), 6), saved)
    assert load_run(saved).n_done == 6
    assert [path.name for path in saved.parent.iterdir()] == [saved.name]


def test_saving_changes_nothing_in_the_run(tmp_path: Path) -> None:
    run, unbroken = new_run(small()), stopped(small(), 12)
    for step in train(run):
        save_run(step.run, tmp_path / "run")
    assert run.losses == unbroken.losses


def test_a_file_that_cannot_be_written_is_said_and_leaves_nothing(tmp_path: Path) -> None:
    with pytest.raises(OSError, match="no such folder"):
        save_run(stopped(small(), 1), tmp_path / "no such folder" / "run")
    assert list(tmp_path.iterdir()) == []


def refused(path: Path, code: str) -> None:
    with pytest.raises(RunFileError) as caught:
        load_run(path)
    error = pickle.loads(pickle.dumps(caught.value))  # our own bytes
    assert (error.code, error.values, str(error)) == (code, {"file": path.name}, str(caught.value))


def test_no_file_is_refused(tmp_path: Path) -> None:
    refused(tmp_path / "run", "missing")
    refused(tmp_path, "missing")


def test_a_file_that_is_too_large_is_refused_before_it_is_read(saved: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("embedlib.tensor_files.MOST_BYTES", 100)
    refused(saved, "too_large")


@pytest.mark.parametrize("n_bytes", [0, 7, 8, 60, 3_000])
def test_a_file_that_was_cut_off_is_refused(n_bytes: int, saved: Path) -> None:
    saved.write_bytes(saved.read_bytes()[:n_bytes])
    refused(saved, "damaged")


def test_a_pickle_is_refused_and_not_run(tmp_path: Path) -> None:
    path = tmp_path / "run"
    torch.save({"weights": torch.zeros(3)}, path)
    refused(path, "damaged")


def test_other_safetensors_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "run"
    path.write_bytes(safetensors.torch.save({"wte.weight": torch.zeros(3, 4)}))
    refused(path, "no_run")
    path.write_bytes(safetensors.torch.save({"wte.weight": torch.zeros(3, 4)}, metadata={"run": "[" * 100_000}))
    refused(path, "no_run")


@pytest.mark.parametrize(
    "change",
    [
        {"version": 2},
        {"version": None},
        {"n_layers": "2"},
        {"n_layers": True},
        {"n_layers": 0},
        {"learning_rate": "high"},
        {"learning_rate": None},
        {"scheme": "ropes"},
        {"scheme": ["t5"]},
        {"parameters": {"pairs": 3}},
        {"parameters": []},
        {"parameters": None},
        {"task": {"kind": "sort", "n_values": 9, "shortest": 1, "longest": 40}},
        {"task": {"kind": "sort", "n_values": 9, "code": "print()"}},
        {"task": {"kind": "text", "length": 5}},
        {"task": {"kind": "sum"}},
        {"task": "sort"},
        {"task": None},
        {"more": 1},
        {"d_model": 2_048, "n_layers": 48},
        {"scheme": "learned", "max_seq_len": 65_536},
    ],
)
def test_settings_that_cannot_be_are_refused(change: dict[str, Any], saved: Path) -> None:
    tensors, settings = parts_of(saved)
    refused(write(saved, tensors, {**settings, **change}), "settings")


@pytest.mark.parametrize("settings", [None, [], 3, "run"])
def test_settings_that_are_none_are_refused(settings: object, saved: Path) -> None:
    refused(write(saved, parts_of(saved)[0], settings), "no_run")


def test_settings_that_say_nothing_are_refused(saved: Path) -> None:
    refused(write(saved, parts_of(saved)[0], {}), "settings")


def test_tensors_that_do_not_fit_are_refused(saved: Path) -> None:
    tensors, settings = parts_of(saved)
    rows = tensors["weights.rows"]
    without_text = {**settings, "task": {"kind": "text", "length": 1}}
    for wrong in (
        {**tensors, "weights.rows": rows[:-1].contiguous()},
        {**tensors, "weights.rows": rows.double()},
        {**tensors, "weights.more": rows.clone()},
        {name: value for name, value in tensors.items() if name != "exp_avg.rows"},
        {name: value for name, value in tensors.items() if name != "losses"},
        {**tensors, "losses": tensors["losses"].float()},
        {**tensors, "losses": torch.zeros(13, dtype=torch.float64)},
        {**tensors, "text": torch.zeros(3, dtype=torch.uint8)},
    ):
        refused(write(saved, wrong, settings), "tensors")
    broken_text = {**tensors, "text": torch.full((90,), 0xFF, dtype=torch.uint8)}
    refused(write(saved, broken_text, without_text), "settings")
    float_text = {**tensors, "text": torch.full((90,), 0.5)}
    refused(write(saved, float_text, without_text), "settings")


@pytest.mark.parametrize("name", ["weights.rows", "exp_avg_sq.rows"])
def test_numbers_that_are_none_are_refused(name: str, saved: Path) -> None:
    tensors, settings = parts_of(saved)
    tensors[name][0, 0] = float("nan")
    refused(write(saved, tensors, settings), "not_finite")
