"""Where a function stands in its file, as a tree."""

import ast
import functools
import linecache


@functools.lru_cache(maxsize=256)
def _parsed(lines):
    return ast.parse("".join(lines))


def _tree_of(filename, module_globals):
    lines = tuple(linecache.getlines(filename, module_globals))
    if not lines:
        raise OSError("could not get source code")
    return _parsed(lines)


def _first_line(node):
    decorators = getattr(node, "decorator_list", [])
    return min([node.lineno, *(decorator.lineno for decorator in decorators)])


def _parameters(node):
    a = node.args
    names = [arg.arg for arg in [*a.posonlyargs, *a.args, *a.kwonlyargs]]
    return names + [arg.arg for arg in (a.vararg, a.kwarg) if arg is not None]


def _parameters_of_code(code):
    count = code.co_argcount + code.co_kwonlyargcount + bool(code.co_flags & 0x04) + bool(code.co_flags & 0x08)
    return list(code.co_varnames[:count])




def _codes(code):
    yield code
    for constant in code.co_consts:
        if hasattr(constant, "co_code"):
            yield from _codes(constant)


def _compiles_to(node, code):
    """Whether a lambda is the one of that code."""
    wrapped = ast.fix_missing_locations(ast.Expression(node))
    made = next(c for c in _codes(compile(wrapped, "", "eval")) if c.co_name == "<lambda>")
    return made.co_consts == code.co_consts and made.co_names[:1] == code.co_names[:1] or (
        made.co_code == code.co_code and made.co_names == code.co_names)


def find(function):
    """The FunctionDef or Lambda of a function. Throws OSError where its source is not there, or cannot be
    told from others."""
    code = function.__code__
    tree = _tree_of(code.co_filename, getattr(function, "__globals__", None))
    is_lambda = code.co_name == "<lambda>"
    kind = ast.Lambda if is_lambda else ast.FunctionDef
    found = [node for node in ast.walk(tree)
             if isinstance(node, kind) and _first_line(node) == code.co_firstlineno
             and (is_lambda or node.name == code.co_name)
             and len(_parameters(node)) == len(_parameters_of_code(code))]
    if is_lambda and len(found) > 1:
        found = [node for node in found if _parameters(node) == _parameters_of_code(code)]
    if is_lambda and len(found) > 1:
        found = [node for node in found if _compiles_to(node, code)]
    if len(found) != 1:
        raise OSError(f"could not find the source of {code.co_name} in {code.co_filename}, "
                      f"line {code.co_firstlineno}")
    return found[0]
