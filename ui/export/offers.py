"""What a visit can save: each figure's picture, page and numbers, made when somebody asks and not before."""

import csv
import io
import json
import re
import secrets
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from html import escape, unescape
from typing import Any
from urllib.parse import parse_qsl, urlencode
from weakref import WeakValueDictionary

import numpy as np
import streamlit as st
from numpy.typing import NDArray
from plotly.graph_objects import Figure
from plotly.io.json import to_json_plotly
from streamlit.runtime.state import SessionState
from torch import Tensor

from ui.export.config import plotly_config
from ui.export.grids import GRID_STYLE, Grid, grid_html, grid_rows
from ui.export.views import read_look, show_as_seen
from ui.i18n import between, named, speak, tag
from ui.settings import state

Arrays = Mapping[str, Tensor | NDArray[Any]]
KINDS = {"png": "picture", "svg": "picture", "html": "picture", "csv": "table", "npz": "arrays"}  # and what each needs
_MEDIA = {
    "json": "application/json",
    "html": "text/html; charset=utf-8",
    "csv": "text/csv; charset=utf-8",
    "npz": "application/zip",
}
_KEY = "_offers"


@dataclass(frozen=True, eq=False)
class Offer:
    """A figure that can be saved. What it holds makes the files on a thread that belongs to no session.

    Attributes:
        name: of the files, without their endings.
        title: of the figure; "" for its own.
        source: where its numbers come from.
        address: of the page in the app; "" where it is not known.
        link: tells the query of the link to what is in view, and the page's settings by their names; none private.
        words: "lang", "source", "settings" and "link", in the reader's language.
        figure: draws it for white paper.
        grid: what is drawn in its place, where it is a table or tokens.
        table: writes its numbers as CSV.
        arrays: finds its numbers as arrays, by their names.
        key: of what shows it on the page; "" where that cannot be zoomed or turned.
        look: what only the browser knows of the page, as it sends it.
    """

    name: str
    title: str
    source: str
    address: str
    link: Callable[[], tuple[str, Mapping[str, str]]]
    words: Mapping[str, str]
    figure: Callable[[], Figure] | None = None
    grid: Callable[[], Grid] | None = None
    table: Callable[[], str] | None = None
    arrays: Callable[[], Arrays] | None = None
    key: str = ""
    look: str = ""

    @property
    def picture(self) -> Callable[[], Figure | Grid] | None:
        """What makes that of which images are drawn; None where there is none."""
        return self.figure or self.grid

    @property
    def kinds(self) -> list[str]:
        """The files that there are, by their endings."""
        return [kind for kind, needs in KINDS.items() if getattr(self, needs) is not None]

    def write(self, kind: str) -> bytes:
        """Make a file: one of `kinds`, or "json", of which the browser makes the images.

        Raises:
            KeyError: there is no such file.
        """
        speak(self.words["lang"])
        if self.picture is not None and kind == "json":
            return self._picture(self._seen(self.picture()))
        if self.picture is not None and kind == "html":
            return self._page(self._seen(self.picture())).encode()
        if self.table is not None and kind == "csv":
            return self.table().encode()
        if self.arrays is not None and kind == "npz":
            return self._numbers(self.arrays())
        raise KeyError(kind)

    def part(self, *, plotly: bool) -> str:
        """Draw the figure, with its heading and where its numbers come from, as a part of a page that opens anywhere.

        Args:
            plotly: whether the part of a figure of Plotly's brings its code along, which a page needs once.
        """
        picture = self.picture() if self.picture is not None else Figure()
        heading = "" if _titled(picture) else escape(self._heading(picture))
        whence = escape(named(self.words["source"], self.source)) if self.source else ""
        caption = " · ".join(filter(None, [heading, whence]))
        return f"<figure>{_drawn(picture, plotly=plotly)}<figcaption>{caption}</figcaption></figure>"

    def about(self) -> dict[str, str]:
        """Return source, settings and link; what the browser writes into a link by itself is no setting to read."""
        query, settings = self.link()
        look, _view = read_look(self.look)
        if look:
            query = urlencode(
                [*(pair for pair in parse_qsl(query, keep_blank_values=True) if pair[0] != "look"), ("look", look)],
                safe="!~,",
            )
        listed = between("; ").join(
            f"{name} = {value}" for name, value in settings.items() if value and not state.SETTINGS[name].is_browsers
        )
        link = f"{self.address}?{query}" if query else self.address
        return {"source": self.source, "settings": listed, "link": link if self.address else ""}

    def _seen(self, picture: Figure | Grid) -> Figure | Grid:
        if self.look and self.key and isinstance(picture, Figure):
            show_as_seen(picture, read_look(self.look)[1], self.key)
        return picture

    def _heading(self, picture: Figure | Grid) -> str:
        own = re.sub(r"<[^>]*>", " ", _titled(picture))
        return " ".join(unescape(own or self.title or self.name).split())

    def _picture(self, picture: Figure | Grid) -> bytes:
        title = self._heading(picture)
        words = {name: self.words[name] for name in ("source", "settings", "link")}
        parts = {"name": self.name, "title": title, "about": self.about(), "words": words, "config": plotly_config()}
        if isinstance(picture, Figure):
            return json.dumps(parts)[:-1].encode() + b', "figure": ' + str(to_json_plotly(picture)).encode() + b"}"
        return json.dumps(parts | {"grid": {"columns": list(picture), "rows": grid_rows(picture)}}).encode()

    def _page(self, picture: Figure | Grid) -> str:
        about, heading = self.about(), escape(self._heading(picture))
        link = escape(about["link"])
        lines = [
            f"<p>{escape(named(self.words[name], about[name]))}</p>" for name in ("source", "settings") if about[name]
        ]
        leading = named(self.words["link"], f'<a href="{link}">{link}</a>')
        lines += [f"<p>{leading}</p>"] if link else []
        return (
            f'<!doctype html>\n<html lang="{tag()}"><head><meta charset="utf-8"><title>{heading}</title>'
            "<style>body { background: #fff; color: #1a1a1a; font: 16px/1.5 sans-serif; margin: 1.5rem } "
            f"{GRID_STYLE} footer {{ overflow-wrap: anywhere }}</style></head>"
            f"<body>{'' if _titled(picture) else f'<h1>{heading}</h1>'}{_drawn(picture, plotly=True)}"
            f"<footer>{''.join(lines)}</footer></body></html>\n"
        )

    def _numbers(self, arrays: Arrays) -> bytes:
        """Write the arrays, and beside them `meta`: a JSON object with what they are, as text."""
        title = self.title or (self._heading(self.picture()) if self.picture else self.name)
        meta = json.dumps({"title": title, **self.about()}, ensure_ascii=False)
        target = io.BytesIO()
        numbers = {
            name: values.detach().cpu().numpy() if isinstance(values, Tensor) else values
            for name, values in arrays.items()
        }
        np.savez(target, allow_pickle=False, meta=np.array(meta), **numbers)
        return target.getvalue()


def _titled(picture: Figure | Grid) -> str:
    return (picture.layout.title.text or "") if isinstance(picture, Figure) else ""


def _drawn(picture: Figure | Grid, *, plotly: bool) -> str:
    if isinstance(picture, Figure):
        return str(picture.to_html(config=plotly_config(), include_plotlyjs=plotly, full_html=False))
    return grid_html(picture)


_TEXTS = {"token", "name", "label", "line", "scheme", "tokenizer", "bytes", "detail"}  # though they look like numbers


def columns_of(table: Callable[[], str]) -> dict[str, NDArray[Any]]:
    """Return the columns of what `table` writes as CSV: whole numbers, float64 with nan for what is empty, or texts."""
    heading, *lines = csv.reader(io.StringIO(table()))
    return {name: _column(name, cells) for name, cells in zip(heading, zip(*lines, strict=True), strict=True)}


def _column(name: str, cells: tuple[str, ...]) -> NDArray[Any]:
    if name not in _TEXTS:
        for kind, empty in ((np.int64, ""), (np.float64, "nan")):
            try:
                return np.array([cell or empty for cell in cells]).astype(kind)
            except (ValueError, OverflowError):
                continue
    return np.array([re.sub(r"^'(?=[=+\-@\t\r].)", "", cell) for cell in cells])


@dataclass(eq=False)
class _Visit:
    """What one visit can save of the page in view."""

    token: str = field(default_factory=lambda: secrets.token_urlsafe(12))
    page: str = ""
    source: str = ""
    offers: dict[str, Offer] = field(default_factory=dict)


_visits: WeakValueDictionary[str, _Visit] = WeakValueDictionary()  # each is held by its session, and goes with it


def visit(page: str) -> _Visit:
    """Return what this visit can save; nothing yet on another page than before."""
    found: _Visit = st.session_state.setdefault(_KEY, _Visit())
    _visits[found.token] = found
    if found.page != page:
        found.page, found.source = page, ""
        found.offers.clear()
    return found


def offers_in(session: SessionState) -> dict[str, Offer]:
    """Return what a session can save of the page in view, by the names of the files."""
    found = session[_KEY] if _KEY in session else None
    return found.offers if isinstance(found, _Visit) else {}


def saved(token: str, file: str, look: str = "") -> tuple[bytes, str] | None:
    """Make the file that an address names.

    Args:
        token: of a visit.
        file: NAME.KIND.
        look: what only the browser knows of the page: the file shows what is in view.

    Returns:
        The file and its media type; None where there is no such file, or no more.
    """
    name, _dot, kind = file.rpartition(".")
    found = _visits.get(token)
    offer = found.offers.get(name) if found else None
    if offer is None or kind not in {"json", *offer.kinds} & _MEDIA.keys():
        return None
    try:
        return replace(offer, look=look).write(kind), _MEDIA[kind]
    except KeyError:
        return None
