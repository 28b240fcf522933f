"""Command line: `.venv/bin/python -m bench`, or with names of benchmarks, the keys of BENCHMARKS."""

import argparse
import math
import platform
import sys
from collections.abc import Iterable, Iterator
from dataclasses import fields
from datetime import UTC, datetime
from importlib.metadata import version

import torch

from bench import (
    app,
    checkpoints,
    cluster,
    compare,
    context,
    follow,
    killed,
    languages,
    lessons,
    lessons_batches,
    lessons_layer,
    library,
    load,
    maps,
    peers,
    projection,
    projection_page,
    training,
    whole_class,
)
from bench.table import Row, markdown

BENCHMARKS = {
    "library": library.rows,
    "projection": projection.rows,
    "maps": maps.rows,
    "lessons": lessons.rows,
    "lessons-layer": lessons_layer.rows,
    "lessons-batches": lessons_batches.rows,
    "training": training.rows,
    "app": app.rows,
    "load": load.rows,
    "class": whole_class.rows,
    "killed": killed.rows,
    "compare": compare.rows,
    "projection-page": projection_page.rows,
    "checkpoints": checkpoints.rows,
    "context": context.rows,
    "follow": follow.rows,
    "languages": languages.rows,
    "cluster": cluster.rows,
    "peers": peers.rows,
}
ON_REQUEST = ("class", "peers")  # only by name: the one takes half an hour, the other what the project does not install


def main(arguments: list[str]) -> None:
    """Print where and when this ran, then the table."""
    reader = argparse.ArgumentParser("bench")
    reader.add_argument("names", nargs="*", metavar="NAME", help=", ".join(BENCHMARKS))
    for field in fields(whole_class.ClassPlan):
        reader.add_argument(f"--{field.name}", type=type(field.default), default=field.default, help="for `class`")
    reader.add_argument("--peers", default=peers.PYTHON, help="for `peers`: the Python that has the other tools")
    given = vars(reader.parse_args(arguments))
    names: list[str] = given.pop("names")
    peers.PYTHON = given.pop("peers")
    whole_class.PLAN = whole_class.ClassPlan(**given)
    unknown = [name for name in names if name not in BENCHMARKS]
    if unknown:
        raise SystemExit(f"no benchmark is called {', '.join(unknown)}; there are {', '.join(BENCHMARKS)}")
    packages = ", ".join(f"{name} {version(name)}" for name in ("torch", "streamlit", "plotly", "scikit-learn"))
    gpu = torch.cuda.get_device_name() if torch.cuda.is_available() else "no GPU"
    today = datetime.now(UTC).date().isoformat()
    print(
        f"{today}, {platform.platform()}, Python {platform.python_version()}, {packages}, "
        f"{torch.get_num_threads()} threads, {gpu}\n"
    )
    names = names or [name for name in BENCHMARKS if name not in ON_REQUEST]
    print(markdown(measure(names)))


def measure(names: Iterable[str]) -> Iterator[Row]:
    """Run benchmarks by name and yield their rows.

    Raises:
        RuntimeError: a benchmark has none, or a value is no number: it found nothing to measure.
    """
    for name in names:
        rows = 0
        for row in BENCHMARKS[name]():
            if not math.isfinite(row.value):
                raise RuntimeError(f"bench {name}: {row.what} is {row.value}")
            rows += 1
            yield row
        if not rows:
            raise RuntimeError(f"bench {name} measured nothing")


if __name__ == "__main__":
    main(sys.argv[1:])
