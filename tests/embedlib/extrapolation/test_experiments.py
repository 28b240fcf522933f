"""What the experiments train, and how they are cut into units."""

import pytest

from embedlib.errors import CodedError
from embedlib.extrapolation.experiments import EXPERIMENTS, FIRST_SCHEMES, experiment_units
from embedlib.extrapolation.tasks import TextTask
from embedlib.positional import SCHEMES


def test_every_experiment_is_scored_up_to_its_trained_length_and_past_twice_of_it() -> None:
    for experiment in EXPERIMENTS.values():
        for shape in experiment.shapes.values():
            assert list(shape.lengths) == sorted(set(shape.lengths))
            assert shape.trained_length in shape.lengths
            assert shape.lengths[-1] >= 2 * shape.trained_length


@pytest.mark.parametrize("name", ["sort", "back"])
@pytest.mark.parametrize("size", ["small", "wide"])
def test_tasks_without_a_text_are_trained_up_to_the_length_that_their_shape_names(name: str, size: str) -> None:
    experiment = EXPERIMENTS[name]
    chosen = "wide" if size == "wide" else "small"
    assert experiment.task(size=chosen).longest == experiment.shapes[chosen].trained_length


@pytest.mark.parametrize("scheme", list(SCHEMES))
def test_every_scheme_can_be_trained_and_has_a_position_for_the_greatest_length(scheme: str) -> None:
    (unit,) = experiment_units("sort", schemes=[scheme], seeds=[4])
    task = EXPERIMENTS["sort"].task()
    config = unit.config(task)
    assert (config.scheme, config.seed, config.n_steps, config.learning_rate) == (scheme, 4, 800, 0.005)
    assert config.max_seq_len >= task.seq_len(unit.shape.lengths[-1])
    assert unit.lines == (scheme,)


def test_units_stand_seed_by_seed_so_that_every_scheme_is_seen_early() -> None:
    units = experiment_units("back", schemes=("none", "rope"), seeds=(1, 0))
    assert [(unit.seed, unit.scheme) for unit in units] == [(1, "none"), (1, "rope"), (0, "none"), (0, "rope")]


def test_scalings_are_compared_on_one_run_for_each_seed() -> None:
    units = experiment_units("scaling", schemes=FIRST_SCHEMES, seeds=(0, 1))
    assert [(unit.scheme, unit.seed, unit.source) for unit in units] == [("rope", 0, "manual"), ("rope", 1, "manual")]
    assert units[0].lines == EXPERIMENTS["scaling"].lines
    assert units[0].lines[0] == "none"


def test_a_text_must_have_room_for_the_greatest_length_in_its_held_out_tenth() -> None:
    experiment = EXPERIMENTS["text"]
    with pytest.raises(CodedError, match="length=512 need at least 5130"):
        experiment.task("a" * 5_129)
    assert isinstance(experiment.task("a" * 5_130), TextTask)
    with pytest.raises(ValueError, match="text is missing"):
        experiment.task()
