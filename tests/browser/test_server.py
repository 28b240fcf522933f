"""What the server promises around every page, seen by a browser and by a bare HTTP client."""

import http.client
import re
import urllib.request
from collections.abc import Iterator
from contextlib import closing
from functools import partial
from typing import Any
from urllib.parse import urlencode, urlsplit

import pytest
from playwright.sync_api import Browser, Page, Route, WebSocketRoute, expect
from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ClientState_pb2 import ClientState
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from websockets.exceptions import ConnectionClosedError
from websockets.frames import Close
from websockets.sync.client import ClientConnection

from bench.replay import connect_browser
from tests.browser.conftest import SIDEBAR
from tests.browser.idle import TRAFFIC, asking, draw_all, idle, layout_shift
from tests.browser.serving import ROOT, Server, ask_readyz
from tests.messages import wording
from tests.waiting import PATIENCE

PATHS = ("/", "/positions", "/readyz", "/_stcore/health", "/favicon.png", "/no-such-page")
ADDRESS_OF_NOBODY = "http://192.0.2.1:8501"  # RFC 5737: reserved for documentation


def headers_of(url: str) -> dict[str, str]:
    with urllib.request.urlopen(url, timeout=PATIENCE) as answer:
        return {name.title(): value for name, value in answer.headers.items()}


def status_of(server: Server, method: str, path: str, headers: dict[str, str], body: str | None = None) -> int:
    """Ask as a bare client does and return the status of the answer, 101 included."""
    with closing(http.client.HTTPConnection(urlsplit(server.url).netloc, timeout=PATIENCE)) as connection:
        connection.request(method, path, body=body, headers=headers)
        with closing(connection.getresponse()) as answer:
            return answer.status


def websocket_status(server: Server, origin: str) -> int:
    """Ask for a websocket as a page of that origin would."""
    headers = {
        "Connection": "Upgrade",
        "Upgrade": "websocket",
        "Sec-WebSocket-Version": "13",
        "Sec-WebSocket-Key": "dGhlIHNhbXBsZSBub25jZQ==",
        "Origin": origin,
    }
    return status_of(server, "GET", "/_stcore/stream", headers)


@pytest.mark.parametrize("path", PATHS)
def test_every_answer_carries_the_security_headers(server: Server, path: str) -> None:
    headers = headers_of(server.url + path)
    policy = dict(part.strip().split(" ", 1) for part in headers["Content-Security-Policy"].split(";"))
    assert policy["default-src"] == "'none'"
    assert re.fullmatch(r"'self' blob:( 'sha256-[A-Za-z0-9+/]{43}=')+", policy["script-src"])
    assert "unsafe-eval" not in headers["Content-Security-Policy"]
    assert "http:" not in headers["Content-Security-Policy"]
    assert headers["X-Content-Type-Options"] == "nosniff"
    assert headers["Referrer-Policy"] == "no-referrer"
    assert headers["X-Frame-Options"] == "SAMEORIGIN"


def test_readyz_says_no_while_warming_up_and_yes_after(server: Server) -> None:
    assert server.states == [(503, "warming up"), (200, "ready")]
    assert ask_readyz(server.url) == (200, "ready")


def test_no_policy_is_violated_and_nothing_leaves_the_machine(opened: Page, server: Server) -> None:
    draw_all(opened)
    expect(opened.locator(".js-plotly-plot").first).to_be_visible()
    expect(opened.locator(".no-webgl")).to_have_count(0)  # what a chart without WebGL complains with
    assert TRAFFIC[opened].complaints == []
    assert server.connections.read_text() == ""


def test_each_page_has_a_title_of_its_own_and_an_unknown_address_is_named(page: Page, server: Server) -> None:
    for path, link in (("/lessons", "stTopNavLink"), ("/nowhere", "stTopNavDropdownLink")):
        page.goto(path)
        idle(page)
        if path == "/nowhere":
            page.get_by_test_id("stTopNavSection").first.click()
        name = page.locator(f'[data-testid="{link}"][aria-current="page"]').inner_text()
        page.keyboard.press("Escape")
        expect(page).to_have_title(re.compile(rf"^{re.escape(name)} · "))
    expect(page.get_by_text(wording("No page {name}: showing the first.", name="nowhere"))).to_be_visible()
    expect(page.get_by_role("dialog")).to_have_count(0)
    assert TRAFFIC[page].complaints == []
    assert server.connections.read_text() == ""


def test_the_bar_has_lessons_and_three_groups_that_lead_to_every_page(opened: Page) -> None:
    opened.set_viewport_size({"width": 1100, "height": 900})
    expect(opened.get_by_test_id("stSidebar")).to_be_in_viewport()
    expect(opened.get_by_test_id("stTopNavLink")).to_be_in_viewport(ratio=1)
    expect(opened.locator(".rc-overflow-item-rest:not([aria-hidden])")).to_have_count(0)
    groups = opened.get_by_test_id("stTopNavSection")
    expect(groups).to_have_count(3)
    for group in groups.all():
        group.click()
        links = opened.get_by_test_id("stTopNavDropdownLink")
        expect(links).to_have_count(4)
        expect(links.last).to_be_in_viewport(ratio=1)
        opened.keyboard.press("Escape")
        expect(links).to_have_count(0)
    assert len(list((ROOT / "pages").glob("*.py"))) == 1 + 3 * 4


def test_settings_are_folded_until_they_are_opened_and_stay_open_on_other_pages(page: Page) -> None:
    page.add_init_script(f"sessionStorage.length || localStorage.removeItem('{SIDEBAR}')")  # of a first visit
    page.goto("/positions")
    idle(page)
    sidebar, opens = page.get_by_test_id("stSidebar"), page.get_by_role("button", name=wording("Pages and settings"))
    expect(sidebar).not_to_be_in_viewport()
    opens.press("Enter")
    expect(sidebar).to_be_in_viewport()
    page.get_by_test_id("stTopNavSection").nth(1).click()
    page.get_by_test_id("stTopNavDropdownLink").first.click()
    expect(page).to_have_url(re.compile("/word_order"))
    idle(page)
    expect(sidebar).to_be_in_viewport()
    page.get_by_role("button", name=wording("Close settings")).click()
    expect(sidebar).not_to_be_in_viewport()


def test_a_dark_page_has_a_dark_ground_before_any_script(page: Page) -> None:
    page.emulate_media(color_scheme="dark")
    page.route("**/*.js", lambda route: None)  # none comes
    page.goto("/", wait_until="commit")
    expect(page.locator("html")).to_have_css("background-color", "rgb(21, 24, 30)")


def test_a_first_page_is_drawn_from_one_file_of_modules_before_the_server_says_that_it_is_well_and_nothing_jumps(
    page: Page,
) -> None:
    asked: list[str] = []
    held: list[Route] = []
    page.on("request", lambda request: asked.append(request.url))
    page.route(re.compile("/_stcore/(health|host-config)$"), lambda route: held.append(route))
    text = "The quick brown fox jumps over the lazy dog " * 5  # whose lines stand above the figure
    page.goto(f"/?{urlencode({'text': text, 'table': 'random'})}")
    expect(page.get_by_test_id("sum-bands")).to_be_visible()
    own = [url.rpartition("/")[2] for url in asked if "/components/" in url]
    assert own == ["start.js", "first.js"]
    asking(page, lambda: len(held) == 2, lambda: held)
    for route in held:
        route.continue_()
    idle(page)
    assert page.get_by_test_id("sum-bands").is_visible()
    assert layout_shift(page) < 0.1  # the limit of what is called good


def ask(socket: ClientConnection, **wanted: Any) -> None:
    """Ask for a run of a page, or of a part of one, as the browser does."""
    socket.send(BackMsg(rerun_script=ClientState(**wanted)).SerializeToString())


def answers(socket: ClientConnection) -> Iterator[ForwardMsg]:
    """Read what is sent until a run has ended."""
    while True:
        frame = socket.recv(timeout=PATIENCE)
        assert isinstance(frame, bytes)  # Streamlit sends no text
        yield (message := ForwardMsg.FromString(frame))
        if message.HasField("script_finished"):
            return


def test_a_frame_of_text_ends_its_connection_and_is_no_fault_of_the_server(server: Server) -> None:
    before = server.log.read_text()
    with connect_browser(server.url) as socket:
        socket.send("platypus")
        with pytest.raises(ConnectionClosedError) as ended:
            list(iter(partial(socket.recv, PATIENCE), None))
        assert ended.value.rcvd == Close(1003, "Only binary frames are read.")
    with connect_browser(server.url) as socket:  # once it has answered another, it has logged what it would
        ask(socket)
        list(answers(socket))
    assert server.log.read_text() == before


def test_a_script_put_into_the_page_does_not_run(opened: Page) -> None:
    opened.evaluate(
        """() => {
            const script = document.createElement("script");
            script.textContent = "window.intruder = true";
            document.body.append(script);
        }"""
    )
    assert opened.evaluate("() => window.intruder") is None
    complaints = TRAFFIC[opened].complaints
    asking(opened, lambda: complaints)
    assert len(complaints) == 1
    assert "Content Security Policy" in complaints.pop()


def test_code_made_from_text_does_not_run(opened: Page) -> None:
    # In a timer of its own: what the debugger evaluates directly is exempt from the policy.
    outcome = opened.evaluate(
        """() => new Promise(done => setTimeout(() => {
            try { done(new Function("return 1")()) } catch (error) { done(error.name) }
        }))"""
    )
    assert outcome == "EvalError"
    TRAFFIC[opened].complaints.clear()  # what some browsers say about it


def test_an_upload_within_the_limit_is_taken(opened: Page) -> None:
    cookies = {cookie["name"]: cookie["value"] for cookie in opened.context.cookies()}
    answer = opened.request.put(
        f"/_stcore/upload_file/{TRAFFIC[opened].session_id}/a-file",
        headers={"X-Xsrftoken": cookies["_streamlit_xsrf"]},
        multipart={"file": {"name": "a.bin", "mimeType": "application/octet-stream", "buffer": bytes(500_000)}},
    )
    assert answer.status == 204


def test_an_upload_over_the_limit_is_refused_before_it_is_read(opened: Page, server: Server) -> None:
    cookies = {cookie["name"]: cookie["value"] for cookie in opened.context.cookies()}
    headers = {
        "X-Xsrftoken": cookies["_streamlit_xsrf"],
        "Cookie": "; ".join(f"{name}={value}" for name, value in cookies.items()),
        "Content-Type": "multipart/form-data; boundary=b",
        "Content-Length": str(300 * 2**20),  # announced, and never sent
    }
    assert status_of(server, "PUT", f"/_stcore/upload_file/{TRAFFIC[opened].session_id}/a-file", headers) == 413


def test_an_upload_from_another_site_is_refused(opened: Page) -> None:
    answer = opened.request.put(f"/_stcore/upload_file/{TRAFFIC[opened].session_id}/a-file", data=b"x")
    assert answer.status == 403


def test_a_page_of_another_site_gets_no_session(server: Server) -> None:
    assert websocket_status(server, server.url) == 101
    assert websocket_status(server, ADDRESS_OF_NOBODY) == 403
    assert server.connections.read_text() == ""  # Streamlit alone would have asked the internet for its own address


def test_the_interface_for_programs_is_off(server: Server) -> None:
    headers = {"Content-Type": "application/json"}
    assert status_of(server, "POST", "/_stcore/agent/interact", headers, "{}") == 403


def test_there_is_no_developers_menu(opened: Page) -> None:
    opened.get_by_test_id("stMainMenuButton").click()
    entries = opened.get_by_role("menuitem").or_(opened.get_by_role("option"))
    expect(entries.first).to_be_visible()
    expect(entries.filter(has_text=re.compile("Deploy|Clear cache"))).to_have_count(0)


@pytest.mark.thorough
def test_after_a_lost_connection_the_next_key_goes_to_the_field_that_was_written_in(
    browser: Browser, server: Server
) -> None:
    with closing(browser.new_context()) as context:
        page, sockets, is_cut = context.new_page(), list[WebSocketRoute](), False

        def connect(socket: WebSocketRoute) -> None:
            sockets.append(socket)
            if is_cut:
                socket.close()
            else:
                socket.connect_to_server()

        page.route_web_socket(re.compile("/_stcore/stream"), connect)
        page.goto(f"{server.url}/?text=one&table=random&d_model=8")
        field, lost = page.get_by_test_id("live-text"), page.get_by_role("dialog")
        expect(page.get_by_test_id("token-chip")).to_have_count(1)
        field.press("End")
        is_cut = True
        page.route("**/_stcore/health", lambda route: route.abort())
        sockets[0].close()
        expect(lost).to_be_visible(timeout=PATIENCE * 1000)  # Streamlit's, some seconds later
        expect(field).not_to_be_focused()
        is_cut = False
        page.unroute_all()
        expect(lost).to_have_count(0, timeout=PATIENCE * 1000)
        expect(field).to_be_focused()
        page.keyboard.type(" Paris")  # P alone would start slides
        expect(page.get_by_test_id("token-chip")).to_have_count(2)
