"""Makes every name of a module lead to one module object.

tensorflow.nn, tensorflow.compat.v1.nn, tensorflow_core.nn and rill.nn are one module, as are the modules below
them; none is executed twice, also when it is reloaded, since programs compare classes by identity.
"""

import importlib
import importlib.machinery
import importlib.util
import sys
import types

from rill import _surface, _v2

_PACKAGE = __name__.rpartition(".")[0]
_TOP = "tensorflow"
_TOPS = (_TOP, "tensorflow_core")
_VERSIONS = ("compat.v1", "_api.v1")  # packages that are the top package once more


def _without_versions(path):
    """compat.v1.nn as nn."""
    for version in _VERSIONS:
        if path == version or path.startswith(version + "."):
            return _without_versions(path[len(version) + 1:])
    return path


def _exists(name):
    if name in sys.modules:
        return True
    try:
        return importlib.util.find_spec(name) is not None
    except ModuleNotFoundError:
        return False


def _joined(package, path):
    return f"{package}.{path}" if path else package


def _foreign(path):
    """The name of a module of another package that ours shows under this path, as tf.test.mock; or None."""
    owner, _, last = path.rpartition(".")
    shown = vars(importlib.import_module(_joined(_PACKAGE, owner))).get(last) if owner in _surface._MODULES else None
    name = shown.__name__ if isinstance(shown, types.ModuleType) else _PACKAGE
    return name if name.partition(".")[0] not in (_PACKAGE, *_TOPS) else None


def _in_package(fullname, path):
    """The module of this package that tensorflow.<path> names, or None."""
    if foreign := _foreign(path):
        return foreign
    if path in _surface._MODULES or _v2.knows(path):
        return _joined(_PACKAGE, path)
    owner, _, last = fullname.rpartition(".")
    home = getattr(sys.modules.get(owner), "__name__", owner)  # a module of this package has its files below it
    if path == "contrib" or path.startswith("contrib."):
        home = _joined(_PACKAGE, path.rpartition(".")[0])
    name = f"{home}.{last}"
    return name if home.partition(".")[0] == _PACKAGE and _exists_as_file(name) else None


def _exists_as_file(name):
    owner, _, _ = name.rpartition(".")
    if not _exists(owner):
        return None
    path = getattr(importlib.import_module(owner), "__path__", None)
    return path is not None and importlib.machinery.PathFinder.find_spec(name, path) is not None


def _alias_of(fullname):
    """The name under which a module of tensorflow or tensorflow_core is loaded, where that is another one."""
    top, _, rest = fullname.partition(".")
    path = _without_versions(rest)
    if top != _TOP or path != rest:
        return _joined(_TOP, path) if _exists(_joined(_TOP, path)) else None
    return _in_package(fullname, path)


class _AliasLoader:
    """Puts the module of another name in the place of the one that is being loaded."""

    def __init__(self, name):
        self._name = name

    def create_module(self, spec):
        return None

    def exec_module(self, module):
        found = importlib.import_module(self._name)
        if not hasattr(found, "__path__") and found.__name__.partition(".")[0] in (_PACKAGE, *_TOPS):
            found.__path__ = []  # further modules may be below it in TensorFlow
        sys.modules[module.__spec__.name] = found


class _KeepingLoader:
    """Reloads a module by leaving it as it is."""

    def __init__(self, module):
        self._spec, self._loader = module.__spec__, getattr(module, "__loader__", None)

    def create_module(self, spec):
        return None

    def exec_module(self, module):
        module.__spec__, module.__loader__ = self._spec, self._loader


class _PublicLoader:
    """Makes a public module that has no file: its functions are in C++'s table."""

    def create_module(self, spec):
        return types.ModuleType(spec.name, f"TensorFlow's module tf.{spec.name.removeprefix(_PACKAGE + '.')}.")

    def exec_module(self, module):
        if _v2.knows(module.__name__.removeprefix(_PACKAGE + ".")):
            _v2.complete(module)
        else:
            module.__getattr__, module.__dir__ = _surface.members_of(module.__name__)


class _TableLoader:
    """Makes a module that is a row of _module_paths.tsv, or a package around such."""

    def create_module(self, spec):
        from rill import _module_paths
        return _module_paths.new_module(spec.name, spec.name.removeprefix(_TOP + "."))

    def exec_module(self, module):
        """Complete once created."""


class _ProgramLoader(_TableLoader):
    """A module of the table that `python -m` runs, too."""

    def __init__(self, place):
        self._module, _, self._function = place.partition(":")

    def get_code(self, fullname):
        """What __main__ then executes."""
        text = f"import sys\nfrom {_PACKAGE}.{self._module} import {self._function}\nsys.exit({self._function}())\n"
        return compile(text, fullname, "exec")


class _ContribLoader(importlib.machinery.SourceFileLoader):
    """Adds to a file of rill.contrib what the table of module paths says of it."""

    def exec_module(self, module):
        super().exec_module(module)
        from rill import _module_paths
        _module_paths.complete(module, module.__name__.removeprefix(_PACKAGE + "."))


def _package(fullname, loader):
    return importlib.machinery.ModuleSpec(fullname, loader, is_package=True)


def _table_spec(fullname, path):
    from rill import _module_extras, _module_paths
    if path in _module_extras.PROGRAMS:  # no package, or Python would look for __main__ in it
        return importlib.machinery.ModuleSpec(fullname, _ProgramLoader(_module_extras.PROGRAMS[path]))
    return _package(fullname, _TableLoader()) if _module_paths.knows(path) else None


def _contrib_spec(fullname, path):
    spec = importlib.machinery.PathFinder.find_spec(fullname, path)
    if spec is not None and spec.origin is not None and not fullname.rpartition(".")[2].startswith("_"):
        spec.loader = _ContribLoader(fullname, spec.origin)
    return spec


def _version_spec(fullname, path):
    name = _joined(_TOP if _TOP in sys.modules else _PACKAGE, _without_versions(path))
    return _package(fullname, _AliasLoader(name)) if _exists(name) else None


def _spec_as_loaded(fullname, module):
    spec = importlib.machinery.ModuleSpec(fullname, _KeepingLoader(module))
    spec.submodule_search_locations = vars(module).get("__path__")
    return spec


class AliasFinder:
    """Stands before the ordinary finder, which would load a file under each of its names."""

    def find_spec(self, fullname, path=None, target=None):
        top, _, rest = fullname.partition(".")
        if top == _PACKAGE and target is not None:
            return _spec_as_loaded(fullname, target)
        if top == _PACKAGE and rest:
            if rest.startswith(_VERSIONS):
                return _version_spec(fullname, rest)
            return _contrib_spec(fullname, path) if f"{rest}.".startswith("contrib.") else None
        if top not in _TOPS or not rest:
            return None
        alias = _alias_of(fullname)
        if alias is not None:
            return _package(fullname, _AliasLoader(alias))
        return _table_spec(fullname, rest) if top == _TOP else None


class PublicFinder:
    """Comes last: the modules of this package that have no file."""

    def find_spec(self, fullname, path=None, target=None):
        top, _, rest = fullname.partition(".")
        if top != _PACKAGE or not rest:
            return None
        if foreign := _foreign(rest):
            return _package(fullname, _AliasLoader(foreign))
        if rest in _surface._MODULES or _v2.knows(rest):
            return _package(fullname, _PublicLoader())
        from rill import _module_paths
        if _module_paths.knows(rest) and _exists(_joined(_TOP, rest)):
            return _package(fullname, _AliasLoader(_joined(_TOP, rest)))
        return None


def install():
    """Adds the finders, once."""
    if not any(isinstance(finder, AliasFinder) for finder in sys.meta_path):
        sys.meta_path.insert(0, AliasFinder())
        sys.meta_path.append(PublicFinder())


install()
