"""Every name that a package offers in `__all__` is there."""

import importlib
import pkgutil

import pytest

import embedlib
import ui

PACKAGES = [
    module.name
    for top in (embedlib, ui)
    for module in pkgutil.walk_packages(top.__path__, f"{top.__name__}.")
    if module.ispkg
]


@pytest.mark.parametrize("name", ["embedlib", *PACKAGES])
def test_all_names_that_a_package_offers_can_be_imported(name: str) -> None:
    package = importlib.import_module(name)
    missing = [one for one in getattr(package, "__all__", ()) if not hasattr(package, one)]
    assert not missing
