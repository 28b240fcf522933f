"""What of the projection page the link carries."""

from ui.settings import (
    GREATEST,
    Choice,
    FileName,
    Flag,
    OptionalChoice,
    OptionalWhole,
    Real,
    Rows,
    Setting,
    Text,
    Whole,
    Window,
)

# What the points of a table can be coloured by; which of them a table opens with depends on what is known of it.
COLOURS = ("meaning", "kind", "script", "length", "norm", "count", "frequency", "similarity", "distance")

# What stands beside the picture; None: neighbours where somebody has chosen a row, else analogies.
BESIDE = ("analogies", "neighbours")

SETTINGS: dict[str, Setting] = {
    "vectors": Text("grammar"),
    "map": OptionalChoice(None, ("pca", "tsne", "umap", "meaning")),
    "colour": OptionalChoice(None, COLOURS),
    "metric": Choice("cosine", ("cosine", "dot", "euclidean")),
    "find": Text(""),
    "expression": Flag(False),
    "row": OptionalWhole(None, 0, GREATEST),
    "seen": Window(None),
    "line": Flag(True),
    "moved": Flag(False),
    "isolated": Rows([], GREATEST, 300),
    "marked": Rows([], GREATEST, 300),
    "beside": OptionalChoice(None, BESIDE),
    "own_file": FileName(None),  # which file it was, since a link cannot carry a table
    "sample": Whole(2_000, 50, 10_000),
    "perplexity": Real(30.0, 2.0, 100.0),
    "n_neighbors": Whole(15, 2, 200),
    "min_dist": Real(0.1, 0.0, 0.99),
    "map_seed": Whole(0, 0, 2**32 - 1),
    "from_x": Text("man, king"),
    "to_x": Text("woman, queen"),
    "from_y": Text("man, woman"),
    "to_y": Text("king, queen"),
    "analogy": Text("king, man, woman, queen"),
}
