"""tf.autograph: Python's control flow as ops. Rill follows Python's control flow while a graph is built and
does not rewrite functions, so that what asks for that is refused."""

from rill import _surface, errors


def set_verbosity(level, alsologtostdout=False):
    """Nothing is converted, so nothing is told."""


def trace(*args):
    """Writes its arguments while the graph is built."""
    print(*args)


def to_graph(entity, recursive=True, arg_values=None, arg_types=None,
             experimental_optional_features=None):
    """Converts a function; not supported."""
    raise errors.UnimplementedError(None, None, "tf.autograph.to_graph")


def to_code(entity, recursive=True, arg_values=None, arg_types=None, indentation="  ",
            experimental_optional_features=None):
    """Tells the source of a converted function; not supported."""
    raise errors.UnimplementedError(None, None, "tf.autograph.to_code")


__getattr__, __dir__ = _surface.members_of(__name__)
