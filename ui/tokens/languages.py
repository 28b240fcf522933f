"""The same sentence in five languages, and how many tokens each takes."""

from collections.abc import Mapping, Sequence
from functools import partial

import streamlit as st

from embedlib.figures import bars_figure
from embedlib.i18n import N_
from embedlib.tokenizers import (
    LANGUAGES,
    REFERENCE_LANGUAGE,
    SENTENCES,
    LanguageCount,
    all_sentences,
    tokens_by_language,
)
from ui.cache.bounded import memo
from ui.export import chart, lines_csv, shown_table
from ui.i18n import _, between, language, named, ngettext, number, sentences
from ui.markdown import as_code
from ui.settings import ALL_SENTENCES as ALL
from ui.settings import controls, state
from ui.shared.page import current_theme, late_block
from ui.shared.text.prepared import prepare
from ui.tokens.cache import TokenizerSpec, tokenizer_of
from ui.tokens.names import title_of
from ui.tokens.request import Request

LONGEST = 400  # characters of the reader's own sentence, so that it fits into a link


@late_block("tokens-languages", N_("Tokens per language"), height=834, phone=1117)
def tokens_per_language(request: Request) -> None:
    """Draw a bar for each language, and a table of all tokenizers."""
    st.write(_("More tokens cost time, money and context length."))
    left, right = st.columns(2)
    with left:
        _sentence_control()
    with right:
        own = _own_sentence()
    names = chosen_sentences()
    counted = {spec: counts_by_language(spec, names) for spec in request.specs}
    own_count = _own_tokens(request.closely, own) if own else None
    _bars(request, counted[request.closely], own_count)
    owns = {spec.name: _own_tokens(spec, own) for spec in request.specs} if own else {}
    _table({spec.name: counts for spec, counts in counted.items()}, owns)
    with st.expander(_("Sentences")):
        for one in LANGUAGES.values():
            texts = " / ".join(as_code(SENTENCES[name][one.code]) for name in names)
            st.markdown(named(f"**{_(one.title)}**", texts))


@memo()
def counts_by_language(spec: TokenizerSpec, names: tuple[str, ...]) -> list[LanguageCount]:
    """Count the tokens of sentences in each language."""
    # What makes its vocabulary from a text has to have one that holds them all.
    fitting = TokenizerSpec(spec.name, all_sentences()) if spec.name in ("characters", "words") else spec
    tokenizer = tokenizer_of(fitting)
    return tokens_by_language(tokenizer, names, unknown_id=getattr(tokenizer, "unknown_id", None))


def _sentence_control() -> None:
    controls.control(
        "same_sentence",
        st.selectbox,
        state.options("same_sentence"),
        titles=lambda name: _("All together") if name == ALL else _own(SENTENCES[name]),
    )


def _own(sentence: dict[str, str]) -> str:
    return sentence.get(language(), sentence[REFERENCE_LANGUAGE])


def chosen_sentences() -> tuple[str, ...]:
    """Name the sentences whose tokens are counted."""
    return tuple(SENTENCES) if state.get("same_sentence") == ALL else (state.get("same_sentence"),)


def _own_sentence() -> str:
    controls.control("own_sentence", max_chars=LONGEST, live=True)
    return prepare(state.get("own_sentence"), limit=LONGEST).text


def _own_tokens(spec: TokenizerSpec, text: str) -> tuple[int, int]:
    """Count the tokens of the reader's own sentence, and the unknown ones among them."""
    try:
        tokenizer = tokenizer_of(TokenizerSpec(spec.name, text) if spec.name in ("characters", "words") else spec)
    except ValueError:  # no word in it
        return 0, 0
    ids, unknown_id = tokenizer.encode(text), getattr(tokenizer, "unknown_id", None)
    return len(ids), 0 if unknown_id is None else ids.count(unknown_id)


def _bars(request: Request, counted: Sequence[LanguageCount], own: tuple[int, int] | None) -> None:
    chosen = chosen_sentences()
    english = counted[0].tokens
    values = [float(one.tokens) for one in counted]
    names = [_compared(_named(one.language), one.tokens, one.unknown, english) for one in counted]
    said = [_said(one.tokens, one.unknown) for one in counted]
    if own is not None:
        values, said = [*values, float(own[0])], [*said, _said(*own)]
        names = [*names, _compared(_("Your sentence"), *own, english)]
    draw = partial(
        bars_figure,
        values,
        names=names,
        value_texts=said,
        x_title=_("tokens by {name}").format(name=title_of(request.closely.name)),
        theme=current_theme(),
        hover_text=_("{name}\n{value}"),
        tickformat=",d",
        hatched=[index for index, words in enumerate(said) if words.endswith("?")],
    )
    alt = between(". ").join(map(named, names, said))
    chart(
        "languages",
        draw,
        alt=alt,
        table=lambda: languages_csv({spec.name: counts_by_language(spec, chosen) for spec in request.specs}),
        name="tokens-by-language",
        title=_("Tokens per language"),
        source=title_of(request.closely.name),
    )


def _named(language: str) -> str:
    title, own = _(LANGUAGES[language].title), LANGUAGES[language].own_name
    return title if title == own else f"{title} · {own}\u200e"  # what follows Arabic stays to its right


def _compared(name: str, tokens: int, unknown: int, english: int) -> str:
    """Add to a name how its tokens compare with those of English, where that says anything."""
    if unknown:
        return _("{name}, {count:,} unknown").format(name=name, count=unknown)
    if not english or tokens == english:
        return name
    return _("{name}, {ratio:.2f} × English").format(name=name, ratio=tokens / english)


def _said(tokens: int, unknown: int) -> str:
    return ngettext("{count:,} token", "{count:,} tokens", tokens).format(count=tokens) + (" ?" if unknown else "")


def _table(counted: dict[str, list[LanguageCount]], owns: dict[str, tuple[int, int]]) -> None:
    rows: dict[str, list[str]] = {_("Tokenizer"): [title_of(name) for name in counted]}
    for index, one in enumerate(LANGUAGES.values()):
        rows[_(one.title)] = [_cell(counts[index]) for counts in counted.values()]
    if owns:
        rows[_("Your sentence")] = [
            _count_text(
                *owns[name], owns[name][0] / counts[0].tokens if counts[0].tokens and not counts[0].unknown else None
            )
            for name, counts in counted.items()
        ]
    shown_table("languages", rows, alt=_("Tokens per language"))
    unknown = [one.unknown for counts in counted.values() for one in counts] + [lost for _all, lost in owns.values()]
    st.caption(
        sentences(
            _("Tokens and ratio to English. Bytes per letter: English 1, Arabic 2, Hindi and Chinese 3."),
            _("“?”: some tokens are unknown.") if any(unknown) else "",
        )
    )


def _cell(one: LanguageCount) -> str:
    return _count_text(one.tokens, one.unknown, None if one.language == REFERENCE_LANGUAGE else one.ratio)


def _count_text(tokens: int, unknown: int, ratio: float | None) -> str:
    if unknown:
        return number(tokens, ",") + " ?"
    return number(tokens, ",") + ("" if ratio is None else f" · {number(ratio, '.2f')}×")


def languages_csv(counted: Mapping[str, Sequence[LanguageCount]]) -> str:
    """Write one line per tokenizer and language: tokens, unknown ones among them, characters, bytes, ratio."""
    lines = (
        [name, one.language, one.tokens, one.unknown, one.characters, one.bytes, one.ratio]
        for name, languages in counted.items()
        for one in languages
    )
    return lines_csv(["tokenizer", "language", "tokens", "unknown", "characters", "bytes", "ratio_to_english"], lines)
