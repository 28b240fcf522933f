"""Run the programs that pages print, here, where torch is imported already: a process of its own takes seconds."""

import io
import os
from contextlib import chdir, redirect_stdout
from pathlib import Path
from typing import Any

import torch


def run(source: str, folder: Path | None = None) -> tuple[str, dict[str, Any]]:
    """Run a program as if it were alone, and leave torch's random state and its way of printing as they were.

    What a program lacks where it really is alone is found where only the wheel is installed: tests/test_packaging.py.

    Args:
        source: the program, our own text.
        folder: where it runs.

    Returns:
        What it printed, and its names.
    """
    written, names = io.StringIO(), {"__name__": "__main__"}
    state = torch.random.get_rng_state()
    try:
        with redirect_stdout(written), chdir(folder or os.curdir):
            exec(compile(source, "program.py", "exec"), names)
    finally:
        torch.random.set_rng_state(state)
        torch.set_printoptions(profile="default")
    return written.getvalue(), names
