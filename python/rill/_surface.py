"""TensorFlow's public names: which modules there are, what is in them, and what is another name of what.

A function of the table of C++ (`_rill.functions`) is found under its path and all others that TensorFlow
has for it; so is whatever a file of this package with the module's name defines (rill/train.py).
"""

import importlib
import importlib.util
import pathlib
import sys
import types

from rill import _messages, _rill

_PACKAGE = __name__.rpartition(".")[0]


def _read():
    aliases, modules, groups = {}, set(), {}
    text = pathlib.Path(__file__).with_suffix(".tsv").read_text()
    for line in text.splitlines():
        path, kind, alias = line.split("\t")
        if kind:
            modules.add(path)
            continue
        aliases[path] = alias or path
        groups.setdefault(alias or path, []).append(path)
    return aliases, modules, groups


_ALIASES, _MODULES, _GROUPS = _read()


def names_in(path):
    """The public names below a module's path; "" is the top."""
    prefix = path + "." if path else ""
    return sorted(name.removeprefix(prefix) for name in [*_ALIASES, *_MODULES]
                  if name.startswith(prefix) and "." not in name.removeprefix(prefix))


def _module_at(path):
    """The package's module for a path, made on the fly where it has no file."""
    full = f"{_PACKAGE}.{path}" if path else _PACKAGE
    if full in sys.modules:
        return sys.modules[full]
    try:
        return importlib.import_module(full)
    except ModuleNotFoundError as error:
        if error.name is None or not (full + ".").startswith(error.name + "."):
            raise
    module = types.ModuleType(full, f"TensorFlow's module tf.{path}.")
    module.__path__ = []
    module.__getattr__, module.__dir__ = members_of(full)
    sys.modules[full] = module
    owner, _, name = path.rpartition(".")
    setattr(_module_at(owner), name, module)
    return module


def _find(path):
    """What stands behind a path, or None."""
    group = _ALIASES.get(path, path)
    for name in [group, *_GROUPS.get(group, [])]:
        function = _rill.find_function(name)
        if function is not None:
            return function
    for name in [path, group, *_GROUPS.get(group, [])]:
        owner, _, last = name.rpartition(".")
        found = vars(_module_at(owner)).get(last)
        if found is not None:
            return found
    return None


def members_of(module_name):
    """The __getattr__ and __dir__ of a module that is, or is to be, of this package."""
    path = module_name.removeprefix(_PACKAGE).removeprefix(".")
    shown = f"tensorflow.{path}" if path else "tensorflow"

    def getattr_(name):
        public = f"{path}.{name}" if path else name
        if public in _MODULES:
            found = _module_at(public)
        elif name.startswith("__"):
            found = None
        else:
            found = _find(public)
            if found is None:
                found = _messages.find(name)
            is_package = "__path__" in vars(sys.modules[module_name])
            if found is None and is_package and importlib.util.find_spec(f"{module_name}.{name}"):
                found = importlib.import_module(f"{module_name}.{name}")  # not in 1.15's list: tf.contrib
        if found is None:
            known = public in _ALIASES
            raise AttributeError(f"module '{shown}' has no attribute '{name}'"
                                 + (": Rill does not have it yet" if known else ""))
        setattr(sys.modules[module_name], name, found)
        return found

    def dir_():
        return sorted({*vars(sys.modules[module_name]), *names_in(path)})

    return getattr_, dir_
