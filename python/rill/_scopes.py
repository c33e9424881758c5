"""Context managers that act on the default graph."""

import contextlib as _contextlib

from rill import _rill


class name_scope:
    """Puts nodes made inside the block below `name`; `default_name` stands in for None.

    Where `values` holds tensors, their graph becomes the default one.
    """

    def __init__(self, name, default_name=None, values=None):
        self._name = default_name if name is None else name
        self._values = values
        if name is None and default_name is None and values is not None:
            raise ValueError(f"At least one of name ({name}) and default_name ({default_name}) "
                             "must be provided.")
        self._contexts = []

    @property
    def name(self):
        return self._name

    def __enter__(self):
        graph = _rill.graph_of_values(self._values or [])
        self._contexts = [graph.as_default(), graph.name_scope(self._name)]
        self._contexts[0].__enter__()
        try:
            return self._contexts[1].__enter__()
        except BaseException:
            self._contexts[0].__exit__(None, None, None)
            raise

    def __exit__(self, *exception):
        for context in reversed(self._contexts):
            context.__exit__(*exception)


def control_dependencies(control_inputs):
    """Nodes made inside the block run after `control_inputs`; None forgets outer blocks."""
    if _rill.executing_eagerly():  # what was made has run
        return _contextlib.nullcontext()
    return _rill.get_default_graph().control_dependencies(control_inputs)


def device(device_name_or_function):
    """Nodes made inside the block ask for this device."""
    return _rill.get_default_graph().device(device_name_or_function)


def colocate_with(op, ignore_existing=False):
    """Nodes made inside the block go where `op` goes."""
    return _rill.get_default_graph().colocate_with(op, ignore_existing)


def container(container_name):
    """State that ops made inside the block own is kept under this name."""
    return _rill.get_default_graph().container(container_name)


@_contextlib.contextmanager
def init_scope():
    """Nodes made inside the block wait for nothing around it and are part of no branch, loop or function."""
    graph = _rill.outermost_graph()
    scope = _rill.get_default_graph().get_name_scope()
    with graph.as_default(), graph.control_dependencies(None):
        with graph.name_scope(scope + "/" if scope else None):
            yield


@_contextlib.contextmanager
def op_scope(values, name, default_name=None):
    """name_scope with its arguments in another order."""
    with name_scope(name, default_name=default_name, values=values) as scope:
        yield scope
