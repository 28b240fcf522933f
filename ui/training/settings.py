"""What of the training page the link carries."""

from ui.settings import GREATEST, Choice, OptionalWhole, Real, Setting, Text, Whole

PANEL_SETTINGS: dict[str, Setting] = {
    "train_expected": Text(""),  # what the reader expects of their analogy; "" for what the grammar answers
}
# What is read: sentences of a grammar, Python's manual, what the reader types, or a file of theirs.
CORPORA = ("grammar", "manual", "text", "own")
# How rows are trained, by the name in SkipGramConfig.
CONFIG: dict[str, Whole | Real] = {
    "steps": Whole(1_000, 10, 5_000),
    "d_model": Whole(64, 2, 256),
    "window": Whole(5, 1, 20),
    "negatives": Whole(5, 1, 30),
    "learning_rate": Real(0.02, 0.00001, 100.0),
    "batch_size": Whole(2_048, 1, 16_384),
    "seed": Whole(0, 0, 2**32 - 1),
}
SETTINGS: dict[str, Setting] = {
    "train_corpus": Choice("grammar", CORPORA),
    **{f"train_{name}": setting for name, setting in CONFIG.items()},
    "train_step": OptionalWhole(None, 0, GREATEST),  # which step is in view; None: the newest
    "train_word": Text(""),  # the chosen word; "" for none
    "train_axes": Choice("kinds", ("kinds", "principal")),
    "train_fit": Choice("ahead", ("ahead", "last")),
    "train_view": Choice("2d", ("2d", "3d")),
    # The reader's analogy: train_a - train_b + train_c.
    "train_a": Text("king"),
    "train_b": Text("man"),
    "train_c": Text("woman"),
    "train_moved": Choice("start", ("start", "kept")),  # rows that moved since step 0, or since the kept step before
    **PANEL_SETTINGS,
}
