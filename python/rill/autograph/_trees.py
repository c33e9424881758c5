"""Small pieces of trees."""

import ast


def name(text):
    """A name that is read."""
    return ast.Name(text, ast.Load())


def constant(value):
    """A value."""
    return ast.Constant(value)


def assign(target, value, like):
    """target = value, at the place of `like`."""
    return located(ast.Assign([ast.Name(target, ast.Store())], value), like)


def not_any(flags):
    """not a and not b ..."""
    tests = [ast.UnaryOp(ast.Not(), name(flag)) for flag in flags]
    return tests[0] if len(tests) == 1 else ast.BoolOp(ast.And(), tests)


def located(node, like):
    """`node` and all in it that has no place yet, at the place of `like`."""
    for inner in ast.walk(node):
        if "lineno" in inner._attributes and not hasattr(inner, "lineno"):
            _place(inner, like)
    return node


def _place(node, like):
    """At the first line of `like` alone: of a call over several lines errors would tell the last one."""
    node.lineno = node.end_lineno = like.lineno
    node.col_offset = node.end_col_offset = like.col_offset


def statement(text, like):
    """One statement from its text."""
    made = ast.parse(text).body[0]
    for inner in ast.walk(made):
        if "lineno" in inner._attributes:
            _place(inner, like)
    return made


def statements(text, like):
    """Several."""
    made = ast.parse(text).body
    for item in made:
        for inner in ast.walk(item):
            if "lineno" in inner._attributes:
                _place(inner, like)
    return made


def call(function, arguments, like):
    """ag__.function(arguments)."""
    made = ast.Call(ast.Attribute(name("ag__"), function, ast.Load()), arguments, [])
    return located(made, like)


def no_arguments():
    """The parameters of a function without any."""
    return parameters([])


def parameters(names):
    """Plain parameters."""
    return ast.arguments(posonlyargs=[], args=[ast.arg(text) for text in names], vararg=None, kwonlyargs=[],
                         kw_defaults=[], kwarg=None, defaults=[])


def thunk(expression, like):
    """lambda: expression."""
    return located(ast.Lambda(no_arguments(), expression), like)
