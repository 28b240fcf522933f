"""Start the app: `streamlit run app.py` finds `app` and serves it; bin/start does so in its own environment."""

from pathlib import Path

import streamlit as st

from ui.server import browser_code
from ui.server.errors import show_script_error
from ui.server.headers import security_headers
from ui.server.origins import same_site_websockets
from ui.server.page import own_page
from ui.server.readiness import Readiness


def warm_up() -> None:
    """Compute what the first visitor is going to see."""
    from ui.server.warm_up import warm_up as compute  # imports torch and plotly: not before the server answers

    compute()


readiness = Readiness(warm_up)

app = st.App(
    Path(__file__).parent / "ui" / "main.py",
    lifespan=readiness.lifespan,
    routes=[readiness.route(), browser_code.route()],
    middleware=[own_page(), security_headers(), same_site_websockets(), readiness.middleware()],
    on_script_error=show_script_error,
)
