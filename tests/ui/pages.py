"""Open pages without a browser, and read what their components were sent."""

import json
import math
import re
import time
from collections.abc import Callable
from functools import partial
from html import unescape
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from streamlit.testing.v1 import AppTest

from tests.figures.conftest import decoded
from tests.messages import wording
from tests.ui.browser_message import unpacked as packed
from tests.waiting import PATIENCE, T, wait_until
from ui.shared.opened_model import models

CONTROLS = ("button_group", "checkbox", "multiselect", "number_input", "selectbox", "slider", "text_input", "toggle")
MAIN = Path(__file__).parents[2] / "ui" / "main.py"


def open_page(page: str = "pipeline", **link: str) -> AppTest:
    """Open a page on a link; a model that it shows is opened before."""
    app = AppTest.from_file(MAIN, default_timeout=PATIENCE)
    for name, value in link.items():
        app.query_params[name] = value
    app.switch_page(f"../pages/{page}.py").run()

    def look_again() -> None:
        wait_until(lambda: not models.alive())  # drawn meanwhile, the page would take the time from what it waits for
        app.run()

    # Again where it took longer than a job goes on without a page that asks for it.
    wait_until(lambda: not _is_opening(app), lambda: models.alive(), pause=look_again)
    return app


def _is_opening(app: AppTest) -> bool:
    """Tell whether the page says that it opens a model, which may be open by now."""
    return any(str(button.key).endswith("-opening_cancel") for button in app.button)


def files_of(app: AppTest, *kinds: str) -> dict[str, Callable[[], bytes]]:
    """Return what makes each file that can be saved, by its name; of some kinds, or all."""
    offers = app.session_state["_offers"].offers.values() if "_offers" in app.session_state else ()
    return {
        f"{offer.name}.{kind}": partial(offer.write, kind)
        for offer in offers
        for kind in ("html", "csv", "npz")
        if kind in offer.kinds and (kind in kinds or not kinds)
    }


def wait_for(app: AppTest, reached: Callable[[], T], description: Callable[[], object] = lambda: "") -> T:
    """Let the page look again and again, as a browser does by the clock, until it says something."""

    def look_again() -> None:
        time.sleep(0.05)  # for what works in the background
        app.run()
        assert not app.exception

    return wait_until(reached, description, pause=look_again)


def components(app: AppTest, name: str) -> list[Any]:
    """List the messages to the components of a name, the first on the page first."""
    return [part.proto for part in app.get("bidi_component") if part.proto.component_name == name]


def payload(app: AppTest, name: str) -> tuple[dict[str, Any], NDArray[np.float32]]:
    """Read what a canvas component was sent: its header, and its numbers in one row."""
    header, body = packed(components(app, name)[0].bytes)
    strip = 2 * header["lines"] * header["columns"] if "lines" in header else 0
    return header, np.frombuffer(body[strip:], "<f4")


def sent(app: AppTest, name: str) -> dict[str, Any]:
    """Read what a component was sent as JSON."""
    found: dict[str, Any] = json.loads(components(app, name)[0].bytes)
    return found


def matrices(app: AppTest, place: int) -> dict[str, NDArray[np.float32]]:
    """Read the numbers of a row of pictures of matrices, the first on the page 0: each in one row, by their titles."""
    header, body = packed(components(app, "matrix-grid")[place].bytes)
    titles = [panel["title"] for panel in header["panels"]]
    ends = np.cumsum([math.prod(panel["shape"]) for panel in header["panels"]])
    return dict(zip(titles, np.split(np.frombuffer(body, "<f4"), ends[:-1]), strict=True))


def figure(app: AppTest, key: str) -> dict[str, Any]:
    """Read the chart whose key ends so, as a browser gets it, with arrays as arrays."""
    (found,) = (chart.proto for chart in app.get("plotly_chart") if chart.proto.id.endswith(f"-{key}"))
    spec: dict[str, Any] = decoded(json.loads(found.spec))
    return spec


def table_rows(app: AppTest, key: str) -> list[dict[str, Any]]:
    """Read the rows of a table that sorts: each with its title, values and texts; none where there is no table."""
    tables = components(app, "measure-table")
    return next((json.loads(table.bytes)["rows"] for table in tables if table.id.endswith(key)), [])


def link_of(app: AppTest) -> dict[str, str]:
    """Read the settings out of the link that the page gives itself."""
    sent = components(app, "browser")[0]
    return dict(parse_qsl(json.loads(sent.bytes)["address"]["query"], keep_blank_values=True))


def find_control(app: AppTest, name: str) -> Any:
    """Find the control of a setting, or the widget of a key, of which the page may have drawn a newer version."""
    controls = (element for kind in CONTROLS for element in app.get(kind))
    return next(element for element in controls if str(element.key).rstrip() == name)


def read_setting(app: AppTest, name: str) -> Any:
    """Return the value of a setting."""
    return app.session_state["_settings"].values[name]


def change_settings(app: AppTest, **values: object) -> None:
    """Give settings values, as callbacks do; the next run shows them."""
    session = app.session_state["_settings"]
    session.values |= values
    session.chosen |= values.keys()


def text_tables(app: AppTest) -> list[pd.DataFrame]:
    """Read the tables that `text_table` has drawn, what is bold between asterisks."""
    bodies = [element.proto.body for element in app.get("html") if 'class="text-table"' in element.proto.body]
    return [pd.DataFrame(rows, columns=names) for names, *rows in map(_rows, bodies)]


def _rows(body: str) -> list[list[str]]:
    cells = (re.findall(r"<t[hd][^>]*><div>(.*?)</div>", row) for row in re.findall(r"<tr>(.*?)</tr>", body))
    return [[unescape(re.sub("</?strong>", "**", cell)) for cell in row] for row in cells]


def sentences(app: AppTest) -> list[str]:
    """List the errors, warnings and remarks on the page."""
    return [element.value for kind in (app.error, app.warning, app.info) for element in kind]


def says(app: AppTest, place: str, /, **values: object) -> bool:
    """Tell whether a sentence, as `wording` finds it, stands anywhere on the page."""
    pattern = wording(place, **values)
    kinds = (app.markdown, app.caption, app.info, app.warning, app.error, app.success, app.header, app.subheader)
    return any(pattern.search(str(element.value)) for kind in kinds for element in kind)


def says_only(app: AppTest, place: str, /, **values: object) -> bool:
    """Tell whether a sentence is the one error or warning on the page, or the one remark where there is neither."""
    found = [element.value for element in [*app.error, *app.warning] or app.info]
    return len(found) == 1 and bool(wording(place, **values).fullmatch(found[0]))
