"""Parts of a page that show what goes on: the browser asks for them again and again, the server draws what is new."""

import time
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import wraps
from typing import ParamSpec

import streamlit as st
from streamlit.runtime.scriptrunner import get_script_run_ctx
from streamlit.runtime.scriptrunner_utils.script_run_context import ThreadState

from ui.jobs.presence import page_runs

Arguments = ParamSpec("Arguments")
News = Callable[[], bool]

LONGEST = 3.0  # seconds without a drawing, whatever stands against it: it also says that somebody is still there
REST = 4.0  # times as long as a drawing took, from the asking on, for which others have their turn


@dataclass
class Look:
    """What one visitor has seen of what goes on.

    Attributes:
        news: tells, on any thread and at once, whether there is more to see by now.
        began: when it was drawn last or, after the first time, asked for.
        ended: when that was done.
        clock: seconds, from anywhere.
    """

    news: News
    began: float
    ended: float
    clock: Callable[[], float] = field(default=time.monotonic, repr=False)

    def is_due(self) -> bool:
        """Tell whether it is drawn again, now that the browser asks; if so it counts as asked for."""
        now = self.clock()
        if now - max(self.began, self.ended) < LONGEST:  # else it was lost on its way, or it is time
            is_drawn = self.began <= self.ended
            if not is_drawn or now - self.ended < REST * (self.ended - self.began) or not self.news():
                return False
            if not page_runs.give_way(0):  # who waits for a page goes first
                return False
        self.began = now
        return True


def live(every: float) -> Callable[[Callable[Arguments, News]], Callable[Arguments, None]]:
    """Make of a function a part of the page that is drawn again while it goes on.

    The function returns what tells whether there is something new since then: while there is nothing, or the server is
    busy with other pages, it is drawn less often. Streamlit forgets the part with the first whole run that does not
    come there.

    Args:
        every: seconds in which the browser asks.
    """

    def made(draw: Callable[Arguments, News]) -> Callable[Arguments, None]:
        @wraps(draw)  # by whose name Streamlit tells parts apart
        def drawn(*args: Arguments.args, **kwargs: Arguments.kwargs) -> None:
            began = time.monotonic()
            context = get_script_run_ctx(suppress_warning=True)
            assert context is not None  # or Streamlit would not have called it
            this = context.fragment_storage.lookup(str(ThreadState.get().fragment_id))
            before: Look | None = getattr(this, "look", None)
            news = draw(*args, **kwargs)
            # On the function, with which it goes.
            this.look = Look(news, began if before is None else before.began, time.monotonic())  # type: ignore[attr-defined]

        return st.fragment(drawn, run_every=every)

    return made
