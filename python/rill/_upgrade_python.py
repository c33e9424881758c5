"""Python 2 to 3: prints, exceptions and other syntax by lib2to3, names of Python 2 by their places in the text."""

import ast
import builtins
import warnings

_FIXERS = ("basestring", "dict", "except", "exec", "has_key", "imports", "input", "long", "map", "ne", "next",
           "numliterals", "paren", "print", "raise", "raw_input", "reduce", "repr", "tuple_params", "types", "unicode",
           "urllib", "xrange", "zip", "filter")
_NAMES = {"xrange": "range", "raw_input": "input", "unicode": "str", "basestring": "str", "long": "int",
          "unichr": "chr"}
_METHODS = {"iteritems": "items", "iterkeys": "keys", "itervalues": "values"}
_MODULES = {"cPickle": "pickle", "Queue": "queue", "ConfigParser": "configparser", "StringIO": "io"}


class CannotUpgrade(Exception):
    """The text is neither Python 3 nor Python 2."""


def _is_chevron_print(node):
    """print >>file, text: Python 3 reads it, as a shift."""
    return isinstance(node, ast.BinOp) and isinstance(node.op, ast.RShift) and isinstance(node.left, ast.Name) \
        and node.left.id == "print"


def _is_python3(text):
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # "\d" in a text
            tree = ast.parse(text)
        return not any(_is_chevron_print(node) for node in ast.walk(tree))
    except (SyntaxError, ValueError):
        return False


def to_python3(text, file):
    """The text as Python 3 can read it."""
    if _is_python3(text):
        return text
    text = text.expandtabs(8) if "\t" in text and _is_python3(text.expandtabs(8)) else text
    if _is_python3(text):
        return text
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            from lib2to3 import refactor
            from lib2to3.pgen2 import parse, tokenize
    except ImportError:
        raise CannotUpgrade(f"{file} is written for Python 2, and this Python has no lib2to3 to read it") from None
    fixers = [f"lib2to3.fixes.fix_{name}" for name in _FIXERS]
    try:
        made = str(refactor.RefactoringTool(fixers).refactor_string(text if text.endswith("\n") else text + "\n", file))
    except (parse.ParseError, tokenize.TokenError, IndentationError) as error:
        raise CannotUpgrade(f"{file} can be read neither as Python 3 nor as Python 2: {error}") from None
    if not _is_python3(made):
        raise CannotUpgrade(f"{file} can be read neither as Python 3 nor as Python 2")
    return made


def python2_names(tree, is_bound):
    """(node, what stands there instead) for names that only Python 2 has."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Name) and node.id in _NAMES and isinstance(node.ctx, ast.Load) \
                and not hasattr(builtins, node.id) and not is_bound(node.id):
            yield node, _NAMES[node.id]
        elif isinstance(node, ast.Attribute) and node.attr in _METHODS:
            yield node, _METHODS[node.attr]
        elif isinstance(node, ast.alias) and node.name in _MODULES:
            new = _MODULES[node.name]
            yield node, f"{new} as {node.asname or node.name}"
