"""The files that a session can save: pictures, pages and numbers of figures, made on request."""

import io
import json
import re
import secrets
from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, field, replace
from html import escape, unescape
from typing import Any
from urllib.parse import parse_qsl, urlencode
from weakref import WeakValueDictionary

import numpy as np
import streamlit as st
from plotly.graph_objects import Figure
from plotly.io.json import to_json_plotly
from torch import Tensor

from ui.export.config import plotly_config
from ui.export.drawing import Drawing
from ui.export.grids import GRID_STYLE, Grid, grid_html, grid_rows
from ui.export.numbers import Arrays
from ui.export.views import apply_view, read_look
from ui.i18n import label_sentence, language_tag, separator, set_run_language
from ui.settings import state

_MEDIA = {
    "json": "application/json",
    "html": "text/html; charset=utf-8",
    "csv": "text/csv; charset=utf-8",
    "npz": "application/zip",
}
_KEY = "_offers"


@dataclass(frozen=True, eq=False)
class Offer:
    """A drawing that can be saved: makes its files on a thread without a session.

    Attributes:
        name: of the files, without extensions.
        title: of the drawing.
        source: origin of its numbers.
        address: URL of the page; "" if unknown.
        link: returns the query of the link to this view, and the page's settings by name, without private ones.
        settings: context in which a thread without a session reads the visit's settings.
        words: "lang", "source", "settings" and "link", in the user's language.
        drawing: makes the drawing, with its numbers.
        kinds: file extensions that can be saved.
        key: of its element on the page; "" if that has no zoom or rotation.
        look: view state from the browser.
    """

    name: str
    title: str
    source: str
    address: str
    link: Callable[[], tuple[str, Mapping[str, str]]]
    settings: Callable[[], AbstractContextManager[None]]
    words: Mapping[str, str]
    drawing: Callable[[], Drawing]
    kinds: Sequence[str]
    key: str = ""
    look: str = ""

    def write(self, kind: str) -> bytes:
        """Return a file: one of `Drawing.kinds`, or "json", from which the browser makes images.

        Raises:
            KeyError: there is no such file.
        """
        set_run_language(self.words["lang"])
        with self.settings():
            drawing = self.drawing()
            if kind == "csv":
                return drawing.saved_numbers().csv().encode()
            if kind == "npz":
                return self._npz(drawing.saved_numbers().arrays())
            picture = self._picture(drawing)
            if picture is None or kind not in {"json", "html"}:
                raise KeyError(kind)
            return self._json(picture) if kind == "json" else self._page(picture).encode()

    def _picture(self, drawing: Drawing) -> Figure | Grid | None:
        """Draw the figure on white, with the user's zoom and camera; or return the table."""
        if drawing.figure is None:
            return drawing.grid
        figure = drawing.draw(theme="light", **({"title": drawing.title} if drawing.title else {}))
        if self.look and self.key:
            apply_view(figure, read_look(self.look)[1], self.key)
        return figure

    def figure_html(self, *, plotly: bool) -> str:
        """Return the figure with its title and data source as a <figure> element of a standalone page.

        Args:
            plotly: whether a Plotly figure includes Plotly's script, which a page needs once.
        """
        with self.settings():
            picture = self._picture(self.drawing()) or Figure()
        heading = "" if _figure_title(picture) else escape(self._heading(picture))
        whence = escape(label_sentence(self.words["source"], self.source)) if self.source else ""
        caption = " · ".join(filter(None, [heading, whence]))
        return f"<figure>{_picture_html(picture, plotly=plotly)}<figcaption>{caption}</figcaption></figure>"

    def metadata(self) -> dict[str, str]:
        """Return source, settings and link; the browser's view state goes into the link only."""
        query, settings = self.link()
        look, _view = read_look(self.look)
        if look:
            query = urlencode(
                [*(pair for pair in parse_qsl(query, keep_blank_values=True) if pair[0] != "look"), ("look", look)],
                safe="!~,",
            )
        listed = separator("; ").join(
            f"{name} = {value}" for name, value in settings.items() if value and not state.SETTINGS[name].is_browsers
        )
        link = f"{self.address}?{query}" if query else self.address
        return {"source": self.source, "settings": listed, "link": link if self.address else ""}

    def _heading(self, picture: Figure | Grid) -> str:
        own = re.sub(r"<[^>]*>", " ", _figure_title(picture))
        return " ".join(unescape(own or self.title or self.name).split())

    def _json(self, picture: Figure | Grid) -> bytes:
        title = self._heading(picture)
        words = {name: self.words[name] for name in ("source", "settings", "link")}
        parts = {"name": self.name, "title": title, "about": self.metadata(), "words": words, "config": plotly_config()}
        if isinstance(picture, Figure):
            return json.dumps(parts)[:-1].encode() + b', "figure": ' + str(to_json_plotly(picture)).encode() + b"}"
        return json.dumps(parts | {"grid": {"columns": list(picture), "rows": grid_rows(picture)}}).encode()

    def _page(self, picture: Figure | Grid) -> str:
        about, heading = self.metadata(), escape(self._heading(picture))
        link = escape(about["link"])
        lines = [
            f"<p>{escape(label_sentence(self.words[name], about[name]))}</p>"
            for name in ("source", "settings")
            if about[name]
        ]
        leading = label_sentence(self.words["link"], f'<a href="{link}">{link}</a>')
        lines += [f"<p>{leading}</p>"] if link else []
        return (
            f'<!doctype html>\n<html lang="{language_tag()}"><head><meta charset="utf-8"><title>{heading}</title>'
            "<style>body { background: #fff; color: #1a1a1a; font: 16px/1.5 sans-serif; margin: 1.5rem } "
            f"{GRID_STYLE} footer {{ overflow-wrap: anywhere }}</style></head>"
            f"<body>{'' if _figure_title(picture) else f'<h1>{heading}</h1>'}{_picture_html(picture, plotly=True)}"
            f"<footer>{''.join(lines)}</footer></body></html>\n"
        )

    def _npz(self, arrays: Arrays) -> bytes:
        """Write the arrays as NPZ, with `meta`: a JSON object that describes them."""
        meta = json.dumps({"title": self.title or self.name, **self.metadata()}, ensure_ascii=False)
        target = io.BytesIO()
        numbers = {
            name: values.detach().cpu().numpy() if isinstance(values, Tensor) else values
            for name, values in arrays.items()
        }
        np.savez(target, allow_pickle=False, meta=np.array(meta), **numbers)
        return target.getvalue()


def _figure_title(picture: Figure | Grid) -> str:
    return (picture.layout.title.text or "") if isinstance(picture, Figure) else ""


def _picture_html(picture: Figure | Grid, *, plotly: bool) -> str:
    if isinstance(picture, Figure):
        return str(picture.to_html(config=plotly_config(), include_plotlyjs=plotly, full_html=False))
    return grid_html(picture)


@dataclass(eq=False)
class _Visit:
    """The files that one session can save of the page in view."""

    token: str = field(default_factory=lambda: secrets.token_urlsafe(12))
    page: str = ""
    source: str = ""
    offers: dict[str, Offer] = field(default_factory=dict)
    files: dict[str, tuple[Callable[[], str | bytes], str]] = field(default_factory=dict)  # maker, media type


_visits: WeakValueDictionary[str, _Visit] = WeakValueDictionary()  # each is owned by its session


def current_visit(page: str) -> _Visit:
    """Return the savable files of this session, emptied if the page has changed."""
    found: _Visit = st.session_state.setdefault(_KEY, _Visit())
    _visits[found.token] = found
    if found.page != page:
        found.page, found.source = page, ""
        found.offers.clear()
        found.files.clear()
    return found


def offers_in(session: Any) -> dict[str, Offer]:
    """Return the offers in an AppTest's session state, by file name."""
    found = session[_KEY] if _KEY in session else None
    return found.offers if isinstance(found, _Visit) else {}


def make_file(token: str, file: str, look: str = "") -> tuple[bytes, str] | None:
    """Make the file of a URL.

    Args:
        token: of a visit.
        file: NAME.KIND.
        look: view state from the browser, which the file shows.

    Returns:
        The file and its media type; None if it does not exist (any more).
    """
    name, _dot, kind = file.rpartition(".")
    found = _visits.get(token)
    if found and name in found.files:
        make, media = found.files[name]
        content = make()
        return content.encode() if isinstance(content, str) else content, media
    offer = found.offers.get(name) if found else None
    if offer is None or kind not in {"json", *offer.kinds} & _MEDIA.keys():
        return None
    try:
        return replace(offer, look=look).write(kind), _MEDIA[kind]
    except KeyError:
        return None
