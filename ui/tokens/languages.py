"""The same sentence in five languages, and how many tokens each takes."""

from collections.abc import Sequence

import streamlit as st

from embedlib.figures import bars_figure
from embedlib.i18n import N_
from embedlib.tokenizers import (
    LANGUAGES,
    REFERENCE_LANGUAGE,
    SENTENCES,
    LanguageCount,
    all_sentences,
    token_counts,
    tokens_by_language,
)
from ui.cache.bounded import memo
from ui.export import Drawing, Lines, figure_drawing, show, show_texts
from ui.i18n import _, join_sentences, label_sentence, language, ngettext, number, separator
from ui.markdown import as_code
from ui.settings import ALL_SENTENCES as ALL
from ui.settings import controls, state
from ui.shared.page import section
from ui.shared.text.prepared import prepare
from ui.tokens.cache import TokenizerSpec, load_tokenizer
from ui.tokens.names import tokenizer_title
from ui.tokens.request import Request

LONGEST = 400  # characters of the reader's own sentence, so that it fits into a link


@section(
    "tokens-languages",
    N_("Tokens per language"),
    lead=N_(
        "The same sentence takes more tokens in some languages than in others, often because the "
        "tokenizer saw little of them in training. More tokens cost more time and money, and fill the "
        "context length, the number of tokens that a model can read at once, sooner."
    ),
)
def tokens_per_language(request: Request) -> None:
    """Draw the tokens per language as bars for one tokenizer, and as a table of all."""
    left, right = st.columns(2)
    with left:
        _sentence_control()
    with right:
        own = _own_sentence()
    names = chosen_sentences()
    counted = {spec: counts_by_language(spec, names) for spec in request.specs}
    show(tokens_by_language_bars, request.closely, request.specs, names, own)
    owns = {spec.name: _own_tokens(spec, own) for spec in request.specs} if own else {}
    _table({spec.name: counts for spec, counts in counted.items()}, owns)
    with st.expander(_("Sentences")):
        for one in LANGUAGES.values():
            texts = " / ".join(as_code(SENTENCES[name][one.code]) for name in names)
            st.markdown(label_sentence(f"**{_(one.title)}**", texts))


@memo()
def counts_by_language(spec: TokenizerSpec, names: tuple[str, ...]) -> list[LanguageCount]:
    """Count the tokens of sentences in each language."""
    # What makes its vocabulary from a text has to have one that holds them all.
    fitting = TokenizerSpec(spec.name, all_sentences()) if spec.name in ("characters", "words") else spec
    tokenizer = load_tokenizer(fitting)
    return tokens_by_language(tokenizer, names, unknown_id=getattr(tokenizer, "unknown_id", None))


def _sentence_control() -> None:
    controls.control(
        "same_sentence",
        st.selectbox,
        state.options("same_sentence"),
        titles=lambda name: _("All together") if name == ALL else _sentence_in_language(SENTENCES[name]),
    )


def _sentence_in_language(sentence: dict[str, str]) -> str:
    return sentence.get(language(), sentence[REFERENCE_LANGUAGE])


def chosen_sentences() -> tuple[str, ...]:
    """Return the names of the sentences whose tokens are counted."""
    return tuple(SENTENCES) if state.get("same_sentence") == ALL else (state.get("same_sentence"),)


def _own_sentence() -> str:
    controls.control("own_sentence", max_chars=LONGEST, live=True)
    return prepare(state.get("own_sentence"), limit=LONGEST).text


def _own_tokens(spec: TokenizerSpec, text: str) -> tuple[int, int]:
    """Count the tokens of the reader's own sentence, and the unknown ones among them."""
    try:
        tokenizer = load_tokenizer(TokenizerSpec(spec.name, text) if spec.name in ("characters", "words") else spec)
    except ValueError:  # no word in it
        return 0, 0
    ids, unknown_id = tokenizer.encode(text), getattr(tokenizer, "unknown_id", None)
    return len(ids), 0 if unknown_id is None else ids.count(unknown_id)


def tokens_by_language_bars(
    closely: TokenizerSpec, specs: tuple[TokenizerSpec, ...], names: tuple[str, ...], own: str
) -> Drawing:
    """Draw how many tokens a tokenizer makes of sentences in each language; all tokenizers' counts are its numbers.

    Args:
        closely: whose tokens are drawn.
        specs: all tokenizers.
        names: of the sentences.
        own: a sentence of the reader's beside them; "" for none.
    """
    counts = counts_by_language(closely, names)
    english = counts[0].tokens
    bars = [(_language_title(one.language), one.tokens, one.unknown) for one in counts]
    bars += [(_("Your sentence"), *_own_tokens(closely, own))] if own else []
    titles = [_title_with_ratio(*bar, english) for bar in bars]
    texts = [_count_label(tokens, unknown) for _name, tokens, unknown in bars]
    return figure_drawing(
        "tokens-by-language",
        _("Tokens per language"),
        _count_lines(specs, names, own),
        bars_figure,
        [float(tokens) for _name, tokens, _unknown in bars],
        key="languages",
        alt=separator(". ").join(map(label_sentence, titles, texts)),
        source=tokenizer_title(closely.name),
        names=titles,
        value_texts=texts,
        x_title=_("number of tokens, cut by {name}").format(name=tokenizer_title(closely.name)),
        hover_text=_("{name}\n{value}"),
        tickformat=",d",
        hatched=[place for place, (_name, _tokens, unknown) in enumerate(bars) if unknown],
    )


def _count_lines(specs: Sequence[TokenizerSpec], names: tuple[str, ...], own: str) -> Lines:
    """Return one line per tokenizer and language: tokens, unknown ones among them, characters, bytes, ratio."""
    lines: list[list[object]] = []
    for spec in specs:
        counts = counts_by_language(spec, names)
        lines += [
            [spec.name, one.language, one.tokens, one.unknown, one.characters, one.bytes, one.ratio] for one in counts
        ]
        if own:
            tokens, unknown = _own_tokens(spec, own)
            ratio = tokens / counts[0].tokens if counts[0].tokens else None
            sizes = token_counts(own, [])
            lines.append([spec.name, "own", tokens, unknown, sizes.characters, sizes.bytes, ratio])
    return Lines(["tokenizer", "language", "tokens", "unknown", "characters", "bytes", "ratio_to_english"], lines)


def _language_title(language: str) -> str:
    title, own = _(LANGUAGES[language].title), LANGUAGES[language].own_name
    return title if title == own else f"{title} · {own}\u200e"  # what follows Arabic stays to its right


def _title_with_ratio(name: str, tokens: int, unknown: int, english: int) -> str:
    """Return a language's title with its tokens relative to English, or with its unknown ones."""
    if unknown:
        return _("{name}, {count:,} unknown").format(name=name, count=unknown)
    if not english or tokens == english:
        return name
    return _("{name}, {ratio:.2f} × English").format(name=name, ratio=tokens / english)


def _count_label(tokens: int, unknown: int) -> str:
    return ngettext("{count:,} token", "{count:,} tokens", tokens).format(count=tokens) + (" ?" if unknown else "")


def _table(counted: dict[str, list[LanguageCount]], owns: dict[str, tuple[int, int]]) -> None:
    rows: dict[str, list[str]] = {_("Tokenizer"): [tokenizer_title(name) for name in counted]}
    for index, one in enumerate(LANGUAGES.values()):
        rows[_(one.title)] = [_cell(counts[index]) for counts in counted.values()]
    if owns:
        rows[_("Your sentence")] = [
            _count_text(
                *owns[name], owns[name][0] / counts[0].tokens if counts[0].tokens and not counts[0].unknown else None
            )
            for name, counts in counted.items()
        ]
    show_texts("languages", rows, alt=_("Tokens per language"), stacks=True)
    unknown = [one.unknown for counts in counted.values() for one in counts] + [lost for _all, lost in owns.values()]
    st.caption(
        join_sentences(
            _(
                "Each cell has the number of tokens, and how many times the English number that is. In UTF-8 "
                "an English letter takes 1 byte, an Arabic one 2, a Hindi or Chinese one 3."
            ),
            _(
                "A “?” says that the tokenizer did not know some letters and lost them: a small number is "
                "then no success."
            )
            if any(unknown)
            else "",
        )
    )


def _cell(one: LanguageCount) -> str:
    return _count_text(one.tokens, one.unknown, None if one.language == REFERENCE_LANGUAGE else one.ratio)


def _count_text(tokens: int, unknown: int, ratio: float | None) -> str:
    if unknown:
        return number(tokens, ",") + " ?"
    return number(tokens, ",") + ("" if ratio is None else f" · {number(ratio, '.2f')}×")
