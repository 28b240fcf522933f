"""Cost of the batches page with a text of 1 MB: its first run, and one control moved."""

import logging
from collections.abc import Iterator
from itertools import cycle, islice
from pathlib import Path

from streamlit.testing.v1 import AppTest

from bench.table import Row
from bench.timing import Samples, wall_seconds
from embedlib.texts import reference_manual

MAIN = Path(__file__).parents[1] / "ui" / "main.py"
CHANGES = 21
SIZE = 1_000_000


def rows() -> Iterator[Row]:
    """Load a text file of 1 MB, then move the controls, each to where it has not been just before."""
    logging.getLogger("streamlit").setLevel(logging.ERROR)  # it warns that nobody serves this page
    app = AppTest.from_file(MAIN, default_timeout=60)
    app.query_params["batches_source"] = "own"
    app.run()
    app.switch_page("../pages/batches.py").run()
    text = (reference_manual() * 3)[:SIZE]
    app.file_uploader[0].set_value(("text.txt", text.encode(), "text/plain"))
    first = Samples([wall_seconds(app.run)])
    yield Row("batches of a text of 1 MB, just loaded: on the server, s", str(first), "", first.median, 1.0)
    for shuffle in (False, True):
        app.toggle(key="shuffle").set_value(shuffle).run()
        for what, key, values in (
            ("stride", "stride", (1, 3, 64, 2, 4)),
            ("max_length", "max_length", (32, 256, 8, 1_024)),
            ("batch", "shown_batch", (5, 77, 1)),
        ):
            samples = Samples([_move_seconds(app, key, value) for value in islice(cycle(values), CHANGES)])
            order = "shuffled" if shuffle else "in order"
            name = f"batches of a text of 1 MB, {order}, another {what}: on the server, s"
            yield Row(name, str(samples), "", samples.median, 0.150)


def _move_seconds(app: AppTest, key: str, value: int) -> float:
    app.number_input(key=key).set_value(value)
    seconds = wall_seconds(app.run)
    assert not app.exception, app.exception
    return seconds
