"""What an administrator sees of a server that somebody uses: lines of JSON, and /metrics."""

import json
import urllib.request
from pathlib import Path

import pytest

from tests.browser.conftest import NewPage
from tests.browser.idle import choose_page, idle, rerun
from tests.browser.serving import Server, running_server
from tests.waiting import PATIENCE
from ui.server.monitoring import LOGS, METRICS


def metrics(server: Server) -> dict[str, float]:
    with urllib.request.urlopen(f"{server.url}/metrics", timeout=PATIENCE) as answer:
        lines = answer.read().decode().splitlines()
    pairs = [line.rpartition(" ") for line in lines if not line.startswith("#")]
    return {name: float(value) for name, _, value in pairs}


@pytest.mark.thorough
def test_runs_visits_jobs_and_caches_are_told_and_nothing_that_was_typed(new_page: NewPage, tmp_path: Path) -> None:
    pytest.importorskip("prometheus_client", reason="requirements-metrics.txt is not installed")
    settings = {LOGS: "json", METRICS: "1", "STREAMLIT_LOGGER_HIDE_WELCOME_MESSAGE": "true"}
    with running_server(tmp_path, settings=settings) as server:
        before = metrics(server)
        assert before["embedding_explorer_visits"] == 0
        page = new_page(server)
        page.goto("/?text=platypus&table=random&d_model=32")
        idle(page)
        with rerun(page):
            page.get_by_test_id("live-text").fill("platypus echidna")
        page.wait_for_url("**text=platypus+echidna**")
        choose_page(page, 0, 1)
        page.wait_for_url("**/tokens?**")
        idle(page)
        after = metrics(server)
        assert after["embedding_explorer_visits"] == 1
        assert after['embedding_explorer_visit_events_total{event="connect"}'] == 1
        for labels in ('page="",part="false"', 'page="",part="true"', 'page="tokens",part="false"'):
            assert after[f"embedding_explorer_run_seconds_count{{{labels}}}"] >= 1, labels
            assert after[f"embedding_explorer_run_seconds_sum{{{labels}}}"] > 0
        assert after['embedding_explorer_jobs{state="waiting"}'] == 0
        assert after["embedding_explorer_cache_bytes"] > before["embedding_explorer_cache_bytes"]
    text = server.log.read_text()
    lines = [json.loads(line) for line in text.splitlines()]
    assert {(line["page"], line["part"]) for line in lines if line["message"] == "run"} >= {
        ("", True),
        ("tokens", False),
    }
    assert "platypus" not in text
    assert "echidna" not in text


def test_without_being_asked_for_there_are_no_metrics(server: Server) -> None:
    with urllib.request.urlopen(f"{server.url}/metrics", timeout=PATIENCE) as answer:
        assert b"embedding_explorer_" not in answer.read()
