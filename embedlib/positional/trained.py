"""Position rows and distance biases that ship with the library, trained by `bin/trained-positions`."""

from dataclasses import replace
from pathlib import Path

from torch import Tensor

from embedlib.i18n import N_
from embedlib.positional.parameters import SEED, Parameter
from embedlib.tensor_files import read_tensors

SHIPPED = Path(__file__).parents[1] / "data" / "positions.safetensors"
# Characters in a window in training, and the spread of the rows before the first step, which all later rows keep.
N_TRAINED, INITIAL_STD = 128, 0.02
WEIGHTS = Parameter(
    name="weights", default="random", choices=("trained", "random"), summary=N_("Trained here, or random.")
)
IF_RANDOM = (WEIGHTS.name, ("random",))
SEED_IF_RANDOM = replace(SEED, only_with=IF_RANDOM)


def trained_values(name: str) -> Tensor:
    """Read "learned", (128, 64), "t5" or "t5_bidirectional", (32, 4), float32."""
    _about, tensors = read_tensors(SHIPPED)
    return tensors[name]
