"""`tensorboard` where none is installed: the dashboard of this package, as far as notebooks know it."""

import importlib.abc
import importlib.machinery
import sys


class _Finder(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    """Asked last, so that an installed TensorBoard comes first."""

    def find_spec(self, fullname, path=None, target=None):
        if fullname in ("tensorboard", "tensorboard.notebook"):
            return importlib.machinery.ModuleSpec(fullname, self, is_package=fullname == "tensorboard")
        return None

    def exec_module(self, module):
        from rill import notebook
        for name in ("start", "display", "list", "load_ipython_extension"):
            setattr(module, name, getattr(notebook, name))
        if module.__name__ == "tensorboard":
            module.notebook = notebook


if not any(type(finder).__name__ == _Finder.__name__ and type(finder).__module__ == __name__ for finder in sys.meta_path):
    sys.meta_path.append(_Finder())
