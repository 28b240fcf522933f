"""What all tests share: pages open with the grammar's rows unless a test asks for MiniLM's, as visitors see them."""

import gc
import os

import pytest
from hypothesis import settings

from ui.server.serve import find_nginx

# Also for servers that tests start.
os.environ["EMBEDDING_EXPLORER_ROWS"] = "grammar"
os.environ["EMBEDDING_EXPLORER_WARM_UP"] = "first"  # what a test needs beyond it comes when its page asks


def pytest_configure(config: pytest.Config) -> None:
    """Let no test assert how long something takes; what is drawn is drawn anew each time, and more of it with --all."""
    examples = 30 if config.getoption("markexpr") else 100
    settings.register_profile("without deadline", deadline=None, max_examples=examples)
    settings.load_profile("without deadline")


gc.disable()  # until all tests are collected: what is imported stays, and looking through it takes a third of that time


def pytest_collection_finish() -> None:
    gc.freeze()
    gc.enable()


@pytest.fixture(scope="session")
def nginx() -> str:
    """Give the path of nginx, or leave the test out where there is none."""
    required = "EMBEDDING_EXPLORER_REQUIRE_NGINX"
    try:
        return find_nginx()
    except SystemExit as error:
        if os.environ.get(required):
            pytest.fail(f"{error}; {required} is set")
        pytest.skip(str(error))
