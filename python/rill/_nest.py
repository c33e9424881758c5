"""Structures of lists, tuples, named tuples and dicts, flattened and built anew."""

from collections import abc


def is_nested(value):
    """Whether `value` is a structure rather than a leaf."""
    return isinstance(value, (list, tuple, abc.Mapping)) or _is_attrs(value)


def _is_attrs(value):
    return hasattr(type(value), "__attrs_attrs__")


def _attrs_names(value):
    return [field.name for field in type(value).__attrs_attrs__]


def _children(value):
    """The parts of a structure in order; those of a dict by sorted keys."""
    if isinstance(value, abc.Mapping):
        return [value[key] for key in _sorted_keys(value)]
    if _is_attrs(value):
        return [getattr(value, name) for name in _attrs_names(value)]
    return list(value)


def _sorted_keys(mapping):
    try:
        return sorted(mapping)
    except TypeError:
        raise TypeError("nest only supports dicts with sortable keys.") from None


def _like(value, children):
    if isinstance(value, abc.Mapping):
        by_key = dict(zip(_sorted_keys(value), children))
        return type(value)((key, by_key[key]) for key in value)
    if _is_attrs(value) or (isinstance(value, tuple) and hasattr(value, "_fields")):
        return type(value)(*children)
    return type(value)(children)


def flatten(structure):
    """All leaves in order."""
    if not is_nested(structure):
        return [structure]
    return [leaf for child in _children(structure) for leaf in flatten(child)]


def pack_sequence_as(structure, flat_sequence):
    """The leaves `flat_sequence` in the shape of `structure`."""
    leaves = list(flat_sequence)
    count = len(flatten(structure))
    if count != len(leaves):
        raise ValueError(f"Could not pack sequence. Structure had {count} elements, but "
                         f"flat_sequence had {len(leaves)} elements.  "
                         f"Structure: {structure}, flat_sequence: {leaves}.")
    iterator = iter(leaves)

    def build(part):
        return _like(part, [build(c) for c in _children(part)]) if is_nested(part) else next(iterator)

    return build(structure)


def map_structure(function, structure):
    """`function` of every leaf, in the same structure."""
    return pack_sequence_as(structure, [function(leaf) for leaf in flatten(structure)])


def assert_same_structure(first, second):
    """Raises ValueError when the shapes of two structures differ, TypeError when their types do."""

    def different(error, why):
        raise error("The two structures don't have the same nested structure.\n\n"
                    f"First structure: type={type(first).__name__} str={first}\n\n"
                    f"Second structure: type={type(second).__name__} str={second}\n\n"
                    f"More specifically: {why}")

    def compare(a, b):
        if is_nested(a) != is_nested(b):
            structure, leaf = (a, b) if is_nested(a) else (b, a)
            different(ValueError, f'Substructure "type={type(structure).__name__} str={structure}" '
                      f'is a sequence, while substructure "type={type(leaf).__name__} str={leaf}" '
                      "is not")
        if not is_nested(a):
            return
        both_dicts = isinstance(a, abc.Mapping) and isinstance(b, abc.Mapping)
        if type(a) is not type(b) and not both_dicts:
            different(TypeError, "The two namedtuples don't have the same sequence type. First "
                      f"structure type={type(a).__name__} str={a} has type {type(a).__name__}, "
                      f"while second structure type={type(b).__name__} str={b} has type "
                      f"{type(b).__name__}")
        if both_dicts and set(a) != set(b):
            different(ValueError, "The two dictionaries don't have the same set of keys. First "
                      f"structure has keys {list(a)}, while second structure has keys {list(b)}")
        ours, theirs = _children(a), _children(b)
        if len(ours) != len(theirs):
            different(ValueError, "The two structures don't have the same number of elements. "
                      f"First structure has {len(ours)} elements, second has {len(theirs)}")
        for x, y in zip(ours, theirs):
            compare(x, y)

    compare(first, second)
