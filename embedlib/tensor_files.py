"""Tensors in one file with their description as JSON: written whole or not at all, checked when read."""

import json
import os
from collections.abc import Mapping, Sequence
from dataclasses import MISSING, fields
from pathlib import Path
from typing import Any, Literal

from torch import Tensor, dtype

from embedlib.errors import CodedError, fill_sentence
from embedlib.i18n import N_
from embedlib.whole_files import write_whole

Code = Literal["no_run", "not_finite"]

# code -> sentence. The name in braces is the key of an error's values.
ERRORS: dict[str, str] = {
    "no_run": N_("{file} is no saved run: choose another."),
    "not_finite": N_("Weights in {file} are not finite: lower the learning rate."),
}

MAX_BYTES = 2_000_000_000
# One key holds the whole description: the format has no fixed order of several.
_KEY = "about"


def run_file_error(code: Code, file: str) -> CodedError:
    """Return the error of a file that cannot be read as a run; `code` is a key of ERRORS."""
    return CodedError(code, fill_sentence(ERRORS[code], {"file": file}, quote=repr), file=file)


def write_tensors(path: str | os.PathLike[str], about: dict[str, Any], tensors: dict[str, Tensor]) -> None:
    """Write a .safetensors file, whole or not at all; equal contents give equal bytes."""
    from safetensors.torch import save

    # A copy each, as the format allows no two tensors to share memory.
    copies = {name: value.detach().to("cpu", copy=True).contiguous() for name, value in tensors.items()}
    write_whole(path, save(copies, metadata={_KEY: json.dumps(about, ensure_ascii=False)}))


def read_tensors(path: str | os.PathLike[str]) -> tuple[dict[str, Any], dict[str, Tensor]]:
    """Read a file of write_tensors: the description, and the tensors by name, on the CPU.

    Nothing in it is run as code.
    """
    from safetensors import SafetensorError, safe_open

    path = Path(path)
    try:
        if not path.is_file() or path.stat().st_size > MAX_BYTES:
            raise ValueError(f"no file of at most {MAX_BYTES} bytes")
        with safe_open(path, framework="pt") as file:
            about = json.loads((file.metadata() or {})[_KEY])
            tensors = {name: file.get_tensor(name) for name in file.keys()}
        if not isinstance(about, dict):
            raise TypeError("no description")
    except (SafetensorError, OSError, KeyError, TypeError, ValueError, RecursionError) as error:
        raise run_file_error("no_run", path.name) from error
    return about, tensors


def check_tensors(
    file: str, tensors: Mapping[str, Tensor], expected: Mapping[str, tuple[Sequence[int], dtype]]
) -> None:
    """Raise CodedError unless a file has the expected tensors, and all their numbers are finite."""
    if {name: (tuple(tensor.shape), tensor.dtype) for name, tensor in tensors.items()} != {
        name: (tuple(shape), kind) for name, (shape, kind) in expected.items()
    }:
        raise run_file_error("no_run", file)
    if not all(bool(tensor.isfinite().all()) for tensor in tensors.values()):
        raise run_file_error("not_finite", file)


def check_types(values: Mapping[str, Any], settings: type[Any]) -> None:
    """Raise TypeError where a value from JSON has another type than the default of its field.

    JSON has but one kind of number, so that a learning rate of 1.0 may come back as 1.
    """
    defaults = {part.name: part.default for part in fields(settings)}
    for name, value in values.items():
        default = defaults[name]
        if default is not MISSING and type(value) is not type(default):
            if not (isinstance(default, float) and type(value) is int):
                raise TypeError(f"{name}={value!r} must be of the type of {default!r}")
