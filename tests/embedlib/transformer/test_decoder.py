"""The decoder against plain loops, and what it promises for every scheme."""

import math

import pytest
import torch

from embedlib.positional import SCHEMES, make_scheme
from embedlib.transformer.decoder import Decoder

V, D, HEADS = 11, 8, 2


def decoder_of(name: str = "rope", *, n_layers: int = 1, seed: int = 0, d_model: int = D) -> Decoder:
    parameters = {"bidirectional": False} if name == "t5" else {}
    scheme = make_scheme(name, d_model=d_model, n_heads=HEADS, max_seq_len=64, **parameters)
    return Decoder(scheme, vocab_size=V, n_layers=n_layers, seed=seed)


def ids_of(*shape: int, seed: int = 0) -> torch.Tensor:
    return torch.randint(V, shape, generator=torch.Generator().manual_seed(seed))


def normal(row: list[float]) -> list[float]:
    mean = sum(row) / len(row)
    variance = sum((number - mean) ** 2 for number in row) / len(row)
    return [(number - mean) / math.sqrt(variance + 1e-5) for number in row]


def times(row: list[float], matrix: list[list[float]]) -> list[float]:
    return [sum(row[i] * matrix[i][j] for i in range(len(row))) for j in range(len(matrix[0]))]


def plain_logits(model: Decoder, token_ids: list[int], name: str) -> list[list[float]]:
    """Take one sequence through one layer, number by number."""
    rows = model.rows.tolist()
    x = [[0.375 * math.sqrt(D) * number for number in rows[token]] for token in token_ids]
    if name == "sinusoidal":
        for position, row in enumerate(x):
            for i in range(0, D, 2):
                row[i] += math.sin(position / 10_000 ** (i / D))
                row[i + 1] += math.cos(position / 10_000 ** (i / D))
    (layer,) = model.layers
    w_q, w_k, w_v = layer.w_qkv.tolist()
    queries, keys, values = ([times(normal(row), weight) for row in x] for weight in (w_q, w_k, w_v))
    width = D // HEADS
    logits = []
    for i, row in enumerate(x):
        mixed = []
        for head in range(HEADS):
            columns = range(head * width, (head + 1) * width)
            slope = 2 ** (-8 * (head + 1) / HEADS) if name == "alibi" else 0.0
            scores = [
                sum(queries[i][c] * keys[j][c] for c in columns) / math.sqrt(width) - slope * (i - j)
                for j in range(i + 1)
            ]
            weights = [math.exp(score) for score in scores]
            mixed += [sum(weights[j] * values[j][c] for j in range(i + 1)) / sum(weights) for c in columns]
        state = [a + b for a, b in zip(row, times(mixed, layer.w_o.tolist()), strict=True)]
        inner = [u * 0.5 * (1 + math.erf(u / math.sqrt(2))) for u in times(normal(state), layer.w_in.tolist())]
        state = [a + b for a, b in zip(state, times(inner, layer.w_out.tolist()), strict=True)]
        end = normal(state)
        logits.append([sum(a * b for a, b in zip(end, rows[token], strict=True)) for token in range(V)])
    return logits


@pytest.mark.parametrize("name", ["none", "alibi", "sinusoidal"])
def test_one_layer_is_the_formula_written_as_loops(name: str) -> None:
    model, token_ids = decoder_of(name).double(), ids_of(2, 7)
    expected = torch.tensor([plain_logits(model, row, name) for row in token_ids.tolist()], dtype=torch.float64)
    torch.testing.assert_close(model(token_ids).detach(), expected, rtol=0, atol=1e-12)


@pytest.mark.parametrize("name", list(SCHEMES))
def test_no_position_sees_a_later_token(name: str) -> None:
    model, token_ids = decoder_of(name, n_layers=2).double(), ids_of(1, 12)
    changed = token_ids.clone()
    changed[0, 7:] = (changed[0, 7:] + 1) % V
    before, after = model(token_ids), model(changed)
    torch.testing.assert_close(before[:, :7], after[:, :7], rtol=0, atol=1e-12)
    assert not torch.allclose(before[:, 7:], after[:, 7:])


@pytest.mark.parametrize("name", list(SCHEMES))
def test_only_the_scored_positions_are_returned_and_they_are_the_same(name: str) -> None:
    model, token_ids = decoder_of(name, n_layers=2).double(), ids_of(3, 9)
    everywhere = model(token_ids)
    assert everywhere.shape == (3, 9, V)
    for n_scored in (1, 4, 9):
        torch.testing.assert_close(model(token_ids, n_scored=n_scored), everywhere[:, -n_scored:], rtol=0, atol=1e-12)


@pytest.mark.parametrize("name", list(SCHEMES))
def test_every_weight_is_trained(name: str) -> None:
    model = decoder_of(name, n_layers=2)
    logits = model(ids_of(4, 40))
    torch.nn.functional.cross_entropy(logits.flatten(0, 1), ids_of(4, 40, seed=1).flatten()).backward()
    for parameter, value in model.named_parameters():
        assert value.grad is not None, parameter
        assert bool(value.grad.abs().sum() > 0), parameter


def test_all_schemes_begin_with_the_same_weights() -> None:
    one, other = decoder_of("none", n_layers=3), decoder_of("learned", n_layers=3)
    shared = one.state_dict()
    for name, value in other.state_dict().items():
        assert name.startswith("scheme.") or torch.equal(value, shared[name])
    assert not torch.equal(decoder_of("none", seed=1).rows, one.rows)


def test_rows_and_layers_are_drawn_apart() -> None:
    model = decoder_of("none", n_layers=2, d_model=64)
    rows = model.rows.flatten()[:700]
    for layer in model.layers:
        for weight in layer.parameters():
            flat = weight.flatten()[:700]
            assert abs(float(torch.corrcoef(torch.stack([rows, flat]).detach())[0, 1])) < 0.2


def test_the_spread_of_fresh_weights_is_what_the_docstring_says() -> None:
    n_layers, d_model = 2, 128
    plain, t5 = (decoder_of(name, n_layers=n_layers, d_model=d_model).requires_grad_(False) for name in ("none", "t5"))
    assert float(plain.rows.std()) == pytest.approx(d_model**-0.5, rel=0.05)
    layer, of_t5 = plain.layers[1], t5.layers[1]
    for weight, inputs, share in (
        (layer.w_qkv, d_model, 1),
        (layer.w_in, d_model, 1),
        (layer.w_o, d_model, (2 * n_layers) ** -0.5),
        (layer.w_out, 2 * d_model, (2 * n_layers) ** -0.5),
    ):
        assert float(weight.std()) == pytest.approx(share * inputs**-0.5, rel=0.05)
    head_dim = d_model // HEADS
    torch.testing.assert_close(of_t5.w_qkv[0], layer.w_qkv[0] * head_dim**-0.5)
    assert torch.equal(of_t5.w_qkv[1:], layer.w_qkv[1:])


def test_the_global_random_state_is_left_alone() -> None:
    before = torch.get_rng_state()
    decoder_of("learned", n_layers=2)
    assert torch.equal(torch.get_rng_state(), before)


def test_another_scheme_shares_the_weights_and_computes_by_its_own_rule() -> None:
    model, token_ids = decoder_of("rope", n_layers=2), ids_of(2, 20)
    slower = make_scheme("rope", d_model=D, n_heads=HEADS, scaling="linear", factor=4.0)
    twin = model.with_scheme(slower)
    fresh = Decoder(slower, vocab_size=V, n_layers=2, seed=0)
    assert torch.equal(twin(token_ids), fresh(token_ids))
    assert not torch.equal(twin(token_ids), model(token_ids))
    with torch.no_grad():
        model.rows += 1
    assert torch.equal(twin.rows, model.rows)


def test_a_scheme_of_other_sizes_is_refused() -> None:
    with pytest.raises(ValueError, match=r"\(d_model, n_heads\)=\(16, 2\): this decoder's weights need \(8, 2\)"):
        decoder_of().with_scheme(make_scheme("none", d_model=16, n_heads=2))


@pytest.mark.parametrize(("sizes", "match"), [((0, 1), "vocab_size=0"), ((5, 0), "n_layers=0")])
def test_sizes_below_1_are_refused(sizes: tuple[int, int], match: str) -> None:
    with pytest.raises(ValueError, match=match):
        Decoder(make_scheme("none", d_model=8, n_heads=2), vocab_size=sizes[0], n_layers=sizes[1], seed=0)


@pytest.mark.parametrize("n_scored", [0, 10])
def test_more_or_fewer_scored_positions_than_there_are_are_refused(n_scored: int) -> None:
    with pytest.raises(ValueError, match=f"n_scored={n_scored} must be at least 1 and at most seq_len=9"):
        decoder_of()(ids_of(1, 9), n_scored=n_scored)
