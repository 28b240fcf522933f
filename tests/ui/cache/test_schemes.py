import pytest

from embedlib.measures import MEASURES, MeasureContext, compute_measures
from ui.cache import Request
from ui.cache import schemes as scheme_cache
from ui.cache.schemes import SchemeKey

KEYS = [SchemeKey(name, 16, 2, ()) for name in ("none", "sinusoidal", "rope", "alibi", "cope")]


def request(text: str) -> Request:
    return Request(text, "gpt2", "random", 16, 5, False, "none", (), 128)


def test_schemes_measured_side_by_side_have_the_numbers_of_each_alone() -> None:
    asked = request("the cat sat on the mat, and so did the dog")
    found = scheme_cache.measures(KEYS, asked, 12)
    for key, taken in zip(KEYS, found, strict=True):
        context = MeasureContext(12, scheme_cache.filled_rows(asked, 12), asked.seed)
        assert taken == compute_measures(key.scheme(), context, MEASURES)
        assert list(taken) == list(MEASURES)
    assert scheme_cache.measures(KEYS[::-1], asked, 12) == found[::-1]


def test_what_a_scheme_cannot_be_measured_on_reaches_whoever_asked() -> None:
    with pytest.raises(ValueError, match="d_model"):
        scheme_cache.measures([KEYS[0], SchemeKey("rope", 14, 4, ())], request("a cat"), 12)
