import numpy as np
import torch

from embedlib.neighbours.bounds import rows_from, upper_bounds
from embedlib.neighbours.top_k import Best, take_best


def test_the_best_are_kept_by_value_and_then_by_lower_id_and_none_twice() -> None:
    best = Best(2, 3, np.float32)
    best.offer(np.array([0, 0, 0, 1]), np.array([5, 3, 9, 4]), np.array([1.0, 2.0, 1.0, 0.5]))
    best.offer(np.array([0, 0, 1]), np.array([9, 3, 4]), np.array([1.0, 2.0, 0.5]))
    assert best.ids[0].tolist() == [3, 5, 9]
    assert best.ids[1, 0] == 4
    assert best.values.tolist() == [[2, 1, 1], [0.5, -np.inf, -np.inf]]


def test_too_many_pairs_are_left_undone_and_can_be_taken_up_again() -> None:
    rows = rows_from(torch.randn(700, 5, generator=torch.Generator().manual_seed(0)), torch.float32)
    upper, _ = upper_bounds(rows.part(0, 4), rows, "dot")
    once, twice = Best(4, 6, np.float32), Best(4, 6, np.float32)
    assert take_best(once, slice(0, 4), rows.part(0, 4), rows, upper, "dot")
    assert not take_best(twice, slice(0, 4), rows.part(0, 4), rows, upper + 10, "dot", most_pairs=50)
    assert take_best(twice, slice(0, 4), rows.part(0, 4), rows, upper, "dot")
    np.testing.assert_array_equal(twice.ids, once.ids)
    exact = (rows.exact[:4].double() @ rows.exact.double().T).numpy()
    np.testing.assert_array_equal(once.ids, np.argsort(-exact, axis=1, kind="stable")[:, :6])
