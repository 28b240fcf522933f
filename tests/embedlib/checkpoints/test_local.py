"""Models in folders: rows equal to the bit to what safetensors and transformers load, and what is refused."""

import json
import os
import pickle
import struct
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from safetensors.torch import load_file, save_file

from embedlib.checkpoints import (
    CheckpointError,
    checkpoint,
    files,
    model_parts,
    open_checkpoint,
)
from embedlib.tables import read_table
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
        assert (caught.value.code, caught.value.values["source"]) == ("missing", tmp_path.name)
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
    read = files.LocalFiles.read_spans

    def counted(self: files.LocalFiles, file: str, wanted: list[files.Span]) -> list[bytes]:
        spans.extend(wanted)
        return read(self, file, wanted)

    monkeypatch.setattr(files.LocalFiles, "read_spans", counted)
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


def test_a_table_of_another_name_is_read_when_named_and_the_error_lists_what_may_be_meant(tmp_path: Path) -> None:
    write(tmp_path, {"a.emb": table(), "b.Embed": table(6), "c": table()})
    assert refused("choose", tmp_path).values["choices"] == ("a.emb", "b.Embed")
    assert refused("choose", tmp_path, table="d").values["choices"] == ("a.emb", "b.Embed")
    opened = open_checkpoint(tmp_path, table="c", positions="b.Embed")
    assert torch.equal(opened.rows([1]), table()[[1]])
    assert torch.equal(opened.position_table(), table(6))


@pytest.mark.parametrize("row", [-1, 5, 2**40])
def test_an_id_without_a_row_is_refused(row: int, tmp_path: Path) -> None:
    opened = open_checkpoint(write(tmp_path, {"wte.weight": table()}))
    with pytest.raises(CheckpointError) as caught:
        opened.rows([0, row])
    assert (caught.value.code, caught.value.values["row"]) == ("row", row)
    with pytest.raises(ValueError, match="whole numbers"):
        opened.rows(torch.tensor([0.5]))
    with pytest.raises(ValueError, match=r"\(2, 2\)"):
        opened.rows(torch.zeros(2, 2, dtype=torch.int64))


@pytest.mark.parametrize("dtype", [torch.uint8, torch.int32, torch.float8_e4m3fn, torch.float64])
def test_a_table_of_other_numbers_is_refused_by_name(dtype: torch.dtype, tmp_path: Path) -> None:
    values = refused("unsupported", write(tmp_path, {"model.embed_tokens.weight": table().to(dtype)})).values
    assert values["found"].startswith("model.embed_tokens.weight in ")


@pytest.mark.parametrize("name", ["pytorch_model.bin", "model.pt", "model.CKPT", "weights.pth", "x.pkl"])
def test_a_pickle_is_refused_and_never_opened(name: str, tmp_path: Path) -> None:
    class Trap:
        def __reduce__(self) -> tuple[Any, ...]:
            return Path(tmp_path / "ran").touch, ()

    (tmp_path / name).write_bytes(pickle.dumps(Trap()))
    for source in (tmp_path, tmp_path / name, str(tmp_path / name)):
        assert ".safetensors" in str(refused("file", source))
    assert not (tmp_path / "ran").exists()


def header(content: dict[str, Any] | bytes, *, length: int | None = None, data: bytes = b"") -> bytes:
    text = content if isinstance(content, bytes) else json.dumps(content).encode()
    return struct.pack("<Q", len(text) if length is None else length) + text + data


def entry(start: int, stop: int, shape: tuple[int, ...] = (2, 2)) -> dict[str, Any]:
    return {"dtype": "F32", "shape": shape, "data_offsets": [start, stop]}


POINTER = b"version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 268435456\n"
BROKEN = {
    "empty": (b"", "damaged"),
    "short": (b"\1\0\0", "damaged"),
    "a header longer than the file": (header({}, length=2**40), "damaged"),
    "no JSON": (header(b"{]"), "damaged"),
    "nested": (header(b'{"a":' * 90_000), "damaged"),
    "a list": (header(b"[]"), "damaged"),
    "a name without UTF-8": (header({"\ud800": entry(0, 16)}, data=b"\0" * 16), "damaged"),
    "outside": (header({"wte.weight": entry(0, 16)}, data=b"\0" * 15), "damaged"),
    "huge": (header({"wte.weight": entry(0, 2**50, (2**24, 2**24))}), "damaged"),
    "too small for its shape": (header({"wte.weight": entry(0, 8)}, data=b"\0" * 16), "damaged"),
    "negative": (header({"wte.weight": entry(-16, 0)}, data=b"\0" * 16), "damaged"),
    "a negative size": (header({"wte.weight": entry(0, 16, (-2, -2))}, data=b"\0" * 16), "damaged"),
    "a shape of text": (header({"wte.weight": entry(0, 16) | {"shape": "22"}}, data=b"\0" * 16), "damaged"),
    "no rows": (header({"wte.weight": entry(0, 0, (0, 4))}), "shape"),
    "three dimensions": (header({"wte.weight": entry(0, 32, (2, 2, 2))}, data=b"\0" * 32), "shape"),
    "a pickle by another name": (pickle.dumps(list(range(100))), "damaged"),
    "a Git LFS pointer": (POINTER, "lfs"),
}


@pytest.mark.parametrize("case", BROKEN)
def test_a_broken_file_is_refused_in_a_sentence_before_anything_is_allocated(case: str, tmp_path: Path) -> None:
    content, code = BROKEN[case]
    (tmp_path / "model.safetensors").write_bytes(content)
    for source in (tmp_path, tmp_path / "model.safetensors"):
        assert str(refused(code, source)).endswith(".")


BROKEN_CONFIGS = ["[]", "{", "\ufeff{}", '{"a":' * 90_000, "é".encode("latin-1"), b'{"a": "\\ud800"}', POINTER]


@pytest.mark.parametrize("content", BROKEN_CONFIGS)
def test_rows_are_read_whatever_config_says_and_what_needs_it_is_refused(content: str | bytes, tmp_path: Path) -> None:
    write(tmp_path, {"wte.weight": table(), "wpe.weight": table(3)})
    (tmp_path / "config.json").write_bytes(content if isinstance(content, bytes) else content.encode())
    opened = open_checkpoint(tmp_path)
    assert torch.equal(opened.rows([1]), table()[[1]])
    for use in (lambda: opened.config, opened.position_table, lambda: model_parts(opened)):
        with pytest.raises(CheckpointError) as caught:
            use()
        assert (caught.value.code, caught.value.values["file"]) == (
            "lfs" if content == POINTER else "damaged", "config.json",
        )  # fmt: skip


def test_meta_s_params_json_is_the_config_where_there_is_no_other(tmp_path: Path) -> None:
    write(tmp_path, {"tok_embeddings.weight": table()})
    (tmp_path / "params.json").write_text('{"dim": 4, "n_heads": 2, "vocab_size": -1}')
    assert open_checkpoint(tmp_path).config["dim"] == 4
    assert open_checkpoint(tmp_path).contradictions == []
    (tmp_path / "config.json").write_text('{"model_type": "llama"}')
    assert open_checkpoint(tmp_path).config == {"model_type": "llama"}


OTHERS: dict[str, Callable[[Path], object]] = {
    "missing": lambda shard: shard.unlink(),
    "cut": lambda shard: shard.write_bytes(shard.read_bytes()[:-9]),
    "a Git LFS pointer": lambda shard: shard.write_bytes(POINTER),
    "a type not known": lambda shard: save_file({"wpe.weight": table().to(torch.float8_e4m3fnuz)}, shard),
}


@pytest.mark.parametrize("fault", OTHERS)
def test_what_is_wrong_with_another_file_leaves_the_rows_and_is_said_where_it_is_needed(
    fault: str, tmp_path: Path
) -> None:
    save_file({"wte.weight": table()}, tmp_path / "one.safetensors")
    save_file({"wpe.weight": table()}, tmp_path / "two.safetensors")
    index(tmp_path, {"wte.weight": "one.safetensors", "wpe.weight": "two.safetensors"})
    OTHERS[fault](tmp_path / "two.safetensors")
    opened = open_checkpoint(tmp_path)
    assert torch.equal(opened.rows([1]), table()[[1]])
    assert torch.equal(opened.whole_table(), table())
    with pytest.raises(CheckpointError) as caught:
        opened.position_table()
    expected = {"missing": "missing", "cut": "damaged", "a Git LFS pointer": "lfs", "a type not known": "unsupported"}
    assert caught.value.code == expected[fault]
    assert "two.safetensors" in str(caught.value) or "wpe.weight in F8_E4M3FNUZ" in str(caught.value)


def test_a_type_that_is_not_known_beside_the_table_does_not_matter(tmp_path: Path) -> None:
    others = {"h.0.weight": table(64, 64).to(torch.float8_e4m3fnuz), "h.0.scale": torch.ones(3).to(torch.float64)}
    opened = open_checkpoint(write(tmp_path, {"wte.weight": table()} | others))
    assert torch.equal(opened.rows([2]), table()[[2]])
    assert model_parts(opened).n_parameters == 20 + 64 * 64 + 3


POSITIONS = {
    "float8": (table(4).to(torch.float8_e4m3fn), {}, "unsupported"),
    "int64": (table(4).long(), {}, "unsupported"),
    "one row": (table(1), {}, "shape"),
    "one row after the offset": (table(3), {"model_type": "opt"}, "shape"),
    "no row after the offset": (table(2), {"model_type": "opt"}, "shape"),
    "four dimensions": (table(4).view(1, 1, 4, 4), {}, "shape"),
    "not finite": (table(4).log(), {}, "value"),
    "all rows alike": (torch.ones(4, 4), {}, "shape"),
}


@pytest.mark.parametrize("case", POSITIONS)
def test_position_rows_that_cannot_be_compared_are_refused(case: str, tmp_path: Path) -> None:
    rows, config, code = POSITIONS[case]
    opened = open_checkpoint(write(tmp_path, {"wte.weight": table(), "wpe.weight": rows.contiguous()}, config))
    assert torch.equal(opened.rows([2]), table()[[2]])
    with pytest.raises(CheckpointError) as caught:
        opened.position_table()
    assert (caught.value.code, "wpe.weight" in str(caught.value)) == (code, True)


def test_position_rows_under_one_more_dimension_are_read(tmp_path: Path) -> None:
    opened = open_checkpoint(write(tmp_path, {"wte.weight": table(), "wpe.weight": table(6)[None].clone()}))
    assert torch.equal(opened.position_table(), table(6))
    assert opened.n_positions == 6


@pytest.mark.parametrize("dtype", [torch.float32, torch.bfloat16])
def test_a_number_that_cannot_be_compared_is_said_with_its_row_and_column(
    dtype: torch.dtype, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("embedlib.tables.checks.BLOCK", 8)
    rows = table().to(dtype)
    rows[3, 1] = float("-inf")
    opened = open_checkpoint(write(tmp_path, {"wte.weight": rows}))
    assert torch.equal(opened.rows([2]), rows[[2]])
    with pytest.raises(CheckpointError) as caught:
        opened.whole_table()
    values = caught.value.values
    assert (caught.value.code, values["file"], values["row"], values["column"]) == ("value", "wte.weight", 4, "2")


@pytest.mark.parametrize("rows", [table(1), torch.ones(3, 4), table(5, 1)])
def test_a_table_whose_rows_cannot_be_compared_is_said(rows: torch.Tensor, tmp_path: Path) -> None:
    opened = open_checkpoint(write(tmp_path, {"wte.weight": rows}))
    assert torch.equal(opened.rows([0]), rows[[0]])
    with pytest.raises(CheckpointError) as caught:
        opened.whole_table()
    assert caught.value.code == "shape"


def test_sizes_are_capped(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    opened = open_checkpoint(write(tmp_path, {"wte.weight": table()}, {"model_type": "gpt2"}))
    monkeypatch.setattr(checkpoint, "MAX_ROWS", 47)
    with pytest.raises(CheckpointError) as caught:
        opened.rows([0, 2, 4])
    assert caught.value.code == "too_large"
    assert len(opened.rows([0, 2, 2])) == 3
    monkeypatch.setattr(files, "MAX_JSON", 10)
    with pytest.raises(CheckpointError) as caught:
        _ = open_checkpoint(tmp_path).config
    assert caught.value.code == "too_large"


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
        _ = open_checkpoint(folder).tokenizer() if file == "tokenizer.json" else open_checkpoint(folder).config
    assert (caught.value.code, caught.value.values["file"]) == ("missing", file)


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
    with pytest.raises(CheckpointError) as caught:
        _ = open_checkpoint(snapshot).config
    assert (caught.value.code, caught.value.values["file"]) == ("missing", "config.json")


def test_nothing_outside_the_root_is_opened(tmp_path: Path) -> None:
    root = tmp_path / "models"
    write(root / "good", {"wte.weight": table()})
    outside = write(tmp_path / "outside", {"wte.weight": table()})
    (root / "link").symlink_to(outside)
    assert open_checkpoint("good", root=root).name == "good"
    assert open_checkpoint("good/model.safetensors", root=root).name == "good"
    for source in ("../outside", "link", "link/model.safetensors", str(outside), "good/../../outside"):
        refused("source", source, root=root)


SOURCES = ["a/b/c", "../x", "owner/..", "", "a b", "-x", "owner/name?x=1", "https://example.org/x", "a\0b", "x" * 300]


@pytest.mark.parametrize("source", [*SOURCES, "~nobody-of-that-name/x"])
def test_what_is_neither_a_file_nor_an_id_is_refused(source: str, tmp_path: Path) -> None:
    refused("source", source, root=tmp_path / "nowhere")
    if source not in ("", "../x"):  # which are folders where there are any
        refused("source", source, root=tmp_path)
        refused("source", source)


def test_what_is_missing_or_of_another_kind_is_refused(tmp_path: Path) -> None:
    refused("source", tmp_path / "none")
    refused("source", tmp_path / ("x" * 300))
    refused("source", Path("~nobody-of-that-name"))
    refused("source", str(tmp_path / "none.safetensors"))
    assert refused("missing", tmp_path).values["file"] == "model.safetensors"
    (tmp_path / "model.gguf").write_bytes(b"GGUF")
    refused("file", tmp_path / "model.gguf")
    os.mkfifo(tmp_path / "model.safetensors")  # reading it would wait for ever
    refused("missing", tmp_path)


def test_a_file_that_is_cut_while_in_use_is_said_and_a_retry_works(tmp_path: Path) -> None:
    opened = open_checkpoint(write(tmp_path, {"wte.weight": table()}))
    whole = (tmp_path / "model.safetensors").read_bytes()
    (tmp_path / "model.safetensors").write_bytes(whole[:-20])
    with pytest.raises(CheckpointError) as caught:
        opened.rows([4])
    assert caught.value.code == "damaged"
    (tmp_path / "model.safetensors").write_bytes(whole)
    assert torch.equal(opened.rows([4]), table()[[4]])
    (tmp_path / "model.safetensors").unlink()
    with pytest.raises(CheckpointError):
        opened.rows([4])


@pytest.mark.parametrize(
    "others", [("encoder.embed_tokens.weight",), ("encoder.embed_tokens.weight", "decoder.embed_tokens.weight")]
)
def test_a_file_of_weights_has_the_same_token_table_as_a_table_and_as_a_model(
    tmp_path: Path, others: tuple[str, ...]
) -> None:
    rows = {name: torch.randn(5, 4) for name in ("shared.weight", *others)}
    save_file(rows, tmp_path / "model.safetensors")
    as_table = read_table(tmp_path / "model.safetensors").vectors
    assert torch.equal(open_checkpoint(tmp_path).rows(range(5)), rows["shared.weight"])
    assert torch.equal(torch.tensor(as_table), rows["shared.weight"])
