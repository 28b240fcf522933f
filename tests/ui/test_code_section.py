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


WORDS = {"text": "The King fed a puppy, a piglet and 日本"}
SINUSOIDS = {f"sinusoidal.{name}": value for name, value in (("layout", "halves"), ("base", "1234567.5"))}


@pytest.mark.parametrize(
    "link",
    [
        {"text": "日本 <b>\"quoted\"</b> '''\n\\", "d_model": "16", "scale": "1"},
        {"text": "NLP love I", "table": "by_hand"},
        WORDS | {"seed": "5"},
        WORDS | {"tokenizer": "words", "scale": "1"},
        WORDS | {"tokenizer": "characters", "d_model": "16"},
        WORDS | {"tokenizer": "bytes", "d_model": "16"},
        {"text": "too long " * 150, "tokenizer": "bytes", "scheme": "learned", "d_model": "2"},
        {"scheme": "none"},
        {"d_model": "48"} | SINUSOIDS,
        {"sinusoidal.layout": "tensor2tensor", "sinusoidal.base": "500"},
        {"scheme": "learned"},
        {"scheme": "learned", "learned.weights": "random", "learned.std": "0.1234567", "learned.seed": "4"},
    ],
)
def test_the_pipeline_program_computes_the_page_to_the_bit_and_prints_it(link: dict[str, str]) -> None:
    app = open_page(**link)
    header, numbers = payload(app, "vector_sum")
    output, names = run(app.code[0].value)
    token, position = numbers.reshape(2, header["n_rows"], -1)
    shown = {"token_embeddings": token, "position_vectors": position, "input_embeddings": token + position}
    assert len(names["token_ids"]) == header["total"]
    assert [str(token_id) for token_id in names["token_ids"][: len(token)].tolist()] == header["ids"]
    assert printed(output, "token_ids").tolist() == names["token_ids"].tolist()
    for name, values in shown.items():
        np.testing.assert_array_equal(names[name][: len(token)].numpy(), values)
        np.testing.assert_allclose(printed(output, name)[: values.size], values.ravel(), rtol=0, atol=0.5e-4 + 1e-6)


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
