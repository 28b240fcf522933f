"""When a control in the page's fragment makes the whole page run, and what stays between runs."""

from streamlit.testing.v1 import AppTest

from tests.ui.pages import read_setting
from tests.waiting import PATIENCE


def page() -> None:
    import streamlit as st

    from ui.settings import controls, state

    state.restore()
    if "begun" not in st.session_state:
        st.session_state.begun = True
        state.begin_page_run("")
    st.session_state.seen = state.begin_fragment_run()
    state.put(token=3)  # while the page is drawn
    st.button("put", on_click=state.put, kwargs={"seed": 5})
    st.button("own", on_click=state.set_local, kwargs={"seed": 6})
    st.button("back", on_click=state.recall, args=("text=old&d_model=32&seed=wrong",), kwargs={"kept": state.TEXTS})
    controls.control("seed")
    if st.checkbox("view there"):
        controls.control("view", titles=str)
    st.session_state.notices = state.notices_to_show()
    st.session_state.link = state.link_query()[0]


def opened(**link: str) -> AppTest:
    app = AppTest.from_function(page, default_timeout=PATIENCE)
    for name, value in link.items():
        app.query_params[name] = value
    return app.run()


def test_a_callback_that_changes_what_stands_elsewhere_is_noted_once() -> None:
    app = opened()
    seen = [app.button[number].click().run().session_state["seen"] for number in (0, 1)]
    assert seen == [True, False]
    assert "seed=6" in app.session_state["link"]
    assert not app.run().session_state["seen"]


def test_a_control_that_was_not_drawn_for_a_while_keeps_its_setting() -> None:
    app = opened()
    app.checkbox[0].check().run()
    app.button_group[0].set_value("3d").run()
    app.checkbox[0].uncheck().run()
    assert "view=3d" in app.run().session_state["link"]
    app.checkbox[0].check().run()
    assert read_setting(app, "view") == "3d"


def test_a_query_that_is_taken_up_sets_all_but_what_is_typed() -> None:
    app = opened(text="new", heads="2", seed="9")
    link = app.button[2].click().run().session_state["link"]
    assert dict(part.split("=") for part in link.split("&")) == {"text": "new", "d_model": "32", "token": "3"}


def test_a_notice_stays_until_the_reader_changes_something_and_then_the_whole_page_runs() -> None:
    app = opened(d_model="nonsense").run()
    assert len(app.session_state["notices"]) == 1
    assert not app.session_state["seen"]
    assert app.button[1].click().run().session_state["notices"] == []
    assert app.session_state["seen"]
    assert not app.button[1].click().run().session_state["seen"]


def test_a_request_that_was_sent_before_the_server_set_a_value_does_not_put_the_old_one_back() -> None:
    app = opened()
    app.number_input[0].set_value(7)
    late = app._tree.get_widget_states()
    app.number_input[0].set_value(8)
    app.run()
    app.button[0].click().run()
    assert app.number_input[0].value == 5
    app._run(late)
    assert app.number_input[0].value == 5
    assert "seed=5" in app.session_state["link"]
    app.number_input[0].set_value(9).run()
    assert "seed=9" in app.session_state["link"]
