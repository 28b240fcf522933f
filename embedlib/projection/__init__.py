"""Principal components of any table: exact, deterministic, also of tables larger than memory."""

from embedlib.projection.pca.basis import METHODS, Pca
from embedlib.projection.pca.chance import greatest_share_by_chance
from embedlib.projection.pca.fit import fit_pca
from embedlib.projection.pca.sources import Blocks, Source

__all__ = ["METHODS", "Blocks", "Pca", "Source", "fit_pca", "greatest_share_by_chance"]
