"""The browser parts of our own: a folder each, with its typed Python wrapper, its TypeScript, html and css."""

import json
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Protocol

import streamlit as st

from ui.components.browser_code import FOLDER, component_script

__all__ = ["Draw", "register"]


class Draw(Protocol):
    """What puts a component on the page."""

    def __call__(self, *, key: str, data: Mapping[str, object] | bytes, **callbacks: Callable[[], None]) -> Any:
        """Draw it with data, which lifecycle.ts reads; `on_NAME_change` hears of the report NAME, before its run.

        Returns:
            What happened in the browser, by the names of the callbacks.
        """


def register(name: str, folder: str, *, styles: Sequence[str] = ()) -> Draw:
    """Make a component of the files in a folder.

    Args:
        name: what Streamlit knows it by.
        folder: in this one, such as "token_chips". Its index.html and style.css come with its script, where it
            has them.
        styles: further css files, such as "_shared/tip.css", whose rules come before the component's own.

    Raises:
        FileNotFoundError: its bundle or one of the further css files is missing.
    """
    own, page = FOLDER / folder / "style.css", FOLDER / folder / "index.html"
    css = [*(FOLDER / path for path in styles), *([own] if own.exists() else []), FOLDER / "_shared" / "all.css"]
    html = page.read_text(encoding="utf-8") if page.exists() else None
    rules = "\n".join(path.read_text(encoding="utf-8") for path in css)
    mount = st.components.v2.component(name, html=html, css=rules, js=component_script(folder))

    def draw(*, key: str, data: Mapping[str, object] | bytes, **callbacks: Any) -> Any:
        # As bytes: what is JSON to Streamlit it looks through for data frames, writes, and writes again for its hash,
        # which takes 0.4 ms.
        sent = data if isinstance(data, bytes) else json.dumps(data).encode()
        return mount(key=key, data=sent, **callbacks)

    return draw
