"""TensorFlow's modules by the paths that programs import: tensorflow.nn, tensorflow.python.ops.math_ops.

Public modules are those of this package. Those below tensorflow.python and tensorflow.contrib have no text of
their own: _module_paths.tsv says among which public names theirs are to be found; what is public nowhere is in
_module_extras.py, and ops are there under their own names (gen_math_ops.mat_mul).
"""

import builtins
import functools
import importlib
import operator
import pathlib
import types

from rill import _absent, _module_extras, _refusing, _rill, _surface

_TOP = "tensorflow"


@functools.cache
def _table():
    lines = pathlib.Path(__file__).with_suffix(".tsv").read_text().splitlines()
    rows = {path: places.split() for path, places in (line.split("\t") for line in lines)}
    return {path: [] for path in _refusing.modules()} | rows


@functools.cache
def _contrib_names():
    """The names in TensorFlow's modules of contrib."""
    lines = pathlib.Path(__file__).with_name("_contrib_names.tsv").read_text().splitlines()
    return {path: names.split() for path, names in (line.split("\t") for line in lines)}


@functools.cache
def _packages():
    """The packages around the modules of the table."""
    parts = [path.split(".") for path in _table()]
    return {".".join(part[:depth]) for part in parts for depth in range(1, len(part))} | {"_api", "contrib"}


@functools.cache
def _op_names():
    """The names of ops as functions have them: mat_mul is MatMul."""
    return _rill.op_function_names()


def knows(path):
    """Whether there is such a module, or a package around one."""
    return path in _table() or path in _packages()


def _op(name):
    name = name.removeprefix("_")
    return _rill.op_function(_op_names()[name]) if name in _op_names() else None


def _public(place, name):
    try:
        return getattr(_surface._module_at("" if place == "." else place), name)
    except AttributeError:
        return None


def _extra(path, name):
    place = _module_extras.NAMES.get(path, {}).get(name)
    if place is None:
        return None
    module, _, attribute = place.partition(":")
    found = importlib.import_module(f"{__package__}.{module}")
    return found if attribute == "*" else operator.attrgetter(attribute or name)(found)


def find(path, name):
    """What a module of the table has under a name, or None."""
    found = _extra(path, name)
    if found is not None:
        return found
    for place in _table()[path]:
        if place not in ("raw_ops", path):  # a module's own file has been asked before its row
            found = _public(place, name)
            if found is not None:
                return found
    refusing = _refusing.find(path, name)
    if refusing is not None:
        return refusing
    has_ops = path.startswith(("python.ops.", "python.training."))
    return _op(name) if has_ops and name not in _module_extras.OTHER_FUNCTIONS.get(path, ()) else None


def _below(path, name):
    """The module that a module has below it, or None."""
    name = f"{_TOP}.{path}.{name}"
    try:
        return importlib.import_module(name)
    except ModuleNotFoundError as error:
        if error.name is None or not (name + ".").startswith(error.name + "."):
            raise
        return None


@functools.cache
def _modules_by_last_name():
    """The modules of tensorflow.python by their last names, those that others import most first."""
    found = {}
    places = ("python.framework", "python.ops", "python.util", "python.eager", "python.platform", "python.training",
              "python.client", "python")
    for place in places:
        for path in _table():
            if (path + ".").startswith(place + "."):
                found.setdefault(path.rpartition(".")[2], path)
    return found | {"logging": "python.platform.tf_logging", "vs": "python.ops.variable_scope"}


def _imported(path, name):
    """A module that TensorFlow's module of this path imports and so shows, or None."""
    if ".python." not in f".{path}" or not path.count("."):
        return None
    beside = f"{path.rpartition('.')[0]}.{name}"
    found = beside if beside in _table() else _modules_by_last_name().get(name)
    return None if found is None or found == path else importlib.import_module(f"{_TOP}.{found}")


def _member(path, name):
    if name.startswith("__"):
        return None
    found = find(path, name) if path in _table() else None
    if found is None or isinstance(found, types.ModuleType):
        found = _below(path, name) or found
    return _imported(path, name) if found is None else found


def _may_be_tensorflows(path, name):
    """Of contrib's modules the names are known; whatever else is asked for by such a path, programs of the time have."""
    return not path.startswith("contrib.") or ".python" in path or name in _contrib_names().get(path, ())


def complete(module, path):
    """Gives a module the names of its row and the modules below it; they are looked up when they are asked for."""
    own = vars(module).get("__getattr__")
    vars(module).pop("__all__", None)  # a file knows its own names only

    def getattr_(name):
        if name == "__all__":
            return star_names(module, path)
        found = _extra(path, name)
        if found is None:
            found = _own_member(own, name)
        if found is None:
            found = _member(path, name)
        if found is None:
            raise _absent.error(f"{_TOP}.{path}", f"{path}.{name}", _may_be_tensorflows(path, name))
        setattr(module, name, found)
        return found

    def dir_():
        """What is there, not what TensorFlow has: programs ask for each name of a dir()."""
        return sorted(name for name in {*vars(module), *_row_names(path)} if hasattr(module, name))

    module.__getattr__, module.__dir__ = getattr_, dir_


def _own_member(own, name):
    """What the __getattr__ of a module's own file finds."""
    try:
        return own(name) if own is not None else None
    except AttributeError:
        return None


def _names_at(place):
    if place == "raw_ops":
        return _op_names()
    path = "" if place == "." else place
    return {*_surface.names_in(path), *vars(_surface._module_at(path))}


def _row_names(path):
    names = {*_module_extras.NAMES.get(path, ()), *_contrib_names().get(path, ()), *_refusing.names(path)}
    return names.union(*(_names_at(place) for place in _table().get(path, ()) if place != path))


# The names of Python's own functions and types that a module of TensorFlow has, too. Where the names are searched for
# in one module only, that says it.
_PYTHON_NAMES = {
    "python.ops.math_ops": {"abs", "complex", "pow", "range", "round"},
    "python.ops.standard_ops": {"abs", "complex", "pow", "range", "round", "slice", "tuple"},
    "python.ops.array_ops": {"slice"},
    "python.ops.control_flow_ops": {"tuple"},
    "python.framework.dtypes": {"bool"}}


def _is_in_star(module, path, name):
    if name.startswith("_"):
        return False
    places = _table().get(path, ())
    is_public_module = len(places) == 1 and places[0] not in (".", "raw_ops")
    if hasattr(builtins, name) and not is_public_module and name not in _PYTHON_NAMES.get(path, ()):
        return False
    found = getattr(module, name, None)
    is_module = isinstance(found, types.ModuleType)
    return found is not None and (not is_module or path.startswith("contrib") and _is_own(found))


def _is_own(module):
    return module.__name__.partition(".")[0] in (__package__, _TOP)


def star_names(module, path):
    """What `from module import *` imports: functions and classes, and the modules that all of them import."""
    names = {name for name in {*vars(module), *_row_names(path)} if _is_in_star(module, path, name)}
    if path.startswith("python.ops."):
        own = path.rpartition(".")[2]
        names |= {name for name in _modules_by_last_name() if name.endswith("_ops") and name != own}
        names |= {"ops", "dtypes", "nest", "tensor_shape", "tensor_util", "constant_op"}
    return sorted(names)


class _Module(types.ModuleType):
    """A module in which a function goes before a module of the same name that is imported below it."""

    def __setattr__(self, name, value):
        path = self.__name__.removeprefix(_TOP + ".")
        if isinstance(value, types.ModuleType) and path in _table():
            found = find(path, name)
            value = value if found is None or isinstance(found, types.ModuleType) else found
        super().__setattr__(name, value)


def new_module(name, path):
    """The module of a row, or a package around such."""
    module = _Module(name, f"TensorFlow's module {name}.")
    complete(module, path)
    return module
