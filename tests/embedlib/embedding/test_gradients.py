import math
from typing import Any

import pytest
import torch
from torch import Tensor
from torch.nn import functional

from embedlib.embedding import (
    MOVE_REASONS,
    ROW_OPTIMIZERS,
    RowStep,
    gradient_bytes,
    initial_table,
    rows_to_show,
    step_texts,
    train_rows,
)
from embedlib.embedding.gradients import output_weights

V, D = 12, 5
TEXTS = [torch.tensor([2, 3, 5, 1, 3]), torch.tensor([7, 2, 8]), torch.tensor([9, 10, 9, 4])]
TORCHS: dict[str, Any] = {"sgd": torch.optim.SGD, "adam": torch.optim.Adam, "adamw": torch.optim.AdamW}


def table(name: str = "normal_1") -> Tensor:
    return initial_table(name, V, D, seed=3)


def why(step: RowStep) -> list[str]:
    return [MOVE_REASONS[index] for index in step.reasons.tolist()]


def plain_training(optimizer: str, *, tied: bool) -> list[tuple[float, Tensor]]:
    """The same steps as a course would write them: a layer, a product, torch's own optimizer; loss and table each."""
    layer = torch.nn.Embedding(V, D, sparse=optimizer == "sparse_adam")
    layer.weight = torch.nn.Parameter(table())
    output = layer.weight if tied else torch.nn.Parameter(output_weights(V, D))
    if optimizer == "sparse_adam":
        steppers = [torch.optim.SparseAdam([layer.weight], lr=0.05), torch.optim.Adam([output], lr=0.05)]
    else:
        more = {"weight_decay": 0.01} if optimizer == "adamw" else {}
        steppers = [TORCHS[optimizer]([layer.weight] if tied else [layer.weight, output], lr=0.05, **more)]
    actual = []
    for text in TEXTS:
        for stepper in steppers:
            stepper.zero_grad()
        loss = functional.cross_entropy(layer(text[:-1]) @ output.T, text[1:])
        loss.backward()  # type: ignore[no-untyped-call]
        for stepper in steppers:
            stepper.step()
        actual.append((float(loss.detach()), layer.weight.detach().clone()))
    return actual


@pytest.mark.parametrize(
    ("optimizer", "tied"),
    [(name, tied) for name in ROW_OPTIMIZERS for tied in (False, True) if not (tied and name == "sparse_adam")],
)
def test_every_step_is_the_one_of_plain_torch(optimizer: str, tied: bool) -> None:
    steps = train_rows(table(), TEXTS, optimizer=optimizer, learning_rate=0.05, tied=tied)
    before = table()
    for step, (loss, after) in zip(steps, plain_training(optimizer, tied=tied), strict=True):
        assert step.loss == pytest.approx(loss, rel=1e-5)
        torch.testing.assert_close(step.table, after, rtol=1e-5, atol=1e-6)
        for row in range(V):
            assert float(step.moves[row]) == pytest.approx(math.dist(step.table[row], before[row]), rel=1e-4, abs=1e-12)
        before = step.table


@pytest.mark.parametrize("tied", [False, True])
def test_gradients_are_those_of_the_formula_written_as_a_loop(tied: bool) -> None:
    start, text = table(), TEXTS[0]
    output = start if tied else output_weights(V, D)
    step = train_rows(start, [text], tied=tied)[0]
    lookup_norms = [[0.0] * D for _ in range(V)]
    output_norms = [[0.0] * D for _ in range(V)]
    for looked_up, target in zip(text[:-1].tolist(), text[1:].tolist(), strict=True):
        hidden = start[looked_up].tolist()
        logits = [math.fsum(a * b for a, b in zip(hidden, row, strict=True)) for row in output.tolist()]
        total = math.fsum(math.exp(logit) for logit in logits)
        for row in range(V):
            push = (math.exp(logits[row]) / total - (row == target)) / (len(text) - 1)
            for column in range(D):
                lookup_norms[looked_up][column] += push * float(output[row, column])
                output_norms[row][column] += push * hidden[column]
    for row in range(V):
        both = [a + b for a, b in zip(lookup_norms[row], output_norms[row], strict=True)]
        assert float(step.lookup_norms[row]) == pytest.approx(math.hypot(*lookup_norms[row]), rel=1e-4, abs=1e-9)
        assert float(step.output_norms[row]) == pytest.approx(
            math.hypot(*output_norms[row]) if tied else 0.0, rel=1e-4, abs=1e-9
        )
        expected = math.hypot(*(both if tied else lookup_norms[row]))
        assert float(step.gradient_norms[row]) == pytest.approx(expected, rel=1e-4, abs=1e-9)


def test_adam_moves_the_same_rows_at_first_and_goes_on_moving_them_later() -> None:
    first, second, _ = train_rows(table(), TEXTS, optimizer="adam")
    assert (first.moves > 0).tolist() == [row in (1, 2, 3, 5) for row in range(V)]
    assert [row for row in range(V) if why(second)[row] == "looked_up"] == [2, 7]
    assert [row for row in range(V) if why(second)[row] == "momentum"] == [1, 3, 5]
    assert [row for row in range(V) if why(second)[row] == "still"] == [0, 4, 6, 8, 9, 10, 11]
    assert second.gradient_norms[3] == 0


def test_sparse_adam_leaves_rows_that_are_not_looked_up_now() -> None:
    _, second, third = train_rows(table(), TEXTS, optimizer="sparse_adam")
    assert (second.moves > 0).nonzero()[:, 0].tolist() == [2, 7]
    assert (third.moves > 0).nonzero()[:, 0].tolist() == [9, 10]


def test_a_gradient_too_small_to_count_leaves_the_move_to_decay() -> None:
    start, text = initial_table("normal_1", 2_000, 96), torch.arange(0, 600, 20)
    settings: dict[str, Any] = {"learning_rate": 0.001, "tied": True}
    adam, adamw = (train_rows(start, [text], optimizer=name, **settings)[0] for name in ("adam", "adamw"))
    alone = start * (1 - 0.001 * 0.01)
    for row in range(2_000):
        only_decay = torch.equal(adamw.table[row], alone[row]) and adamw.counts[row] == 0
        assert (why(adamw)[row] == "decay") == only_decay
    assert int((adamw.reasons == MOVE_REASONS.index("decay")).sum()) > 1_500
    assert int((adamw.reasons == MOVE_REASONS.index("softmax")).sum()) == pytest.approx(
        int((adam.reasons == MOVE_REASONS.index("softmax")).sum()), rel=0.05
    )


def test_a_sparse_gradient_takes_what_torch_stores() -> None:
    layer = torch.nn.Embedding(50, 8, sparse=True)
    layer(torch.tensor([4, 9, 4])).sum().backward()
    gradient = layer.weight.grad
    assert gradient is not None
    gradient = gradient.coalesce()
    assert gradient_bytes(50, 8, 2) == (layer.weight.nbytes, gradient.values().nbytes + gradient.indices().nbytes)


def test_a_text_is_cut_so_that_each_pair_is_in_one_step() -> None:
    token_ids = torch.arange(100, 111)
    for n_steps in range(1, 11):
        parts = step_texts(token_ids, n_steps)
        assert len(parts) == n_steps
        pairs = [pair for part in parts for pair in zip(part.tolist(), part.tolist()[1:], strict=False)]
        assert pairs == [(first, first + 1) for first in range(100, 110)]


def test_rows_to_show_begin_with_those_that_were_looked_up() -> None:
    steps = train_rows(table(), TEXTS)
    assert rows_to_show(steps).tolist() == list(range(V))
    looked_up = {1, 2, 3, 5, 7, 9, 10}
    drawn = rows_to_show(steps, limit=9).tolist()
    assert drawn == sorted(drawn)
    assert looked_up < set(drawn)
    assert len(drawn) == 9
    assert rows_to_show(steps, limit=2).tolist() == [2, 9], "those that were looked up twice"


def test_others_to_show_are_spread_over_the_whole_table() -> None:
    steps = train_rows(initial_table("normal_1", 1_000, 2), [torch.tensor([500, 501])])
    drawn = torch.tensor([row for row in rows_to_show(steps, limit=51).tolist() if row != 500])
    gaps = drawn.diff()
    assert (int(gaps.min()), int(gaps.max())) in ((19, 20), (19, 21), (20, 20), (20, 21))
    assert int(drawn[0]) == 0
