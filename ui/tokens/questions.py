"""Questions of the tokens page about what it shows, and the program that prints it."""

from collections.abc import Sequence

import numpy as np

from embedlib.i18n import N_
from embedlib.programs import tokens_program
from embedlib.tokenizers import (
    LANGUAGES,
    REFERENCE_LANGUAGE,
    SENTENCES,
    CharacterView,
    LanguageCount,
    byte_view,
    token_label,
)
from ui.export import show_program
from ui.i18n import _, ngettext, separator
from ui.markdown import as_code
from ui.settings import ALL_SENTENCES as ALL
from ui.settings import state
from ui.shared.page import section
from ui.shared.questions import Question, questions
from ui.tokens.cache import TokenizerSpec, align_tokens, count_tokens, tokenize
from ui.tokens.languages import chosen_sentences, counts_by_language
from ui.tokens.merges import Merging, merging_in_view, span_in_view, spec_that_merges, text_spans
from ui.tokens.names import character_label, tokenizer_title
from ui.tokens.request import Request
from ui.tokens.rows import compared_names

_QUESTIONS = 3
_CHOICES = 4


def show_questions(request: Request, chosen: int | None) -> None:
    """Show questions on merges, bytes, tokens and languages."""
    languages = counts_by_language(request.closely, chosen_sentences())
    candidates = [
        _first_merge_question(merging_in_view(request, chosen)),
        _bytes_question(request),
        _costliest_language_question(request, languages),
        _difference_question(request),
    ]
    possible = [question for question in candidates if question is not None]
    if possible:  # of one letter and one tokenizer there is nothing to ask
        questions(possible[:_QUESTIONS], key="tokens-questions")


def _first_merge_question(merging: Merging | None) -> Question | None:
    """Ask which pair is merged first, where there is a choice."""
    if merging is None or merging.steps[0].merge_index is None:
        return None
    first = merging.steps[0]
    ranks: dict[str, int] = {}
    for index, rank in enumerate(first.ranks):
        if rank is not None:
            ranks.setdefault(_pair(first.parts[index], first.parts[index + 1]), rank)
    right = _pair(first.parts[first.merge_index or 0], first.parts[(first.merge_index or 0) + 1])
    if len(ranks) < 2:
        return None
    # The right one and those that come closest to it, in the order in which they stand in the piece.
    offered = sorted(ranks, key=lambda pair: ranks[pair])[:_CHOICES]
    piece = as_code(token_label(merging.piece))
    return Question(
        name="tokens-first-merge",
        prompt=_("Which pair of {piece} does {name} merge first?").format(
            name=tokenizer_title(merging.spec.name), piece=piece
        ),
        answer=right,
        choices={pair: as_code(pair) for pair in ranks if pair in offered},
        hint=_("Go to step 2 of the merges above and look for the lowest rank."),
        explanation=_(
            "{pair} has the lowest rank in {piece}, {rank:,}, so it is merged first; the next lowest is "
            "{other} with {next:,}."
        ).format(
            pair=as_code(right), rank=ranks[right], piece=piece, other=as_code(offered[1]), next=ranks[offered[1]]
        ),
    )


def _pair(left: bytes, right: bytes) -> str:
    return f"{token_label(left)} + {token_label(right)}"


def _bytes_question(request: Request) -> Question | None:
    """Ask for the bytes of the character that has most; None where each has one."""
    column = int(np.diff(align_tokens(request.specs, request.text, request.specials).starts).argmax())
    tokens = tokenize(request.closely, request.text, request.specials)
    (view,) = byte_view(request.text, tokens, first=column, stop=column + 1)
    if len(view.bytes) == 1:
        return None
    name, character = tokenizer_title(request.closely.name), as_code(character_label(view.text))
    return Question(
        name="tokens-bytes",
        prompt=_("How many UTF-8 bytes has {character}?").format(character=character),
        answer=float(len(view.bytes)),
        hint=_("Look it up under “Characters and bytes”, and count the bytes of all its code points."),
        explanation=_("{sum}. In {name} they make {tokens}.").format(
            sum=_byte_sum(view), name=name, tokens=_tokens_sentence(view)
        ),
    )


def _byte_sum(view: CharacterView) -> str:
    lengths = [len(point.bytes) for point in view.code_points]
    if len(lengths) == 1:
        point = view.code_points[0]
        return _("It is one code point, {code}, of {count} bytes: {bytes}").format(
            code=point.code, count=lengths[0], bytes=" ".join(byte.hex for byte in point.bytes)
        )
    return _("Its {count} code points have {lengths} = {total} bytes").format(
        count=len(lengths), lengths=" + ".join(map(str, lengths)), total=sum(lengths)
    )


def _tokens_sentence(view: CharacterView) -> str:
    if not view.tokens:
        return _("no token")
    return ngettext("{count} token", "{count} tokens", len(view.tokens)).format(count=len(view.tokens))


def _difference_question(request: Request) -> Question | None:
    """Ask how many tokens one tokenizer makes more than another."""
    counted = {spec.name: count_tokens(spec, request.text, request.specials).tokens for spec in request.specs}
    most, least = max(counted, key=lambda name: counted[name]), min(counted, key=lambda name: counted[name])
    if counted[most] == counted[least] or not counted[least]:
        return None
    return Question(
        name="tokens-difference",
        prompt=_("How many more tokens are there with {most} than with {least}?").format(
            most=tokenizer_title(most), least=tokenizer_title(least)
        ),
        answer=float(counted[most] - counted[least]),
        hint=_("Subtract the two counts at the top of the page."),
        explanation=_(
            "{more:,} − {fewer:,} = {difference:,}: {ratio:.1f} times as many tokens. Attention compares each "
            "token with each other, so it has {square:.1f} times as many comparisons to make."
        ).format(
            more=counted[most],
            fewer=counted[least],
            difference=counted[most] - counted[least],
            ratio=counted[most] / counted[least],
            square=(counted[most] / counted[least]) ** 2,
        ),
    )


def _costliest_language_question(request: Request, languages: Sequence[LanguageCount]) -> Question | None:
    """Ask which language takes most tokens; None where several do, or with unknown tokens."""
    by_tokens = sorted(languages, key=lambda one: -one.tokens)
    if by_tokens[0].tokens == by_tokens[1].tokens or any(one.unknown for one in languages):
        return None
    dearest = by_tokens[0]
    if (
        dearest.language == REFERENCE_LANGUAGE
    ):  # words and characters: it says more about spaces and scripts than about cost
        return None
    english = next(one for one in languages if one.language == REFERENCE_LANGUAGE)
    title, name = _(LANGUAGES[dearest.language].title), tokenizer_title(request.closely.name)
    return Question(
        name="tokens-dearest",
        prompt=_("Which language takes the most {name} tokens?").format(name=name),
        answer=dearest.language,
        choices={code: _(language.title) for code, language in LANGUAGES.items()},
        hint=_("Look for the longest bar under “Tokens per language”."),
        explanation=_(
            "{language} takes {tokens:,} tokens for {bytes:,} bytes, {held:.1f} bytes a token; English takes "
            "{english:,} for {english_bytes:,}, {english_held:.1f} bytes a token."
        ).format(
            language=title,
            tokens=dearest.tokens,
            bytes=dearest.bytes,
            english=english.tokens,
            english_bytes=english.bytes,
            held=dearest.bytes / dearest.tokens,
            english_held=english.bytes / english.tokens,
        )
        + _training_text_note(request.closely, title),
    )


def _training_text_note(spec: TokenizerSpec, language: str) -> str:
    """Return a note on a learned vocabulary's training text; "" for others."""
    if not (spec.is_encoding or spec.is_trained_here or spec.is_from_model):
        return ""
    return separator(" ") + _("The text it was trained on had little {language}.").format(language=language)


@section("tokens-code", N_("Code"))
def show_code(request: Request, chosen: int | None) -> None:
    """Show the program that prints the page's numbers."""
    widget = f"from embedlib.widgets import token_rows\ntoken_rows(text, tokenizers, chosen={chosen})"
    show_program(program(request, chosen), "tokens", widget if request.text.strip() else "")


def program(request: Request, chosen: int | None) -> str:
    """Write the program that prints tokens, merges, bytes and languages."""
    sentence = state.get("same_sentence")
    return tokens_program(
        request.text,
        tokenizers=[spec.name for spec in request.specs],
        closely=request.closely.name,
        specials=request.specials,
        train_on=state.get("train_on"),
        pieces=state.get("pieces"),
        compared=compared_names(request),
        piece=_merged_piece(request, chosen) if request.text else None,
        character=chosen or 0,
        sentences=tuple(SENTENCES) if sentence == ALL else (sentence,),
    )


def _merged_piece(request: Request, chosen: int | None) -> int | None:
    """Return which piece the page merges; None where it is another tokenizer's, or special tokens lie between."""
    spec = spec_that_merges(request)
    spans = text_spans(spec, request.text, request.specials)
    if spec != request.closely or any(span.special for span in spans) or merging_in_view(request, chosen) is None:
        return None
    return span_in_view(request, spans, chosen)
