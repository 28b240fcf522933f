"""Ridge probes against scikit-learn's, pairs listed one by one, and what cannot be read."""

import pytest
import torch
from sklearn.linear_model import Ridge
from sklearn.metrics import r2_score

from embedlib.measures.probes import Probe, probe_both


def read(hidden: torch.Tensor, n_train: int, alpha: float = 1.0) -> tuple[Probe, Probe]:
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
    probe, _ = read(hidden, 5, alpha)
    assert probe.r2 == pytest.approx(r2_score(truth, answers), abs=1e-9)
    assert probe.mean_error == pytest.approx(sum(abs(a - t) for a, t in zip(answers, truth, strict=True)) / 18)
    assert probe.chance_error == pytest.approx(sum(abs(i - 4) for i in range(9)) / 9)


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
    _, probe = read(hidden, 5, alpha / (2 * 9))  # the penalty is on the pairs
    assert probe.r2 == pytest.approx(r2_score(truth, answers), abs=1e-9)
    assert probe.mean_error == pytest.approx(sum(abs(a - t) for a, t in zip(answers, truth, strict=True)) / 162)
    assert probe.chance_error == pytest.approx(sum(abs(t) for t in truth) / 162)


def test_a_line_is_read_perfectly_and_noise_no_better_than_chance() -> None:
    line = torch.arange(12.0)[None, :, None].expand(6, -1, 1) * torch.tensor([2.0, -1.0, 0.5])
    noise = some_states(400, 12, signal=0)
    for perfect, blind in zip(read(line, 4, 1e-9), read(noise, 300), strict=True):
        assert perfect.r2 == pytest.approx(1, abs=1e-9)
        assert perfect.mean_error < 1e-6
        assert abs(blind.r2) < 0.02
        assert blind.mean_error == pytest.approx(blind.chance_error, rel=0.02)


def test_one_position_cannot_be_told_from_others() -> None:
    assert probe_both(torch.ones(4, 1, 3), n_train=2) is None


@pytest.mark.parametrize(
    ("hidden", "n_train", "alpha", "message"),
    [
        (torch.ones(4, 2, 3), 4, 1, r"n_train=4 must be at least 1 and below n_sequences=4"),
        (torch.ones(4, 2, 3), 0, 1, r"n_train=0 must be at least 1"),
        (torch.ones(2, 3), 1, 1, r"hidden is torch.float32 of shape \(2, 3\)"),
        (torch.ones(4, 2, 3), 2, 0, r"alpha=0 must be above 0"),
    ],
)
def test_what_does_not_fit_is_refused(hidden: torch.Tensor, n_train: int, alpha: float, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        probe_both(hidden, n_train=n_train, alpha=alpha)
