"""The context page: its numbers against transformers' own BertModel, and what it says of input that does not fit."""

from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from numpy.testing import assert_allclose
from streamlit.testing.v1 import AppTest
from torch import Tensor
from transformers import GPT2Config, GPT2Model

from embedlib.checkpoints import minilm
from embedlib.contextual import Positions, layer_changes, open_model
from embedlib.positional import STARTING_POINTS
from embedlib.positional.formula import LINES
from tests.embedlib.contextual.test_model import installed
from tests.embedlib.programs.running import run as run_program
from tests.messages import message, wording
from tests.ui.pages import figure, link_of, matrices, open_page, payload, says, says_only, table_rows
from ui.context.examples import HOMONYMS
from ui.context.uses import read_lines
from ui.settings import Formulas, OwnScheme

BANK = HOMONYMS["bank"]


@pytest.fixture(autouse=True)
def has_minilm() -> None:
    installed()


def opened(**link: str) -> AppTest:
    """Open the page, which says nothing of a failure."""
    app = open_page("context", **link)
    assert not app.exception
    return app


def lines(app: AppTest, key: str) -> list[np.ndarray]:
    """Read the heights of a chart's lines."""
    return [np.asarray(trace["y"]) for trace in figure(app, key)["data"]]


@cache
def published() -> Any:
    """Load the model as transformers does."""
    from transformers import BertModel

    return BertModel.from_pretrained(installed(), attn_implementation="eager").eval()


@cache
def outputs(text: str) -> tuple[list[int], Tensor, Tensor]:
    """Return the ids, (n_layers + 1, seq_len, d_model) and (n_layers, n_heads, seq_len, seq_len)."""
    ids = [101, *minilm().tokenizer().encode(text), 102]
    with torch.no_grad():
        out = published()(torch.tensor([ids]), output_hidden_states=True, output_attentions=True)
    return ids, torch.cat(out.hidden_states), torch.cat(out.attentions)


def cosine(a: Tensor, b: Tensor) -> float:
    return float(a.double() @ b.double() / (a.double().norm() * b.double().norm()))


def test_the_words_cosines_are_those_of_transformers_own_layers() -> None:
    found = lines(opened(), "context-word")
    vectors = []
    for sentence in (BANK.first, BANK.second, BANK.third):
        ids, hidden, _ = outputs(sentence)
        place = ids.index(2924)
        row = published().embeddings.word_embeddings.weight[2924]
        vectors.append([row.detach(), *hidden[:, place]])
    for line, other in zip(found, vectors[1:], strict=True):
        assert_allclose(line, [cosine(*pair) for pair in zip(vectors[0], other, strict=True)], atol=1e-5)
    assert found[0][0] == found[1][0] == 1


def test_the_attention_is_that_of_transformers() -> None:
    text = "the dog saw the man"
    app = opened(text=text, context_attention="3", context_head="8")
    _ids, hidden, attention = outputs(text)
    header, one_head = payload(app, "matrix-grid")
    similarity = np.stack(list(matrices(app, 2).values()))
    directions = torch.nn.functional.normalize(hidden, dim=-1)
    assert_allclose(similarity.reshape(7, 7, 7), directions @ directions.transpose(1, 2), atol=1e-5)
    assert header["tokens"] == ["[CLS]", *text.split(), "[SEP]"]
    assert_allclose(one_head.reshape(7, 7), attention[2, 8], atol=1e-5)
    assert_allclose(next(iter(matrices(app, 1).values())).reshape(7, 7), attention[2, 8], atol=1e-5)
    cells = np.asarray(figure(app, "context-heads")["data"][0]["z"])
    assert_allclose(cells[2 * 8 : 2 * 8 + 7, 8 * 8 : 8 * 8 + 7], attention[2, 8], atol=1e-5)
    by_distance = lines(app, "context-distance")[0]
    for distance in range(7):
        pairs = [attention[2, 8, i, j].item() for i in range(7) for j in range(7) if abs(i - j) == distance]
        assert by_distance[distance] == pytest.approx(sum(pairs) / len(pairs), abs=1e-5)


def test_the_head_that_looks_back_is_named_and_loses_the_token_before_with_its_positions() -> None:
    app = opened(text="the dog saw the man", context_attention="3", context_head="8")
    _ids, _hidden, attention = outputs("the dog saw the man")
    back = attention.diagonal(offset=-1, dim1=-2, dim2=-1).mean(-1)
    layer, head = divmod(int(back.argmax()), 12)
    count = int((back >= 0.5).sum())
    assert says(app, "Few heads can be named so simply…", weight=f"{float(back.max()):.2f}", head=..., count=count)
    app.button(key="context-previous-head").click().run()
    link = link_of(app)
    assert (int(link.get("context_attention", 1)), int(link.get("context_head", 2))) == (layer + 1, head)
    own, none, shuffled, shifted = (m.reshape(7, 7).diagonal(-1).mean() for m in matrices(app, 1).values())
    assert own > 0.9 > shifted > 0.5 > none > shuffled


def test_the_word_is_the_rarest_that_the_sentences_share() -> None:
    app = opened(context_first="the bat flew", context_second="he broke the bat", context_third="", context_word="bank")
    assert says(app, "In every sentence {word} starts as row…", word="`bat`", id=...)


def test_other_positions_move_the_layers_as_far_as_in_transformers() -> None:
    text = "the dog saw the man"
    app = opened(text=text, context_shift="7")
    zero, _shuffled, shifted, _scheme = lines(app, "context-positions")
    ids, before, _ = outputs(text)
    model = published()
    own = model.embeddings.position_embeddings.weight
    for line, rows in ((zero, torch.zeros(7, 384)), (shifted, own[7:14])):
        with torch.no_grad():
            words = model.embeddings.word_embeddings(torch.tensor(ids)) + rows - own[:7]
            after = torch.cat(model(inputs_embeds=words[None], output_hidden_states=True).hidden_states)
        assert_allclose(line, ((before - after).norm(dim=-1) / before.norm(dim=-1)).mean(dim=1), atol=1e-4)


def own_link(*typed: str, name: str = "Mine", parameters: str = "", pairing: str = "interleaved") -> dict[str, str]:
    own = OwnScheme(1, name, (*typed, *[""] * (4 - len(typed))), pairing, parameters)
    return {"formulas": Formulas(()).format((own,)), "context_scheme": own.entry, "text": "the dog saw the man"}


@pytest.mark.parametrize("start", ["alibi", "rope_halves", "sinusoidal"])
def test_a_formula_moves_the_layers_as_far_as_the_scheme_that_it_equals(start: str) -> None:
    point = STARTING_POINTS[start]
    given = dict(point.lines)
    settings = {name: given.pop(name, default) for name, default in (("parameters", ""), ("pairing", "interleaved"))}
    typed = [given.get(line, "") for line in LINES]
    app = opened(**own_link(*typed, **settings, name="shuffled"))
    assert not app.error
    drawn = lines(app, "context-positions")
    assert len(drawn) == 4  # another line has the name too

    model = open_model("minilm")
    ids = model.tokens("the dog saw the man").token_ids
    trained = model.run(ids)
    built_in = model.run(ids, Positions("scheme", scheme=point.scheme, parameters=point.arguments))
    mine = model.run(ids, Positions("scheme", scheme="formula", parameters=point.lines))
    assert_allclose(mine.attention, built_in.attention, atol=1e-5)
    assert_allclose(drawn[-1], layer_changes(trained, built_in).relative.mean(1), atol=1e-5)
    assert link_of(app)["context_scheme"] == "formula:1"


@pytest.mark.parametrize(
    ("typed", "line"),
    [
        (("", "q +"), "bias"),
        (("", "log(q - k)"), "bias"),
        (("1 / (p - 400)",), "rows"),
        (("", "", "", "1e38"), "scale"),
    ],
)
def test_what_is_wrong_with_a_formula_is_said_and_the_other_positions_stay(typed: tuple[str, ...], line: str) -> None:
    app = opened(**own_link(*typed))
    assert any(error.value.startswith(f"Mine, `{line}`: ") for error in app.error)
    assert len(lines(app, "context-positions")) == 3
    assert 'Positions(kind="scheme"' not in app.code[-1].value


def test_a_scheme_is_written_on_the_page_and_replaces_the_models() -> None:
    app = opened(text="the dog saw the man")
    before = lines(app, "context-positions")[-1]
    app.button(key="own-add").click().run()
    assert not app.exception
    assert link_of(app)["context_scheme"] == "formula:1"
    after = lines(app, "context-positions")[-1]
    assert_allclose(after, before, atol=1e-5)  # the first starting point is what was chosen
    app.button(key="own-remove-1").click().run()
    assert "context_scheme" not in link_of(app)


def test_uses_and_sentences_are_compared_as_their_vectors_are() -> None:
    app = opened(
        context_uses="a:\nthe bank one\nthe bank two\nb:\nmy bank three\n",
        context_layer="2",
        context_lines="one\ntwo\nthree",
    )
    vectors = []
    for sentence in ("the bank one", "the bank two", "my bank three"):
        ids, hidden, _ = outputs(sentence)
        vectors.append(hidden[2, ids.index(2924)])
    same, other = cosine(*vectors[:2]), (cosine(vectors[0], vectors[2]) + cosine(vectors[1], vectors[2])) / 2
    assert says(app, "Two uses with the same meaning…", same=f"{same:.2f}", other=f"{other:.2f}")
    assert says(app, "Of the {count} uses **{nearest}** have one…", count=3, nearest=2, chance="1")
    assert says(app, "The meanings do not lie clearly apart…", share="75%")
    means = [outputs(word)[1][-1].mean(dim=0) for word in ("one", "two", "three")]
    table = table_rows(app, "context-nearest")
    for row, vector in enumerate(means):
        cosines = [-2 if place == row else cosine(vector, mean) for place, mean in enumerate(means)]
        assert table[row]["texts"] == [f"{max(cosines):.2f}", ("one", "two", "three")[int(np.argmax(cosines))]]


def test_before_attention_uses_at_one_place_are_one_vector_and_no_meaning_is_read_from_them() -> None:
    app = opened(context_uses="a:\nthe bank one\nthe bank two\nb:\nmy bank three\nbank four\n", context_layer="0")
    assert says(app, "But no token has looked at another yet:…")
    assert says(app, "Equal vectors lie at one spot,…", count=4, spots=2)
    assert not says(app, "The meanings lie apart.")


def test_words_that_happen_to_be_shared_are_not_said_to_have_two_meanings() -> None:
    app = opened(context_word="the")
    assert [trace["name"] for trace in figure(app, "context-word")["data"]] == [
        message("2nd sentence"),
        message("3rd sentence"),
    ]
    start = "Attention mixes in the other words of the sentence, layer by layer; after the last one the "
    assert says(app, f"{start}cosine with…")
    assert not says(app, f"{start}two uses with…")


@pytest.mark.parametrize("link", [{"context_first": ""}, {"context_second": "no dog"}])
def test_sentences_without_a_common_word_say_what_to_do(link: dict[str, str]) -> None:
    app = opened(**link)
    assert wording("The first two sentences share no word…").search(app.warning[0].value)
    assert not app.error
    assert not app.code


def test_any_models_layers_are_shown_and_what_does_not_fit_is_said(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("EMBEDLIB_MODELS", str(tmp_path))
    tokenizer = (installed() / "tokenizer.json").read_bytes()
    for name, vocab_size in (("causal", 30522), ("other", 2000)):
        torch.manual_seed(0)
        GPT2Model(GPT2Config(vocab_size=vocab_size, n_embd=24, n_layer=2, n_head=3, n_positions=64)).save_pretrained(
            tmp_path / name
        )
        (tmp_path / name / "tokenizer.json").write_bytes(tokenizer)
    app = opened(model="./causal", text="the dog saw the man", context_attention="9", context_head="9")
    line, _same = lines(app, "context-word")
    assert line.shape == (4,)
    _printed, names = run_program(app.code[0].value)
    assert_allclose(torch.nn.functional.cosine_similarity(*names["vectors"][:2], dim=1), line, atol=1e-5)
    assert not names["layers"].attention.triu(1).any()
    wrong = opened(model="./other")
    assert says_only(wrong, "{source} has no row {row:,}:…")


@pytest.mark.parametrize("colon", [":", " :", "："])
def test_a_meaning_begins_with_the_colon_of_any_language(colon: str) -> None:
    """English, French and Chinese keyboards each have their own."""
    text = f"river{colon}\nThe bank was green.\nmoney{colon}\nThe bank was shut."
    assert read_lines(text) == (["The bank was green.", "The bank was shut."], [0, 1], ["river", "money"])
