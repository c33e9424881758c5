"""What tensorflow.python.util has for writers of libraries: deprecation, decorators, lazy modules."""

import collections
import functools
import importlib
import inspect
import types
from contextlib import contextmanager, nullcontext
from inspect import (currentframe, getargvalues, getcallargs, getdoc, getfile, getfullargspec, getmembers,
                     getmodule, getmro, getsource, isbuiltin, isclass, isframe, isfunction, isgenerator,
                     isgeneratorfunction, ismethod, ismodule, isroutine, signature, stack)

from rill import logging

_warned = set()


ArgSpec = collections.namedtuple("ArgSpec", "args varargs keywords defaults")  # Python's own until 3.11


def getargspec(obj):
    """The arguments of a function, without those by keyword only."""
    spec = getfullargspec(obj)
    return ArgSpec(spec.args, spec.varargs, spec.varkw, spec.defaults)


# --- deprecation ----------------------------------------------------------------------------------------------


def _place():
    frame = inspect.currentframe().f_back.f_back.f_back
    return f"{frame.f_code.co_filename}:{frame.f_lineno}"


def _warn_once(function, what, warn_once, date, instructions):
    if warn_once and (function, what) in _warned:
        return
    _warned.add((function, what))
    when = "in a future version" if date is None else f"after {date}"
    logging.warning("From %s: %s is deprecated and will be removed %s.\nInstructions for updating:\n%s",
                    _place(), what, when, instructions)


def deprecated(date, instructions, warn_once=True):
    """A function that warns when it is called."""
    if not instructions:
        raise ValueError("Don't deprecate things without conveying migration instructions! "
                         "Specify instructions.")

    def decorate(function):
        @functools.wraps(function)
        def run(*args, **kwargs):
            what = f"{function.__name__} (from {function.__module__})"
            _warn_once(function, what, warn_once, date, instructions)
            return function(*args, **kwargs)
        return run
    return decorate


def deprecated_args(date, instructions, *deprecated_arg_names_or_tuples, **kwargs):
    """A function that warns when it is called with certain arguments."""
    warn_once = kwargs.get("warn_once", True)
    names = [name[0] if isinstance(name, tuple) else name for name in deprecated_arg_names_or_tuples]

    def decorate(function):
        spec = inspect.signature(function)
        for name in names:
            if name not in spec.parameters and not has_kwargs(function):
                raise ValueError(f"The following deprecated arguments are not present in the function "
                                 f"signature: {[name]}.")

        @functools.wraps(function)
        def run(*args, **kwargs):
            given = spec.bind_partial(*args, **kwargs).arguments
            for name in names:
                if name in given:
                    what = f"calling {function.__name__} (from {function.__module__}) with {name}"
                    _warn_once(function, what, warn_once, date, instructions)
            return function(*args, **kwargs)
        return run
    return decorate


def deprecated_arg_values(date, instructions, warn_once=True, **deprecated_kwargs):
    """A function that warns when arguments have certain values."""

    def decorate(function):
        spec = inspect.signature(function)

        @functools.wraps(function)
        def run(*args, **kwargs):
            given = spec.bind_partial(*args, **kwargs).arguments
            for name, value in deprecated_kwargs.items():
                if name in given and given[name] == value:
                    what = f"calling {function.__name__} (from {function.__module__}) with {name}={value}"
                    _warn_once(function, what, warn_once, date, instructions)
            return function(*args, **kwargs)
        return run
    return decorate


def deprecated_argument_lookup(new_name, new_value, old_name, old_value):
    """The value that was given under the new name or the old one."""
    if old_value is not None:
        if new_value is not None:
            raise ValueError(f"Cannot specify both '{old_name}' and '{new_name}'")
        return old_value
    return new_value


def rewrite_argument_docstring(old_doc, old_argument, new_argument):
    return old_doc.replace(f"`{old_argument}`", f"`{new_argument}`").replace(f"{old_argument}:",
                                                                            f"{new_argument}:")


def deprecated_endpoints(*names):
    del names
    return lambda symbol: symbol


def silence():
    return nullcontext()


# --- decorators and modules -----------------------------------------------------------------------------------


def make_decorator(target, decorator_func, decorator_name=None, decorator_doc="", decorator_argspec=None):
    """`decorator_func`, which looks like `target`."""
    del decorator_name, decorator_doc
    functools.update_wrapper(decorator_func, target)
    if decorator_argspec is not None:
        decorator_func.__signature__ = signature(target)
    return decorator_func


def unwrap(maybe_tf_decorator):
    """(the decorators around a function, the function)."""
    decorators, function = [], maybe_tf_decorator
    while hasattr(function, "__wrapped__"):
        decorators.append(function)
        function = function.__wrapped__
    return decorators, function


def rewrap(decorator_func, previous_target, new_target):
    """`decorator_func` around another function."""
    function = decorator_func
    while getattr(function, "__wrapped__", None) not in (None, previous_target):
        function = function.__wrapped__
    function.__wrapped__ = new_target
    return decorator_func


def tf_export(*names, **options):
    """Names of symbols are in a table; nothing is exported by decorators."""
    del names, options
    return lambda symbol: symbol


keras_export = estimator_export = tf_export


def should_use_result(fn=None, warn_in_eager=False, error_in_function=False):
    del warn_in_eager, error_in_function
    return (lambda function: function) if fn is None else fn


class LazyLoader(types.ModuleType):
    """A module that is imported when it is first used."""

    def __init__(self, local_name, parent_module_globals, name, warning=None):
        self._local_name, self._parent, self._warning = local_name, parent_module_globals, warning
        super().__init__(name)

    def _load(self):
        module = importlib.import_module(self.__name__)
        self._parent[self._local_name] = module
        if self._warning:
            logging.warning(self._warning)
            self._warning = None
        self.__dict__.update(module.__dict__)
        return module

    def __getattr__(self, item):
        return getattr(self._load(), item)

    def __dir__(self):
        return dir(self._load())


def make_all(module_name, doc_string_modules=None):
    """The public names of a module."""
    import sys
    del doc_string_modules
    return [name for name in vars(sys.modules[module_name]) if not name.startswith("_")]


def remove_undocumented(module_name, allowed_exception_list=None, doc_string_modules=None):
    """Modules keep all their names."""
    del module_name, allowed_exception_list, doc_string_modules


# --- functions ------------------------------------------------------------------------------------------------


def fn_args(fn):
    """The names of a function's arguments, without self."""
    if isinstance(fn, functools.partial):
        names = fn_args(fn.func)[len(fn.args):]
        return tuple(name for name in names if name not in fn.keywords)
    if not inspect.isroutine(fn) and callable(fn):
        fn = fn.__call__
    if type(fn) is types.FunctionType and not hasattr(fn, "__wrapped__"):
        return fn.__code__.co_varnames[:fn.__code__.co_argcount]
    return tuple(name for name in getfullargspec(fn).args if not (inspect.ismethod(fn) and name == "self"))


def has_kwargs(fn):
    if isinstance(fn, functools.partial):
        fn = fn.func
    if not callable(fn):
        raise TypeError(f"fn should be a function-like object, but is of type {type(fn)}.")
    return getfullargspec(fn).varkw is not None


def get_func_name(func):
    while isinstance(func, functools.partial):
        func = func.func
    return getattr(func, "__name__", str(type(func)))
