"""The loop: one step against independent code, its batches, and what stops it."""

import math
import pickle
from dataclasses import replace
from itertools import islice

import pytest
import torch

from embedlib.extrapolation import Diverged, TrainConfig, batch_at, new_run, train
from embedlib.extrapolation.tasks import BackTask, SortTask
from embedlib.extrapolation.train import MAX_GRADIENT, PATIENCE
from embedlib.transformer.decoder import Decoder
from tests.embedlib.extrapolation.small import small


def weights_of(decoder: Decoder) -> dict[str, torch.Tensor]:
    return {name: value.detach().clone() for name, value in decoder.named_parameters()}


@pytest.mark.parametrize("rate", [0.005, 2.0])
def test_a_step_is_adamw_on_the_shortened_gradient_written_out(rate: float) -> None:
    config = small(learning_rate=rate, weight_decay=0.1)
    run = new_run(config)
    mean = {name: torch.zeros_like(value) for name, value in run.decoder.named_parameters()}
    square = {name: torch.zeros_like(value) for name, value in run.decoder.named_parameters()}
    steps = train(run)
    for step in range(3):
        before = weights_of(run.decoder)
        _, inputs, targets = batch_at(config, step)
        logits = run.decoder(inputs)[:, -targets.shape[1] :]
        loss = -logits.log_softmax(-1).gather(-1, targets[..., None]).mean()
        names = list(before)
        gradients = dict(zip(names, torch.autograd.grad(loss, list(run.decoder.parameters())), strict=True))
        norm = math.sqrt(sum(float(gradient.double().square().sum()) for gradient in gradients.values()))
        done = next(steps)
        assert done.loss == pytest.approx(float(loss.detach()), rel=1e-5)
        for name, value in run.decoder.named_parameters():
            gradient = gradients[name] * min(1.0, MAX_GRADIENT / norm)
            mean[name] = 0.9 * mean[name] + 0.1 * gradient
            square[name] = 0.98 * square[name] + 0.02 * gradient**2
            now = config.learning_rate_at(step)
            expected = before[name] * (1 - now * 0.1) - now * (mean[name] / (1 - 0.9 ** (step + 1))) / (
                (square[name] / (1 - 0.98 ** (step + 1))).sqrt() + 1e-8
            )
            # Where a gradient is nearly 0 its sign, and with it the step of Adam, is rounding.
            sure = gradient.abs() > 1e-5
            torch.testing.assert_close(value.detach()[sure], expected[sure], rtol=1e-3, atol=1e-3 * now)


def test_steps_say_what_they_are() -> None:
    config = small()
    run = new_run(config)
    steps = list(train(run))
    assert [step.number for step in steps] == list(range(1, 13))
    assert [step.share for step in steps] == [pytest.approx(number / 12) for number in range(1, 13)]
    assert [step.loss for step in steps] == run.losses
    assert [step.learning_rate for step in steps] == [config.learning_rate_at(number) for number in range(12)]
    assert [step.length for step in steps] == [batch_at(config, number)[0] for number in range(12)]
    assert run.share == 1
    assert all(step.run is run for step in steps)


def test_equal_configs_give_equal_runs_and_other_seeds_others() -> None:
    one, same, other = (list(train(config))[-1].run for config in (small(), small(), small(seed=4)))
    assert one.losses == same.losses
    assert one.losses != other.losses
    for a, b in zip(one.decoder.parameters(), same.decoder.parameters(), strict=True):
        assert torch.equal(a, b)


def test_no_scheme_and_no_earlier_step_has_a_part_in_a_batch() -> None:
    config = small()
    length, inputs, targets = batch_at(config, 7)
    for other in (replace(config, scheme="none"), replace(config, n_layers=1, learning_rate=1.0)):
        assert batch_at(other, 7)[0] == length
        assert torch.equal(batch_at(other, 7)[1], inputs)
        assert torch.equal(batch_at(other, 7)[2], targets)
    assert not torch.equal(batch_at(small(seed=4), 7)[2], targets)


def test_every_length_of_training_is_drawn_about_as_often() -> None:
    config = small(task=SortTask(n_values=9, shortest=2, longest=5), batch_size=1)
    lengths = [batch_at(config, step)[0] for step in range(800)]
    assert set(lengths) == {2, 3, 4, 5}
    assert all(150 < lengths.count(length) < 250 for length in (2, 3, 4, 5))


def test_a_run_that_was_closed_goes_on_to_where_an_unbroken_one_comes() -> None:
    unbroken, stopped = new_run(small()), new_run(small())
    list(train(unbroken))
    for _ in range(3):
        steps = train(stopped)
        list(islice(steps, 4))
        steps.close()
    assert stopped.losses == unbroken.losses
    for a, b in zip(stopped.decoder.parameters(), unbroken.decoder.parameters(), strict=True):
        assert torch.equal(a, b)
    assert list(train(stopped)) == []


def test_the_weights_learn() -> None:
    config = TrainConfig(
        BackTask(n_values=4, back=1, shortest=3, longest=8), n_heads=2, d_model=16, batch_size=16, n_steps=120
    )
    losses = list(train(config))[-1].run.losses
    assert min(losses[:5]) > 1.2
    assert sum(losses[-10:]) / 10 < 0.4


def test_the_global_random_state_is_left_alone() -> None:
    before = torch.get_rng_state()
    list(train(small(n_steps=2)))
    assert torch.equal(torch.get_rng_state(), before)


def test_a_rate_that_is_too_high_is_said_and_the_weights_stay_finite() -> None:
    run = new_run(small(scheme="none", d_model=32, learning_rate=3.0, n_steps=300))
    with pytest.raises(Diverged, match=r"training diverged at step \d+, .* learning_rate=3.0 is too high") as caught:
        list(train(run))
    error = caught.value
    assert error.code == "worse_than_chance"
    assert error.run is run
    assert error.step == run.n_done + 1 > PATIENCE
    assert min([*run.losses[-PATIENCE + 1 :], error.loss]) > math.log(10) + 2
    assert all(bool(value.isfinite().all()) for value in run.decoder.parameters())
    sent = pickle.loads(pickle.dumps(error))  # our own bytes, as between two processes
    assert (sent.code, sent.step, sent.loss, str(sent)) == (error.code, error.step, error.loss, str(error))
    assert torch.equal(sent.run.decoder.rows, run.decoder.rows)


@pytest.mark.parametrize("poison", [math.nan, math.inf])
def test_a_loss_that_is_no_number_stops_the_run_before_the_weights_are_touched(poison: float) -> None:
    run = new_run(small())
    steps = train(run)
    next(steps)
    with torch.no_grad():
        run.decoder.rows[0, 0] = poison
    before = weights_of(run.decoder)
    with pytest.raises(Diverged, match="diverged at step 2") as caught:
        next(steps)
    assert caught.value.code == "not_finite"
    assert run.n_done == 1
    for name, value in run.decoder.named_parameters():
        torch.testing.assert_close(value.detach(), before[name], rtol=0, atol=0, equal_nan=True)


def test_a_low_rate_that_leaves_fresh_weights_worse_than_chance_is_no_divergence() -> None:
    run = new_run(small(learning_rate=1e-6, n_steps=PATIENCE + 20))
    with torch.no_grad():
        run.decoder.rows *= 40
    list(train(run))
    assert min(run.losses[1:]) > math.log(10) + 2
