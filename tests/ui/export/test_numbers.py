import csv
import io

import numpy as np
import pytest
import torch

from embedlib import get_tokenizer
from ui.export import columns_csv, lines_csv, matrix_csv, parts_csv, points_csv


def test_a_matrix_reads_back_to_the_bit() -> None:
    matrix = torch.randn(5, 3, generator=torch.Generator().manual_seed(0)) * 1e-6
    lines = list(csv.reader(io.StringIO(matrix_csv(matrix, row="position", column="dim"))))
    assert lines[0] == ["position", "dim_0", "dim_1", "dim_2"]
    assert [line[0] for line in lines[1:]] == ["0", "1", "2", "3", "4"]
    assert np.array_equal(np.array([line[1:] for line in lines[1:]], dtype=np.float32), matrix.numpy())


def test_columns_stand_side_by_side_and_parts_below_each_other() -> None:
    one, other = torch.tensor([0.1, 2.0]), torch.tensor([3.0, 1e-9])
    assert columns_csv({"one": one, "other": other}, row="position").splitlines() == [
        "position,one,other",
        "0,0.1,3",
        "1,2,1e-9",
    ]
    tokens = get_tokenizer("gpt2").tokenize("a,日")[:2]
    written = parts_csv({"row": one[:, None], "input": other[:, None]}, column="pc", tokens=tokens)
    assert list(csv.reader(io.StringIO(written))) == [
        ["position", "token", "part", "pc_0"],
        ["0", "a", "row", "0.1"],
        ["1", ",", "row", "2"],
        ["0", "a", "input", "3"],
        ["1", ",", "input", "1e-9"],
    ]
    assert parts_csv({"row": one[:, None]}, column="pc").splitlines()[0] == "position,part,pc_0"


@pytest.mark.parametrize("text", ["=cmd|' /C calc'!A0", "+1+1", "-2+3", "@SUM(1)", "\tx"])
def test_no_text_is_a_formula(text: str) -> None:
    for written in (
        lines_csv(["name", "value"], [[text, -1.5]]),
        points_csv(np.array([-1]), [text], np.float32([[-1.5, 0, 0]])),
    ):
        (line,) = list(csv.reader(io.StringIO(written)))[1:]
        assert f"'{text}" in line
        assert "-1.5" in line
    assert lines_csv(["sign"], [["-"], ["a=b"], [None]]).splitlines() == ["sign", "-", "a=b", '""']


@pytest.mark.parametrize(("text", "written"), [("-5.983", "-5.983"), ("−5.983", "-5.983"), ("−1,234", '"-1,234"')])
def test_a_negative_number_that_stands_as_text_stays_a_number(text: str, written: str) -> None:
    assert lines_csv(["name", "value"], [["my", text]]) == f"name,value\nmy,{written}\n"
