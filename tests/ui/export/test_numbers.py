import csv
import io

import numpy as np
import pytest
import torch

from embedlib import get_tokenizer
from ui.export import Columns, LabelledPoints, Lines, Matrix, Parts


def test_a_matrix_reads_back_to_the_bit() -> None:
    matrix = torch.randn(5, 3, generator=torch.Generator().manual_seed(0)) * 1e-6
    lines = list(csv.reader(io.StringIO(Matrix(matrix, "position", "dim").csv())))
    assert lines[0] == ["position", "dim_0", "dim_1", "dim_2"]
    assert [line[0] for line in lines[1:]] == ["0", "1", "2", "3", "4"]
    assert np.array_equal(np.array([line[1:] for line in lines[1:]], dtype=np.float32), matrix.numpy())


def test_columns_stand_side_by_side_and_parts_below_each_other() -> None:
    one, other = torch.tensor([0.1, 2.0]), torch.tensor([3.0, 1e-9])
    assert Columns({"one": one, "other": other}, row="position").csv().splitlines() == [
        "position,one,other",
        "0,0.1,3",
        "1,2,1e-9",
    ]
    tokens = get_tokenizer("gpt2").tokenize("a,日")[:2]
    written = Parts({"row": one[:, None], "input": other[:, None]}, column="pc", tokens=tokens).csv()
    assert list(csv.reader(io.StringIO(written))) == [
        ["position", "token", "part", "pc_0"],
        ["0", "a", "row", "0.1"],
        ["1", ",", "row", "2"],
        ["0", "a", "input", "3"],
        ["1", ",", "input", "1e-9"],
    ]
    assert Parts({"row": one[:, None]}, column="pc").csv().splitlines()[0] == "position,part,pc_0"


@pytest.mark.parametrize("text", ["=cmd|' /C calc'!A0", "+1+1", "-2+3", "@SUM(1)", "\tx"])
def test_no_text_is_a_formula(text: str) -> None:
    for written in (
        Lines(["name", "value"], [[text, -1.5]]).csv(),
        LabelledPoints(np.array([-1]), [text], np.float32([[-1.5, 0, 0]])).csv(),
    ):
        (line,) = list(csv.reader(io.StringIO(written)))[1:]
        assert f"'{text}" in line
        assert "-1.5" in line
    assert Lines(["sign"], [["-"], ["a=b"], [None]]).csv().splitlines() == ["sign", "-", "a=b", '""']


@pytest.mark.parametrize(("text", "written"), [("-5.983", "-5.983"), ("−5.983", "-5.983"), ("−1,234", '"-1,234"')])
def test_a_negative_number_that_stands_as_text_stays_a_number(text: str, written: str) -> None:
    assert Lines(["name", "value"], [["my", text]]).csv() == f"name,value\nmy,{written}\n"
