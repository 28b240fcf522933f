"""Durations of jobs as the page shows them."""

from ui.i18n import _


def rough_duration(seconds: float) -> str:
    """Format an estimated duration, rounded to its precision."""
    if seconds < 15:
        return _("a few seconds")
    minutes = 0.5 if seconds < 45 else max(round(seconds / 60), 1)
    return _("about {time}").format(time=format_duration(60 * (minutes if minutes < 10 else 5 * round(minutes / 5))))


def format_duration(seconds: float) -> str:
    """Format a duration in whole seconds, or in minutes if long."""
    if seconds < 60 or 60 < seconds < 90:
        count = max(round(seconds), 1)
        return _("{count} s").format(count=count)
    count = round(seconds / 60)
    return _("{count} min").format(count=count)
