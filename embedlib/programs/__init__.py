"""The PyTorch program for each page, which prints its numbers."""

from embedlib.programs.batches import batches_program
from embedlib.programs.compare import compare_program, order_program
from embedlib.programs.context import context_program
from embedlib.programs.embedding_layer import embedding_layer_program
from embedlib.programs.extrapolation import extrapolation_program
from embedlib.programs.models import models_program
from embedlib.programs.pipeline import pipeline_program, scheme_program
from embedlib.programs.projection import (
    Part,
    analogy_part,
    map_part,
    meaning_part,
    neighbours_part,
    principal_part,
    projection_program,
)
from embedlib.programs.tokens import tokens_program
from embedlib.programs.training import training_program
