"""Which functions are converted, and what calls from converted functions do."""

import functools
import inspect
import os
import sys
import sysconfig
import types
import weakref

from rill.autograph import _convert, _source

_STDLIB = tuple(sysconfig.get_paths()[key] for key in ("stdlib", "platstdlib"))
_UNCONVERTED_PACKAGES = ("rill", "tensorflow", "numpy", "six", "absl", "google", "_pytest", "pytest")
_PACKAGE = os.path.dirname(os.path.dirname(os.path.abspath(__file__))) + os.sep
_codes = weakref.WeakKeyDictionary()  # function's code: converted code, or None where it stays as it is
_made = weakref.WeakSet()  # converted code, that of functions inside included
_told = set()


def do_not_convert(func=None):
    """Decorates a function that is to be left as it is."""
    if func is None:
        return do_not_convert

    @functools.wraps(func)
    def unconverted(*args, **kwargs):
        return func(*args, **kwargs)

    unconverted._autograph_do_not_convert = True
    unconverted.__wrapped_unconverted__ = func
    return unconverted


def _stays(function):
    """Whether a Python function is called as it is."""
    if getattr(function, "_autograph_do_not_convert", False) or "ag__" in function.__code__.co_freevars:
        return True
    module = getattr(function, "__module__", None) or ""
    if module.partition(".")[0] in _UNCONVERTED_PACKAGES:
        return True
    filename = function.__code__.co_filename
    if filename.startswith(_PACKAGE):  # whatever module a decorator says
        return True
    in_library = filename.startswith(_STDLIB) and "site-packages" not in filename and "dist-packages" not in filename
    flags = inspect.CO_GENERATOR | inspect.CO_COROUTINE | inspect.CO_ASYNC_GENERATOR
    return in_library or bool(function.__code__.co_flags & flags)


def _converted_code(function):
    code = function.__code__
    if code not in _codes:
        try:
            _codes[code] = _convert.converted_code(function)
            _made.update(_source._codes(_codes[code]))
        except (OSError, SyntaxError, IndexError) as error:
            _warn(function, error)
            _codes[code] = None
    return _codes[code]


def _warn(function, error):
    if function.__code__ in _told:
        return
    _told.add(function.__code__)
    from rill import logging
    logging.warning("AutoGraph could not transform %s and will run it as-is.\nCause: %s", function, error)


def is_converted_code(code):
    """Whether the code came out of the conversion."""
    return "ag__" in code.co_freevars or code in _made


def _operators():
    from rill.autograph import _operators as operators
    return operators


def converted_function(function):
    """The function converted; itself where it stays as it is. Shares what it takes from outside with it."""
    if _stays(function):
        return function
    code = _converted_code(function)
    if code is None:
        return function
    cells = dict(zip(function.__code__.co_freevars, function.__closure__ or ()))
    cells["ag__"] = types.CellType(_operators())
    closure = tuple(cells[name] for name in code.co_freevars)
    made = types.FunctionType(code, function.__globals__, function.__name__, function.__defaults__, closure)
    made.__kwdefaults__ = function.__kwdefaults__
    made.__dict__.update(function.__dict__)
    made.__qualname__, made.__module__, made.__doc__ = function.__qualname__, function.__module__, function.__doc__
    made.__annotations__ = function.__annotations__
    made._autograph_do_not_convert = True
    return made


def converted_call(function, args, kwargs):
    """function(*args, **kwargs), converted on the way."""
    kwargs = kwargs or {}
    target = _converted(function)
    return target(*args, **kwargs)


def _converted(function):
    """What is called in the place of a callable."""
    if isinstance(function, types.BuiltinFunctionType) or isinstance(function, type):
        from rill.autograph import _builtins
        return _builtins.in_place_of(function)
    if isinstance(function, types.MethodType):
        inner = _converted(function.__func__)
        return function if inner is function.__func__ else types.MethodType(inner, function.__self__)
    if isinstance(function, types.FunctionType):
        return converted_function(function)
    if isinstance(function, functools.partial):
        return functools.partial(_converted(function.func), *function.args, **function.keywords)
    call = inspect.getattr_static(type(function), "__call__", None)
    if isinstance(call, types.FunctionType) and not _stays(call):
        return types.MethodType(converted_function(call), function)
    return function


def converted(function):
    """Any callable, converted."""
    return _converted(function)


def converted_in_function(function):
    """A function that a program hands over: converted where a function of the graph is built."""
    from rill import _rill
    return _converted(function) if _rill.has_functional_flow() else function


def converted_for_function(function, options=None):
    """What tf.function builds: the converted function, whose errors name the program's lines."""
    del options
    method = getattr(function, "__func__", None)
    if type(function).__name__ == "_WeakMethod":
        inner = _converted(method)
        target = lambda *args, **kwargs: inner(function.__self__, *args, **kwargs)  # noqa: E731
    else:
        target = _converted(function)

    def built(*args, **kwargs):
        from rill.autograph import _errors
        try:
            return target(*args, **kwargs)
        except Exception as error:
            told = _errors.told(error)
            if told is error:
                raise
            raise told.with_traceback(error.__traceback__) from None

    built.__name__ = getattr(function, "__name__", "function")
    return built


def is_converting():
    """Whether a converted function is being built."""
    frame = sys._getframe(1)
    while frame is not None:
        if "ag__" in frame.f_code.co_freevars:
            return True
        frame = frame.f_back
    return False
