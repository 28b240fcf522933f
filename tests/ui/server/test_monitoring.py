"""Logs as JSON without readers' words, and what is refused at the start; a running server's are in tests/browser."""

import importlib.util
import json
import logging
import os
import subprocess
import sys
import threading
from typing import Any

import pytest

from tests.waiting import wait_until
from ui.cache.bounded import BoundedCache, total_cached_bytes
from ui.jobs import Jobs, Report
from ui.jobs.queue import count_all
from ui.server.monitoring import LOGS, METRICS, JsonLines, metrics_routes, write_logs


def line(name: str, message: str, *args: object, error: BaseException | None = None, **extra: object) -> dict[str, Any]:
    found = (type(error), error, error.__traceback__) if error else None
    record = logging.LogRecord(name, logging.WARNING, "/x/here.py", 7, message, args, found)
    record.__dict__.update(extra)
    written = JsonLines().format(record)
    assert "\n" not in written
    fields = json.loads(written)
    assert isinstance(fields, dict)
    return fields


def test_a_record_is_one_line_with_time_level_logger_place_and_message() -> None:
    fields = line("ui.jobs.queue", "Ready after %.1f s\nof warm-up", 2.5)
    assert fields.pop("time").endswith("+00:00")
    assert fields == {
        "level": "warning",
        "logger": "ui.jobs.queue",
        "message": "Ready after 2.5 s\nof warm-up",
        "where": "here:7",
    }
    run = line("ui.server", "run", fields={"page": "tokens", "part": True, "seconds": 0.03})
    assert (run["page"], run["part"], run["seconds"]) == ("tokens", True, 0.03)


def test_no_line_holds_a_readers_text_or_a_token() -> None:
    try:
        raise ValueError("text='my diary' is too long")
    except ValueError as error:
        fields = line("streamlit.error_util", "Uncaught app execution", error=error)
    assert fields["exception"] == "ValueError"
    assert fields["through"][-1].endswith("test_no_line_holds_a_readers_text_or_a_token")
    assert "diary" not in json.dumps(fields)
    assert line("streamlit.x", "value %r of %s", "my diary", "?")["message"] == "value %r of %s"
    assert line("streamlit.x", "value 'my diary'")["message"] == ""
    ours = line("ui.x", "GET /tokens?text=my+diary with %s", "hf_AbC123")["message"]
    assert ours == "GET /tokens… with …"


def test_what_python_would_print_by_itself_is_a_line_too() -> None:
    program = """
import threading, warnings
from streamlit.logger import get_logger
from ui.server.monitoring import write_logs

def fail():
    raise ValueError("my diary")

write_logs()
thread = threading.Thread(target=fail)
thread.start()
thread.join()
warnings.warn("my diary", stacklevel=1)
get_logger("streamlit.late").warning("%s", "my diary")
get_logger("uvicorn.access").info("GET /?text=my+diary")
"""
    environment = os.environ | {LOGS: "json"}
    done = subprocess.run([sys.executable, "-c", program], env=environment, capture_output=True, text=True, check=True)
    lines = [json.loads(line) for line in done.stderr.splitlines()]
    assert [line["logger"] for line in lines] == ["ui.server", "py.warnings", "streamlit.late"]
    assert lines[0]["exception"] == "ValueError"
    assert "diary" not in done.stderr + done.stdout


def test_another_form_of_logs_and_metrics_without_their_package_are_refused_in_a_sentence(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv(LOGS, "yaml")
    with pytest.raises(SystemExit, match=rf"{LOGS}=yaml is unknown: set it to json"):
        write_logs()
    monkeypatch.delenv(METRICS, raising=False)
    monkeypatch.delitem(sys.modules, "prometheus_client", raising=False)  # other packages import it too
    assert metrics_routes(lambda: True) == []
    monkeypatch.setenv(METRICS, "1")
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None)
    with pytest.raises(SystemExit, match=r"run bin/environment requirements-metrics\.txt"):
        metrics_routes(lambda: True)
    assert "prometheus_client" not in sys.modules


def test_bytes_of_all_caches_and_jobs_of_all_queues_are_counted() -> None:
    bytes_before, before = total_cached_bytes(), count_all()
    cache: BoundedCache[str, bytes] = BoundedCache(1_000, len)
    cache.get("a", lambda: bytes(700))
    assert total_cached_bytes() - bytes_before == 700
    go = threading.Event()

    def work(_report: Report) -> None:
        go.wait()

    queue = Jobs()
    held = [queue.submit(key, work, visitor="a") for key in range(3)]
    assert [after - earlier for after, earlier in zip(count_all(), before, strict=True)] == [2, 1]
    go.set()
    wait_until(lambda: all(job.over.is_set() for job in held))
    wait_until(lambda: count_all() == before)
