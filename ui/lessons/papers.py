"""Exports of a lesson: a standalone article, and a notebook that prints the pages' numbers."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from html import escape
from urllib.parse import urlencode

import streamlit as st

from ui.export import GRID_STYLE, download, notebook
from ui.i18n import _, language, language_tag, separator, set_run_language
from ui.lessons.draw import DrawnPage, draw_page, lesson_file
from ui.lessons.lesson import Lesson, LessonQuestion, Stop
from ui.lessons.walk import format_answer
from ui.markdown import as_text
from ui.settings import state

_STYLE = """
body { background: #fff; color: #1a1a1a; font: 18px/1.55 Georgia, serif }
body { margin: 2rem auto; max-width: 60rem; padding: 0 1rem }
h1, h2, summary { font-family: system-ui, sans-serif; line-height: 1.25 }
h1 { font-size: 2.2rem }
h2 { border-top: 1px solid #ccc; margin-top: 2.5rem; padding-top: 1.5rem }
.lead { font-size: 1.2rem }
figure { margin: 1.5rem 0 }
figcaption { color: #555; font: .85rem/1.4 system-ui, sans-serif; overflow-wrap: anywhere }
details { background: #f3f6fa; border-left: 4px solid #0b5cad; margin: 1rem 0; padding: .6rem 1rem }
summary { font-weight: 600 }
a { color: #0b5cad }
@media print { figure { break-inside: avoid } h2 { break-after: avoid } }
"""


@dataclass(frozen=True)
class Papers:
    """The article and the notebook of a lesson; only in a process without a server, since it runs pages.

    Attributes:
        reference: of the lesson, as in a link.
        lesson: the parsed lesson.
        texts: the user's own, as in a link.
        home: the app's URL, without a trailing slash; "" if unknown.
        language: of the texts.
    """

    reference: str
    lesson: Lesson
    texts: Mapping[str, str]
    home: str = ""
    language: str = "en"

    def notebook(self) -> str:
        """Return the notebook: each stop's text, and its page's program unless the page just had the same."""
        set_run_language(self.language)
        lesson, attempt, summary, way = self.lesson, _("Try:"), escape(_("Answer")), _("Open this page")
        cells = [("markdown", "\n\n".join(filter(None, [f"# {_plain(lesson.title)}", _plain(lesson.summary)])))]
        programs: dict[str, str] = {}
        for index, stop in enumerate(lesson.stops):
            drawn = self._draw_page(index, stop)
            said = [f"## {index + 1}. {_plain(stop.title)}", _plain(stop.say)]
            if stop.attempt:
                said.append(f"**{attempt}** {_plain(stop.attempt)}")
            if stop.question is not None and drawn.answer is not None:
                answer = separator(". ").join(
                    map(_plain, (_answer_text(drawn.answer, stop.question), stop.question.why))
                )
                asked = f"**{_plain(_question_text(stop.question))}**"
                said.append(f"{asked}\n\n<details><summary>{summary}</summary>\n\n{answer}\n\n</details>")
            if self.home:
                said.append(f"[{way}](<{self._link(index, stop)}>)")
            cells.append(("markdown", "\n\n".join(said)))
            if drawn.program and programs.get(stop.page) != drawn.program:
                programs[stop.page] = drawn.program
                cells.append(("code", drawn.program))
        return notebook(cells)

    def article(self) -> str:
        """Return the article: each stop's text, its figure, and its question with the answer."""
        set_run_language(self.language)
        lesson, parts, has_figure = self.lesson, list[str](), False
        attempt, way = escape(_("Try:")), escape(_("Open this page"))
        for index, stop in enumerate(lesson.stops):
            drawn = self._draw_page(index, stop)
            parts.append(f"<section><h2>{index + 1}. {escape(stop.title)}</h2><p>{escape(stop.say)}</p>")
            if stop.attempt:
                parts.append(f"<p><strong>{attempt}</strong>{separator(' ')}{escape(stop.attempt)}</p>")
            if drawn.figure is not None:
                parts.append(drawn.figure.figure_html(plotly=not has_figure))
                has_figure = has_figure or "plotly-graph-div" in parts[-1]
            if stop.question is not None and drawn.answer is not None:
                answer = f"<strong>{escape(_answer_text(drawn.answer, stop.question))}{separator('.')}</strong>"
                answer += separator(" ") + escape(stop.question.why)
                parts.append(
                    f"<details><summary>{escape(_question_text(stop.question))}</summary><p>{answer}</p></details>"
                )
            if self.home:
                link = escape(self._link(index, stop))
                parts.append(f'<p><a href="{link}">{way}</a></p>')
            parts.append("</section>")
        return (
            f'<!doctype html>\n<html lang="{language_tag()}"><head><meta charset="utf-8">'
            '<meta name="viewport" content="width=device-width, initial-scale=1">'
            f"<title>{escape(lesson.title)}</title><style>{_STYLE}{GRID_STYLE}</style></head><body><h1>{escape(lesson.title)}</h1>"
            f'<p class="lead">{escape(lesson.summary)}</p>{"".join(parts)}</body></html>\n'
        )

    def _settings(self, index: int, stop: Stop) -> dict[str, str]:
        return {**self.texts, **stop.settings, "lesson": self.reference, "stop": str(index), "lang": self.language}

    def _draw_page(self, index: int, stop: Stop) -> DrawnPage:
        return draw_page(stop.page, self._settings(index, stop), light=stop.light)

    def _link(self, index: int, stop: Stop) -> str:
        return f"{self.home}/{stop.page}?{urlencode(self._settings(index, stop), errors='replace')}"


def _plain(text: str) -> str:
    """Escape text for markdown, without needless backslashes."""
    return re.sub(r"\\([,;:?'\"/%@])", r"\1", as_text(text))


def _question_text(question: LessonQuestion) -> str:
    """Return the question on one line, with its choices."""
    return question.ask + (f" ({separator(', ').join(question.choices)})" if question.choices else "")


def _answer_text(answer: float | str, question: LessonQuestion) -> str:
    return format_answer(answer, question.digits)


def offer_papers(name: str, reference: str) -> None:
    """Draw download buttons for a lesson's article and notebook.

    Args:
        name: of the files, without their endings; also keys the buttons.
        reference: of the lesson, as in a link.
    """
    usual = state.defaults("", {}, language())
    texts = {name: text for name in state.TEXTS if (text := state.get(name)) != usual[name]}
    linked = {name: state.SETTINGS[name].format(text) for name, text in texts.items()}
    home = (st.context.url or "").partition("?")[0].rpartition("/")[0]
    asked = reference, tuple(linked.items()), home, language()
    article, cells = partial(lesson_file, "article", *asked), partial(lesson_file, "notebook", *asked)
    download(_("Article (HTML)"), article, f"{name}.html", kind="text/html", key=f"{name}-article")
    download(_("Notebook"), cells, f"{name}.ipynb", kind="application/x-ipynb+json", key=f"{name}-notebook")
