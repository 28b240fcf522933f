"""The root's functions, the widgets and the positional schemes have examples in their docstrings, which are right."""

import doctest
import inspect
from typing import Any

import pytest

import embedlib
from embedlib import SCHEMES, widgets

FUNCTIONS = {name: value for name in embedlib.__all__ if inspect.isfunction(value := getattr(embedlib, name))}
WIDGETS = {name: value for name, value in vars(widgets).items() if inspect.isfunction(value)}
CLASSES = {name: value for name in embedlib.__all__ if inspect.isclass(value := getattr(embedlib, name))}


@pytest.mark.parametrize("name", [*FUNCTIONS, *WIDGETS, *SCHEMES, *CLASSES])
def test_an_example_prints_what_it_says(name: str) -> None:
    documented: Any = (FUNCTIONS | WIDGETS | SCHEMES | CLASSES)[name]
    names = {**vars(inspect.getmodule(documented))}  # type: ignore[arg-type]
    (test,) = doctest.DocTestFinder(recurse=False).find(documented, name, globs=names)
    assert test.examples or name in CLASSES
    assert doctest.DocTestRunner(verbose=False).run(test).failed == 0
