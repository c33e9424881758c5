"""Functions on arrays that take any number of arguments."""

from rill import _rill


def meshgrid(*args, **kwargs):
    """The coordinates of all points of a grid, one tensor for each vector of `args`."""
    indexing, name = kwargs.pop("indexing", "xy"), kwargs.pop("name", "meshgrid")
    if kwargs:
        raise TypeError(f"'{next(iter(kwargs))}' is an invalid keyword argument for this function.")
    return _rill.functions.meshgrid_of(args, indexing, name)
