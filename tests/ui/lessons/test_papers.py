"""What leaves the app of a lesson says what the lesson says, and holds the numbers that its pages show."""

import json
import re

import nbformat
import numpy as np
import pytest
import torch

from embedlib import embed_text
from embedlib.positional import make_scheme
from tests.embedlib.programs.running import run
from ui.export import notebook
from ui.lessons.draw import lesson_file
from ui.lessons.lesson import read_lesson
from ui.lessons.papers import Papers
from ui.settings import pack_for_link

SOURCE = """\
lesson: 1
title: A <b>lesson</b>
stops:
  - page: ""
    title: Rows & their sum
    settings: {table: random, tokenizer: gpt2, d_model: 16, seed: 7}
    say: "*Two* sentences. [No link](x)."
    try: Look.
    question: {ask: "How many tokens?", answer: =tokens, why: "Count <them>."}
  - page: ""
    title: The same page again
    settings: {table: random, tokenizer: gpt2, d_model: 16, seed: 7}
    say: Nothing new.
  - page: positions
    title: Biases
    light: bias
    settings: {scheme: alibi, heads: 4}
    say: They grow.
    question: {ask: "Which slope has head 0?", answer: =alibi_slope, digits: 3}
"""
TEXT = "the cat sat"


@pytest.fixture(scope="module")
def papers() -> Papers:
    return Papers(pack_for_link(SOURCE), read_lesson(SOURCE), texts={"text": TEXT}, home="https://example.org/app")


@pytest.fixture(scope="module")
def cells(papers: Papers) -> list[dict[str, str]]:
    written = papers.notebook()
    nbformat.validate(nbformat.reads(written, as_version=4))
    return list(json.loads(written)["cells"])


def test_each_program_stands_once_after_the_words_of_its_stop(cells: list[dict[str, str]]) -> None:
    kinds = [cell["cell_type"] for cell in cells]
    assert kinds == ["markdown", "markdown", "code", "markdown", "markdown", "code"]
    assert cells[0]["source"] == r"# A \<b\>lesson\</b\>"
    assert r"\*Two\* sentences\. \[No link\]\(x\)\." in cells[1]["source"]
    assert "\n\n3. Count \\<them\\>\\.\n\n</details>" in cells[1]["source"]
    assert "https://example.org/app/?text=the+cat+sat&table=random" in cells[1]["source"]
    assert "\n\n0\\.250. " in cells[4]["source"]


def test_the_cells_print_the_numbers_of_the_pages(cells: list[dict[str, str]]) -> None:
    programs = [cell["source"] for cell in cells if cell["cell_type"] == "code"]
    printed, names = run(programs[0])
    own = embed_text(TEXT, tokenizer="gpt2", d_model=16, seed=7, scheme="sinusoidal")
    assert torch.equal(names["token_ids"], own.token_ids)
    assert torch.equal(names["input_embeddings"], own.input_embeddings)
    shown = [float(number) for number in re.findall(r"-?\d+\.\d{4}", printed.partition("input_embeddings")[2])]
    np.testing.assert_allclose(shown[: 3 * 16], own.input_embeddings.ravel(), rtol=0, atol=0.51e-4)
    _printed, names = run(programs[1])
    bias = make_scheme("alibi", d_model=64, n_heads=4).bias(64)  # (heads, queries, keys)
    np.testing.assert_array_equal(names["score_bias"](names["scheme"], 64).tril(), bias.tril())


def test_the_article_holds_all_words_and_nothing_of_them_is_html(papers: Papers) -> None:
    written = papers.article()
    for words in (
        "A &lt;b&gt;lesson&lt;/b&gt;", "1. Rows &amp; their sum", "*Two* sentences. [No link](x).", "Nothing new.",
        "<summary>How many tokens?</summary>", "<strong>3.</strong> Count &lt;them&gt;.", "0.250.",
        "https://example.org/app/positions?text=the+cat+sat&amp;scheme=alibi",
    ):  # fmt: skip
        assert words in written
    assert ".token small { display: block }" in written  # where tables have tokens, each stands over its id
    assert written.count("<figure>") == written.count("plotly-graph-div") == 1
    assert written.index("They grow.") < written.index("<figure>") < written.index("<strong>0.250")
    assert not re.search(r"<(script|img|iframe)\b[^>]*\ssrc=|<link\b", written)


def test_a_process_of_its_own_makes_the_same_file(papers: Papers) -> None:
    asked = papers.reference, tuple(papers.texts.items()), papers.home, papers.language
    assert lesson_file("notebook", *asked) == papers.notebook()


def test_a_notebook_of_other_cells_is_none() -> None:
    with pytest.raises(KeyError, match="prose"):
        notebook([("prose", "text")])
