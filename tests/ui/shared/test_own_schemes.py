"""Schemes of the reader's own on the pages: beside the library's, in the link, and said plainly where one is wrong."""

import json
from concurrent.futures import ThreadPoolExecutor

import pytest

from embedlib.positional import STARTING_POINTS
from tests.ui.pages import files_of, find_control, link_of, open_page, read_setting, sentences
from ui.settings import MOST, Formulas, OwnScheme, clean_name

KIND = Formulas(())
WAVE = "where(even(i), sin(p / base**(i/d)), cos(p / base**((i-1)/d)))"
FOUR = (
    OwnScheme(1, "My wave", (WAVE, "", "", ""), parameters="base = 10000.0 (10.0..1000000.0)"),
    OwnScheme(2, "Slope", ("", "-a * (q - k)", "", "0.1"), parameters="a[h] ~ 0.1"),
    OwnScheme(3, "Turn", ("", "", "p * 1000**(-2*i/d)", ""), "halves"),
    OwnScheme(4, "Bad", ("1 / (20 - p)", "", "", "")),
)
LINK = {"formulas": KIND.format(FOUR)}


def test_own_schemes_come_out_of_a_link_as_they_went_in() -> None:
    assert KIND.parse(KIND.format(FOUR)) == FOUR
    assert KIND.parse("") == ()
    many = tuple(
        OwnScheme(slot, "é 漢 ' -", (f"{slot} + " * 90 + "p", "x", "<b>", "$"), "halves") for slot in range(1, 5)
    )
    assert KIND.format(many).startswith("z.")
    assert KIND.parse(KIND.format(many)) == many


@pytest.mark.parametrize(
    "raw",
    [
        *("[", "7", "{}", "null", "[[]]", "z.AAAA", "z.", "[" * 20_000, "[[1]]"),
        '[[1,"<b>",["p","","",""],"halves",""]]',
        '[[1,"www.example",["p","","",""],"halves",""]]',
        '[[1,"a",["p","","",""],"thirds",""]]',
        '[[1,"a",["p",1,"",""],"halves",""]]',
        '[[1,"a",["p"],"halves",""]]',
        '[[5,"a",["p","","",""],"halves",""]]',
        '[[true,"a",["p","","",""],"halves",""]]',
        '[[1,"a",["p","","",""],"halves",""],[1,"b",["p","","",""],"halves",""]]',
        f'[[1,"a",["{"p" * 502}","","",""],"halves",""]]',
    ],
)
def test_a_forged_link_of_own_schemes_is_refused_by_its_rule(raw: str) -> None:
    with pytest.raises(ValueError):  # noqa: PT011 – as every kind of setting
        KIND.parse(raw)


def test_names_keep_what_no_markup_is_made_of() -> None:
    assert clean_name(" *My* `wave` <b>:sparkles: www.x.de ") == "My wave b sparkles www x.de"
    assert len(clean_name("n" * 99)) == 30


@pytest.mark.parametrize(
    ("page", "entry"),
    [
        *(("positions", f"formula:{slot}") for slot in range(1, MOST + 1)),
        *(("pipeline", f"formula:{slot}") for slot in range(1, MOST + 1)),
        *(("compare", "formula:1"), ("word_order", "formula:1"), ("projection", "formula:1"), ("tokens", "formula:1")),
    ],
)
def test_every_page_shows_own_schemes_and_says_which_cannot_be_computed(page: str, entry: str) -> None:
    chosen = ",".join(["none", "rope", *(one.entry for one in FOUR)])
    text = " ".join(["word"] * 30)  # so that the fourth is infinite at one of its tokens
    app = open_page(page, scheme=entry, schemes=chosen, moved="1", text=text, first=text, second=f"end {text}", **LINK)
    assert not app.exception, app.exception
    assert link_of(app)["formulas"] == LINK["formulas"]
    wrong = [sentence for sentence in [*sentences(app), *(one.value for one in app.caption)] if "p = 20" in sentence]
    shows_bad = page in ("compare", "word_order") or (page in ("positions", "pipeline") and entry == "formula:4")
    assert bool(wrong) == shows_bad


def test_schemes_of_one_name_are_told_apart_where_they_are_chosen() -> None:
    same = [OwnScheme(slot, "RoPE", ("", "", "p / (i + 1)", "")) for slot in (1, 3)]
    link = {"formulas": KIND.format((*same, OwnScheme(2, "ALiBi", ("", "k - q", "", "")))), "scheme": "formula:3"}
    compare = open_page("compare", **link, schemes="none,rope,formula:1,formula:3")
    labels = [option.content for option in find_control(compare, "schemes").proto.options]
    assert len(set(labels)) == len(labels)
    assert {"RoPE", "RoPE (1)", "RoPE (3)", "ALiBi", "ALiBi (2)"} <= set(labels)
    positions = open_page("positions", **link)
    options = find_control(positions, "scheme").options
    assert len(set(options)) == len(options)
    assert link_of(find_control(positions, "scheme").select("formula:1").run())["scheme"] == "formula:1"


def test_an_entry_without_a_scheme_is_said_and_the_page_stays() -> None:
    for page in ("positions", "pipeline", "compare"):
        app = open_page(page, scheme="formula:2", schemes="rope,formula:3")
        assert not app.exception
        assert sentences(app)


def test_writing_a_scheme_on_compare_adds_it_from_a_starting_point_and_removing_it_leaves_the_others() -> None:
    app = open_page("compare", schemes="none,rope")
    app.button("own-add").click().run()
    assert not app.exception
    assert read_setting(app, "schemes") == ["none", "rope", "formula:1"]
    app.text_input("own-name-1").set_value("<b>Waves</b>").run()
    assert [one.name for one in KIND.parse(link_of(app)["formulas"])] == ["b Waves b"]
    app.slider("own-value-1-base").set_value(2.0).run()
    assert "base = 100.0 " in KIND.parse(link_of(app)["formulas"])[0].parameters
    app.selectbox("own-start-1").set_value("alibi").run()
    assert not app.exception
    app.button("own-1-turn").click().run()
    app.button("own-remove-1").click().run()
    assert not app.exception
    assert read_setting(app, "schemes") == ["none", "rope"]
    assert "formulas" not in link_of(app)
    app.button("own-add").click().run()
    (again,) = KIND.parse(link_of(app)["formulas"])
    assert (again.name, again.lines) == (app.text_input("own-name-1").value, (again.lines[0], "", "", ""))
    assert again.parameters == STARTING_POINTS["sinusoidal"].lines["parameters"]
    assert not any(button.key == "own-1-rows" for button in app.button)
    assert any(button.key == "own-1-turn" for button in app.button)


def test_the_verdict_of_a_scheme_is_one_button_away_from_the_pages_that_have_none() -> None:
    link = {"formulas": KIND.format((OwnScheme(2, "Mine", ("", "k - q", "", "")),)), "schemes": "rope,formula:2"}
    app = open_page("compare", **link, ext_schemes="formula:2")
    app.button("own-verdict-2").click().run()
    assert not app.exception
    assert app.title[0].value == "Mine"
    sent = [json.loads(part.proto.bytes) for part in app.get("bidi_component")]
    looks = [part["address"]["look"] for part in sent if "look" in part.get("address", {})]
    assert looks == [[1, "1~to!positions-verdict"]]  # where the browser leads the reader
    assert not any(button.key == "own-verdict-2" for button in app.button)


def test_a_fault_is_said_with_its_place_underlined_and_nothing_of_it_is_markup() -> None:
    one = OwnScheme(1, "Mine", ("p + <b>i</b>", "", "", ""))
    app = open_page("positions", scheme=one.entry, formulas=KIND.format((one,)))
    assert not app.exception
    shown = next(element.proto.body for element in app.get("html") if "formula-fault" in element.proto.body)
    assert "<b>" not in shown
    assert "&lt;b&gt;" in shown.replace("<u>", "").replace("</u>", "")
    assert len(sentences(app)) == 3  # beside its formula, and both of which frame.css shows one in the page


def test_both_programs_of_a_scheme_are_shown_and_offered() -> None:
    app = open_page("compare", schemes="rope,formula:2", **LINK)
    app.toggle("own-python").set_value(True).run()
    assert not app.exception
    assert sum("class " in code.value for code in app.code) == 2


@pytest.mark.parametrize("line", range(4))
@pytest.mark.parametrize(
    "end", [70, *(pytest.param(end, marks=pytest.mark.thorough) for end in (63, 79, 200, 300, 1_500))]
)
def test_a_scheme_that_ends_somewhere_breaks_no_page(end: int, line: int) -> None:
    lines = [""] * 4
    lines[line] = f"1 / ({end} - {'q' if line in (1, 3) else 'p'})"
    link = {"formulas": KIND.format((OwnScheme(1, "Ends", tuple(lines)),))}
    for page in ("positions", "compare"):
        app = open_page(page, scheme="formula:1", schemes="rope,formula:1", **link)
        assert not app.exception, page


@pytest.mark.parametrize("page", ["compare", "positions", "word_order"])
def test_files_of_own_schemes_are_made_without_a_session_and_have_their_names(page: str) -> None:
    twins = (*FOUR[:3], OwnScheme(4, "Turn", ("p", "", "", "")))
    chosen = ",".join(["rope", *(one.entry for one in twins)])
    app = open_page(page, scheme="formula:1", schemes=chosen, formulas=KIND.format(twins))
    assert not app.exception
    with ThreadPoolExecutor(1) as thread:  # which belongs to no session
        files = {name: thread.submit(make).result() for name, make in files_of(app).items()}
    assert files
    if page != "positions":
        table = files["compare-contributions.csv" if page == "compare" else "word-order-changes.csv"]
        assert all(f"\n{name},".encode() in table for name in ("My wave", "Slope", "Turn (3)", "Turn (4)"))
    assert not any(b"\nformula:" in file for name, file in files.items() if name.endswith(".csv"))
