"""The drawer that holds the pages' names on a phone: closed when a page was chosen from it, so that it is seen."""

from ui.components import register

_mount = register("drawer", "drawer")


def drawer(*, page: str, key: str) -> None:
    """Close the drawer on a narrow screen when another page is in view than before.

    Args:
        page: which page is in view.
        key: Streamlit key, without "__".
    """
    _mount(key=key, data={"page": page})
