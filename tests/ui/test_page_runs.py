"""Runs of pages are counted while they go on, and timed."""

from concurrent.futures import ThreadPoolExecutor

import pytest

from tests.ui.pages import open_page
from tests.waiting import PATIENCE
from ui.page_runs import PageRuns, page_runs


def test_who_gives_way_waits_for_the_last_of_the_pages_that_run_and_no_longer_than_was_said() -> None:
    runs = PageRuns()
    assert runs.wait_until_idle(0)
    with ThreadPoolExecutor(1) as thread:
        with runs.count_run():
            with runs.count_run():
                assert not runs.wait_until_idle(0.001)
            waiting = thread.submit(runs.wait_until_idle, PATIENCE)
            assert not runs.wait_until_idle(0.001)
            assert not waiting.done()
        assert waiting.result(PATIENCE)
    with pytest.raises(RuntimeError, match="went wrong"), runs.count_run():
        raise RuntimeError("went wrong")
    assert runs.wait_until_idle(0)


def test_each_run_of_a_page_is_told_once_and_counts_while_it_goes_on(monkeypatch: pytest.MonkeyPatch) -> None:
    told: list[tuple[str, bool]] = []
    counted: list[bool] = []
    monkeypatch.setattr(page_runs, "listeners", [lambda page, part, _seconds: told.append((page, part))])
    monkeypatch.setattr(
        "ui.shared.page_fragment.set_run_language", lambda _language: counted.append(not page_runs.wait_until_idle(0))
    )
    app = open_page("tokens", text="platypus")
    assert not app.exception
    assert told == [("tokens", False)]
    assert counted == [True]
    assert page_runs.wait_until_idle(0)
