"""Translations of Streamlit's own English strings, which the browser replaces on the page."""

import re

from embedlib.i18n import N_
from ui.i18n import _, language

# Streamlit's strings; a name in braces is a placeholder, {size} and {tenth} for digits.
WORDS = (
    N_("Choose an option"),
    N_("Clear all"),
    N_("Clear value"),
    N_("Copied"),
    N_("Copy to clipboard"),
    N_("Dark"),
    N_("Decrement"),
    N_("File must be {size}.{tenth}MB or smaller."),
    N_("Help for {name}"),
    N_("Increment"),
    N_("Light"),
    N_("Main menu"),
    N_("No results"),
    N_("Open"),
    N_("Press Enter to apply"),
    N_("Press {key}+Enter to apply"),
    N_("Print"),
    N_("Remove {name}"),
    N_("Running..."),
    N_("Select all"),
    N_("Selected values"),
    N_("Sidebar"),
    N_("Skip to main content"),
    N_("Upload"),
    N_("{size} more"),
    N_("{size}.{tenth}KB"),
    N_("{size}.{tenth}MB"),
    N_("{size}MB per file"),
    N_("{type} files are not allowed."),
)

_OUTSIDE = "Number is outside the allowed range. Please enter a value between {least} and {most}."
# Replaced in English too: errors of a rejected upload, and the names of the buttons of the sidebar.
_NO_SENTENCE, _SIDEBAR = "AxiosError: ", ("Collapse sidebar", "Expand sidebar")
# Strings that another message of ours replaces.
OURS = {
    "Add files": "Upload",
    "App pages": "Main menu",
    "AxiosError: Network Error": "No connection. Trying again.",
    "AxiosError: Request failed with status code 413": N_("No room: load less."),  # ui/server/limits.py
    "AxiosError: Request failed with status code {code}": "This page is outdated: reload it.",
    "Cancel upload of {name}": "Remove {name}",
    "Choose options": "Choose an option",
    "Close": "Close",
    "Close fullscreen": "Leave full screen",
    "Connecting": "Loading…",
    "Connecting to Streamlit server": "No connection. Trying again.",
    "Connection error": "No connection. Trying again.",
    "Connection lost. Please wait for the app to reconnect, then try again.": "No connection. Trying again.",
    "Connection timed out.": "No connection. Trying again.",
    "Collapse sidebar": N_("Close settings"),
    "Copy version to clipboard": "Copy to clipboard",
    "Error": " ",  # a prefix of other strings
    "Error: ": " ",
    f"Error: {_OUTSIDE}": "From {least:,.9g} to {most:,.9g}.",
    f": {_OUTSIDE}": "From {least:,.9g} to {most:,.9g}.",
    "Expand sidebar": N_("Pages and settings"),
    "Fullscreen": "Full screen",
    "Is Streamlit still running? If you accidentally stopped Streamlit, just restart it in your terminal:": (
        "No connection. Trying again."
    ),
    "Link to heading": "Link",
    "Made with Streamlit v": "Streamlit ",
    "Stop": "Cancel",
    "Stopping...": "Running...",
    "Streamlit server is not responding. Are you connected to the internet?": "No connection. Trying again.",
    "System": "System",
    "Theme": "Colours",
    "Unable to connect to Streamlit server": "This page is outdated: reload it.",
    "file upload": "Upload",
    "{name} icon": "Picture",  # the name is English too
    "progress": "Running...",
}


def streamlit_words() -> dict[str, str]:
    """Map Streamlit's UI strings to this run's language; placeholders are kept. In English few differ."""
    ours = dict.fromkeys(WORDS) | OURS
    if language() == "en":
        ours = {word: said for word, said in OURS.items() if word.startswith(_NO_SENTENCE) or word in _SIDEBAR}
    return {word: re.sub(r":[^{}]*}", "}", str(_(said or word))) for word, said in ours.items()}
