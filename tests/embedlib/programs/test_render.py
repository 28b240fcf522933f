"""Programs are filled from templates: no text of a reader becomes code, and what is printed is well formatted."""

import ast
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from embedlib.extrapolation import EXPERIMENTS
from embedlib.positional import SCHEMES, make_scheme
from embedlib.programs import (
    analogy_part,
    batches_program,
    compare_program,
    embedding_layer_program,
    extrapolation_program,
    map_part,
    meaning_part,
    models_program,
    neighbours_part,
    order_program,
    pipeline_program,
    principal_part,
    projection_program,
    scheme_program,
    tokens_program,
    training_program,
)
from embedlib.programs.render import lines, literal
from embedlib.texts import WindowPlan
from embedlib.word2vec import SkipGramConfig

TABLE: dict[str, Any] = {"tokenizer": "words", "d_model": 8}
SEEDED: dict[str, Any] = TABLE | {"seed": 1}
MEASURED: dict[str, Any] = SEEDED | {"table": "trained", "n_heads": 2, "max_tokens": 9}
SCHEME: dict[str, Any] = {"scheme": "learned", "parameters": {"std": 0.5, "seed": 4}, "adds_positions": True}
PARTS = [
    principal_part(n_components=2, rows=[1, 2]),
    map_part("tsne", n_components=2, metric="cosine", settings={"seed": 1}, limit=9),
    meaning_part([((1, 2), (3,))]),
    neighbours_part(3, metric="cosine"),
    analogy_part(1, 2, 3, k=5, metric="cosine", expected=9),
]
PROGRAMS: dict[str, Callable[[str], str]] = {
    "batches": lambda text: batches_program(WindowPlan(99, 4, 3, 4, True), text=text, table_seed=7, batch=0, **TABLE),
    "compare": lambda text: compare_program(
        text, n_positions=9, read=text, unit="relative", schemes={"rope": {"base": 5.0}, "none": {}}, **MEASURED
    ),
    "order": lambda text: order_program(text, text, n_layers=1, causal=True, schemes={"none": {}}, **MEASURED),
    "embedding_layer": lambda text: embedding_layer_program(text, second=(4, 5, [0]), context=3, **SEEDED),
    "extrapolation": lambda text: extrapolation_program(
        EXPERIMENTS["text"], schemes=["t5"], seeds=[0], measure="loss", n_steps=9, learning_rate=0.1, text=text
    ),
    "models": lambda text: models_program(text, text, table="wte.weight", other=text, word=text),
    "models of this machine": lambda text: models_program("minilm", text, has_positions=False),
    "pipeline": lambda text: pipeline_program(
        text, table="random", scale_by_sqrt_d=True, max_seq_len=64, **SEEDED, **SCHEME
    ),
    "projection": lambda text: projection_program("random", PARTS, text=text, **SEEDED),
    "tokens": lambda text: tokens_program(
        text, tokenizers=["words", "bpe"], closely="bpe", specials=True, piece=0, character=0, sentences=["story"]
    ),
    "training": lambda text: training_program(
        "text", SkipGramConfig(steps=9), 9, text=text, word=text, analogy=(text, "b}", "{c}"), expected="\n#'"
    ),
}


@pytest.mark.parametrize("name", PROGRAMS)
@pytest.mark.parametrize("text", ["'''\\\n__import__('os').abort()", '"""\nimport os {{x}} \'; \\\n#end\n{{!abort}}'])
def test_a_text_cannot_become_code(name: str, text: str) -> None:
    source = PROGRAMS[name](text)
    assert "abort" not in compile(source, "program", "exec").co_names
    assert "import os" not in source.splitlines()
    constants = [node.value for node in ast.walk(ast.parse(source)) if isinstance(node, ast.Constant)]
    assert text in constants


def test_every_program_is_formatted_narrow_and_imports_what_it_names(tmp_path: Path) -> None:
    sources = [scheme_program(make_scheme(name, d_model=8, n_heads=2), n_positions=5, seed=1) for name in SCHEMES]
    assert all(len(line) <= 104 for source in sources for line in source.splitlines())
    sources += [write("short") for write in PROGRAMS.values()]
    for number, source in enumerate(sources):
        (tmp_path / f"program_{number}.py").write_text(source, encoding="utf-8")
    for command in (["format", "--diff"], ["check", "--select=E,F,I"]):
        done = subprocess.run(
            [sys.executable, "-m", "ruff", *command, "--isolated", "--line-length=120", "."],
            cwd=tmp_path,  # where embedlib is a library like torch
            capture_output=True,
            text=True,
        )
        assert done.returncode == 0, done.stdout


@given(st.recursive(st.text() | st.integers() | st.none() | st.booleans(), lambda one: st.lists(one) | st.tuples(one)))
def test_a_literal_is_read_as_the_value_it_was_written_of(value: Any) -> None:
    assert ast.literal_eval(literal(value)) == value


@example(30 * "\U00018cd6")
@given(st.text() | st.text("ab '\"\\\n", min_size=99, max_size=400))
def test_a_long_text_is_written_in_short_lines_that_are_read_as_it(text: str) -> None:
    written = lines(text)
    assert ast.literal_eval(written) == text
    assert len(literal(text)) < 99 or max(map(len, written.splitlines())) <= 120


def test_a_unit_that_no_program_is_for_is_refused_with_the_choices() -> None:
    sizes = MEASURED | {"n_positions": 9, "read": "a"}
    with pytest.raises(ValueError, match=r"unit='metre' must be one of relative, standard"):
        compare_program("a", unit="metre", schemes={"none": {}}, **sizes)
