"""Names and colours of schemes and of RoPE scalings where they stand side by side."""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from contextlib import suppress
from typing import TypeVar

from embedlib.i18n import N_
from embedlib.measures import injection_point
from embedlib.positional import (
    N_TRAINED,
    SCHEMES,
    FirePositions,
    FormulaPositions,
    ParameterValue,
    PositionalScheme,
)
from ui import cache
from ui.cache.schemes import SchemeKey
from ui.i18n import _, number, separator
from ui.settings import OwnScheme, state

__all__ = [
    "GROUPS",
    "GROUP_COLOURS",
    "MINILM_ENTRY",
    "PAST_TRAINING",
    "SCALING_COLOURS",
    "SCALING_TITLES",
    "SIMILARITY_LEAD",
    "available_schemes",
    "changed_parameters",
    "file_name",
    "fire_note",
    "first_met",
    "frozen_labels",
    "group_index",
    "group_titles",
    "has_model_rows",
    "injection_point",
    "is_untrained",
    "model_label",
    "past_training_sentence",
    "read_parameters",
    "scheme_key",
    "scheme_label",
    "scheme_or_class",
    "scheme_title",
    "seen_in_training",
    "weights_sentence",
]

GROUPS = ("embedding", "query_key", "score", "content", None)  # where schemes act, in the order of group_titles
GROUP_COLOURS = (0, 1, 2, 3, 5)  # of SERIES
PAST_TRAINING = {
    "undefined": N_("there is no trained row for the new positions"),
    "continues": N_("larger penalties only: far tokens count ever less"),
    "rescales": N_("nothing new: distances are measured relative to the query’s position"),
    "saturates": N_("far distances share the value of the farthest known one"),
    "unseen values": N_("new positions can get rows that training never showed"),
    "unseen angles": N_("slow hands (waves) reach angles that training never showed"),
}
SIMILARITY_LEAD = N_(
    "How alike are two positions to a scheme, if we leave the tokens out? Rows that are added are compared by their "
    "dot product. To compare rotations, take one vector, rotate a copy of it by the angles of each of the two "
    "positions, and take the dot product of the two copies. A change of the score is drawn as the factor by which it "
    "makes an attention weight larger or smaller. If each diagonal stripe of a square has one colour, only the "
    "distance between positions counts."
)
SCALING_TITLES = {
    "none": N_("RoPE unchanged"),
    "linear": N_("linear"),
    "ntk": N_("NTK"),
    "dynamic_ntk": N_("dynamic NTK"),
    "yarn": N_("YaRN"),
    "llama3": N_("Llama 3"),
    "longrope": N_("LongRoPE"),
    "proportional": N_("proportional"),
}
SCALING_COLOURS = {"none": 1, "linear": 0, "ntk": 2, "dynamic_ntk": 5, "yarn": 3, "llama3": 4}


MINILM_ENTRY = "learned:weights=minilm"
_MODEL = "learned:weights="
_TAKEN = ("distance", "file", "meta")  # by files, for columns and arrays of their own
Described = PositionalScheme | type[PositionalScheme]
_Entry = TypeVar("_Entry", str, str | None)


def scheme_title(entry: str) -> str:
    """Return the title of a scheme, with its own parameters in brackets."""
    scheme, _colon, own = entry.partition(":")
    if scheme == FormulaPositions.name:
        typed = state.own_scheme(entry)
        if typed is None:
            return f"{_(FormulaPositions.title)} ({own})"
        return _unique_name(typed, state.get("formulas"), {*map(scheme_title, SCHEMES), *map(scheme_label, SCHEMES)})
    return scheme_label(entry) if own else _(SCHEMES[scheme].title)


def frozen_labels(entries: Iterable[_Entry], name: Callable[[_Entry], str]) -> Callable[[_Entry], str]:
    """Return a label function of these entries' present labels, for widgets that call it outside of the run."""
    names = {entry: name(entry) for entry in entries}
    return lambda entry: names.get(entry, str(entry))


def scheme_label(entry: str) -> str:
    """Return a scheme's short name: the part in brackets of its title, if any."""
    scheme, _colon, own = entry.partition(":")
    if has_model_rows(entry):
        return _("{model}’s, learned").format(model=model_label(entry.removeprefix(_MODEL)))
    if scheme == FormulaPositions.name:
        return scheme_title(entry)
    if own:
        return f"{scheme_label(scheme)} ({separator(', ').join(map(_format_setting, own.split(';')))})"
    title = scheme_title(scheme)
    return title[title.index("(") + 1 : title.rindex(")")] if "(" in title and ")" in title else title


def file_name(entry: str, own: Sequence[OwnScheme] | None = None) -> str:
    """Return a scheme's name in files and programs: its entry, or the unique name of a user-written scheme.

    Args:
        entry: as in the setting `schemes`.
        own: the user-written schemes; None for those of the session.
    """
    own = state.get("formulas") if own is None else own
    typed = next((one for one in own if one.entry == entry), None)
    if typed is None:
        return entry
    return _unique_name(typed, own, {*SCHEMES, *_TAKEN})


def _unique_name(typed: OwnScheme, own: Sequence[OwnScheme], taken: Collection[str]) -> str:
    """Return the name of a user-written scheme, with its number if something else has the same name."""
    is_free = [one.name for one in own].count(typed.name) == 1 and typed.name not in taken
    return typed.name if is_free else f"{typed.name} ({typed.slot})"  # brackets are in no name


def scheme_or_class(entry: str, parameters: tuple[tuple[str, ParameterValue], ...] | None = None) -> Described:
    """Return the class of a scheme, or a built user-written scheme, for its metadata such as `acts_on`.

    Args:
        entry: a key of SCHEMES, optionally with parameters of its own, or a user-written scheme.
        parameters: of the user-written scheme; None for those of the session.

    Returns:
        The class; for a user-written scheme, whose formulas decide where it acts, an instance if one can be built.
    """
    scheme = entry.partition(":")[0]
    if scheme != FormulaPositions.name:
        return SCHEMES[scheme]
    sizes = [(64, 1), (64, 4)]
    if parameters is None:
        parameters = tuple(state.scheme_parameters(entry).items())
        sizes.insert(0, (state.get("d_model"), state.get("heads")))
    for d_model, n_heads in sizes:
        with suppress(ValueError):
            return cache.cached_scheme(scheme, d_model, n_heads, parameters)
    return FormulaPositions


def available_schemes(also: Collection[str] = ()) -> list[str]:
    """List the schemes to choose from: the library's, the user-written ones, then those in `also`."""
    entries = [*SCHEMES, *(one.entry for one in state.get("formulas"))]
    return [*entries, *(entry for entry in also if entry not in entries)]


def scheme_key(entry: str, d_model: int, n_heads: int) -> SchemeKey:
    """Return the cache key of a scheme as it is set, in these sizes."""
    scheme, _colon, own = entry.partition(":")
    title = scheme_title(entry) if scheme == FormulaPositions.name else ""
    return SchemeKey(scheme, d_model, n_heads, tuple(state.scheme_parameters(entry).items()), own, title)


def has_model_rows(entry: str) -> bool:
    """Return whether an entry uses the position rows of a trained model."""
    return entry.startswith(_MODEL) and entry.removeprefix(_MODEL) not in ("trained", "random")


def model_label(source: str) -> str:
    """Return the last part of a model's name; `Weights` admits no markdown."""
    return "MiniLM" if source == "minilm" else source.rpartition("/")[2]


def _format_setting(written: str) -> str:
    """Format "base=500000" as "base 500,000"."""
    name, _equals, value = written.partition("=")
    if " " in value:
        return _("{name}: {count:,} numbers").format(name=name, count=len(value.split()))
    with suppress(ValueError):
        value = number(float(value), ",.9g")
    return f"{name} {value}"


def is_untrained(scheme: PositionalScheme) -> bool:
    """Return whether a scheme has random weights in place of trained ones."""
    has_weights = "seed" in scheme.parameter_values and any(True for _parameter in scheme.parameters())
    return has_weights and scheme.parameter_values.get("weights", "random") == "random"


def weights_sentence(scheme: PositionalScheme, n_positions: int) -> str:
    """Return what a scheme's weights were trained on, and from which position on they are not; "" for random."""
    weights = str(scheme.parameter_values.get("weights", "random"))
    if weights not in ("random", "trained"):
        return _("The position rows are those of {name}.").format(name=model_label(weights))
    if weights == "random":
        return ""
    sentence = _(
        "Its numbers are those of a small model that we have trained on English text, {count} characters at a time."
    ).format(count=N_TRAINED)
    if "embedding" in scheme.acts_on and n_positions > N_TRAINED:
        sentence += separator(" ") + _("The rows from position {count} on are random, not trained.").format(
            count=N_TRAINED
        )
    return sentence


def scheme_source(scheme: PositionalScheme, n_positions: int) -> str:
    """Return a few words on the origin of a scheme's numbers, for files."""
    if is_untrained(scheme):
        return _("random, seed {seed}").format(seed=scheme.parameter_values["seed"])
    return weights_sentence(scheme, n_positions).rstrip(".。") or _("formula")


def changed_parameters(scheme: PositionalScheme) -> dict[str, ParameterValue]:
    """Return the parameters that a scheme uses and that differ from the library's defaults."""
    defaults = {parameter.name: parameter.default for parameter in scheme.PARAMETERS}
    return {name: value for name, value in read_parameters(scheme).items() if value != defaults[name]}


def read_parameters(scheme: PositionalScheme) -> dict[str, ParameterValue]:
    """Return the parameters that a scheme uses."""
    values = scheme.parameter_values
    read = {parameter.name: values[parameter.name] for parameter in scheme.PARAMETERS if parameter.is_read(values)}
    return {name: value for name, value in read.items() if value != ""}  # lines that one's own scheme has not


def group_index(entry: str) -> int:
    """Return the index, in GROUPS and GROUP_COLOURS, of where a scheme acts."""
    return GROUPS.index(injection_point(scheme_or_class(entry)))


def group_titles() -> Mapping[str | None, str]:
    """Return what a scheme does in each group, in the order of the colours."""
    return {
        "embedding": _("adds rows"),
        "query_key": _("rotates queries and keys"),
        "score": _("changes the scores"),
        "content": _("changes the scores by content"),
        None: _("does nothing"),
    }


def past_training_sentence(scheme: Described) -> str:
    """Return what a text longer than in training brings that is new to a scheme."""
    return _(PAST_TRAINING[scheme.past_training]) if scheme.acts_on else _("nothing new: no position enters the scores")


def seen_in_training(scheme: str, trained: int) -> str:
    """Return the name of the angles that a scheme meets in training: RoPE's are those of distances."""
    seen = (
        _("seen in training, distances 0 to {last}")
        if scheme == "rope"
        else _("seen in training, positions 0 to {last}")
    )
    return seen.format(last=trained - 1)


def first_met(scheme: str, trained: int, tested: int) -> str:
    """Return the name of the angles that a scheme meets in a longer text for the first time."""
    met = (
        _("first met at distances {first} to {last}")
        if scheme == "rope"
        else _("first met at positions {first} to {last}")
    )
    return met.format(first=trained, last=tested - 1)


def missing_position_sentence(position: int, n_positions: int) -> str:
    """Return the notice that a position from a link does not exist."""
    return _("No position {position}: marking {last}.").format(position=position, last=n_positions - 1)


def fire_note(scheme: FirePositions, n_positions: int) -> str:
    """Return the note that FIRE depends on more than the distance, and whether the shown positions reveal it.

    Args:
        scheme: with its threshold L; the bias of query i and key j depends on i once i > L.
        n_positions: how many positions are drawn and measured.
    """
    sentence = _(
        "FIRE does not depend on the distance alone: for queries past position {threshold:g} the same distance "
        "counts less."
    )
    if n_positions - 1 <= scheme.threshold:
        sentence += separator(" ") + _("Set its threshold below {last} to see it here.")
    return sentence.format(threshold=scheme.threshold, last=n_positions - 1)
