"""What lines and runs are called."""

from embedlib.extrapolation.experiments import Unit
from embedlib.positional import SCHEMES
from ui.i18n import _, ngettext
from ui.shared.schemes import label_of, title_of


def line_label(line: str, experiment: str) -> str:
    """Return the short name of a line: a scheme's, or a scaling's as it is written everywhere."""
    return label_of(line) if experiment != "scaling" else line


def unit_label(unit: Unit) -> str:
    """Name a run."""
    return _("{scheme}, seed {seed}").format(scheme=label_of(unit.scheme), seed=unit.seed)


def scheme_title(scheme: str) -> str:
    """Return a scheme's full name."""
    return title_of(scheme) if scheme in SCHEMES else scheme


def about(seconds: float) -> str:
    """Say a time that is estimated, no finer than such a guess can be."""
    if seconds < 15:
        return _("a few seconds")
    if seconds < 45:
        return _("about half a minute")
    minutes = max(round(seconds / 60), 1)
    return _("about {time}").format(time=time_written(60 * (minutes if minutes < 10 else 5 * round(minutes / 5))))


def time_written(seconds: float) -> str:
    """Write a time in whole seconds, or in minutes where it is long."""
    if seconds < 60 or 60 < seconds < 90:
        count = max(round(seconds), 1)
        return ngettext("{count} second", "{count} seconds", count).format(count=count)
    count = round(seconds / 60)
    return ngettext("{count} minute", "{count} minutes", count).format(count=count)
