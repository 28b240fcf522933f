"""The page for phones that follow a lecture, outside of Streamlit, with labels of its own."""

from embedlib.i18n import N_

__all__ = ["LABELS"]

# Every string on the page, in English; `ui.server.lecture` serves it with translations.
LABELS: dict[str, str] = {
    "title": N_("Follow the lecture"),
    "attempt": N_("Try:"),
    "explore": N_("Explore this page"),
    "answer": N_("Your answer"),
    "vote": N_("Vote"),
    "voted": N_("Counted. You can change it."),
    "again": N_("The text has changed, and so has the answer: vote again."),
    "shown": N_("Answer"),
    "text": N_("Text"),
    "word": N_("A word for the lecture"),
    "send": N_("Send"),
    "sent": N_("Sent to the presenter."),
    "wait": N_("Waiting for the presenter. Check the code."),
    "away": N_("The presenter is away: wait."),
    "ended": N_("The lecture has ended."),
    "offline": N_("No connection. Trying again."),
}
