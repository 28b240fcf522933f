"""What Streamlit itself says, which it says in English alone: the browser puts the page's language in its place."""

from embedlib.i18n import N_
from ui.i18n import _, language

# By Streamlit's own words; a name in braces stands for any.
WORDS = (
    N_("Choose an option"),
    N_("Choose options"),
    N_("Clear all"),
    N_("Clear value"),
    N_("Close fullscreen"),
    N_("Collapse sidebar"),
    N_("Copied"),
    N_("Copy to clipboard"),
    N_("Decrement"),
    N_("Expand sidebar"),
    N_("Fullscreen"),
    N_("Help for {name}"),
    N_("Increment"),
    N_("Link to heading"),
    N_("Main menu"),
    N_("No results"),
    N_("Open"),
    N_("Press Enter to apply"),
    N_("Press {key}+Enter to apply"),
    N_("Print"),
    N_("Remove {name}"),
    N_("Rerun"),
    N_("Running..."),
    N_("Selected values"),
    N_("Sidebar"),
    N_("Skip to main content"),
    N_("Upload"),
    N_("{size}MB per file"),
)


def streamlit_words() -> dict[str, str]:
    """Return the words of this run's language by Streamlit's; nothing in English."""
    return {} if language() == "en" else {word: str(_(word)) for word in WORDS}
