"""What is wrong in a link is told by the name that its control has on the page."""

import ast
import re

import pytest

from embedlib.positional import SCHEMES
from tests.messages import ROOT, wording
from tests.ui.pages import open_page, sentences
from ui.settings import state


def control_calls() -> dict[str, list[ast.Call]]:
    """Return the calls that draw controls, by the settings that they name."""
    texts = [file.read_text(encoding="utf-8") for file in (ROOT / "ui").rglob("*.py")]
    trees = [ast.parse(text) for text in texts if ".control(" in text]
    found: dict[str, list[ast.Call]] = {}
    for call in (node for tree in trees for node in ast.walk(tree)):
        match call:
            case ast.Call(func=ast.Attribute(attr="control"), args=[ast.Constant(value=str(name)), *_others]):
                found.setdefault(name, []).append(call)
    return found


def test_a_control_takes_its_label_from_its_setting_where_the_label_is_always_the_same() -> None:
    calls = control_calls()
    assert len(calls) > 50
    for name, drawn in calls.items():
        for call in drawn:
            said = [ast.unparse(word.value) for word in call.keywords if word.arg == "label"]
            assert bool(said) or state.SETTINGS[name].label, name
            assert not any(label.startswith("_('") and label.endswith("')") for label in said), name


@pytest.mark.parametrize(
    ("page", "name", "said"),
    [
        ("positions", "seed", wording("{title}: link has {name} =…", title="Seed", name="seed", raw="`x`")),
        ("positions", "rope.base", wording("{title}: link has {name} =…", title=SCHEMES["rope"].title, raw="`x`")),
        ("projection", "row", wording("{title}: link has {name} =…", name="row", raw="`x`")),
        ("projection", "table", wording("The link has {name} = {raw}, for which…", name="table", raw="`x`")),
    ],
)
def test_a_wrong_value_is_named_by_its_control_if_the_page_has_it(page: str, name: str, said: re.Pattern[str]) -> None:
    assert [bool(said.fullmatch(sentence)) for sentence in sentences(open_page(page, **{name: "x"}))] == [True]
