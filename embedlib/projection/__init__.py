"""Projections of a table: exact principal components, t-SNE and UMAP, and measures of how faithful they are."""

from embedlib.projection.by_tsne import largest_perplexity, tsne
from embedlib.projection.by_umap import umap, umap_available
from embedlib.projection.density import Window, density, nearest_points, rows_within, window_around, write_coordinates
from embedlib.projection.faithfulness import SampledFaithfulness, kept_neighbours, sampled_faithfulness, trustworthiness
from embedlib.projection.map_init import MAX_POINTS, METRICS, MapProgress
from embedlib.projection.pca import Blocks, Pca, Source, chance_variance_share, fit_pca
from embedlib.projection.shared import AxesBasis, RowAxes, SharedProjection, fit_row_axes, project_together
