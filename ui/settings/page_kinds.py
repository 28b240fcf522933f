"""Kinds of settings for single rows of the table: schemes, tokenizers, lessons, a lecture's room."""

import re
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from embedlib.extrapolation import EXPERIMENTS
from embedlib.positional import SCHEMES, Parameter
from ui.cache.models import is_model_source
from ui.i18n import _, separator
from ui.settings.formulas import OWN_ENTRIES
from ui.settings.kinds import (
    GREATEST,
    Choice,
    Flag,
    Model,
    Names,
    Numbers,
    OptionalChoice,
    OptionalWhole,
    Real,
    Setting,
    Weights,
    Whole,
    is_packed,
    unpack_from_link,
)

COLUMN = "column:"  # before the name of a column of a table's file
_LONGEST_COLUMN = 200  # characters
MOST_MODELS = 6  # of the tokenizers side by side
ROOM_LETTERS = "ABCDEFGHJKLMNPQRSTUVWXYZ23456789"  # none of them is read as another
ROOM_CODE = re.compile(f"[{ROOM_LETTERS}]{{6}}")
_LESSONS = Path(__file__).parent.parent / "lessons" / "data"


def _scheme_setting(parameter: Parameter) -> Setting:
    """Return the kind of setting for a declared parameter of a scheme."""
    if isinstance(parameter.default, bool):
        return Flag(parameter.default)
    if parameter.choices is not None:
        return Choice(parameter.default, parameter.choices)
    least = 0 if parameter.minimum is None else parameter.minimum
    most = GREATEST if parameter.maximum is None else min(parameter.maximum, GREATEST)
    if isinstance(parameter.default, tuple):
        return Numbers(parameter.default, float(least), float(most))
    if isinstance(parameter.default, int):
        return Whole(parameter.default, int(least), int(most))
    return Real(parameter.default, float(least), float(most))


SCHEME_SETTINGS: dict[str, Setting] = {
    f"{name}.{parameter.name}": _scheme_setting(parameter)
    for name, scheme in SCHEMES.items()
    for parameter in scheme.PARAMETERS
}
# Trained weights come before random ones, which say nothing about a scheme.
SCHEME_SETTINGS |= {
    f"{name}.weights": Choice("trained", ("trained", "random")) for name, scheme in SCHEMES.items() if scheme.WEIGHTS
}
SCHEME_SETTINGS["learned.weights"] = Weights("trained", ("minilm", "trained", "random"))


def entry_parameters(entry: str) -> dict[str, Any]:
    """Parse the parameters of an entry of a comparison: "rope:base=500000;pairing=halves".

    Raises:
        ValueError, KeyError: there is no such scheme or parameter, or it cannot have this value.
    """
    if entry in OWN_ENTRIES:
        return {}
    name, _colon, listed = entry.partition(":")
    if name not in SCHEMES or entry.endswith(":"):
        raise KeyError(name)
    pairs = [pair.partition("=") for pair in listed.split(";")] if listed else []
    return {parameter: SCHEME_SETTINGS[f"{name}.{parameter}"].parse(raw) for parameter, _equals, raw in pairs}


def is_entry(entry: str) -> bool:
    """Return whether this is a scheme, optionally with parameters of its own."""
    try:
        entry_parameters(entry)
    except (ValueError, KeyError):
        return False
    return True


@dataclass(frozen=True)
class Entries(Names):
    """Two or more schemes, some with parameters of their own."""

    def _valid_entries(self, raw: str) -> list[str]:
        return [entry for entry in dict.fromkeys(raw[:10_000].split(",")) if is_entry(entry)]


@dataclass(frozen=True)
class Entry(OptionalChoice):
    """A scheme, optionally with parameters of its own, or None."""

    def parse(self, raw: str) -> str:
        """Parse "rope" or "rope:base=500000"."""
        if not is_entry(raw):
            raise ValueError(raw[:20])
        return raw


@dataclass(frozen=True)
class SomeNames(Names):
    """One or more distinct names of options or of models."""

    def parse(self, raw: str) -> list[str]:
        """Parse "gpt2,bytes"."""
        names = raw.split(",")
        if self._valid_entries(raw) != names:
            raise ValueError(raw[:20])
        return names

    def repair(self, raw: str) -> list[str]:
        """Keep the valid names."""
        return self._valid_entries(raw) or list(self.default)

    def rule(self) -> str:
        """List the names."""
        choices = separator(", ").join([*self.options, "owner/name", "./folder"])
        return _("some of {choices}, with commas").format(choices=choices)

    def _valid_entries(self, raw: str) -> list[str]:
        names = dict.fromkeys(raw[:1_000].split(","))
        models = [name for name in names if is_model_name(name)][:MOST_MODELS]
        return [name for name in names if name in self.options or name in models]


@dataclass(frozen=True)
class TokenizerName(Choice):
    """The name of an option or of a model."""

    def parse(self, raw: str) -> str:
        """Parse "gpt2" or "owner/name"."""
        if raw not in self.options and not is_model_name(raw):
            raise ValueError(raw[:20])
        return raw


def is_model_name(name: str) -> bool:
    """Return whether a tokenizer's name can be a model's."""
    try:
        return is_model_source(Model(None).parse(name)) and not {",", ":"} & set(name)
    except ValueError:
        return False


@dataclass(frozen=True)
class Steps(OptionalWhole):
    """The number of training steps; None for the experiment's own."""

    def describe(self, value: Any) -> str:
        """Describe None as the number of steps of each experiment."""
        if value is not None:
            return super().describe(value)
        each = (f"{_(whole.title)} {whole.shapes['small'].n_steps}" for whole in EXPERIMENTS.values())
        return _("the experiment’s own ({every})").format(every=separator(", ").join(each))


@dataclass(frozen=True)
class Colouring(OptionalChoice):
    """The colouring of points: one of a few names, nothing, or "column:" and a column of the table's file."""

    def parse(self, raw: str) -> Any:
        """Return the option with this text; whether the table has the column is known where it is read."""
        return raw if raw.startswith(COLUMN) and len(raw) <= _LONGEST_COLUMN else super().parse(raw)


@dataclass(frozen=True)
class RoomCode(Setting):
    """The code of a lecture's room, or None."""

    def parse(self, raw: str) -> str | None:
        """Parse "ABC234"."""
        if raw and not ROOM_CODE.fullmatch(raw):
            raise ValueError(raw[:20])
        return raw or None

    def rule(self) -> str:
        """Return what is allowed, as the end of a sentence."""
        return _("a lecture’s code: six letters and digits")


@cache
def shipped_names() -> tuple[str, ...]:
    """Return the names of the lessons that ship with the app, the tour first."""
    files = _LESSONS.glob("*.yaml")
    names = {file.stem for file in files} - {"example"}  # with which the editor opens
    return tuple(sorted(names, key=lambda name: (name != "tour", name)))


@dataclass(frozen=True)
class LessonReference(Setting):
    """The name of a shipped lesson, or a whole compressed lesson; None for none."""

    def parse(self, raw: str) -> str | None:
        """Parse "tour", or a compressed lesson."""
        if is_packed(raw):
            unpack_from_link(raw)
        elif raw and raw not in shipped_names():
            raise ValueError(raw[:20])
        return raw or None

    def rule(self) -> str:
        """List the shipped lessons."""
        choices = separator(", ").join(shipped_names())
        return _("one of {choices}, or a whole lesson (copied again)").format(choices=choices)
