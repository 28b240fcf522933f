"""Pages with one component alone: the script of a server that draws the one that the address asks for."""

from types import MappingProxyType

import numpy as np
import streamlit as st
import torch

from embedlib.figures import DIVERGING
from ui.components._shared.data import served_data
from ui.components.matrix_grid import LABELS as GRID_LABELS
from ui.components.matrix_grid import Panel, Panels, grid_header, matrix_grid
from ui.components.point_cloud import LABELS as CLOUD_LABELS
from ui.components.point_cloud import Gradient, Kind, Points, Token, point_cloud, point_data, point_order
from ui.components.point_cloud.motion import LABELS as MOTION_LABELS
from ui.components.point_cloud.motion import row_motion, row_motion_frames


def _point_cloud() -> None:
    count = int(st.query_params.get("count", 3000))
    generator = np.random.default_rng(1)
    places = generator.normal(size=(count, 3)).astype(np.float32) * np.float32([3, 2, 1])
    places *= np.float32(st.query_params.get("scale", 1))
    if st.query_params.get("tall"):
        places = places[:, [1, 0, 2]]
    other = st.toggle("other places")
    if other:
        places = places[:, [1, 0, 2]] * np.float32(50)
    st.toggle("another run")
    names = [f"point {index}" for index in range(count)]
    points = point_data(places, np.arange(count) + 7, names)
    tokens = [Token(0, "first", (-6.0, -4.0, 0.0)), Token(1, "second", (6.0, -4.0, 0.0))]
    if st.query_params.get("far"):  # a token that is point 3, and one far beyond all points
        x, y, z = places[3].tolist()
        tokens += [Token(2, "point 3", (x, y, z)), Token(3, "far", (0.0, 30.0, 0.0))]
    if st.query_params.get("crowd"):  # tokens on all sides of it, so that their names have no room
        around = [(x + 0.6 * np.cos(turn), y + 0.6 * np.sin(turn), z) for turn in range(12)]
        tokens += [Token(4 + number, "beside it", place) for number, place in enumerate(around)]
    cloud = point_cloud(
        Points(
            data=points,
            colours=(np.arange(count) % 2).astype(np.uint8),
            palette=["#0067a8", "#c24a00"],
            legend=Gradient("times met", 5, 592, logarithmic=True)
            if st.query_params.get("graded")
            else [Kind(0, "even", (count + 1) // 2), Kind(1, "odd", count // 2)],
            dimensions=3 if st.query_params.get("space") else 2,
            chosen=st.session_state.get("held", 3 if st.query_params.get("chosen") else None),
            neighbours=[(1, 0.9), (2, 0.8)] if count > 2 else [],
            highlighted=list(range(20, 40)) if st.query_params.get("found") else None,
            tokens=tokens if st.query_params.get("tokens") else [],
            axes=["PC 1", "PC 2", "PC 3"],
            labels=CLOUD_LABELS,
            height=500,
            picture=st.query_params.get("picture", "a"),
            landmarks={"index": "all", "last": point_order(range(count - 1, -1, -1), count)}.get(
                st.query_params.get("landmarks", "")
            ),
            named=[11, 12] if st.query_params.get("named") else [],
        ),
        key="cloud",
        on_change=lambda: None,
    )
    st.session_state["held"] = cloud.chosen
    if cloud.selection is not None:
        st.session_state["marked"] = cloud.selection
    st.text(f"chosen={cloud.chosen}")
    st.text(f"marked={st.session_state.get('marked')}")


def _row_motion() -> None:
    steps = [0, 1, 2, 3, 5, 8, 13, 21, 34, 55, 89, 100]
    generator = np.random.default_rng(3)
    start, end = generator.normal(size=(60, 3)) * 0.2, generator.normal(size=(60, 3)) * 0.2
    end += np.repeat(generator.normal(size=(3, 3)) * 3, 20, axis=0)
    places = [(start + (end - start) * step / 100).astype(np.float32) for step in steps]
    has_come = "late" not in st.query_params or st.toggle("words come")
    done = row_motion(
        run="browser/words|a",
        steps=steps,
        frames=row_motion_frames(steps, places, run="browser/words|a") if has_come else [],
        follow=False,
        step=st.session_state.get("step", 100),
        labels=[f"word {index}" for index in range(60)],
        groups=bytes([0] * 40 + [1] * 20),
        legend=[("people", "#0a95ff", 40), ("things", "#004025", 20)],
        kinds=["kings", "trades", "tools"],
        kind_of=bytes([0] * 20 + [1] * 20 + [2] * 20),
        chosen=st.session_state.get("chosen"),
        neighbours=[(8, 0.5), (9, 0.4)],
        axes=["x", "y", "z"],
        dimensions=3 if st.query_params.get("space") else 2,
        n_steps=100,
        texts=MOTION_LABELS,
        height=400,
        beside=500,
        replay="still" not in st.query_params,
        key="motion",
        on_change=lambda: None,
    )
    st.session_state["chosen"] = done.chosen
    if done.step is not None:
        st.session_state["step"] = done.step
    st.text(f"step={st.session_state.get('step', 100)} chosen={done.chosen}")
    st.button("another run")


def _evicted() -> None:
    """Serve data that are gone when the browser asks for them, in the first run."""
    panels = Panels([Panel("a", "", 0, "", "a picture", values=torch.eye(64), rows="row", columns="column")])
    st.session_state["runs"] = st.session_state.get("runs", 0) + 1
    matrix_grid(
        panels,
        grid_header(
            chosen=0,
            tokens=[],
            colours=DIVERGING["light"],
            group_colours=["#111111"],
            labels=GRID_LABELS,
        ),
        key="grid",
    )
    if st.session_state["runs"] == 1:
        served_data().clear()
    st.text(f"runs={st.session_state['runs']}")
    st.button("another run")


SCENES = MappingProxyType({"point_cloud": _point_cloud, "row_motion": _row_motion, "evicted": _evicted})

st.set_page_config(layout="wide", page_title="One component")
SCENES[st.query_params["scene"]]()
