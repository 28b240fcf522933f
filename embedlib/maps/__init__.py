"""Maps: pictures that keep neighbours together, by t-SNE and by UMAP."""

from embedlib.maps.by_tsne import largest_perplexity, tsne
from embedlib.maps.by_umap import MissingExtra, umap, umap_available
from embedlib.maps.progress import Cancelled, Progress
from embedlib.maps.start import MAX_POINTS, METRICS

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
