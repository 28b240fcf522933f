"""Headers, tokenizer, positions and table of a model of the Hub, fetched in the background: no page waits for them."""

from typing import Any

from ui.i18n import _
from ui.jobs import Report, downloads, result_or_progress
from ui.markdown import as_code
from ui.models.cache import ModelResult, read_parts, read_positions, read_table, read_tokenizer
from ui.shared.model_choice import Model, model_sentence
from ui.shared.model_rows import whole_table

_PARTS: tuple[ModelResult[Any], ...] = (read_parts, read_tokenizer, read_positions)


def is_description_ready(model: Model) -> bool:
    """Return whether headers, tokenizer and positions are here or known to be missing; else fetch them."""
    if model.is_local:
        return True

    def fetch(report: Report) -> list[Any]:
        report(0.0)
        return [part.attempt(model) for part in _PARTS]

    parts = result_or_progress(
        fetch,
        job=("about", model.key),
        title=_("Opening {name}").format(name=as_code(model.title)),
        key=f"about-{model.source}",
        failure=model_sentence,
        queue=downloads,
    )
    if parts is None:
        return False
    for part, found in zip(_PARTS, parts, strict=True):
        part.keep(found, model)
    return True


def is_table_ready(model: Model) -> bool:
    """Return whether all rows of a model are on this machine; else offer to fetch them, with progress."""
    if model.is_local:
        return True
    rows = whole_table(model, key=f"table-{model.source}")
    if rows is not None:
        read_table.keep(rows, model)
    return rows is not None
