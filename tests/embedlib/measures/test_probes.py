"""Ridge probes against scikit-learn's, pairs listed one by one, and what cannot be read."""

import pytest
import torch
from sklearn.linear_model import Ridge
from sklearn.metrics import r2_score

from embedlib.measures.probes import probe_absolute, probe_both, probe_relative, ridge


def some_states(n_sequences: int = 7, seq_len: int = 9, d_model: int = 5, signal: float = 0.3) -> torch.Tensor:
    generator = torch.Generator().manual_seed(n_sequences + seq_len)
    noise = torch.randn(n_sequences, seq_len, d_model, generator=generator) + 2
    noise[..., 1] += signal * torch.arange(seq_len)
    return noise


@pytest.mark.parametrize("alpha", [1e-3, 1.0, 50.0])
@pytest.mark.parametrize(("n_samples", "n_features"), [(30, 4), (6, 20)])
def test_ridge_is_scikit_learns(n_samples: int, n_features: int, alpha: float) -> None:
    x = torch.randn(n_samples, n_features, generator=torch.Generator().manual_seed(1)) + 3
    y = torch.randn(n_samples, generator=torch.Generator().manual_seed(2)) - 5
    theirs = Ridge(alpha=alpha).fit(x.double().numpy(), y.double().numpy())
    weights, intercept = ridge(x, y, alpha=alpha)
    assert weights.tolist() == pytest.approx(theirs.coef_.tolist(), abs=1e-9)
    assert intercept == pytest.approx(theirs.intercept_, abs=1e-9)


@pytest.mark.parametrize("alpha", [0.1, 10.0])
def test_positions_are_read_by_scikit_learns_ridge_on_other_sequences(alpha: float) -> None:
    hidden = some_states()
    train = [(hidden[s, i].double().numpy(), i) for s in range(5) for i in range(9)]
    test = [(hidden[s, i].double().numpy(), i) for s in range(5, 7) for i in range(9)]
    model = Ridge(alpha=alpha).fit([x for x, _ in train], [y for _, y in train])
    answers, truth = model.predict([x for x, _ in test]), [y for _, y in test]
    probe = probe_absolute(hidden, n_train=5, alpha=alpha)
    assert probe is not None
    assert probe.r2 == pytest.approx(r2_score(truth, answers), abs=1e-9)
    assert probe.mean_error == pytest.approx(sum(abs(a - t) for a, t in zip(answers, truth, strict=True)) / 18)
    assert probe.chance_error == pytest.approx(sum(abs(i - 4) for i in range(9)) / 9)


@pytest.mark.parametrize("alpha", [0.1, 500.0])
def test_distances_are_read_by_scikit_learns_ridge_on_all_pairs(alpha: float) -> None:
    hidden = some_states()

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
    probe = probe_relative(hidden, n_train=5, alpha=alpha)
    assert probe is not None
    assert probe.r2 == pytest.approx(r2_score(truth, answers), abs=1e-9)
    assert probe.mean_error == pytest.approx(sum(abs(a - t) for a, t in zip(answers, truth, strict=True)) / 162)
    assert probe.chance_error == pytest.approx(sum(abs(t) for t in truth) / 162)


@pytest.mark.parametrize("shift", [0.0, 100.0])
def test_both_at_once_are_each_by_itself_with_the_penalty_alike(shift: float) -> None:
    hidden = some_states() + shift
    both = probe_both(hidden, n_train=5, alpha=3.0)
    assert both is not None
    alone = probe_absolute(hidden, n_train=5, alpha=3.0), probe_relative(hidden, n_train=5, alpha=3.0 * 2 * 9)
    for found, expected in zip(both, alone, strict=True):
        assert expected is not None
        assert found.r2 == pytest.approx(expected.r2, abs=1e-12)
        assert found.mean_error == pytest.approx(expected.mean_error, abs=1e-12)
        assert found.chance_error == expected.chance_error
    assert both[0].r2 != pytest.approx(both[1].r2, abs=1e-3)


def test_a_line_is_read_perfectly_and_noise_no_better_than_chance() -> None:
    line = torch.arange(12.0)[None, :, None].expand(6, -1, 1) * torch.tensor([2.0, -1.0, 0.5])
    noise = some_states(400, 12, signal=0)
    for read in (probe_absolute, probe_relative):
        perfect, blind = read(line, n_train=4, alpha=1e-9), read(noise, n_train=300)
        assert perfect is not None
        assert blind is not None
        assert perfect.r2 == pytest.approx(1, abs=1e-9)
        assert perfect.mean_error < 1e-6
        assert abs(blind.r2) < 0.02
        assert blind.mean_error == pytest.approx(blind.chance_error, rel=0.02)


def test_one_position_cannot_be_told_from_others() -> None:
    assert probe_absolute(torch.ones(4, 1, 3), n_train=2) is None
    assert probe_relative(torch.ones(4, 1, 3), n_train=2) is None
    assert probe_both(torch.ones(4, 1, 3), n_train=2) is None


def test_what_does_not_fit_is_refused() -> None:
    with pytest.raises(ValueError, match=r"n_train=4 must be at least 1 and below n_sequences=4"):
        probe_absolute(torch.ones(4, 2, 3), n_train=4)
    with pytest.raises(ValueError, match=r"n_train=0 must be at least 1"):
        probe_relative(torch.ones(4, 2, 3), n_train=0)
    with pytest.raises(ValueError, match=r"n_train=9 must be at least 1 and below n_sequences=4"):
        probe_both(torch.ones(4, 2, 3), n_train=9)
    with pytest.raises(ValueError, match=r"hidden is torch.float32 of shape \(2, 3\)"):
        probe_absolute(torch.ones(2, 3), n_train=1)
    with pytest.raises(ValueError, match=r"alpha=0 must be above 0"):
        ridge(torch.ones(3, 2), torch.ones(3), alpha=0)
    with pytest.raises(ValueError, match=r"x has shape \(3, 2\) and y \(2,\)"):
        ridge(torch.ones(3, 2), torch.ones(2))
