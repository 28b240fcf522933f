"""What is loaded before the first visitor comes."""

import gc


def warm_up() -> None:
    """Import what the pages use, fill the caches that every visitor shares, and freeze it all.

    Without it the first visitor waits for torch and plotly to load. gc.freeze keeps the 220,000 objects that are here
    by then out of every later full collection, which they made 110 ms long.
    """
    from ui.server.warm_up_work import warm_up as compute  # imports torch and plotly: not before the server answers

    compute()
    gc.collect()
    gc.freeze()
