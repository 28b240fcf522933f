import math

import pytest
import torch

from embedlib.measures.contributions import (
    content_term,
    has_similarity,
    injection_point,
    named_terms,
    paired_columns,
    pick_head,
    position_planes,
    rotated_units,
    score_bias,
    text_content_term,
)
from embedlib.positional import SCHEMES, STARTING_POINTS, make_scheme
from embedlib.transformer import random_qk


@pytest.mark.parametrize("layout", ["interleaved", "halves"])
def test_sinusoids_walk_anticlockwise_on_unit_circles(layout: str) -> None:
    planes = position_planes(make_scheme("sinusoidal", d_model=8, n_heads=1, layout=layout), 5)
    assert planes.shape == (4, 5, 2)
    for pair in range(4):
        for position in range(5):
            angle = position * 10_000 ** (-2 * pair / 8)
            assert planes[pair, position].tolist() == pytest.approx([math.cos(angle), math.sin(angle)], abs=1e-6)


@pytest.mark.parametrize("pairing", ["interleaved", "halves"])
def test_rotary_pairs_walk_the_same_circles(pairing: str) -> None:
    scheme = make_scheme("rope", d_model=24, n_heads=3, pairing=pairing)
    expected = position_planes(make_scheme("sinusoidal", d_model=8, n_heads=1), 7)
    torch.testing.assert_close(position_planes(scheme, 7), expected, rtol=0, atol=1e-6)


@pytest.mark.parametrize("first", ["column", "line"])
def test_a_grids_pairs_walk_by_column_in_one_half_and_by_line_in_the_other(first: str) -> None:
    scheme = make_scheme("sinusoidal_2d", d_model=16, n_heads=1, grid_width=3, first=first)
    table, planes = scheme.position_table(8), position_planes(scheme, 8)
    sines, cosines = paired_columns(scheme)
    assert planes.shape == (8, 8, 2)
    for half in range(2):
        for i in range(4):
            pair, sine = 4 * half + i, 8 * half + i
            assert (int(sines[pair]), int(cosines[pair])) == (sine, sine + 4)
            for cell in range(8):
                coordinate = cell % 3 if (half == 0) == (first == "column") else cell // 3
                angle = coordinate * 10_000 ** (-4 * i / 16)
                assert planes[pair, cell].tolist() == pytest.approx([math.cos(angle), math.sin(angle)], abs=1e-6)
                assert float(table[cell, sine]) == pytest.approx(math.sin(angle), abs=1e-6)


def test_only_the_turned_columns_have_planes() -> None:
    scheme = make_scheme("rope", d_model=16, n_heads=1, rotary_fraction=0.5)
    assert position_planes(scheme, 3).shape == (4, 3, 2)
    assert [columns.tolist() for columns in paired_columns(scheme)] == [[0, 2, 4, 6], [1, 3, 5, 7]]


def test_a_formula_that_adds_and_turns_has_planes_of_both() -> None:
    lines = {"rows": "sin(p * i)", "turn": "p / (i + 1)", "pairing": "halves"}
    both = make_scheme("formula", d_model=16, n_heads=2, **lines)
    turned = make_scheme("formula", d_model=16, n_heads=2, turn=lines["turn"], pairing="halves")
    assert torch.equal(position_planes(both, 5, rotated=True), position_planes(turned, 5))
    rows = both.position_table(5)
    assert torch.equal(position_planes(both, 5), torch.stack([rows[:, ::2], rows[:, 1::2]], -1).transpose(0, 1))


def test_a_learned_table_of_odd_width_leaves_its_last_column_out() -> None:
    scheme = make_scheme("learned", d_model=5, n_heads=1)
    table = scheme.position_table(3).detach()
    planes = position_planes(scheme, 3)
    assert torch.equal(planes[1], table[:, 2:4])
    assert planes.shape == (2, 3, 2)


@pytest.mark.parametrize("scheme", [name for name in SCHEMES if not SCHEMES[name].acts_on & {"embedding", "query_key"}])
def test_other_schemes_have_no_planes(scheme: str) -> None:
    with pytest.raises(ValueError, match="has no planes"):
        position_planes(make_scheme(scheme, d_model=8, n_heads=2), 4)
    with pytest.raises(ValueError, match="has no planes"):
        paired_columns(make_scheme(scheme, d_model=8, n_heads=2))


def test_the_bias_is_what_zero_queries_and_keys_see() -> None:
    scheme = make_scheme("alibi", d_model=12, n_heads=3)
    nothing = torch.zeros(3, 6, 4)
    assert torch.equal(score_bias(scheme, 6), scheme.scores(nothing, nothing))


def test_the_content_term_is_the_difference_that_the_scheme_makes() -> None:
    scheme, without = (make_scheme(name, d_model=12, n_heads=3) for name in ("shaw", "none"))
    generator = torch.Generator().manual_seed(5)
    q, k = (torch.empty(3, 6, 4).normal_(generator=generator) for _ in range(2))
    seen = torch.ones(6, 6, dtype=torch.bool).tril()
    difference = (scheme.scores(q, k) - without.scores(q, k)).detach()
    actual = content_term(scheme, 6, seed=5)
    torch.testing.assert_close(actual[:, seen], difference[:, seen], rtol=0, atol=1e-6)
    assert actual[:, ~seen].eq(-math.inf).all()


@pytest.mark.parametrize("name", ["transformer_xl", "deberta"])
def test_the_named_terms_of_a_head_add_up_to_its_logits(name: str) -> None:
    scheme = make_scheme(name, d_model=16, n_heads=2)
    generator = torch.Generator().manual_seed(5)
    q, k = (torch.empty(2, 6, 8).normal_(generator=generator) for _ in range(2))
    terms = named_terms(scheme, 6, head=1, seed=5)
    assert len(terms) in (3, 4)
    torch.testing.assert_close(sum(terms.values()), scheme.scores(q, k)[1].detach())


def test_a_scheme_without_named_terms_has_none_and_a_missing_head_is_refused() -> None:
    scheme = make_scheme("alibi", d_model=16, n_heads=2)
    assert named_terms(scheme, 4, head=0, seed=0) == {}
    with pytest.raises(ValueError, match="head=2 must be from 0 to 1"):
        named_terms(scheme, 4, head=2, seed=0)


@pytest.mark.parametrize(("name", "defined"), [("sinusoidal", True), ("alibi", True), ("cope", False)])
def test_similarity_is_asked_for_only_where_it_is_defined(name: str, defined: bool) -> None:
    assert has_similarity(make_scheme(name, d_model=16, n_heads=2)) == defined


def test_every_scheme_is_shown_at_the_first_place_it_acts_in() -> None:
    assert injection_point(SCHEMES["none"]) is None
    both = make_scheme("formula", d_model=8, n_heads=2, rows="p", turn="p * i", bias="q - k")
    assert [injection_point(scheme) for scheme in (SCHEMES["cope"], SCHEMES["t5"], SCHEMES["rope"], both)] == [
        "content", "score", "query_key", "embedding",
    ]  # fmt: skip


def test_turned_units_are_sine_and_cosine_of_each_pair() -> None:
    actual = rotated_units(make_scheme("rope", d_model=8, n_heads=1), 5)
    assert actual.shape == (5, 8)
    for position in range(5):
        for pair in range(4):
            angle = position * 10_000 ** (-2 * pair / 8)
            assert float(actual[position, 2 * pair]) == pytest.approx(math.sin(angle), abs=1e-6)
            assert float(actual[position, 2 * pair + 1]) == pytest.approx(math.cos(angle), abs=1e-6)


def test_content_on_rows_is_what_shaw_adds_to_the_logits_of_the_text() -> None:
    scheme = make_scheme("shaw", d_model=8, n_heads=2)
    rows = torch.empty(5, 8).normal_(generator=torch.Generator().manual_seed(1))
    actual = text_content_term(scheme, rows, seed=3)
    q, _ = random_qk(rows, 2, 3)
    vectors = scheme.get_parameter("key_vectors").detach()
    for head in range(2):
        for query in range(5):
            for key in range(5):
                if key > query:
                    assert actual[head, query, key] == -torch.inf
                    continue
                expected = float(q[head, query] @ vectors[key - query + 16]) / 2
                assert float(actual[head, query, key]) == pytest.approx(expected, abs=1e-5)


def test_one_head_or_the_mean_of_all() -> None:
    matrices = torch.arange(12.0).reshape(3, 2, 2)
    assert torch.equal(pick_head(matrices, 2), matrices[2])
    assert torch.equal(pick_head(matrices, -1), torch.tensor([[4.0, 5.0], [6.0, 7.0]]))


@pytest.mark.parametrize("start", ["sinusoidal", "tensor2tensor", "sinusoidal_2d"])
def test_a_formula_has_the_planes_of_the_scheme_that_it_equals(start: str) -> None:
    point = STARTING_POINTS[start]
    formula = make_scheme("formula", d_model=16, n_heads=1, **point.lines)
    builtin = make_scheme(point.scheme, d_model=16, n_heads=1, **point.arguments)
    for mine, theirs in zip(paired_columns(formula), paired_columns(builtin), strict=True):
        assert torch.equal(mine, theirs)
    torch.testing.assert_close(position_planes(formula, 40), position_planes(builtin, 40), rtol=0, atol=1e-6)


def test_a_formula_without_circles_pairs_up_neighbours() -> None:
    scheme = make_scheme("formula", d_model=5, n_heads=1, rows="p + i")
    assert [columns.tolist() for columns in paired_columns(scheme)] == [[0, 2], [1, 3]]
    assert position_planes(scheme, 3)[1].tolist() == [[2, 3], [3, 4], [4, 5]]
