"""Questions of the extrapolation page, answered by its current numbers."""

import math

from embedlib.extrapolation import GROWN, Standing
from ui.extrapolation.lines import line_name
from ui.extrapolation.results import Results, chance_score, none_learned, ordered_lines, twice_index
from ui.i18n import _, number, separator
from ui.shared.questions import Question
from ui.shared.scores import SHARES, format_score


def page_questions(results: Results) -> list[Question]:
    """Make the questions from what the page shows; fewer where it shows too little yet."""
    order = [one for one in ordered_lines(results, twice_index(results)) if one.mean == one.mean]
    made = [_break_question(results), _task_question(results, order)]
    if len(order) > 1 and not none_learned(results) and order[0].mean != order[1].mean:
        made.insert(0, _best_line_question(results, order))
    return [question for question in made if question is not None]


def _best_line_question(results: Results, order: list[Standing]) -> Question:
    length, experiment = results.lengths[twice_index(results)], results.experiment
    best, second = order[0], order[1]
    explanation = _("{best}: {mean}; second {second}: {other}.").format(
        best=line_name(best.line, experiment),
        mean=format_score(best.mean, results.measure),
        second=line_name(second.line, experiment),
        other=format_score(second.mean, results.measure),
    )
    return Question(
        name="extrapolation-best",
        prompt=_("Which line is best at {length} on average?").format(length=length),
        answer=best.line,
        choices={line: line_name(line, experiment) for line in results.lines if line in {one.line for one in order}},
        hint=_("Sort the table by {length}.").format(length=length),
        explanation=explanation,
    )


def _break_question(results: Results) -> Question | None:
    """Ask where a line breaks, preferably one that does so later than at the first length past training."""
    broken = [one for one in results.readings if one.verdict == "breaks" and one.at is not None]
    if not broken or results.measure == "loss":
        return None
    one = max(broken, key=lambda one: one.at or 0)
    name, trained = line_name(one.line, results.experiment), results.trained_length
    counted = chance_score(results.experiment, results.measure, results.request.shape) is not None
    rule = (
        _("less than half its score at {trained}, counted from guessing")
        if results.measure in SHARES and counted
        else _("less than half its score at {trained}")
        if results.measure in SHARES
        else _("more than {grown:g} times its perplexity at {trained}")
    ).format(trained=trained, grown=GROWN[1])
    return Question(
        name="extrapolation-breaks",
        prompt=_("At which length does {name} first have {rule}?").format(name=name, rule=rule),
        answer=float(one.at or 0),
        hint=_("Read its row.").format(trained=trained),
        explanation=_("{score} at {trained}; from {at} on, {rule}.").format(
            trained=trained, score=format_score(one.trained, results.measure), rule=rule, at=one.at
        ),
    )


def _task_question(results: Results, order: list[Standing]) -> Question | None:
    """Ask for a number of the experiment itself."""
    length, trained = results.lengths[twice_index(results)], results.trained_length
    if results.experiment == "sort":
        return Question(
            name="extrapolation-positions",
            prompt=_("How many positions does sorting {length} values take?").format(length=length),
            answer=2 * length,
            hint=_("Values, separator, answers but the last."),
            explanation=_("{length} values + 1 separator + {written} answers = {all}.").format(
                length=length, written=length - 1, all=2 * length
            ),
        )
    if results.experiment == "back":
        values = results.request.shape.n_values
        return Question(
            name="extrapolation-chance",
            prompt=_("What percentage is right by guessing, to two decimals?"),
            answer=100 / values,
            digits=2,
            hint=_("{values} values are equally likely.").format(values=values),
            explanation=f"1 / {values} = {number(1 / values, '.2%')}{separator('.')}",
        )
    if results.experiment == "scaling":
        return Question(
            name="extrapolation-factor",
            prompt=_("What is the scaling factor at {length}?").format(length=length),
            answer=length / trained,
            digits=2,
            hint=_("Training had {trained} characters.").format(trained=trained),
            explanation=f"{length} / {trained} = {number(length / trained, 'g')}{separator('.')}",
        )
    return _loss_question(results, order)


def _loss_question(results: Results, order: list[Standing]) -> Question | None:
    """Ask for the loss behind a perplexity."""
    if not order or results.measure != "perplexity":
        return None
    best, length = order[0], results.lengths[twice_index(results)]
    name = line_name(best.line, results.experiment)
    perplexity = round(best.mean, 2)
    return Question(
        name="extrapolation-loss",
        prompt=_("At {length}, {name} has perplexity {perplexity:.2f}. What is its loss, to two decimals?").format(
            length=length, name=name, perplexity=perplexity
        ),
        answer=math.log(perplexity),
        digits=2,
        hint=_("Perplexity = e^loss."),
        explanation=_("ln {perplexity:.2f} = {loss:.2f}.").format(perplexity=perplexity, loss=math.log(perplexity)),
    )
