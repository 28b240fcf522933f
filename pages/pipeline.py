"""Text becomes input embeddings: tokens, rows of E, positions, and their sum."""

from ui.i18n import _
from ui.pipeline.request import checked_request, settings_sidebar
from ui.pipeline.sections import show_embeddings
from ui.shared.follow import follow
from ui.shared.text.text_area import show_notices, text_section

settings_sidebar()


def text_and_embeddings() -> None:
    """Draw the text area and all that follows it."""
    prepared = text_section(_("From text to input embeddings"))
    show_notices(prepared)
    if prepared.text and (request := checked_request(prepared.text)) is not None:
        show_embeddings(request)


follow(text_and_embeddings)
