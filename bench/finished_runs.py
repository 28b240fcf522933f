"""Run every unit whose figures ship with the library, one after the other, each written as soon as it is there."""

import argparse
from pathlib import Path

import torch

from embedlib.device import pick_device
from embedlib.extrapolation import (
    EXPERIMENTS,
    FIRST_SCHEMES,
    FIRST_SEEDS,
    SHIPPED,
    Diverged,
    FinishedUnit,
    Task,
    Unit,
    code_version,
    experiment_units,
    finished_runs,
    run_unit,
    write_finished,
)
from embedlib.positional import SCHEMES
from embedlib.texts import reference_manual


def main() -> None:
    """Run the missing units, and print progress."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--file", type=Path, default=SHIPPED)
    parser.add_argument("--size", choices=("small", "wide"), default="small")
    parser.add_argument("--again", action="store_true", help="run again what the file has already")
    options = parser.parse_args()
    kept = {} if options.again or not options.file.exists() else finished_runs(options.file)
    wanted = [unit for name in EXPERIMENTS for unit in all_units(name, options.size)]
    tasks: dict[str, Task] = {}
    version = code_version()  # of this process, whatever becomes of the files meanwhile
    missing = [unit for unit in wanted if unit not in kept]
    for number, unit in enumerate(sorted(missing, key=lambda unit: unit.scheme not in FIRST_SCHEMES), start=1):
        if unit.experiment not in tasks:
            whole = EXPERIMENTS[unit.experiment]
            tasks[unit.experiment] = whole.task(reference_manual() if whole.needs_text else None, size=unit.size)
        label = f"{number}/{len(missing)} {unit.experiment} {unit.scheme} seed {unit.seed}"
        try:
            kept[unit] = run_unit(unit, tasks[unit.experiment], device=pick_device().device, version=version)
        except Diverged as error:
            print(f"{label}: {error}", flush=True)
            continue
        write_finished(order_runs(kept, wanted), options.file)
        print(f"{label}: {kept[unit].provenance.seconds:.1f} s", flush=True)


def all_units(experiment: str, size: str) -> tuple[Unit, ...]:
    """Return the units of an experiment for every scheme and the first seeds."""
    return experiment_units(
        experiment, schemes=tuple(SCHEMES), seeds=FIRST_SEEDS, size="wide" if size == "wide" else "small"
    )


def order_runs(kept: dict[Unit, FinishedUnit], wanted: list[Unit]) -> list[FinishedUnit]:
    """Return the finished runs in the order of the requested units; others follow."""
    others = [unit for unit in kept if unit not in wanted]
    return [kept[unit] for unit in [*wanted, *others] if unit in kept]


if __name__ == "__main__":
    torch.set_num_threads(1)
    main()
