"""The controls of the positions page: which there are, what they show, and what they keep."""

import pytest

from embedlib.positional import SCHEMES
from tests.ui.pages import find_control, link_of, open_page, says, sentences


def test_pairs_and_position_outside_the_sizes_are_brought_inside() -> None:
    app = open_page("positions", d_model="8", heads="1", positions="4", pairs="3,100", position="400")
    assert not app.exception
    assert find_control(app, "pairs").value == [3]
    assert find_control(app, "position").value == 3
    assert says(app, "No position {position}:…", position="400", last="3")
    assert {"pairs": "3,100", "position": "400"}.items() <= link_of(app).items()


def test_a_choice_that_does_not_fit_comes_back_when_it_fits_again() -> None:
    app = open_page("positions", pairs="1,20", position="40", scheme="transformer_xl", term_head="3")
    find_control(app, "scheme").set_value("rope").run()
    assert find_control(app, "pairs").value == [1]
    find_control(app, "positions").set_value(10).run()
    assert find_control(app, "position").value == 9
    find_control(app, "scheme").set_value("sinusoidal").run()
    find_control(app, "positions").set_value(64).run()
    assert find_control(app, "pairs").value == [1, 20]
    assert find_control(app, "position").value == 40
    assert not sentences(app)


def test_what_the_reader_chooses_is_kept() -> None:
    app = open_page("positions", pairs="1,20", position="40")
    find_control(app, "pairs").set_value([2, 5]).run()
    find_control(app, "position").set_value(12).run()
    assert find_control(app, "pairs").value == [2, 5]
    assert {"pairs": "2,5", "position": "12"}.items() <= link_of(app).items()
    find_control(app, "pairs").set_value([]).run()
    assert find_control(app, "pairs").value == [0]
    assert not app.exception


@pytest.mark.parametrize("scheme", ["none", "learned", "sinusoidal", "sinusoidal_2d"])
def test_a_scheme_without_heads_is_not_refused_for_them(scheme: str) -> None:
    d_model = {"sinusoidal": "6", "sinusoidal_2d": "12"}.get(scheme, "3")
    app = open_page("positions", scheme=scheme, d_model=d_model, heads="5")
    assert not app.exception
    assert not app.error
    assert app.code
    assert "heads" not in [control.key for control in app.number_input]
    find_control(app, "scheme").set_value("alibi").run()
    assert find_control(app, "heads").value == 5


READ_BY_SCALING = {
    "none": [],
    "linear": ["factor"],
    "ntk": ["factor"],
    "dynamic_ntk": ["factor", "original_max_seq_len"],
    "yarn": [
        "factor",
        "original_max_seq_len",
        "beta_fast",
        "beta_slow",
        "attention_factor",
        "mscale",
        "mscale_all_dim",
    ],
    "llama3": ["factor", "original_max_seq_len", "low_freq_factor", "high_freq_factor"],
    "longrope": ["factor", "original_max_seq_len", "attention_factor"],
    "proportional": ["factor"],
}


@pytest.mark.parametrize("scaling", READ_BY_SCALING)
def test_ropes_scaling_shows_only_the_numbers_that_it_reads(scaling: str) -> None:
    app = open_page("positions", scheme="rope", **{"rope.scaling": scaling})
    assert not app.exception
    shown = {str(control.key).removeprefix("rope.") for control in app.number_input if "rope." in str(control.key)}
    assert shown == {"base", "rotary_fraction", *READ_BY_SCALING[scaling]}


def test_a_number_that_is_not_read_has_no_say() -> None:
    app = open_page("positions", scheme="rope", **{"rope.scaling": "llama3", "rope.low_freq_factor": "9"})
    assert len(app.error) == 1
    find_control(app, "rope.scaling").set_value("linear").run()
    assert not app.error
    find_control(app, "rope.scaling").set_value("llama3").run()
    assert find_control(app, "rope.low_freq_factor").value == 9


@pytest.mark.parametrize("scheme", SCHEMES)
def test_only_with_names_a_choice_and_its_options(scheme: str) -> None:
    choices = {parameter.name: parameter.choices or () for parameter in SCHEMES[scheme].PARAMETERS}
    for parameter in SCHEMES[scheme].PARAMETERS:
        if parameter.only_with is not None:
            name, values = parameter.only_with
            assert values
            assert set(values) <= set(choices[name])


SHOWING = {"rope": {"rope.scaling": "yarn"}, "learned": {"learned.weights": "random"}}  # what else these need


@pytest.mark.parametrize(
    ("scheme", "parameter", "step"),
    [
        ("rope", "base", 1_000.0),
        ("rope", "factor", 1.0),
        ("rope", "rotary_fraction", 0.1),
        ("learned", "std", 0.1),
        ("fire", "threshold", 51.2),
    ],
)
def test_a_click_goes_as_far_as_makes_sense(scheme: str, parameter: str, step: float) -> None:
    app = open_page("positions", scheme=scheme, **SHOWING.get(scheme, {}))
    assert find_control(app, f"{scheme}.{parameter}").step == pytest.approx(step)


def test_all_settings_of_a_page_can_be_reset_and_texts_and_other_pages_settings_stay() -> None:
    app = open_page("positions", text="a b", d_model="48", scheme="rope", **{"rope.base": "500", "stride": "3"})
    app.button(key="reset").click().run()
    assert link_of(app) == {"text": "a b", "stride": "3"}
