"""Principal components of any table: exact, deterministic, also of tables larger than memory."""

from embedlib.projection.pca.fit import METHODS, Pca, fit_pca, greatest_share_by_chance
from embedlib.projection.pca.solvers import solve_covariance
from embedlib.projection.pca.sources import Blocks, Source, open_table

__all__ = [
    "METHODS",
    "Blocks",
    "Pca",
    "Source",
    "fit_pca",
    "greatest_share_by_chance",
    "open_table",
    "solve_covariance",
]
