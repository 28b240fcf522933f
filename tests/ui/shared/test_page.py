from streamlit.testing.v1 import AppTest

from tests.ui.pages import text_tables


def test_a_table_shows_its_cells_as_they_are_written() -> None:
    def page() -> None:
        from ui.shared.page import text_table

        text_table({"<b>": ["**1**, `2`", ""], "x": ["<script>", "a & **b**"]}, alt='"x"')

    app = AppTest.from_function(page).run()
    assert text_tables(app)[0].to_dict("list") == {"<b>": ["**1**, `2`", "\xa0"], "x": ["<script>", "a & **b**"]}
    body = app.get("html")[0].proto.body
    assert "<script" not in body
    assert 'aria-label="&quot;x&quot;"' in body
