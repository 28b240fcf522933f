"""The marker that lets gettext find sentences in a library that does not translate."""


def N_(message: str) -> str:
    """Return the message unchanged, and mark it for extraction into the catalogues.

    Source: https://docs.python.org/3/library/gettext.html#deferred-translations
    """
    return message
