"""Serve the components alone, under the app's security headers: `streamlit run tests/browser/scenes_app.py`."""

from pathlib import Path

import streamlit as st

from ui.components import browser_code
from ui.server import component_data
from ui.server.headers import security_headers
from ui.server.readiness import Readiness

readiness = Readiness(lambda: None)

app = st.App(
    Path(__file__).with_name("scenes.py"),
    lifespan=readiness.lifespan,
    routes=[*readiness.routes(), browser_code.route(), component_data.route()],
    middleware=[security_headers()],
)
