"""What is wrong in a link is told by the name that its control has on the page."""

import ast

import pytest

from embedlib.positional import SCHEMES
from tests.messages import ROOT, wording
from tests.ui.pages import open_page, sentences
from ui.settings import state


def labels() -> set[tuple[str, str]]:
    """Return the settings that controls are made for, each with its label, where the call says both."""
    trees = [ast.parse(file.read_text(encoding="utf-8")) for file in (ROOT / "ui").rglob("*.py")]
    calls = [node for tree in trees for node in ast.walk(tree) if isinstance(node, ast.Call)]
    return {(name, label) for call in calls if (label := label_of(call)) for name in settings_of(call)}


def label_of(call: ast.Call) -> str | None:
    for argument in call.args:
        match argument:
            case ast.Call(func=ast.Name(id="_"), args=[ast.Constant(value=str(label))]):
                return label
    return None


def settings_of(call: ast.Call) -> set[str]:
    """Return the settings that a call names: as its first argument, as its key, or to show what fits of them."""
    constants = [*call.args[:1], *(word.value for word in call.keywords if word.arg == "key")]
    for node in [inner for word in call.keywords for inner in ast.walk(word.value)]:
        match node:
            case ast.Call(func=ast.Name(id="fitting_value") | ast.Attribute(attr="fitting_value"), args=args):
                constants += args[:1]
    named = [constant.value for constant in constants if isinstance(constant, ast.Constant)]
    return {name for name in named if isinstance(name, str) and name in state.SETTINGS}


def test_each_setting_is_called_as_its_control_is() -> None:
    found = labels() - {("vectors", "Position vectors")}  # a figure's key
    assert len(found) > 70
    assert {(name, state.SETTINGS[name].label) for name, _label in found} == found


@pytest.mark.parametrize(("name", "title"), [("seed", "Seed"), ("rope.base", SCHEMES["rope"].title), ("row", ...)])
def test_a_wrong_value_is_named_by_its_control(name: str, title: object) -> None:
    said = wording("{title}: link has {name} =…", title=title, name=name, raw="`x`")
    assert [bool(said.fullmatch(sentence)) for sentence in sentences(open_page("positions", **{name: "x"}))] == [True]
