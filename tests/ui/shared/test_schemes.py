"""How schemes are told in files and captions, in each language."""

from collections.abc import Iterator

import pytest

from embedlib.positional import make_scheme
from ui.i18n import languages, set_run_language
from ui.shared.schemes import scheme_source, weights_sentence


@pytest.fixture(params=languages())
def language(request: pytest.FixtureRequest) -> Iterator[str]:
    set_run_language(request.param)
    yield request.param
    set_run_language("en")


@pytest.mark.usefixtures("language")
@pytest.mark.parametrize("n_positions", [8, 300])
def test_where_trained_numbers_come_from_ends_without_a_full_stop_in_every_language(n_positions: int) -> None:
    scheme = make_scheme("learned", d_model=64, n_heads=4, weights="trained")
    said, sentence = scheme_source(scheme, n_positions), weights_sentence(scheme, n_positions)
    assert said == sentence[:-1]
    assert sentence[-1] in ".。"
