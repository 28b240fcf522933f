from hypothesis import given, settings
from hypothesis import strategies as st

from embedlib.texts import PlanError, WindowPlan, WindowUse, window_use


@settings(deadline=None, max_examples=150)
@given(
    n_ids=st.integers(2, 60),
    max_length=st.integers(1, 9),
    stride=st.integers(1, 12),
    batch_size=st.integers(1, 7),
    shuffle=st.booleans(),
    drop_last=st.booleans(),
)
def test_every_id_is_counted_once_by_what_the_windows_of_an_epoch_make_of_it(
    n_ids: int, max_length: int, stride: int, batch_size: int, shuffle: bool, drop_last: bool
) -> None:
    try:
        plan = WindowPlan(n_ids, max_length, stride, batch_size, shuffle, 4, drop_last)
    except PlanError:
        return
    kept = [window for batch in range(plan.n_batches) for window in plan.windows(batch).tolist()]
    found = dict.fromkeys(("inputs", "repeated", "only_targets", "only_dropped", "between", "left_over"), 0)
    for place in range(n_ids):
        times = sum(window * stride <= place < window * stride + max_length for window in kept)
        windows = {w for w in range(plan.n_windows) if w * stride <= place <= w * stride + max_length}
        if times:
            found["inputs"] += 1
            found["repeated"] += times > 1
        elif windows & set(kept):
            found["only_targets"] += 1
        elif windows:
            found["only_dropped"] += 1
        else:
            found["between" if place < (plan.n_windows - 1) * stride else "left_over"] += 1
    assert window_use(plan) == WindowUse(**found)
    assert sum(found.values()) - found["repeated"] == n_ids


def test_windows_of_four_every_six_ids_with_one_of_three_dropped() -> None:
    # Inputs 0-3, 6-9 and 12-15, last targets 4, 10 and 16; 5 and 11 lie between, 17 is left over.
    assert window_use(WindowPlan(18, 4, 6, 2)) == WindowUse(12, 0, 3, 0, 2, 1)
    assert window_use(WindowPlan(18, 4, 6, 2, drop_last=True)) == WindowUse(8, 0, 2, 5, 2, 1)
