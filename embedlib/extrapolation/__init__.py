"""Training of a small decoder, step by step, under any positional scheme, and its scores at longer lengths."""

from embedlib.extrapolation.config import DECODER_PARAMETERS, TrainConfig
from embedlib.extrapolation.experiments import (
    EXPERIMENTS,
    FIRST_SCHEMES,
    FIRST_SEEDS,
    MANUAL,
    Experiment,
    Shape,
    Size,
    Unit,
    experiment_units,
)
from embedlib.extrapolation.provenance import Provenance, code_version
from embedlib.extrapolation.published import Published, published_results
from embedlib.extrapolation.scores import LengthScore, length_scores, length_state
from embedlib.extrapolation.seeds import SeedSpread, seed_spread
from embedlib.extrapolation.shipped_runs import SHIPPED, FinishedUnit, Report, finished_runs, run_unit, write_finished
from embedlib.extrapolation.sweep import Extrapolation, Measure, extrapolation, rope_scaling_scores, score_values
from embedlib.extrapolation.tasks import BackTask, Batch, SortTask, Task, TextTask
from embedlib.extrapolation.train import BETAS, Diverged, Run, TrainStep, batch_at, new_run, train
from embedlib.extrapolation.trained_decoders import (
    SHIPPED_DECODERS,
    decoder_length,
    decoder_schemes,
    known_share,
    mean_distances,
    trained_attention,
    trained_decoder,
)
from embedlib.extrapolation.verdicts import (
    GROWTH_LIMITS,
    HIGHER_IS_BETTER,
    LEARNED_SHARES,
    SHARE_LIMITS,
    Agreement,
    Reading,
    Standing,
    Verdict,
    agreement,
    classify_line,
    distinct_groups,
    standings,
)
