"""The page is drawn anew when the reader switches the theme, which by itself starts no run."""

from ui.components import register

_mount = register("theme-watch", "theme_watch")


def theme_watch(*, key: str) -> None:
    """Run the page again when its theme changes.

    Args:
        key: Streamlit key, without "__".
    """
    _mount(key=key, on_switched_change=lambda: None)
