"""The same tables in the page of whole tables, the TensorBoard projector, embedding-atlas and Plotly's scattergl.

The other tools live in an environment of their own, whose Python `--peers` names:

    python3 -m venv ELSEWHERE && ELSEWHERE/bin/pip install -r bench/peers.txt
    .venv/bin/python -m bench peers --peers ELSEWHERE/bin/python
"""

import socket
import subprocess
import tempfile
import time
import urllib.request
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager, suppress
from dataclasses import dataclass, field
from io import BytesIO
from pathlib import Path
from urllib.parse import urlencode

import numpy as np
import plotly.graph_objects as go
import pyarrow as pa
import pyarrow.parquet as pq
import torch
from numpy.typing import NDArray
from playwright.sync_api import Frame, Page, sync_playwright

from bench.recording import RECORDER
from bench.relay import Relay
from bench.table import Row
from bench.timing import format_seconds
from embedlib.projection import fit_pca
from embedlib.tokenizers import TOKEN_KINDS, get_tokenizer, token_kinds, token_label
from tests.browser.chromium import ARGUMENTS, find_browser
from tests.browser.serving import free_port, running_server
from tests.waiting import wait_until

WIDTHS, CENTRES = (768, 2), 40
SOUGHT, CHOSEN, NEIGHBOURS = "kingdom", "·kingdom", 10
QUIET = 2000  # ms without a change in the window: the picture is complete
LONGEST = 900  # s that any of them may take: the projector finds its components in the browser


PYTHON = "python3"  # of the environment that holds TensorBoard and embedding-atlas


@dataclass(frozen=True)
class Example:
    """One table of GPT-2's vocabulary, as each tool reads it.

    Attributes:
        folder: rows.npy, rows.parquet, tensors.bytes with a projector_config.pbtxt, scatter.html.
        rows: (50257, width).
        names: of the rows.
    """

    folder: Path
    rows: NDArray[np.float32]
    names: list[str]

    def count_wrong(self, names: Sequence[str]) -> int:
        """Count what is missing or farther from the chosen row than its nearest rows, by cosine in float64."""
        units = self.rows / np.linalg.norm(self.rows.astype(np.float64), axis=1, keepdims=True)
        row = self.names.index(CHOSEN)
        cosines = units @ units[row]
        cosines[row] = -np.inf
        least = np.sort(cosines)[-NEIGHBOURS] - 1e-6  # float32 cannot tell them apart
        return NEIGHBOURS - sum(
            bool(cosines[self.names.index(name)] >= least) for name in set(names) if name in self.names
        )


@dataclass(frozen=True)
class Tool:
    """One way to look at a table.

    Attributes:
        title: what it is called in the table.
        served: starts it; the port it answers on, and the path of its page.
        actions: to measure, in this order, by name; each acts in the frame that draws.
        nearest: reads the names of the neighbours that it shows.
        refusal: words by which it says that it cannot draw.
    """

    title: str
    served: Callable[[Example], AbstractContextManager[tuple[int, str]]]
    actions: Mapping[str, Callable[[Frame], object]] = field(default_factory=dict)
    nearest: Callable[[Frame], list[str]] | None = None
    refusal: str = ""


def rows() -> Iterator[Row]:
    """Measure one row of the table after the other: ours first, then each of the others against it."""
    for width in WIDTHS:
        with tempfile.TemporaryDirectory() as folder:
            example = _write_example(Path(folder), width)
            ours = _measure_tool(TOOLS[0], example)
            for tool in TOOLS[1:]:
                theirs = _measure_tool(tool, example)
                for what, value in theirs.items():
                    if not what:
                        continue
                    yield Row(
                        f"50257 x {width}, {what}",
                        _format_value(what, ours[what]),
                        f"{tool.title}: {_format_value(what, value)}",
                        ours[what] / value if value else float(ours[what] > 0),
                        1.0,
                    )


def _write_example(folder: Path, width: int) -> Example:
    """Draw a table from a fixed seed, rows about forty centres, and write it for every tool."""
    vocabulary = get_tokenizer("gpt2")
    pieces = [vocabulary.token_bytes(row) for row in range(vocabulary.vocab_size)]
    names, kinds = [token_label(piece) for piece in pieces], token_kinds(pieces)
    random = np.random.default_rng(0)
    centres = 2 * random.normal(size=(CENTRES, width))
    near = centres[random.integers(CENTRES, size=len(names))]
    rows = (near + random.normal(size=(len(names), width))).astype(np.float32)
    np.save(folder / "rows.npy", rows)
    vectors = pa.FixedSizeListArray.from_arrays(pa.array(rows.ravel()), width)
    pq.write_table(pa.table({"token": names, "kind": kinds, "vector": vectors}), folder / "rows.parquet")
    (folder / "tensors.bytes").write_bytes(rows.tobytes())
    lines = "".join(f"{name}\t{kind}\n" for name, kind in zip(names, kinds, strict=True))
    (folder / "metadata.tsv").write_text(f"token\tkind\n{lines}")
    (folder / "projector_config.pbtxt").write_text(
        'embeddings { tensor_name: "rows" tensor_path: "tensors.bytes" metadata_path: "metadata.tsv"'
        f" tensor_shape: {len(names)} tensor_shape: {width} }}\n"
    )
    table = torch.from_numpy(rows)
    places = fit_pca(table, 2).transform(table).numpy()
    figure = go.Figure(go.Scattergl(x=places[:, 0], y=places[:, 1], mode="markers", text=names, marker={"size": 3}))
    order = list(TOKEN_KINDS)
    button = {"label": "kind", "method": "restyle", "args": [{"marker.color": [[order.index(kind) for kind in kinds]]}]}
    figure.update_layout(updatemenus=[{"type": "buttons", "buttons": [button]}])
    figure.write_html(folder / "scatter.html")
    return Example(folder, rows, names)


def _measure_tool(tool: Tool, example: Example) -> dict[str, float]:
    """Open a table with a tool and time each of its actions."""
    started = time.perf_counter()
    with tool.served(example) as (port, path), Relay(free_port(), port) as relay, sync_playwright() as playwright:
        values = {"started, s": time.perf_counter() - started}
        browser = playwright.chromium.launch(executable_path=find_browser(), args=ARGUMENTS)
        page = browser.new_page(viewport={"width": 1440, "height": 900})
        page.set_default_timeout(LONGEST * 1000)
        page.add_init_script(path=RECORDER)
        page.goto(f"http://127.0.0.1:{relay.port}/{path}")
        frame = _drawing(page, tool)
        if frame is None:
            print(
                f"{tool.title} draws no points in this browser: {page.get_by_text(tool.refusal).first.inner_text()}\n"
            )
        else:
            drawn = _moment(frame, "firstPoints") - page.evaluate("performance.timeOrigin")
            values |= {"opened to the points drawn, s": drawn / 1000, "bytes until then": relay.received}
            for what, action in tool.actions.items():
                begun = page.evaluate("performance.timeOrigin + performance.now()")
                action(frame)
                _wait_until_quiet(frame)
                values[what] = (_moment(frame, "change") - begun) / 1000
        if tool.nearest is not None:
            values[f"of {NEIGHBOURS} neighbours, wrong"] = example.count_wrong(tool.nearest(frame or page.main_frame))
        browser.close()
    return values


def _drawing(page: Page, tool: Tool) -> Frame | None:
    """Wait for the frame that has drawn points; None where the tool says that it cannot."""
    deadline = time.monotonic() + LONGEST
    while time.monotonic() < deadline:
        for frame in page.frames:
            if frame.evaluate("() => window.benchRecorder?.firstPoints ?? null") is not None:
                return frame
        if tool.refusal and page.get_by_text(tool.refusal).count():
            return None
        page.wait_for_timeout(100)
    raise TimeoutError(f"{tool.title} drew nothing in {LONGEST} s")


def _wait_until_quiet(frame: Frame) -> None:
    """Wait until nothing in the window has changed for a moment."""
    frame.wait_for_function(
        "quiet => performance.now() - Math.max(benchRecorder.change, benchRecorder.points) > quiet", arg=QUIET
    )


def _moment(frame: Frame, what: str) -> float:
    """Return a recorded moment in milliseconds since the epoch, since each frame has its own time origin."""
    return float(frame.evaluate("what => performance.timeOrigin + benchRecorder[what]", what))


@contextmanager
def _page_of_whole_tables(example: Example) -> Iterator[tuple[int, str]]:
    with tempfile.TemporaryDirectory() as folder:
        settings = {"EMBEDDING_EXPLORER_TABLES": str(example.folder)}
        with running_server(Path(folder), settings=settings) as server:
            query = urlencode({"vectors": "rows.npy", "map": "pca", "text": "one", "colour": "norm"})
            yield int(server.url.rsplit(":", 1)[1]), f"projection?{query}"


@contextmanager
def _start_tool(command: Sequence[str], path: str, folder: Path) -> Iterator[tuple[int, str]]:
    """Start one of the others on a free port, which ends its command, and wait until it answers."""
    port = free_port()
    with (folder / "log").open("w") as log:
        process = subprocess.Popen([PYTHON, *command, str(port)], cwd=folder, stdout=log, stderr=log)
        try:
            wait_until(
                lambda: process.poll() is not None or _answers(port), (folder / "log").read_text, patience=LONGEST
            )
            if process.poll() is not None:
                raise SystemExit(f"{PYTHON} {' '.join(command)} ended: is bench/peers.txt installed there?")
            yield port, path
        finally:
            process.terminate()
            process.wait()


def _answers(port: int) -> bool:
    with suppress(OSError), socket.create_connection(("127.0.0.1", port), timeout=1):
        return True
    return False


def _tensorboard(example: Example) -> AbstractContextManager[tuple[int, str]]:
    command = ["-m", "tensorboard.main", "--logdir", str(example.folder), "--host", "127.0.0.1", "--port"]
    return _start_tool(command, "#projector", example.folder)


def _embedding_atlas(example: Example) -> AbstractContextManager[tuple[int, str]]:
    # What it starts with: its own UMAP of the rows, whose neighbours it shows.
    command = ["-m", "embedding_atlas.cli", "rows.parquet", "--vector", "vector", "--host", "127.0.0.1", "--port"]
    return _start_tool(command, "", example.folder)


def _serve_static(example: Example) -> AbstractContextManager[tuple[int, str]]:
    return _start_tool(["-m", "http.server", "--bind", "127.0.0.1"], "scatter.html", example.folder)


def _search_ours(frame: Frame) -> None:
    frame.get_by_role("textbox", name="Search", exact=True).fill(SOUGHT)


def _choose_ours(frame: Frame) -> None:
    frame.get_by_test_id("stButtonGroup").get_by_text(CHOSEN, exact=True).click()


def _recolour_ours(frame: Frame) -> None:
    frame.get_by_role("combobox", name="Colour").click()
    frame.get_by_role("option", name="kind of token", exact=True).click()


def _nearest_ours(frame: Frame) -> list[str]:
    # The cells of the table that the canvas stands for.
    return frame.locator("[data-testid^=glide-cell-1-]").all_inner_texts()[:NEIGHBOURS]


def _stop_projector(frame: Frame) -> None:
    frame.locator("#scatter").click(position={"x": 20, "y": 500})


def _search_projector(frame: Frame) -> None:
    frame.locator("#search-box input").fill(SOUGHT)


def _recolour_projector(frame: Frame) -> None:
    frame.locator("#colorby").click()
    frame.locator("#colorby paper-item", has_text="kind").first.click()


def _choose_projector(frame: Frame) -> None:
    frame.locator(".matches-list").get_by_text(CHOSEN, exact=True).click()


def _nearest_projector(frame: Frame) -> list[str]:
    return frame.locator(".nn-list .neighbor .label").all_inner_texts()[:NEIGHBOURS]


def _recolour_scattergl(frame: Frame) -> None:
    frame.locator(".updatemenu-button").click()


def _nearest_in_atlas(frame: Frame) -> list[str]:
    """Read the neighbours from its data: its picture, where one would hover the row, is not drawn everywhere."""
    with urllib.request.urlopen(f"{frame.evaluate('location.origin')}/data/dataset.parquet") as answer:
        served = pq.read_table(BytesIO(answer.read())).to_pandas()
    (row,) = np.flatnonzero(served["token"] == CHOSEN)
    ids = [other for other in served["__neighbors"][row]["ids"] if other != row]
    return list(served["token"][ids[:NEIGHBOURS]])


SEARCH, RECOLOUR, CHOOSE = "searched, s", "in other colours, s", "neighbours of one row, s"
TOOLS = (
    Tool(
        "ours",
        _page_of_whole_tables,
        {SEARCH: _search_ours, CHOOSE: _choose_ours, RECOLOUR: _recolour_ours},
        _nearest_ours,
    ),
    Tool(
        "TensorBoard's projector",
        _tensorboard,
        # It rotates by itself until the first click.
        {"": _stop_projector, SEARCH: _search_projector, CHOOSE: _choose_projector, RECOLOUR: _recolour_projector},
        _nearest_projector,
    ),
    Tool("embedding-atlas", _embedding_atlas, nearest=_nearest_in_atlas, refusal="WebGPU is unavailable"),
    Tool("Plotly's scattergl", _serve_static, {RECOLOUR: _recolour_scattergl}),
)


def _format_value(what: str, value: float) -> str:
    return (
        format_seconds(value)
        if what.endswith(", s")
        else f"{value / 1e6:.1f} MB"
        if "bytes" in what
        else f"{value:.0f}"
    )
