"""What never changes under its address is answered from memory, compressed once; all else goes on to the server."""

import mimetypes
import re
from pathlib import Path

import pytest
from starlette.applications import Starlette
from starlette.responses import PlainTextResponse
from starlette.routing import Route
from starlette.testclient import TestClient
from streamlit import file_util

from ui.components import browser, live_text, token_chips, vector_sum
from ui.components.browser_code import FOLDER, address
from ui.server import files, page
from ui.server.files import immutable_files, streamlits, with_imports

STATIC = Path(file_util.get_static_dir())
(PLOTLY,) = streamlits("PlotlyChart")
SCRIPT = address("browser/start.js")
FONT = next(path.relative_to(STATIC).as_posix() for path in STATIC.glob("static/media/*.woff2"))


@pytest.fixture(scope="module")
def client() -> TestClient:
    behind = Route("/{path:path}", lambda _request: PlainTextResponse("behind"), methods=["GET", "POST"])
    return TestClient(Starlette(routes=[behind], middleware=[immutable_files()]))


@pytest.mark.parametrize(
    ("path", "file"), [(PLOTLY, STATIC / PLOTLY), (SCRIPT, FOLDER / "browser/start.js"), (FONT, STATIC / FONT)]
)
@pytest.mark.parametrize("base", ["/", "/some/where/"])
def test_a_file_is_answered_whole_and_to_be_kept_for_good(client: TestClient, path: str, file: Path, base: str) -> None:
    for encoding in ("gzip, br", "identity"):
        answer = client.get(base + path, headers={"accept-encoding": encoding})
        assert answer.content == file.read_bytes()  # the client undoes the compression
        assert "immutable" in answer.headers["cache-control"]
        assert answer.headers["vary"] == "Accept-Encoding"
        is_compressed = encoding != "identity" and path != FONT
        assert (answer.headers.get("content-encoding") == "gzip") == is_compressed
        if is_compressed:
            assert int(answer.headers["content-length"]) < 0.6 * len(answer.content)


def test_a_script_is_compressed_whatever_type_streamlit_has_registered(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(mimetypes, "guess_type", lambda _path: ("application/javascript", None))
    script = files.answer(address("_shared/icons.js"), compressed=True)
    assert script is not None
    assert script.headers["content-encoding"] == "gzip"


@pytest.mark.parametrize(
    "path",
    [
        "/",
        "/tokens",
        "/static/index.html",
        "/static/js/no_such_file.js",
        "/static/js/../../index.html",
        "/static/js/%2e%2e/%2e%2e/index.html",
        "/components/0123456789abcdef/browser/start.js",
    ],
)
def test_anything_else_goes_on(client: TestClient, path: str) -> None:
    assert client.get(path).text == "behind"


def test_a_part_of_a_file_is_the_business_of_the_server_behind(client: TestClient) -> None:
    assert client.get(f"/{PLOTLY}", headers={"range": "bytes=0-9"}).text == "behind"
    assert client.post(f"/{PLOTLY}").text == "behind"


def test_what_is_fetched_ahead_is_all_that_the_first_components_import() -> None:
    html = page.page_html((STATIC / "index.html").read_text(encoding="utf-8"), rules="")
    ahead = set(re.findall(r'rel="modulepreload" crossorigin href="\./([^"]+)"', html))
    for component in (browser, live_text, token_chips, vector_sum):
        folder = Path(component.__file__).parent.relative_to(FOLDER).as_posix()
        assert address(f"{folder}/index.js") in ahead
    assert len([path for path in ahead if path.startswith("components/")]) == 1  # each request costs milliseconds


def test_streamlit_has_every_script_that_is_fetched_ahead() -> None:
    html = page.page_html((STATIC / "index.html").read_text(encoding="utf-8"), rules="")
    for name in ("BidiComponent", "Selectbox", "NumberInput", "Checkbox", "Button", "ButtonGroup", "Html", "PageLink"):
        assert re.search(rf'"\./static/js/{name}\.[\w-]+\.js"', html), name
    assert re.search(r'data-later="static/js/PlotlyChart\.\S+ static/js/StreamlitSyntaxHighlighter\.\S+\.js"', html)


def test_what_the_page_names_is_what_is_compressed_first() -> None:
    first = page.first_scripts()
    assert len(first) == len(set(first))
    assert {address("browser/start.js"), address("vector_sum/index.js"), *streamlits("index", "protobuf")} <= {*first}
    for path in first:
        answer = files.answer(path, compressed=True)
        assert answer is not None, path
        assert answer.headers["content-encoding"] == "gzip", path


def test_imports_are_followed_however_far_and_listed_once() -> None:
    every = with_imports([address("point_cloud/index.js"), *streamlits("Selectbox")])
    assert every[:2] == [address("point_cloud/index.js"), *streamlits("Selectbox")]
    assert len(every) == len(set(every))
    assert {address("_shared/exact_sum.js"), *streamlits("WidgetLabel", "react-dom")} <= {*every}
