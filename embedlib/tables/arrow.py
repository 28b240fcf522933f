"""PyArrow, loaded when a format needs it: importing the library does without."""

from importlib import import_module
from typing import Any

from embedlib.tables.errors import TableError


def arrow(module: str = "") -> Any:
    """Import pyarrow, or one of its modules.

    Args:
        module: such as "csv"; "" for pyarrow itself.

    Raises:
        TableError: "pyarrow_missing".
    """
    try:
        return import_module(f"pyarrow.{module}" if module else "pyarrow")
    except ImportError as error:
        raise TableError("pyarrow_missing") from error
