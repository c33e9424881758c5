"""Iterators in functions of the graph: each call begins with the first element."""

import itertools

from rill import _rill
from rill.data import _structure
from rill.data._iterator import Iterator

_count = itertools.count()


def make(dataset):
    """An iterator over `dataset` in the function that is being built."""
    spec = dataset.element_spec
    made = Iterator._of(_rill.data_iterator_from_structure(
        _structure.element_of(spec), f"_iterator_of_function_{next(_count)}"), spec)
    made.make_initializer(dataset)
    return made
