"""The same tables in the page of whole tables, in TensorBoard's projector and in Plotly's scattergl, in turns.

The others live in an environment of their own, whose Python `--peers` names:

    python3 -m venv ELSEWHERE && ELSEWHERE/bin/pip install -r bench/peers.txt
    .venv/bin/python -m bench peers --peers ELSEWHERE/bin/python
"""

import socket
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, ExitStack, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlencode

import numpy as np
import plotly.graph_objects as go
import torch
from numpy.typing import NDArray
from playwright.sync_api import Browser, BrowserContext, Frame, Page, expect, sync_playwright

from bench.recording import RECORDER
from bench.relay import Relay
from bench.table import Row
from bench.timing import Samples, format_seconds, interleave, ratio
from embedlib.projection import fit_pca
from embedlib.tokenizers import TOKEN_KINDS, get_tokenizer, token_kinds, token_label
from tests.browser.chromium import ARGUMENTS, find_browser
from tests.browser.serving import free_port, running_server
from tests.waiting import wait_until

WIDTHS, CENTRES = (768, 2), 40
OPENED, ASKED = 3, 5  # rounds, at most one less than there are words
WORDS = ("kingdom", "house", "river", "seven", "garden", "winter", "doctor")  # one a round: no answer is known before
NEIGHBOURS = 10
QUIET = 200  # ms without a change in the window, once the answer is there: it is complete
REST = 2000  # ms without one: nothing else follows
LONGEST = 900  # s that any of them may take: the projector finds its components in the browser
SEARCH, CHOOSE, RECOLOUR = "searched, s", "neighbours of one row, s", "in other colours, s"

PYTHON = "python3"  # of the environment that holds TensorBoard
PROJECTOR_NEIGHBOURS = ".nn-list .neighbor .label"


@dataclass(frozen=True)
class Example:
    """One table of GPT-2's vocabulary, as each tool reads it.

    Attributes:
        folder: rows.npy, tensors.bytes with a projector_config.pbtxt, scatter.html.
        rows: (50257, width).
        names: of the rows.
    """

    folder: Path
    rows: NDArray[np.float32]
    names: list[str]

    def count_wrong(self, chosen: str, names: Sequence[str]) -> int:
        """Count what is missing or farther from a row than its nearest rows, by cosine in float64."""
        units = self.rows / np.linalg.norm(self.rows.astype(np.float64), axis=1, keepdims=True)
        row = self.names.index(chosen)
        cosines = units @ units[row]
        cosines[row] = -np.inf
        least = np.sort(cosines)[-NEIGHBOURS] - 1e-6  # float32 cannot tell them apart
        return NEIGHBOURS - sum(
            bool(cosines[self.names.index(name)] >= least) for name in set(names) if name in self.names
        )


@dataclass(frozen=True)
class Tool:
    """One way to look at a table. What its functions wait for and do not find is an error.

    Attributes:
        title: what it is called in the table.
        served: starts it; the port it answers on, and the path of its page.
        recolour: chooses the first colours or the second.
        prepare: what is done before anything is asked.
        search: types a word and waits until a match is offered.
        choose: clicks the match and waits until it is the chosen one.
        neighbours: locator of the names of the chosen one's neighbours.
    """

    title: str
    served: Callable[[Example], AbstractContextManager[tuple[int, str]]]
    recolour: Callable[[Frame, int], object]
    prepare: Callable[[Frame], object] = lambda _frame: None
    search: Callable[[Frame, str, str], object] | None = None
    choose: Callable[[Frame, str], object] | None = None
    neighbours: str = ""


class Visit:
    """A tool's page in a browser.

    Attributes:
        tool: whose page.
        received: bytes until the points were drawn.
        wrong: how many neighbours were, of all that were asked for.
        seconds: of each action, round by round, until its answer was complete.
        rests: the same until nothing moved any more.
    """

    def __init__(self, tool: Tool, example: Example, browser: Browser, stack: ExitStack) -> None:
        self.tool = tool
        port, self._path = stack.enter_context(tool.served(example))
        self._relay = stack.enter_context(Relay(free_port(), port))
        self._example, self._browser = example, browser
        self._context: BrowserContext | None = None
        self.wrong = self.received = 0
        self.seconds: dict[str, list[float]] = {}
        self.rests: dict[str, list[float]] = {}

    def open(self) -> float:
        """Open the page in a browser that has cached nothing; return the seconds until the points were drawn."""
        if self._context is not None:
            self._context.close()
        self._context = self._browser.new_context(viewport={"width": 1440, "height": 900})
        page = self._context.new_page()
        page.set_default_timeout(LONGEST * 1000)
        page.add_init_script(path=RECORDER)
        before = self._relay.received
        page.goto(f"http://127.0.0.1:{self._relay.port}/{self._path}")
        self._frame = _drawing_frame(page)
        self.received = self._relay.received - before
        seconds = (_moment(self._frame, "firstPoints") - float(page.evaluate("performance.timeOrigin"))) / 1000
        self.tool.prepare(self._frame)
        self._wait_for_quiet(REST)
        return seconds

    def ask(self, turn: int) -> None:
        """Search for a word, choose it and change the colours."""
        frame, word = self._frame, WORDS[turn]
        if self.tool.search is not None and self.tool.choose is not None:
            search, choose = self.tool.search, self.tool.choose
            self._measure(SEARCH, lambda: search(frame, word, f"·{word}"))
            self._measure(CHOOSE, lambda: choose(frame, f"·{word}"))
            names = frame.locator(self.tool.neighbours).all_inner_texts()[:NEIGHBOURS]
            self.wrong += self._example.count_wrong(f"·{word}", names)
        self._measure(RECOLOUR, lambda: self.tool.recolour(frame, turn % 2))

    def _measure(self, what: str, act: Callable[[], object]) -> None:
        self._frame.evaluate("benchRecorder.first = null")
        act()
        # Other colours are other points; a choice may be marked over them.
        drawn = "points" if what == RECOLOUR else "change"
        self._frame.wait_for_function(f"() => benchRecorder.{drawn} > benchRecorder.first")
        for kept, quiet in ((self.seconds, QUIET), (self.rests, REST)):
            self._wait_for_quiet(quiet)
            last = max(_moment(self._frame, "change"), _moment(self._frame, "points"))
            kept.setdefault(what, []).append((last - _moment(self._frame, "first")) / 1000)

    def _wait_for_quiet(self, milliseconds: int) -> None:
        """Wait until nothing in the window has changed for so long."""
        self._frame.wait_for_function(
            "quiet => performance.now() - Math.max(benchRecorder.change, benchRecorder.points) > quiet",
            arg=milliseconds,
        )


def rows() -> Iterator[Row]:
    """Yield the rows of the table as they are measured: ours against each of the others."""
    for width in WIDTHS:
        with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright, ExitStack() as stack:
            example = _write_example(Path(folder), width)
            browser = playwright.chromium.launch(executable_path=find_browser(), args=ARGUMENTS)
            stack.callback(browser.close)
            ours = Visit(OURS, example, browser, stack)
            for peer in PEERS:
                yield from _compare(f"50257 x {width}", ours, Visit(peer, example, browser, stack))


def _compare(table: str, ours: Visit, theirs: Visit) -> Iterator[Row]:
    def row(what: str, texts: Sequence[str], value: float, limit: float = 1.0) -> Row:
        return Row(f"{table}, {what}", texts[0], f"{theirs.tool.title}: {texts[1]}", value, limit)

    mine, other = interleave(ours.open, theirs.open, rounds=OPENED)
    yield row("opened to the points drawn, s", [str(mine), str(other)], ratio(mine, other))
    sizes = [f"{visit.received / 1e6:.1f} MB" for visit in (ours, theirs)]
    yield row("bytes until then", sizes, ours.received / theirs.received)
    ours.seconds, ours.rests, ours.wrong = {}, {}, 0
    for turn in range(ASKED + 1):  # the first is thrown away
        for visit in (ours, theirs) if turn % 2 else (theirs, ours):
            visit.ask(turn)
    for what in theirs.seconds:
        mine, other = (Samples(visit.seconds[what][1:]) for visit in (ours, theirs))
        texts = [
            f"{Samples(visit.seconds[what][1:])}, at rest {format_seconds(Samples(visit.rests[what][1:]).median)}"
            for visit in (ours, theirs)
        ]
        yield row(what, texts, ratio(mine, other))
    if CHOOSE in theirs.seconds:
        what = f"of {NEIGHBOURS} neighbours of {ASKED + 1} rows, wrong"
        yield row(what, [str(ours.wrong), str(theirs.wrong)], ours.wrong, 0)


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
    colours = {"kind": [[order.index(kind) for kind in kinds]], "length": [np.linalg.norm(rows, axis=1)]}
    buttons = [
        {"label": name, "method": "restyle", "args": [{"marker.color": colour}]} for name, colour in colours.items()
    ]
    figure.update_layout(updatemenus=[{"type": "buttons", "buttons": buttons}])
    figure.write_html(folder / "scatter.html")
    return Example(folder, rows, names)


def _drawing_frame(page: Page) -> Frame:
    """Wait for the frame that has drawn points."""
    deadline = time.monotonic() + LONGEST
    while time.monotonic() < deadline:
        for frame in page.frames:
            if frame.evaluate("() => window.benchRecorder?.firstPoints ?? null") is not None:
                return frame
        page.wait_for_timeout(100)
    raise TimeoutError(f"{page.url} drew nothing in {LONGEST} s")


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


def _serve_static(example: Example) -> AbstractContextManager[tuple[int, str]]:
    return _start_tool(["-m", "http.server", "--bind", "127.0.0.1"], "scatter.html", example.folder)


def _search_ours(frame: Frame, word: str, match: str) -> None:
    frame.get_by_role("searchbox", name="Search", exact=True).fill(word)
    frame.get_by_test_id("cloud-matches").get_by_role("button", name=match, exact=True).wait_for()


def _choose_ours(frame: Frame, match: str) -> None:
    frame.get_by_test_id("cloud-matches").get_by_role("button", name=match, exact=True).click()
    expect(frame.locator(".st-key-chosen-row code")).to_have_text(match)


def _recolour_ours(frame: Frame, turn: int) -> None:
    frame.get_by_role("combobox", name="Colour").click()
    frame.get_by_role("option", name=("kind of token", "vector length")[turn], exact=True).click()


def _stop_projector(frame: Frame) -> None:
    frame.locator("#scatter").click(position={"x": 20, "y": 500})  # it rotates by itself until the first click


def _search_projector(frame: Frame, word: str, match: str) -> None:
    frame.locator("#search-box input").fill(word)
    frame.locator(".matches-list").get_by_text(match, exact=True).wait_for()


def _choose_projector(frame: Frame, match: str) -> None:
    before = frame.locator(PROJECTOR_NEIGHBOURS).all_inner_texts()
    frame.locator(".matches-list").get_by_text(match, exact=True).click()
    expect(frame.locator(PROJECTOR_NEIGHBOURS).first).not_to_have_text(before[0] if before else "")


def _recolour_projector(frame: Frame, turn: int) -> None:
    frame.locator("#colorby").click()
    frame.locator("#colorby paper-item", has_text=("kind", "No color map")[turn]).first.click()


def _recolour_scattergl(frame: Frame, turn: int) -> None:
    frame.locator(".updatemenu-button").nth(turn).click()


OURS = Tool(
    "ours",
    _page_of_whole_tables,
    _recolour_ours,
    search=_search_ours,
    choose=_choose_ours,
    neighbours=".st-key-neighbours tbody th.title",
)
PEERS = (
    Tool(
        "TensorBoard's projector",
        _tensorboard,
        _recolour_projector,
        prepare=_stop_projector,
        search=_search_projector,
        choose=_choose_projector,
        neighbours=PROJECTOR_NEIGHBOURS,
    ),
    Tool("Plotly's scattergl", _serve_static, _recolour_scattergl),
)
