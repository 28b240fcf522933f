"""Which sites may show the app in a frame, and the cookie that an upload from there needs."""

import pytest
from starlette.responses import Response
from starlette.testclient import TestClient

from ui.embed import FRAME_ANCESTORS
from ui.server.headers import content_security_policy, frame_ancestors, security_headers

XSRF = "_streamlit_xsrf=2|a|b|1; Path=/; SameSite=Lax"


def answer(scheme: str = "http", **asked: str) -> list[tuple[str, str]]:
    """Give the headers of an answer that sets Streamlit's cookie and another, behind the middleware."""
    response = Response()
    response.raw_headers += [(b"set-cookie", XSRF.encode()), (b"set-cookie", b"other=1; SameSite=Lax")]
    middleware = security_headers()
    app = middleware.cls(response, *middleware.args, **middleware.kwargs)
    headers = {name.replace("_", "-"): value for name, value in asked.items()}
    return TestClient(app, f"{scheme}://example.org").get("/", headers=headers).headers.multi_items()


def cookies(headers: list[tuple[str, str]]) -> list[str]:
    return [value for name, value in headers if name == "set-cookie"]


def test_origins_are_read_once_each_with_spaces_or_commas_between_them() -> None:
    value = " https://Course.Example.org,http://localhost:8000  https://course.example.org http://127.0.0.1 "
    assert frame_ancestors(value) == ["https://course.example.org", "http://localhost:8000", "http://127.0.0.1"]
    assert frame_ancestors("") == []
    policy = content_security_policy("", frame_ancestors(value))
    assert policy.endswith("frame-ancestors 'self' https://course.example.org http://localhost:8000 http://127.0.0.1")


@pytest.mark.parametrize(
    "nonsense",
    [
        *("*", "https://*.example.org", "'none'", "course.example.org", "ftp://example.org", "https:", "https://"),
        *("https://example.org/", "https://example.org/course", "https://example.org?a", "https://example.org#a"),
        *("https://me@example.org", "https://example.org;script-src", "https://-a.org", "https://a..org", "null"),
        *(
            "https://example.org:0",
            "https://example.org:65536",
            "https://example.org:x",
            "https://[::1]",
            "https://é.fr",
        ),
    ],
)
def test_what_is_no_origin_is_refused_at_the_start_in_one_sentence(
    nonsense: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(FRAME_ANCESTORS, f"https://example.org {nonsense}")
    with pytest.raises(SystemExit, match=rf"^{FRAME_ANCESTORS} has .+ write a scheme and a host"):
        security_headers()


def test_without_ancestors_only_the_apps_own_pages_may_frame_it_and_cookies_stay_as_they_are(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.delenv(FRAME_ANCESTORS, raising=False)
    headers = answer("https")
    assert dict(headers)["content-security-policy"].endswith("frame-ancestors 'self'")
    assert dict(headers)["x-frame-options"] == "SAMEORIGIN"
    assert cookies(headers) == [XSRF, "other=1; SameSite=Lax"]


@pytest.mark.parametrize(
    ("scheme", "asked", "secure"),
    [
        ("https", {}, True),
        ("http", {"x_forwarded_proto": "https", "host": "example.org"}, True),
        ("http", {"host": "localhost:8501"}, True),
        ("http", {"host": "[::1]:8501"}, True),
        ("http", {"host": "example.org"}, False),  # a browser would drop the cookie, and no upload would work
        ("https", {"x_forwarded_proto": "http", "host": "example.org"}, False),
        ("http", {"host": "["}, False),
    ],
)
def test_a_frame_in_another_sites_page_gets_the_cookie_that_uploads_need(
    scheme: str, asked: dict[str, str], secure: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(FRAME_ANCESTORS, "https://course.example.org")
    headers = answer(scheme, **asked)
    assert "x-frame-options" not in dict(headers)  # it could not name that site
    for_frames = "_streamlit_xsrf=2|a|b|1; Path=/; SameSite=None; Secure; Partitioned"
    assert cookies(headers) == [for_frames if secure else XSRF, "other=1; SameSite=Lax"]
