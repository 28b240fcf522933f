"""Each function of the library's root and each positional scheme has an example in its docstring, which is right."""

import doctest
import inspect
from typing import Any

import pytest

import embedlib
from embedlib import SCHEMES

FUNCTIONS = {name: value for name in embedlib.__all__ if inspect.isfunction(value := getattr(embedlib, name))}
CLASSES = {name: value for name in embedlib.__all__ if inspect.isclass(value := getattr(embedlib, name))}


@pytest.mark.parametrize("name", [*FUNCTIONS, *SCHEMES, *CLASSES])
def test_an_example_prints_what_it_says(name: str) -> None:
    documented: Any = (FUNCTIONS | SCHEMES | CLASSES)[name]
    names = {**vars(inspect.getmodule(documented))}  # type: ignore[arg-type]
    (test,) = doctest.DocTestFinder(recurse=False).find(documented, name, globs=names)
    assert test.examples or name in CLASSES
    assert doctest.DocTestRunner(verbose=False).run(test).failed == 0
