"""Four optimizers, and which rows of an embedding matrix each of them moves."""

import math
from dataclasses import dataclass

import torch
from torch import Tensor

from embedlib.adamw import AdamW
from embedlib.i18n import N_


@dataclass(frozen=True)
class RowOptimizer:
    """One way to do a step.

    Attributes:
        title: as torch calls it.
        summary: which rows it moves, marked for translation.
        formula: of one step of the row E_i, whose gradient is g_i, LaTeX.
        source: with a link.
        learning_rate: a usual one.
        weight_decay: a usual one; 0 for an optimizer without it.
        sparse: whether it needs a gradient of looked-up rows only; tied weights have none.
    """

    name: str
    title: str
    summary: str
    formula: str
    source: str
    learning_rate: float
    weight_decay: float = 0.0
    sparse: bool = False


_BETA_1, _BETA_2, _EPSILON = 0.9, 0.999, 1e-8
_ADAM = r"E_i \leftarrow E_i - \eta\,\frac{\hat m_i}{\sqrt{\hat v_i} + \epsilon}"

ROW_OPTIMIZERS: dict[str, RowOptimizer] = {
    kind.name: kind
    for kind in (
        RowOptimizer(
            "sgd",
            "SGD",
            N_("Stochastic gradient descent: each row that was looked up moves against its gradient; all others stay."),
            r"E_i \leftarrow E_i - \eta\, g_i",
            "https://docs.pytorch.org/docs/stable/generated/torch.optim.SGD.html",
            learning_rate=0.1,
        ),
        RowOptimizer(
            "adam",
            "Adam",
            N_("Adam remembers an average of past gradients, so rows that were looked up earlier keep moving."),
            _ADAM,
            "Kingma & Ba 2015, https://arxiv.org/abs/1412.6980",
            learning_rate=0.001,
        ),
        RowOptimizer(
            "adamw",
            "AdamW",
            N_("Like Adam, but in addition every row shrinks a little at each step (weight decay)."),
            r"E_i \leftarrow (1 - \eta\lambda)\,E_i - \eta\,\frac{\hat m_i}{\sqrt{\hat v_i} + \epsilon}",
            "Loshchilov & Hutter 2019, https://arxiv.org/abs/1711.05101",
            learning_rate=0.001,
            weight_decay=0.01,
        ),
        RowOptimizer(
            "sparse_adam",
            "SparseAdam",
            N_("Adam for gradients of which only the rows that were just looked up are stored: no other row moves."),
            _ADAM + r" \quad\text{where } g_i \text{ is given}",
            "https://docs.pytorch.org/docs/stable/generated/torch.optim.SparseAdam.html",
            learning_rate=0.001,
            sparse=True,
        ),
    )
}


class RowUpdates:
    """Optimizer of a matrix of rows; the same steps as torch.optim's class, with its betas and epsilon."""

    def __init__(self, name: str, rows: Tensor, *, learning_rate: float) -> None:
        """Start without momentum; `rows`, (n_rows, d_model), are moved in place."""
        self._kind, self._rows, self._rate = ROW_OPTIMIZERS[name], rows, learning_rate
        self._adam = AdamW([rows], learning_rate=learning_rate, weight_decay=self._kind.weight_decay)
        self._steps = 0
        if self._kind.sparse:
            self._mean, self._square = torch.zeros_like(rows), torch.zeros_like(rows)

    def step(self, gradient: Tensor, looked_up: Tensor) -> None:
        """Update the rows by a gradient; "sparse_adam" moves only the rows looked up, each given once."""
        if self._kind.name == "sgd":
            self._rows.add_(gradient, alpha=-self._rate)
        elif self._kind.sparse:
            self._step_sparse(gradient[looked_up], looked_up)
        else:
            self._rows.grad = gradient
            self._adam.step()

    def _step_sparse(self, gradient: Tensor, looked_up: Tensor) -> None:
        """Sparse Adam: only looked-up rows and their moments are updated."""
        self._steps += 1
        mean, square = self._mean[looked_up], self._square[looked_up]
        mean += (gradient - mean) * (1 - _BETA_1)
        square += (gradient * gradient - square) * (1 - _BETA_2)
        self._mean[looked_up], self._square[looked_up] = mean, square
        # What the mean, and the root of the squares, fall short by as they began at zero.
        first, second = 1 - _BETA_1**self._steps, math.sqrt(1 - _BETA_2**self._steps)
        # Epsilon is added before the correction here, and after it in Adam: as in torch.
        self._rows[looked_up] += mean / (square.sqrt() + _EPSILON) * (-self._rate * second / first)
