"""How much a Parquet file announces to hold, read from its footer.

PyArrow tells the same, but its 26.0 ends the whole process when asked for the columns of some damaged footers.
"""

from typing import Any, BinaryIO

MAGIC = b"PAR1"
LONGEST_FOOTER = 16 * 2**20  # bytes; 65,000 columns take 7 MB
# Places in the footer's structures, by the format's definition.
ROW_GROUPS, COLUMNS, ABOUT_COLUMN, NUM_VALUES, UNPACKED_SIZE = 4, 1, 3, 5, 6
# Thrift's compact types.
TRUE, FALSE, BYTE, I16, I32, I64, DOUBLE, BINARY, LIST, SET, MAP, STRUCT = range(1, 13)


def announced(stream: BinaryIO, size: int) -> tuple[int, int]:
    """Add up what the columns of all row groups announce.

    Args:
        stream: of the whole file.
        size: of the file, in bytes.

    Returns:
        How many values there are, and how many bytes their pages have when unpacked. A value that repeats takes next to
        nothing in a page: the first number tells what the table takes in memory, the second does not.

    Raises:
        ValueError: the footer is none.

    Source: https://github.com/apache/parquet-format/blob/master/src/main/thrift/parquet.thrift and
        https://github.com/apache/thrift/blob/master/doc/specs/thrift-compact-protocol.md
    """
    stream.seek(max(0, size - 8))
    end = stream.read(8)
    length = int.from_bytes(end[:4], "little")
    if end[4:] != MAGIC or length > min(size - 12, LONGEST_FOOTER):
        raise ValueError("no footer")
    stream.seek(size - 8 - length)
    try:
        groups = _Footer(stream.read(length)).struct()[ROW_GROUPS]
        about = [column[ABOUT_COLUMN] for group in groups for column in group[COLUMNS]]
        values, unpacked = [entry[NUM_VALUES] for entry in about], [entry[UNPACKED_SIZE] for entry in about]
        if min([*values, *unpacked], default=0) < 0:
            raise ValueError("a negative size")
        return sum(values), sum(unpacked)
    except (IndexError, KeyError, TypeError, RecursionError) as error:
        raise ValueError("a damaged footer") from error


class _Footer:
    """Bytes of Thrift's compact protocol, read from the first to the last; IndexError where they end too soon."""

    def __init__(self, data: bytes) -> None:
        self._data = data
        self._place = 0

    def struct(self) -> dict[int, Any]:
        found: dict[int, Any] = {}
        field = 0
        while head := self._byte():
            field = field + (head >> 4) if head >> 4 else self._zigzag()
            found[field] = self._value(head & 15)
        return found

    def _value(self, kind: int) -> Any:
        if kind in (TRUE, FALSE):  # a field's type says it
            return kind == TRUE
        if kind in (I16, I32, I64):
            return self._zigzag()
        if kind == STRUCT:
            return self.struct()
        if kind in (LIST, SET):
            head = self._byte()
            count = head >> 4 if head >> 4 < 15 else self._varint()
            return [self._item(head & 15) for _ in range(count)]
        if kind == MAP:
            count = self._varint()
            kinds = self._byte() if count else 0
            return [(self._item(kinds >> 4), self._item(kinds & 15)) for _ in range(count)]
        return self._skip({BYTE: 1, DOUBLE: 8}[kind] if kind != BINARY else self._varint())

    def _item(self, kind: int) -> Any:
        return self._byte() if kind in (TRUE, FALSE) else self._value(kind)  # in a list a truth value takes a byte

    def _skip(self, count: int) -> None:
        self._place += count
        if self._place > len(self._data):
            raise IndexError

    def _byte(self) -> int:
        self._place += 1
        return self._data[self._place - 1]

    def _varint(self) -> int:
        number, shift = 0, 0
        while shift < 64:
            byte = self._byte()
            number |= (byte & 127) << shift
            if byte < 128:
                return number
            shift += 7
        raise IndexError

    def _zigzag(self) -> int:
        number = self._varint()
        return (number >> 1) ^ -(number & 1)
