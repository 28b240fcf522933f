"""Scores by length in words: who holds, who breaks and where, in which order, and whether others found the same."""

import math

import pytest
import torch

from embedlib.extrapolation import (
    LengthScore,
    Measure,
    Standing,
    agreement,
    classify_line,
    distinct_groups,
    score_values,
    standings,
)

LENGTHS = (4, 8, 12, 16)
NAN = math.nan


def row(*numbers: float) -> torch.Tensor:
    return torch.tensor([numbers], dtype=torch.float64)


@pytest.mark.parametrize(
    ("numbers", "measure", "verdict", "at"),
    [
        ((1, 1, 0.95, 0.9), "exact", "holds", None),
        ((1, 1, 0.89, 0.5), "exact", "fades", 12),
        ((1, 1, 0.89, 0.49), "exact", "breaks", 16),
        ((1, 0.9, 0.81, 0.81), "exact", "holds", None),  # nine tenths of what it had
        ((1, 0.89, 0.89, 0.89), "exact", "in part", None),
        ((0.89, 1, 1, 1), "exact", "in part", None),
        ((1, 0.49, 0.49, 0.49), "exact", "not learned", None),
        ((1, 0.5, 0.5, 0.5), "exact", "in part", None),
        ((1, 1, NAN, NAN), "exact", "ends", 12),
        ((1, 1, 0.8, NAN), "exact", "fades", 12),
        ((1, 1, 1, NAN), "exact", "ends", 16),
        ((NAN, NAN, NAN, NAN), "exact", "unknown", None),
        ((9, 6, 6.6, 6.5), "perplexity", "holds", None),
        ((9, 6, 6.7, 9), "perplexity", "fades", 12),
        ((9, 6, 6.1, 9.1), "perplexity", "breaks", 16),
        ((9, 6, 6.1, math.inf), "perplexity", "breaks", 16),
        ((0, 0.1, 0.1 + math.log(1.09), 0.1), "loss", "holds", None),
        ((0, 0.1, 0.1 + math.log(1.2), 0.1), "loss", "fades", 12),
    ],
)
def test_a_line_is_read_by_what_it_keeps(numbers: tuple[float, ...], measure: Measure, verdict: str, at: int) -> None:
    actual = classify_line("x", row(*numbers), LENGTHS, 8, measure=measure)
    assert (actual.line, actual.verdict, actual.at) == ("x", verdict, at)


def test_where_not_all_can_be_right_a_small_share_is_no_failure() -> None:
    numbers = row(0.4, 0.45, 0.42, 0.3)
    assert classify_line("x", numbers, LENGTHS, 8, measure="accuracy").verdict == "not learned"
    actual = classify_line("x", numbers, LENGTHS, 8, measure="accuracy", solvable=False)
    assert (actual.verdict, actual.at) == ("fades", 16)
    assert (actual.worst, actual.worst_length) == (0.4, 4)


def test_a_group_holds_only_lines_whose_seeds_overlap_those_of_its_first() -> None:
    # Each overlaps its neighbour; the ends are far from each other.
    chain = [Standing(str(n), 0.9 - 0.1 * n, 0.84 - 0.1 * n, 0.96 - 0.1 * n) for n in range(5)]
    assert [[one.line for one in group] for group in distinct_groups(chain)] == [["0", "1"], ["2", "3"], ["4"]]
    assert distinct_groups([]) == []


def test_guessing_counts_for_nothing() -> None:
    numbers = row(1, 1, 0.6, 0.6)
    assert classify_line("x", numbers, LENGTHS, 8, measure="accuracy").verdict == "fades"
    assert classify_line("x", numbers, LENGTHS, 8, measure="accuracy", chance=0.25).verdict == "breaks"  # .35 of .75
    poor = row(0.6, 0.6, 0.6, 0.6)
    assert classify_line("x", poor, LENGTHS, 8, measure="accuracy", chance=0.25).verdict == "not learned"


def test_a_reading_has_the_means_at_the_trained_and_the_last_length() -> None:
    actual = classify_line("x", torch.tensor([[1, 0.8, 0.7, NAN], [1, 1.0, 0.9, NAN]]), LENGTHS, 8, measure="exact")
    assert actual.trained == pytest.approx(0.9)
    assert (actual.last, actual.last_length) == (pytest.approx(0.8), 12)


def test_scores_become_one_row_for_each_seed() -> None:
    scores = [LengthScore(4, 8, "trained", 0.5, 0.75, 0.25, 16), LengthScore(8, 16, "undefined", None, None, None, 16)]
    actual = score_values({3: scores, 1: scores}, "perplexity", 2)
    assert actual[:, 0].tolist() == [math.exp(0.5)] * 2
    assert actual[:, 1].isnan().all()
    assert score_values({}, "exact", 2).shape == (0, 2)


VALUES = {
    "none": torch.tensor([[0.9], [1.0]]),
    "alibi": torch.tensor([[0.8], [0.92]]),
    "learned": torch.tensor([[NAN], [NAN]]),
    "rope": torch.tensor([[0.1], [0.1]]),
}


def test_lines_stand_the_best_first_and_those_without_a_position_last() -> None:
    whole = {name: torch.cat([torch.ones(2, 1), numbers], 1) for name, numbers in VALUES.items()}
    actual = standings(whole, 1, measure="exact")
    assert [one.line for one in actual] == ["none", "alibi", "rope", "learned"]
    assert [one.line for one in standings(whole, 1, measure="perplexity")] == ["rope", "alibi", "none", "learned"]
    assert actual[0].overlaps(actual[1])
    assert not actual[1].overlaps(actual[2])
    assert (actual[0].least, actual[0].greatest) == (pytest.approx(0.9), pytest.approx(1.0))


def test_a_line_without_any_run_has_no_place_in_the_order() -> None:
    assert standings({"none": torch.empty(0, 1)}, 0, measure="exact") == []


def test_orders_are_compared_pair_by_pair() -> None:
    ours = [Standing(name, mean, mean, mean) for name, mean in (("a", 0.9), ("b", 0.5), ("c", 0.4), ("d", NAN))]
    actual = agreement(ours, {"a": 3.0, "b": 1.0, "c": 2.0, "d": 9.0, "e": 0.0}, higher_is_better=True)
    assert (actual.same, actual.other, actual.close) == ((("a", "b"), ("a", "c")), (("b", "c"),), ())
    actual = agreement(ours, {"a": 3.0, "b": 1.0, "c": 2.0}, higher_is_better=False)
    assert (actual.same, actual.other) == ((("b", "c"),), (("a", "b"), ("a", "c")))


def test_a_pair_whose_seeds_overlap_is_too_close_to_call() -> None:
    ours = [Standing("a", 0.9, 0.5, 1.0), Standing("b", 0.6, 0.4, 0.7)]
    assert agreement(ours, {"a": 1.0, "b": 2.0}, higher_is_better=True).close == (("a", "b"),)
    apart = [Standing("a", 0.9, 0.8, 1.0), Standing("b", 0.6, 0.4, 0.7)]
    assert agreement(apart, {"a": 1.0, "b": 1.0}, higher_is_better=True).close == (("a", "b"),)
