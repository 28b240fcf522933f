"""What the page needs of a model of the Hub besides rows, fetched in the background: pages wait for no network."""

from torch import Tensor

from embedlib.checkpoints import FileTokenizer, ModelParts, model_parts
from ui.i18n import _
from ui.jobs import Report, downloads, show_job, this_visitor
from ui.models.cache import parts_of, positions_of, table_of, tokenizer_of
from ui.shared.markdown import as_code
from ui.shared.model_choice import Model, model_sentence, whole_table


def about_ready(model: Model) -> bool:
    """Tell whether headings, tokenizer and position table are here; else fetch them and show how that goes."""
    if model.is_local:
        return True
    checkpoint = model.checkpoint

    def fetch(report: Report) -> tuple[ModelParts, FileTokenizer, Tensor | None]:
        report(0.0)
        has_positions = checkpoint.position_name is not None
        positions = checkpoint.position_table().float() if has_positions else None
        return model_parts(checkpoint), checkpoint.tokenizer(), positions

    job = downloads.submit(("about", model.key), fetch, visitor=this_visitor())
    done = show_job(
        job,
        title=_("Opening {name}").format(name=as_code(model.title)),
        key=f"about-{model.source}",
        failure=model_sentence,
        queue=downloads,
    )
    if not done:
        return False
    parts, tokenizer, positions = job.result()
    parts_of.keep(parts, model)
    tokenizer_of.keep(tokenizer, model)
    if positions is not None:
        positions_of.keep(positions, model)
    return True


def table_ready(model: Model) -> bool:
    """Tell whether all rows of a model are on this machine; else offer to fetch them, and show how that goes."""
    if model.is_local:
        return True
    rows = whole_table(model, key=f"table-{model.source}")
    if rows is not None:
        table_of.keep(rows, model)
    return rows is not None
