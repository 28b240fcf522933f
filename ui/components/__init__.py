"""The app's own browser components: a folder each, with its Python wrapper, TypeScript, HTML and CSS."""

import json
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Protocol

import streamlit as st

from ui.components.browser_code import FOLDER, component_script

__all__ = ["Draw", "register"]


class Draw(Protocol):
    """A function that mounts a component on the page."""

    def __call__(self, *, key: str, data: Mapping[str, object] | bytes, **callbacks: Callable[[], None]) -> Any:
        """Mount the component with data for lifecycle.ts; `on_NAME_change` is called before the run of report NAME.

        Returns:
            The browser's reports, by the names of the callbacks.
        """


def register(name: str, folder: str, *, styles: Sequence[str] = ()) -> Draw:
    """Register a component from the files of a folder.

    Args:
        name: its name in Streamlit.
        folder: such as "token_chips", with index.ts and, optionally, index.html and style.css.
        styles: further CSS files, such as "_shared/stepper.css", applied before the component's own.

    Raises:
        FileNotFoundError: its bundle or one of the further css files is missing.
    """
    own, page = FOLDER / folder / "style.css", FOLDER / folder / "index.html"
    css = [*(FOLDER / path for path in styles), *([own] if own.exists() else []), FOLDER / "_shared" / "all.css"]
    html = page.read_text(encoding="utf-8") if page.exists() else None
    rules = "\n".join(path.read_text(encoding="utf-8") for path in css)
    mount = st.components.v2.component(name, html=html, css=rules, js=component_script(folder))

    def draw(*, key: str, data: Mapping[str, object] | bytes, **callbacks: Any) -> Any:
        # As bytes: Streamlit searches JSON for data frames, and serialises it twice, once for its hash: 0.4 ms.
        sent = data if isinstance(data, bytes) else json.dumps(data).encode()
        return mount(key=key, data=sent, **callbacks)

    return draw
