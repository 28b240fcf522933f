"""The file format of lessons: YAML, checked against schema.json, with errors by line."""

import json
import math
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from embedlib.examples import in_language
from ui.i18n import _, language, separator
from ui.lessons.parts import PARTS
from ui.lessons.quantities import QUANTITIES
from ui.settings import state

if TYPE_CHECKING:  # 40 ms of every start, and most visits read no lesson
    import yaml
    from jsonschema import Draft202012Validator
    from jsonschema.exceptions import ValidationError

FOLDER = Path(__file__).parent / "data"
MOST_CHARACTERS = 200_000
_DEEPEST = 12
_MOST_PROBLEMS = 10
_PLAYERS = {"": "vector-sum", "tokens": "merge-player", "embedding_layer": "one-hot-product"}  # keys, by page
_LAST_STEPS = {"": 4}  # of players that have the same steps for every text

Path_ = tuple[str | int, ...]  # of keys and indices, from the root of a file


@dataclass(frozen=True)
class LessonQuestion:
    """The question of a stop.

    Attributes:
        ask: the question.
        choices: possible answers; none where a number is typed.
        answer: one of them, a number, or "=" and the name of a quantity, worked out from the page's numbers.
        digits: decimals to which a number is compared.
        why: shown with the correct answer.
        hint: shown with a wrong answer; "" for a general sentence.
    """

    ask: str
    choices: tuple[str, ...]
    answer: str | float
    digits: int
    why: str
    hint: str


@dataclass(frozen=True)
class Stop:
    """One stop of a lesson.

    Attributes:
        page: its address, "" for the first.
        title: of the slide.
        say: a few sentences.
        attempt: one task; "" for none.
        settings: of the page, as in a link, including a step of its player.
        light: key of the highlighted part of the page; "" for none.
        control: key of the part with which the task is done, which is in view with the highlighted part; "" for none.
        question: None for none.
        notes: for the speaker.
    """

    page: str
    title: str
    say: str
    attempt: str
    settings: Mapping[str, str]
    light: str
    control: str
    question: LessonQuestion | None
    notes: str


@dataclass(frozen=True)
class Lesson:
    """A parsed lesson; all its text is plain text."""

    title: str
    summary: str
    level: str  # for whom it is; "" if unknown
    minutes: int  # 0 if unknown
    language: str
    stops: tuple[Stop, ...]


@dataclass(frozen=True)
class Problem:
    """An error in a lesson's file: a translated sentence and its line, from 1."""

    line: int
    sentence: str


class LessonError(ValueError):
    """The file is not a valid lesson."""

    def __init__(self, problems: list[Problem]) -> None:
        """Store the first problems, in order of their lines."""
        self.problems = tuple(sorted(problems, key=lambda problem: problem.line))[:_MOST_PROBLEMS]
        super().__init__("; ".join(f"line {problem.line}: {problem.sentence}" for problem in self.problems))


def read_lesson(source: str) -> Lesson:
    """Parse a lesson from YAML.

    Args:
        source: the file's text.

    Raises:
        LessonError: it is too long, not YAML, has aliases or is nested too deep, breaks schema.json, or names an
            unknown page, part, setting, value or quantity; with up to ten problems.
    """
    if len(source) > MOST_CHARACTERS:
        raise _one_problem(1, _("A lesson has at most {most:,} characters.").format(most=MOST_CHARACTERS))
    content, lines = _content(source)
    errors = list(_validator().iter_errors(content))
    problems = [Problem(_line(lines, _error_path(error)), _sentence(error)) for error in errors]
    broken = {tuple(error.absolute_path)[:2] for error in errors}  # which cannot be checked further
    if not broken & {(), ("stops",)}:
        problems += _find_problems(content["stops"], lines, but=broken)
    if problems:
        raise LessonError(problems)
    return Lesson(
        title=content["title"],
        summary=content.get("summary", ""),
        level=content.get("level", ""),
        minutes=content.get("minutes", 0),
        language=content.get("language", "en"),
        stops=tuple(_stop(stop) for stop in content["stops"]),
    )


def shipped_lesson(name: str) -> Lesson:
    """Return a shipped lesson, in this run's language if translated."""
    return _read_shipped(name, language())


@cache
def _read_shipped(name: str, language: str) -> Lesson:
    return read_lesson(shipped_source(name, language))


@cache
def shipped_source(name: str, language: str = "en") -> str:
    """Return the file of a shipped lesson, in a language if translated, else in English.

    A translated file has texts only: everything else is in the English file.
    """
    source = (FOLDER / f"{name}.yaml").read_text(encoding="utf-8")
    translated = FOLDER / language / f"{name}.yaml"
    if not translated.exists():
        return source
    import yaml

    lesson, words = yaml.safe_load(source), yaml.safe_load(translated.read_text(encoding="utf-8"))
    pairs = zip(lesson["stops"], words["stops"], strict=True)
    lesson |= words | {"stops": [_translate_stop(stop, said, language) for stop, said in pairs]}
    text: str = yaml.safe_dump(lesson, allow_unicode=True, sort_keys=False, width=MOST_CHARACTERS)
    return text.replace("\n- page", "\n\n- page").replace(":\n\n", ":\n")


def _translate_stop(stop: Mapping[str, Any], words: Mapping[str, Any], language: str) -> dict[str, Any]:
    """Return a stop with the texts, examples and answer of another language."""
    said = {**stop, **words}
    if "settings" in stop:
        said["settings"] = {
            name: in_language(value, language) if isinstance(value, str) else value
            for name, value in stop["settings"].items()
        }
    if "question" in stop:
        asked, choices = stop["question"], stop["question"].get("choices", ())
        said["question"] = asked | words["question"]
        if asked["answer"] in choices:
            said["question"]["answer"] = words["question"]["choices"][choices.index(asked["answer"])]
    return said


def format_setting(value: Any) -> str:
    """Format a setting's value for a link."""
    if isinstance(value, bool):
        return "1" if value else "0"
    if isinstance(value, list):
        return ",".join(map(str, value))
    return "" if value is None else str(value)


@cache
def _validator() -> "Draft202012Validator":
    from jsonschema import Draft202012Validator

    schema = json.loads((Path(__file__).parent / "schema.json").read_text(encoding="utf-8"))
    return Draft202012Validator(schema)


def _one_problem(line: int, sentence: str) -> LessonError:
    return LessonError([Problem(line, sentence)])


def _content(source: str) -> tuple[Any, dict[Path_, int]]:
    """Return the parsed YAML, and the line of each value."""
    import yaml

    try:
        depth = 0
        for event in yaml.parse(source, yaml.SafeLoader):
            depth += isinstance(event, yaml.CollectionStartEvent) - isinstance(event, yaml.CollectionEndEvent)
            if isinstance(event, yaml.AliasEvent):
                raise _one_problem(event.start_mark.line + 1, _("Aliases (*name) are not allowed."))
            if depth > _DEEPEST:
                raise _one_problem(event.start_mark.line + 1, _("This is nested too deep."))
        loader = yaml.SafeLoader(source)
        node = loader.get_single_node()
        lines: dict[Path_, int] = {}
        return (None if node is None else _value(loader, node, (), lines)), lines
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        raise _one_problem(
            mark.line + 1 if mark else 1,
            _("This is no YAML: check indents and colons; quote text with , ? : or #."),
        ) from error
    except (yaml.YAMLError, ValueError, OverflowError) as error:
        if isinstance(error, LessonError):
            raise
        raise _one_problem(1, _("This is no YAML: check indents and colons; quote text with , ? : or #.")) from error


def _value(loader: "yaml.SafeLoader", node: "yaml.Node", path: Path_, lines: dict[Path_, int]) -> Any:
    import yaml

    lines[path] = node.start_mark.line + 1
    if isinstance(node, yaml.SequenceNode):
        return [_value(loader, part, (*path, index), lines) for index, part in enumerate(node.value)]
    if not isinstance(node, yaml.MappingNode):
        value = loader.construct_object(node)
        return value if isinstance(value, str | int | float | None) else str(node.value)  # a date is its text
    values: dict[str, Any] = {}
    for key_node, value_node in node.value:
        key = str(key_node.value)
        if key in values:
            raise _one_problem(key_node.start_mark.line + 1, _("“{key}” is there twice.").format(key=key[:40]))
        values[key] = _value(loader, value_node, (*path, key), lines)
        lines[*path, key] = key_node.start_mark.line + 1
    return values


def _line(lines: Mapping[Path_, int], path: Path_) -> int:
    """Return the line of a value, or of the closest parent with one."""
    return next((lines[path[:end]] for end in range(len(path), -1, -1) if path[:end] in lines), 1)


def _error_path(error: "ValidationError") -> Path_:
    """Return the path of an error: an unknown key, or the value that breaks a rule."""
    return (*error.absolute_path, *_extra(error)[:1])


def _extra(error: "ValidationError") -> list[str]:
    """Return the unknown keys of an error."""
    if error.validator != "additionalProperties":
        return []
    return [name for name in error.instance if name not in error.schema["properties"]]


def _sentence(error: "ValidationError") -> str:
    """Describe a schema error."""
    rule, allowed = str(error.validator), error.validator_value
    key = next((str(part) for part in reversed(error.absolute_path) if isinstance(part, str)), _("the lesson"))[:40]
    if rule == "required":
        missing = next(name for name in allowed if error.message.startswith(repr(name)))  # one error for each
        return _("“{name}” is missing.").format(name=missing)
    if rule == "additionalProperties":
        known = separator(", ").join(error.schema["properties"])
        return _("“{name}” is unknown: use {known}.").format(name=_extra(error)[0][:40], known=known)
    if rule == "type":
        kinds = [allowed] if isinstance(allowed, str) else allowed
        return _("“{name}” must be {rule}.").format(name=key, rule=separator(", ").join(kinds))
    if rule in ("maxLength", "maxItems", "maxProperties"):
        return _("“{key}”: at most {most}.").format(key=key, most=allowed)
    if rule in ("minLength", "minItems"):
        return _("“{key}”: at least {least}.").format(key=key, least=allowed)
    if rule == "const":
        return _("Set “{key}” to {version}.").format(key=key, version=allowed)
    return _("“{key}” breaks {rule}.").format(key=key, rule=f"{rule} {allowed}")


def _find_problems(
    stops: list[dict[str, Any]], lines: Mapping[Path_, int], *, but: Collection[Path_]
) -> Iterator[Problem]:
    """Find unknown pages, parts, settings, values and quantities in the stops that fit the schema."""
    for index, stop in enumerate(stops):
        at: Path_ = ("stops", index)
        if at in but:
            continue
        if stop["page"] not in state.PAGES:
            known = separator(", ").join(page or '""' for page in state.PAGES)
            sentence = _("No page “{page}”; pages: {known}.").format(page=stop["page"][:40], known=known)
            yield Problem(_line(lines, (*at, "page")), sentence)
        else:
            for key in ("light", "control"):
                if (wrong := _wrong_part(stop["page"], stop.get(key))) is not None:
                    yield Problem(_line(lines, (*at, key)), wrong)
        for name, value in stop.get("settings", {}).items():
            if (wrong := _wrong_setting(name, format_setting(value))) is not None:
                yield Problem(_line(lines, (*at, "settings", name)), wrong)
        if "step" in stop and stop["page"] not in _PLAYERS:
            known = separator(", ").join(page or '""' for page in _PLAYERS)
            yield Problem(_line(lines, (*at, "step")), _("Pages with steps: {known}.").format(known=known))
        elif stop.get("step", 0) > (most := _LAST_STEPS.get(stop["page"], math.inf)):
            yield Problem(_line(lines, (*at, "step")), _("“{key}”: at most {most}.").format(key="step", most=most))
        question = stop.get("question")
        if question is not None and (wrong := _wrong_answer(question)) is not None:
            yield Problem(_line(lines, (*at, "question", "answer")), wrong)


def _wrong_part(page: str, part: str | None) -> str | None:
    parts = PARTS.get(page, "").split()
    if part is None or part in parts or part in state.SETTINGS:
        return None
    near = separator(", ").join(get_close_matches(part, parts, 3, 0)) or _("nothing")
    return _("No part “{name}” here; nearest: {known}.").format(name=part, known=near)


def _wrong_setting(name: str, raw: str) -> str | None:
    setting = state.SETTINGS.get(name)
    if setting is None or name in ("lesson", "stop", "follow", "lang"):
        return _("No setting “{name}”.").format(name=name[:40])
    try:
        setting.parse(raw)
    except (ValueError, KeyError):
        return _("“{name}” must be {rule}.").format(name=name, rule=setting.rule())
    return None


def _wrong_answer(question: Mapping[str, Any]) -> str | None:
    answer, choices = question["answer"], question.get("choices")
    if isinstance(answer, str) and answer.startswith("="):
        if answer[1:] in QUANTITIES:
            return None
        known = separator(", ").join(QUANTITIES)
        return _("No quantity “{name}”; quantities: {known}.").format(name=answer[1:][:40], known=known)
    if choices is None:
        is_number = isinstance(answer, int | float) and math.isfinite(answer)
        return None if is_number else _("The answer: a number or one of “choices”.")
    return None if answer in choices else _("The answer: a number or one of “choices”.")


def _player_look(stop: Mapping[str, Any]) -> dict[str, str]:
    """Return the setting that moves the page's player to the stop's step, if it names one."""
    return {"look": f"1~{_PLAYERS[stop['page']]}.step!{stop['step']}"} if "step" in stop else {}


def _stop(stop: Mapping[str, Any]) -> Stop:
    asked = stop.get("question")
    return Stop(
        page=stop["page"],
        title=stop["title"],
        say=stop["say"],
        attempt=stop.get("try", ""),
        settings=_player_look(stop) | {name: format_setting(value) for name, value in stop.get("settings", {}).items()},
        light=stop.get("light", ""),
        control=stop.get("control", ""),
        question=None
        if asked is None
        else LessonQuestion(
            ask=asked["ask"],
            choices=tuple(asked.get("choices", ())),
            answer=asked["answer"],
            digits=asked.get("digits", 0),
            why=asked.get("why", ""),
            hint=asked.get("hint", ""),
        ),
        notes=stop.get("notes", ""),
    )
