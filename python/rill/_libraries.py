"""Libraries of custom ops."""

import hashlib as _hashlib
import os as _os
import sys as _sys
import types as _types

from rill import _rill, errors


def _resolved(path):
    """The system would search its own folders for a name without a slash."""
    path = _os.fspath(path)
    if isinstance(path, bytes):
        path = path.decode()
    return _os.path.abspath(path) if _os.path.exists(path) else path


def load_op_library(library_filename):
    """Loads a library of custom ops; a module with one function for each op it registers.

    Raises errors.NotFoundError when it cannot be loaded, and the error of the registration when
    one of its ops or kernels is registered wrongly.
    """
    path = _resolved(library_filename)
    names = _rill.load_op_library(path)
    module_name = _hashlib.sha1(path.encode()).hexdigest()
    if module_name in _sys.modules:
        return _sys.modules[module_name]
    module = _types.ModuleType(module_name, f"The ops of {path}.")
    for name in names:
        if name.startswith("_"):
            continue
        function = _rill.op_function(name)
        setattr(module, function.__name__, function)
        setattr(module, name, function)
    module.__file__ = path
    _sys.modules[module_name] = module
    return module


def load_library(library_location):
    """Loads a library, or every library of a folder, for what it registers."""
    if not _os.path.exists(library_location):
        raise OSError(f"The file or folder to load kernel libraries from does not exist. "
                      f"{library_location}")
    paths = [library_location]
    if _os.path.isdir(library_location):
        paths = [_os.path.join(library_location, name)
                 for name in sorted(_os.listdir(library_location)) if name.endswith(".so")]
    for path in paths:
        _rill.load_op_library(_resolved(path))


def load_file_system_library(library_filename):
    """Loads a library that registers file systems."""
    _rill.load_op_library(_resolved(library_filename))
