"""Serve the app with one address more, /counts: what there is by now of that which visits are made of."""

import threading
from collections import Counter
from functools import wraps
from pathlib import Path
from typing import Any
from weakref import ref

import streamlit as st
from starlette.requests import Request
from starlette.responses import JSONResponse
from starlette.routing import Route
from streamlit import runtime
from streamlit.runtime.app_session import AppSession
from streamlit.runtime.scriptrunner import ScriptRunner

from app import readiness
from ui.components import browser_code

_made: list[ref[Any]] = []  # and no gc.get_objects, which disturbs what other threads are about to make


def _note_what_is_made(kind: type[Any]) -> None:
    make = kind.__init__

    @wraps(make)
    def noted(self: Any, *args: Any, **kwargs: Any) -> None:
        make(self, *args, **kwargs)
        _made.append(ref(self))

    kind.__init__ = noted


for kind in (AppSession, ScriptRunner):
    _note_what_is_made(kind)


def counts(_request: Request) -> JSONResponse:
    """Count what lives."""
    from ui.cache.bounded import total_cached_bytes
    from ui.shared.opened_model import models
    from ui.training.run import Run

    if not hasattr(Run.__init__, "__wrapped__"):
        _note_what_is_made(Run)
    kinds = Counter(type(one).__name__ for made in list(_made) if (one := made()) is not None)
    media = runtime.get_instance().media_file_mgr
    threads = Counter(thread.name.partition("_")[0] for thread in threading.enumerate())
    return JSONResponse(
        {
            **{kind: kinds[kind] for kind in ("AppSession", "ScriptRunner", "Run")},
            "media files": len(media._file_metadata) + len(media._storage._files_by_id),  # type: ignore[attr-defined]
            "runs of pages": threads["ScriptRunner.scriptThread"],
            "jobs that run": threads["job"],
            "warming up": threads["warm-up-rest"],
            "models": sum(job.state == "done" for job in list(models._jobs.values())),
            "bytes of caches": total_cached_bytes(),
        }
    )


app = st.App(
    Path(__file__).parents[2] / "ui" / "main.py",
    lifespan=readiness.lifespan,
    routes=[*readiness.routes(), browser_code.route(), Route("/counts", counts)],
)
