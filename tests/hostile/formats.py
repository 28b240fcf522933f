"""Every kind of file that the product takes: whole ones, what reads them, and the errors that it documents."""

import io
import json
import os
import tempfile
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
from safetensors.numpy import save
from safetensors.torch import save_file

from embedlib.checkpoints import CheckpointError, FileTokenizer, open_checkpoint, positional_scheme, read_rope_config
from embedlib.checkpoints.files import LocalFiles, read_json
from embedlib.contextual import open_model
from embedlib.errors import CodedError
from embedlib.grammar import grammar_text
from embedlib.positional import make_scheme
from embedlib.tables import TableError, TableFile, read_table, search_names, write_metadata_tsv
from embedlib.tables.names import RowNames
from embedlib.texts import read_text
from embedlib.tokenizers.vocabularies import VOCABULARIES, VocabularyUnavailable, cache_folder, read_vocabulary
from embedlib.word2vec import load_skip_gram, save_skip_gram, skip_gram, word_corpus
from tests.embedlib.checkpoints.models import small_model
from tests.embedlib.checkpoints.test_tokenizer import byte_pairs, sentence_pieces, word_pieces
from tests.embedlib.word2vec.test_skip_gram import SMALL
from tests.hostile.mutations import Mutation, json_file, npy_file, npz_file, safetensors_file

ROWS = np.random.default_rng(0).standard_normal((6, 4)).astype(np.float32)
WORDS = ["the", "né", "a b", "", "👋", '"x']
LIMIT = 2**24  # bytes of a table


@dataclass(frozen=True)
class Format:
    """One kind of file.

    Attributes:
        whole: makes some that nothing is wrong with.
        read: reads one as the product does, and looks at all that came out; a folder of its own is empty before.
        errors: what it may raise.
        inside: mutations that know what such a file is made of.
        isolated: whether the product reads it in a child process, which it may then end.
    """

    whole: Callable[[], list[bytes]]
    read: Callable[[bytes, Path], None]
    errors: tuple[type[Exception], ...]
    inside: list[Mutation] = field(default_factory=list)
    isolated: bool = False


def _read_table(ending: str, data: bytes, folder: Path) -> None:
    name, path = f"t{ending}", folder / f"t{ending}"
    path.write_bytes(data)
    for source in (TableFile(name, io.BytesIO(data)), path):
        table = read_table(source, limit_bytes=LIMIT, isolated=False)  # this process has a child's limits
        assert np.isfinite(table.vectors).all()
        assert min(table.vectors.shape) > 1
        for texts in [table.labels, *table.columns.values()]:
            assert texts is None or len(texts) == len(table.vectors)
        labels = table.labels or [str(row) for row in range(len(table.vectors))]  # as the page names them
        RowNames(labels).find_words("the x")
        search_names(labels, "a")
        write_metadata_tsv(io.BytesIO(), labels, columns=table.columns)
        on_screen([*labels, *table.columns, *(cell for cells in table.columns.values() for cell in cells)])


def on_screen(texts: list[str]) -> None:
    """What is sent to a browser is UTF-8."""
    for text in texts:
        text.encode()


def _read_labels(data: bytes, folder: Path) -> None:
    stream = io.BytesIO()
    np.save(stream, ROWS)
    files = [TableFile("v.npy", stream), TableFile("metadata.tsv", io.BytesIO(data))]
    on_screen(read_table(files, limit_bytes=LIMIT, isolated=False).labels or [])


def _read_tokenizer(data: bytes, folder: Path) -> None:
    made = FileTokenizer("own", data)
    for text in ("", "a", "The cat — né 👋 <0x41> [UNK]\n\tthe the", "日本" * 30):
        ids = made.encode(text)
        tokens = made.tokenize(text)
        assert [token.id for token in tokens] == ids
        for one in ids:
            on_screen([made.piece(one)])
            made.token_bytes(one)
        try:
            made.decode(ids)
        except ValueError as error:
            if "character" not in str(error) and not isinstance(error, CheckpointError):
                raise
    on_screen([*made.pieces().values(), *made.marks])
    assert made.unknown_id is None or made.unknown_id >= 0


def _read_model(file: str, kind: str, data: bytes, folder: Path) -> None:
    for other, content in _model(kind).items():
        (folder / other).write_bytes(content)
    (folder / file).write_bytes(data)
    checkpoint = open_checkpoint(folder)
    on_screen(list(checkpoint.tensor_names))
    checkpoint.tensors()
    checkpoint.rows([0, checkpoint.vocab_size - 1])
    checkpoint.whole_table().sum()
    with suppress(CheckpointError):
        checkpoint.position_table()
    with suppress(CheckpointError):
        positional_scheme(checkpoint.config)
    model = open_model(checkpoint)
    model.schemes()
    layers = model.run([0, 1, 0])
    assert layers.hidden.shape == (model.n_layers + 1, 3, model.d_model)


def _model(kind: str) -> dict[str, bytes]:
    if kind not in _MODELS:
        with tempfile.TemporaryDirectory() as place:
            small_model(kind, 2).save_pretrained(place)
            _MODELS[kind] = {path.name: path.read_bytes() for path in Path(place).iterdir()}
    return _MODELS[kind]


_MODELS: dict[str, dict[str, bytes]] = {}


def _shards() -> list[bytes]:
    tensors = ["wte.weight", "wpe.weight"]
    return [
        json.dumps({"metadata": {"total_size": 99}, "weight_map": dict.fromkeys(tensors, "a.safetensors")}).encode()
    ]


def _read_shards(data: bytes, folder: Path) -> None:
    (folder / "model.safetensors.index.json").write_bytes(data)
    save_file({"wte.weight": _tensor(), "wpe.weight": _tensor() + 1}, folder / "a.safetensors")
    (folder / "config.json").write_text('{"model_type": "gpt2"}')
    checkpoint = open_checkpoint(folder)
    on_screen(list(checkpoint.tensor_names))
    checkpoint.tensors()
    checkpoint.rows([0])


def _configs() -> list[bytes]:
    from transformers import CONFIG_MAPPING

    kinds = ("gemma3", "gemma4", "deepseek_v3", "phi3", "gpt_neox", "mpt", "falcon", "modernbert", "esm", "t5gemma2")
    files = [{"model_type": kind} | CONFIG_MAPPING[kind]().to_dict() for kind in kinds]
    lists = {"type": "su", "short_factor": [1.0] * 8, "long_factor": [2.0] * 8}
    files += [
        {"model_type": "of nobody", "n_embd": 64, "n_head": 4, "rope_scaling": lists, "rotary_emb_base": 500},
        {"dim": 64, "n_heads": 4, "rope_theta": 1e4, "use_scaled_rope": True},
    ]
    return [json.dumps(file, default=str).encode() for file in files]


def _read_positions(data: bytes, folder: Path) -> None:
    (folder / "config.json").write_bytes(data)
    config = read_json(LocalFiles(folder), "config.json")
    name, arguments = positional_scheme(config)
    if name == "rope":
        make_scheme(name, **arguments)
        read_rope_config(config)


def _tensor() -> Any:
    import torch

    return torch.from_numpy(ROWS)


def _skip_grams() -> list[bytes]:
    corpus = word_corpus(grammar_text(300), min_count=8)
    *_, last = skip_gram(corpus, SMALL)
    with tempfile.TemporaryDirectory() as place:
        save_skip_gram(Path(place) / "r", last.state(), corpus.words)
        return [(Path(place) / "r").read_bytes()]


def _read_skip_gram(data: bytes, folder: Path) -> None:
    path = folder / "training.safetensors"
    path.write_bytes(data)
    _state, words = load_skip_gram(path)
    on_screen(list(words))


def _read_vocabulary(data: bytes, folder: Path) -> None:
    os.environ["EMBEDLIB_CACHE"] = str(folder)
    (cache_folder() / VOCABULARIES["o200k_base"].file).write_bytes(data)
    read_vocabulary("o200k_base")
    raise AssertionError("bytes of another hash were taken for the vocabulary")


def _read_text(data: bytes, folder: Path) -> None:
    on_screen([read_text(data, limit=2**20, name="own.txt")])


def _npy() -> list[bytes]:
    made = []
    for rows in (ROWS, ROWS.astype(">f8"), np.asfortranarray(ROWS.astype("<f2")), np.arange(12).reshape(3, 4)):
        stream = io.BytesIO()
        np.save(stream, rows)
        made.append(stream.getvalue())
    return made


def _npz() -> list[bytes]:
    made = []
    for pack, labels in ((np.savez, WORDS), (np.savez_compressed, [b"a", b"b", b"\xff", b"", b"d", b"e"])):
        stream = io.BytesIO()
        pack(stream, a=ROWS, labels=np.array(labels))
        made.append(stream.getvalue())
    return made


def _parquet() -> list[bytes]:
    made = []
    tables = [
        pa.table({"w": WORDS, "e": ROWS.tolist()}),
        pa.table({"w": pa.array(WORDS).dictionary_encode(), "x": ROWS[:, 0], "y": ROWS[:, 1], "z": [None] * 6}),
        pa.table({"id": range(6), "e": pa.FixedSizeListArray.from_arrays(pa.array(ROWS.ravel()), 4)}),
    ]
    for table, packing in zip(tables, ("snappy", "zstd", "gzip"), strict=True):
        stream = io.BytesIO()
        pq.write_table(table, stream, compression=packing, row_group_size=4)
        made.append(stream.getvalue())
    return made


def _lines(delimiter: str, heading: bool) -> list[bytes]:
    names = delimiter.join(["word", "a", "b", "c", "d"]) + "\n"
    rows = [delimiter.join([f"w{place}", *map(str, row)]) for place, row in enumerate(ROWS)]
    text = (names if heading else "") + "\n".join(rows)
    encoded = [text.encode("utf-16"), text.replace("w", "ü").encode("windows-1252")]
    return [
        text.encode(),
        text.replace("\n", "\r\n").encode("utf-8-sig"),
        text.replace("w1", '"w,1"').encode(),
        *encoded,
    ]


def _models(file: str, kinds: list[str]) -> dict[str, Format]:
    inside = {"config.json": json_file, "model.safetensors": safetensors_file}[file]
    return {
        f"{file} of {kind}": Format(
            lambda kind=kind: [_model(kind)[file]],  # type: ignore[misc]
            partial(_read_model, file, kind),
            (CheckpointError,),
            [inside],
        )
        for kind in kinds
    }


def _labels() -> list[bytes]:
    return ["\n".join(WORDS).encode(), ("label\tx\n" + "\n".join(f"{word}\t1" for word in WORDS)).encode()]


FORMATS: dict[str, Format] = {
    ".csv": Format(partial(_lines, ",", True), partial(_read_table, ".csv"), (TableError,), isolated=True),
    ".tsv": Format(partial(_lines, "\t", False), partial(_read_table, ".tsv"), (TableError,), isolated=True),
    "labels.tsv": Format(_labels, _read_labels, (TableError,), isolated=True),
    ".npy": Format(_npy, partial(_read_table, ".npy"), (TableError,), [npy_file]),
    ".npz": Format(_npz, partial(_read_table, ".npz"), (TableError,), [npz_file], isolated=True),
    ".safetensors": Format(
        lambda: [save({"a": ROWS, "b": ROWS[0]}), save({"wte.weight": ROWS.astype("<f2")})],
        partial(_read_table, ".safetensors"),
        (TableError,),
        [safetensors_file],
    ),
    ".parquet": Format(_parquet, partial(_read_table, ".parquet"), (TableError,), isolated=True),
    ".json": Format(
        lambda: [json.dumps([{"w": word, "e": row} for word, row in zip(WORDS, ROWS.tolist(), strict=True)]).encode()],
        partial(_read_table, ".json"),
        (TableError,),
        [json_file],
        isolated=True,
    ),
    ".bin": Format(
        lambda: [b"6 4\n" + b"".join(b"w " + row.tobytes() for row in ROWS)],
        partial(_read_table, ".bin"),
        (TableError,),
        isolated=True,
    ),
    "tokenizer.json": Format(
        lambda: [make().to_str().encode() for make in (byte_pairs, sentence_pieces, word_pieces)],
        _read_tokenizer,
        (CheckpointError,),
        [json_file],
    ),
    "vocabulary": Format(lambda: [b"IQ== 0\nIg== 1\n" * 50], _read_vocabulary, (VocabularyUnavailable,)),
    "saved training": Format(_skip_grams, _read_skip_gram, (CodedError,), [safetensors_file]),
    "text file": Format(
        lambda: ["The dog saw the man.\nné 👋\n".encode(), "\ufeffa\r\nb".encode(), "日本 text".encode("utf-16")],
        _read_text,
        (CodedError,),
    ),
    **_models("config.json", ["bert", "gpt2", "llama"]),
    "config.json of a rotation": Format(_configs, _read_positions, (CheckpointError,), [json_file]),
    **_models("model.safetensors", ["gpt2"]),
    "index.json": Format(_shards, _read_shards, (CheckpointError,), [json_file]),
}
