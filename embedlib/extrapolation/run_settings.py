"""The settings of a run as JSON, and back, with every value checked."""

from collections.abc import Mapping
from dataclasses import MISSING, fields
from typing import Any

import torch
from torch import Tensor

from embedlib.extrapolation.config import TrainConfig
from embedlib.extrapolation.old_tasks import TASKS, Task, TextTask
from embedlib.positional import SCHEMES
from embedlib.tensor_files import RunFileError

VERSION = 1
_TEXT = "text"  # the tensor that holds a text


def settings_of(config: TrainConfig) -> tuple[dict[str, Any], bytes | None]:
    """Return what decides a run, as JSON takes it.

    Args:
        config: of the run.

    Returns:
        The settings, without the text of a TextTask, and the bytes of that text; None for other tasks.
    """
    values = {part.name: getattr(config, part.name) for part in fields(config)}
    task, text = _task_settings(config.task)
    return {**values, "version": VERSION, "parameters": dict(config.parameters), "task": task}, text


def config_of(settings: object, content: dict[str, Tensor], *, file: str, n_bytes: int) -> TrainConfig:
    """Return the config that settings describe.

    Args:
        settings: what JSON gave, of any type.
        content: the file's tensors; the text of a TextTask is taken out of them.
        file: its name, for errors.
        n_bytes: of the whole file: settings that ask for more weights than it can hold are refused before any is made.

    Returns:
        The config.

    Raises:
        RunFileError: "settings".
    """
    try:
        if not isinstance(settings, dict) or settings.pop("version") != VERSION:
            raise ValueError("another version")
        names = {part.name: part for part in fields(TrainConfig)}
        if settings.keys() != names.keys():
            raise ValueError("other settings")
        for name, value in settings.items():
            if names[name].default is not MISSING and not _same_type(value, names[name].default):
                raise ValueError("another type")
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


def _same_type(value: object, default: object) -> bool:
    """JSON has but one kind of number, so that a learning rate of 1.0 may come back as 1."""
    return type(value) is type(default) or (isinstance(default, float) and type(value) is int)


def _check_size(settings: Mapping[str, Any], n_bytes: int) -> None:
    d_model, table = settings["d_model"], not SCHEMES[settings["scheme"]].any_length
    least = max(8 * d_model**2 * settings["n_layers"], d_model * settings["max_seq_len"] * table)
    if 4 * least > n_bytes:
        raise ValueError("more weights than bytes")
