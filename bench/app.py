"""Cost of the app: its start, its first page, and one edit of a text, in the browser and on the server."""

import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from bench.recording import Recording, record
from bench.replay import replay
from bench.table import Row
from bench.timing import Samples
from tests.browser.serving import Server, running_server

STARTS = 5
EDIT = "edit, 50 tokens x 768"


def rows() -> Iterator[Row]:
    """Yield the rows of the table as they are measured."""
    ready: list[float] = []
    recordings: list[Recording] = []
    for number in range(STARTS):
        with temporary_server() as server:
            ready.append(server.seconds_to_ready)
            recordings.append(record(server.url, with_edits=number == 0))
    starts = Samples(ready)
    yield Row("start to /readyz, s", str(starts), "", starts.median, 5.0)
    first_sums = Samples([recording.first_sum for recording in recordings])
    yield Row("first visitor, opened to the sum drawn, s", str(first_sums), "", first_sums.median, 1.5)
    first_pages = Samples([recording.first_page for recording in recordings])
    yield Row("first visitor, opened to all in the window drawn, s", str(first_pages), "", first_pages.median, 1.5)
    second_pages = Samples([recording.second_page for recording in recordings])
    yield Row("a second page, chosen to all in the window drawn, s", str(second_pages), "", second_pages.median, 0.5)
    shifts = sorted(recording.shift for recording in recordings)
    yield Row(
        "first visitor: layout shift", ", ".join(f"{shift:.2f}" for shift in shifts), "", shifts[len(shifts) // 2], 0.1
    )
    sums = Samples(recordings[0].key_to_sum)
    yield Row(f"{EDIT}: key to chips, matrix and sum drawn, s", str(sums), "", sums.median, 0.250)
    drawn = Samples(recordings[0].key_to_drawn)
    yield Row(f"{EDIT}: key to all in the window drawn, s", str(drawn), "", drawn.median, 0.250)

    frames = Samples(recordings[0].frames)
    yield Row("the steps playing, 50 tokens x 768: from frame to frame, s", str(frames), "", frames.median, 0.0175)

    with temporary_server() as server:  # a new one: it has seen none of these texts
        answers = replay(server.url, recordings[0])
    seconds = Samples([answer.seconds for answer in answers])
    yield Row(f"{EDIT}: on the server, s", str(seconds), "", seconds.median, 0.060)
    sizes = sorted(answer.size for answer in answers)
    middle = sizes[len(sizes) // 2]
    spread = f"{middle / 1e3:.0f} kB ({sizes[0] / 1e3:.0f} kB to {sizes[-1] / 1e3:.0f} kB)"
    yield Row(f"{EDIT}: bytes sent to the browser", spread, "", middle, 600_000)


@contextmanager
def temporary_server(*, processes: int = 0) -> Iterator[Server]:
    """Run a server whose files are thrown away; see `running_server`."""
    with tempfile.TemporaryDirectory() as folder, running_server(Path(folder), processes=processes) as server:
        yield server
