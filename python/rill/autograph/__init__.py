"""tf.autograph: Python's control flow as ops. Functions are rewritten so that their branches and loops ask, when
they come to them, whether what they depend on has a value."""

import functools

from rill import _surface
from rill.autograph import experimental as experimental


def set_verbosity(level, alsologtostdout=False):
    """How much of the conversion is told: nothing of it is."""


def trace(*args):
    """Writes its arguments while the graph is built."""
    print(*args)


def to_graph(entity, recursive=True, arg_values=None, arg_types=None, experimental_optional_features=None):
    """The function converted, for calls where a graph is built."""
    from rill.autograph import _api
    made = _api.converted(getattr(entity, "python_function", entity))

    @functools.wraps(made)
    def converted(*args, **kwargs):
        return made(*args, **kwargs)

    converted._autograph_do_not_convert = True
    return converted


def to_code(entity, recursive=True, arg_values=None, arg_types=None, indentation="  ",
            experimental_optional_features=None):
    """The source of the converted function."""
    from rill.autograph import _convert
    function = getattr(entity, "python_function", entity)
    return _convert.converted_text(getattr(function, "__func__", function))


__getattr__, __dir__ = _surface.members_of(__name__)
