"""TensorFlow's modules by the paths that programs import: tensorflow.nn, tensorflow.python.ops.math_ops.

Public modules are those of this package. Those below tensorflow.python and tensorflow.contrib have no text of
their own: _module_paths.tsv says among which public names theirs are to be found; what is public nowhere is in
_module_extras.py, and ops are there under their own names (gen_math_ops.mat_mul).
"""

import functools
import importlib
import importlib.abc
import importlib.machinery
import importlib.util
import operator
import pathlib
import sys
import types

from rill import _module_extras, _rill, _surface

_TOP = "tensorflow"
_ALIASES = ("compat.v1", "_api.v1")  # packages that are the top package once more


@functools.cache
def _table():
    lines = pathlib.Path(__file__).with_suffix(".tsv").read_text().splitlines()
    return {path: places.split() for path, places in (line.split("\t") for line in lines)}


@functools.cache
def _packages():
    """The packages around the modules of the table."""
    parts = [path.split(".") for path in _table()]
    return {".".join(part[:depth]) for part in parts for depth in range(1, len(part))} | {"_api", "contrib"}


@functools.cache
def _op_names():
    """The names of ops as functions have them: mat_mul is MatMul."""
    return _rill.op_function_names()


@functools.cache
def _has_file(path):
    """Whether a module of tf.contrib is one of this package alone."""
    return path.startswith("contrib.") and path.count(".") == 1 and path not in _table() and \
        importlib.util.find_spec(f"{__package__}.{path}") is not None


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
        if place != "raw_ops":
            found = _public(place, name)
            if found is not None:
                return found
    return _op(name) if path.startswith(("python.ops.", "python.training.")) else None


def _fill(module, path):
    """Gives a module the names of its row; they are looked up when they are asked for."""

    def getattr_(name):
        found = None if name.startswith("__") else find(path, name)
        if found is None:
            raise AttributeError(f"module '{_TOP}.{path}' has no attribute '{name}'"
                                 + ("" if name.startswith("__") else ": Rill does not have it"))
        setattr(module, name, found)
        return found

    def dir_():
        names = set(vars(module)) | set(_module_extras.NAMES.get(path, {}))
        for place in _table()[path]:
            names |= set(_op_names() if place == "raw_ops" else _surface.names_in("" if place == "." else place))
        return sorted(names)

    module.__getattr__, module.__dir__ = getattr_, dir_


def _fill_package(module, path):
    """Modules of a package are attributes of it without being imported first."""

    def getattr_(name):
        below = f"{path}.{name}"
        if below in _table() or below in _packages() or _has_file(below):
            return importlib.import_module(f"{_TOP}.{below}")
        hint = ": Rill does not have it" if not name.startswith("__") else ""
        raise AttributeError(f"module '{_TOP}.{path}' has no attribute '{name}'{hint}")

    module.__getattr__ = getattr_


class _Module(types.ModuleType):
    """A module in which a function goes before a module of the same name that is imported below it."""

    def __setattr__(self, name, value):
        path = self.__name__.removeprefix(_TOP + ".")
        if isinstance(value, types.ModuleType) and path in _table():
            value = find(path, name) or value
        super().__setattr__(name, value)


class PathFinder(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    """Finds the modules of TensorFlow that exist as no file."""

    def find_spec(self, fullname, path=None, target=None):
        top, _, rest = fullname.partition(".")
        if top != _TOP or not rest:
            return None
        for alias in _ALIASES:
            if rest == alias or rest.startswith(alias + "."):
                return importlib.machinery.ModuleSpec(fullname, self, is_package=True) \
                    if self._known(rest.removeprefix(alias).removeprefix(".")) else None
        return importlib.machinery.ModuleSpec(fullname, self, is_package=True) if self._known(rest) else None

    @staticmethod
    def _known(path):
        return (path == "" or path in _surface._MODULES or path in _table() or path in _packages()
                or _has_file(path))

    def create_module(self, spec):
        path = spec.name.removeprefix(_TOP + ".")
        for alias in _ALIASES:
            if path == alias:
                return self._existing(sys.modules[_TOP])
            if path.startswith(alias + "."):
                return self._existing(importlib.import_module(f"{_TOP}.{path.removeprefix(alias + '.')}"))
        if path in _surface._MODULES or _has_file(path):
            return self._existing(_surface._module_at(path))
        module = _Module(spec.name, f"TensorFlow's module {spec.name}.")
        _fill(module, path) if path in _table() else _fill_package(module, path)
        return module

    def _existing(self, module):
        self._specs = getattr(self, "_specs", {})
        self._specs[module.__name__] = module.__spec__
        return module

    def exec_module(self, module):
        """Complete once created; a module that has another name keeps what it says of itself."""
        own = getattr(self, "_specs", {}).pop(module.__name__, None)
        if own is not None:
            module.__spec__ = own


def install():
    """Adds the finder, once. It comes last, so that modules that exist as files win."""
    if not any(isinstance(finder, PathFinder) for finder in sys.meta_path):
        sys.meta_path.append(PathFinder())
