"""When a control in a part of the page that runs by itself makes the whole page run, and what such a part remembers."""

from streamlit.testing.v1 import AppTest

from tests.waiting import PATIENCE


def page() -> None:
    import streamlit as st

    from ui.settings import state

    state.restore()
    if "begun" not in st.session_state:
        st.session_state.begun = True
        state.settle("")
    st.session_state.seen = state.resume()
    state.put(token=3)  # while the page is drawn
    st.button("put", on_click=state.put, kwargs={"seed": 5})
    st.button("own", on_click=state.put_own, kwargs={"seed": 6})
    st.button("notices", on_click=state.dismiss_notices)
    st.button("back", on_click=state.recall, args=("text=old&d_model=32&seed=wrong",), kwargs={"kept": state.TEXTS})
    if st.checkbox("view there"):
        st.segmented_control("view", ["2d", "3d"], key="view")
    st.session_state.link = state.link_query()[0]
    state.rest()


def opened(**link: str) -> AppTest:
    app = AppTest.from_function(page, default_timeout=PATIENCE)
    for name, value in link.items():
        app.query_params[name] = value
    return app.run()


def test_a_callback_that_changes_what_stands_elsewhere_is_noted_once() -> None:
    app = opened(d_model="nonsense")
    seen = [app.button[number].click().run().session_state["seen"] for number in (0, 1, 2, 2)]
    assert seen == [True, False, True, False]  # the second time there was no notice left to dismiss
    assert "seed=6" in app.session_state["link"]
    assert not app.run().session_state["seen"]


def test_a_control_that_was_not_drawn_for_a_while_keeps_its_setting() -> None:
    app = opened()
    app.checkbox[0].check().run()
    app.button_group[0].set_value("3d").run()
    app.checkbox[0].uncheck().run()
    assert "view=3d" in app.run().session_state["link"]
    app.checkbox[0].check().run()
    assert app.session_state["view"] == "3d"


def test_a_query_that_is_taken_up_sets_all_but_what_is_typed() -> None:
    app = opened(text="new", heads="2", seed="9")
    link = app.button[3].click().run().session_state["link"]
    assert dict(part.split("=") for part in link.split("&")) == {"text": "new", "d_model": "32", "token": "3"}
