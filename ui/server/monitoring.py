"""Monitoring for administrators: JSON logs, and /metrics for Prometheus; both off by default.

Neither contains users' input or tokens: no texts, no URLs with settings, no exception messages.
"""

import importlib.util
import json
import logging
import os
import re
import sys
import threading
import traceback
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from typing import Any

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route
from streamlit import runtime
from streamlit.logger import get_logger, init_uvicorn_logs
from streamlit.runtime.stats import ACTIVE_SESSIONS_FAMILY, SESSION_EVENTS_FAMILY

from ui.page_runs import page_runs

LOGS = "EMBEDDING_EXPLORER_LOGS"
METRICS = "EMBEDDING_EXPLORER_METRICS"
_OURS = ("ui.", "embedlib.", "bin/", "__main__", "uvicorn")  # loggers whose messages name no reader's words
_SECRETS = re.compile(r"\?\S*|\bhf_\w+|\beyJ[\w.-]+")  # an address's settings, tokens
_BUCKETS = (0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0)  # seconds

_log = logging.getLogger("ui.server")


class JsonLines(logging.Formatter):
    """A formatter that writes a record as one JSON object on one line.

    Its keys are time (UTC), level, logger, message and where; for an exception its type and stack without its message;
    for a run of a page `page`, `part` and `seconds`. Of a foreign logger's message only the template is written, since
    its values may be a user's text.
    """

    def format(self, record: logging.LogRecord) -> str:
        """Return the line, without its end."""
        fields: dict[str, Any] = {
            "time": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname.lower(),
            "logger": record.name,
            "message": _message(record),
            "where": f"{record.module}:{record.lineno}",
            **getattr(record, "fields", {}),
        }
        if record.exc_info and record.exc_info[0] is not None:
            frames = traceback.extract_tb(record.exc_info[2])
            fields["exception"] = record.exc_info[0].__name__
            fields["through"] = [f"{frame.filename}:{frame.lineno} {frame.name}" for frame in frames]
        return json.dumps(fields, ensure_ascii=False)


class _JsonLogger(logging.Logger):
    def addHandler(self, hdlr: logging.Handler) -> None:
        hdlr.setFormatter(JsonLines())
        super().addHandler(hdlr)


def _message(record: logging.LogRecord) -> str:
    if record.name.startswith(_OURS):
        return _SECRETS.sub("…", record.getMessage())
    return str(record.msg) if record.args else ""


def write_logs() -> None:
    """Switch all logs to JSON if the environment asks for it: Streamlit's, the server's, the app's, warnings.

    Raises:
        SystemExit: the environment asks for another form.
    """
    wanted = os.environ.get(LOGS, "")
    if not wanted:
        return
    if wanted != "json":
        sys.exit(f"{LOGS}={wanted} is unknown: set it to json, or leave it out for plain lines.")
    handler = logging.StreamHandler()
    handler.setFormatter(JsonLines())
    logging.getLogger().addHandler(handler)
    logging.captureWarnings(True)

    def log_thread(failed: threading.ExceptHookArgs) -> None:  # which Python would print, with its message
        _log.error(
            "A thread failed.", exc_info=(failed.exc_type, failed.exc_value or failed.exc_type(), failed.exc_traceback)
        )

    threading.excepthook = log_thread

    init_uvicorn_logs()
    get_logger(_log.name)  # with Streamlit's level
    # Streamlit gives each of its loggers a handler of its own, those that it makes later too.
    for name in logging.Logger.manager.loggerDict:
        for existing in logging.getLogger(name).handlers:
            existing.setFormatter(JsonLines())
    logging.setLoggerClass(_JsonLogger)
    logging.getLogger("uvicorn.access").disabled = True  # addresses hold readers' texts

    def log(page: str, part: bool, seconds: float) -> None:
        _log.info("run", extra={"fields": {"page": page, "part": part, "seconds": round(seconds, 4)}})

    page_runs.listeners.append(log)


def metrics_routes(is_warm: Callable[[], bool]) -> list[Route]:
    """Return the route /metrics, in Prometheus's text format, if the environment asks for it; else none.

    It is never below `server.baseUrlPath`, so that a proxy of that path does not expose it.

    Args:
        is_warm: returns whether the warm-up has ended, so that other threads may import modules.

    Raises:
        SystemExit: prometheus_client is not installed.
    """
    if not os.environ.get(METRICS):
        return []
    if importlib.util.find_spec("prometheus_client") is None:
        sys.exit(
            f"{METRICS} is set and prometheus-client is not installed: run bin/environment requirements-metrics.txt, "
            "or pip install prometheus-client."
        )
    from prometheus_client import CollectorRegistry, Histogram, ProcessCollector
    from prometheus_client.exposition import CONTENT_TYPE_LATEST, generate_latest

    registry = CollectorRegistry()
    ProcessCollector(registry=registry)
    registry.register(_StateCollector())
    name, meaning = "embedding_explorer_run_seconds", "Time in which a page, or a fragment of one, was drawn."
    runs = Histogram(name, meaning, ["page", "part"], registry=registry, buckets=_BUCKETS)
    page_runs.listeners.append(lambda page, part, seconds: runs.labels(page, str(part).lower()).observe(seconds))

    async def answer(_request: Request) -> Response:
        if not is_warm():
            return Response(status_code=503, headers={"Retry-After": "1", "Cache-Control": "no-store"})
        text = await run_in_threadpool(generate_latest, registry)
        return Response(text, headers={"Content-Type": CONTENT_TYPE_LATEST, "Cache-Control": "no-store"})

    return [Route("/metrics", answer, methods=["GET"])]


class _StateCollector:
    """A Prometheus collector of sessions, jobs and caches at the time of the request."""

    def collect(self) -> Iterator[Any]:
        from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily

        from ui.cache.bounded import total_cached_bytes
        from ui.jobs.queue import count_all

        stats = runtime.get_instance().stats_mgr.get_stats([ACTIVE_SESSIONS_FAMILY, SESSION_EVENTS_FAMILY])
        connected = next(iter(stats[ACTIVE_SESSIONS_FAMILY]))
        yield GaugeMetricFamily("embedding_explorer_visits", "Connected visits.", connected.value)  # type: ignore[attr-defined]
        events = CounterMetricFamily("embedding_explorer_visit_events", "Visits by what happened.", None, ["event"])
        for event in stats[SESSION_EVENTS_FAMILY]:
            events.add_metric([event.labels["type"]], event.value)  # type: ignore[attr-defined]
        yield events
        jobs = GaugeMetricFamily("embedding_explorer_jobs", "Long work in the background.", None, ["state"])
        waiting, running = count_all()
        jobs.add_metric(["waiting"], waiting)
        jobs.add_metric(["running"], running)
        yield jobs
        yield GaugeMetricFamily("embedding_explorer_cache_bytes", "Kept results of all caches.", total_cached_bytes())
