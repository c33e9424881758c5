"""Structures of lists, tuples, named tuples, dicts and attrs objects, flattened and built anew."""

import collections as _collections
from collections import abc


_nested_classes = {list: True, tuple: True, dict: True}  # what is known of classes, which is asked for all the time


def is_nested(seq):
    """Whether `seq` is a structure rather than a leaf."""
    kind = type(seq)
    known = _nested_classes.get(kind)
    if known is not None:
        return known
    found = _is_nested(seq)
    if seq.__class__ is kind and len(_nested_classes) < 1000:  # it is no proxy of something else
        _nested_classes[kind] = found
    return found


def _is_nested(seq):
    if isinstance(seq, (str, bytes, bytearray)):
        return False
    return isinstance(seq, (abc.Sequence, abc.Mapping, abc.MappingView)) or is_attrs(seq)


def is_attrs(value):
    return hasattr(type(value), "__attrs_attrs__")


def is_namedtuple(value):
    return isinstance(value, tuple) and hasattr(value, "_fields")


def is_composite(value):
    """Whether `value` is one thing made of several tensors, as a SparseTensor is."""
    return hasattr(type(value), "_components")


def _opens(value, expand_composites):
    return is_nested(value) or (expand_composites and is_composite(value))


def is_sequence_or_composite(seq):
    return _opens(seq, True)


def _composite_parts(value):
    parts = [getattr(value, name) for name in type(value)._components]
    return [part for part in parts if part is not None]


def _sorted_keys(mapping):
    try:
        return sorted(mapping)
    except TypeError:
        raise TypeError("nest only supports dicts with sortable keys.") from None


def items(value):
    """The parts of a structure in order, each with its name or position; those of a dict by sorted keys."""
    if isinstance(value, abc.Mapping):
        return [(key, value[key]) for key in _sorted_keys(value)]
    if is_attrs(value):
        return [(field.name, getattr(value, field.name)) for field in type(value).__attrs_attrs__]
    if is_namedtuple(value):
        return list(zip(value._fields, value))
    if is_composite(value) and not is_nested(value):
        return list(enumerate(_composite_parts(value)))
    return list(enumerate(value))


def children(value):
    """The parts alone."""
    if isinstance(value, (list, tuple)):
        return value
    return [part for _, part in items(value)]


def like(value, parts):
    """A structure as `value` is, of other parts."""
    if isinstance(value, tuple):
        return type(value)(*parts) if hasattr(value, "_fields") else type(value)(parts)
    if isinstance(value, abc.Mapping):
        by_key = dict(zip(_sorted_keys(value), parts))
        pairs = [(key, by_key[key]) for key in value]
        if isinstance(value, _collections.defaultdict):
            return type(value)(value.default_factory, pairs)
        return type(value)(pairs)
    if is_attrs(value) or is_namedtuple(value):
        return type(value)(*parts)
    if isinstance(value, (range, abc.MappingView)):
        return list(parts)
    if is_composite(value) and not is_nested(value):
        names = [n for n in type(value)._components if getattr(value, n) is not None]
        return type(value)(**dict(zip(names, parts)))
    return type(value)(parts)


def flatten(structure, expand_composites=False):
    """All leaves in order."""
    if not _opens(structure, expand_composites):
        return [structure]
    leaves = []
    _flatten_into(leaves, structure, expand_composites)
    return leaves


def _flatten_into(leaves, structure, expand_composites):
    for part in children(structure):
        if _opens(part, expand_composites):
            _flatten_into(leaves, part, expand_composites)
        else:
            leaves.append(part)


def pack_sequence_as(structure, flat_sequence, expand_composites=False):
    """The leaves `flat_sequence` in the form of `structure`."""
    if not is_nested(flat_sequence):
        raise TypeError(f"Attempted to pack value:\n  {flat_sequence}\ninto a structure, but found "
                        f"incompatible type `{type(flat_sequence)}` instead.")
    leaves = list(flat_sequence)
    if not _opens(structure, expand_composites):
        if len(leaves) != 1:
            raise ValueError(f"Structure is a scalar but len(flat_sequence) == {len(leaves)} > 1")
        return leaves[0]
    place = 0

    def build(part):
        nonlocal place
        if _opens(part, expand_composites):
            return like(part, [build(child) for child in children(part)])
        place += 1
        return leaves[place - 1] if place <= len(leaves) else None

    packed = build(structure) if leaves else None
    if place != len(leaves) or not leaves:
        count = len(flatten(structure, expand_composites))
        if count != len(leaves):
            raise ValueError(f"Could not pack sequence. Structure had {count} elements, but "
                             f"flat_sequence had {len(leaves)} elements.  "
                             f"Structure: {structure}, flat_sequence: {leaves}.")
    return packed if leaves else build(structure)


def _composite_names(value):
    """The attributes that are the tensors of a SparseTensor or IndexedSlices; () for other values."""
    kind = type(value).__name__
    if kind == "SparseTensor":
        return ("indices", "values", "dense_shape")
    if kind == "IndexedSlices":
        return ("values", "indices") + (() if value.dense_shape is None else ("dense_shape",))
    return ()


def is_ragged(value):
    """Whether it is a RaggedTensor, whose class knows this module."""
    return type(value).__name__ == "RaggedTensor"


def tensors_of(leaf):
    """The tensors that a leaf is made of: itself, or the parts of a sparse or ragged one."""
    if is_ragged(leaf):
        return [leaf.flat_values, *leaf.nested_row_splits]
    names = _composite_names(leaf)
    return [getattr(leaf, name) for name in names] if names else [leaf]


def flatten_tensors(structure):
    """All leaves in order, sparse and ragged ones as their tensors."""
    return [tensor for leaf in flatten(structure) for tensor in tensors_of(leaf)]


def pack_tensors(structure, tensors):
    """What flatten_tensors was given, made of other tensors."""
    iterator = iter(tensors)

    def rebuilt(leaf):
        if is_ragged(leaf):
            return leaf._of([next(iterator) for _ in tensors_of(leaf)])
        names = _composite_names(leaf)
        if not names:
            return next(iterator)
        return type(leaf)(**{name: next(iterator) for name in names})

    return map_structure(rebuilt, structure)


def map_structure(func, *structure, **kwargs):
    """`func` of the leaves at each place of structures of one form, in that form."""
    if not callable(func):
        raise TypeError(f"func must be callable, got: {func}")
    if not structure:
        raise ValueError("Must provide at least one structure")
    check_types = kwargs.pop("check_types", True)
    expand_composites = kwargs.pop("expand_composites", False)
    if kwargs:
        raise ValueError("Only valid keyword arguments are `check_types` and `expand_composites`, not: "
                         f"`{'`, `'.join(kwargs)}`")
    if len(structure) == 1 and not _opens(structure[0], expand_composites):
        return func(structure[0])
    for other in structure[1:]:
        assert_same_structure(structure[0], other, check_types, expand_composites)
    flat = [flatten(one, expand_composites) for one in structure]
    return pack_sequence_as(structure[0], [func(*leaves) for leaves in zip(*flat)], expand_composites)


def same_namedtuples(nest1, nest2):
    """Whether two named tuples, perhaps of different classes, have one name and the same fields."""
    return type(nest1).__name__ == type(nest2).__name__ and nest1._fields == nest2._fields


def _described(value):
    return f"type={type(value).__name__} str={value}"


class _Dot:
    def __repr__(self):
        return "."


def _outline(structure):
    return map_structure(lambda _: _Dot(), structure)


def assert_same_structure(nest1, nest2, check_types=True, expand_composites=False):
    """Raises ValueError when the forms of two structures differ, TypeError when their types do."""

    def different(error, why):
        raise error("The two structures don't have the same nested structure.\n\n"
                    f"First structure: {_described(nest1)}\n\nSecond structure: {_described(nest2)}\n\n"
                    f"More specifically: {why}\n"
                    f"Entire first structure:\n{_outline(nest1)}\n"
                    f"Entire second structure:\n{_outline(nest2)}")

    def compare_types(a, b):
        both_mappings = isinstance(a, abc.Mapping) and isinstance(b, abc.Mapping)
        alike = type(a) is type(b) or both_mappings or (
            is_namedtuple(a) and is_namedtuple(b) and same_namedtuples(a, b))
        if not alike:
            different(TypeError, "The two namedtuples don't have the same sequence type. First structure "
                      f"{_described(a)} has type {type(a).__name__}, while second structure "
                      f"{_described(b)} has type {type(b).__name__}")
        if both_mappings and set(a) != set(b):
            different(ValueError, "The two dictionaries don't have the same set of keys. First structure "
                      f"has keys {_described(list(a))}, while second structure has keys "
                      f"{_described(list(b))}")

    def compare(a, b):
        opens = [_opens(value, expand_composites) for value in (a, b)]
        if opens[0] != opens[1]:
            structure, leaf = (a, b) if opens[0] else (b, a)
            different(ValueError, f'Substructure "{_described(structure)}" is a sequence, while '
                      f'substructure "{_described(leaf)}" is not')
        if not opens[0]:
            return
        if check_types:
            compare_types(a, b)
        ours, theirs = children(a), children(b)
        if len(ours) != len(theirs):
            different(ValueError, "The two structures don't have the same number of elements. First "
                      f"structure: {_described(a)}. Second structure: {_described(b)}")
        for x, y in zip(ours, theirs):
            compare(x, y)

    compare(nest1, nest2)
