"""A small, safe grammar of formulas with exact derivatives; nothing is ever handed to Python."""

from robodyn_ros.expressions.choice import COMPARISONS
from robodyn_ros.expressions.expression import Expression
from robodyn_ros.expressions.functions import CHOICE, CONSTANTS, FUNCTIONS
from robodyn_ros.expressions.nodes import Node
from robodyn_ros.expressions.parser import parse
from robodyn_ros.expressions.substitution import substituted

__all__ = [
    "CHOICE",
    "COMPARISONS",
    "CONSTANTS",
    "FUNCTIONS",
    "Expression",
    "Node",
    "parse",
    "substituted",
]
