"""The editor of user-written schemes: name, formulas checked while typing, parameters, and export as Python."""

import math
from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial
from html import escape
from typing import Any

import streamlit as st

from embedlib.positional import STARTING_POINTS, FormulaError, FormulaPositions, formula_python
from embedlib.positional.formula import FUNCTIONS, LINES, NAMES, FormulaParameter, read_parameters
from ui import cache
from ui.components.live_text import live_text, reported_text
from ui.export import download
from ui.i18n import _, label_sentence, separator
from ui.settings import LONGEST_NAME, MOST, OwnScheme, clean_name, state
from ui.shared import rules
from ui.shared.schemes import frozen_labels, scheme_label
from ui.shared.text.text_area import area_revision

_VERDICT_PAGE = "positions"  # the page with the verdict
_AREAS, _OPENED = "formulas", "own-opened"
_LONGEST = {"parameters": 999}
_DECADES = 100  # ratio of a range's ends from which a slider is logarithmic


def write_your_own(chosen: Callable[[str], Mapping[str, Any]]) -> None:
    """Draw the button that adds a user-written scheme, up to the limit.

    Args:
        chosen: returns the page's settings that choose an entry.
    """
    if len(state.get("formulas")) < MOST:
        st.button(_("Write your own"), key="own-add", icon=":material/edit:", on_click=_add_scheme, args=(chosen,))


def has_edited_scheme() -> bool:
    """Return whether a scheme was written or changed in this session, rather than opened by a link."""
    return _OPENED in st.session_state


def are_valid(entries: list[str]) -> bool:
    """Return whether the formulas of the user-written schemes among these have no errors."""
    return all(_check_scheme(one)[0] is None for one in state.get("formulas") if one.entry in entries)


def own_editor(entries: list[str], *, wide: bool = False) -> None:
    """Draw the editor for the user-written schemes among these, one at a time.

    Args:
        entries: schemes, as in the setting `schemes`.
        wide: whether the editor has the width of the page.
    """
    typed = {one.entry: one for one in state.get("formulas") if one.entry in entries}
    if not typed:
        return
    with st.container(key="formulas"):  # by which a lesson lights it
        _editors(typed, wide)


def _editors(typed: Mapping[str, OwnScheme], wide: bool) -> None:
    opened = st.session_state.get(_OPENED)
    entry = str(opened) if opened in typed else next(iter(typed))
    if len(typed) > 1:
        st.session_state["own-chosen"] = entry
        chosen = st.segmented_control(
            _("Your schemes"),
            list(typed),
            key="own-chosen",
            format_func=frozen_labels(typed, scheme_label),
            required=True,
            label_visibility="collapsed" if wide else "visible",
            on_change=lambda: st.session_state.update({_OPENED: st.session_state["own-chosen"]}),
        )
        entry = chosen or entry
    _editor(typed[entry], wide)


def show_scheme_problem(problem: str, entry: str, *, instead: bool = False) -> None:
    """Show why a scheme is not drawn; frame.css hides it while the editor shows the same.

    Args:
        problem: the sentence.
        entry: the scheme.
        instead: whether nothing else is drawn, so that a hint points to the editor.
    """
    typed = state.own_scheme(entry) if entry.startswith(FormulaPositions.name) else None
    if typed is None:
        st.error(problem)
        return
    with st.container(key=f"own-left-out-{typed.slot}"):
        st.error(problem)
    if instead:
        with st.container(key=f"own-pointer-{typed.slot}"):
            st.info(_("Mend its formula."))


def _editor(one: OwnScheme, wide: bool) -> None:
    fault, scheme = _check_scheme(one)
    lines, others = st.columns([3, 2], gap="large") if wide else (st.container(), st.container())
    with lines:
        name, start = st.columns(2) if wide else (st.container(), st.container())
        st.session_state[f"own-name-{one.slot}"] = one.name
        name.text_input(
            _("Name"), key=f"own-name-{one.slot}", max_chars=LONGEST_NAME, on_change=_rename, args=(one.slot,)
        )
        st.session_state[f"own-start-{one.slot}"] = None
        start.selectbox(
            _("Starting point"),
            list(STARTING_POINTS),
            key=f"own-start-{one.slot}",
            format_func=_start_title,
            placeholder=_("A scheme as a formula"),
            on_change=_apply_start,
            args=(one.slot,),
        )
        shown = _formula_fields(one, fault)
    with others:
        _field(one, "parameters", one.parameters, _("Parameters"), fault)
        _sliders(one)
        if "turn" in shown:
            key = f"own-pairing-{one.slot}"
            st.session_state[key] = one.pairing
            st.segmented_control(
                "pairing", ["interleaved", "halves"], key=key, required=True, on_change=_set_pairing, args=(one.slot,)
            )
        if scheme is not None and not wide:
            st.latex(scheme.latex())
    if scheme is not None and wide:
        st.latex(scheme.latex())
    with st.container(horizontal=True, vertical_alignment="center"):
        _vocabulary_popover()
        if fault is None and state.page_in_view() != _VERDICT_PAGE:
            st.button(
                _("Verdict"),
                key=f"own-verdict-{one.slot}",
                icon=":material/arrow_forward:",
                on_click=_open_verdict,
                args=(one.entry,),
            )
        st.button(
            _("Remove"), key=f"own-remove-{one.slot}", icon=":material/delete:", on_click=_remove, args=(one.entry,)
        )
    if scheme is not None:
        _show_programs(one, scheme)


def _formula_fields(one: OwnScheme, fault: FormulaError | None) -> set[str]:
    """Draw the formulas that a scheme has or was asked to have, and a button for each of the others."""
    texts = dict(zip(LINES, one.lines, strict=True))
    titles = {
        "rows": _("rows: added in column i at position p"),
        "bias": _("bias: added to the logit of query q, key k"),
        "turn": _("turn: angle of pair i at position p"),
        "scale": _("scale: q·k is multiplied by it"),
    }
    shown: set[str] = st.session_state.setdefault(f"own-lines-{one.slot}", set())
    shown |= {line for line, text in texts.items() if text.strip()}
    for line in LINES:
        if line in shown:
            _field(one, line, texts[line], titles[line], fault)
    if others := [line for line in LINES if line not in shown]:
        with st.container(horizontal=True, gap="small"):
            for line in others:
                st.button(f"+ {line}", key=f"own-{one.slot}-{line}", on_click=shown.add, args=(line,))
    return shown


def _check_scheme(one: OwnScheme) -> tuple[FormulaError | None, FormulaPositions | None]:
    """Return the error of a scheme, and the scheme if it can be built."""
    d_model, heads = state.get("d_model"), state.get("heads")
    d_model, heads = (d_model, heads) if d_model % heads == 0 else (64, 4)
    given = tuple(one.arguments.items())
    fault = cache.formula_fault(FormulaPositions.name, d_model, heads, given, state.get("positions"))
    try:
        scheme = cache.cached_scheme(FormulaPositions.name, d_model, heads, given)
    except ValueError:
        return fault, None
    assert isinstance(scheme, FormulaPositions)
    return fault, scheme


def _field(one: OwnScheme, line: str, value: str, title: str, fault: FormulaError | None) -> None:
    """Draw one field, and under it its error, with the position underlined."""
    key, limit = f"own-{line}-{one.slot}", _LONGEST.get(line, 500)
    said = reported_text(key, revision=area_revision(_AREAS), limit=limit)
    if said is not None and said.text != value:  # changed by a link or a lesson
        state.renew_areas([_AREAS])
    live_text(
        value,
        revision=area_revision(_AREAS),
        limit=limit,
        labels={"label": title},
        key=key,
        on_change=lambda: _apply_fields(one.slot),
        lines=True,
    )
    if fault is None or fault.line != line:
        return
    before, part, after = value[: fault.start], value[fault.start : fault.stop], value[fault.stop :]
    with st.container(key=f"own-fault-{one.slot}"):
        if line != "parameters" or part:
            place = f"<u>{escape(part) or '&nbsp;&nbsp;'}</u>"
            st.html(f'<p class="formula-fault">{escape(before)}{place}{escape(after)}</p>')
        st.error(rules.formula_sentence(fault))


def _sliders(one: OwnScheme) -> None:
    """Draw a slider for each parameter that has a range, by powers of ten where it is wide."""
    try:
        parameters = read_parameters(one.parameters)
    except FormulaError:
        return
    for name, parameter in parameters.items():
        least, greatest, value = parameter.least, parameter.greatest, parameter.values[0]
        if least is None or greatest is None or not least < greatest:
            continue
        by_power = least > 0 and greatest >= _DECADES * least
        ends = [math.log10(number) if by_power else number for number in (least, greatest, value)]
        key = f"own-value-{one.slot}-{name}"
        st.session_state[key] = min(max(ends[2], ends[0]), ends[1])
        st.slider(
            f"`{name}` = {value:,.6g}",
            ends[0],
            ends[1],
            key=key,
            format="10^%.2f" if by_power else "%.4g",
            on_change=_set_parameter,
            args=(one.slot, parameter, key, by_power),
        )


def _vocabulary_popover() -> None:
    """Draw a popover that lists the names and functions of formulas."""
    with st.popover(_("Names and functions")):
        for line in LINES:
            st.markdown(label_sentence(f"**{line}**", " ".join(f"`{name}`" for name in NAMES[line])))
        st.markdown("`+ - * / // % ** < <= > >= == !=` " + " ".join(f"`{name}()`" for name in FUNCTIONS))
        st.markdown(
            _(
                "p, q, k: positions. i: column or pair. d: width. h of H: head. L: trained length. A "
                "parameter per line: `a = 1 (0..2)` has a slider, `a ~ 1` is learned, `a[h] ~ 1` per head; "
                "`t[h, 8] ~ 0` is a table, read `t[k % 8]`."
            )
        )


def _show_programs(one: OwnScheme, scheme: FormulaPositions) -> None:
    """Show both programs of a scheme, with downloads."""
    if not st.toggle(_("As Python"), key="own-python"):
        return
    code = formula_python(scheme, one.name)
    files = {
        code.name: (_("Scheme for embedlib"), code.scheme),
        f"{code.name}_logits": (_("torch only"), code.module),
    }
    for number, (file, (title, source)) in enumerate(files.items()):
        st.code(source, language="python", height=260)
        download(title, partial(str, source), f"{file}.py", kind="text/x-python", key=f"own-file-{number}-{one.slot}")


def _start_title(name: str) -> str:
    point = STARTING_POINTS[name]
    own = separator(", ").join(str(value) for value in point.arguments.values() if isinstance(value, str))
    return f"{scheme_label(point.scheme)} ({own})" if own else scheme_label(point.scheme)


# Callbacks ------------------------------------------------------------------------------------------------------------


def _open_verdict(entry: str) -> None:
    state.put(scheme=entry)
    state.open_at(_VERDICT_PAGE, "positions-verdict")


def _update_scheme(slot: int, **values: Any) -> None:
    st.session_state[_OPENED] = next(one.entry for one in state.get("formulas") if one.slot == slot)
    state.put(formulas=tuple(replace(one, **values) if one.slot == slot else one for one in state.get("formulas")))


def _scheme_from_start(slot: int, name: str, start: str) -> OwnScheme:
    given = STARTING_POINTS[start].lines
    lines = tuple(given.get(line, "") for line in LINES)
    return OwnScheme(slot, name, lines, given.get("pairing", "interleaved"), given.get("parameters", ""))


def _add_scheme(chosen: Callable[[str], Mapping[str, Any]]) -> None:
    typed: tuple[OwnScheme, ...] = state.get("formulas")
    slot = min(set(range(1, MOST + 1)) - {one.slot for one in typed})
    name = _("My scheme {number}").format(number=slot)
    one = _scheme_from_start(slot, clean_name(name), next(iter(STARTING_POINTS)))
    st.session_state.pop(f"own-lines-{slot}", None)
    st.session_state[_OPENED] = one.entry
    state.renew_areas([_AREAS])
    state.put(formulas=(*typed, one), **chosen(one.entry))


def _apply_start(slot: int) -> None:
    start = st.session_state[f"own-start-{slot}"]
    if start is not None:
        new = _scheme_from_start(slot, "", start)
        st.session_state.pop(f"own-lines-{slot}", None)
        state.renew_areas([_AREAS])
        _update_scheme(slot, lines=new.lines, pairing=new.pairing, parameters=new.parameters)


def _apply_fields(slot: int) -> None:
    """Store the typed contents of a scheme's fields."""
    one = next((one for one in state.get("formulas") if one.slot == slot), None)
    if one is None:
        return
    texts = dict(zip((*LINES, "parameters"), (*one.lines, one.parameters), strict=True))
    for line in texts:
        limit = _LONGEST.get(line, 500)
        said = reported_text(f"own-{line}-{slot}", revision=area_revision(_AREAS), limit=limit)
        texts[line] = texts[line] if said is None else said.text
    _update_scheme(slot, lines=tuple(texts[line] for line in LINES), parameters=texts["parameters"])


def _rename(slot: int) -> None:
    if name := clean_name(st.session_state[f"own-name-{slot}"]):
        _update_scheme(slot, name=name)


def _set_pairing(slot: int) -> None:
    _update_scheme(slot, pairing=st.session_state[f"own-pairing-{slot}"])


def _set_parameter(slot: int, parameter: FormulaParameter, key: str, by_power: bool) -> None:
    one = next(one for one in state.get("formulas") if one.slot == slot)
    value = 10 ** st.session_state[key] if by_power else st.session_state[key]
    assert parameter.least is not None
    assert parameter.greatest is not None
    value = min(max(float(f"{value:.6g}"), parameter.least), parameter.greatest)
    parameters = read_parameters(one.parameters) | {parameter.name: replace(parameter, values=(value,))}
    state.renew_areas([_AREAS])
    _update_scheme(slot, parameters="\n".join(map(str, parameters.values())))


def _remove(entry: str) -> None:
    """Remove a scheme, and choose another wherever it was chosen."""
    settings: dict[str, Any] = {"formulas": tuple(one for one in state.get("formulas") if one.entry != entry)}
    for name, setting in state.SETTINGS.items():
        value = state.get(name)
        if value == entry:
            settings[name] = setting.default
        elif isinstance(value, list) and entry in value:
            kept = [one for one in value if one != entry]
            settings[name] = kept if len(kept) > 1 else list(dict.fromkeys([*kept, *setting.default]))
    state.renew_areas([_AREAS])
    state.put(**settings)
