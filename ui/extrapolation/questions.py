"""Questions of the extrapolation page, answered by its current numbers."""

import math

from embedlib.extrapolation import GROWTH_LIMITS, Standing
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
    explanation = _("{best} is best with {mean}; {second} comes second with {other}.").format(
        best=line_name(best.line, experiment),
        mean=format_score(best.mean, results.measure),
        second=line_name(second.line, experiment),
        other=format_score(second.mean, results.measure),
    )
    return Question(
        name="extrapolation-best",
        prompt=_("Which scheme is best at length {length}, on average over its runs?").format(length=length),
        answer=best.line,
        choices={line: line_name(line, experiment) for line in results.lines if line in {one.line for one in order}},
        hint=_("Choose {length} at the head of the table: it sorts the schemes.").format(length=length),
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
        _("a result nearer to guessing than to its own at {trained}")
        if results.measure in SHARES and counted
        else _("less than half of its result at {trained}")
        if results.measure in SHARES
        else _("more than {grown:g} times its perplexity at {trained}")
    ).format(trained=trained, grown=GROWTH_LIMITS[1])
    return Question(
        name="extrapolation-breaks",
        prompt=_("What is the first tested length at which {name} has {rule}?").format(name=name, rule=rule),
        answer=float(one.at or 0),
        hint=_("Read its row in the table, from {trained} on.").format(trained=trained),
        explanation=_("It has {score} at {trained}. The first tested length at which it has {rule} is {at}.").format(
            trained=trained, score=format_score(one.trained, results.measure), rule=rule, at=one.at
        ),
    )


def _task_question(results: Results, order: list[Standing]) -> Question | None:
    """Ask for a number of the experiment itself."""
    length, trained = results.lengths[twice_index(results)], results.trained_length
    if results.experiment == "sort":
        return Question(
            name="extrapolation-positions",
            prompt=_("How many positions does a sequence have in which {length} numbers are sorted?").format(
                length=length
            ),
            answer=2 * length,
            hint=_("The model reads the numbers, a separator, and its answers but for the last one."),
            explanation=_("{length} numbers + 1 separator + {written} answers = {all} positions.").format(
                length=length, written=length - 1, all=2 * length
            ),
        )
    if results.experiment == "back":
        values = results.request.shape.n_values
        return Question(
            name="extrapolation-chance",
            prompt=_("Which percentage of right answers does blind guessing give, to two decimals?"),
            answer=100 / values,
            digits=2,
            hint=_("There are {values} different numbers, all equally likely.").format(values=values),
            explanation=f"1 / {values} = {number(1 / values, '.2%')}{separator('.')}",
        )
    if results.experiment == "scaling":
        return Question(
            name="extrapolation-factor",
            prompt=_("By which factor are the slowest hands slowed down at {length} characters?").format(length=length),
            answer=length / trained,
            digits=2,
            hint=_("In training a text had {trained} characters.").format(trained=trained),
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
        prompt=_(
            "At length {length}, {name} has a perplexity of {perplexity:.2f}. What is its loss, to two decimals?"
        ).format(length=length, name=name, perplexity=perplexity),
        answer=math.log(perplexity),
        digits=2,
        hint=_("The perplexity is e to the power of the loss."),
        explanation=_("The natural logarithm of {perplexity:.2f} is {loss:.2f}.").format(
            perplexity=perplexity, loss=math.log(perplexity)
        ),
    )
