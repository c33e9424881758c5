"""tf.compat.v2: the names and argument lists of TensorFlow 2, for what is in TensorFlow 1.15.

_v2_names.tsv says which names of version 1 are meant, _v2_signatures.tsv which functions take other arguments there
(`name>other` is an argument that version 1 calls `other`), _v2_classes.py has what is another class.
"""

import ast
import functools
import importlib
import inspect
import operator
import pathlib
import sys

from rill import _surface

PATH = "compat.v2"
_FOLDER = pathlib.Path(__file__).parent


@functools.cache
def _names():
    lines = (_FOLDER / "_v2_names.tsv").read_text().splitlines()
    return dict(line.split("\t") for line in lines)


@functools.cache
def _signatures():
    lines = (_FOLDER / "_v2_signatures.tsv").read_text().splitlines()
    rows = [line.split("\t") for line in lines]
    return {path: (place, arguments) for paths, place, arguments in rows for path in paths.split(",")}


@functools.cache
def _classes():
    from rill import _v2_classes
    return _v2_classes.NAMES


@functools.cache
def _modules():
    """The modules around all names; "" is tf.compat.v2 itself."""
    names = [*_names(), *_signatures(), *_classes()]
    return {"", *(name[:end] for name in names for end in range(len(name)) if name[end] == ".")}


def knows(path):
    """Whether there is a module of that path below TensorFlow's top."""
    return path == PATH or path.startswith(PATH + ".") and path.removeprefix(PATH + ".") in _modules()


def _first_version(path):
    return operator.attrgetter(path)(_surface._module_at(""))


def _default(text):
    return _first_version(text.removeprefix("tf.")) if text.startswith("tf.") else ast.literal_eval(text)


def _argument(text):
    """One argument of a signature, and what version 1 calls it."""
    name, _, default = text.partition("=")
    name, _, other = name.partition(">")
    default = _default(default) if default else inspect.Parameter.empty
    return inspect.Parameter(name, inspect.Parameter.POSITIONAL_OR_KEYWORD, default=default), other or name


def _split(arguments):
    """At commas, but not at those in quotes."""
    return arguments.replace("','", "'\0'").split(", ")


@functools.cache
def _with_signature(place, arguments, name):
    """A function of version 1 that takes its arguments as version 2 has them."""
    module, _, function = place.rpartition(":")
    call = getattr(importlib.import_module(f"{__package__}.{module}"), function) if module else _first_version(place)
    read = [_argument(text.replace("\0", ",")) for text in _split(arguments)]
    signature = inspect.Signature([parameter for parameter, _ in read])
    first_names = {parameter.name: other for parameter, other in read}

    def adapted(*args, **kwargs):
        try:
            bound = signature.bind(*args, **kwargs)
        except TypeError as error:
            raise TypeError(f"{name}() {error}") from None
        bound.apply_defaults()
        return call(**{first_names[key]: value for key, value in bound.arguments.items()})

    adapted.__name__ = adapted.__qualname__ = name
    adapted.__module__ = f"tensorflow.{PATH}"
    adapted.__doc__, adapted.__signature__ = call.__doc__, signature
    return adapted


def _find(path):
    if path in _classes():
        return _classes()[path]
    if path in _signatures():
        return _with_signature(*_signatures()[path], path.rpartition(".")[2])
    if path in _names():
        return _first_version(_names()[path])
    return None


def complete(module):
    """Gives a module of tf.compat.v2 its names; they are looked up when they are asked for."""
    path = module.__name__.partition(".")[2].removeprefix(PATH).removeprefix(".")
    prefix = path + "." if path else ""

    def getattr_(name):
        if name == "__all__":
            return [name for name in dir_() if not name.startswith("_")]
        found = _find(prefix + name)
        if found is None and prefix + name in _modules() and name:
            found = importlib.import_module(f"{module.__name__}.{name}")
        if found is None:
            raise AttributeError(f"module 'tensorflow.{PATH}{'.' + path if path else ''}' has no attribute '{name}'")
        setattr(module, name, found)
        return found

    def dir_():
        names = {*_names(), *_signatures(), *_classes(), *_modules()}
        return sorted({name.removeprefix(prefix) for name in names
                       if name.startswith(prefix) and name != path and "." not in name.removeprefix(prefix)} - {""})

    module.__getattr__, module.__dir__ = getattr_, dir_
    if not path:
        module.__version__, module.newaxis = _surface._module_at("").version.VERSION, None
    if path == "compat":
        module.v1, module.v2 = sys.modules.get("tensorflow", _surface._module_at("")), sys.modules[
            module.__name__.rpartition(".")[0]]
