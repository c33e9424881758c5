"""tf.contrib.framework's arg_scope: arguments that functions get where a call does not give them."""

import contextlib
import functools
import inspect

_scopes = [{}]
_decorated = {}


def _key(op):
    return getattr(op, "_key_op", str(op))


def arg_scope_func_key(op):
    """Under which key a scope has the arguments of a function."""
    return _key(op)


def current_arg_scope():
    """The arguments of the open scopes, by function."""
    return _scopes[-1]


def scope_arguments(func):
    """The arguments that the open scopes have for a function."""
    return current_arg_scope().get(_key(func), {})


def has_arg_scope(func):
    """Whether scopes apply to a function."""
    return _key(func) in _decorated


def arg_scoped_arguments(func):
    """The names of the arguments that scopes may give."""
    assert has_arg_scope(func)
    return _decorated[_key(func)]


def _merged(list_ops, arguments):
    scope = {key: dict(value) for key, value in current_arg_scope().items()}
    for op in list_ops:
        if not has_arg_scope(op):
            module, name = getattr(op, "__module__", ""), getattr(op, "__name__", str(op))
            raise ValueError(f"{(module, name)} is not decorated with @add_arg_scope")
        scope.setdefault(_key(op), {}).update(arguments)
    return scope


@contextlib.contextmanager
def arg_scope(list_ops_or_scope, **kwargs):
    """Inside, the functions get these arguments unless a call gives them; or a scope opened again."""
    if isinstance(list_ops_or_scope, dict):
        if kwargs:
            raise ValueError("When attempting to re-use a scope by suppling a dictionary, kwargs must "
                             "be empty.")
        scope = dict(list_ops_or_scope)
    elif isinstance(list_ops_or_scope, (list, tuple)):
        scope = _merged(list_ops_or_scope, kwargs)
    else:
        raise TypeError("list_ops_or_scope must either be a list/tuple or reused scope (i.e. dict)")
    _scopes.append(scope)
    try:
        yield scope
    finally:
        _scopes.pop()


def _named_arguments(func):
    return tuple(p.name for p in inspect.signature(func).parameters.values()
                 if p.default is not p.empty)


def add_arg_scope(func):
    """Lets arg_scope apply to a function."""
    @functools.wraps(func)
    def scoped(*args, **kwargs):
        given = current_arg_scope().get(_key(scoped))
        return func(*args, **({**given, **kwargs} if given else kwargs))
    scoped._key_op = getattr(func, "_key_op", str(func))
    _decorated[_key(scoped)] = _named_arguments(func)
    return scoped
