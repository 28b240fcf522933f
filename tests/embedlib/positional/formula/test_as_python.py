"""What a formula is written as runs by itself, and comes to the same, number by number."""

import importlib.util
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
import torch

from embedlib.positional import SCHEMES, STARTING_POINTS, PositionalScheme, formula_python, make_scheme
from embedlib.positional.formula import FUNCTIONS
from tests.embedlib.positional import test_base

EVERY_FUNCTION = (
    "where(even(i), sin(p) - cos(i)*tan(p/9), exp(-p) + log(p + 1) * sqrt(i)) + abs(p - i) + floor(p/3) + "
    "sign(i - 3) + sigmoid(p) * relu(p - i) + odd(p) + min(p, i, 3) + max(p, 2) + mod(p, 3) + clip(p, 1, i) + "
    "sum(i * p) * 2**-3"
)
OTHERS: dict[str, dict[str, Any]] = {
    "functions": {"rows": EVERY_FUNCTION},
    "operators": {"rows": "(p // 3) ** 2 - (i % 4) * -p / (L + H) + (-2)**i + (p < i) * 0.1 + (p != 3) + 2**3**0 - -d"},
    "what Python computes in its own way": {
        "rows": "where(p < 0, 9**9**9 / 0, 2**-3) + (1 // 0.1) * (p // 0.1) + (1 < 2) + (p < 9) - (i == p) - -2**2",
        "bias": "where(2 < 1, " + "9" * 30 + " * q % 0, +sum((k - i) / 7 // 0.1)) + (q - k <= 2) * (h > 0)",
    },
    "conditions within conditions": {"rows": "where(" * 30 + "p" + ", p, i)" * 30},
    "names": {
        "turn": "(__x + self + rows * scales) / (name + heads + p) * angles", "scale": "at * keys + scale",
        "parameters": "__x = 1; rows = 2; scales = 3; self ~ 4; name = 5\n"
        "heads[h] ~ 6; angles = 7; at ~ 8; keys = 9; scale = 1",
    },
    "numbers alone": {"rows": "where(1, 2 * pi, e)", "bias": "sum(0.5)", "turn": "1", "scale": "max(1, 2)"},
    "one place after another": {
        "rows": "sin(p * i)", "turn": "p * (h + 1) / (i + 1)", "bias": "-a * abs(q - k) + torch * h + q * k",
        "scale": "bias * log(q + 2) * h", "parameters": "a[h] ~ 0.5, 1, 2\ntorch ~ -1\nbias = 0.3 (0..1)",
    },
    "tables": {
        "rows": "where(p < 4, t[p], t[mod(i, 4)]) * sum(t[min(i, 3)] + p)",
        "bias": "entry[min(q - k, 4)] * t[mod(h, 4)]", "scale": "entry[h, 1]",
        "parameters": "t[4] ~ 0.1, 0.2, 0.3, 0.4\nentry[h, 5] ~ 1, 2, 3, 4, 5",
    },
    "causal only": {"bias": "-log(1 + f64 * (q - k)) - q / (k + 1)", "parameters": {"f64": 0.5}},
    "a fixed scale": {"scale": "2 / d", "turn": "p / base**i", "parameters": {"base": 50.0}},
}  # fmt: skip
CASES = {**{name: dict(point.lines) for name, point in STARTING_POINTS.items()}, **OTHERS}


def loaded(code: str, folder: Path) -> ModuleType:
    path = folder / "written.py"
    path.write_text(code, encoding="utf-8")
    spec = importlib.util.spec_from_file_location("written", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def same(mine: torch.Tensor, theirs: torch.Tensor) -> None:
    torch.testing.assert_close(mine, theirs, rtol=1e-12, atol=1e-12)


def test_the_cases_have_every_function() -> None:
    assert all(f"{name}(" in EVERY_FUNCTION for name in FUNCTIONS)


@pytest.mark.parametrize("name", CASES)
def test_a_plain_module_gives_the_same_logits_and_rows(name: str, tmp_path: Path) -> None:
    scheme = make_scheme("formula", d_model=24, n_heads=3, **CASES[name]).double()
    code = formula_python(scheme).module
    assert len(code.splitlines()) < 100
    assert "embedlib" not in code
    module = loaded(code, tmp_path).MySchemeLogits()
    q, k = torch.randn(2, 2, 3, 9, 8, dtype=torch.float64, generator=torch.Generator().manual_seed(0))
    for causal in (True, scheme.causal_only):
        same(module(q, k, causal=causal, offset=2), scheme.scores(q, k, causal=causal, offset=2))
    if "rows" in CASES[name]:
        same(module.rows(9, offset=2), scheme.position_table(9, offset=2))


def test_both_files_hold_the_text_that_was_typed() -> None:
    typed = "-slope[h] * abs(q-k)  + log(16)/pi * where(q > k, 1, 2.50)"
    code = formula_python(make_scheme("formula", d_model=8, n_heads=2, bias=typed, parameters="slope[h] ~ 1"))
    for file in (code.scheme, code.module):
        assert f"def bias(q, k, slope):\n    return {typed.replace('[h]', '')}\n" in file


@pytest.mark.parametrize("name", CASES)
def test_a_scheme_file_is_a_scheme_like_any_other(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    formula = make_scheme("formula", d_model=24, n_heads=3, **CASES[name]).double()
    written = loaded(formula_python(formula).scheme, tmp_path).MyScheme
    assert issubclass(written, PositionalScheme)
    monkeypatch.setitem(SCHEMES, "my_scheme", written)
    scheme = make_scheme("my_scheme", d_model=24, n_heads=3).double()
    scheme.load_state_dict(formula.state_dict())
    assert (scheme.acts_on, scheme.causal_only) == (formula.acts_on, formula.causal_only)
    q, k, v = torch.randn(3, 2, 3, 9, 8, dtype=torch.float64, generator=torch.Generator().manual_seed(0))
    causal = formula.causal_only
    same(scheme.attend(q, k, v, causal=causal, offset=2), formula.attend(q, k, v, causal=causal, offset=2))
    if "embedding" in formula.acts_on:
        same(scheme.position_table(9, offset=2), formula.position_table(9, offset=2))
    if "score" in formula.acts_on:
        for hidden in {True, causal}:
            same(scheme.bias(9, causal=hidden, offset=2), formula.bias(9, causal=hidden, offset=2))
    if formula.acts_on and not causal:
        same(scheme.similarity(9), formula.similarity(9))
    if name in STARTING_POINTS:  # whose numbers are not those of the sizes it was written at
        again = (make_scheme(which, d_model=32, n_heads=2, **given) for which, given in
                 (("my_scheme", {}), ("formula", CASES[name])))  # fmt: skip
        x, y = (other.double() for other in again)
        q, k = torch.randn(2, 2, 7, 16, dtype=torch.float64, generator=torch.Generator().manual_seed(1))
        same(x.scores(q, k), y.scores(q, k))
        rows = torch.zeros(7, 32, dtype=torch.float64)
        same(x.encode(rows), y.encode(rows))
    test_base.test_each_scheme_says_what_it_is("my_scheme")
    if name != "one place after another":  # whose numbers are three, one for each head
        test_base.test_each_parameter_can_be_given_its_default_and_each_of_its_choices("my_scheme")
    if name not in ("functions", "operators", "sinusoidal_2d"):
        test_base.test_rows_are_the_tokens_plus_their_positions_to_the_bit("my_scheme")


@pytest.mark.parametrize(
    ("title", "class_name", "name"),
    [
        ("My wave", "MyWave", "my_wave"),
        *(("", "MyScheme", "my_scheme"), ("..._", "MyScheme", "my_scheme"), ("3D waves", "My3DWaves", "my_3d_waves")),
        *(("漢字 波", "漢字波", "漢字_波"), ("हिन्दी", "हिन्दी", "हिन्दी"), ("\ufb01x \u00bd", "Fix12", "fix_1_2")),
        *(
            ("class", "MyClass", "my_class"),
            ("none", "MyNone", "my_none"),
            ("Exception", "MyException", "my_exception"),
        ),
        *(("RoPE", "MyRoPE", "my_rope"), ("kerple positions", "MyKerplePositions", "my_kerple_positions")),
        *(("torch", "MyTorch", "my_torch"), ("JSON", "MyJSON", "my_json"), ("base", "MyBase", "my_base")),
        ('x"""\n\\{y}', "XY", "x_y"),
    ],
)
def test_both_files_are_called_by_the_schemes_name(title: str, class_name: str, name: str, tmp_path: Path) -> None:
    code = formula_python(make_scheme("formula", d_model=8, n_heads=2, bias="q - k"), title)
    assert code.name == name
    written = getattr(loaded(code.scheme, tmp_path), class_name)
    assert (written.name, written.title) == (name, title or "My scheme")
    assert getattr(loaded(code.module, tmp_path), f"{class_name}Logits")
