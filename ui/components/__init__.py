"""The browser parts of our own: one typed Python wrapper each, with its html, css and js beside it."""

from pathlib import Path

_FOLDER = Path(__file__).parent


def assets(name: str, *scripts: str) -> dict[str, str]:
    """Read one component's browser files, as `st.components.v2.component` takes them.

    Every component's script starts with link.js, so that all of them share the page's one pointer.

    Args:
        name: stem of the files in this folder, such as "token_chips".
        *scripts: stems of further scripts that the component is made of.

    Returns:
        "js", and "html" and "css" where there are such files, each the file's text; with the rules of a script that has
        some beside it, before the component's own.

    Raises:
        FileNotFoundError: there is no `<name>.js`, or one of the scripts is missing.
    """
    found = {"js": "\n".join(_read(f"{stem}.js") for stem in ("link", name, *scripts))}
    if (_FOLDER / f"{name}.html").exists():
        found["html"] = _read(f"{name}.html")
    styles = [f"{stem}.css" for stem in (*scripts, name) if (_FOLDER / f"{stem}.css").exists()]
    if styles:
        found["css"] = "\n".join(map(_read, styles))
    return found


def _read(file_name: str) -> str:
    return (_FOLDER / file_name).read_text(encoding="utf-8")
