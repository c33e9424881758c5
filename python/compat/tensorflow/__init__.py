"""`import tensorflow` resolves to Rill when this folder is on the path."""

import sys as _sys

import rill as _rill
from rill import _compat_protos
from rill.version import GIT_VERSION, VERSION

globals().update({name: value for name, value in vars(_rill).items() if not name.startswith("_")})
__version__, __git_version__ = VERSION, GIT_VERSION

_compat_protos.install()


def __getattr__(name):
    try:
        return getattr(_rill, name)
    except AttributeError as error:
        if name == "tf_logging":
            return _rill.logging
        if name in ("contrib", "python", "core"):
            import importlib
            return importlib.import_module(f"{__name__}.{name}")
        raise error.with_traceback(None) from None


def __dir__():
    return sorted({*globals(), *dir(_rill)})


_sys.modules[__name__ + ".compat.v1"] = _sys.modules[__name__]
