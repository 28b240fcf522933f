import subprocess
import sys
from pathlib import Path

import pytest
import torch
from torch import Tensor

from embedlib.adamw import AdamW


def parameters() -> list[Tensor]:
    generator = torch.Generator().manual_seed(1)
    return [torch.randn(*shape, generator=generator).requires_grad_() for shape in ((6, 3), (5,), (2, 2))]


@pytest.mark.parametrize("fused", [False, True])
def test_its_steps_are_torchs_own_to_the_bit_and_go_on_from_what_was_kept(fused: bool) -> None:
    theirs, ours = parameters(), parameters()
    known = torch.optim.AdamW(theirs, lr=0.02, betas=(0.9, 0.98), weight_decay=0.3, fused=fused or None)
    settings = {"learning_rate": 0.02, "betas": (0.9, 0.98), "weight_decay": 0.3, "fused": fused}
    own = AdamW(ours, **settings)
    generator = torch.Generator().manual_seed(5)
    for step in range(20):
        if step == 10:  # as a run that is read from its file
            kept = [own.state[parameter] for parameter in ours]
            own = AdamW(ours, **settings)
            for parameter, state in zip(ours, kept, strict=True):
                own.restore(parameter, int(state["step"]), exp_avg=state["exp_avg"], exp_avg_sq=state["exp_avg_sq"])
        rate = own.learning_rate = known.param_groups[0]["lr"] = 0.02 / (1 + step)
        own.zero_grad()
        known.zero_grad()
        for number, (parameter, other) in enumerate(zip(ours, theirs, strict=True)):
            if number < 2 or step > 2:  # the last one has no gradient at first
                gradient = torch.randn(parameter.shape, generator=generator) * 10.0 ** -(2 * step % 9)
                parameter.grad, other.grad = gradient, gradient.clone()
        own.step()
        known.step()
        assert all(torch.equal(parameter, other) for parameter, other in zip(ours, theirs, strict=True)), (step, rate)


@pytest.mark.thorough
def test_no_training_waits_for_torchs_compiler() -> None:
    program = """
import sys, torch
from embedlib.embedding.gradients import train_rows
from embedlib.extrapolation import Unit, run_unit
from embedlib.word2vec import SkipGramConfig, skip_gram, word_corpus
train_rows(torch.ones(4, 2), [torch.arange(4)], optimizer="adamw")
run_unit(Unit("sort", "none", n_steps=1))
assert list(skip_gram(word_corpus("a b c d e f g h i j k l. " * 40), SkipGramConfig(steps=1)))
print("torch._dynamo" in sys.modules)
"""
    done = subprocess.run(
        [sys.executable, "-c", program], cwd=Path(__file__).parents[2], capture_output=True, text=True, check=True
    )
    assert done.stdout.strip() == "False"
