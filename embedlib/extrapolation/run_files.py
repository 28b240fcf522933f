"""Runs as files: one .safetensors with weights, moments, losses and the settings as JSON; checked when it is read."""

import os
from pathlib import Path

import torch
from torch import Tensor

from embedlib.extrapolation.run import Run, new_run
from embedlib.extrapolation.run_settings import config_of, settings_of
from embedlib.tensor_files import RunFileError, read_tensors, write_tensors

__all__ = ["RunFileError", "load_run", "save_run"]

_MOMENTS = ("exp_avg", "exp_avg_sq")


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
        tensors["text"] = torch.frombuffer(bytearray(text), dtype=torch.uint8)
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
    _check(place.name, content, expected)
    run.decoder.load_state_dict({name: content[f"weights.{name}"] for name in run.decoder.state_dict()})
    run.decoder.to(device)
    run.losses = losses.tolist()
    if run.losses:
        _restore_moments(run, content)
    return run


def _check(file: str, content: dict[str, Tensor], expected: dict[str, Tensor]) -> None:
    """Refuse tensors that are missing, of another shape or type, not finite, or more than a run has."""
    if content.keys() != expected.keys():
        raise RunFileError("tensors", file)
    for name, like in expected.items():
        if content[name].shape != like.shape or content[name].dtype != like.dtype:
            raise RunFileError("tensors", file)
        if not bool(torch.isfinite(content[name]).all()):
            raise RunFileError("not_finite", file)


def _moments(run: Run) -> dict[str, dict[str, Tensor]]:
    """Return AdamW's running means of each parameter; nothing before the first step."""
    states = run.optimizer.state
    return {name: states[parameter] for name, parameter in run.decoder.named_parameters() if parameter in states}


def _restore_moments(run: Run, content: dict[str, Tensor]) -> None:
    done = torch.tensor(float(run.n_done))
    states = {
        number: {"step": done.clone()} | {moment: content[f"{moment}.{name}"] for moment in _MOMENTS}
        for number, (name, _) in enumerate(run.decoder.named_parameters())
    }
    run.optimizer.load_state_dict({"state": states, "param_groups": run.optimizer.state_dict()["param_groups"]})
