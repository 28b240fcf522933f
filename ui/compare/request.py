"""The request of the comparison page: its controls, its checks, and the program that prints its numbers."""

from dataclasses import dataclass
from functools import partial
from typing import Any

import streamlit as st

from embedlib.extrapolation import decoder_length, known_share
from embedlib.i18n import N_
from embedlib.positional import SCHEMES
from embedlib.programs import compare_program
from ui import cache
from ui.cache import Request
from ui.cache.minilm import has_minilm
from ui.cache.schemes import SchemeKey
from ui.export import show_program
from ui.i18n import _, join_sentences, separator
from ui.settings import OWN_ENTRIES, controls, state
from ui.shared import rules
from ui.shared.model_rows import positions_ready
from ui.shared.model_scheme import ModelScheme, apply_model_scheme, model_scheme_control
from ui.shared.origin import Origin, join_sources
from ui.shared.own_scheme import are_valid, has_edited_scheme, own_editor, show_scheme_problem, write_your_own
from ui.shared.page import section
from ui.shared.rows import row_source, rows_control
from ui.shared.scheme_controls import has_heads, parameter_controls, weights_control
from ui.shared.schemes import (
    MINILM_ENTRY,
    available_schemes,
    changed_parameters,
    file_name,
    frozen_labels,
    has_model_rows,
    scheme_key,
    scheme_label,
    scheme_source,
    scheme_title,
)
from ui.shared.text.tokens import tokens_or_notice

_SHIFT = 16  # positions later, where a measure begins once more
ENGLISH = "The king and queen fed the dog and cat"  # for texts in other scripts, which the trained decoders cannot read
MOST_POSITIONS = 256  # fifteen matrices of more cells than that are too much to send


@dataclass(frozen=True)
class Comparison:
    """Everything that decides the numbers of the page.

    Attributes:
        keys: the schemes that can be had in these sizes.
        request: the text, as token rows without positions; None where there is none.
        n_tokens: how many tokens the text has, at most MOST_POSITIONS.
        n_positions: how many positions are drawn, and the trained length.
        position: the one that is marked everywhere.
        head: which head is drawn; -1 for the mean of all.
        front: index of the highlighted scheme; None for none.
    """

    keys: tuple[SchemeKey, ...]
    request: Request | None
    n_tokens: int
    n_positions: int
    position: int
    head: int
    front: int | None

    @property
    def front_entry(self) -> str | None:
        """Entry of the highlighted scheme; None for none."""
        return None if self.front is None else self.keys[self.front].entry

    @property
    def tokens(self) -> list[str]:
        """The labels of the tokens."""
        return [] if self.request is None else [chip.label for chip in cache.request_chips(self.request)]


def settings_sidebar() -> None:
    """Draw the controls that all schemes share, and the parameters of one of them."""
    with st.sidebar:
        controls.tokenizer_control()
        rows_control(by_hand=False)
        state.put(positions=min(state.get("positions"), MOST_POSITIONS))
        controls.control(
            "positions",
            st.number_input,
            2,
            MOST_POSITIONS,
            help=_("How many positions are drawn. The page takes this as the length of the texts in training, too."),
        )
        with st.expander(_("More")):
            controls.d_model_control()
            controls.heads_control()
            controls.seed_control()
            chosen, front = state.get("schemes"), state.get("front")
            controls.control(
                "front",
                st.selectbox,
                [None, *chosen],
                titles=frozen_labels([None, *chosen], _title_or_none),
                value=front if front in chosen else None,
            )
            _parameters(chosen)
            model_scheme_control(_settings_with_scheme)


def _title_or_none(scheme: str | None) -> str:
    return scheme_title(scheme) if scheme else _("none")


def _parameters(schemes: list[str]) -> None:
    """Set the parameters of one of the schemes, which are the same on every page."""
    with_some = [name for name in schemes if name in SCHEMES and SCHEMES[name].PARAMETERS]
    if with_some:
        wanted = state.get("parameters_of")
        chosen = wanted if wanted in with_some else with_some[0]
        controls.control("parameters_of", st.selectbox, with_some, titles=scheme_title, value=chosen)
        sizes = {"d_model": state.get("d_model"), "n_heads": _common_heads()}
        weights_control(chosen, **sizes)
        parameter_controls(chosen, **sizes)
        entry = state.format_entry(chosen)
        st.button(
            _("Compare these too"),
            key="add_entry",
            disabled=entry in schemes,
            on_click=_add_default_variant,
            args=(entry, chosen),
        )


def _settings_with_scheme(scheme: ModelScheme) -> dict[str, Any]:
    """Return the settings that add a model's scheme to the others; its own rows need their width."""
    own = scheme.sizes if scheme.name == "learned" else {}
    return {"schemes": list(dict.fromkeys([*state.get("schemes"), scheme.entry])), **own}


def _add_default_variant(entry: str, scheme: str) -> None:
    """Add a scheme with its current parameters beside the one with its defaults."""
    defaults = {name: rule.default for name, rule in state.SETTINGS.items() if name.startswith(f"{scheme}.")}
    state.put(schemes=[*state.get("schemes"), entry], **defaults)


def scheme_controls(*, narrow: bool) -> None:
    """Draw the choice of schemes, folded up on a phone."""
    apply_model_scheme()
    entries = [*available_schemes(), *([MINILM_ENTRY] if has_minilm() else [])]
    entries += [entry for entry in state.get("schemes") if entry not in entries]
    with st.expander(_("Schemes")) if narrow else st.container(horizontal=True, vertical_alignment="top"):
        controls.control(
            "schemes",
            st.pills,
            entries,
            selection_mode="multi",
            titles=frozen_labels(entries, scheme_label),
            collapsed=True,
            width="stretch",
            on_change=_on_schemes_changed,
        )
        write_your_own(lambda entry: {"schemes": [*state.get("schemes"), entry]})
    if any(entry in OWN_ENTRIES for entry in state.get("schemes")):
        with st.expander(_("Your schemes"), expanded=has_edited_scheme() or not are_valid(state.get("schemes"))):
            own_editor(state.get("schemes"), wide=not narrow)


def checked_keys() -> list[SchemeKey]:
    """Return the chosen schemes that exist in these sizes; show in one sentence each why the others do not.

    All have the same number of heads. Where it does not divide d_model, the schemes that do nothing in attention are
    left, with one head each.
    """
    names, d_model, heads = state.get("schemes"), state.get("d_model"), state.get("heads")
    common_heads = _common_heads()
    if state.get("front") not in (None, *names):
        sentence = _("{scheme} is not among the schemes compared: add it first.")
        st.warning(sentence.format(scheme=scheme_title(state.get("front"))))
    if len(names) < 2:
        st.info(_("Choose at least two schemes."))
    keys: list[SchemeKey] = []
    problems: dict[str, list[str]] = {}  # one notice for a problem of several schemes
    for name in names:
        source = name.removeprefix("learned:weights=")
        if has_model_rows(name) and not positions_ready(source, key=f"rows-{name}"):
            continue
        n_heads = heads if has_heads(name) else common_heads
        n_positions = _longest_text() if name in OWN_ENTRIES else state.get("positions")
        problem = rules.broken_scheme_rule(name, d_model=d_model, n_heads=n_heads, n_positions=n_positions)
        if problem:
            problems.setdefault(problem, []).append(name)
        else:
            keys.append(scheme_key(name, d_model, common_heads))
    for problem, without in problems.items():
        left_out = "" if heads == common_heads else _left_out_sentence(without, some_stay=bool(keys))
        show_scheme_problem(join_sentences(problem, left_out), without[0])
    return keys


def _longest_text() -> int:
    """Return an upper bound of the positions that the page reads: a token takes at least a byte."""
    in_text = min(MOST_POSITIONS, len(state.get("text").encode("utf-8", "replace")) + 2)
    return int(max(state.get("positions"), in_text)) + _SHIFT


def _common_heads() -> int:
    d_model, heads = state.get("d_model"), state.get("heads")
    return 1 if d_model % heads else int(heads)


def _left_out_sentence(names: list[str], *, some_stay: bool) -> str:
    """Return a sentence that names the schemes left out for their number of heads, and what the others use instead."""
    left_out = _("Left out for this: {schemes}.").format(
        schemes=separator(", ").join(scheme_title(name) for name in names)
    )
    return join_sentences(left_out, _("The others are shown with one head.") if some_stay else "")


def checked_text(text: str) -> Request | None:
    """Return the text as a request for token rows, or show in one sentence why there is none."""
    tokenizer = state.get("tokenizer")
    tokenize = partial(cache.tokenize_text, text, tokenizer)
    if tokens_or_notice(tokenize, tokenizer=tokenizer, limit=MOST_POSITIONS) is None:
        return None
    return Request(
        text=text,
        tokenizer=tokenizer,
        table=row_source(by_hand=False),
        d_model=state.get("d_model"),
        seed=state.get("seed"),
        scale=False,
        scheme="none",
        parameters=(),
        max_tokens=MOST_POSITIONS,
    )


def comparison(keys: list[SchemeKey], request: Request | None, *, position: int, head: int) -> Comparison:
    """Return the comparison that the figures show."""
    names = [key.entry for key in keys]
    front = state.get("front")
    return Comparison(
        keys=tuple(keys),
        request=request,
        n_tokens=0 if request is None else len(cache.request_chips(request)),
        n_positions=state.get("positions"),
        position=position,
        head=head,
        front=names.index(front) if front in names else None,
    )


def characters_read(text: str) -> str:
    """Return the characters that the trained decoders read: the text's first, or an English sentence instead."""
    read = text[: decoder_length()]
    return read if known_share(read) >= 0.5 else ENGLISH


def scheme_sources(compared: Comparison) -> str:
    """Return the sources of the schemes' numbers, for saved files."""
    rows = "" if compared.request is None else Origin(compared.request.table, compared.request.seed).in_files
    schemes = [(scheme_title(key.entry), scheme_source(key.scheme(), compared.n_positions)) for key in compared.keys]
    return join_sources(rows, schemes)


def tokens_over_positions(compared: Comparison) -> str:
    """Return a phrase on how the text's tokens fill the positions."""
    tokens, positions = compared.n_tokens, compared.n_positions
    if tokens >= positions:
        return _("the first {positions} tokens of it").format(positions=positions)
    return _("its {tokens} tokens repeated to fill {positions} positions").format(tokens=tokens, positions=positions)


def _on_schemes_changed() -> None:
    if state.get("front") not in state.get("schemes"):
        state.put(front=None)


@section("compare-code", N_("Code"))
def show_code(compared: Comparison, request: Request) -> None:
    """Show the program that prints the page's numbers."""
    show_program(program(compared, request), "compare", program(compared, request, as_widget=True))


def program(compared: Comparison, request: Request, *, as_widget: bool = False) -> str:
    """Write the program that prints each scheme's similarity by distance, its trained heads and its measures.

    With `as_widget` write the lines that show the similarities as matrices.
    """
    return compare_program(
        request.text,
        tokenizer=request.tokenizer,
        table=request.table,
        d_model=request.d_model,
        n_heads=compared.keys[0].n_heads,
        seed=request.seed,
        n_positions=compared.n_positions,
        read=characters_read(request.text),
        unit=state.get("unit"),
        schemes={file_name(key.entry): changed_parameters(key.scheme()) for key in compared.keys},
        formulas=[file_name(key.entry) for key in compared.keys if key.entry in OWN_ENTRIES],
        max_tokens=request.max_tokens,
        as_widget=as_widget,
    )
