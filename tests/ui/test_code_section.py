"""The program under "Code" must print what the page shows."""

import re

import numpy as np
import pytest
from numpy.typing import NDArray

from tests.embedlib.programs.running import run
from tests.ui.pages import open_page, payload


def printed(output: str, name: str) -> NDArray[np.float64]:
    """Read the numbers of one tensor out of what torch printed."""
    text = re.search(rf"^{name} tensor\((.*?)\)$", output, re.DOTALL | re.MULTILINE)
    assert text, output
    return np.array([float(number) for number in re.findall(r"-?\d+\.?\d*", text[1])])


@pytest.mark.parametrize(
    "link",
    [
        {"text": "日本 <b>\"quoted\"</b> '''\n\\", "d_model": "16", "scale": "1"},
        {"text": "NLP love I", "table": "by_hand"},
        {"text": "The cat sat on the mat", "table": "trained"},
        {"scheme": "learned"},
        {"scheme": "learned", "learned.weights": "random"},
    ],
)
def test_the_pipeline_program_prints_what_the_page_shows(link: dict[str, str]) -> None:
    app = open_page(**link)
    header, numbers = payload(app, "vector_sum")
    output, _names = run(app.code[0].value)
    token, position = numbers.reshape(2, -1)
    assert printed(output, "token_ids").tolist() == [float(token_id) for token_id in header["ids"]]
    shown = {"token_embeddings": token, "position_vectors": position, "input_embeddings": token + position}
    for name, values in shown.items():
        np.testing.assert_allclose(printed(output, name), values, rtol=0, atol=0.5e-4 + 1e-6)


def test_the_positions_program_prints_the_table_that_is_drawn() -> None:
    app = open_page("positions", d_model="8", heads="2", positions="6")
    output, _names = run(app.code[-1].value)
    numbers = [float(number) for number in re.findall(r"-?\d+\.\d+", output.partition("Verdict(")[0])]
    position = np.arange(6)[:, None] * 10_000.0 ** (-np.arange(0, 8, 2) / 8)
    table = np.stack([np.sin(position), np.cos(position)], axis=-1).reshape(6, 8)
    np.testing.assert_allclose(numbers[:48], table.ravel(), rtol=0, atol=0.5e-4 + 1e-6)
    np.testing.assert_allclose(numbers[-42:-6], (table @ table.T).ravel(), rtol=0, atol=1e-4)


@pytest.mark.parametrize("scheme", ["rope", "xpos", "alibi", "t5", "transformer_xl", "cope"])
def test_the_pipeline_program_computes_what_a_scheme_does_that_adds_no_rows(scheme: str) -> None:
    app = open_page(scheme=scheme)
    header, numbers = payload(app, "vector_sum")
    _output, names = run(app.code[0].value)
    if header["angles"] is not None:
        _rows, _angles, turned = numbers.reshape(3, 9, 64)
        np.testing.assert_allclose(names["turned_queries"], turned, atol=1e-5)
    else:
        scores, term = numbers.reshape(2, 9, 9)
        np.testing.assert_allclose(names["scores"], scores, atol=1e-5)
        np.testing.assert_allclose(np.tril(names["scores_with_positions"]), scores + term, atol=1e-5)
