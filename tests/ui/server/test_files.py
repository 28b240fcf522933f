"""Scripts are answered from memory, compressed once; all else goes on to the server behind."""

import re
from pathlib import Path

import pytest
from starlette.applications import Starlette
from starlette.responses import PlainTextResponse
from starlette.routing import Route
from starlette.testclient import TestClient
from streamlit import file_util

from ui.components.browser_code import BUNDLES, FIRST, script_address
from ui.server import page
from ui.server.files import compressed_scripts, streamlit_scripts, with_imports

STATIC = Path(file_util.get_static_dir())
(PLOTLY,) = streamlit_scripts("PlotlyChart")
SCRIPT = script_address("first")
RULES = next(path.relative_to(STATIC).as_posix() for path in STATIC.glob("static/css/*.css"))
FONT = next(path.relative_to(STATIC).as_posix() for path in STATIC.glob("static/media/*.woff2"))


@pytest.fixture(scope="module")
def client() -> TestClient:
    behind = Route("/{path:path}", lambda _request: PlainTextResponse("behind"), methods=["GET", "POST"])
    return TestClient(Starlette(routes=[behind], middleware=[compressed_scripts()]))


@pytest.mark.parametrize(
    ("path", "file"), [(PLOTLY, STATIC / PLOTLY), (SCRIPT, BUNDLES / "first.js"), (RULES, STATIC / RULES)]
)
@pytest.mark.parametrize("base", ["/", "/some/where/"])
def test_a_script_is_answered_compressed_whole_and_to_be_kept_for_good(
    client: TestClient, path: str, file: Path, base: str
) -> None:
    answer = client.get(base + path, headers={"accept-encoding": "gzip, br"})
    assert answer.content == file.read_bytes()  # the client undoes the compression
    assert answer.headers["content-type"].startswith("text/css" if path == RULES else "text/javascript")
    assert "immutable" in answer.headers["cache-control"]
    assert answer.headers["vary"] == "Accept-Encoding"
    assert answer.headers["content-encoding"] == "gzip"
    assert int(answer.headers["content-length"]) < 0.6 * len(answer.content)


@pytest.mark.parametrize(
    "path",
    [
        "/",
        f"/{FONT}",
        "/tokens",
        "/static/index.html",
        "/static/js/no_such_file.js",
        "/static/js/../../index.html",
        "/static/js/%2e%2e/%2e%2e/index.html",
        "/components/0123456789abcdef/start.js",
    ],
)
def test_anything_else_goes_on(client: TestClient, path: str) -> None:
    assert client.get(path).text == "behind"


def test_a_browser_that_takes_no_gzip_is_answered_by_the_server_behind(client: TestClient) -> None:
    assert client.get(f"/{PLOTLY}", headers={"accept-encoding": "identity"}).text == "behind"
    assert client.post(f"/{PLOTLY}").text == "behind"


def test_what_is_fetched_ahead_is_all_that_the_first_components_import() -> None:
    html = page.page_html((STATIC / "index.html").read_text(encoding="utf-8"), rules="")
    ahead = set(re.findall(r'rel="modulepreload" crossorigin href="\./([^"]+)"', html))
    assert {script_address(component) for component in FIRST} <= ahead
    assert len([path for path in ahead if path.startswith("components/")]) == 1  # each request costs milliseconds


def test_streamlit_has_every_script_that_is_fetched_ahead() -> None:
    html = page.page_html((STATIC / "index.html").read_text(encoding="utf-8"), rules="")
    for name in ("BidiComponent", "Selectbox", "NumberInput", "Checkbox", "Button", "ButtonGroup", "Html", "PageLink"):
        assert re.search(rf'"\./static/js/{name}\.[\w-]+\.js"', html), name
    assert re.search(r'data-later="static/js/PlotlyChart\.\S+ static/js/StreamlitSyntaxHighlighter\.\S+\.js"', html)


def test_what_the_page_names_is_what_is_compressed_first(client: TestClient) -> None:
    first = page.first_scripts()
    assert len(first) == len(set(first))
    assert {script_address("start"), script_address("vector_sum"), *streamlit_scripts("index", "protobuf")} <= {*first}
    for path in first:
        assert client.get(f"/{path}").headers["content-encoding"] == "gzip", path


def test_imports_are_followed_however_far_and_listed_once() -> None:
    every = with_imports([script_address("point_cloud"), *streamlit_scripts("Selectbox")])
    assert every[:2] == [script_address("point_cloud"), *streamlit_scripts("Selectbox")]
    assert len(every) == len(set(every))
    assert {script_address("first"), *streamlit_scripts("WidgetLabel", "react-dom")} <= {*every}
