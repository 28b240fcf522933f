"""A training of rows as a file: to resume it, or only to read its rows."""

import os
from dataclasses import asdict
from pathlib import Path
from typing import TypeGuard

import torch

from embedlib.tensor_files import check_tensors, check_types, read_tensors, run_file_error, write_tensors
from embedlib.word2vec.skip_gram import SkipGramConfig, SkipGramState

_KIND = "skip-gram"
_SHAPED = [
    f"{name}{moment}" for name in ("rows", "context_rows") for moment in ("", ".exp_avg", ".exp_avg_sq")
]  # (vocab_size, d_model) each


def save_skip_gram(path: str | os.PathLike[str], state: SkipGramState, words: tuple[str, ...]) -> None:
    """Write the state of SkipGramStep.state() and the word of each row, whole or not at all; the text is not saved."""
    n_rows = len(state.tensors["rows"])
    if len(words) != n_rows:
        raise ValueError(f"words={len(words)} of them must be as many as rows={n_rows}")
    about = {"kind": _KIND, "config": asdict(state.config), "step": state.step, "diverged": state.diverged}
    write_tensors(path, about | {"words": words}, state.tensors)


def load_skip_gram(path: str | os.PathLike[str]) -> tuple[SkipGramState, tuple[str, ...]]:
    """Read a file of save_skip_gram: the state, and the word of each row.

    CodedError if there is no such file, it is no training of rows, or its contents contradict each other.
    """
    about, tensors = read_tensors(path)
    name = Path(path).name
    if about.get("kind") != _KIND:
        raise run_file_error("no_run", name)
    config = parse_config(about.get("config"), name)
    step, diverged, words = about.get("step"), about.get("diverged"), about.get("words")
    if not (type(step) is int and 0 <= step <= config.steps and isinstance(diverged, bool) and is_word_list(words)):
        raise run_file_error("no_run", name)
    shape = len(words), config.d_model
    draws = torch.Generator()
    shapes = {"generator": (draws.get_state().shape, torch.uint8)} | {part: (shape, torch.float32) for part in _SHAPED}
    check_tensors(name, tensors, shapes)
    try:
        draws.set_state(tensors["generator"])
    except RuntimeError as error:
        raise run_file_error("no_run", name) from error
    return SkipGramState(config, step, tensors, diverged), tuple(words)


def is_word_list(words: object) -> TypeGuard[list[str]]:
    """Return whether a value from JSON is a list of words; half a surrogate pair is none, since no page can show it."""
    try:
        return isinstance(words, list) and bool("".join(words).encode())
    except (TypeError, UnicodeEncodeError):
        return False


def parse_config(values: object, file: str) -> SkipGramConfig:
    """Return the config of a JSON object."""
    try:
        if not isinstance(values, dict):
            raise TypeError("no settings")
        check_types(values, SkipGramConfig)
        return SkipGramConfig(**values)
    except (KeyError, TypeError, ValueError) as error:
        raise run_file_error("no_run", file) from error
