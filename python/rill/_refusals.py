"""Functions and classes that are there only to say that they are not: their whole body raises."""

import ast
import functools
import inspect
import textwrap
import types

_RAISED = ("NotImplementedError", "UnimplementedError")


def _last_name(node):
    return node.attr if isinstance(node, ast.Attribute) else node.id if isinstance(node, ast.Name) else ""


def _refusing_call(statement):
    """The call that refuses, of `raise NotImplementedError(...)` and `_refuse(...)`; None of other statements."""
    if isinstance(statement, ast.Raise) and isinstance(statement.exc, ast.Call):
        return statement.exc if _last_name(statement.exc.func) in _RAISED else None
    if isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Call):
        return statement.value if _last_name(statement.value.func) == "_refuse" else None
    return None


def _is_docstring(statement):
    return isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant)


@functools.cache
def _refusal_in(function):
    try:
        tree = ast.parse(textwrap.dedent(inspect.getsource(function)))
    except (OSError, TypeError, SyntaxError):
        return None
    definition = tree.body[0]
    if not isinstance(definition, ast.FunctionDef):
        return None
    body = [statement for statement in definition.body if not _is_docstring(statement)]
    call = _refusing_call(body[0]) if len(body) == 1 else None
    if call is None:
        return None
    words = [part.value for part in ast.walk(call) if isinstance(part, ast.Constant) and isinstance(part.value, str)]
    return "Rill refuses it" + (f": {words[-1]}" if words else "")


def refusal_of(found):
    """Why a function, or the making of an object of a class, always fails; None where it need not."""
    if isinstance(found, type):
        found = vars(found).get("__init__")
    return _refusal_in(found) if isinstance(found, types.FunctionType) else None
