"""A visit to several processes behind nginx, one of which is killed in the middle of it."""

import os
import re
import signal
from pathlib import Path

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import NewPage
from tests.browser.idle import TRAFFIC, asking, idle
from tests.browser.serving import running_server
from tests.waiting import PATIENCE, wait_until
from ui.server.start import share_of_cores

COOKIE = "embedding_explorer_process"  # which holds the port of the visit's process


@pytest.mark.thorough
def test_a_visit_goes_on_with_another_process_when_its_own_is_killed(
    nginx: str, new_page: NewPage, tmp_path: Path
) -> None:
    with running_server(tmp_path, processes=2) as server:

        def started() -> list[tuple[str, str]]:
            return re.findall(r"spawned: '(\d+)' with pid (\d+)", server.log.read_text())

        def ready() -> int:
            return server.log.read_text().count("Ready after")

        wait_until(lambda: ready() == 2, server.log.read_text)
        if hasattr(os, "sched_getaffinity"):  # as on Linux alone
            for number, (_port, pid) in enumerate(sorted(started())):
                own = share_of_cores(number, 2, sorted(os.sched_getaffinity(0)))
                assert os.sched_getaffinity(int(pid)) == set(own)
        page = new_page(server)
        page.goto("/?text=before&table=random&d_model=32")
        idle(page)
        page.get_by_test_id("live-text").fill("typed before the end")
        expect(page.get_by_test_id("token-chip")).to_have_count(5)
        page.wait_for_url("**/?text=typed+before+the+end&table=random&d_model=32")
        visit = TRAFFIC[page].session_id

        def process() -> str:
            return next(cookie["value"] for cookie in page.context.cookies() if cookie["name"] == COOKIE)

        killed = process()
        os.kill(int(dict(started())[killed]), signal.SIGKILL)
        asking(page, lambda: TRAFFIC[page].session_id != visit, lambda: TRAFFIC[page], patience=PATIENCE)
        expect(page.get_by_test_id("token-chip")).to_have_count(5)
        page.get_by_test_id("live-text").press("Control+End")
        page.get_by_test_id("live-text").press_sequentially(" and after")
        expect(page.get_by_test_id("token-chip")).to_have_count(7)
        page.wait_for_url("**/?text=typed+before+the+end+and+after&table=random&d_model=32")
        assert process() != killed
        wait_until(lambda: ready() == 3, server.log.read_text)
        cookies = {cookie["name"]: cookie["value"] for cookie in page.context.cookies()}
        answer = page.request.put(  # to the process that has the visit now, not to the one that is back
            f"/_stcore/upload_file/{TRAFFIC[page].session_id}/a-file",
            headers={"X-Xsrftoken": cookies["_streamlit_xsrf"]},
            multipart={"file": {"name": "a.bin", "mimeType": "application/octet-stream", "buffer": bytes(500_000)}},
        )
        assert answer.status == 204
        assert server.connections.read_text() == ""
        TRAFFIC[page].complaints.clear()  # what a browser says of a connection that has ended
