from collections.abc import Iterator

import numpy as np
import pytest
import torch

from embedlib.neighbours.bounds import coarse_share, products, squared_lengths, worth_rounding


@pytest.fixture(params=[1, 3])
def threads(request: pytest.FixtureRequest) -> Iterator[int]:
    before = torch.get_num_threads()
    torch.set_num_threads(request.param)
    yield request.param
    torch.set_num_threads(before)


@pytest.mark.parametrize("n_queries", [1, 20])
@pytest.mark.parametrize("dtype", [torch.float32, torch.float64])
@pytest.mark.usefixtures("threads")
def test_every_piece_is_multiplied_whatever_the_threads(
    n_queries: int, dtype: torch.dtype, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("embedlib.neighbours.bounds._PIECE_ENTRIES", 700)
    monkeypatch.setattr("embedlib.neighbours.bounds._PIECE_ENTRIES_OF_PRODUCTS", 1300)
    generator = torch.Generator().manual_seed(0)
    queries = torch.randn(n_queries, 7, generator=generator, dtype=dtype)
    rows = torch.randn(5003, 7, generator=generator, dtype=dtype)
    found, squares = products(queries, rows, with_squares=True)
    a, b = queries.double().numpy(), rows.double().numpy()
    tolerance = 1e-5 if dtype == torch.float32 else 1e-13
    np.testing.assert_allclose(found.numpy(), np.einsum("qd,nd->qn", a, b), atol=tolerance)
    assert squares is not None
    np.testing.assert_allclose(squares.numpy(), (b**2).sum(axis=1), rtol=tolerance)
    assert torch.equal(squared_lengths(rows), squares)
    assert products(queries, rows)[1] is None


@pytest.mark.parametrize("n_rows", [0, 1, 5000])
@pytest.mark.parametrize("like", [0.0, 1.0])
def test_rounded_products_are_off_by_no_more_than_they_say(n_rows: int, like: float) -> None:
    generator = torch.Generator().manual_seed(1)
    queries, rows = (torch.randn(n, 300, generator=generator) + like for n in (17, n_rows))
    found, _ = products(queries, rows, coarse=True)
    exact = queries.double() @ rows.double().T
    lengths = torch.outer(queries.double().norm(dim=1), rows.double().norm(dim=1))
    share = coarse_share(queries)
    assert 2**-8 < share < 2**-7 * 1.02
    assert (found >= exact - share * lengths).all()
    assert (found <= exact + 2 * 2**-8 * 1.02 * exact.abs() + share * lengths * 1.02).all()
    if n_rows > 1:
        assert ((found - exact).abs() > 1e-4 * lengths).any()  # rounded they are


@pytest.mark.parametrize("known", [{"avx512_bf16": True}, {"amx_bf16": True}, {"avx512_bf16": False, "avx2": True}, {}])
def test_only_processors_that_know_bfloat16_round(known: dict[str, bool], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("torch.cpu.get_capabilities", lambda: known, raising=False)
    able = bool(known.get("avx512_bf16") or known.get("amx_bf16"))
    queries, rows = torch.zeros(64, 768), torch.zeros(9, 768)
    assert worth_rounding(queries, rows) == able
    assert not worth_rounding(queries[:1], rows)
    assert not worth_rounding(queries[:, :8], rows[:, :8])
    assert not worth_rounding(queries.double(), rows.double())
    monkeypatch.delattr("torch.cpu.get_capabilities")  # older than that function
    assert not worth_rounding(queries, rows)


def test_overflow_is_left_to_the_caller() -> None:
    rows = torch.full((2000, 300), 1e30)
    assert squared_lengths(rows).isinf().all()
    assert products(rows[:1], rows, with_squares=True)[0].isinf().all()
