"""Models in folders: rows equal to the bit to what safetensors and transformers load, and what is refused."""

import json
import os
import pickle
import struct
from pathlib import Path
from typing import Any

import pytest
import torch
import transformers
from hypothesis import given
from hypothesis import strategies as st
from safetensors.torch import load_file, save_file

from embedlib.checkpoints import CHECKPOINT_ERRORS, CheckpointError, checkpoint, files, open_checkpoint
from tests.embedlib.checkpoints import models
from tests.embedlib.checkpoints.models import D_MODEL, DTYPES, VOCAB_SIZE, save

Numbers = dict[str, torch.Tensor]


def write(folder: Path, tensors: Numbers, config: dict[str, Any] | None = None) -> Path:
    folder.mkdir(exist_ok=True, parents=True)
    save_file(tensors, folder / "model.safetensors")
    if config is not None:
        (folder / "config.json").write_text(json.dumps(config), encoding="utf-8")
    return folder


def table(n_rows: int = 5, width: int = 4) -> torch.Tensor:
    return torch.arange(n_rows * width, dtype=torch.float32).view(n_rows, width)


def refused(code: str, *arguments: Any, **named: Any) -> CheckpointError:
    with pytest.raises(CheckpointError) as caught:
        open_checkpoint(*arguments, **named)
    assert caught.value.code == code
    return caught.value


@pytest.mark.parametrize(("kind", "dtype", "shard_bytes"), models.STORED)
def test_rows_are_what_safetensors_and_transformers_load(
    kind: str, dtype: str, shard_bytes: int | None, tmp_path: Path
) -> None:
    model = save(kind, dtype, tmp_path, shard_bytes=shard_bytes)
    assert (len(list(tmp_path.glob("*.safetensors"))) > 1) == (shard_bytes is not None)
    opened = open_checkpoint(tmp_path)
    loaded = {name: tensor for file in tmp_path.glob("*.safetensors") for name, tensor in load_file(file).items()}
    assert opened.table_name == models.TOKEN_TABLES[kind]
    assert (opened.vocab_size, opened.d_model, opened.dtype) == (VOCAB_SIZE, D_MODEL, DTYPES[dtype])
    assert set(opened.tensor_names) == loaded.keys()
    ids = torch.tensor([5, 96, 0, 5, 6, 7, 40])
    rows = opened.rows(ids)
    assert rows.dtype == DTYPES[dtype]
    assert torch.equal(rows, loaded[opened.table_name][ids])
    assert torch.equal(rows, model.get_input_embeddings().weight[ids])
    assert torch.equal(opened.rows(ids, dtype=torch.float32), rows.float())
    assert torch.equal(opened.rows(range(VOCAB_SIZE)), loaded[opened.table_name])
    assert opened.rows([]).shape == (0, D_MODEL)
    if kind in models.POSITION_TABLES:
        assert opened.position_name == models.POSITION_TABLES[kind]
        assert torch.equal(opened.position_table(), loaded[models.POSITION_TABLES[kind]])
    else:
        with pytest.raises(CheckpointError) as caught:
            opened.position_table()
        assert caught.value.code == "no_positions"
    assert opened.config["model_type"] == kind


@given(ids=st.lists(st.integers(0, 29), max_size=40))
def test_any_ids_in_any_order_give_their_rows(ids: list[int], tmp_path_factory: pytest.TempPathFactory) -> None:
    folder = tmp_path_factory.getbasetemp() / "ids"
    rows = table(30)
    if not folder.exists():
        write(folder, {"wte.weight": rows, "other": table(3)})
    assert torch.equal(open_checkpoint(folder).rows(torch.tensor(ids, dtype=torch.int64)), rows[ids])


def test_only_the_rows_asked_for_are_read_and_neighbours_together(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened = open_checkpoint(write(tmp_path, {"wte.weight": table(50)}))
    spans: list[files.Span] = []
    read = files.LocalFiles.read

    def counted(self: files.LocalFiles, file: str, wanted: list[files.Span]) -> list[bytes]:
        spans.extend(wanted)
        return read(self, file, wanted)

    monkeypatch.setattr(files.LocalFiles, "read", counted)
    opened.rows([9, 8, 30, 7, 9])
    first = spans[0][0] - 7 * 16
    assert spans == [(first + 7 * 16, first + 10 * 16), (first + 30 * 16, first + 31 * 16)]


NAMES = [
    ("wte.weight", "wpe.weight"),
    ("transformer.wte.weight", "transformer.wpe.weight"),
    ("embeddings.word_embeddings.weight", "embeddings.position_embeddings.weight"),
    ("distilbert.embeddings.word_embeddings.weight", "distilbert.embeddings.position_embeddings.weight"),
    ("model.embed_tokens.weight", None),
    ("language_model.model.embed_tokens.weight", None),
    ("gpt_neox.embed_in.weight", None),
    ("model.decoder.embed_tokens.weight", "model.decoder.embed_positions.weight"),
]


@pytest.mark.parametrize(("tokens", "positions"), NAMES)
def test_tables_are_found_by_the_names_in_use(tokens: str, positions: str | None, tmp_path: Path) -> None:
    others = {"lm_head.weight": table(), "model.layers.0.mlp.weight": table(4), "model.norm.weight": table()[0].clone()}
    own = {tokens: table(7)} | ({positions: table(9)} if positions else {})
    opened = open_checkpoint(write(tmp_path, others | own))
    assert (opened.table_name, opened.position_name) == (tokens, positions)


def test_a_shared_table_comes_before_its_copies(tmp_path: Path) -> None:
    names = ("encoder.embed_tokens.weight", "decoder.embed_tokens.weight", "shared.weight")
    assert open_checkpoint(write(tmp_path, {name: table() for name in names})).table_name == "shared.weight"


def test_a_table_of_another_name_is_read_when_named_and_the_error_lists_what_may_be_meant(tmp_path: Path) -> None:
    write(tmp_path, {"a.emb": table(), "b.Embed": table(6), "c": table()})
    assert refused("choose", tmp_path).values["choices"] == ("a.emb", "b.Embed")
    assert refused("unknown_choice", tmp_path, table="d").values["choices"] == ("a.emb", "b.Embed")
    opened = open_checkpoint(tmp_path, table="c", positions="b.Embed")
    assert torch.equal(opened.rows([1]), table()[[1]])
    assert torch.equal(opened.position_table(), table(6))


MODELS = {
    "opt": (
        transformers.OPTForCausalLM,
        transformers.OPTConfig(
            vocab_size=20, hidden_size=8, word_embed_proj_dim=8, num_hidden_layers=1, num_attention_heads=2,
            ffn_dim=8, max_position_embeddings=6,
        ),
    ),
    "roberta": (
        transformers.RobertaModel,
        transformers.RobertaConfig(
            vocab_size=20, hidden_size=8, num_hidden_layers=1, num_attention_heads=2, intermediate_size=8,
            max_position_embeddings=8, pad_token_id=1,
        ),
    ),
    "distilbert": (
        transformers.DistilBertModel,
        transformers.DistilBertConfig(
            vocab_size=20, dim=8, n_layers=1, n_heads=2, hidden_dim=8, max_position_embeddings=6,
        ),
    ),
}  # fmt: skip


@pytest.mark.parametrize("kind", MODELS)
def test_row_i_of_the_position_table_is_what_the_model_itself_adds_at_position_i(kind: str, tmp_path: Path) -> None:
    build, config = MODELS[kind]
    model = build(config).eval()
    model.save_pretrained(tmp_path)
    seen: list[torch.Tensor] = []
    (position,) = (part for name, part in model.named_modules() if name.endswith(("position_embeddings", "_positions")))
    position.register_forward_hook(lambda module, inputs, output: seen.append(output))
    with torch.no_grad():
        model(torch.arange(2, 8)[None])
    rows = open_checkpoint(tmp_path).position_table()
    assert torch.equal(rows, seen[0].view(-1, 8)[: len(rows)])
    assert len(rows) == 6


@pytest.mark.parametrize("row", [-1, 5, 2**40])
def test_an_id_without_a_row_is_refused(row: int, tmp_path: Path) -> None:
    opened = open_checkpoint(write(tmp_path, {"wte.weight": table()}))
    with pytest.raises(CheckpointError) as caught:
        opened.rows([0, row])
    assert (caught.value.code, caught.value.values["row"]) == ("row", row)
    with pytest.raises(ValueError, match="whole numbers"):
        opened.rows(torch.tensor([0.5]))
    with pytest.raises(ValueError, match="token_ids has shape"):
        opened.rows(torch.zeros(2, 2, dtype=torch.int64))


@pytest.mark.parametrize("dtype", [torch.uint8, torch.int32, torch.float8_e4m3fn, torch.float64])
def test_a_table_of_other_numbers_is_refused_by_name(dtype: torch.dtype, tmp_path: Path) -> None:
    values = refused("number_type", write(tmp_path, {"model.embed_tokens.weight": table().to(dtype)})).values
    assert values["tensor"] == "model.embed_tokens.weight"


@pytest.mark.parametrize("name", ["pytorch_model.bin", "model.pt", "model.CKPT", "weights.pth", "x.pkl"])
def test_a_pickle_is_refused_and_never_opened(name: str, tmp_path: Path) -> None:
    class Trap:
        def __reduce__(self) -> tuple[Any, ...]:
            return Path(tmp_path / "ran").touch, ()

    (tmp_path / name).write_bytes(pickle.dumps(Trap()))
    for source in (tmp_path, tmp_path / name, str(tmp_path / name)):
        assert ".safetensors" in str(refused("pickle", source))
    assert not (tmp_path / "ran").exists()


def heading(content: dict[str, Any] | bytes, *, length: int | None = None, data: bytes = b"") -> bytes:
    text = content if isinstance(content, bytes) else json.dumps(content).encode()
    return struct.pack("<Q", len(text) if length is None else length) + text + data


def entry(start: int, stop: int, shape: tuple[int, ...] = (2, 2)) -> dict[str, Any]:
    return {"dtype": "F32", "shape": shape, "data_offsets": [start, stop]}


BROKEN = {
    "empty": (b"", "heading_length"),
    "short": (b"\1\0\0", "heading_length"),
    "a heading longer than the file": (heading({}, length=2**40), "heading_length"),
    "no JSON": (heading(b"{]"), "heading_text"),
    "nested": (heading(b'{"a":' * 90_000), "heading_text"),
    "a name without UTF-8": (heading({"\ud800": entry(0, 16)}, data=b"\0" * 16), "heading_text"),
    "outside": (heading({"wte.weight": entry(0, 16)}, data=b"\0" * 15), "heading_offsets"),
    "huge": (heading({"wte.weight": entry(0, 2**50, (2**24, 2**24))}), "heading_offsets"),
    "too small for its shape": (heading({"wte.weight": entry(0, 8)}, data=b"\0" * 16), "heading_size"),
    "overlapping": (heading({"a": entry(0, 16), "wte.weight": entry(8, 24)}, data=b"\0" * 24), "heading_overlap"),
    "negative": (heading({"wte.weight": entry(-16, 0)}, data=b"\0" * 16), "heading_text"),
    "no rows": (heading({"wte.weight": entry(0, 0, (0, 4))}), "dimensions"),
    "three dimensions": (heading({"wte.weight": entry(0, 32, (2, 2, 2))}, data=b"\0" * 32), "dimensions"),
    "a pickle by another name": (pickle.dumps(list(range(100))), "heading_length"),
}


@pytest.mark.parametrize("case", BROKEN)
def test_a_broken_file_is_refused_in_a_sentence_before_anything_is_allocated(case: str, tmp_path: Path) -> None:
    content, code = BROKEN[case]
    (tmp_path / "model.safetensors").write_bytes(content)
    for source in (tmp_path, tmp_path / "model.safetensors"):
        assert str(refused(code, source)).endswith(".")


@pytest.mark.parametrize("content", ["[]", "{", '{"a":1,"a":2}', "\ufeff{}", '{"a":' * 90_000, "é".encode("latin-1")])
def test_a_broken_config_is_refused(content: str | bytes, tmp_path: Path) -> None:
    write(tmp_path, {"wte.weight": table()})
    (tmp_path / "config.json").write_bytes(content if isinstance(content, bytes) else content.encode())
    assert refused("damaged", tmp_path).values["file"] == "config.json"


def test_sizes_are_capped(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    opened = open_checkpoint(write(tmp_path, {"wte.weight": table()}, {"model_type": "gpt2"}))
    monkeypatch.setattr(checkpoint, "MOST_ROWS", 47)
    with pytest.raises(CheckpointError) as caught:
        opened.rows([0, 2, 4])
    assert caught.value.code == "too_large"
    assert len(opened.rows([0, 2, 2])) == 3
    monkeypatch.setattr(files, "MOST_JSON", 10)
    refused("too_large", tmp_path)


def index(folder: Path, shards: Any) -> Path:
    (folder / "model.safetensors.index.json").write_text(json.dumps({"weight_map": shards}), encoding="utf-8")
    return folder


OUTSIDE = [
    "../secret.safetensors",
    "/etc/secret.safetensors",
    "sub/x.safetensors",
    ".hidden.safetensors",
    "x.bin",
    5,
    "",
]


@pytest.mark.parametrize("shard", OUTSIDE)
def test_an_index_that_names_other_files_is_refused(shard: Any, tmp_path: Path) -> None:
    write(tmp_path / "secret.safetensors", {"wte.weight": table()})
    folder = tmp_path / "model"
    folder.mkdir()
    assert refused("damaged", index(folder, {"wte.weight": shard})).values["file"] == "model.safetensors.index.json"


@pytest.mark.parametrize("shards", [None, [], {}, "x"])
def test_an_index_without_a_list_is_refused(shards: Any, tmp_path: Path) -> None:
    refused("damaged", index(tmp_path, shards))


def test_a_shard_that_is_missing_or_lacks_its_tensor_is_named(tmp_path: Path) -> None:
    index(tmp_path, {"wte.weight": "one.safetensors"})
    assert refused("missing", tmp_path).values["file"] == "one.safetensors"
    save_file({"other": table()}, tmp_path / "one.safetensors")
    assert refused("missing", tmp_path).values["file"] == "wte.weight"


@pytest.mark.parametrize("file", ["model.safetensors", "config.json", "tokenizer.json"])
def test_a_link_that_leaves_the_folder_is_refused(file: str, tmp_path: Path) -> None:
    folder = write(tmp_path / "model", {"wte.weight": table()}, {})
    (folder / file).rename(tmp_path / file) if (folder / file).exists() else (tmp_path / file).write_text("{}")
    (folder / file).symlink_to(tmp_path / file)
    with pytest.raises(CheckpointError) as caught:
        open_checkpoint(folder).tokenizer()
    assert (caught.value.code, caught.value.values["file"]) == ("outside", file)


def test_the_links_of_the_hubs_cache_work_and_others_beside_them_do_not(tmp_path: Path) -> None:
    repository = tmp_path / "models--owner--name"
    snapshot, blobs = repository / "snapshots" / "abc", repository / "blobs"
    snapshot.mkdir(parents=True)
    write(tmp_path / "made", {"wte.weight": table()}, {"model_type": "gpt2"})
    blobs.mkdir()
    for name in ("model.safetensors", "config.json"):
        (tmp_path / "made" / name).rename(blobs / name[:5])
        (snapshot / name).symlink_to(Path("../../blobs") / name[:5])
    for source in (snapshot, snapshot / "model.safetensors"):
        opened = open_checkpoint(source, root=tmp_path)
        assert (opened.name, opened.config["model_type"]) == ("owner/name", "gpt2")
        assert torch.equal(opened.rows([3]), table()[[3]])
    (repository / "other").write_text("{}")
    (snapshot / "config.json").unlink()
    (snapshot / "config.json").symlink_to("../../other")
    refused("outside", snapshot)


def test_nothing_outside_the_root_is_opened(tmp_path: Path) -> None:
    root = tmp_path / "models"
    write(root / "good", {"wte.weight": table()})
    outside = write(tmp_path / "outside", {"wte.weight": table()})
    (root / "link").symlink_to(outside)
    assert open_checkpoint("good", root=root).name == "good"
    assert open_checkpoint("good/model.safetensors", root=root).name == "good"
    for source in ("../outside", "link", "link/model.safetensors", str(outside), "good/../../outside"):
        refused("outside", source, root=root)


SOURCES = ["a/b/c", "../x", "owner/..", "", "a b", "-x", "owner/name?x=1", "https://example.org/x", "a\0b", "x" * 300]


@pytest.mark.parametrize("source", [*SOURCES, "~nobody-of-that-name/x"])
def test_what_is_neither_a_file_nor_an_id_is_refused(source: str, tmp_path: Path) -> None:
    refused("source", source, root=tmp_path / "nowhere")
    if source not in ("", "../x"):  # which are folders where there are any
        refused("source", source, root=tmp_path)
        refused("source", source)


def test_what_is_missing_or_of_another_kind_is_refused(tmp_path: Path) -> None:
    refused("missing_file", tmp_path / "none")
    refused("missing_file", tmp_path / ("x" * 300))
    refused("missing_file", Path("~nobody-of-that-name"))
    refused("missing_file", str(tmp_path / "none.safetensors"))
    assert refused("missing", tmp_path).values["file"] == "model.safetensors"
    (tmp_path / "model.gguf").write_bytes(b"GGUF")
    refused("extension", tmp_path / "model.gguf")
    os.mkfifo(tmp_path / "model.safetensors")  # reading it would wait for ever
    refused("missing", tmp_path)


def test_a_file_that_is_cut_while_in_use_is_said_and_a_retry_works(tmp_path: Path) -> None:
    opened = open_checkpoint(write(tmp_path, {"wte.weight": table()}))
    whole = (tmp_path / "model.safetensors").read_bytes()
    (tmp_path / "model.safetensors").write_bytes(whole[:-20])
    with pytest.raises(CheckpointError) as caught:
        opened.rows([4])
    assert caught.value.code == "truncated"
    (tmp_path / "model.safetensors").write_bytes(whole)
    assert torch.equal(opened.rows([4]), table()[[4]])
    (tmp_path / "model.safetensors").unlink()
    with pytest.raises(CheckpointError):
        opened.rows([4])


def test_every_sentence_has_its_remedy() -> None:
    assert all(sentence.endswith(".") and sentence.count(".") for sentence in CHECKPOINT_ERRORS.values())


def test_a_vector_is_read_by_name(tmp_path: Path) -> None:
    opened = open_checkpoint(write(tmp_path, {"wte.weight": table(), "norm.weight": table()[1].clone()}))
    assert torch.equal(opened.vector("norm.weight"), table()[1])
    for name, code in (("wte.weight", "number_type"), ("none", "missing")):
        with pytest.raises(CheckpointError) as caught:
            opened.vector(name)
        assert caught.value.code == code
