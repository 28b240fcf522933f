"""Files compressed by gzip, of any format."""

import gzip
import io
import zlib

from embedlib.tables.errors import TableError
from embedlib.tables.table import Limits, TableFile

MAGIC = b"\x1f\x8b"


def unpack_gzip(file: TableFile, limits: Limits) -> TableFile:
    """Decompress a file that is gzip by its content, up to the limit; others are returned unchanged."""
    with file.open() as stream:
        if stream.read(2) != MAGIC:
            return file
        stream.seek(0)
        copy = io.BytesIO()
        try:
            with gzip.GzipFile(fileobj=stream) as packed:
                while block := packed.read(2**20):
                    copy.write(block)
                    limits.check_bytes(file.name, copy.tell())
        except (OSError, EOFError, zlib.error) as error:
            raise TableError("damaged", file=file.name, format="gzip") from error
    return TableFile(file.name, copy)
