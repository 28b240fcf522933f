"""Reads files in a child process with limits of memory, time and descriptors: a hostile file can at most end its child.

The limits are no sandbox: what a flaw in NumPy or pyarrow let a file run would run as this user. Nothing that the child
sends back is unpickled, and its sizes and types are checked.
"""

import json
import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Mapping, Sequence
from contextlib import ExitStack, suppress
from dataclasses import asdict
from importlib import import_module
from math import prod
from operator import methodcaller
from pathlib import Path
from tempfile import TemporaryFile, gettempdir
from typing import IO, Any

import numpy as np
from numpy.typing import NDArray

from embedlib.tables.errors import TABLE_NOTES, TableError
from embedlib.tables.layout import TextLayout
from embedlib.tables.table import EmbeddingTable, Limits, TableFile, TableNote

IN_MEMORY = 16_000_000  # bytes of numbers; more are mapped from a file without a name
MORE_TEXT = 2**20  # bytes by which labels and columns may go over the limit
OUT_OF_MEMORY = 3  # exit status
# PyArrow reads these. It is loaded before the limits hold, since it takes addresses. Its reader of text starts a
# thread, which a limit of processes counts on Linux.
TEXT, PARQUET = (".csv", ".tsv", ".txt", ".vec"), (".parquet",)
FORBIDDEN = ("subprocess.", "os.exec", "os.fork", "os.posix_spawn", "os.system", "socket.", "pickle.find_class")
COMMAND = "from embedlib.tables.child import main; main()"


def table_from_child(
    files: Sequence[TableFile], limits: Limits, layout: TextLayout | None, options: Mapping[str, Any]
) -> EmbeddingTable:
    """Call read_table in a child process; `options` are those of its arguments that JSON can write."""
    given = {**options, "layout": layout and asdict(layout)}
    about, vectors = _call_child("read_table", files, limits, given, np.float32)
    try:
        limits.check_shape(files[0].name, vectors.shape)
        n_rows, _ = vectors.shape
        names, columns = [file.name for file in files], about["columns"]
        if about["name"] not in names or about["labels_from"] not in [None, *names]:
            raise ValueError("another file")
        return EmbeddingTable(
            vectors,
            None if about["labels"] is None else _texts(about["labels"], n_rows),
            {_texts([name], 1)[0]: _texts(texts, n_rows) for name, texts in columns.items()},
            about["name"],
            str(about["format"]),
            tuple(TableNote(code, _lists_to_tuples(values)) for code, values in about["notes"] if code in TABLE_NOTES),
            about["labels_from"],
            _layout(about["layout"]),
        )
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise error if isinstance(error, TableError) else _damaged_error(files) from error


def array_from_child(file: TableFile, limits: Limits) -> NDArray[np.float64]:
    """Call read_array in a child process."""
    return _call_child("read_array", [file], limits, {"limit_bytes": limits.bytes}, np.float64)[1]


def _call_child(
    function: str, files: Sequence[TableFile], limits: Limits, options: Mapping[str, Any], dtype: type[np.floating[Any]]
) -> tuple[dict[str, Any], NDArray[Any]]:
    """Run a function of embedlib.tables.reading in a child; return its report on the numbers, and the numbers."""
    with ExitStack() as stack:
        inputs = [_inheritable_file(file, stack) for file in files]
        log, result = stack.enter_context(TemporaryFile()), stack.enter_context(TemporaryFile())
        size = sum(os.fstat(stream.fileno()).st_size for stream in inputs)
        seconds = 30 + size // 10**6
        request = {
            "function": function,
            "files": [[file.name, stream.fileno()] for file, stream in zip(files, inputs, strict=True)],
            "result": result.fileno(),
            "limit_bytes": limits.bytes,
            "seconds": seconds,
            "options": options,
        }
        try:
            status = subprocess.run(
                [sys.executable, "-P", "-c", COMMAND],
                input=json.dumps(request).encode(),
                stdout=subprocess.DEVNULL,
                stderr=log,
                pass_fds=[*(stream.fileno() for stream in inputs), result.fileno()],
                env=_environment(),
                timeout=2 * seconds,
                check=False,
            ).returncode
        except subprocess.TimeoutExpired as error:
            raise limits.error(files[0].name, size) from error
        if status in (OUT_OF_MEMORY, -signal.SIGKILL, -signal.SIGXCPU):
            raise limits.error(files[0].name, size)
        if not os.fstat(result.fileno()).st_size:
            log.seek(0)
            raise RuntimeError(f"the child process did not start: {log.read(10_000).decode('utf-8', 'replace')}")
        if status:
            raise _damaged_error(files)
        return _read_result(result, files, limits, dtype)


def _inheritable_file(file: TableFile, stack: ExitStack) -> IO[bytes]:
    """Return a file that a child can inherit: the file itself, or an unnamed copy of a file object's content."""
    stream = stack.enter_context(file.open())
    if file.path is not None:
        return stream
    copy = stack.enter_context(TemporaryFile())
    shutil.copyfileobj(stream, copy, 2**20)
    copy.flush()
    return copy


def _environment() -> dict[str, str]:
    """Return the environment of a child, without keys or tokens."""
    kept = {name: os.environ[name] for name in ("LD_LIBRARY_PATH",) if name in os.environ} | {"TMPDIR": gettempdir()}
    # More threads of OpenBLAS or pools of Arrow would take addresses, which the limit of memory counts.
    threads = {"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1", "ARROW_DEFAULT_MEMORY_POOL": "system"}
    root = str(Path(__file__).parents[2])
    return kept | threads | {"PYTHONPATH": os.pathsep.join([root, *filter(None, sys.path)])}


def _read_result(
    stream: IO[bytes], files: Sequence[TableFile], limits: Limits, dtype: type[np.floating[Any]]
) -> tuple[dict[str, Any], Any]:
    """Read a child's output, or raise its error; large arrays are mapped."""
    try:
        size = os.fstat(stream.fileno()).st_size
        stream.seek(0)
        length = int.from_bytes(stream.read(8), "little")
        if length > min(size, limits.bytes + MORE_TEXT):
            raise ValueError("too much text")
        about = json.loads(stream.read(length))
        if about.get("error"):
            code, values = about["error"]
            raise TableError(code, **_lists_to_tuples(values))
        shape = tuple(about["shape"])
        n_bytes = prod(shape) * np.dtype(dtype).itemsize
        if any(type(count) is not int or count < 1 for count in shape) or 8 + length + n_bytes != size:
            raise ValueError("numbers of another size than the shape")
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
        raise error if isinstance(error, TableError) else _damaged_error(files) from error
    if n_bytes > IN_MEMORY:
        return about, np.memmap(stream, dtype, "r", 8 + length, shape)
    return about, np.fromfile(stream, dtype).reshape(shape)


def _damaged_error(files: Sequence[TableFile]) -> TableError:
    return TableError("damaged", file=files[0].name, format=files[0].extension)


def _texts(texts: Any, n_rows: int) -> list[str]:
    """Check that there is one text for each row, and that UTF-8 can encode them all."""
    if type(texts) is not list or len(texts) != n_rows:
        raise ValueError("other texts than rows")
    "".join(texts).encode()
    return texts


def _layout(values: Mapping[str, Any] | None) -> TextLayout | None:
    """Check the child's report on how a text was read."""
    if values is None:
        return None
    layout = TextLayout(**_lists_to_tuples(values))
    if any(type(value) not in (str, bool, tuple, type(None)) for value in asdict(layout).values()):
        raise ValueError("no layout")
    return layout


def _lists_to_tuples(values: Mapping[str, Any]) -> dict[str, Any]:
    """Convert JSON's lists back to tuples of str."""
    return {name: tuple(map(str, value)) if type(value) is list else value for name, value in values.items()}


def main() -> None:
    """Read one request from stdin, in the child, and write the answer to the descriptor that it names."""
    import embedlib.tables.reading  # noqa: F401  # before the limits hold

    request = json.load(sys.stdin)
    files = [TableFile(name, os.fdopen(descriptor, "rb")) for name, descriptor in request["files"]]
    sys.modules["pandas"] = None  # type: ignore[assignment]  # PyArrow would import it, which takes as long as all else
    extensions = {file.extension for file in files}
    for extension in extensions & {*TEXT, *PARQUET}:
        import_module("pyarrow.parquet" if extension in PARQUET else "pyarrow.csv")
    with os.fdopen(request["result"], "wb") as result:
        result.write(bytes(8))  # the parent sees that the child has started
        result.flush()
        _set_limits(request["limit_bytes"], request["seconds"], threads=bool(extensions & {*TEXT}))
        try:
            about, numbers = _handle_request(request["function"], files, request["options"])
            # NumPy's numbers are none of JSON's.
            text = json.dumps(about, ensure_ascii=False, default=methodcaller("item")).encode("utf-8", "replace")
        except MemoryError:
            os._exit(OUT_OF_MEMORY)
        if len(text) > request["limit_bytes"] + MORE_TEXT:
            os._exit(OUT_OF_MEMORY)
        text += b" " * (-len(text) % 8)  # numbers begin where float64 may
        result.seek(0)
        result.write(len(text).to_bytes(8, "little") + text)
        numbers.tofile(result)
    os._exit(0)  # at the usual end of Python, PyArrow's thread ends one process in a hundred by a signal


def _handle_request(
    function: str, files: list[TableFile], options: dict[str, Any]
) -> tuple[dict[str, Any], NDArray[Any]]:
    """Read files; return the report on their numbers, or the error, and the numbers."""
    from embedlib.tables.reading import read_array, read_table

    try:
        if function == "read_array":
            array = read_array(files[0], isolated=False, **options)
            return {"shape": array.shape}, array
        table = read_table(files, isolated=False, **options | {"layout": _layout(options["layout"])})
        about = {
            "shape": table.vectors.shape,
            "labels": table.labels,
            "columns": table.columns,
            "name": table.name,
            "format": table.format,
            "notes": [[note.code, note.values] for note in table.notes],
            "labels_from": table.labels_from,
            "layout": table.layout and asdict(table.layout),
        }
        return about, table.vectors
    except TableError as error:
        return {"error": [error.code, error.values]}, np.empty(0)


def _set_limits(limit_bytes: int, seconds: int, *, threads: bool) -> None:
    import resource

    limits = {
        resource.RLIMIT_CORE: 0,
        resource.RLIMIT_CPU: seconds,
        resource.RLIMIT_FSIZE: 4 * limit_bytes + 2**28,
        resource.RLIMIT_NOFILE: 64,
    }
    if not threads:
        limits[resource.RLIMIT_NPROC] = 0  # holds for all users but root
    statm = Path("/proc/self/statm")
    if statm.exists():  # macOS has no such file, and does not keep a limit of addresses
        taken = int(statm.read_text().split()[0]) * resource.getpagesize()
        limits[resource.RLIMIT_AS] = taken + 5 * limit_bytes + 2**29
    for kind, most in limits.items():
        with suppress(OSError, ValueError):  # a hard limit of this process is lower
            resource.setrlimit(kind, (most, most))
    sys.addaudithook(_deny_event)


def _deny_event(event: str, arguments: tuple[Any, ...]) -> None:
    if event.startswith(FORBIDDEN):
        raise RuntimeError(event)
