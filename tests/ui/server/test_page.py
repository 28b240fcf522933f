"""The page that is served: with the app's own title, first script and rules in it, and everything else as it was."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from starlette.responses import Response
from starlette.testclient import TestClient
from starlette.types import ASGIApp
from streamlit import file_util

from ui.components.browser_code import script_address
from ui.server.page import own_page, page_html

INDEX = Path(file_util.get_static_dir(), "index.html").read_text(encoding="utf-8")


def answer(
    app: ASGIApp, method: str = "GET", address: str = "/", opened: Callable[[str], None] = lambda query: None
) -> Any:
    """Ask an application behind the middleware."""
    middleware = own_page(opened)
    return TestClient(middleware.cls(app, *middleware.args, **middleware.kwargs)).request(method, address)


def test_the_page_holds_title_script_and_rules_each_in_its_place() -> None:
    html = page_html(INDEX, rules=".rule {}")
    assert "<title>Embedding Explorer</title>" in html
    assert html.index("</head>") < html.index(".rule {}") < html.index("</body>")
    assert html.index("color-scheme") < html.index("<script")  # or the first frame is white in the dark
    script = html.index(f'src="./{script_address("start")}"')
    assert 0 < script < html.index('<script type="module"')


def test_a_page_without_a_place_for_one_of_them_is_refused() -> None:
    with pytest.raises(ValueError, match="</body>"):
        page_html(INDEX.replace("</body>", ""), rules="")


def test_a_page_is_served_in_whole_and_says_how_long_it_is() -> None:
    others = {"ETag": "x", "Content-Encoding": "gzip", "Cache-Control": "no-cache"}
    old = Response("<html>old</html>", media_type="text/html", headers=others)
    served = answer(old)
    assert served.status_code == 200
    assert "<title>Embedding Explorer</title>" in served.text
    assert (served.headers["content-length"], served.headers["cache-control"]) == (str(len(served.content)), "no-cache")
    assert not {"etag", "content-encoding"} & served.headers.keys()  # they were those of the other page
    assert answer(old, "HEAD").content == b""


@pytest.mark.parametrize(
    "other",
    [
        Response("{}", media_type="application/json"),
        Response("<p>no</p>", 404, media_type="text/html"),
        Response("<p>a figure</p>", headers={"Content-Disposition": "attachment"}, media_type="text/html"),
    ],
)
def test_what_is_no_page_stays_as_it_is(other: Response) -> None:
    served = answer(other)
    assert (served.status_code, served.content) == (other.status_code, other.body)
    assert served.headers["content-length"] == str(len(other.body))


def test_only_who_opens_the_first_page_is_told_of() -> None:
    opened: list[str] = []
    html = Response("<html></html>", media_type="text/html")
    answer(html, address="/explorer/?text=a+b&d_model=8", opened=opened.append)
    answer(html, address="/tokens?text=c", opened=opened.append)
    answer(html, "HEAD", "/?text=d", opened.append)
    answer(Response("{}", media_type="application/json"), address="/?text=e", opened=opened.append)
    assert opened == ["text=a+b&d_model=8"]
