"""Arguments of schemes and of functions of positions that are out of range, and the rule that each message states."""

import math
from collections.abc import Callable
from functools import partial

import numpy as np
import pytest
import torch

from embedlib.positional import (
    SCHEMES,
    RopeScaling,
    alibi_slopes,
    diagnose_rotation,
    geometric_slopes,
    halves_order,
    make_scheme,
    rotary_angles,
    sinusoidal_grid,
    sinusoidal_table,
)
from embedlib.positional.rotation import split_pairs

make = partial(make_scheme, d_model=12, n_heads=3)
rope = partial(make_scheme, "rope", d_model=16, n_heads=2)
trained = partial(make_scheme, d_model=64, n_heads=4, weights="trained")
angles = partial(rotary_angles, seq_len=4, rotary_dim=8)
table = partial(sinusoidal_table, seq_len=4, d_model=8)
grid = partial(sinusoidal_grid, seq_len=3, d_model=8, grid_width=4)
ONES = torch.ones(4, 4)
REFUSED: list[tuple[Callable[..., object], str]] = [
    (partial(make, "rotery"), f"scheme='rotery' is unknown: choose among {', '.join([*SCHEMES, 'formula'])}"),
    (partial(make, "none", colour="red"), "colour='red' is not a parameter of scheme 'none': it takes none"),
    (partial(make, "kerple", colour="red"), "is not a parameter of scheme 'kerple': choose among form, seed"),
    (partial(make, "learned", std=-0.1), "std=-0.1 must be at least 0"),
    (partial(make, "learned", seed=-1), "seed=-1 must be at least 0"),
    (partial(make, "learned", seed=2**63), f"seed={2**63} must be at most"),
    (partial(make, "sinusoidal", d_model=9), "d_model=9 must be even"),
    (partial(make, "sinusoidal", d_model=10**9), "d_model=1000000000 must be at most 1048576"),
    (partial(make, "learned", max_seq_len=10**14), "d_model=12, max_seq_len=1.*: more than the memory holds"),
    (lambda: make("alibi").similarity(10**7), "seq_len=10000000: more than the memory holds, choose smaller sizes"),
    (lambda: make("sinusoidal").similarity(10**7), "seq_len=10000000: more than the memory holds"),
    (partial(make, "sandwich", d_model=9), "d_model=9 must be even"),
    (partial(make, "transformer_xl", d_model=9), "d_model=9 must be even"),
    (lambda: make("xpos").scores(*torch.ones(2, 3, 5, 4), causal=False), "not defined for scheme 'xpos': use causal="),
    (partial(make, "xpos", d_model=15), r"head_dim=5 \(d_model=15, n_heads=3\) must be even"),
    (partial(make, "sinusoidal_2d", d_model=6), "d_model=6 must be a multiple of 4 .* choose 4 or 8"),
    (partial(make, "sinusoidal_2d", grid_width=0), "grid_width=0 must be at least 1"),
    (partial(make, "sinusoidal_2d", first="row"), "first='row' must be one of column, line"),
    (partial(make, "rope", d_model=15), r"rotary_fraction=1.0 of head_dim=5 \(d_model=15, n_heads=3\) is 5 columns"),
    (partial(make, "rope", d_model=24, rotary_fraction=0.4), "is 3 columns: it must be even"),
    (partial(make, "rope", rotary_fraction=0.0), "is 0 columns: it must be even and at least 2"),
    (partial(make, "rope", rotary_fraction=1.5), "rotary_fraction=1.5 must be at most 1"),
    (partial(make, "rope", base=0.0), "base=0.0 must be at least 1"),
    (partial(make, "rope", pairing="thirds"), "pairing='thirds' must be one of interleaved, halves"),
    (partial(make, "t5", num_buckets=3), "num_buckets=3 must be at least 4 if bidirectional=True"),
    (partial(make, "t5", num_buckets=1, bidirectional=False), "num_buckets=1 must be at least 2"),
    (partial(make, "t5", max_distance=8), "max_distance=8 must be more than 8, .* raise it, or lower num_buckets=32"),
    (partial(make, "t5", max_distance=16, bidirectional=False), "max_distance=16 must be more than 16"),
    (partial(make, "t5", bidirectional=1), "bidirectional=1 must be True or False"),
    (partial(make, "kerple", form="linear"), "form='linear' must be one of logarithmic, power"),
    (partial(make, "fire", threshold=0.5), "threshold=0.5 must be at least 1"),
    (partial(make, "fire", threshold=70_000.0), "threshold=70000.0 must be at most 65536"),
    (partial(make, "shaw", max_distance=0), "max_distance=0 must be at least 1"),
    (partial(make, "shaw", max_distance=1_025), "max_distance=1025 must be at most 1024"),
    (partial(make, "deberta", p2c="both"), "p2c='both' must be one of code, paper"),
    (partial(make, "deberta", span=0), "span=0 must be at least 1"),
    (partial(make, "deberta", span=8193), "span=8193 must be at most 8192"),
    (
        partial(make, "deberta", span=600, buckets="log"),
        "span=600 must be between 4 and max_distance=512 with",
    ),
    (partial(make, "deberta", span=2, buckets="log"), "span=2 must be between 4"),
    (partial(make, "cope", gates="open"), "gates='open' must be one of paper, code"),
    (partial(make, "cope", n_vectors=0), "n_vectors=0 must be at least"),
    (partial(trained, "learned", d_model=32), "d_model=32 must be 64 for weights='trained', or 'random'"),
    (partial(trained, "t5", n_heads=8), "n_heads=8 must be 4 for weights='trained'"),
    (partial(trained, "t5", num_buckets=30), "num_buckets=30 must be 32 for weights='trained'"),
    (partial(trained, "t5", max_distance=200), "max_distance=200 must be 128 for weights='trained'"),
    (partial(rope, scaling="cubic"), "scaling='cubic' must be one of none, linear, ntk, dynamic_ntk, yarn, llama3"),
    (partial(rope, factor=0.5), "factor=0.5 must be at least 1"),
    (partial(rope, original_max_seq_len=0), "original_max_seq_len=0 must be at least 1"),
    (
        partial(rope, low_freq_factor=4.0),
        "low_freq_factor=4.0, high_freq_factor=4.0: both must be above 0, and the",
    ),
    (
        partial(rope, beta_slow=2.0, beta_fast=1.0),
        "beta_slow=2.0, beta_fast=1.0: both must be above 0, and the",
    ),
    (partial(rope, scaling="ntk", rotary_fraction=0.25), "rotary_dim=2 must be at least 4 for scaling='ntk'"),
    (
        partial(rope, scaling="dynamic_ntk", rotary_fraction=0.25),
        "rotary_dim=2 must be at least 4 for scaling='d",
    ),
    (partial(rope, scaling="yarn", base=1.0), "base=1.0 must be above 1 for scaling='yarn'"),
    (partial(rope, scaling="longrope", short_factor=(1.0,) * 3), "short_factor has 3 numbers: give 4, one for each"),
    (partial(rope, scaling="longrope", long_factor=(1.0,) * 5), "long_factor has 5 numbers: give 4"),
    (partial(rope, scaling="longrope", original_max_seq_len=1), "original_max_seq_len=1 must be at least 2"),
    (partial(RopeScaling, kind="cubic"), "scaling='cubic' must be one of none"),
    (partial(RopeScaling, factor=math.nan), "factor=nan must be finite and at least 1"),
    (partial(RopeScaling, original_max_seq_len=0), "original_max_seq_len=0 must be finite and at least 1"),
    (partial(RopeScaling, low_freq_factor=0.0), "low_freq_factor=0.0"),
    (partial(RopeScaling, beta_slow=0.0), "beta_slow=0.0"),
    (partial(RopeScaling, mscale=-1.0), "mscale=-1.0 must be finite and at least 0"),
    (partial(angles, rotary_dim=3), "rotary_dim=3 must be even"),
    (partial(angles, base=math.inf), "base=inf must be finite"),
    (partial(angles, seq_len=0), "seq_len=0 must be at least 1"),
    (partial(angles, offset=-2), "offset=-2 must be at least 0"),
    (partial(table, d_model=0), "d_model=0 must be even and at least 2"),
    (partial(table, seq_len=0), "seq_len=0 must be at least 1"),
    (partial(table, offset=-1), "offset=-1 must be at least 0"),
    (partial(table, base=0.0), "base=0.0 must be finite and at least 1"),
    (partial(table, base=math.nan, layout="tensor2tensor"), "base=nan must be finite"),
    (partial(table, layout="thirds"), "layout='thirds' must be one of interleaved, halves, tensor2tensor"),
    (partial(grid, d_model=2), "d_model=2 must be a multiple of 4 .* choose 4 or 8"),
    (partial(grid, grid_width=0), "grid_width=0 must be at least 1"),
    (partial(grid, first="row"), "first='row' must be one of column, line"),
    *((partial(halves_order, width), f"width={width} must be even and at least 2") for width in (0, 7)),
    (partial(split_pairs, ONES, "thirds"), "pairing='thirds' must be one of interleaved, halves"),
    *((partial(slopes, 0), "n_heads=0 must be at least 1") for slopes in (alibi_slopes, geometric_slopes)),
    (partial(diagnose_rotation, 0 * ONES, ONES), "before is 0 everywhere"),
    (partial(diagnose_rotation, ONES, torch.ones(4, 6)), "same shape"),
    *(
        (partial(diagnose_rotation, short, short), "both at least 2")
        for short in (ONES[:1], ONES[0], torch.ones(4, 1, 1, 1, 4))
    ),
    (partial(diagnose_rotation, ONES / 0, ONES), "NaN or infinity"),
    (partial(diagnose_rotation, np.array([["a", "b"], ["c", "d"]]), torch.ones(2, 2)), "must be numbers"),
    (partial(diagnose_rotation, ONES.to(torch.complex64), ONES.to(torch.complex64)), "must be real"),
]


@pytest.mark.parametrize(("call", "message"), REFUSED)
def test_what_has_no_meaning_is_refused_with_the_rule(call: Callable[[], object], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        call()


@pytest.mark.parametrize("name", SCHEMES)
def test_wrong_sizes_are_refused_by_every_scheme(name: str) -> None:
    for size in ("d_model", "n_heads", "max_seq_len"):
        with pytest.raises(ValueError, match=f"{size}=0 must be at least 1"):
            make(name, **{size: 0})
    with pytest.raises(ValueError, match="n_heads=5 must divide d_model=12: choose among 1, 2, 3, 4, 6, 12"):
        make(name, n_heads=5)
