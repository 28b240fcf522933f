"""Published figures about lengths past the trained one, each with its source."""

from collections.abc import Mapping
from dataclasses import dataclass

from embedlib.i18n import N_


@dataclass(frozen=True, slots=True)
class Published:
    """One published comparison.

    Attributes:
        title: marked for translation, as are `setting` and `measure`.
        setting: model and training.
        measure: quantity of its numbers.
        higher_is_better: whether more is better.
        source: authors, year and place in the paper, as in a list of references.
        experiments: keys of EXPERIMENTS on whose page it is shown.
        values: keys of SCHEMES, or of SCALINGS, to one number for each length, or to one.
        trained_length: 0 where the numbers sum up many lengths.
        lengths: tested; empty where the numbers sum up many lengths.
    """

    name: str
    title: str
    setting: str
    measure: str
    higher_is_better: bool
    source: str
    url: str
    experiments: tuple[str, ...]
    values: Mapping[str, tuple[float, ...]]
    trained_length: int = 0
    lengths: tuple[int, ...] = ()


PUBLISHED: dict[str, Published] = {
    one.name: one
    for one in (
        Published(
            "alibi",
            N_("Language models on WikiText-103"),
            N_("A language model with 16 layers and 247 million parameters, trained on texts of 512 tokens."),
            N_("perplexity per word (lower is better)"),
            higher_is_better=False,
            source="Press, Smith and Lewis 2022, Table 2",
            url="https://arxiv.org/abs/2108.12409",
            experiments=("text",),
            values={
                "sinusoidal": (20.05, 43.54, 132.41),
                "rope": (20.07, 21.37, 31.58),
                "t5": (19.65, 18.79, 20.41),
                "alibi": (19.73, 18.73, 18.41),
            },
            trained_length=512,
            lengths=(512, 1012, 2512),
        ),
        Published(
            "kazemnejad",
            N_("Ten reasoning and copying tasks"),
            N_(
                "Models with 107 million parameters, trained up to length 20 and tested up to 40. In each task the "
                "best scheme gets 1 point, the second ½, the third ⅓ and so on; the bars show the mean over all tasks "
                "(the mean reciprocal rank). The paper calls sinusoids “absolute”."
            ),
            N_("mean of the points (1: always first)"),
            higher_is_better=True,
            source="Kazemnejad et al. 2023, Figure 1",
            url="https://arxiv.org/abs/2305.19466",
            experiments=("sort", "back"),
            values={"none": (0.69,), "t5": (0.55,), "alibi": (0.50,), "rope": (0.33,), "sinusoidal": (0.22,)},
        ),
        Published(
            "yarn",
            N_("Llama 2 7B, scaled from 4,096 to 8,192 tokens"),
            N_("The model was trained a little further under each scaling, unlike ours, and tested at 10,240 tokens."),
            N_("perplexity per token (lower is better)"),
            higher_is_better=False,
            source="Peng et al. 2024, Table 1",
            url="https://arxiv.org/abs/2309.00071",
            experiments=("scaling",),
            values={"linear": (8.07,), "ntk": (6.24,), "yarn": (6.04,)},
            trained_length=4_096,
            lengths=(10_240,),
        ),
    )
}


def published_results(experiment: str) -> tuple[Published, ...]:
    """Return the published comparisons of an experiment."""
    return tuple(one for one in PUBLISHED.values() if experiment in one.experiments)
