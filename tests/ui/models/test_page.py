"""The page of trained models without a browser: its numbers against safetensors, tokenizers and scikit-learn."""

import json
import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from safetensors.torch import load_file, save_file
from sklearn.decomposition import PCA
from sklearn.neighbors import NearestNeighbors
from tokenizers import Tokenizer, models, pre_tokenizers

from embedlib.checkpoints import CHECKPOINT_ERRORS, CheckpointError, minilm
from embedlib.word2vec import trained_table
from tests.embedlib.checkpoints.hub import in_place_of_the_hub
from tests.embedlib.checkpoints.models import D_MODEL, POSITION_TABLES, TOKEN_TABLES, VOCAB_SIZE, save
from tests.embedlib.programs.running import run
from tests.messages import message
from tests.ui.pages import components, figure, link_of, open_page, says, says_only, sentences, wait_for
from tests.waiting import PATIENCE
from ui.jobs import downloads
from ui.shared import model_choice
from ui.shared.model_choice import model_sentence

SIGNS = "abcdefghij"
WORDS = [one + other for one in SIGNS for other in SIGNS][: VOCAB_SIZE - 3]
TEXT = "ab cd ij hh ab"


def folder_of(root: Path, kind: str, monkeypatch: pytest.MonkeyPatch, *, name: str = "") -> Path:
    """Save a small model with a vocabulary of words in the server's folder of models."""
    monkeypatch.setenv("EMBEDLIB_MODELS", str(root))
    folder = root / (name or kind)
    save(kind, "float32", folder)
    vocabulary = {word: row for row, word in enumerate(["[UNK]", "[unused0]", "[unused1]", *WORDS])}
    tokenizer = Tokenizer(models.WordPiece(vocabulary, unk_token="[UNK]"))
    tokenizer.pre_tokenizer = pre_tokenizers.Whitespace()
    tokenizer.save(str(folder / "tokenizer.json"))
    return folder


def shown_words(cells: Any) -> list[str]:
    return [cell.strip("`") for cell in cells]


def test_the_page_opens_on_minilm_with_its_rows_of_the_text_and_the_grammar_beside_it() -> None:
    app = open_page("models")
    assert not app.exception
    assert sentences(app) == []
    checkpoint = minilm()
    table = load_file(checkpoint._files.folder / "model.safetensors")["embeddings.word_embeddings.weight"]  # type: ignore[attr-defined]
    tokenizer = Tokenizer.from_file(str(checkpoint._files.folder / "tokenizer.json"))  # type: ignore[attr-defined]
    tokenizer.no_padding()
    ids = tokenizer.encode("The king and queen fed the dog and cat", add_special_tokens=False).ids
    drawn = figure(app, "model-rows")["data"][0]["z"]
    np.testing.assert_array_equal(drawn, table[ids].numpy())
    html = " ".join(str(element.proto.body) for element in app.get("html"))
    for number in ("30,522", "384", "22,713,216", "11,720,448", "196,608", "10,796,160"):
        assert f">{number}<" in html
    words = [word for word in trained_table().words if tokenizer.token_to_id(word) is not None]
    common = table[[tokenizer.token_to_id(word) for word in words]].numpy()
    nearest = NearestNeighbors(n_neighbors=11, metric="cosine").fit(common)
    near = nearest.kneighbors(common[words.index("king")][None], return_distance=False)[0, 1:]
    assert shown_words(app.table[2].value.iloc[:, 0]) == [words[word] for word in near]
    assert list(app.table[2].value.iloc[:, 2]).count("✓") == list(app.table[3].value.iloc[:, 2]).count("✓") == 5
    assert says(app, "Of the {k} nearest words to…", count="624", own="5", mean="2.9", chance="0.2", k="10", word=...)
    assert says(
        app, "On the two axes along which they differ most…", step="1.074", last="511", rounds="87", period="5.85"
    )
    assert says(app, "**{share:.1%} of the model is its token table**, the embedding matrix E: more…", share="51.6%")
    assert link_of(app) == {}


def test_tokens_that_books_alone_have_are_among_the_under_trained() -> None:
    words, signs = (shown_words(table.value.iloc[:, 0]) for table in open_page("models").table[:2])
    assert {"lucivar", "saetan", "jaenelle"} <= set(words)
    assert signs[0] == "##？"


@pytest.mark.parametrize("kind", ["gpt2", "bert", "llama"])
def test_any_model_of_the_servers_folder_is_shown(kind: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = folder_of(tmp_path, kind, monkeypatch)
    tensors = load_file(folder / "model.safetensors")
    app = open_page("models", model=f"./{kind}", text=TEXT)
    assert not app.exception
    table = tensors[TOKEN_TABLES[kind]]
    ids = [3 + WORDS.index(word) for word in TEXT.split()]
    np.testing.assert_array_equal(figure(app, "model-rows")["data"][0]["z"], table[ids].numpy())
    assert [chip[1] for chip in json.loads(components(app, "token-chips")[0].bytes)["chips"]] == ids
    if kind not in POSITION_TABLES:
        assert says(app, "This model has no table of position rows…")
        return
    positions = tensors[POSITION_TABLES[kind]]
    np.testing.assert_array_equal(figure(app, "model-positions")["data"][0]["z"], positions.numpy())
    layout = figure(app, "position-places")["layout"]
    titles = [layout[axis]["title"]["text"] for axis in ("xaxis", "yaxis")]
    shares = [float(found[1]) for title in titles if (found := re.search(r"([\d.]+)%", title))]
    expected = PCA(2).fit(positions.numpy()).explained_variance_ratio_ * 100
    np.testing.assert_allclose(shares, expected, atol=0.051)


def test_a_config_that_contradicts_the_weights_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = folder_of(tmp_path, "gpt2", monkeypatch)
    before = sentences(open_page("models", model="./gpt2", text=TEXT))
    config = json.loads((folder / "config.json").read_text())
    (folder / "config.json").write_text(json.dumps(config | {"vocab_size": 1234, "n_embd": 48}))
    app = open_page("models", model="./gpt2", text=TEXT)
    said = [
        message("config.json has {name} =…", name=f"`{name}`", stated=stated, found=found)
        for name, stated, found in (("vocab_size", 1234, VOCAB_SIZE), ("n_embd", 48, D_MODEL))
    ]
    assert [sentence for sentence in sentences(app) if sentence not in before] == said


def test_tokens_are_written_as_the_vocabulary_has_them_on_every_page() -> None:
    link = {"text": "The Kings embedding", "tokenizer": "minilm"}
    shown = []
    for page in ("pipeline", "models", "context"):
        chips = json.loads(components(open_page(page, **link), "token-chips")[0].bytes)["chips"]
        shown.append([chip[1:3] for chip in chips if chip[2] not in ("[CLS]", "[SEP]")])
    assert [label for _id, label in shown[0]] == ["the", "kings", "em", "##bed", "##ding"]
    assert shown[1] == shown[0] == shown[2]


def test_lengths_are_those_of_the_rows_and_the_texts_tokens_are_marked(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = folder_of(tmp_path, "gpt2", monkeypatch)
    lengths = load_file(folder / "model.safetensors")[TOKEN_TABLES["gpt2"]].norm(dim=1)[3:].numpy()
    marked = figure(open_page("models", model="./gpt2", text=TEXT), "model-lengths")["data"][-1]
    assert marked["hovertext"] == ["ab", "cd", "ij", "hh"]
    ranks = [1 + WORDS.index(word) for word in marked["hovertext"]]
    assert marked["x"] == ranks
    np.testing.assert_allclose(marked["y"], lengths[np.array(ranks) - 1], rtol=1e-6)


def test_two_models_side_by_side_share_what_scikit_learn_finds(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    tables: list[torch.Tensor] = []
    for kind in ("gpt2", "bert"):
        folder = folder_of(tmp_path, kind, monkeypatch)
        tensors = load_file(folder / "model.safetensors")
        if tables:
            tensors[TOKEN_TABLES[kind]] = tables[0] + 0.02 * tensors[TOKEN_TABLES[kind]]
            save_file(tensors, folder / "model.safetensors", {"format": "pt"})
        tables.append(tensors[TOKEN_TABLES[kind]])
    app = open_page("models", model="./gpt2", other_model="./bert", text=TEXT, token="1")
    assert not app.exception
    named = ["[UNK]", "[unused0]", "[unused1]", *WORDS]
    lists = []
    for table, shown in zip(tables, app.table[2:4], strict=True):
        near = NearestNeighbors(n_neighbors=11, metric="cosine").fit(table.numpy())
        rows = near.kneighbors(table[named.index("cd")][None].numpy(), return_distance=False)[0, 1:]
        lists.append([named[row] for row in rows])
        assert shown_words(shown.value.iloc[:, 0]) == lists[-1]
    both = set(lists[0]) & set(lists[1])
    assert [mark == "✓" for mark in app.table[2].value.iloc[:, 2]] == [word in both for word in lists[0]]
    assert app.pills(key="model_word").value == WORDS.index("cd")
    before, after = figure(app, "alignment")["data"][-1], figure(app, "alignment")["data"][-2]
    np.testing.assert_allclose(before["x"], after["x"], atol=0.1)
    output, _names = run(app.code[0].value, tmp_path)
    assert "not explained 0.00" in output
    app.pills(key="model_word").set_value(WORDS.index("hh")).run()
    assert link_of(app)["token"] == "3"


def broken(folder: Path, what: str) -> None:
    tensors = load_file(folder / "model.safetensors")
    match what:
        case "file":
            (folder / "model.safetensors").rename(folder / "pytorch_model.bin")
            save_file(tensors, folder / "other.safetensors")
        case "unsupported":
            quantised = tensors | {TOKEN_TABLES["gpt2"]: tensors[TOKEN_TABLES["gpt2"]].to(torch.int8)}
            save_file(quantised, folder / "model.safetensors")
        case "damaged":
            (folder / "tokenizer.json").write_text("{}", encoding="utf-8")
        case "missing":
            (folder / "tokenizer.json").unlink()


@pytest.mark.parametrize(
    ("what", "values"),
    [
        ("file", {"file": "pytorch_model.bin", "known": (".safetensors",)}),
        ("unsupported", {"source": "gpt2", "found": f"{TOKEN_TABLES['gpt2']} in I8"}),
        ("damaged", {"file": "tokenizer.json", "format": "tokenizer"}),
        ("missing", {"file": "tokenizer.json", "source": "gpt2"}),
    ],
)
def test_a_fault_is_a_sentence_with_the_remedy(
    what: str, values: dict[str, Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    broken(folder_of(tmp_path, "gpt2", monkeypatch), what)
    app = open_page("models", model="./gpt2", text=TEXT)
    assert not app.exception
    assert set(sentences(app)) == {model_sentence(CheckpointError(what, **values))}


POINTER = b"version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 268435456\n"
TOKENS, POSITIONS = TOKEN_TABLES["gpt2"], POSITION_TABLES["gpt2"]
DAMAGED = {"file": "config.json", "format": ".json"}
FAULTS: dict[str, tuple[str, dict[str, Any], set[str]]] = {  # code, its values, and the charts that are drawn
    "a shard is missing": (
        "missing", {"source": "gpt2", "file": "second.safetensors"}, {"model-rows", "model-lengths"},
    ),
    "a shard is cut": (
        "damaged", {"file": "second.safetensors", "format": ".safetensors"}, {"model-rows", "model-lengths"},
    ),
    "a shard is a Git LFS pointer": ("lfs", {"file": "second.safetensors"}, {"model-rows", "model-lengths"}),
    "a shard lacks its tensor": (
        "missing", {"source": "second.safetensors", "file": POSITIONS}, {"model-rows", "model-lengths"},
    ),
    "config.json is damaged": ("damaged", DAMAGED, {"model-rows", "model-lengths"}),
    "tokenizer.json is damaged": ("damaged", {"file": "tokenizer.json", "format": "tokenizer"}, {"model-positions"}),
    "tokenizer.json is a Git LFS pointer": ("lfs", {"file": "tokenizer.json"}, {"model-positions"}),
    "positions in float8": (
        "unsupported", {"source": "gpt2", "found": f"{POSITIONS} in F8_E4M3"}, {"model-rows", "model-lengths"},
    ),
    "positions in int64": (
        "unsupported", {"source": "gpt2", "found": f"{POSITIONS} in I64"}, {"model-rows", "model-lengths"},
    ),
    "one position": ("shape", {"file": POSITIONS, "found": "float32 (1, 24)"}, {"model-rows", "model-lengths"}),
    "a NaN among positions": (
        "value", {"file": POSITIONS, "value": "nan", "row": 4, "column": "6"}, {"model-rows", "model-lengths"},
    ),
    "a NaN among rows": (
        "value", {"file": TOKENS, "value": "nan", "row": 3, "column": "6"}, {"model-rows", "model-positions"},
    ),
}  # fmt: skip


def spoil(folder: Path, what: str) -> None:
    tensors = load_file(folder / "model.safetensors")
    match what.split():
        case ["a", "shard", *how]:
            (folder / "model.safetensors").unlink()
            own = {name: "second.safetensors" if name == POSITIONS else "first.safetensors" for name in tensors}
            (folder / "model.safetensors.index.json").write_text(json.dumps({"weight_map": own}))
            second = {POSITIONS: tensors.pop(POSITIONS)}
            save_file(tensors, folder / "first.safetensors")
            save_file({"other": torch.zeros(3)} if "lacks" in how else second, folder / "second.safetensors")
            content = (folder / "second.safetensors").read_bytes()
            cut = {"cut": content[:-7], "pointer": POINTER}.get(how[-1])
            if cut is not None:
                (folder / "second.safetensors").write_bytes(cut)
            if "missing" in how:
                (folder / "second.safetensors").unlink()
            return
        case [file, "is", "damaged"]:
            (folder / file).write_text("{" if file == "config.json" else "{}")
        case [file, "is", *_]:
            (folder / file).write_bytes(POINTER)
        case ["positions", "in", dtype]:
            dtypes = {"float8": torch.float8_e4m3fn, "int64": torch.int64}
            tensors[POSITIONS] = tensors[POSITIONS].to(dtypes[dtype])
        case ["one", "position"]:
            tensors[POSITIONS] = tensors[POSITIONS][:1].clone()
        case ["a", "NaN", "among", which]:
            tensors[TOKENS if which == "rows" else POSITIONS][2 if which == "rows" else 3, 5] = float("nan")
    save_file(tensors, folder / "model.safetensors")


@pytest.mark.parametrize("what", FAULTS)
def test_what_is_wrong_elsewhere_is_one_sentence_and_what_can_be_read_is_shown(
    what: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    spoil(folder_of(tmp_path, "gpt2", monkeypatch), what)
    app = open_page("models", model="./gpt2", text=TEXT)
    assert not app.exception
    code, values, drawn = FAULTS[what]
    assert {error.value for error in app.error} == {model_sentence(CheckpointError(code, **values))}
    charts = {
        chart.proto.id.rpartition("-model-")[2] for chart in app.get("plotly_chart") if "-model-" in chart.proto.id
    }
    assert charts == {name.removeprefix("model-") for name in drawn}
    assert f">{VOCAB_SIZE}<" in " ".join(str(element.proto.body) for element in app.get("html"))
    assert app.code  # the page is drawn to its end


def test_a_fault_of_a_model_of_the_hub_leaves_what_can_be_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with in_place_of_the_hub(monkeypatch, tmp_path) as server:
        server.models["owner/broken"] = folder = folder_of(tmp_path, "gpt2", monkeypatch)
        spoil(folder, "positions in int64")
        (folder / "tokenizer.json").unlink()
        app = open_page("models", model="owner/broken", text=TEXT)
        wait_for(app, lambda: app.code, lambda: sentences(app))
        asked = len(server.asked)
        app.run()
        assert len(server.asked) == asked  # what is missing is not asked for again
        assert {error.value for error in app.error} == {
            model_sentence(CheckpointError("missing", source="owner/broken", file="tokenizer.json")),
            model_sentence(CheckpointError("unsupported", source="owner/broken", found=f"{POSITIONS} in I64")),
        }
        for job in list(downloads._jobs.values()):
            job.over.wait(PATIENCE)
        downloads._jobs.clear()


def test_a_text_whose_rows_are_not_finite_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = folder_of(tmp_path, "gpt2", monkeypatch)
    tensors = load_file(folder / "model.safetensors")
    tensors[TOKENS][3] = float("inf")
    save_file(tensors, folder / "model.safetensors")
    app = open_page("models", model="./gpt2", text=WORDS[0])
    assert not app.exception
    assert says(app, CHECKPOINT_ERRORS["unsupported"], source="`gpt2`", found=f"`{TOKENS} with inf`")


def test_of_two_position_tables_the_reader_chooses_and_the_link_has_the_choice(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = folder_of(tmp_path, "gpt2", monkeypatch)
    tensors = load_file(folder / "model.safetensors")
    both = {f"model.{side}.embed_positions.weight": torch.rand(9, D_MODEL) for side in ("encoder", "decoder")}
    save_file({"model.shared.weight": tensors[TOKENS]} | both, folder / "model.safetensors")
    (folder / "config.json").write_text('{"model_type": "bart", "d_model": 24, "encoder_attention_heads": 2}')
    app = open_page("models", model="./gpt2", text=TEXT)
    assert not app.exception
    assert not [chart for chart in app.get("plotly_chart") if chart.proto.id.endswith("-model-positions")]
    name = "model.decoder.embed_positions.weight"
    app.selectbox(key="model_positions").select(name).run()
    assert not app.exception
    np.testing.assert_array_equal(figure(app, "model-positions")["data"][0]["z"], both[name][2:].numpy())
    link = link_of(app)
    assert link["model"] == f"./gpt2::{name}"
    assert name in app.code[0].value
    again = open_page("models", **link)
    np.testing.assert_array_equal(figure(again, "model-positions")["data"][0]["z"], both[name][2:].numpy())


def test_a_vocabulary_of_single_signs_has_no_ranks(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = folder_of(tmp_path, "gpt2", monkeypatch)
    signs = {sign: row for row, sign in enumerate(SIGNS)}
    Tokenizer(models.BPE(signs, [])).save(str(folder / "tokenizer.json"))
    app = open_page("models", model="./gpt2", text="ab")
    assert not app.exception
    assert says(app, "The vocabulary has single signs…")


def test_a_folder_that_is_not_there_is_a_sentence_and_the_text_stays() -> None:
    app = open_page("models", model="./nothing", text=TEXT)
    assert not app.exception
    assert sentences(app) == [model_sentence(CheckpointError("source", source="./nothing"))]
    assert not app.get("plotly_chart")


def test_a_model_of_the_hub_is_fetched_in_the_background_and_its_table_when_asked_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with in_place_of_the_hub(monkeypatch, tmp_path) as server:
        server.models["owner/gpt2"] = folder = folder_of(tmp_path, "gpt2", monkeypatch)
        server.faults += ["status 503"] * 3
        app = open_page("models", model="owner/gpt2", text=TEXT)
        again = wait_for(app, lambda: [button for button in app.button if button.label and "again" in str(button.key)])
        assert says_only(app, CHECKPOINT_ERRORS["network"])
        again[0].click().run()
        fetch = wait_for(app, lambda: [button for button in app.button if str(button.key).endswith("_load")])
        table = load_file(folder / "model.safetensors")[TOKEN_TABLES["gpt2"]]
        wait_for(app, lambda: any(chart.proto.id.endswith("-model-rows") for chart in app.get("plotly_chart")))
        ids = [3 + WORDS.index(word) for word in TEXT.split()]
        np.testing.assert_array_equal(figure(app, "model-rows")["data"][0]["z"], table[ids].numpy())
        assert figure(app, "model-positions")
        assert not app.table
        fetch = [button for button in app.button if str(button.key).endswith("_load")]
        fetch[0].click().run()
        wait_for(app, lambda: app.table, lambda: sentences(app))
        marked = figure(app, "model-lengths")["data"][-1]
        np.testing.assert_allclose(marked["y"], table[list(dict.fromkeys(ids))].norm(dim=1).numpy(), rtol=1e-6)
        for job in list(downloads._jobs.values()):
            job.over.wait(PATIENCE)
        downloads._jobs.clear()


def test_without_minilm_the_page_says_how_to_have_it(monkeypatch: pytest.MonkeyPatch) -> None:
    def missing() -> None:
        raise CheckpointError("no_minilm")

    monkeypatch.setattr(model_choice, "minilm_model", missing)
    app = open_page("models")
    assert not app.exception
    assert sentences(app) == [model_sentence(CheckpointError("no_minilm"))]


def test_names_from_outside_are_text(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for kind, name in (("gpt2", "**b** [a](x)"), ("bert", "other")):
        folder_of(tmp_path, kind, monkeypatch, name=name)
    app = open_page("models", model="./**b** [a](x)", other_model="./other", text="ab <img> cd")
    assert not app.exception
    assert "`**b** [a](x)`" in [heading.value for heading in app.subheader]


@pytest.mark.parametrize("text", ["", " ", "日本 <b>x</b>", "ab " * 3_000])
def test_any_text_is_shown_or_said(text: str) -> None:
    assert not open_page("models", text=text).exception
