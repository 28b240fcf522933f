"""Provenance of results: machine, day and versions."""

import os
import platform
import subprocess
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

import torch

from embedlib import __version__

ROOT = Path(__file__).parents[2]


@dataclass(frozen=True, slots=True)
class Provenance:
    """Machine, day and versions of a computation.

    Attributes:
        machine: processor, its vector instructions, number of cores, system.
        device: as torch names it, such as "cpu" or "NVIDIA H200".
        threads: of torch on the CPU.
        date: in UTC, as in "2026-11-20".
        version: of this project's code, see code_version.
    """

    machine: str
    device: str
    threads: int
    date: str
    version: str
    torch: str
    python: str
    seconds: float


def provenance(device: torch.device | None = None, *, seconds: float = 0.0, version: str | None = None) -> Provenance:
    """Return the provenance of a computation that has just ended, after so many seconds."""
    return Provenance(
        machine(),
        torch.cuda.get_device_name(device) if device is not None and device.type == "cuda" else str(device or "cpu"),
        torch.get_num_threads(),
        datetime.now(UTC).date().isoformat(),
        version or code_version(),
        str(torch.__version__),
        platform.python_version(),
        seconds,
    )


def machine() -> str:
    """Return this machine's processor, its vector instructions, number of cores, and system.

    A virtual machine may hide the model's name: family and model number still identify the processor.
    """
    facts: dict[str, str] = {}
    try:
        for line in Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines():
            name, _, value = line.partition(":")
            facts.setdefault(name.strip(), value.strip())
    except OSError:
        pass
    parts = [
        facts.get("model name") or platform.processor() or platform.machine(),
        *(f"{name.removeprefix('cpu ')} {facts[name]}" for name in ("cpu family", "model") if name in facts),
        torch.backends.cpu.get_cpu_capability(),
        f"{os.cpu_count()} cores",
        f"{platform.system()} {platform.machine()}",
    ]
    return ", ".join(parts)


def code_version() -> str:
    """Return the commit of the library's code, with "+" after local changes.

    Outside its repository the version, such as "0.1.0".
    """
    try:
        _git("ls-files", "--error-unmatch", "embedlib/__init__.py")  # installed, it may lie in another's repository
        commit = _git("rev-parse", "--short=10", "HEAD").stdout.strip()
        changed = _git("diff", "--quiet", "HEAD", "--", "embedlib/*.py", check=False).returncode
    except (OSError, subprocess.SubprocessError):
        return __version__
    return commit + "+" * bool(changed)


def _git(*command: str, check: bool = True) -> subprocess.CompletedProcess[str]:
    return subprocess.run(["git", "-C", str(ROOT), *command], capture_output=True, text=True, timeout=10, check=check)
