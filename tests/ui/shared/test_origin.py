"""Where the rows come from, in a sentence on every page that shows rows, and in a few words in its files."""

import pytest

from tests.messages import wording
from tests.ui.pages import files_of, open_page, says


@pytest.mark.parametrize(
    ("page", "sentence"),
    [
        ("pipeline", "**Random, not trained** (seed {seed})."),
        ("compare", "**Random, not trained** (seed {seed})."),
        ("word_order", "**Random, not trained** (seed {seed})."),
        ("embedding_layer", "Here the rows are random, as before training (“{start}”, seed {seed})."),
        ("batches", "Token rows and position rows are random here (seed {seed})."),
    ],
)
def test_random_rows_are_called_so_with_their_seed(page: str, sentence: str) -> None:
    app = open_page(page, table="random", layer_matrix="random", seed="9")
    assert not app.exception
    assert says(app, sentence, seed="9")
    saved = [write().decode() for write in files_of(app, "html").values()]
    assert any("random, seed 9" in page for page in saved)


@pytest.mark.parametrize("page", ["pipeline", "compare", "word_order", "embedding_layer", "batches"])
@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("the dog saw the man", "The rows were trained on {sentences:,} sentences of a small grammar."),
        ("the dog saw naïve man", "Of {count:,} tokens {known:,} have…"),
    ],
)
def test_trained_rows_are_counted_and_the_others_named(page: str, text: str, sentence: str) -> None:
    texts = {"text": text, "first": text, "second": text}
    learned = {"table": "trained", "layer_matrix": "trained", "tokenizer": "words", "cut": "words"}
    app = open_page(page, batches_source="text", max_length="4", **texts, **learned)
    assert not app.exception
    assert says(app, sentence)
    if "naïve" in text:
        assert says(app, "Of {count:,} tokens {known:,} have…", tokens="`naïve`")


@pytest.mark.parametrize("page", ["pipeline", "compare", "word_order", "embedding_layer"])
def test_random_rows_in_place_of_learned_ones_say_which_width_these_need(page: str) -> None:
    app = open_page(page, table="trained", layer_matrix="trained", d_model="32")
    needed = wording("Trained rows need d_model = {width}.", width="64")
    assert any(needed.search(caption.value) for caption in app.caption)
