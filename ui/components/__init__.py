"""The browser parts of our own: a folder each, with its typed Python wrapper, its ES modules, html and css."""

from collections.abc import Sequence

import streamlit as st
from streamlit.components.v2.types import ComponentRenderer

from ui.components.browser_code import FOLDER, importing

__all__ = ["register"]


def register(name: str, folder: str, *, script: str = "index.js", styles: Sequence[str] = ()) -> ComponentRenderer:
    """Make a component of the files in a folder.

    Args:
        name: what Streamlit knows it by.
        folder: in this one, such as "token_chips". Its index.html and style.css come with its index.js, where it has
            them.
        script: the module whose default export draws the component; any other than index.js draws nothing.
        styles: further css files, such as "_shared/tip.css", whose rules come before the component's own.

    Returns:
        The function that puts it on the page.

    Raises:
        FileNotFoundError: the module or one of the further css files is missing.
    """
    css, html = [FOLDER / path for path in styles], None
    if script == "index.js":
        own, page = FOLDER / folder / "style.css", FOLDER / folder / "index.html"
        css += [own] if own.exists() else []
        css += [FOLDER / "_shared" / "all.css"]
        html = page.read_text(encoding="utf-8") if page.exists() else None
    rules = "\n".join(path.read_text(encoding="utf-8") for path in css)
    return st.components.v2.component(name, html=html, css=rules or None, js=importing(f"{folder}/{script}"))
