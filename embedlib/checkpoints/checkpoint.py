"""A model's tables by the row: found by the names in use, and only the rows that are asked for are read."""

import math
import os
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import torch
from torch import Tensor

from embedlib.checkpoints.files import (
    PICKLES,
    CheckpointError,
    Files,
    LocalFiles,
    Progress,
    Span,
    is_there,
    local_files,
    mapped,
    read_json,
    text_config,
)
from embedlib.checkpoints.tokenizer import FileTokenizer
from embedlib.tables.checks import usual_name
from embedlib.tables.errors import TableError
from embedlib.tables.safetensors import Entry, heading_length, parse_heading

WEIGHTS, INDEX = "model.safetensors", "model.safetensors.index.json"
MOST_TOKENIZER = 2**26  # bytes of tokenizer.json; Gemma's has 33 MB
MOST_TABLE = 2**32  # bytes of a whole table; Gemma 3's largest has 2.8 GB
MOST_ROWS = 2**32  # bytes of the rows that one call returns
DTYPES = {"F32": torch.float32, "F16": torch.float16, "BF16": torch.bfloat16}
# What tables of tokens and of positions are called, whatever stands before, the most telling first.
TOKEN_TABLES = (
    "shared.weight",
    "wte.weight",
    "word_embeddings.weight",
    "embed_tokens.weight",
    "embed_in.weight",
    "tok_embeddings.weight",
    "token_embedding.weight",
    "token_embeddings.weight",
    "word_embedding.weight",
)
POSITION_TABLES = (
    "wpe.weight",
    "position_embeddings.weight",
    "embed_positions.weight",
    "position_embedding.weight",
    "embed_pos.weight",
)
# Models whose table begins with rows that no position has: two, or up to and with the row of the padding.
TWO_ROWS_BEFORE = ("opt", "bart", "mbart", "plbart", "biogpt")
PADDING_BEFORE = (
    "roberta",
    "xlm-roberta",
    "xlm-roberta-xl",
    "camembert",
    "longformer",
    "mpnet",
    "roberta-prelayernorm",
)
MODEL_ID = re.compile(r"[A-Za-z0-9][\w.-]{0,95}(/[A-Za-z0-9][\w.-]{0,95})?", re.ASCII)
SHARD = re.compile(r"\w[\w.-]{0,200}\.safetensors", re.ASCII)


@dataclass(frozen=True, slots=True)
class Place:
    """Where a tensor lies: in which file, with which entry of its heading, and where that file's numbers begin."""

    file: str
    entry: Entry
    data_start: int


class Checkpoint:
    """One model, of which only the heading has been read.

    Attributes:
        name: the folder's or the model's, for people to read; foreign text.
        config: what config.json says; empty where there is none.
        table_name: the tensor that holds the token rows.
        vocab_size: how many rows it has, which may be more than the tokenizer has ids.
        d_model: how wide they are.
        dtype: of the numbers in the file.
        position_name: the tensor that holds the position rows; None where the model has none.
    """

    def __init__(
        self, files: Files, file: str | None = None, *, table: str | None = None, positions: str | None = None
    ) -> None:
        self._files = files
        self.name = files.name
        self.config: Mapping[str, Any] = read_json(files, "config.json") if files.has("config.json") else {}
        self._headings: dict[str, tuple[dict[str, Entry], int]] = {}
        shards, only = (_shards(files) if file is None else {}), file or WEIGHTS
        self._shards = shards or dict.fromkeys(self._heading(only)[0], only)
        self.table_name = self._chosen(table, TOKEN_TABLES)
        place = self._table(self.table_name)
        self.vocab_size, self.d_model = place.entry.shape
        self.dtype = DTYPES[place.entry.dtype]
        named = self._chosen(positions, ()) if positions else usual_name(self.tensor_names, POSITION_TABLES)
        self.position_name = named

    @property
    def tensor_names(self) -> tuple[str, ...]:
        """All tensors by name, as the files list them."""
        return tuple(self._shards)

    @property
    def position_offset(self) -> int:
        """How many rows of the position table come before that of position 0."""
        kind, padding = self.config.get("model_type"), self.config.get("pad_token_id")
        if kind in PADDING_BEFORE:
            return padding + 1 if type(padding) is int and 0 <= padding < 100 else 2
        return 2 if kind in TWO_ROWS_BEFORE else 0

    @property
    def n_positions(self) -> int:
        """How many positions have a row; 0 where the model has no table of them."""
        if self.position_name is None:
            return 0
        return max(0, self._table(self.position_name).entry.shape[0] - self.position_offset)

    @property
    def contradictions(self) -> list[tuple[str, int, int]]:
        """Which sizes of the table config.json gives otherwise than the weights: its name, its number, and theirs."""
        config = text_config(self.config)
        sizes = {
            ("vocab_size",): self.vocab_size,
            # The first two are of models whose rows are narrower than their layers.
            ("embedding_size", "word_embed_proj_dim", "hidden_size", "n_embd", "d_model", "dim"): self.d_model,
        }
        named = [(next((name for name in names if name in config), ""), size) for names, size in sizes.items()]
        stated = [(name, config.get(name), size) for name, size in named]
        return [(name, value, size) for name, value, size in stated if type(value) is int and value != size]

    def tensors(self) -> dict[str, Entry]:
        """Return type and shape of all tensors by name; of a model in several files each heading is read once.

        Raises:
            CheckpointError: a file cannot be read now, or lacks what the index says of it.
        """
        return {name: self._place(name).entry for name in self._shards}

    def rows(self, token_ids: Tensor | Iterable[int], *, dtype: torch.dtype | None = None) -> Tensor:
        """Read the rows of some tokens, and nothing else; neighbouring ones together.

        Args:
            token_ids: (n,) whole numbers in 0 … vocab_size - 1, in any order; repeated ones are read once.
            dtype: of the rows, such as torch.float32; None leaves them as the file has them.

        Returns:
            (n, d_model) on the CPU.

        Raises:
            CheckpointError: an id has no row, or the file cannot be read now; calling again reads anew.
        """
        return self.rows_of(self.table_name, token_ids, dtype=dtype)

    @property
    def table_bytes(self) -> int:
        """How many bytes the whole table of token rows has."""
        return self.vocab_size * self.d_model * self.dtype.itemsize

    def has_whole_table(self) -> bool:
        """Tell whether the whole table is on this machine: in a folder, in the Hub's cache, or fetched before."""
        file, span = self._table_place()
        return self._files.is_stored(file, span)

    def whole_table(self, *, progress: Progress | None = None) -> Tensor:
        """Return all token rows, mapped from a file: of a folder, or one that is fetched from the Hub into its cache.

        What was fetched before the work was stopped, or the process ended, is not fetched again.

        Args:
            progress: is given the share that is there, in [0, 1], every few MB; what it raises ends the work.

        Returns:
            (vocab_size, d_model) on the CPU, in the file's dtype; only to be read.

        Raises:
            CheckpointError: the table has more than MOST_TABLE bytes, or cannot be fetched or stored now; calling again
                goes on from there.
        """
        if self.table_bytes > MOST_TABLE:
            raise CheckpointError(
                "too_large", file=self.name, found_mb=self.table_bytes / 1e6, limit_mb=MOST_TABLE / 1e6
            )
        file, span = self._table_place()
        path, start = self._files.stored(file, span, progress or (lambda share: None))
        return mapped(path, start, self.vocab_size * self.d_model, self.dtype).view(self.vocab_size, self.d_model)

    def _table_place(self) -> tuple[str, Span]:
        place = self._table(self.table_name)
        start = place.data_start + place.entry.start
        return place.file, (start, start + self.table_bytes)

    def position_table(self, *, dtype: torch.dtype | None = None) -> Tensor:
        """Read the model's own position rows.

        Args:
            dtype: as for rows.

        Returns:
            (n_positions, d_model), row i for position i: rows that the file has before position 0 are left out.

        Raises:
            CheckpointError: the model has none, or the file cannot be read now.
        """
        if self.position_name is None:
            raise CheckpointError("no_positions", source=self.name)
        places = torch.arange(self.n_positions) + self.position_offset
        return self.rows_of(self.position_name, places, dtype=dtype)

    def rows_of(self, name: str, ids: Tensor | Iterable[int], *, dtype: torch.dtype | None = None) -> Tensor:
        """Read rows of any table of the model, as rows does of its tokens'.

        Args:
            name: one of tensor_names, of two dimensions.
            ids: (n,) whole numbers from 0.
            dtype: as for rows.

        Returns:
            (n, width) on the CPU.

        Raises:
            CheckpointError: there is no such table or no such row, or the file cannot be read now.
        """
        place = self._table(name)
        n_rows, width = place.entry.shape
        if isinstance(ids, Tensor) and (ids.is_floating_point() or ids.dtype == torch.bool):
            raise ValueError(f"token_ids is {ids.dtype}: it must be whole numbers")
        wanted = torch.as_tensor(ids if isinstance(ids, Tensor) else list(ids), dtype=torch.int64).cpu()
        if wanted.ndim != 1:
            raise ValueError(f"token_ids has shape {tuple(wanted.shape)}: it must be (n,)")
        distinct, inverse = torch.unique(wanted, return_inverse=True)
        for row in distinct[[0, -1]].tolist() if len(distinct) else ():
            if not 0 <= row < n_rows:
                raise CheckpointError("row", source=self.name, row=row, rows=n_rows)
        # A run of neighbours ends where the next id is not the next row.
        ends = torch.cat([distinct.diff() != 1, torch.ones(min(1, len(distinct)), dtype=torch.bool)])
        last = distinct[ends]
        lengths = torch.diff(ends.nonzero()[:, 0] + 1, prepend=torch.zeros(1, dtype=torch.int64))
        runs = list(zip((last + 1 - lengths).tolist(), (last + 1).tolist(), strict=True))
        vectors = self._numbers(place, runs, width, dtype)
        return vectors if torch.equal(distinct, wanted) else vectors[inverse]  # (n, width)

    def vector(self, name: str, *, dtype: torch.dtype | None = None) -> Tensor:
        """Read a tensor of one dimension, such as a LayerNorm's weight.

        Args:
            name: one of tensor_names.
            dtype: as for rows.

        Returns:
            (n,) on the CPU.

        Raises:
            CheckpointError: there is no such vector, or the file cannot be read now.
        """
        place = self._place(name)
        if len(place.entry.shape) != 1 or place.entry.dtype not in DTYPES:
            raise CheckpointError("number_type", tensor=name, dtype=f"{place.entry.dtype} {place.entry.shape}")
        return self._numbers(place, [(0, place.entry.shape[0])], 1, dtype)[:, 0]

    def load(self, names: Iterable[str], *, dtype: torch.dtype | None = None) -> dict[str, Tensor]:
        """Read several tensors of any shape; those side by side in a file come in one reading.

        Args:
            names: of tensor_names.
            dtype: as for rows.

        Returns:
            Name to tensor, on the CPU.

        Raises:
            CheckpointError: there is no such tensor, or the file cannot be read now.
        """
        by_file: dict[str, list[tuple[int, int, str]]] = {}
        for name in names:
            place = self._place(name)
            if place.entry.dtype not in DTYPES:
                raise CheckpointError("number_type", tensor=name, dtype=place.entry.dtype)
            start = place.data_start + place.entry.start
            length = math.prod(place.entry.shape) * DTYPES[place.entry.dtype].itemsize
            by_file.setdefault(place.file, []).append((start, start + length, name))
        read = {}
        for file, spans in by_file.items():
            spans.sort()
            parts = self._files.read(file, [(start, stop) for start, stop, _name in spans])
            parts.reverse()
            for _start, _stop, name in spans:
                entry = self._place(name).entry
                content = bytearray(parts.pop())  # one by one, so that no more than one is there twice
                flat = torch.frombuffer(content, dtype=DTYPES[entry.dtype]) if content else torch.empty(0)
                read[name] = flat.view(entry.shape).to(dtype or DTYPES[entry.dtype])
        return read

    def tokenizer(self) -> FileTokenizer:
        """Make the model's tokenizer from its tokenizer.json; it adds no special tokens of itself.

        Raises:
            CheckpointError: there is no tokenizer.json, or it cannot be read.
        """
        return FileTokenizer(self.name, self._files.whole("tokenizer.json", MOST_TOKENIZER))

    def _numbers(self, place: Place, runs: list[tuple[int, int]], width: int, dtype: torch.dtype | None) -> Tensor:
        """Read runs of rows, each `width` numbers wide."""
        stored = DTYPES[place.entry.dtype]
        row_bytes, start = width * stored.itemsize, place.data_start + place.entry.start
        needed = sum(stop - first for first, stop in runs) * row_bytes
        if needed > MOST_ROWS:
            raise CheckpointError("too_large", file=self.name, found_mb=needed / 1e6, limit_mb=MOST_ROWS / 1e6)
        spans = [(start + first * row_bytes, start + stop * row_bytes) for first, stop in runs]
        content = bytearray().join(self._files.read(place.file, spans) if needed else [])
        rows = torch.frombuffer(content, dtype=stored) if content else torch.empty(0, dtype=stored)
        return rows.view(-1, width).to(dtype or stored)

    def _heading(self, file: str) -> tuple[dict[str, Entry], int]:
        """Return every tensor of one file, and where their numbers begin; read once."""
        if file not in self._headings:
            start, size = self._files.start(file)
            try:
                length = heading_length(file, start, size)
                text = self._files.read(file, [(8, 8 + length)])[0]
                self._headings[file] = parse_heading(file, text, size - 8 - length), 8 + length
            except CheckpointError:
                raise
            except TableError as error:
                raise CheckpointError(error.code, **error.values) from error
        return self._headings[file]

    def _place(self, name: str) -> Place:
        if name not in self._shards:
            raise CheckpointError("missing", source=self.name, file=name)
        file = self._shards[name]
        entries, data_start = self._heading(file)
        if name not in entries:
            raise CheckpointError("missing", source=file, file=name)
        return Place(file, entries[name], data_start)

    def _table(self, name: str) -> Place:
        place = self._place(name)
        entry = place.entry
        if entry.dtype not in DTYPES:
            raise CheckpointError("number_type", tensor=name, dtype=entry.dtype)
        if len(entry.shape) != 2 or 0 in entry.shape:
            raise CheckpointError("dimensions", file=name, shape=str(entry.shape))
        return place

    def _chosen(self, name: str | None, usual: tuple[str, ...]) -> str:
        """Return the tensor that is asked for, else the one with a usual name; the error lists what may be meant."""
        names = self.tensor_names
        likely = tuple(other for other in names if "emb" in other.lower()) or names
        if name is not None and name not in names:
            raise CheckpointError("unknown_choice", file=self.name, choice=name, choices=likely)
        tensor = name or usual_name(names, usual)
        if tensor is None:
            raise CheckpointError("choose", file=self.name, choices=likely)
        return tensor


def _shards(files: Files) -> dict[str, str]:
    """Return which file each tensor is in, as a model's index says; nothing where all are in WEIGHTS."""
    if files.has(WEIGHTS):
        return {}
    if files.has(INDEX):
        shards = read_json(files, INDEX).get("weight_map")
        good = isinstance(shards, dict) and all(
            isinstance(shard, str) and SHARD.fullmatch(shard) for shard in shards.values()
        )
        if not good or not isinstance(shards, dict) or not shards:
            raise CheckpointError("damaged", file=INDEX, format=".json")
        return shards
    known = files.names() if isinstance(files, LocalFiles) else ["pytorch_model.bin"]
    for name in known:
        if name.lower().endswith(PICKLES) and files.has(name):
            raise CheckpointError("pickle", file=name)
    raise CheckpointError("missing", source=files.name, file=WEIGHTS)


def is_model_id(text: str) -> bool:
    """Tell whether a model on the Hub can have this id, such as "openai-community/gpt2"; nobody is asked."""
    return bool(MODEL_ID.fullmatch(text)) and ".." not in text


def open_checkpoint(
    source: str | os.PathLike[str],
    *,
    table: str | None = None,
    positions: str | None = None,
    root: str | os.PathLike[str] | None = None,
    revision: str = "main",
) -> Checkpoint:
    """Open a model: its heading and config.json are read, no weights.

    Args:
        source: a folder, a .safetensors file, or the id of a model on the Hugging Face Hub, such as
            "openai-community/gpt2". A str that names nothing here is an id.
        table: the tensor of token rows, where its name is not a usual one.
        positions: likewise of position rows.
        root: where folders must lie, which `source` is then relative to.
        revision: of a model on the Hub: a branch, a tag or a commit.

    Returns:
        Checkpoint.

    Raises:
        CheckpointError: what is wrong, by a key of CHECKPOINT_ERRORS; "choose" has names in values["choices"].
    """
    files, file = _files_of(source, root, revision)
    return Checkpoint(files, file, table=table, positions=positions)


def open_tokenizer(
    source: str | os.PathLike[str], *, root: str | os.PathLike[str] | None = None, revision: str = "main"
) -> FileTokenizer:
    """Make a model's tokenizer from its tokenizer.json, of which nothing else is read: no weights, no config.json.

    Args:
        source: as for open_checkpoint.
        root: likewise.
        revision: likewise.

    Raises:
        CheckpointError: there is no tokenizer.json, or it cannot be read.
    """
    files, _file = _files_of(source, root, revision)
    return FileTokenizer(files.name, files.whole("tokenizer.json", MOST_TOKENIZER))


def _files_of(
    source: str | os.PathLike[str], root: str | os.PathLike[str] | None, revision: str
) -> tuple[Files, str | None]:
    """Return the files of a folder or of the Hub, and which of them is meant where it is one."""
    within = None if root is None else Path(root)
    path = Path(source) if within is None else within / source
    if isinstance(source, str) and not is_there(path) and path.suffix != ".safetensors":
        if not is_model_id(source):
            raise CheckpointError("source", source=source)
        from embedlib.checkpoints.hub import HubFiles

        return HubFiles(source, revision), None
    return local_files(path, within)
