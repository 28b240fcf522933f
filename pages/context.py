"""A word in context: through the layers of a trained model, its attention, and its positions."""

from ui.context.request import settings_sidebar
from ui.context.sections import sections
from ui.shared.page_fragment import page_fragment

settings_sidebar()
page_fragment(sections)
