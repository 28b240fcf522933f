"""Maps: pictures that keep neighbours together, by t-SNE and by UMAP."""

from embedlib.progress import Cancelled, Progress
from embedlib.projection.map_init import MAX_POINTS, METRICS
from embedlib.projection.tsne import largest_perplexity, tsne
from embedlib.projection.umap import MissingExtra, umap, umap_available

__all__ = [
    "MAX_POINTS",
    "METRICS",
    "Cancelled",
    "MissingExtra",
    "Progress",
    "largest_perplexity",
    "tsne",
    "umap",
    "umap_available",
]
