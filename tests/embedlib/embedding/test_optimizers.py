from typing import Any

import pytest
import torch
from torch import Tensor

from embedlib.embedding import ROW_OPTIMIZERS
from embedlib.embedding.optimizers import RowUpdates

TORCHS: dict[str, Any] = {
    "sgd": torch.optim.SGD,
    "adam": torch.optim.Adam,
    "adamw": torch.optim.AdamW,
    "sparse_adam": torch.optim.SparseAdam,
}


def gradients(n_steps: int) -> list[tuple[Tensor, Tensor]]:
    """Rows looked up and a gradient that is zero elsewhere, for each step."""
    generator = torch.Generator().manual_seed(5)
    actual = []
    for step in range(n_steps):
        rows = torch.tensor([[0, 3, 4], [1], [0, 4], [2, 3], [4]][step % 5])
        gradient = torch.zeros(6, 3)
        gradient[rows] = torch.randn(len(rows), 3, generator=generator) * 10.0 ** -(2 * step % 9)
        actual.append((rows, gradient))
    return actual


def test_there_is_one_rule_for_each_of_torchs() -> None:
    assert list(ROW_OPTIMIZERS) == list(TORCHS)
    for name, kind in ROW_OPTIMIZERS.items():
        assert kind.title == TORCHS[name].__name__


@pytest.mark.parametrize("name", ROW_OPTIMIZERS)
def test_a_rule_moves_rows_as_torchs_own_does(name: str) -> None:
    start = torch.randn(6, 3, generator=torch.Generator().manual_seed(1))
    more = {"weight_decay": 0.01} if name == "adamw" else {}
    parameter = torch.nn.Parameter(start.clone())
    theirs = TORCHS[name]([parameter], lr=0.02, **more)
    rows = start.clone()
    ours = RowUpdates(name, rows, learning_rate=0.02)
    for looked_up, gradient in gradients(12):
        if ROW_OPTIMIZERS[name].sparse:
            parameter.grad = torch.sparse_coo_tensor(
                looked_up[None], gradient[looked_up], (6, 3), check_invariants=True
            ).coalesce()
        else:
            parameter.grad = gradient.clone()
        theirs.step()
        ours.step(gradient, looked_up)
        if ROW_OPTIMIZERS[name].sparse:
            torch.testing.assert_close(rows, parameter.detach(), rtol=2e-6, atol=1e-8)
        else:
            assert torch.equal(rows, parameter)
