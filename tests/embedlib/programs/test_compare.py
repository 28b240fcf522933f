import re
from pathlib import Path
from typing import Any

import pytest
import torch
from torch import Tensor

from embedlib import embed_text, get_tokenizer, make_scheme
from embedlib.measures import MEASURES, MeasureContext
from embedlib.measures.profiles import acts_by_logits, profile_or_none, relative, standard
from embedlib.positional import SCHEMES
from embedlib.programs import compare_program
from embedlib.transformer.attention import attention_pattern
from embedlib.word2vec import trained_rows
from tests.embedlib.programs.running import run

TEXT = "日本 \"quoted\" ''' {seed}\n\\"
SIZES: dict[str, Any] = {"d_model": 16, "n_heads": 2, "seed": 5, "n_positions": 20, "max_tokens": 7}


def program(text: str = TEXT, **changes: Any) -> str:
    given = {
        "tokenizer": "gpt2",
        "table": "random",
        "head": 1,
        "unit": "relative",
        "schemes": {"none": {}, "alibi": {}},
    }
    return compare_program(text, **(SIZES | given | changes))


def printed(output: str, name: str) -> Tensor | None:
    """Read one tensor out of what was printed, in one row; None where None was printed."""
    actual = re.search(rf"^{name} (?:tensor\((.*?)\)|None)$", output, re.DOTALL | re.MULTILINE)
    assert actual, output
    if actual[1] is None:
        return None
    return torch.tensor([float(number) for number in re.findall(r"-?\d+\.\d*", actual[1])])


def assert_printed(output: str, name: str, expected: Tensor | None) -> None:
    actual = printed(output, name)
    if expected is None or actual is None:
        assert expected is None
        assert actual is None
    else:
        torch.testing.assert_close(actual, expected.flatten().float(), rtol=0, atol=0.5e-4 + 1e-6)


def test_trained_rows_are_those_that_it_compares_with() -> None:
    text = "The King fed a puppy, a piglet and 日本"
    source = program(text, table="trained", d_model=64, seed=5, max_tokens=9, schemes={"none": {}})
    _output, names = run(source)
    table, _known = trained_rows(get_tokenizer("gpt2"), seed=5)
    assert torch.equal(names["rows"], embed_text(text, table=table, max_tokens=9).token_embeddings)


@pytest.mark.parametrize(
    ("unit", "head", "tokenizer"),
    [("relative", -1, "gpt2"), pytest.param("standard", 1, "characters", marks=pytest.mark.thorough)],
)
def test_it_prints_what_the_library_finds_for_every_scheme(
    unit: str, head: int, tokenizer: str, tmp_path: Path
) -> None:
    given: dict[str, dict[str, Any]] = {name: {} for name in SCHEMES}
    given["rope"], given["learned"] = {"base": 500.0, "pairing": "interleaved"}, {"std": 0.25, "seed": 4}
    output, _names = run(program(unit=unit, head=head, tokenizer=tokenizer, schemes=given))
    embedded = embed_text(
        TEXT, tokenizer=tokenizer, scheme="none", d_model=16, seed=5, max_tokens=7, scale_by_sqrt_d=False
    )
    rows = embedded.token_embeddings
    context = MeasureContext(20, rows[torch.arange(20) % len(rows)], 5)
    for name, parameters in given.items():
        scheme = make_scheme(name, d_model=16, n_heads=2, **parameters).requires_grad_(False)
        profile = profile_or_none(scheme, 20)
        if profile is not None:
            logits = acts_by_logits(scheme)
            profile = relative(profile, profile, logits=logits) if unit == "relative" else standard(profile)
        assert_printed(output, f"{name} by distance", profile)
        pattern = attention_pattern(scheme, rows, seed=5)
        assert_printed(output, f"{name} attention", pattern.mean(0) if head < 0 else pattern[head])
        for measure in MEASURES.values():
            line = re.search(rf"^{name} {measure.name} (.*)$", output, re.MULTILINE)
            assert line
            value = measure.compute(scheme, context)
            assert line[1] == "None" if value is None else float(line[1]) == pytest.approx(value, rel=1e-4, abs=1e-6)


def test_another_unit_is_refused_with_the_choices() -> None:
    with pytest.raises(ValueError, match=r"unit='metre' must be one of relative, standard"):
        program(unit="metre")
