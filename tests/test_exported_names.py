"""Every name that a package offers in `__all__` is there."""

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
    exec(f"from {name} import *", {})  # some are modules, which are read when they are imported
