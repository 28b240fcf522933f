"""The command `embedding-explorer`, which starts the app from an installed wheel; also used by `bin/serve`."""

import os
import sys
from collections.abc import Sequence
from pathlib import Path

APP = Path(__file__).parents[2] / "app.py"
CACHE = "EMBEDDING_EXPLORER_CACHE"  # MB that a process may keep of results, as ui.cache.bounded reads it
PROCESS = "EMBEDDING_EXPLORER_PROCESS"  # which of several processes this is, as in "8503 of 8502 8503"


def main() -> None:
    """Serve the app. Arguments go to Streamlit, as in ``embedding-explorer --server.port 9000``."""
    own, _, every = os.environ.get(PROCESS, "").partition(" of ")
    if own and hasattr(os, "sched_setaffinity"):  # on Linux; before further threads start, which inherit it
        ports = every.split()
        os.sched_setaffinity(0, share_of_cores(ports.index(own), len(ports), sorted(os.sched_getaffinity(0))))
    try:
        from streamlit.web import cli
    except ModuleNotFoundError:
        sys.exit("The app needs more than the library does: pip install '.[app]' in this project's folder")
    cli.main(["run", str(APP), *sys.argv[1:]], prog_name="streamlit")


def share_of_cores(number: int, count: int, cores: Sequence[int]) -> Sequence[int]:
    """Return the cores of one process: its own, or a shared one if there are more processes than cores.

    Threads that wait for Python's lock keep waking up to request it, and on other cores they delay the one that has it:
    fifty pages at once took 38 to 43 ms of processor time each on two cores, and 27 on one.

    Args:
        number: of the process, from 0.
        count: of processes.
        cores: that all may use.
    """
    return cores[number::count] or [cores[number % len(cores)]]


if __name__ == "__main__":
    main()
