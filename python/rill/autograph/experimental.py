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
    """Decorates a function that is to be left as it is."""
    from rill.autograph import _api
    return _api.do_not_convert(func)


def set_loop_options(parallel_iterations=None, back_prop=None, swap_memory=None, maximum_iterations=None,
                     shape_invariants=None):
    """At the beginning of a loop's body, says how the loop is built. Of a loop of Python's own nothing."""


__getattr__, __dir__ = _surface.members_of(__name__)
