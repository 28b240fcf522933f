"""Ridge probes against scikit-learn's, pairs listed one by one."""

import pytest
import torch
from sklearn.linear_model import Ridge
from sklearn.metrics import r2_score

from embedlib.measures.probes import probe_both


def read(hidden: torch.Tensor, n_train: int, alpha: float = 1.0) -> tuple[float, float]:
    actual = probe_both(hidden, n_train=n_train, alpha=alpha)
    assert actual is not None
    return actual


def some_states(n_sequences: int = 7, seq_len: int = 9, d_model: int = 5, signal: float = 0.3) -> torch.Tensor:
    generator = torch.Generator().manual_seed(n_sequences + seq_len)
    noise = torch.randn(n_sequences, seq_len, d_model, generator=generator) + 2
    noise[..., 1] += signal * torch.arange(seq_len)
    return noise


@pytest.mark.parametrize("shift", [0.0, 100.0])
@pytest.mark.parametrize("alpha", [0.1, 10.0])
def test_positions_are_read_by_scikit_learns_ridge_on_other_sequences(alpha: float, shift: float) -> None:
    hidden = some_states() + shift
    train = [(hidden[s, i].double().numpy(), i) for s in range(5) for i in range(9)]
    test = [(hidden[s, i].double().numpy(), i) for s in range(5, 7) for i in range(9)]
    model = Ridge(alpha=alpha).fit([x for x, _ in train], [y for _, y in train])
    answers, truth = model.predict([x for x, _ in test]), [y for _, y in test]
    assert read(hidden, 5, alpha)[0] == pytest.approx(r2_score(truth, answers), abs=1e-9)


@pytest.mark.parametrize("shift", [0.0, 100.0])
@pytest.mark.parametrize("alpha", [0.1, 500.0])
def test_distances_are_read_by_scikit_learns_ridge_on_all_pairs(alpha: float, shift: float) -> None:
    hidden = some_states() + shift

    def pairs(sequences: range) -> tuple[list[list[float]], list[int]]:
        listed = [
            ((hidden[s, i].double() - hidden[s, j].double()).tolist(), i - j)
            for s in sequences
            for i in range(9)
            for j in range(9)
        ]
        return [x for x, _ in listed], [y for _, y in listed]

    model = Ridge(alpha=alpha).fit(*pairs(range(5)))
    differences, truth = pairs(range(5, 7))
    answers = model.predict(differences)
    r2 = read(hidden, 5, alpha / (2 * 9))[1]  # the penalty is on the pairs
    assert r2 == pytest.approx(r2_score(truth, answers), abs=1e-9)


def test_a_line_is_read_perfectly_and_noise_no_better_than_chance() -> None:
    line = torch.arange(12.0)[None, :, None].expand(6, -1, 1) * torch.tensor([2.0, -1.0, 0.5])
    noise = some_states(400, 12, signal=0)
    for perfect, blind in zip(read(line, 4, 1e-9), read(noise, 300), strict=True):
        assert perfect == pytest.approx(1, abs=1e-9)
        assert abs(blind) < 0.02


def test_one_position_cannot_be_told_from_others() -> None:
    assert probe_both(torch.ones(4, 1, 3), n_train=2) is None
