"""A trained model's tables, found by their usual names and read row by row."""

import os
import re
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from itertools import takewhile
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch import Tensor

from embedlib.checkpoints.files import (
    PICKLES,
    CheckpointError,
    Files,
    LocalFiles,
    local_files,
    map_tensor,
    path_exists,
    read_json,
    text_config,
)
from embedlib.checkpoints.tokenizer import FileTokenizer
from embedlib.progress import Progress
from embedlib.tables.checks import block_length, check_blocks, check_shape, usual_name
from embedlib.tables.errors import TableError
from embedlib.tables.safetensors import TOKEN_TABLES, Entry, header_length, parse_header
from embedlib.tables.table import LFS_POINTER

DTYPES = {"F32": torch.float32, "F16": torch.float16, "BF16": torch.bfloat16}  # those that rows are read of
WEIGHTS, INDEX = "model.safetensors", "model.safetensors.index.json"
MAX_TOKENIZER = 2**26  # bytes of tokenizer.json; Gemma's has 33 MB
MAX_TABLE = 2**32  # bytes of a whole table; Gemma 3's largest has 2.8 GB
MAX_ROWS = 2**32  # bytes of the rows that one call returns
# Names of position tables, whatever stands before, the most telling first.
POSITION_TABLES = (
    "wpe.weight", "position_embeddings.weight", "embed_positions.weight", "position_embedding.weight",
    "embed_pos.weight", "positions_embed.weight",
)  # fmt: skip
# The towers of a model that see or hear, and what asks them.
OTHER_TOWER = re.compile(r"(vision|visual|image|video|audio|speech|qformer)\w*")
# model_type -> row of position 0, where transformers' class adds a constant to the position ...
CONSTANT_OFFSET = dict.fromkeys(
    ("bart", "biogpt", "mbart", "mpnet", "mra", "mvp", "nystromformer", "opt", "plbart", "pp_formulanet", "trocr",
     "yoso"), 2,
)  # fmt: skip
# ... or counts from the row after that of pad_token_id: model_type -> pad_token_id of a config.json without one.
AFTER_PADDING = dict.fromkeys(
    ("altclip_text_model", "bridgetower_text_model", "camembert", "clap_text_model", "data2vec-text", "esm", "fsmt",
     "ibert", "layoutlmv3", "longformer", "luke", "roberta", "roberta-prelayernorm", "xlm-roberta", "xlm-roberta-xl",
     "xmod"), 1,
) | dict.fromkeys(("lilt", "markuplm", "prophetnet"), 0)  # fmt: skip
MODEL_ID = re.compile(r"[A-Za-z0-9][\w.-]{0,95}(/[A-Za-z0-9][\w.-]{0,95})?", re.ASCII)
SHARD = re.compile(r"\w[\w.-]{0,200}\.safetensors", re.ASCII)


class Checkpoint:
    """One model, of which only the header has been read.

    Attributes:
        name: of the folder or the model, for display; foreign text.
        table_name: the tensor of the token rows.
        vocab_size: its number of rows, which may be more than the tokenizer has ids.
        d_model: its width.
        dtype: of the numbers in the file.
        position_choices: the tensors that may be the position rows of the model's text part.
        position_name: the chosen one of them; None where there is none, or several without a choice.
    """

    def __init__(
        self, files: Files, file: str | None = None, *, table: str | None = None, positions: str | None = None
    ) -> None:
        self._files = files
        self.name = files.name
        self._config = _read_config(files)
        self._headers: dict[str, dict[str, Entry]] = {}
        shards, only = (_find_shards(files) if file is None else {}), file or WEIGHTS
        self._shards = shards or dict.fromkeys(self._read_header(only), only)
        self.table_name = self._find_table(table)
        entry = self._table_entry(self.table_name)
        self.vocab_size, self.d_model = entry.shape
        self.dtype = DTYPES[entry.dtype]
        self.position_choices = self._position_table_names()
        if positions is not None and positions not in self._shards:
            raise CheckpointError("missing", source=self.name, file=positions)
        self.position_name = positions or _closest(self.table_name, self.position_choices)

    @property
    def config(self) -> Mapping[str, Any]:
        """Contents of config.json; empty where there is none. CheckpointError where the file is damaged."""
        if isinstance(self._config, CheckpointError):
            raise self._config
        return self._config

    @property
    def tensor_names(self) -> tuple[str, ...]:
        """All tensors by name, as the files list them."""
        return tuple(self._shards)

    @property
    def position_offset(self) -> int:
        """Rows of the position table before that of position 0, in transformers' own model."""
        parts = (self.config.get("text_config"), self.config.get("decoder"))
        config = next((part for part in parts if isinstance(part, Mapping) and "model_type" in part), self.config)
        kind = str(config.get("model_type"))
        if kind not in AFTER_PADDING or ".entity_" in f".{self.position_name}":  # LUKE's entities count from row 0
            return CONSTANT_OFFSET.get(kind, 0)
        padding = config.get("pad_token_id")
        return 1 + (padding if type(padding) is int and 0 <= padding < 100 else AFTER_PADDING[kind])

    @property
    def n_positions(self) -> int:
        """Number of positions with a row; 0 without a position table, or with several to choose from."""
        if self.position_name is None:
            return 0
        return max(0, self._table_entry(self.position_name).shape[0] - self.position_offset)

    @property
    def contradictions(self) -> list[tuple[str, int, int]]:
        """Sizes of the table that differ between config.json and the weights: name, its number, and theirs."""
        config = text_config(self.config)
        sizes = {
            ("vocab_size",): self.vocab_size,
            # The first two are of models whose rows are narrower than their layers.
            ("embedding_size", "word_embed_proj_dim", "hidden_size", "n_embd", "d_model", "dim"): self.d_model,
        }
        named = [(next((name for name in names if name in config), ""), size) for names, size in sizes.items()]
        stated = [(name, config.get(name), size) for name, size in named]
        return [(name, value, size) for name, value, size in stated if type(value) is int and 0 <= value != size]

    @property
    def table_bytes(self) -> int:
        """Bytes of the whole table of token rows."""
        return self.vocab_size * self.d_model * self.dtype.itemsize

    def tensors(self) -> dict[str, Entry]:
        """Return type and shape of all tensors by name; of a model in several files each header is read once."""
        return {name: self._entry(name) for name in self._shards}

    def rows(self, token_ids: Tensor | Iterable[int], *, dtype: torch.dtype | None = None) -> Tensor:
        """Read the rows of some tokens, (n, d_model) on the CPU, and nothing else; repeated ids are read once.

        `dtype` None keeps the file's. CheckpointError for an id without a row, or a file that cannot be read now;
        another call reads again.
        """
        return self.read_rows(self.table_name, token_ids, dtype=dtype)

    def read_rows(self, name: str, ids: Tensor | Iterable[int], *, dtype: torch.dtype | None = None) -> Tensor:
        """Read rows of any table of the model, one of tensor_names, as `rows` does of the token table."""
        entry = self._table_entry(name)
        n_rows, width = entry.shape
        given = ids.cpu() if isinstance(ids, Tensor) else torch.tensor(list(ids), dtype=torch.int64)
        if given.ndim != 1 or given.is_floating_point() or given.dtype == torch.bool:
            raise ValueError(f"token_ids is {given.dtype} {tuple(given.shape)}: it must be (n,) whole numbers")
        ids = given.long()
        distinct, inverse = torch.unique(ids, return_inverse=True)
        for row in distinct[[0, -1]].tolist() if len(distinct) else ():
            if not 0 <= row < n_rows:
                raise CheckpointError("row", source=self.name, row=row, last=n_rows - 1)
        row_bytes = width * DTYPES[entry.dtype].itemsize
        if (needed := len(distinct) * row_bytes) > MAX_ROWS:
            raise CheckpointError("too_large", file=self.name, found_mb=needed / 1e6, limit_mb=MAX_ROWS / 1e6)
        numbers = distinct.numpy()
        runs = np.split(numbers, np.flatnonzero(np.diff(numbers) != 1) + 1)  # neighbours are read together
        spans = [
            (entry.start + int(run[0]) * row_bytes, entry.start + (int(run[-1]) + 1) * row_bytes)
            for run in runs
            if len(run)
        ]
        rows = _as_tensor(self._files.read_spans(entry.file, spans), entry, dtype).view(-1, width)
        return rows if torch.equal(distinct, ids) else rows[inverse]  # (n, width)

    def has_whole_table(self) -> bool:
        """Return whether the whole table is on this machine: in a folder, in the Hub's cache, or fetched before."""
        entry = self._table_entry(self.table_name)
        return self._files.is_stored(entry.file, (entry.start, entry.stop))

    def whole_table(self, *, progress: Progress | None = None) -> Tensor:
        """Return all token rows, (vocab_size, d_model) in the file's dtype, mapped read-only.

        From a folder, or from the Hub's cache after a download. `progress` is called with the share downloaded, in [0,
        1], every few MB, and may raise to stop; the next call continues from there. CheckpointError for more than
        MAX_TABLE bytes, for a table whose rows cannot be compared, or a failed download.
        """
        if self.table_bytes > MAX_TABLE:
            raise CheckpointError(
                "too_large", file=self.name, found_mb=self.table_bytes / 1e6, limit_mb=MAX_TABLE / 1e6
            )
        entry = self._table_entry(self.table_name)
        path, start = self._files.local_span(entry.file, (entry.start, entry.stop), progress or (lambda share: None))
        table = map_tensor(path, start, self.vocab_size * self.d_model, self.dtype)
        return check_table(self.table_name, table.view(self.vocab_size, self.d_model))

    def position_table(self, *, dtype: torch.dtype | None = None) -> Tensor:
        """Read the model's own position rows, (n_positions, d_model), row i for position i.

        CheckpointError where the model has none, or several ("choose"), or they cannot be read now.
        """
        if self.position_name is None:
            if self.position_choices:
                raise CheckpointError("choose", file=self.name, choices=self.position_choices)
            raise CheckpointError("missing", source=self.name, file=POSITION_TABLES[1])
        ids = torch.arange(self.n_positions) + self.position_offset
        return check_table(self.position_name, self.read_rows(self.position_name, ids, dtype=dtype))

    def load(self, names: Iterable[str], *, dtype: torch.dtype | None = None) -> dict[str, Tensor]:
        """Read several tensors of any shape by name; neighbours in a file are read at once."""
        by_file: dict[str, list[tuple[Entry, str]]] = {}
        for name in names:
            entry = self._float_entry(name)
            by_file.setdefault(entry.file, []).append((entry, name))
        tensors = {}
        for file, found in by_file.items():
            found.sort(key=lambda pair: pair[0].start)
            parts = self._files.read_spans(file, [(entry.start, entry.stop) for entry, _name in found])
            for entry, name in reversed(found):  # popped one by one, so that no more than one is in memory twice
                tensors[name] = _as_tensor([parts.pop()], entry, dtype).view(entry.shape)
        return tensors

    def tokenizer(self) -> FileTokenizer:
        """Make the model's tokenizer from its tokenizer.json; it adds no special tokens of itself."""
        return FileTokenizer(self.name, self._files.read_whole("tokenizer.json", MAX_TOKENIZER))

    def _read_header(self, file: str) -> dict[str, Entry]:
        if file not in self._headers:
            start, size = self._files.read_start(file)
            if start == LFS_POINTER[:8]:
                raise CheckpointError("lfs", file=file)
            try:
                length = header_length(start, size)
                text = self._files.read_spans(file, [(8, 8 + length)])[0]
                self._headers[file] = parse_header(text, file, size)
            except CheckpointError:
                raise
            except ValueError as error:
                raise CheckpointError("damaged", file=file, format=".safetensors") from error
        return self._headers[file]

    def _entry(self, name: str) -> Entry:
        file = self._shards.get(name)
        if file is None or name not in self._read_header(file):
            raise CheckpointError("missing", source=file or self.name, file=name)
        return self._read_header(file)[name]

    def _float_entry(self, name: str) -> Entry:
        entry = self._entry(name)
        if entry.dtype not in DTYPES:
            raise CheckpointError("unsupported", source=self.name, found=f"{name} in {entry.dtype}")
        return entry

    def _table_entry(self, name: str) -> Entry:
        """Return the entry of a table of floats; (1, n, d) is one of (n, d)."""
        entry = self._float_entry(name)
        shape = entry.shape[1:] if len(entry.shape) == 3 and entry.shape[0] == 1 else entry.shape
        if len(shape) != 2 or 0 in shape:
            raise CheckpointError("shape", file=name, found=f"{entry.dtype} {entry.shape}")
        return replace(entry, shape=shape)

    def _find_table(self, name: str | None) -> str:
        """Return the chosen tensor, else the one with a usual name; the error lists candidates."""
        names = self.tensor_names
        if name in self._shards:
            return str(name)
        usual = usual_name([*filter(_is_text_tensor, names)], TOKEN_TABLES) or usual_name(names, TOKEN_TABLES)
        if usual is None or name is not None:
            likely = tuple(other for other in names if "emb" in other.lower())
            raise CheckpointError("choose", file=self.name, choices=likely or names)
        return usual

    def _position_table_names(self) -> tuple[str, ...]:
        if isinstance(self._config, Mapping) and self._config.get("model_type") == "roformer":
            return ()  # its embed_positions are the sines that rotate queries and keys
        ends = tuple(f".{name}" for name in POSITION_TABLES)
        return tuple(
            name
            for name in self.tensor_names
            if f".{name}".endswith(ends) and _is_text_tensor(name[len(_shared_module(name, self.table_name)) :])
        )


def check_table(name: str, rows: Tensor) -> Tensor:
    """Return (n_rows, width) as they are, if they can be compared: two or more, finite, not all alike.

    CheckpointError "value" names the first number that is not below 1e14, "shape" any other fault.
    """
    dtype = str(rows.dtype).removeprefix("torch.")
    try:
        check_shape(name, dtype, tuple(rows.shape))
        step = block_length(rows.shape[1])
        blocks = ((step * number, block.float().numpy()) for number, block in enumerate(torch.split(rows, step)))
        check_blocks(name, blocks, tuple(rows.shape), dtype)
    except TableError as error:
        raise CheckpointError(error.code, **error.values) from None
    return rows


def _as_tensor(parts: Sequence[bytes], entry: Entry, dtype: torch.dtype | None) -> Tensor:
    """Return a file's bytes as numbers, (n,)."""
    content, stored = bytearray().join(parts), DTYPES[entry.dtype]
    numbers = torch.frombuffer(content, dtype=stored) if content else torch.empty(0, dtype=stored)
    return numbers.to(dtype or stored)


def _is_text_tensor(name: str) -> bool:
    return not any(OTHER_TOWER.fullmatch(part) for part in name.split("."))


def _shared_module(name: str, other: str) -> str:
    """Return the module that two tensors share: "model.decoder" of "model.decoder.x" and "model.decoder.y.z"."""
    pairs = zip(name.split("."), other.split("."), strict=False)
    return ".".join(one for one, _ in takewhile(lambda pair: pair[0] == pair[1], pairs))


def _closest(name: str, choices: Sequence[str]) -> str | None:
    """Return the choice in the same module as another tensor; None if none or several are closest."""
    depths = [len(_shared_module(choice, name)) for choice in choices]
    return choices[depths.index(max(depths))] if depths and depths.count(max(depths)) == 1 else None


def _read_config(files: Files) -> Mapping[str, Any] | CheckpointError:
    """Read config.json, or else Meta's params.json; a damaged one is returned as an error, since rows need neither."""
    try:
        file = next((file for file in ("config.json", "params.json") if files.has(file)), None)
        return {} if file is None else read_json(files, file)
    except CheckpointError as error:
        if error.is_lasting:
            return error
        raise


def _find_shards(files: Files) -> dict[str, str]:
    """Return the file of each tensor, from a model's index; empty where all are in WEIGHTS."""
    if files.has(WEIGHTS):
        return {}
    if files.has(INDEX):
        shards = read_json(files, INDEX).get("weight_map")
        if not isinstance(shards, dict) or not shards or not all(SHARD.fullmatch(str(one)) for one in shards.values()):
            raise CheckpointError("damaged", file=INDEX, format=".json")
        return shards
    known = ["pytorch_model.bin"]
    if isinstance(files, LocalFiles):
        with suppress(OSError):  # a folder that may not be listed
            known = sorted(path.name for path in files.folder.iterdir())
    for name in known:
        if name.lower().endswith(PICKLES) and files.has(name):
            raise CheckpointError("file", file=name, known=(".safetensors",))
    raise CheckpointError("missing", source=files.name, file=WEIGHTS)


def is_model_id(text: str) -> bool:
    """Return whether a text has the form of a Hub model's id, such as "openai-community/gpt2"; no request is made."""
    return bool(MODEL_ID.fullmatch(text)) and ".." not in text


def open_checkpoint(
    source: str | os.PathLike[str],
    *,
    table: str | None = None,
    positions: str | None = None,
    root: str | os.PathLike[str] | None = None,
    revision: str = "main",
) -> Checkpoint:
    """Open a model: its header and config.json are read, no weights.

    Args:
        source: a folder, a .safetensors file, or the id of a model on the Hugging Face Hub, such as
            "openai-community/gpt2". A str without a file of that name is an id.
        table: the tensor of token rows, where its name is not a usual one.
        positions: the tensor of position rows, where Checkpoint.position_choices has several.
        root: folder that contains `source`, which is then relative to it.
        revision: of a model on the Hub: a branch, a tag or a commit.

    Raises:
        CheckpointError: by a key of CHECKPOINT_ERRORS; "choose" has names in values["choices"].
    """
    files, file = _open_files(source, root, revision)
    return Checkpoint(files, file, table=table, positions=positions)


def open_tokenizer(
    source: str | os.PathLike[str], *, root: str | os.PathLike[str] | None = None, revision: str = "main"
) -> FileTokenizer:
    """Make a model's tokenizer from its tokenizer.json alone; arguments as for open_checkpoint."""
    files, _file = _open_files(source, root, revision)
    return FileTokenizer(files.name, files.read_whole("tokenizer.json", MAX_TOKENIZER))


def _open_files(
    source: str | os.PathLike[str], root: str | os.PathLike[str] | None, revision: str
) -> tuple[Files, str | None]:
    """Return the files of a folder or of the Hub, and the file among them that `source` names, if any."""
    within = None if root is None else Path(root)
    path = Path(source) if within is None else within / source
    if isinstance(source, str) and not path_exists(path) and path.suffix != ".safetensors":
        if not is_model_id(source):
            raise CheckpointError("source", source=source)
        from embedlib.checkpoints.hub import HubFiles

        return HubFiles(source, revision), None
    return local_files(path, within)
