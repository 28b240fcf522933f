"""What can be written in a formula, what it comes to, and where an error says that something is wrong."""

import math
import pickle
from collections.abc import Callable
from typing import Any

import pytest
import torch

from embedlib.measures import relative_similarity
from embedlib.positional import FormulaError, PositionalScheme, make_scheme
from embedlib.positional.formula import FORMULA_ERRORS, FUNCTIONS, read_formula, read_parameters
from embedlib.positional.formula.latex import tree_latex


def formula(d_model: int = 12, n_heads: int = 3, max_seq_len: int = 64, **lines: Any) -> PositionalScheme:
    return make_scheme("formula", d_model=d_model, n_heads=n_heads, max_seq_len=max_seq_len, **lines).double()


def error_of(**lines: Any) -> FormulaError:
    with pytest.raises(FormulaError) as raised:
        formula(**lines)
    return raised.value


# A formula of rows, and the same in Python.
ROWS: list[tuple[str, Callable[[int, int], float]]] = [
    ("p + i - 2 * p / (i + 1)", lambda p, i: p + i - 2 * p / (i + 1)),
    ("-p**2 + 2**-i", lambda p, i: -(p**2) + 2.0**-i),
    ("2**i**0.5", lambda p, i: 2 ** (i**0.5)),
    ("(i - 5) // 2 + (i - 5) % 3", lambda p, i: (i - 5) // 2 + (i - 5) % 3),
    ("mod(p - 3, 4) + +p", lambda p, i: (p - 3) % 4 + p),
    ("(p < 3) + 2*(p <= 3) + 4*(i > 2) + 8*(i >= 2)", lambda p, i: (p < 3) + 2 * (p <= 3) + 4 * (i > 2) + 8 * (i >= 2)),
    ("0.1 * (p == i) + (p != i)", lambda p, i: 0.1 * (p == i) + (p != i)),
    ("where(even(i), 1, where(odd(p), 2, 3))", lambda p, i: 1 if i % 2 == 0 else 2 if p % 2 else 3),
    ("sin(p) + cos(i) + tan(p/9)", lambda p, i: math.sin(p) + math.cos(i) + math.tan(p / 9)),
    ("exp(-p) * log(p + 1) * sqrt(i)", lambda p, i: math.exp(-p) * math.log(p + 1) * math.sqrt(i)),
    ("abs(p - i) + floor(-p/2) + sign(i - 3)", lambda p, i: abs(p - i) + math.floor(-p / 2) + (i > 3) - (i < 3)),
    ("min(p, i, 3) + max(p, 2)", lambda p, i: min(p, i, 3) + max(p, 2)),
    ("clip(p - 3, -1, i)", lambda p, i: min(max(p - 3, -1), i)),
    ("sigmoid(p - i) + relu(p - i)", lambda p, i: 1 / (1 + math.exp(i - p)) + max(0, p - i)),
    ("sum(i * p) + pi - e + d + H + L", lambda p, i: 66 * p + math.pi - math.e + 12 + 3 + 64),
    ("1.5e1 + .5 + 2. + slope", lambda p, i: 18.25),
]


@pytest.mark.parametrize(("text", "by_hand"), ROWS, ids=[text for text, _ in ROWS])
def test_a_formula_comes_to_what_python_makes_of_it(text: str, by_hand: Callable[[int, int], float]) -> None:
    table = formula(rows=text, parameters={"slope": 0.75}).position_table(7, offset=2)
    expected = [[by_hand(p, i) for i in range(12)] for p in range(2, 9)]
    torch.testing.assert_close(table, torch.tensor(expected, dtype=torch.float64), rtol=1e-13, atol=1e-13)


@pytest.mark.parametrize(
    ("text", "latex"),
    [
        ("-2 * p / d", r"\frac{-2 \cdot p}{d}"),
        ("p - (i - d)", r"p - \left( i - d \right)"),
        ("p + -i", r"p + \left( -i \right)"),
        ("(p + 1)**-mod(i, 2)", r"\left( p + 1 \right)^{-\left( i \bmod 2 \right)}"),
        ("slope_2 * 1e-9 * omega", r"\mathrm{slope\_2} \cdot \left( 1 \cdot 10^{-9} \right)"),
        (
            "where(even(i), 1, 0.5)",
            r"\begin{cases} 1 & \text{if } i \text{ even} \\ 0.5 & \text{otherwise} \end{cases}",
        ),
        ("sum(i)", r"\sum_{i=0}^{d-1} i"),
    ],
)
def test_mathematics_keeps_what_binds(text: str, latex: str) -> None:
    parameters = read_parameters("slope_2 = 1; omega = 1")
    tree = read_formula(text, line="rows", parameters=parameters)
    written = tree_latex(tree, line="rows").removeprefix(r"\mathrm{PE}(p, i) = ")
    assert written == latex if "omega" not in text else written == r"\mathrm{slope\_2} \cdot 10^{-9} \cdot \omega"


@pytest.mark.parametrize("causal", [True, False])
@pytest.mark.parametrize(
    ("text", "by_hand"),
    [
        ("-(h + 1) * abs(q - k) / H", lambda h, q, k: -(h + 1) * abs(q - k) / 3),
        ("0.5 * (k - q)", lambda h, q, k: 0.5 * (k - q)),
        ("log(1 + q) - k", lambda h, q, k: math.log(1 + q) - k),
        ("sum(cos((q - k) * (i + 1)))", lambda h, q, k: sum(math.cos((q - k) * (i + 1)) for i in range(6))),
        ("sum(q + k * i + h)", lambda h, q, k: sum(q + k * i + h for i in range(6))),
        ("2", lambda h, q, k: 2),
    ],
)
def test_a_bias_is_computed_for_every_pair(text: str, by_hand: Callable[[int, int, int], float], causal: bool) -> None:
    bias = formula(bias=text).bias(6, causal=causal, offset=4)
    expected = [
        [[by_hand(h, q, k) if k <= q or not causal else 0.0 for k in range(4, 10)] for q in range(4, 10)]
        for h in range(3)
    ]
    torch.testing.assert_close(bias, torch.tensor(expected, dtype=torch.float64), rtol=1e-12, atol=1e-12)


def test_blocks_of_positions_and_of_terms_change_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    lines = {"rows": "sin(p * i) + sum(p / (i + 1))", "bias": "q / (k + 1) + sum(cos(q * i - k))", "turn": "p * h"}
    before = formula(**lines)
    whole = [before.position_table(9), before.bias(9), before.bias(9, causal=False), before.angles(9)]
    monkeypatch.setattr("embedlib.positional.formula.evaluate.AT_ONCE", 7)
    monkeypatch.setattr("embedlib.positional.formula.scheme.AT_ONCE", 40)
    parts = [before.position_table(9), before.bias(9), before.bias(9, causal=False), before.angles(9)]
    for one, other in zip(whole, parts, strict=True):
        torch.testing.assert_close(one, other, rtol=1e-13, atol=1e-13)


def test_several_places_act_together_and_a_scale_may_depend_on_the_query() -> None:
    both = formula(turn="p * (h + 1) / (i + 1)", bias="-abs(q - k)", scale="log(q + 2) / sqrt(d)")
    q, k = torch.randn(2, 3, 5, 4, dtype=torch.float64, generator=torch.Generator().manual_seed(0))
    logits = both.scores(q, k, causal=False, offset=2)
    for h in range(3):
        for i in range(5):
            for j in range(5):
                at, key = i + 2, j + 2
                product = 0.0
                for pair in range(2):
                    turn = complex(0, (at - key) * (h + 1) / (pair + 1))
                    one = complex(*q[h, i, 2 * pair : 2 * pair + 2].tolist())
                    other = complex(*k[h, j, 2 * pair : 2 * pair + 2].tolist())
                    product += (one * math.e**turn * other.conjugate()).real
                expected = product * math.log(at + 2) / 2 - abs(at - key)
                assert float(logits[h, i, j]) == pytest.approx(expected, abs=1e-12)
    assert both.acts_on == {"query_key", "score"}
    fixed = formula(scale="1 / d")
    assert (fixed.acts_on, fixed.logit_scale()) == (frozenset(), 0.25)
    torch.testing.assert_close(fixed.scores(q, k, causal=False), q @ k.transpose(-1, -2) / 4)


def test_a_bias_that_later_keys_have_not_is_causal_only() -> None:
    scheme = formula(bias="-log(1 + a * (q - k))", parameters="a ~ 0.5")
    assert scheme.causal_only
    bias = scheme.bias(5)
    assert float(bias[2, 4, 1].detach()) == pytest.approx(-math.log(2.5))
    bias.sum().backward()
    assert bool(scheme.learned_parameters()["a"].grad.isfinite())
    with pytest.raises(FormulaError, match="not finite") as raised:
        scheme.bias(5, causal=False)
    assert raised.value.values["place"] == "q = 0, k = 2"
    by_pair = formula(bias="-log(1 + q - k)")  # which reads q and k apart: nothing later is computed here either
    assert by_pair.causal_only
    assert float(by_pair.bias(40)[1, 39, 36]) == pytest.approx(-math.log(4))
    assert formula(bias="log(20 + q - k)").causal_only  # though the first few later keys have a value
    similar = by_pair.similarity(6)
    later = torch.ones(6, 6, dtype=torch.bool).triu(1)
    assert torch.equal(similar.isnan(), later)
    assert torch.equal(similar[~later], by_pair.bias(6).mean(0)[~later])
    relative = relative_similarity(by_pair, 6)
    assert relative is not None
    assert relative[5, :6].tolist() == pytest.approx([1 / 6, 1 / 5, 1 / 4, 1 / 3, 1 / 2, 1])


@pytest.mark.parametrize(
    ("text", "slope"),
    [
        ("a * where(q > k, log(q - k), 0)", lambda d: math.log(d) if d else 0.0),  # 0 · -∞ where it is left out
        ("sqrt(a * (q - k))", lambda d: math.sqrt(d) / 2),  # a slope of ∞ · 0 at the distance 0
        ("(a * (q - k))**0.5", lambda d: math.sqrt(d) / 2),
        ("abs(q - k)**a", lambda d: d * math.log(d) if d else 0.0),
        ("sum(a * (q - k))", lambda d: 6 * d),
    ],
)
def test_gradients_are_those_on_paper_and_never_undefined(text: str, slope: Callable[[int], float]) -> None:
    scheme = formula(bias=text, parameters="a ~ 1")
    bias = scheme.bias(6)
    for distance in range(6):
        scheme.zero_grad()
        bias[0, distance, 0].backward(retain_graph=True)
        assert float(scheme.learned_parameters()["a"].grad) == pytest.approx(slope(distance), abs=1e-12)


def test_learned_numbers_may_be_one_a_head() -> None:
    scheme = formula(bias="-a * abs(q - k) + b", parameters="a[h] ~ 0.5, 1, 2\nb ~ -1")
    shapes = {name: tuple(weight.shape) for name, weight in scheme.learned_parameters().items()}
    assert shapes == {"a": (3,), "b": ()}
    assert scheme.bias(4)[:, 3, 1].tolist() == [-2.0, -3.0, -5.0]
    scheme.bias(4)[1, 3, 1].backward()
    assert scheme.learned_parameters()["a"].grad.tolist() == [0.0, -2.0, 0.0]
    again = make_scheme("formula", d_model=12, n_heads=3, **scheme.parameter_values)
    assert again.parameter_values == scheme.parameter_values
    again.load_state_dict(scheme.state_dict())
    assert error_of(bias="a", parameters="a[h] ~ 1, 2").code == "heads"


def test_a_table_is_read_by_its_index_and_learned_entry_by_entry() -> None:
    scheme = formula(bias="t[min(q - k, 2)] + own[h, q - k]", parameters="t[3] ~ 1, 2, 4\nown[h, 5] ~ 0")
    assert {name: tuple(weight.shape) for name, weight in scheme.learned_parameters().items()} == {
        "t": (3,),
        "own": (3, 5),
    }
    scheme.learned_parameters()["own"].data[1, 4] = 8
    bias = scheme.bias(5)
    assert bias[:, 4].tolist() == [[4, 4, 4, 2, 1], [12, 4, 4, 2, 1], [4, 4, 4, 2, 1]]
    bias[2].sum().backward()
    assert scheme.learned_parameters()["t"].grad.tolist() == [5, 4, 6]
    assert scheme.learned_parameters()["own"].grad.tolist() == [[0] * 5, [0] * 5, [5, 4, 3, 2, 1]]
    every = "t[h, 2] ~ 0, 1, 2, 3, 4, 5"
    assert formula(bias="t[h, k % 2]", parameters=every).bias(2)[:, 1].tolist() == [[0, 1], [2, 3], [4, 5]]


def test_parameters_are_read_from_lines_and_from_numbers() -> None:
    lines = read_parameters("base = 10000 (10..1e6); a ~ .1\nb[h] ~ -1, 2 ;t[ 2 ] ~ 1,2; u[h ,3]~0")
    written = ["base = 10000.0 (10.0..1000000.0)", "a ~ 0.1", "b[h] ~ -1.0, 2.0", "t[2] ~ 1.0, 2.0", "u[h, 3] ~ 0.0"]
    assert [str(one) for one in lines.values()] == written
    assert read_parameters("\n".join(map(str, lines.values()))) == lines
    assert read_parameters({"base": 1e4, "n": 3, "a": "~ 0.1", "b[h]": "~ -1, 2"})["a"] == lines["a"]


@pytest.mark.parametrize(
    ("text", "code", "part"),
    [
        ("x = 1; y", "parameter", " y"),
        ("a = 1, 2", "parameter", "a = 1, 2"),
        ("a[h] = 1", "parameter", "a[h] = 1"),
        ("a ~ 1 (0..2)", "parameter", "a ~ 1 (0..2)"),
        ("a[0] ~ 1", "parameter", "a[0] ~ 1"),
        ("a[257] ~ 1", "parameter", "a[257] ~ 1"),
        ("a[3] ~ 1, 2", "heads", "a[3] ~ 1, 2"),
        ("a[h, 2] ~ 1, 2, 3", "heads", "a[h, 2] ~ 1, 2, 3"),
        ("ａ = 1", "parameter", "ａ = 1"),
        ("a = 1e999", "number", "a = 1e999"),
        ("a = 5 (0..2)", "range", "a = 5 (0..2)"),
        ("a = 5 (9..2)", "range", "a = 5 (9..2)"),
        ("sin = 1", "taken", "sin = 1"),
        ("lambda ~ 1", "taken", "lambda ~ 1"),
        ("__debug__ = 1", "taken", "__debug__ = 1"),  # which no program may assign to
        ("a = 1; a ~ 2", "taken", " a ~ 2"),
        ("; ".join(f"a{n} = 1" for n in range(17)), "too_many", " a16 = 1"),
        ({"a": True}, "parameter", "a = ?"),
        ({"a": 10**400}, "parameter", "a = ?"),
        ({5: 1.0}, "parameter", "5 = 1.0"),
    ],
)
def test_a_wrong_parameter_is_named_with_its_place(text: Any, code: str, part: str) -> None:
    error = error_of(bias="1", parameters=text)
    assert (error.line, error.code) == ("parameters", code)
    if isinstance(text, str):
        assert text[error.start : error.stop] == part


@pytest.mark.parametrize(
    ("lines", "code", "part"),
    [
        ({}, "nothing", ""),
        ({"rows": " "}, "nothing", ""),
        ({"rows": "p" * 501}, "too_long", "p"),
        ({"rows": "+".join("p" * 101)}, "too_many", "p"),
        ({"rows": "-" * 201 + "p"}, "too_many", "-p"),
        ({"rows": "(" * 51 + "p"}, "too_deep", "("),
        ({"rows": "p + ℎ"}, "character", "ℎ"),  # which Python reads as h
        ({"rows": "p\v+1"}, "character", "\v"),
        ({"rows": "'p'"}, "character", "'"),
        ({"rows": "p . real"}, "character", "."),
        ({"rows": "\ud800"}, "character", "\ud800"),
        ({"rows": "0x10"}, "number", "0x10"),
        ({"rows": "1e999 * p"}, "number", "1e999"),
        ({"rows": "9" * 400}, "number", "9" * 400),
        ({"rows": "  p +"}, "after", "+"),
        ({"rows": "sin(p /)"}, "after", "/"),
        ({"rows": "max(p *, i)"}, "after", "*"),
        ({"rows": "/ p"}, "before", "/"),
        ({"rows": "p + * i"}, "before", "*"),
        ({"rows": "max(, i)"}, "before", ","),
        ({"rows": "max(p, , i)"}, "before", ","),
        ({"rows": "max(-, i)"}, "after", "-"),
        ({"rows": "p i"}, "between", "i"),
        ({"rows": "(p + 1) 2"}, "between", "2"),
        ({"rows": "2 * (p i)"}, "between", "i"),
        ({"rows": "max(p i)"}, "between", "i"),
        ({"rows": "where(p > 1 0, 1)"}, "between", "0"),
        ({"rows": "(p"}, "unclosed", "("),
        ({"rows": "sin(p / (i + 1)"}, "unclosed", "("),
        ({"bias": "t[q", "parameters": "t[3] ~ 1"}, "unclosed", "["),
        ({"bias": "t[q)", "parameters": "t[3] ~ 1"}, "unclosed", "["),
        ({"rows": "sin(p))"}, "unopened", ")"),
        ({"rows": "p if i"}, "construct", "if"),
        ({"rows": "007"}, "construct", "007"),
        ({"rows": "  p + x"}, "name", "x"),
        ({"rows": "h"}, "name", "h"),
        ({"turn": "q"}, "name", "q"),
        ({"rows": "__import__(p)"}, "construct", "__import__"),
        ({"rows": "a", "parameters": "a[h] ~ 1"}, "name", "a"),
        ({"rows": "p * sin"}, "name", "sin"),
        ({"rows": "1 + clip(p, 1)"}, "arguments", "clip(p, 1)"),
        ({"rows": "sin(p, i)"}, "arguments", "sin(p, i)"),
        ({"rows": "max(p)"}, "arguments", "max(p)"),
        ({"rows": "p if i else 1"}, "construct", "p if i else 1"),
        ({"rows": "1 + (p and i)"}, "construct", "p and i"),
        ({"rows": "not p"}, "construct", "not p"),
        ({"rows": "0 < p < 5"}, "construct", "0 < p < 5"),
        ({"rows": "p, i"}, "construct", "p, i"),
        ({"rows": "p in i"}, "construct", "p in i"),
        ({"rows": "True"}, "construct", "True"),
        ({"rows": "lambda"}, "construct", "lambda"),
        ({"rows": "sin(p)(i)"}, "construct", "sin(p)(i)"),
        ({"bias": "i"}, "construct", "i"),
        ({"bias": "sum(sum(i))"}, "construct", "sum"),
        ({"turn": "p", "d_model": 3}, "pairs", "p"),
        ({"bias": "q", "parameters": "a[h] ~ 1, 2"}, "heads", ""),
        ({"bias": "q", "parameters": "t[h, 2] ~ 1, 2, 3, 4"}, "heads", ""),
        ({"bias": "t[:2]", "parameters": "t[3] ~ 1"}, "character", ":"),
        ({"rows": "t[p]", "parameters": "t[h, 3] ~ 1"}, "name", "t"),
    ],
)
def test_what_cannot_be_read_is_said_with_its_place(lines: dict[str, Any], code: str, part: str) -> None:
    error = error_of(**lines)
    assert error.code == code
    text = lines.get(error.line, "")
    assert text[error.start : error.stop] == part
    assert error.reason == str(error).partition(": ")[2]
    assert error.code in FORMULA_ERRORS


@pytest.mark.parametrize(
    ("text", "part", "instead"),
    [
        ("sin(p^2)", "^", "**"),
        ("sin(2p)", "2p", "2*p"),
        ("1e3i", "1e3i", "1e3*i"),
        ("2(p + 1)", "2(p + 1)", "2*(…)"),
        ("p(i + 1)", "p(i + 1)", "p*(…)"),
        ("np.sin(p)", "np.sin", "sin"),
        ("torch.nn.functional.relu(p)", "torch.nn.functional.relu", "relu"),
        ("np.power(p, 2)", "np.power", "**"),
        ("p * math.pi", "math.pi", "pi"),
        ("tanh(p)", "tanh", "2 * sigmoid(2 * …) - 1"),
        ("snh(p)", "snh", "sin"),
        ("sin(pos)", "pos", "p"),
        ("p = 3", "=", "=="),
        ("1 + (2<i<=d)", "2<i<=d", "(2 < i) * (i <= d)"),
        ("1_000*p", "1_000", "1000"),
        ("p; i", ";", "a–z 0–9 , + - * / ** % < > ( )"),
        ("p − i", "−", "-"),
        ("p²", "²", "**2"),
        ("θ * p", "θ", "theta"),
        ("λ * p", "λ", "lam"),
        ("p and i", "p and i", "*"),
        ("not p", "not p", "1 - …"),
        ("p[0]", "p[0]", "p"),
        ("p i", "i", "+ - * /"),
        ("2 * (p i)", "i", "+ - * /"),
        ("max(p i)", "i", ", + - * /"),
        ("where((p) i, 1, 2)", "i", ", + - * /"),
        ("sin(p", "(", ")"),
        ("own[p", "[", "]"),
        ("p and", "and", "*"),
        ("own", "own", "own[0]"),
        ("own[h, 0]", "own[h, 0]", "own[…]"),
        ("sum(i[0])", "i[0]", "i"),
    ],
)
def test_what_people_write_elsewhere_is_told_how_it_is_written_here(text: str, part: str, instead: str) -> None:
    error = error_of(rows=text, parameters="own[4] ~ 0; theta = 1; lam = 1")
    assert (text[error.start : error.stop], error.values["instead"]) == (part, instead)


def test_an_unknown_name_is_told_the_nearest_one_or_all_that_there_are() -> None:
    assert error_of(bias="-slpoe * q", parameters="slope = 1").values["choices"] == "slope"
    assert error_of(bias="-m * q").values["choices"] == "q, k, h, d, H, L, pi, e"
    assert error_of(rows="foo(p)").values["instead"] == ", ".join(FUNCTIONS)


@pytest.mark.parametrize("constant", ["9**9**9", "1 / 0", "log(-pi)"])
def test_a_constant_that_is_no_number_is_not_sent_to_where(constant: str) -> None:
    with pytest.raises(FormulaError, match="is no number below 1e308"):
        formula(rows=f"p + ({constant})").position_table(2)


def test_line_breaks_are_spaces() -> None:
    torch.testing.assert_close(formula(rows="p\n  + \ti").position_table(5), formula(rows="p + i").position_table(5))


@pytest.mark.parametrize(
    ("lines", "code", "part", "place"),
    [
        ({"rows": "1 + log(p)"}, "infinite", "log(p)", "p = 0, i = 0"),
        ({"rows": "sqrt(i - 3) * p"}, "undefined", "sqrt(i - 3)", "p = 0, i = 0"),
        ({"rows": "1 / (p - 100) + p"}, "infinite", "1 / (p - 100)", "p = 100, i = 0"),
        ({"rows": "where(i < 9, p, 1 / (p - 7))"}, "infinite", "1 / (p - 7)", "p = 7, i = 9"),
        ({"rows": "exp(p * 99)"}, "overflow", "exp(p * 99)", "p = 1, i = 0"),
        ({"rows": "0 / p"}, "undefined", "0 / p", "p = 0, i = 0"),
        ({"rows": "1e300 * (p * 1e300)"}, "infinite", "1e300 * (p * 1e300)", "p = 1, i = 0"),
        ({"bias": "1 / (q - k - 40)"}, "infinite", "1 / (q - k - 40)", "q = 40, k = 0"),
        ({"bias": "log(q * 5 - k * h)"}, "infinite", "log(q * 5 - k * h)", "q = 0, k = 0, h = 0"),
        ({"bias": "sum(1 / (q - k + i - 30))"}, "infinite", "1 / (q - k + i - 30)", "q = 25, k = 0"),
        ({"bias": "1 + t[q - k]", "parameters": "t[h, 40] ~ 1"}, "entry", "t[q - k]", "q = 40, k = 0, h = 0"),
        ({"rows": "t[p / 2]", "parameters": "t[9] ~ 1"}, "entry", "t[p / 2]", "p = 1, i = 0"),
        ({"rows": "sum(t[i - p])", "parameters": "t[12] ~ 1"}, "entry", "t[i - p]", "p = 1, i = 0"),
        ({"rows": "sum(t[i])", "parameters": "t[2] ~ 1"}, "entry", "t[i]", "p = 0, i = 0"),
        ({"turn": "p / (i - 1)"}, "undefined", "p / (i - 1)", "p = 0, i = 1"),
        ({"scale": "log(q - 20)"}, "undefined", "log(q - 20)", "q = 0"),
        ({"scale": "1 / (d - 4)"}, "infinite", "1 / (d - 4)", "q = 0"),
    ],
)
def test_the_first_position_that_has_no_value_is_named_with_the_part(
    lines: dict[str, str], code: str, part: str, place: str
) -> None:
    def compute() -> None:
        scheme = make_scheme("formula", d_model=12, n_heads=3, **lines)
        hooks = {"rows": "position_table", "bias": "bias", "turn": "angles"}
        getattr(scheme, hooks[next(iter(lines))])(200)

    with pytest.raises(FormulaError) as raised:
        compute()
    error = raised.value
    assert (error.code, error.values["place"]) == (code, place)
    assert lines[error.line][error.start : error.stop] == part


def test_what_is_too_much_is_refused_before_it_is_computed() -> None:
    scheme = formula(bias="+".join(["q * k"] * 40), n_heads=3)
    with pytest.raises(FormulaError, match="Too much") as raised:
        scheme.bias(100_000)
    assert raised.value.code == "too_much"
    formula(bias="+".join(["(q - k)"] * 40)).bias(64)


def test_an_error_survives_the_way_between_processes() -> None:
    error = error_of(rows="1 + log(p)")
    again = pickle.loads(pickle.dumps(error))
    assert (str(again), again.values, again.start) == (str(error), error.values, error.start)
