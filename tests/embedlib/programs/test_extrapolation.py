"""The program of the page that trains short prints the very numbers that the page's runs have."""

import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import torch

from embedlib.extrapolation import EXPERIMENTS, Experiment, Shape, experiment_units, experiments, run_unit, score_values
from embedlib.programs import extrapolation_program
from embedlib.texts import reference_manual
from tests.embedlib.programs.running import run

TINY: dict[str, Any] = {"n_layers": 1, "n_heads": 2, "d_model": 8, "n_steps": 3, "learning_rate": 0.01}
SHAPES = {
    "sort": Shape(3, (2, 3, 6), 5, n_values=8, **TINY),
    "back": Shape(8, (8, 12), 5, n_values=4, **TINY),
    "text": Shape(8, (8, 16), 5, **TINY),
    "scaling": Shape(8, (8, 16), 5, **TINY),
}
SCHEMES = {"sort": ("learned", "t5"), "back": ("none", "rope"), "text": ("alibi",), "scaling": ("rope",)}
SEEDS = (0, 2)


@pytest.fixture(autouse=True)
def _threads() -> Iterator[None]:
    before = torch.get_num_threads()
    torch.set_num_threads(1)
    yield
    torch.set_num_threads(before)


def tiny(name: str, monkeypatch: pytest.MonkeyPatch) -> Experiment:
    whole = replace(EXPERIMENTS[name], shapes={"small": SHAPES[name]})
    monkeypatch.setitem(experiments.EXPERIMENTS, name, whole)
    return whole


def written(experiment: Experiment, **changes: Any) -> str:
    shape = experiment.shapes["small"]
    given: dict[str, Any] = {
        "schemes": SCHEMES[experiment.name],
        "seeds": SEEDS,
        "measure": experiment.measure,
        "n_steps": shape.n_steps,
        "learning_rate": shape.learning_rate,
    }
    return extrapolation_program(experiment, **(given | changes))


def printed(output: str, line: str) -> torch.Tensor:
    actual = re.search(
        rf"^{line} each seed tensor\((.*?)(?:, dtype=torch.float64)?\)$", output, re.DOTALL | re.MULTILINE
    )
    assert actual, output
    return torch.tensor([float(number) for number in re.findall(r"-?\d+\.\d*", actual[1])])


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("sort", None),
        ("back", None),
        ("text", "a short \"text\" ''' {text} \\ 日本\n" * 8),
        ("text", "a long one of more than two thousand characters, " * 50),
        ("scaling", None),
    ],
)
def test_it_prints_the_scores_of_the_pages_runs(
    name: str, text: str | None, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    whole = tiny(name, monkeypatch)
    (tmp_path / "text.txt").write_text(text or "", encoding="utf-8")
    task = whole.task(reference_manual() if text is None else text) if whole.needs_text else whole.task()
    source = "" if not whole.needs_text else "manual" if text is None else "another"
    units = experiment_units(name, schemes=SCHEMES[name], seeds=SEEDS, source=source)
    finished = [run_unit(unit, task) for unit in units]
    # A loss: of 0 right answers every run has as many.
    output, _names = run(written(whole, text=text, measure="loss"), tmp_path)
    n_lengths = len(SHAPES[name].lengths)
    for line in whole.lines if whole.scales_rope else SCHEMES[name]:
        scores = {one.unit.seed: one.scores[line] for one in finished if line in one.scores}
        expected = score_values(scores, "loss", n_lengths)
        assert expected.shape == (len(SEEDS), n_lengths)
        torch.testing.assert_close(printed(output, line), expected.flatten().float(), rtol=0, atol=0.5e-4 + 1e-6)


def test_a_scheme_that_was_typed_stands_in_the_program_and_prints_its_scores(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    whole = tiny("back", monkeypatch)
    formulas = {
        "mine": {
            "bias": "-a * (q - k) / L",
            "scale": "0.25 + 0.0000001 * (" + " + ".join(["1"] * 60) + ")",
            "parameters": "a[h] ~ 0.5",
        }
    }
    source = written(whole, schemes=("rope", "mine"), formulas=formulas, measure="loss")
    assert max(map(len, source.splitlines())) <= 120
    output, _names = run(source, tmp_path)
    for line in ("rope", "mine"):
        units = experiment_units("back", schemes=[line], seeds=SEEDS, formulas=formulas)
        expected = [score.loss for unit in units for score in run_unit(unit).scores[unit.scheme]]
        torch.testing.assert_close(printed(output, line), torch.tensor(expected), rtol=0, atol=0.5e-4 + 1e-6)


def test_a_long_text_is_read_from_a_file() -> None:
    assert 'Path("text.txt")' in written(EXPERIMENTS["text"], text="a" * 2_001)
    assert "Path" not in written(EXPERIMENTS["text"], text="a" * 2_000)


@pytest.mark.parametrize("name", EXPERIMENTS)
def test_it_is_narrow_enough_to_read_and_names_the_experiments_own_sizes(name: str) -> None:
    source = written(EXPERIMENTS[name])
    assert max(map(len, source.splitlines())) <= 120
    assert str(EXPERIMENTS[name].shapes["small"].lengths) in source


def test_on_a_gpu_the_program_asks_for_one() -> None:
    for name in ("sort", "scaling"):
        assert 'device=torch.device("cuda")' in written(EXPERIMENTS[name], cuda=True)
        assert "device" not in written(EXPERIMENTS[name])


def test_the_wide_programs_have_rows_for_every_length() -> None:
    for name, rows in (("sort", 8_192), ("back", 4_096)):
        assert f"max_seq_len={rows}" in written(EXPERIMENTS[name], size="wide")
