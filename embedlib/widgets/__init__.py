"""The app's components as notebook widgets: tokens, sums, matrices, points and rotations to look at and choose from.

They run without a network in what shows Jupyter's widgets. What is chosen is a trait, which a later cell reads or sets;
a saved notebook and its HTML have a picture of each.
"""

try:
    import anywidget
except ImportError as error:
    raise ImportError('embedlib.widgets needs anywidget: pip install "anywidget>=0.11,<0.12"') from error

from embedlib.widgets.matrices import matrix, vector_sum
from embedlib.widgets.points import Cloud, cloud
from embedlib.widgets.rotations import TwoHands, two_hands
from embedlib.widgets.tokens import token_chips, token_rows
from embedlib.widgets.widget import ChoiceWidget, ComponentWidget
