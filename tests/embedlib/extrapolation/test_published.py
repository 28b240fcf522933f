"""Published figures: complete, with a source, and under the names that the library has."""

import pytest

from embedlib.extrapolation.experiments import EXPERIMENTS
from embedlib.extrapolation.published import PUBLISHED, published_results
from embedlib.positional import SCHEMES
from embedlib.positional.rope_scaling import SCALINGS


@pytest.mark.parametrize("name", PUBLISHED)
def test_every_figure_has_its_numbers_its_names_and_its_source(name: str) -> None:
    one = PUBLISHED[name]
    names = SCALINGS if one.experiments == ("scaling",) else tuple(SCHEMES)
    assert set(one.values) <= set(names)
    assert {len(values) for values in one.values.values()} == {len(one.lengths) or 1}
    assert list(one.lengths) == sorted(one.lengths)
    assert one.url.startswith("https://arxiv.org/abs/")
    assert "20" in one.source
    assert ("Table" in one.source) or ("Figure" in one.source)
    assert min(value for values in one.values.values() for value in values) > 0
    assert one.name == name


@pytest.mark.parametrize("experiment", EXPERIMENTS)
def test_every_experiment_has_a_published_figure_beside_it(experiment: str) -> None:
    assert published_results(experiment)
    assert all(experiment in one.experiments for one in published_results(experiment))


def test_what_they_are_said_to_show_is_what_they_show() -> None:
    press, kazemnejad, yarn = (PUBLISHED[name].values for name in ("alibi", "kazemnejad", "yarn"))
    assert sorted(press, key=lambda line: press[line][-1]) == ["alibi", "t5", "rope", "sinusoidal"]
    assert all(one[-1] > one[0] for line, one in press.items() if line != "alibi")
    assert press["alibi"][-1] < press["alibi"][0]
    assert sorted(kazemnejad, key=lambda line: -kazemnejad[line][0]) == ["none", "t5", "alibi", "rope", "sinusoidal"]
    assert sorted(yarn, key=lambda line: yarn[line][0]) == ["yarn", "ntk", "linear"]
