"""Structures of the elements of datasets: tuples, named tuples, dicts and attrs objects. A list is a leaf."""

from collections import abc

from rill import _nest
from rill._sparse_tensor import SparseTensorValue


def is_nested(value):
    """Whether `value` is a structure rather than a leaf."""
    if isinstance(value, (list, SparseTensorValue)):
        return False
    return isinstance(value, (tuple, abc.Mapping)) or _nest.is_attrs(value)


def flatten(structure):
    """All leaves in order; those of a dict by sorted keys."""
    if not is_nested(structure):
        return [structure]
    return [leaf for part in _nest.children(structure) for leaf in flatten(part)]


def pack_sequence_as(structure, flat_sequence):
    """The leaves `flat_sequence` in the form of `structure`."""
    if not isinstance(flat_sequence, (list, tuple)):
        raise TypeError("flat_sequence must be a sequence")
    leaves = list(flat_sequence)
    if not is_nested(structure):
        if len(leaves) != 1:
            raise ValueError(f"Structure is a scalar but len(flat_sequence) == {len(leaves)} > 1")
        return leaves[0]
    count = len(flatten(structure))
    if count != len(leaves):
        raise ValueError(f"Could not pack sequence. Structure had {count} elements, but flat_sequence had "
                         f"{len(leaves)} elements. Structure: {structure}, flat_sequence: {leaves}.")
    iterator = iter(leaves)

    def build(part):
        if not is_nested(part):
            return next(iterator)
        return _nest.like(part, [build(child) for child in _nest.children(part)])

    return build(structure)


def _names(value):
    return sorted(value) if isinstance(value, abc.Mapping) else None


def assert_same_structure(nest1, nest2, check_types=True):
    """Raises ValueError or TypeError where the two are not of one form."""
    if is_nested(nest1) != is_nested(nest2):
        raise ValueError(f"The two structures don't have the same nested structure. First structure: {nest1}, "
                         f"second structure: {nest2}.")
    if not is_nested(nest1):
        return
    if check_types and type(nest1) is not type(nest2) and not (
            isinstance(nest1, abc.Mapping) and isinstance(nest2, abc.Mapping)):
        raise TypeError(f"The two structures don't have the same sequence type. First structure has type "
                        f"{type(nest1)}, while second structure has type {type(nest2)}.")
    parts1, parts2 = _nest.children(nest1), _nest.children(nest2)
    if len(parts1) != len(parts2) or _names(nest1) != _names(nest2):
        raise ValueError(f"The two structures don't have the same nested structure. First structure: {nest1}, "
                         f"second structure: {nest2}.")
    for part1, part2 in zip(parts1, parts2):
        assert_same_structure(part1, part2, check_types)


def map_structure(func, *structure, **check_types_dict):
    """`func` of the leaves at each place of structures of one form, in that form."""
    for other in structure[1:]:
        assert_same_structure(structure[0], other, check_types_dict.get("check_types", True))
    results = [func(*leaves) for leaves in zip(*map(flatten, structure))]
    return pack_sequence_as(structure[0], results)


def flatten_up_to(shallow_tree, input_tree):
    """The parts of `input_tree` that stand where `shallow_tree` has leaves."""
    if not is_nested(shallow_tree):
        return [input_tree]
    if not is_nested(input_tree):
        raise TypeError("If shallow structure is a sequence, input must also be a sequence. Input has type: "
                        f"'{type(input_tree).__name__}'.")
    shallow, parts = _nest.children(shallow_tree), _nest.children(input_tree)
    if len(shallow) != len(parts):
        raise ValueError("The two structures don't have the same sequence length. Input structure has length "
                         f"{len(parts)}, while shallow structure has length {len(shallow)}.")
    if _names(shallow_tree) != _names(input_tree):
        raise ValueError("The two structures don't have the same keys. Input structure has keys "
                         f"{_names(input_tree)}, while shallow structure has keys {_names(shallow_tree)}.")
    return [leaf for s, part in zip(shallow, parts) for leaf in flatten_up_to(s, part)]


def map_structure_up_to(shallow_tree, func, *inputs):
    """`func` of the parts that stand where `shallow_tree` has leaves, in its form."""
    if not inputs:
        raise ValueError("Cannot map over no sequences")
    results = [func(*parts) for parts in zip(*(flatten_up_to(shallow_tree, given) for given in inputs))]
    return pack_sequence_as(shallow_tree, results)
