"""Words and their tokens, distances and spread of attention, changes by layer, uses of a word: each as a plain loop."""

import math

import pytest
import torch

from embedlib.contextual import (
    ContextModel,
    Layers,
    Positions,
    attention_by_distance,
    find_uses,
    layer_changes,
    open_model,
    sentence_vectors,
)
from tests.embedlib.contextual.test_model import installed

TEXT = "Isn't the Bank's embeddings, naïvely"


@pytest.fixture(scope="module")
def minilm() -> ContextModel:
    installed()
    return open_model("minilm")


def test_words_are_found_in_any_case_and_all_their_tokens_with_them(minilm: ContextModel) -> None:
    tokens = minilm.tokens(TEXT)
    spelled = {word.text: b"".join(t.bytes for t in tokens.tokens[word.first : word.stop]) for word in tokens.words}
    assert spelled == {word: word.encode() for word in ("Isn't", "the", "Bank's", "embeddings", ",", "naïvely")}
    (word,) = tokens.find(" isn'T ")
    assert (word.text, word.first, word.stop) == ("Isn't", 1, 4)
    assert tokens.find("bank") == []
    assert tokens.n_truncated == 0


def test_a_text_is_cut_and_keeps_its_special_tokens(minilm: ContextModel) -> None:
    whole, cut = minilm.tokens(TEXT), minilm.tokens(TEXT, limit=6)
    assert cut.token_ids == (*whole.token_ids[:5], whole.token_ids[-1])
    assert cut.n_truncated == len(whole.tokens) - 6
    assert [word.text for word in cut.words] == ["Isn't", "the"]
    assert [token.bytes for token, special in zip(cut.tokens, cut.special, strict=True) if special] == [
        b"[CLS]",
        b"[SEP]",
    ]
    assert len(minilm.tokens("word " * 600).tokens) == 512
    assert minilm.tokens("").special == (True, True)


def random_attention(causal: bool) -> torch.Tensor:
    logits = torch.randn(2, 3, 7, 7, generator=torch.Generator().manual_seed(1))
    if causal:
        logits = logits.masked_fill(torch.ones(7, 7, dtype=torch.bool).triu(1), float("-inf"))
    return logits.softmax(-1)


@pytest.mark.parametrize("causal", [False, True])
def test_attention_by_distance_is_a_loop_over_pairs(causal: bool) -> None:
    attention = random_attention(causal)
    by_distance = attention_by_distance(attention)
    assert by_distance.shape == (2, 3, 7)
    for layer in range(2):
        for head in range(3):
            weights = attention[layer, head].tolist()
            for distance in range(7):
                pairs = [
                    weights[i][j] for i in range(7) for j in range(7) if (i - j if causal else abs(i - j)) == distance
                ]
                assert by_distance[layer, head, distance].item() == pytest.approx(sum(pairs) / len(pairs), abs=1e-6)


def made(seed: int) -> Layers:
    hidden = torch.randn(3, 4, 5, generator=torch.Generator().manual_seed(seed))
    return Layers((1, 2, 3, 4), hidden, torch.empty(0), torch.nn.functional.normalize(hidden[-1].mean(0), dim=0))


def test_changes_are_taken_token_by_token_in_each_layer() -> None:
    before, after = made(1), made(2)
    changes = layer_changes(before, after)
    for layer in range(3):
        for token in range(4):
            a, b = before.hidden[layer, token].tolist(), after.hidden[layer, token].tolist()
            length = math.hypot(*a)
            dot = sum(x * y for x, y in zip(a, b, strict=True))
            assert changes.cosine[layer, token].item() == pytest.approx(dot / length / math.hypot(*b), abs=1e-5)
            assert changes.relative[layer, token].item() == pytest.approx(math.dist(a, b) / length, abs=1e-5)
    assert changes.sentence_cosine == pytest.approx(float(before.sentence @ after.sentence), abs=1e-5)
    assert layer_changes(before, before).relative.max() == 0
    with pytest.raises(ValueError, match="same tokens"):
        layer_changes(before, Layers((9, 2, 3, 4), after.hidden, after.attention, after.sentence))


def test_uses_of_a_word_have_the_mean_of_its_tokens_in_every_layer(minilm: ContextModel) -> None:
    sentences = ["Embeddings grow.", "no such word", "embeddings of EMBEDDINGS are embeddings, too"]
    for positions in (Positions(), Positions("none")):
        uses = find_uses(minilm, "embeddings", sentences, positions)
        assert [(use.sentence, use.word.text) for use in uses] == [
            (0, "Embeddings"), (2, "embeddings"), (2, "EMBEDDINGS"), (2, "embeddings"),
        ]  # fmt: skip
        for use in uses:
            hidden = minilm.run(minilm.tokens(sentences[use.sentence]).token_ids, positions).hidden
            assert use.word.stop - use.word.first > 1  # "em", "##bed", …
            for layer in range(7):
                rows = [hidden[layer, token] for token in range(use.word.first, use.word.stop)]
                assert torch.allclose(use.vectors[layer], sum(rows) / len(rows), rtol=0, atol=1e-5)
    rows = minilm.run(minilm.tokens(sentences[0]).token_ids, Positions("none")).hidden[0]
    assert torch.allclose(uses[0].vectors[0], uses[1].vectors[0], rtol=0, atol=1e-6)  # one row, whatever the sentence
    assert not torch.allclose(uses[0].vectors[-1], uses[1].vectors[-1], rtol=0, atol=1e-1)
    assert rows.shape == (8, 384)
    assert find_uses(minilm, "absent", sentences) == []


def test_many_sentences_keep_their_order_whatever_their_length(minilm: ContextModel) -> None:
    sentences = [f"{'very ' * (place % 7)}short {place}" for place in range(40)]
    together = sentence_vectors(minilm, sentences)
    alone = torch.stack([minilm.run(minilm.tokens(sentence).token_ids).sentence for sentence in sentences])
    assert torch.allclose(together, alone, rtol=0, atol=1e-5)
