"""Wait for a state and never for a time: how, and after how long any test gives up."""

import asyncio
import time
from collections.abc import Callable, Coroutine
from concurrent.futures import ThreadPoolExecutor
from functools import wraps
from typing import Any, ParamSpec, TypeVar

PATIENCE = 300  # seconds: more than the busiest machine needs for what computes a while
SOON = 90  # seconds: more than it needs to draw what is already there

P = ParamSpec("P")
T = TypeVar("T")


def wait_until(
    reached: Callable[[], T | None],
    description: Callable[[], object] = lambda: "",
    *,
    pause: Callable[[], object] = lambda: time.sleep(0.01),
    patience: float = PATIENCE,
) -> T:
    """Ask again and again until the answer counts as true, and return it.

    Args:
        reached: asks for the state.
        description: what to say when it is not reached in time.
        pause: what to do between two questions.
        patience: seconds after which it gives up.

    Raises:
        TimeoutError: it is not reached in time.
    """
    deadline = time.monotonic() + patience
    while not (answer := reached()):
        if time.monotonic() > deadline:
            raise TimeoutError(f"not reached within {patience} s: {description()}")
        pause()
    return answer


def run(coroutine: Coroutine[Any, Any, T]) -> T:
    """Run it to its end in a thread of its own: in that of the tests Playwright's loop may be running."""
    with ThreadPoolExecutor(1) as thread:
        return thread.submit(asyncio.run, coroutine).result()


def awaited(test: Callable[P, Coroutine[Any, Any, None]]) -> Callable[P, None]:
    """Make a test of what has to be awaited."""

    @wraps(test)
    def awaiting(*args: P.args, **kwargs: P.kwargs) -> None:
        run(test(*args, **kwargs))

    return awaiting


async def until(reached: Callable[[], object]) -> None:
    """Wait for a state beside what goes on in the same loop."""
    async with asyncio.timeout(PATIENCE):
        while not reached():
            await asyncio.sleep(0.005)
