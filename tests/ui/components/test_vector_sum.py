from decimal import Decimal

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from embedlib.components.payload import pack
from embedlib.embedding import embedding_table
from embedlib.figures import DIVERGING
from tests.oracles.exact_sum import sum_text
from tests.ui.browser_message import drawn, payloads, unpacked
from ui.components._shared.data import find_data
from ui.components.embedding_matrix import matrix_strip
from ui.components.vector_sum import LABELS, vector_sum

float32 = st.floats(-100, 100, width=32)


def test_the_browser_gets_both_matrices_to_the_bit() -> None:
    rows, positions = embedding_table(3, 5, seed=1), embedding_table(3, 5, seed=2)
    app = drawn(
        vector_sum,
        rows,
        positions.T.contiguous().T,  # the payload does not depend on how a tensor lies in memory
        labels_of_tokens=["·fox", "日", "⟨E6 97⟩"],
        ids=[21831, 33768, 162],
        first_position=4,
        total=9,
        colours=DIVERGING["light"],
        limits=[2.5, 1.0, 2.5],
        adds=True,
        labels=LABELS,
        key="sum",
    )
    ((header, body),) = payloads(app)
    assert (header["tokens"], header["ids"]) == (["·fox", "日", "⟨E6 97⟩"], ["21831", "33768", "162"])
    assert (header["n_rows"], header["n_columns"], header["first_position"], header["total"]) == (3, 5, 4, 9)
    assert (header["limits"], header["labels"]) == ([2.5, 1.0, 2.5], LABELS)
    numbers = np.frombuffer(body, "<f4").reshape(2, 3, 5)
    assert np.array_equal(numbers[0], rows.numpy())
    assert np.array_equal(numbers[1], positions.numpy())


def test_the_matrix_is_sent_by_its_address_apart_from_the_rows() -> None:
    table = embedding_table(1000, 8)
    strip = matrix_strip(table, max_lines=50, max_columns=4)
    app = drawn(
        vector_sum,
        table[[7, 999]],
        torch.zeros(2, 8),
        labels_of_tokens=["a", "b"],
        ids=[7, 999],
        first_position=0,
        total=2,
        colours=DIVERGING["light"],
        limits=[1.0, 1.0, 1.0],
        adds=True,
        labels=LABELS,
        key="sum",
        strip=strip,
        strip_limit=0.5,
    )
    ((header, _body),) = payloads(app)
    sizes = {"lines": 50, "columns": 4, "vocab_size": 1000, "limit": 0.5}
    assert header["strip"] == sizes | {"address": strip.values.address}
    served = find_data(header["strip"]["address"])
    assert served is not None
    assert served.content == strip.values.content


def test_fifty_tokens_of_768_dimensions_take_less_than_400_kB() -> None:
    header = {"labels": LABELS, "tokens": ["·something"] * 50}
    assert len(pack(header, [torch.zeros(50, 768), torch.zeros(50, 768)])) < 400_000


@given(st.dictionaries(st.text(), st.text(), max_size=5), st.lists(float32, max_size=9))
def test_a_payload_unpacks_to_what_went_in(header: dict[str, str], values: list[float]) -> None:
    unpacked_header, body = unpacked(pack(header, [torch.tensor(values, dtype=torch.float32)], b"tail"))
    assert unpacked_header == header
    assert np.frombuffer(body, "<f4", len(values)).tolist() == values
    assert body.endswith(b"tail")


@pytest.mark.parametrize("dtype", [torch.float64, torch.bfloat16, torch.int64])
def test_numbers_that_the_browser_would_show_as_others_are_refused(dtype: torch.dtype) -> None:
    with pytest.raises(ValueError, match=f"blocks has {dtype}: give torch.float32"):
        pack({}, [torch.zeros(2), torch.zeros(2, dtype=dtype)])


def test_a_header_with_a_lone_surrogate_can_be_sent() -> None:
    assert unpacked(pack({"token": "\ud800"})) == ({"token": "\ud800"}, b"")


@given(float32, float32)
def test_rounding_the_float64_sum_once_is_the_float32_sum(first: float, second: float) -> None:
    once_more = np.float32(np.float64(first) + np.float64(second))  # what Math.fround(first + second) does
    exact = torch.tensor(first) + torch.tensor(second)
    assert once_more.tobytes() == exact.numpy().tobytes()


@pytest.mark.parametrize(
    ("first", "second", "text"),
    [
        (0.337, 0.841, "0.337 + 0.841 = 1.178"),
        (0.5, 0.1, "0.500 + 0.100 = 0.600"),
        (-0.2, 0.3, "−0.200 + 0.300 = 0.100"),
        (0.1, -0.1, "0.100 + (−0.100) = 0.000"),
        (-0.0001, 0.0, "0.000 + 0.000 = 0.000"),
        (0.0004, 0.0004, "0.0004 + 0.0004 = 0.0008"),
        (1e-9, 3.0, "0.000 + 3.000 = 3.000"),
    ],
)
def test_a_sum_is_written_as_people_write_it(first: float, second: float, text: str) -> None:
    as_float32 = [float(np.float32(number)) for number in (first, second)]
    assert sum_text(*as_float32) == text


@given(float32, float32)
def test_what_is_shown_adds_up_or_says_that_it_does_not(first: float, second: float) -> None:
    text = sum_text(first, second).replace("−", "-").replace("(", "").replace(")", "")
    terms, sign, total = text.partition("=") if "=" in text else text.partition("≈")
    shown = [Decimal(term.strip()) for term in [*terms.split(" + "), total]]
    decimals = {-number.as_tuple().exponent for number in shown}
    assert len(decimals) == 1
    assert decimals <= set(range(3, 8))
    assert (shown[0] + shown[1] == shown[2]) == (sign == "=")
    unit = Decimal(1).scaleb(-decimals.pop())
    true = (first, second, float(torch.tensor(first) + torch.tensor(second)))
    for number, value in zip(shown, true, strict=True):
        assert abs(number - Decimal(value)) <= unit / 2


def test_few_sums_need_more_than_seven_decimals() -> None:
    generator = torch.Generator().manual_seed(0)
    tokens = torch.randn(4000, generator=generator)
    positions = torch.randn(4000, generator=generator).sin()
    texts = [sum_text(*pair) for pair in zip(tokens.tolist(), positions.tolist(), strict=True)]
    assert sum("≈" in text for text in texts) < 0.005 * len(texts)
