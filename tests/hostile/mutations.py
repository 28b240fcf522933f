"""Wrong bytes: bits flipped, spans cut and repeated, lengths that lie, and documents whose values are others."""

import io
import json
import random
import re
import zipfile
from collections.abc import Callable, Sequence
from copy import deepcopy
from typing import Any

NUMBERS = [0, 1, 2, 3, 127, 128, 255, 256, 32_767, 65_535, 65_536, 10**6, 2**24, 10**8, 2**28, 10**9, 2**31 - 1, 2**31]
NUMBERS += [2**32 - 1, 2**32, 2**40, 2**53, 2**62, 2**63 - 1, 2**63, 2**64 - 1]
# Texts that somebody somewhere has taken for something else.
TEXTS = [
    *(
        "",
        " ",
        "a",
        "\0",
        "../../x",
        "/etc/passwd",
        "é",
        "\U0001f469\u200d\U0001f4bb",
        "\ud800",
        "\udfff\ud800",
        "\u202e",
    ),
    *("nan", "-inf", "1e999", "9" * 5_000, "x" * 70_000, "<img src=x onerror=alert(1)>", "{0.__class__}", "%s%n", "`"),
    *("$x$", "][", "\r\n", "__import__('os').system('true')", "\ufeff", "${jndi:ldap://127.0.0.1/}", "true", "null"),
]
VALUES: list[Any] = [
    *(None, True, False, -1, 0.5, -0.0, 1e308, float("nan"), float("inf"), [], {}, [[]], *NUMBERS, *TEXTS),
    *(-(2**63), 10**30, [0] * 100, {"": {"": []}}, [None], ["\ud800"], {"__class__": "os.system"}),
]
_DIGITS = re.compile(rb"\d+")

Mutation = Callable[[bytes, random.Random], bytes]


def mutated(data: bytes, others: Sequence[bytes], chance: random.Random) -> bytes:
    """Return the bytes with one to five things wrong; `others` are whole files of the same kind, to splice with."""
    actual = bytearray(data)
    for _ in range(chance.choice([1, 1, 1, 2, 3, 5])):
        chance.choice(_OPERATIONS)(actual, others, chance)
    return bytes(actual)


def _flip(data: bytearray, others: Sequence[bytes], chance: random.Random) -> None:
    for _ in range(chance.choice([1, 1, 4, 16])):
        if data:
            data[chance.randrange(len(data))] ^= 1 << chance.randrange(8)


def _write(data: bytearray, others: Sequence[bytes], chance: random.Random) -> None:
    place = chance.randrange(len(data) + 1)
    data[place : place + 1] = chance.choice(
        [bytes([chance.randrange(256)]), chance.choice(TEXTS).encode("utf-8", "replace")]
    )


def _cut(data: bytearray, others: Sequence[bytes], chance: random.Random) -> None:
    place = chance.randrange(len(data) + 1)
    del data[place : place + chance.choice([1, 2, 8, 64, len(data)])]


def _repeat(data: bytearray, others: Sequence[bytes], chance: random.Random) -> None:
    start, place = chance.randrange(len(data) + 1), chance.randrange(len(data) + 1)
    span = bytes(data[start : start + chance.choice([1, 4, 16, 256])])
    data[place:place] = span * chance.choice([1, 2, 16, 1_000])


def _splice(data: bytearray, others: Sequence[bytes], chance: random.Random) -> None:
    other = chance.choice(others)
    start, place = chance.randrange(len(other) + 1), chance.randrange(len(data) + 1)
    data[place:] = other[start:]


def _length(data: bytearray, others: Sequence[bytes], chance: random.Random) -> None:
    """Let four bytes, or another number of them, say another length; more often where headings and footers are."""
    width = chance.choice([1, 2, 4, 4, 8, 8])
    number = chance.choice([*NUMBERS, len(data), len(data) + 1, chance.randrange(2 * len(data) + 1)])
    ends = [0, 4, 6, 8, len(data) - 4, len(data) - 8, len(data) - 16, len(data) - 22]
    place = max(0, chance.choice([*ends, *(chance.randrange(len(data) + 1) for _ in ends)]))
    data[place : place + width] = (number % 2 ** (8 * width)).to_bytes(
        width, chance.choice(["little", "little", "big"])
    )


def _digits(data: bytearray, others: Sequence[bytes], chance: random.Random) -> None:
    if found := list(_DIGITS.finditer(data)):
        one = chance.choice(found)
        other = [b"-1", b"1e9", b"0.5", b"9" * 400, b"(" * 2_000, *(str(number).encode() for number in NUMBERS)]
        data[one.start() : one.end()] = chance.choice(other)


_OPERATIONS = (_flip, _flip, _write, _cut, _repeat, _splice, _length, _length, _digits)


def mutated_document(content: Any, chance: random.Random) -> Any:
    """Return JSON's values with one to five of them replaced, left out, doubled or put elsewhere."""
    copy = json.loads(json.dumps(content))
    for _ in range(chance.choice([1, 1, 2, 5])):
        places = list(_places(copy))
        if not places:
            return chance.choice(VALUES)
        holder, key = chance.choice(places)
        match chance.randrange(6):
            case 0:
                del holder[key]
            case 1:
                one, other = chance.choice(places)
                holder[key] = deepcopy(one[other])
            case 2 if isinstance(holder, dict):
                holder[chance.choice(TEXTS)] = deepcopy(holder[key])
            case 3 if type(holder[key]) is int:
                holder[key] = chance.choice([-1, 1, 2, 0.5]) * holder[key] + chance.choice([-1, 0, 1])
            case 4 if isinstance(holder[key], (str, list)) and len(holder[key]) < 1_000:
                holder[key] = holder[key] * chance.choice([0, 2, 50])
            case _:
                holder[key] = deepcopy(chance.choice(VALUES))
        if len(repr(copy)) > 2_000_000:
            break
    return copy


def _places(value: Any) -> Any:
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, inner in items:
        yield value, key
        yield from _places(inner)


def as_json(content: Any, chance: random.Random) -> bytes:
    """Write it, half surrogates and NaN too; at times so deep that no stack holds it, or with a name twice."""
    text = json.dumps(content, ensure_ascii=chance.random() < 0.7)
    match chance.randrange(40):
        case 0:
            text = "[" * 100_000 + text
        case 1:
            text = text.replace("{", '{"a": 1, "a": 2, ', 1)
    return text.encode("utf-8", "surrogatepass")


def json_file(data: bytes, chance: random.Random) -> bytes:
    """Give a document of JSON other values."""
    return as_json(mutated_document(json.loads(data), chance), chance)


def safetensors_file(data: bytes, chance: random.Random) -> bytes:
    """Give a heading other values, those in its note of JSON too; its length is right again."""
    length = int.from_bytes(data[:8], "little")
    heading = json.loads(data[8 : 8 + length])
    about = heading.get("__metadata__", {}).get("about")
    if about is not None and chance.random() < 0.7:
        heading["__metadata__"]["about"] = as_json(mutated_document(json.loads(about), chance), chance).decode(
            "utf-8", "replace"
        )
        text = json.dumps(heading).encode()
    else:
        text = as_json(mutated_document(heading, chance), chance)
    return len(text).to_bytes(8, "little") + text + data[8 + length :]


def npy_file(data: bytes, chance: random.Random) -> bytes:
    """Write another heading of a .npy: shapes and types of any size, its length right."""
    length = int.from_bytes(data[8:10], "little")
    shape = tuple(
        chance.choice([*NUMBERS[:20], -1, True, 2, 3, 6]) for _ in range(chance.choice([0, 1, 2, 2, 2, 3, 40]))
    )
    kinds = ["<f4", ">f8", "<f2", "<f16", "|O", "<U9", "|S3", "<i8", "<u1", "|b1", "<c8", "<M8[s]", "|V4", "f4,f4", "x"]
    descr: Any = chance.choice(
        [*kinds, [("a", "<f4")], ("<f4", (10**9,)), [("a", "<f4", (2**31,))], None, "<U999999999"]
    )
    text = repr({"descr": descr, "fortran_order": chance.choice([True, False, 0, "x"]), "shape": shape}).encode()
    if chance.random() < 0.3:
        text = mutated(data[10 : 10 + length], [text], chance)[:60_000]
    text += b" " * (-(len(text) + 11) % 64) + b"\n"
    return data[:8] + (len(text) % 2**16).to_bytes(2, "little") + text + data[10 + length :]


def npz_file(data: bytes, chance: random.Random) -> bytes:
    """Pack an archive anew, its members damaged and its checksums right."""
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        members = {name: archive.read(name) for name in archive.namelist()}
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", chance.choice([0, zipfile.ZIP_DEFLATED, zipfile.ZIP_BZIP2])) as archive:
        for name, content in members.items():
            if chance.random() < 0.6:
                content = chance.choice([npy_file(content, chance), mutated(content, [*members.values()], chance)])
            if chance.random() < 0.1:
                name = chance.choice(["../../x.npy", "/x.npy", "x.pkl", ".npy", "a" * 300 + ".npy", "labels.npy"])
            archive.writestr(zipfile.ZipInfo(name), content)
    packed = stream.getvalue()
    return packed if chance.random() < 0.6 else mutated(packed, [data], chance)
