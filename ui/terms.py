"""The field's English terms, shown on hover where a translated page first uses their translation."""

from functools import cache

from ui.i18n import LOCALE_DIRECTORY, NAMES, language


def english_terms() -> dict[str, str]:
    """Map each translated form of a term to its English; empty in English."""
    return _terms(language())


@cache
def _terms(language: str) -> dict[str, str]:
    if language not in list(NAMES)[1:]:
        return {}
    column = list(NAMES).index(language)
    found = {}
    for line in (LOCALE_DIRECTORY / "terms.tsv").read_text(encoding="utf-8").splitlines():
        forms = line.split("\t")
        for form in forms[column].split(" / "):
            # A single Chinese character occurs in many words.
            if len(form) > 1 and form.lower() != forms[0].lower():
                found[form] = forms[0]
    return found
