"""Functions that are one op each, under the names and argument names of TensorFlow's API.

A function whose arguments are the op's own is one line of the table. What needs more than that (an
axis, a conversion, several nodes) is a function of its own, made of C++.
"""

import inspect

from rill import _rill

# Name, op, and the op's arguments under the names that the function has for them.
_TABLE = (
    ("less", "Less", ("x", "y")),
    ("less_equal", "LessEqual", ("x", "y")),
    ("greater", "Greater", ("x", "y")),
    ("greater_equal", "GreaterEqual", ("x", "y")),
    ("logical_and", "LogicalAnd", ("x", "y")),
    ("logical_or", "LogicalOr", ("x", "y")),
    ("logical_not", "LogicalNot", ("x",)),
    ("maximum", "Maximum", ("x", "y")),
    ("minimum", "Minimum", ("x", "y")),
    ("square", "Square", ("x",)),
    ("sqrt", "Sqrt", ("x",)),
    ("exp", "Exp", ("x",)),
    ("tanh", "Tanh", ("x",)),
    ("sigmoid", "Sigmoid", ("x",)),
    ("stop_gradient", "StopGradient", ("input",)),
    ("fill", "Fill", ("dims", "value")),
)


def _make(name, op, arguments):
    parameters = [inspect.Parameter(a, inspect.Parameter.POSITIONAL_OR_KEYWORD) for a in arguments]
    parameters.append(inspect.Parameter("name", inspect.Parameter.POSITIONAL_OR_KEYWORD,
                                        default=None))
    signature = inspect.Signature(parameters)
    raw = _rill.raw_op(op)

    def function(*args, **kwargs):
        return raw(**signature.bind(*args, **kwargs).arguments)

    function.__name__ = function.__qualname__ = name
    function.__doc__ = raw.__doc__
    function.__signature__ = signature
    return function


globals().update({name: _make(name, op, arguments) for name, op, arguments in _TABLE})
__all__ = [name for name, _, _ in _TABLE]
