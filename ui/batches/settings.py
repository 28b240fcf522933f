"""What of the batches page the link carries."""

from ui.settings import GREATEST, Choice, Flag, OptionalWhole, Setting, Whole

# Where the text comes from: three that come with the app, what the reader types, or a file of their own.
SOURCES = ("story", "example", "manual", "text", "own")
# Which numbers the block holds: token rows, position rows, or their sum.
BLOCKS = ("token", "position", "input")

SETTINGS: dict[str, Setting] = {
    "batches_source": Choice("story", SOURCES),
    "max_length": Whole(4, 1, 1_024),
    "stride": Whole(4, 1, 4_096),
    "batch_size": Whole(4, 1, 512),
    "shuffle": Flag(False),
    "shuffle_seed": Whole(123, 0, 2**32 - 1),
    "drop_last": Flag(False),
    "batch": Whole(1, 1, GREATEST),  # which one is in view, counted from 1
    "batch_place": OptionalWhole(None, 0, GREATEST),  # where the stretch in sight begins; None: where the batch does
    "batch_token": OptionalWhole(None, 0, GREATEST),  # the chosen token's place in the text
    "block": Choice("input", BLOCKS),
    # From where the block is seen, in degrees, and how much of it is cut away along each axis.
    "block_yaw": Whole(30, -180, 180),
    "block_pitch": Whole(24, -90, 90),
    "block_samples_cut": Whole(0, 0, 511),
    "block_positions_cut": Whole(0, 0, 1_023),
    "block_dimensions_cut": Whole(0, 0, 1_023),
}
