"""Search names by text or by regular expression; an expression that never ends is stopped."""

from collections.abc import Sequence


class SearchError(ValueError):
    """A search that cannot be made; `code` is "pattern" or "timeout", `detail` what the pattern lacks."""

    def __init__(self, message: str, *, code: str, detail: str = "") -> None:
        super().__init__(message)
        self.code = code
        self.detail = detail


def search_names(names: Sequence[str], wanted: str, *, expression: bool = False, timeout: float = 1.0) -> list[int]:
    """Return which names contain a text, or match a regular expression anywhere.

    Args:
        names: any strings.
        wanted: the text, found in any case; or the expression, in which case counts unless it says (?i).
        expression: whether `wanted` is a regular expression.
        timeout: seconds for all names together, after which an expression is given up.

    Returns:
        Indices of the names: those that are the text itself first, then those that begin with it, then the others,
        each group in order; for an expression simply in order. Empty where `wanted` is empty.

    Raises:
        SearchError: an expression that is not well formed (code "pattern"), or one that takes too long ("timeout").
    """
    if not wanted:
        return []
    return _matching(names, wanted, timeout) if expression else _containing(names, wanted)


def _containing(names: Sequence[str], wanted: str) -> list[int]:
    sought = wanted.casefold()
    found = [(index, folded) for index, name in enumerate(names) if sought in (folded := name.casefold())]

    def rank(entry: tuple[int, str]) -> int:
        bare = entry[1].strip()
        return 0 if bare == sought.strip() else 1 if bare.startswith(sought.strip()) else 2

    return [index for index, _ in sorted(found, key=rank)]


def _matching(names: Sequence[str], wanted: str, timeout: float) -> list[int]:
    import time

    import regex  # knows a timeout, which the standard library's re does not

    try:
        pattern = regex.compile(wanted)
    except regex.error as error:
        raise SearchError(
            f"the expression is not well formed: {error.msg}; correct it, or search for the text itself",
            code="pattern",
            detail=str(error.msg),
        ) from error
    stop = time.monotonic() + timeout
    found = []
    try:
        for index, name in enumerate(names):
            left = stop - time.monotonic()
            if left <= 0:
                raise TimeoutError
            if pattern.search(name, timeout=left, concurrent=True):  # concurrent: other threads run meanwhile
                found.append(index)
    except TimeoutError as error:
        raise SearchError(f"the expression took longer than {timeout:g} s: make it simpler", code="timeout") from error
    return found
