"""Runs as files: one .safetensors with weights, moments, losses and the settings as JSON; checked when it is read."""

import os
from collections.abc import Mapping
from dataclasses import fields
from pathlib import Path
from typing import Any

import torch
from torch import Tensor

from embedlib.extrapolation.config import TrainConfig
from embedlib.extrapolation.tasks import TASKS, Task, TextTask
from embedlib.extrapolation.train import Run, new_run
from embedlib.positional import SCHEMES, FormulaPositions
from embedlib.tensor_files import RunFileError, check_tensors, check_types, read_tensors, write_tensors

VERSION = 1
_TEXT = "text"  # the tensor that holds a text
_MOMENTS = ("exp_avg", "exp_avg_sq")


def settings_of(config: TrainConfig) -> tuple[dict[str, Any], bytes | None]:
    """Return what decides a run, as JSON takes it.

    Returns: The settings, without the text of a TextTask, and the bytes of that text; None for other tasks.
    """
    values = {part.name: getattr(config, part.name) for part in fields(config)}
    task, text = _task_settings(config.task)
    return {**values, "version": VERSION, "parameters": dict(config.parameters), "task": task}, text


def config_of(settings: object, content: dict[str, Tensor], *, file: str, n_bytes: int) -> TrainConfig:
    """Return the config that settings describe.

    Returns: The config.
    """
    try:
        if not isinstance(settings, dict) or settings.pop("version") != VERSION:
            raise ValueError("another version")
        if settings.keys() != {part.name for part in fields(TrainConfig)}:
            raise ValueError("other settings")
        check_types(settings, TrainConfig)
        _check_size(settings, n_bytes)
        return TrainConfig(**{**settings, "task": _task(settings["task"], content)})
    except (ValueError, TypeError, KeyError, AttributeError) as error:
        raise RunFileError("settings", file) from error


def _task_settings(task: Task) -> tuple[dict[str, Any], bytes | None]:
    values = {part.name: getattr(task, part.name) for part in fields(TASKS[task.kind]) if part.init}
    text = values.pop("text").encode("utf-8", "surrogatepass") if isinstance(task, TextTask) else None
    return {"kind": task.kind, **values}, text


def _task(settings: dict[str, Any], content: dict[str, Tensor]) -> Task:
    values = dict(settings)
    kind = values.pop("kind")
    if kind == TextTask.kind:
        text = content.pop(_TEXT)
        if text.dtype != torch.uint8 or text.ndim != 1:
            raise ValueError("no bytes")
        values["text"] = bytes(text.numpy()).decode("utf-8", "surrogatepass")
    return TASKS[kind](**values)


def _check_size(settings: Mapping[str, Any], n_bytes: int) -> None:
    d_model, name = settings["d_model"], settings["scheme"]
    table = name != FormulaPositions.name and not SCHEMES[name].any_length
    least = max(8 * d_model**2 * settings["n_layers"], d_model * settings["max_seq_len"] * table)
    if 4 * least > n_bytes:
        raise ValueError("more weights than bytes")


def save_run(run: Run, path: str | os.PathLike[str]) -> None:
    """Write a run, so that it can be read, scored and gone on with; between two steps, at any of them.

    The file is complete or not there: it is written beside its place and moved there. It holds the text of a TextTask.

    Args:
        run: as it is now.
        path: where to; what is there is replaced.

    Raises:
        OSError: the file cannot be written.
    """
    tensors = {f"weights.{name}": value for name, value in run.decoder.state_dict().items()}
    for name, moments in _moments(run).items():
        tensors |= {f"{moment}.{name}": moments[moment] for moment in _MOMENTS}
    tensors["losses"] = torch.tensor(run.losses, dtype=torch.float64)
    settings, text = settings_of(run.config)
    if text is not None:
        tensors[_TEXT] = torch.frombuffer(bytearray(text), dtype=torch.uint8)
    write_tensors(path, settings, tensors)


def load_run(path: str | os.PathLike[str], *, device: torch.device | None = None) -> Run:
    """Read a run that ``save_run`` wrote; nothing in the file is ever run as code.

    ``train(load_run(path))`` does the steps that are left, and on the same machine and device comes to the bit where a
    run without a stop would.

    Args:
        path: of the file.
        device: where it goes on; None means CPU.

    Returns:
        The Run as it was.

    Raises:
        RunFileError: there is no such file, it is no run, or what it holds does not fit together.
    """
    place = Path(path)
    settings, content = read_tensors(place)
    config = config_of(settings, content, file=place.name, n_bytes=place.stat().st_size)
    run = new_run(config)
    expected = {f"weights.{name}": value for name, value in run.decoder.state_dict().items()}
    parameters = dict(run.decoder.named_parameters())
    losses = content.pop("losses", None)
    if losses is None or losses.dtype != torch.float64 or losses.ndim != 1 or len(losses) > config.n_steps:
        raise RunFileError("tensors", place.name)
    if len(losses):
        expected |= {f"{moment}.{name}": value for name, value in parameters.items() for moment in _MOMENTS}
    check_tensors(place.name, content, {name: (like.shape, like.dtype) for name, like in expected.items()})
    run.decoder.load_state_dict({name: content[f"weights.{name}"] for name in run.decoder.state_dict()})
    run.decoder.to(device)
    run.losses = losses.tolist()
    if run.losses:
        _restore_moments(run, content)
    return run


def _moments(run: Run) -> dict[str, dict[str, Tensor]]:
    """Return AdamW's running means of each parameter; nothing before the first step."""
    states = run.optimizer.state
    return {name: states[parameter] for name, parameter in run.decoder.named_parameters() if parameter in states}


def _restore_moments(run: Run, content: dict[str, Tensor]) -> None:
    for name, parameter in run.decoder.named_parameters():
        run.optimizer.restore(parameter, run.n_done, **{moment: content[f"{moment}.{name}"] for moment in _MOMENTS})
