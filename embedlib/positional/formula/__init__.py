"""Positional schemes as formulas that a user types: their language, computation, LaTeX and Python programs."""

from embedlib.positional.formula.as_python import FormulaCode, formula_python
from embedlib.positional.formula.errors import FORMULA_ERRORS, FormulaError
from embedlib.positional.formula.language import LINES, NAMES, FormulaParameter, read_formula, read_parameters
from embedlib.positional.formula.operations import FUNCTIONS
from embedlib.positional.formula.scheme import FormulaPositions
from embedlib.positional.formula.starting_points import STARTING_POINTS, StartingPoint
