"""Text tables as people have them: each reads as pandas does when it is told how the file is written."""

import csv
import gzip
import io
import json
from typing import Any

import numpy as np
import pandas as pd
import pytest
from numpy.typing import NDArray

from embedlib.tables import EmbeddingTable, TableError, TableFile, TableNote, TextLayout, read_table

ROWS = np.array([[0.5, 1.5, 2.5], [3.5, 4.5, 5.25], [-1.0, 2.0, 1e-3]], np.float32)
WORDS = ["le", "la", "un"]


def read(name: str, data: str | bytes, **options: Any) -> EmbeddingTable:
    stream = io.BytesIO(data if isinstance(data, bytes) else data.encode())
    return read_table(TableFile(name, stream), isolated=False, **options)


def found(table: EmbeddingTable) -> tuple[Any, ...]:
    layout = table.layout
    assert layout is not None
    return layout.separator, layout.decimal, layout.header, layout.label_column


DIGITS_FIRST = "".join(f"{row},{row}.5,1.25\n" for row in range(250)) + "".join(
    f"w{row},1.5,{row}\n" for row in range(50)
)
HEADLESS: dict[str, Any] = {"header": None}
LABELLED: dict[str, Any] = {"index_col": 0}
BARE: dict[str, Any] = {"header": None, "index_col": 0, "keep_default_na": False}
# What a file holds -> its name, its text, what is found out, and what pandas must be told.
CASES: dict[str, tuple[str, str, tuple[str, str, bool, str], dict[str, Any]]] = {
    # found.md 4: decimal commas
    "commas": ("t.csv", "0,5;1,5;2,5\n3,5;4,5;5,25\n", (";", ",", False, ""), HEADLESS),
    "commas, header": ("t.csv", "x;y;z\n0,5;1,5;2,5\n3,5;4,5;5,25\n", (";", ",", True, ""), {}),
    "commas, labels": ("t.csv", "le;0,5;1,5\nla;3,5;4,5\n", (";", ",", False, "column 1"), BARE),
    "commas, both": ("t.csv", "mot;x;y\nle;0,5;1,5\nla;3,5;4,5\n", (";", ",", True, "mot"), LABELLED),
    "commas, whole numbers": ("t.csv", "wort;x;y\nder;1;0,5\ndie;2;1\n", (";", ",", True, "wort"), LABELLED),
    "commas, late": ("t.csv", "a;1;2\nb;3;4\nc;5;6,5\n", (";", ",", False, "column 1"), BARE),
    "commas, tabs": ("t.tsv", "0,5\t1,5\t2,5\n3,5\t4,5\t5,25\n", ("\t", ",", False, ""), HEADLESS),
    "commas, spaces": ("t.txt", "0,5 1,5 2,5\n3,5 4,5 5,25\n", (" ", ",", False, ""), HEADLESS),
    "commas, quoted": ("t.csv", '"0,5","1,5"\n"3,5","4,5"\n', (",", ",", False, ""), HEADLESS),
    "commas, three digits": ("t.csv", "a;0,125;1,250\nb;2,375;3,500\n", (";", ",", False, "column 1"), BARE),
    "points, three digits": ("t.csv", "a;1.125;1.250\nb;2.375;3.500\n", (";", ".", False, "column 1"), BARE),
    "commas, exponent": ("t.csv", "-0,5;1,5E-02\n3,5;-4,5\n", (";", ",", False, ""), HEADLESS),
    "commas, CRLF": ("t.csv", "x;y\r\n0,5;1,5\r\n2,5;3,5\r\n", (";", ",", True, ""), {}),
    "write.csv2": ("t.csv", '"";"x";"y"\n"le";0,5;1,5\n"la";3,5;4,5\n', (";", ",", True, "column 1"), LABELLED),
    "write.csv2, row numbers": (
        "t.csv",
        '"";"x";"y"\n"1";0,5;1,5\n"2";3,5;4,5\n',
        (";", ",", True, "column 1"),
        LABELLED,
    ),
    "Excel's own line": (
        "t.csv",
        "sep=;\nmot;x;y\nle;0,5;1,5\nla;2,5;3,5\n",
        (";", ",", True, "mot"),
        LABELLED | {"skiprows": 1},
    ),
    "end of line": (
        "t.csv",
        "le;0,5;1,5;\nla;2,5;3,5;\n",
        (";", ",", False, "column 1"),
        BARE | {"usecols": [0, 1, 2]},
    ),
    "years": ("t.csv", "pays;1990;2000\nFR;0,5;1,5\nIT;2,5;3,5\n", (";", ",", True, "pays"), LABELLED),
    # 5: thousands
    "thousands": (
        "t.csv",
        'w,x,y,z\na,"1,000",2,3\nb,"1,500",4,6\n',
        (",", ".", True, "w"),
        LABELLED | {"thousands": ","},
    ),
    "thousands, points": (
        "t.csv",
        'w,x,y\na,"1,000.5",2\nb,"12,500.25",4\n',
        (",", ".", True, "w"),
        LABELLED | {"thousands": ","},
    ),
    "thousands, German": (
        "t.csv",
        "w;x;y\na;1.000,5;0,5\nb;2.500.000,25;1\n",
        (";", ",", True, "w"),
        LABELLED | {"thousands": "."},
    ),
    "thousands, French": (
        "t.csv",
        "w;x;y\na;1\u202f234,5;2\nb;2\u202f345,25;3\n",
        (";", ",", True, "w"),
        LABELLED,
    ),
    "thousands, Swiss": (
        "t.csv",
        "w;x;y\na;1'234.5;2\nb;2'345.25;3\n",
        (";", ".", True, "w"),
        LABELLED | {"thousands": "'"},
    ),
    # 6: pandas
    "0,1": ("t.csv", "0,1\n0.5,1.5\n2.5,3.5\n", (",", ".", True, ""), {}),
    "0,1,2": ("t.csv", "0,1,2\n0.5,1.5,2.5\n3.5,4.5,5.25\n", (",", ".", True, ""), {}),
    "index": ("t.csv", ",0,1\na,0.5,1.5\nb,2.5,3.5\n", (",", ".", True, "column 1"), LABELLED),
    "index, numbers": ("t.csv", ",0,1,2\n0,0.5,1.5,2.5\n1,3.5,4.5,5.25\n", (",", ".", True, "column 1"), LABELLED),
    "index, words": (
        "t.csv",
        ",word,x,y\n0,the,0.5,1.5\n1,a,2.5,3.5\n",
        (",", ".", True, "word"),
        {"index_col": 1, "usecols": [0, 1, 2, 3]},
    ),
    "index, French words": (
        "t.csv",
        ",mot,x,y\n0,le,0.5,1.5\n1,la,2.5,3.5\n",
        (",", ".", True, "mot"),
        {"index_col": 1},
    ),
    "index, twice": (
        "t.csv",
        "Unnamed: 0,word,x,y\n0,the,0.5,1.5\n1,a,2.5,3.5\n",
        (",", ".", True, "word"),
        {"index_col": 1},
    ),
    "0,1,2, words": ("t.csv", "0,1,2\nthe,0.5,1.5\na,2.5,3.5\n", (",", ".", True, "0"), LABELLED),
    "whole numbers": ("t.csv", "1,2,3\n4,5,6\n7,8,10\n", (",", ".", False, ""), HEADLESS),
    "whole numbers that count on": ("t.csv", "0,1,2,3\n4,5,6,7\n8,9,10,11\n", (",", ".", False, ""), HEADLESS),
    # 20, 21: tabs at the end, quoted numbers, spaces
    "tabs at the end": (
        "t.tsv",
        "the\t0.5\t1.5\t\na\t2.5\t3.5\t\n",
        ("\t", ".", False, "column 1"),
        BARE | {"usecols": [0, 1, 2]},
    ),
    "tabs at the end, header": (
        "t.tsv",
        "w\tx\ty\nthe\t0.5\t1.5\t\na\t2.5\t3.5\t\n",
        ("\t", ".", True, "w"),
        {"index_col": 0, "names": ["w", "x", "y", "z"], "header": 0, "usecols": [0, 1, 2]},
    ),
    "quoted": ("t.tsv", '"w"\t"x"\t"y"\n"the"\t"0.5"\t"1.5"\n"a"\t"2.5"\t"3.5"\n', ("\t", ".", True, "w"), LABELLED),
    "quote among tokens": (
        "t.tsv",
        '"\t0.5\t1.5\nthe\t2.5\t3.5\n,\t1\t2\n',
        ("\t", ".", False, "column 1"),
        BARE | {"quoting": csv.QUOTE_NONE},
    ),
    "GloVe as .tsv": ("t.tsv", "the 0.5 1.5 2.5\na 3.5 4.5 5.25\n", (" ", ".", False, "column 1"), BARE),
    "GloVe as .csv": (
        "t.csv",
        'the 0.5 1.5\n, 3.5 4.5\n" 1 2\n1,000 7 8\n',
        (" ", ".", False, "column 1"),
        BARE | {"quoting": csv.QUOTE_NONE},
    ),
    # 22
    "digits first": ("t.csv", DIGITS_FIRST, (",", ".", False, "column 1"), BARE),
    "long cell": (
        "t.csv",
        f"w,x,y,gloss\na,0.5,1.5,{'x' * 140_000}\nb,2.5,3.5,y\n",
        (",", ".", True, "w"),
        LABELLED | {"usecols": [0, 1, 2]},
    ),
    # other programs
    "savetxt": ("t.txt", "5.0e-01 1.5e+00\n3.5e+00 4.5e+00\n", (" ", ".", False, ""), HEADLESS),
    "savetxt, header": (
        "t.txt",
        "# by hand\n# x y\n0.5 1.5\n3.5 4.5\n",
        (" ", ".", True, ""),
        HEADLESS | {"comment": "#"},
    ),
    "aligned": ("t.txt", "   0.50   1.50\n  -3.50  14.50\n", (" ", ".", False, ""), HEADLESS | {"sep": r"\s+"}),
    "write.table": ("t.txt", '"x" "y"\n"the" 0.5 1.5\n"a" 2.5 3.5\n', (" ", ".", True, "column 1"), {}),
    "pipes": ("t.csv", "word|x|y\nthe|0.5|1.5\na|2.5|3.5\n", ("|", ".", True, "word"), LABELLED),
    "apostrophes": (
        "t.csv",
        "'the','0.5','1.5'\n'a, b','2.5','3.5'\n",
        (",", ".", False, "column 1"),
        BARE | {"quotechar": "'"},
    ),
    "spaces after commas": ("t.csv", "the, 0.5, 1.5\na, 2.5, 3.5\n", (",", ".", False, "column 1"), BARE),
    "signs": ("t.csv", "a,1e-05,-2.5E+3\nb,+1.5,.5\n", (",", ".", False, "column 1"), BARE),
    "CR": ("t.csv", "x,y\r0.5,1.5\r2.5,3.5\r", (",", ".", True, ""), {}),
    "dates": (
        "t.csv",
        "date,x,y\n2020-01-01 10:00,0.5,1.5\n2020-01-02 11:00,2.5,3.5\n",
        (",", ".", True, "date"),
        LABELLED,
    ),
    "sentences": ("t.csv", "This is it;0,5;1,5\nAnd, so on;2,5;3,5\n", (";", ",", False, "column 1"), BARE),
    "addresses": ("t.vec", "http://a.b/c,d;e 0.1 0.2\nx@y.z 0.3 0.4\n", (" ", ".", False, "column 1"), BARE),
    "BERT's marks": ("t.tsv", "[PAD]\t0.1\t0.2\n[1]\t0.3\t0.4\n", ("\t", ".", False, "column 1"), BARE),
}


@pytest.mark.parametrize("case", CASES)
def test_how_a_text_table_is_written_is_found_out_and_it_reads_as_pandas_reads_it(case: str) -> None:
    name, text, layout, options = CASES[case]
    table = read(name, text)
    assert found(table) == layout
    frame = pd.read_csv(io.StringIO(text.replace("\u202f", "")), **({"sep": layout[0], "decimal": layout[1]} | options))
    frame = (
        frame.select_dtypes("number")
        if not case.startswith("index, ") or case == "index, numbers"
        else frame[["x", "y"]]
    )
    np.testing.assert_array_equal(table.vectors, frame.to_numpy(np.float32))
    assert table.labels == ([str(label) for label in frame.index] if layout[3] else None)
    further = ("column 1",) if case == "digits first" else tuple(table.columns)
    notes = [TableNote("further_columns", {"names": further})] if further else []
    assert [note for note in table.notes if note.code != "constant_columns"] == notes


@pytest.mark.parametrize("separator", [",", ";", "\t", "|", " "])
@pytest.mark.parametrize("decimal", [".", ","])
@pytest.mark.parametrize("header", [True, False])
@pytest.mark.parametrize("index", [True, False])
def test_what_pandas_writes_reads_back(separator: str, decimal: str, header: bool, index: bool) -> None:
    rows = np.random.default_rng(0).standard_normal((6, 4)).astype(np.float32)
    frame = pd.DataFrame(rows, index=["the", "a b", "c,d", "e;f", "g\th", 'say "i"'])
    text = frame.to_csv(sep=separator, decimal=decimal, header=header, index=index)
    table = read("t.csv", text)
    np.testing.assert_array_equal(table.vectors, rows)
    assert table.labels == (list(frame.index) if index else None)
    assert found(table)[:3] == (separator, decimal, header)


def test_a_cell_without_a_number_among_many_rows_is_read_or_named_by_its_line() -> None:
    lines = [f"w{row};{row},5;1,{row}" for row in range(500)]
    lines[400] = "w400;1.400,5;1"  # thousands that no sample shows
    assert read("t.csv", "\n".join(lines)).vectors[400, 0] == 1400.5
    lines[450] = "w450;k. A.;1"
    with pytest.raises(TableError, match=r"'k\. A\.' in row 451, column 'column 2'"):
        read("t.csv", "\n".join(lines))


def test_columns_that_give_no_dimension_are_named_with_the_reason() -> None:
    table = read("t.csv", "w,x,none,y,some,gloss\na,0.5,,1.5,noun,x\nb,2.5,n/a,3.5,7,y\nc,1,,2,verb,z\n")
    assert table.vectors.tolist() == [[0.5, 1.5], [2.5, 3.5], [1, 2]]
    assert table.columns == {"some": ["noun", "7", "verb"], "gloss": ["x", "y", "z"]}
    assert table.notes == (
        TableNote("empty_columns", {"names": ("none",)}),
        TableNote("further_columns", {"names": ("some", "gloss")}),
    )
    late = "w,x,y,z\n" + "a,1,2,\n" * 300 + "b,3,4,5\n"
    assert read("t.csv", late).notes == (TableNote("further_columns", {"names": ("z",)}),)


@pytest.mark.parametrize("header", ["", "3 3\n"])
@pytest.mark.parametrize("end", ["", " "])
@pytest.mark.parametrize("name", ["t.txt", "t.vec", "t.tsv"])
def test_glove_fasttext_and_word2vec_texts_are_read(name: str, end: str, header: str) -> None:
    words = [". . .", "new york", "日本"]
    lines = [f"{word} {' '.join(map(str, row))}{end}\n" for word, row in zip(words, ROWS.tolist(), strict=True)]
    table = read(name, header + "".join(lines))
    assert table.labels == words
    np.testing.assert_array_equal(table.vectors, ROWS)
    assert table.notes == ()


def test_fewer_rows_than_a_vec_announces_are_noted() -> None:
    note = TableNote("announced_rows", {"announced": 2000, "rows": 2})
    assert read("t.vec", "2000 3\na 1 2 3\nb 4 5 6\n").notes == (note,)


@pytest.mark.parametrize("end", [b"", b"\n"])
def test_a_word2vec_bin_is_read(end: bytes) -> None:
    words = ["the", "日本", "</s>"]
    entries = [word.encode() + b" " + row.astype("<f4").tobytes() for word, row in zip(words, ROWS, strict=True)]
    table = read("t.bin", b"3 3\n" + end.join(entries) + end)
    np.testing.assert_array_equal(table.vectors, ROWS)
    assert (table.labels, table.format, table.layout) == (words, "bin", None)


@pytest.mark.parametrize(
    "write",
    [
        lambda row: str(row.tolist()),
        lambda row: str(row.astype(np.float64)),  # NumPy's text has no commas
        lambda row: repr(row),
        lambda row: str(row[None]),
        lambda row: str(row).replace(" ", "\n "),
    ],
)
def test_lists_of_numbers_in_cells_are_rows(write: Any) -> None:
    frame = pd.DataFrame(
        {"text": ["One, two", "three; 4", "five"], "n": [1, 2, 3], "embedding": list(map(write, ROWS))}
    )
    table = read("t.csv", frame.to_csv())
    np.testing.assert_allclose(table.vectors, ROWS, rtol=1e-6)
    assert table.labels == list(frame["text"])
    assert table.columns == {"column 1": ["0", "1", "2"], "n": ["1", "2", "3"]}
    tabs = "\n".join(f"{word}\t{row.tolist()}" for word, row in zip(WORDS, ROWS, strict=True))
    assert read("t.tsv", tabs).labels == WORDS


FRAME = pd.DataFrame(ROWS.astype(np.float64), columns=["x", "y", "z"])
RECORDS = [{"word": word, "embedding": row} for word, row in zip(WORDS, ROWS.tolist(), strict=True)]


@pytest.mark.parametrize(
    ("name", "text", "labels"),
    [
        ("t.json", FRAME.assign(word=WORDS).to_json(orient="records"), WORDS),
        ("t.jsonl", FRAME.assign(word=WORDS).to_json(orient="records", lines=True), WORDS),
        ("t.ndjson", "\n\n".join(map(json.dumps, RECORDS)), WORDS),
        ("t.json", "\n".join(map(json.dumps, RECORDS)), WORDS),
        ("t.json", json.dumps(RECORDS, indent=2), WORDS),
        ("t.json", FRAME.set_axis(WORDS).to_json(), WORDS),
        ("t.json", json.dumps(ROWS.tolist()), None),
        ("t.jsonl", "\n".join(map(json.dumps, ROWS.tolist())), None),
        ("t.json", json.dumps([[word, *row] for word, row in zip(WORDS, ROWS.tolist(), strict=True)]), WORDS),
        ("t.json", json.dumps(dict(zip(WORDS, ROWS.tolist(), strict=True))), WORDS),
        ("t.json", json.dumps({"labels": WORDS, "vectors": ROWS.tolist()}), WORDS),
    ],
)
def test_json_is_read(name: str, text: str, labels: list[str] | None) -> None:
    table = read(name, text)
    np.testing.assert_array_equal(table.vectors, ROWS)
    assert (table.labels, table.layout) == (labels, None)


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16", "utf-16-le", "utf-16-be", "utf-32", "latin-1", "cp1252"])
def test_texts_in_other_encodings_are_read(encoding: str) -> None:
    text = "mot;x;y\nété;0,5;1,5\nnaïve;2,5;3,5\n" + ("œuvre;1;2\n" if encoding == "cp1252" else "")
    table = read("t.csv", text.encode(encoding))
    assert table.labels == ["été", "naïve", "œuvre"][: len(table.vectors)]
    np.testing.assert_array_equal(table.vectors[:2], [[0.5, 1.5], [2.5, 3.5]])
    assert found(table) == (";", ",", True, "mot")
    labels = TableFile("m.tsv", io.BytesIO("été\nnaïve".encode(encoding)))
    assert read_table([TableFile("v.tsv", io.BytesIO(b"1\t2\n3\t5\n")), labels], isolated=False).labels == [
        "été",
        "naïve",
    ]


def test_the_encoding_is_said_and_can_be_given() -> None:
    data = "слово;x;y\nмир;0,5;1,5\nдом;2,5;3,5\n".encode("cp1251")
    assert read("t.csv", data).layout.encoding == "windows-1252"  # type: ignore[union-attr]
    assert read("t.csv", data, layout=TextLayout(encoding="windows-1251")).labels == ["мир", "дом"]
    with pytest.raises(TableError, match="not a whole, valid 'text' file"):
        read("t.csv", data, layout=TextLayout(encoding="utf-8"))
    cut = "日本".encode()[:-1]  # a few tokens of word2vec's are cut amid a character
    table = read("t.txt", "日本 1 2\n東京 3 4\n大阪 5 7\n".encode() + cut + b" 8 9\n")
    assert table.labels == ["日本", "東京", "大阪", "日\ufffd"]


@pytest.mark.parametrize("name", ["t.csv.gz", "t.csv", "T.CSV.GZ"])
def test_what_gzip_packed_is_unpacked_whatever_its_name(name: str) -> None:
    table = read(name, gzip.compress(b"le;0,5;1,5\nla;2,5;3,5\n", mtime=0))
    assert (table.labels, table.format) == (["le", "la"], "csv")
    stream = io.BytesIO()
    np.save(stream, ROWS)
    np.testing.assert_array_equal(read("t.npy.gz", gzip.compress(stream.getvalue(), mtime=0)).vectors, ROWS)


def test_each_part_of_a_layout_can_be_given() -> None:
    text = "0,5;1,5;7\n3,5;4,5;8\n"
    assert read("t.csv", text, layout=TextLayout(label_column="column 3")).labels == ["7", "8"]
    commas = read("t.csv", "a,1,5,2\nb,3,4,7\n", layout=TextLayout(separator=","))
    assert commas.vectors.tolist() == [[1, 5, 2], [3, 4, 7]]
    numbers = read("t.csv", "id,x,y\n1,2,3\n4,5,7\n", layout=TextLayout(label_column=""))
    assert (numbers.labels, numbers.vectors.tolist()) == (None, [[1, 2, 3], [4, 5, 7]])
    grouped = read("t.csv", "a;1,250;2\nb;3,500;4\n", layout=TextLayout(decimal="."))
    assert grouped.vectors.tolist() == [[1250, 2], [3500, 4]]
    headless = read("t.csv", "0,1\n0.5,1.5\n", layout=TextLayout(header=False))
    assert headless.vectors.tolist() == [[0, 1], [0.5, 1.5]]
    assert read("t.csv", text, layout=numbers_found(text)).vectors.tolist() == [[0.5, 1.5, 7], [3.5, 4.5, 8]]
    with pytest.raises(TableError, match="'column 1', 'column 2', 'column 3'"):
        read("t.csv", text, layout=TextLayout(label_column="no"))


def numbers_found(text: str) -> TextLayout:
    layout = read("t.csv", text).layout
    assert layout is not None
    return layout


def test_a_tab_at_each_line_of_labels_is_no_column() -> None:
    files = [TableFile("v.tsv", io.BytesIO(b"1\t2\t\n3\t5\t\n")), TableFile("m.tsv", io.BytesIO(b"the\t\na\t\n"))]
    table = read_table(files, isolated=False)
    assert (table.labels, table.columns, table.vectors.tolist()) == (["the", "a"], {}, [[1, 2], [3, 5]])


@pytest.mark.parametrize("order", [1, -1])
def test_labels_may_be_a_txt(order: int) -> None:
    files = [TableFile("v.txt", io.BytesIO(b"1 2\n3 5\n")), TableFile("vocab.txt", io.BytesIO(b"the\na\n"))]
    assert read_table(files[::order], isolated=False).labels == ["the", "a"]


@pytest.mark.parametrize("separator", [",", "\t", ";", " "])
def test_wide_tables_of_few_rows_are_read(separator: str) -> None:
    rows: NDArray[np.float32] = np.random.default_rng(0).standard_normal((3, 5_000)).astype(np.float32)
    text = "\n".join(separator.join(map(str, row)) for row in rows.tolist())
    np.testing.assert_array_equal(read("t.txt", text).vectors, rows)
    names = separator.join(f"gene_{column}" for column in range(5_000))
    np.testing.assert_array_equal(read("t.txt", f"{names}\n{text}").vectors, rows)


def test_numbers_with_units_are_named_and_lists_of_words_are_labels() -> None:
    with pytest.raises(TableError, match="'3 kg' in row 2, column 'column 2'"):
        read("t.csv", "name,mass\na,3 kg\nb,4 kg\n")
    with pytest.raises(TableError, match="3 labels for 0 rows"):
        read("t.csv", "one\ntwo\nthree\n")
