"""Principal components of any table: exact, deterministic, also of tables larger than memory.

Maps: pictures that keep neighbours together, by t-SNE and by UMAP.
"""

from embedlib.progress import Cancelled, Progress
from embedlib.projection.by_tsne import largest_perplexity, tsne
from embedlib.projection.by_umap import MissingExtra, umap, umap_available
from embedlib.projection.map_init import MAX_POINTS, METRICS
from embedlib.projection.pca.fit import METHODS, Pca, fit_pca, greatest_share_by_chance
from embedlib.projection.pca.sources import Blocks, Source

__all__ = [
    "MAX_POINTS",
    "METHODS",
    "METRICS",
    "Blocks",
    "Cancelled",
    "MissingExtra",
    "Pca",
    "Progress",
    "Source",
    "fit_pca",
    "greatest_share_by_chance",
    "largest_perplexity",
    "tsne",
    "umap",
    "umap_available",
]
