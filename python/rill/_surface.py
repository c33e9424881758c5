"""TensorFlow's public names: which modules there are, what is in them, and what is another name of what.

A function of the table of C++ (`_rill.functions`) is found under its path and all others that TensorFlow
has for it; so is whatever a file of this package with the module's name defines (rill/train.py).
"""

import importlib
import importlib.util
import pathlib
import sys

from rill import _absent, _messages, _rill

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
    """The package's module for a path; _module_finder.py makes those that have no file."""
    full = f"{_PACKAGE}.{path}" if path else _PACKAGE
    return sys.modules.get(full) or importlib.import_module(full)


def table_function(path):
    """A function of C++'s table by its path: what pickles name that is public nowhere."""
    return _rill.find_function(path)


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


def star_names(module, path):
    """What `from module import *` imports: TensorFlow's public names, as far as they are there."""
    names = [*names_in(path), *(() if path else ("contrib",))]  # tf.contrib is in no list of 1.15's
    return [name for name in names if not name.startswith("_") and hasattr(module, name)]


def members_of(module_name):
    """The __getattr__ and __dir__ of a module that is, or is to be, of this package."""
    path = module_name.removeprefix(_PACKAGE).removeprefix(".")
    shown = f"tensorflow.{path}" if path else "tensorflow"
    if any(below.startswith(path + ".") for below in _MODULES):
        vars(sys.modules[module_name]).setdefault("__path__", [])  # these modules have no files

    def getattr_(name):
        public = f"{path}.{name}" if path else name
        if name == "__all__":
            return star_names(sys.modules[module_name], path)
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
            raise _absent.error(shown, public, public in _ALIASES)
        setattr(sys.modules[module_name], name, found)
        return found

    def dir_():
        """What is there, not what TensorFlow has: programs ask for each name of a dir()."""
        module = sys.modules[module_name]
        return sorted(name for name in {*vars(module), *names_in(path)} if hasattr(module, name))

    return getattr_, dir_
