"""Serve the pages of patched_pages.py, with Streamlit patched as on the app's server.

With STREAMLIT_AS_IT_IS=1 nothing is patched, and tests of test_patches.py fail.
"""

import os
from pathlib import Path

import streamlit as st

from ui.server.patches import patch_streamlit
from ui.server.readiness import Readiness

PAGES = Path(__file__).with_name("patched_pages.py")

if not os.environ.get("STREAMLIT_AS_IT_IS"):
    patch_streamlit(PAGES)
readiness = Readiness(lambda: None)
app = st.App(PAGES, lifespan=readiness.lifespan, routes=readiness.routes(), middleware=[readiness.middleware()])
