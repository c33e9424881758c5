"""tf.autograph.experimental."""

import enum

from rill import _surface


class Feature(enum.Enum):
    """Parts of the conversion of functions."""

    ALL = "ALL"
    AUTO_CONTROL_DEPS = "AUTO_CONTROL_DEPS"
    ASSERT_STATEMENTS = "ASSERT_STATEMENTS"
    BUILTIN_FUNCTIONS = "BUILTIN_FUNCTIONS"
    EQUALITY_OPERATORS = "EQUALITY_OPERATORS"
    LISTS = "LISTS"
    NAME_SCOPES = "NAME_SCOPES"

    @classmethod
    def all(cls):
        """All of them."""
        return tuple(cls)

    @classmethod
    def all_but(cls, exclude):
        """All but these."""
        excluded = exclude if isinstance(exclude, (list, tuple, set)) else (exclude,)
        return tuple(set(cls.all()) - set(excluded) - {cls.ALL})


def do_not_convert(func=None):
    """Decorates a function that is to be left as it is, as all are."""
    return do_not_convert if func is None else func


def set_loop_options(parallel_iterations=None, back_prop=None, swap_memory=None,
                     maximum_iterations=None):
    """Loops of Python stay loops of Python, so that there is nothing to set."""


__getattr__, __dir__ = _surface.members_of(__name__)
