"""Start the app: `streamlit run app.py` finds `app` and serves it; bin/start does so in its own environment."""

import gc
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from threading import Thread

import streamlit as st

from ui.components import browser_code
from ui.server import component_data, saving
from ui.server.errors import show_script_error
from ui.server.files import compress_scripts, compressed_scripts
from ui.server.headers import security_headers
from ui.server.lecture import Lecture
from ui.server.limits import visitor_limits
from ui.server.memory import limit_malloc_arenas
from ui.server.monitoring import metrics_routes, write_logs
from ui.server.origins import same_site_websockets
from ui.server.page import first_scripts, own_page, speaker_route
from ui.server.patches import patch_streamlit
from ui.server.readiness import Readiness

MAIN = Path(__file__).parent / "ui" / "main.py"


def warm_up() -> None:
    """Compute what the first visitor will see, and compress the scripts of their page meanwhile."""
    Thread(target=compress_scripts, args=[first_scripts()], daemon=True).start()
    gc.disable()  # imported objects stay: scanning them repeatedly takes an eighth of the time
    try:
        from ui.server.warm_up import warm_up as compute  # imports torch and plotly: not before the server answers

        compute(readiness.until_quiet)
    finally:
        gc.enable()


def precompute(query: str) -> None:
    """Compute the page of a visitor whose browser has begun to load its scripts."""
    if readiness.state == "ready":
        from ui.server.warm_up import precompute as compute  # as above

        compute(query)


limit_malloc_arenas()
write_logs()
patch_streamlit(MAIN)
lecture = Lecture()
readiness = Readiness(warm_up)


@asynccontextmanager
async def lifespan(served: object) -> AsyncIterator[None]:
    """Start and stop the tasks that live as long as the server."""
    async with readiness.lifespan(served), lecture.lifespan():
        yield


app = st.App(
    MAIN,
    lifespan=lifespan,
    routes=[
        *readiness.routes(),
        browser_code.route(),
        component_data.route(),
        *saving.routes(),
        speaker_route(),
        *lecture.routes(),
        *metrics_routes(readiness.is_over),
    ],
    middleware=[
        own_page(precompute),
        security_headers(),
        same_site_websockets(),
        visitor_limits(),
        readiness.middleware(),
        compressed_scripts(),
    ],
    on_script_error=show_script_error,
)
