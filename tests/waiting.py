"""Wait for a state and never for a time: how, and after how long any test gives up."""

import time
from collections.abc import Callable
from typing import TypeVar

PATIENCE = 300  # seconds: more than the busiest machine needs

T = TypeVar("T")


def wait_until(
    reached: Callable[[], T],
    told: Callable[[], object] = lambda: "",
    *,
    pause: Callable[[], object] = lambda: time.sleep(0.01),
) -> T:
    """Ask again and again until the answer counts as true, and return it.

    Args:
        reached: asks for the state.
        told: what to say when it is not reached in time.
        pause: what to do between two questions.

    Raises:
        TimeoutError: it is not reached in time.
    """
    deadline = time.monotonic() + PATIENCE
    while not (answer := reached()):
        if time.monotonic() > deadline:
            raise TimeoutError(f"not reached within {PATIENCE} s: {told()}")
        pause()
    return answer
