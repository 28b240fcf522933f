"""The page that is served: with the app's own title, first script and rules in it, and everything else as it was."""

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest
from starlette.responses import Response
from starlette.types import ASGIApp, Message
from streamlit import file_util

from tests.waiting import run
from ui.server.browser_code import address
from ui.server.page import own_page, page_html

INDEX = Path(file_util.get_static_dir(), "index.html").read_text(encoding="utf-8")


def answer(
    app: ASGIApp, method: str = "GET", opened: Callable[[str], None] = lambda query: None, **asked: Any
) -> tuple[int, Mapping[str, str], bytes]:
    """Ask an application behind the middleware."""
    middleware = own_page(opened)
    sent: list[Message] = []

    async def send(message: Message) -> None:
        sent.append(message)

    async def receive() -> Message:
        return {"type": "http.request"}

    scope: dict[str, Any] = {"type": "http", "method": method, "path": "/", "headers": []} | asked
    run(middleware.cls(app, *middleware.args, **middleware.kwargs)(scope, receive, send))
    headers = {name.decode(): value.decode() for name, value in sent[0]["headers"]}
    return sent[0]["status"], headers, b"".join(message.get("body", b"") for message in sent[1:])


def test_the_page_holds_title_script_and_rules_each_in_its_place() -> None:
    html = page_html(INDEX, rules=".rule {}")
    assert "<title>Embedding Explorer</title>" in html
    assert html.index("</head>") < html.index(".rule {}") < html.index("</body>")
    script = html.index(f'src="./{address("browser/start.js")}"')
    assert 0 < script < html.index('<script type="module"')


def test_a_page_without_a_place_for_one_of_them_is_refused() -> None:
    with pytest.raises(ValueError, match="</body>"):
        page_html(INDEX.replace("</body>", ""), rules="")


def test_a_page_is_served_in_whole_and_says_how_long_it_is() -> None:
    others = {"ETag": "x", "Content-Encoding": "gzip", "Cache-Control": "no-cache"}
    old = Response("<html>old</html>", media_type="text/html", headers=others)
    status, headers, body = answer(old)
    assert status == 200
    assert b"<title>Embedding Explorer</title>" in body
    assert (headers["content-length"], headers["cache-control"]) == (str(len(body)), "no-cache")
    assert not {"etag", "content-encoding"} & headers.keys()  # they were those of the other page
    assert answer(old, "HEAD")[2] == b""


@pytest.mark.parametrize(
    "other",
    [
        Response("{}", media_type="application/json"),
        Response("<p>no</p>", 404, media_type="text/html"),
        Response("<p>a figure</p>", headers={"Content-Disposition": "attachment"}, media_type="text/html"),
    ],
)
def test_what_is_no_page_stays_as_it_is(other: Response) -> None:
    status, headers, body = answer(other)
    assert (status, body) == (other.status_code, other.body)
    assert headers["content-length"] == str(len(other.body))


def test_only_who_opens_the_first_page_is_told_of() -> None:
    opened: list[str] = []
    html = Response("<html></html>", media_type="text/html")
    answer(html, opened=opened.append, path="/explorer/", query_string=b"text=a+b&d_model=8")
    answer(html, opened=opened.append, path="/tokens", query_string=b"text=c")
    answer(html, "HEAD", opened.append, query_string=b"text=d")
    answer(Response("{}", media_type="application/json"), opened=opened.append, query_string=b"text=e")
    assert opened == ["text=a+b&d_model=8"]
