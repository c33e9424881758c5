"""Structures looked at down to the depth of a shallower one, and the paths to their leaves."""

from collections import abc

from rill import _nest
from rill._nest import is_nested


def assert_shallow_structure(shallow_tree, input_tree, check_types=True, expand_composites=False):
    """Raises TypeError or ValueError where `shallow_tree` is no upper part of `input_tree`."""
    if not _nest._opens(shallow_tree, expand_composites):
        return
    if not _nest._opens(input_tree, expand_composites):
        raise TypeError("If shallow structure is a sequence, input must also be a sequence. "
                        f"Input has type: {type(input_tree)}.")
    both_mappings = isinstance(shallow_tree, abc.Mapping) and isinstance(input_tree, abc.Mapping)
    if check_types and not both_mappings and not isinstance(input_tree, type(shallow_tree)):
        same = _nest.is_namedtuple(shallow_tree) and _nest.is_namedtuple(input_tree) and \
            _nest.same_namedtuples(shallow_tree, input_tree)
        if not same:
            raise TypeError("The two structures don't have the same sequence type. Input structure has type "
                            f"{type(input_tree)}, while shallow structure has type {type(shallow_tree)}.")
    if both_mappings:
        absent = sorted(set(shallow_tree) - set(input_tree))
        if absent:
            raise ValueError("The shallow_tree's keys are not a subset of the input_tree's keys. The "
                             "shallow_tree has the following keys that are not in the input_tree: "
                             f"{absent}.")
    elif len(_nest.children(shallow_tree)) != len(_nest.children(input_tree)):
        raise ValueError("The two structures don't have the same sequence length. Input structure has "
                         f"length {len(_nest.children(input_tree))}, while shallow structure has length "
                         f"{len(_nest.children(shallow_tree))}.")
    for shallow, part in _pairs(shallow_tree, input_tree):
        assert_shallow_structure(shallow, part, check_types, expand_composites)


def _pairs(shallow_tree, input_tree):
    if isinstance(shallow_tree, abc.Mapping) and isinstance(input_tree, abc.Mapping):
        return [(part, input_tree[key]) for key, part in _nest.items(shallow_tree)]
    return list(zip(_nest.children(shallow_tree), _nest.children(input_tree)))


def _walk(shallow_tree, input_tree, expand_composites, path=()):
    """(path, part) for every leaf of the shallow tree."""
    if not _nest._opens(shallow_tree, expand_composites):
        yield path, input_tree
        return
    names = [name for name, _ in _nest.items(shallow_tree)]
    for name, (shallow, part) in zip(names, _pairs(shallow_tree, input_tree)):
        yield from _walk(shallow, part, expand_composites, (*path, name))


def flatten_with_tuple_paths_up_to(shallow_tree, input_tree, check_types=True, expand_composites=False):
    assert_shallow_structure(shallow_tree, input_tree, check_types, expand_composites)
    return list(_walk(shallow_tree, input_tree, expand_composites))


def flatten_up_to(shallow_tree, input_tree, check_types=True, expand_composites=False):
    """The parts of `input_tree` that stand where `shallow_tree` has leaves."""
    pairs = flatten_with_tuple_paths_up_to(shallow_tree, input_tree, check_types, expand_composites)
    return [part for _, part in pairs]


def map_structure_with_tuple_paths_up_to(shallow_tree, func, *inputs, **kwargs):
    """func(path, *parts) for the parts where `shallow_tree` has leaves, in its form."""
    if not inputs:
        raise ValueError("Cannot map over no sequences")
    check_types = kwargs.pop("check_types", True)
    expand_composites = kwargs.pop("expand_composites", False)
    flat = [flatten_with_tuple_paths_up_to(shallow_tree, one, check_types, expand_composites)
            for one in inputs]
    results = [func(parts[0][0], *(part for _, part in parts), **kwargs) for parts in zip(*flat)]
    return _nest.pack_sequence_as(shallow_tree, results, expand_composites)


def map_structure_up_to(shallow_tree, func, *inputs, **kwargs):
    return map_structure_with_tuple_paths_up_to(
        shallow_tree, lambda _, *parts, **rest: func(*parts, **rest), *inputs, **kwargs)


def yield_flattened_paths(nest, expand_composites=False):
    """The path of every leaf."""
    for path, _ in _walk(nest, nest, expand_composites):
        yield path


yield_flat_paths = yield_flattened_paths


def flatten_with_tuple_paths(structure, expand_composites=False):
    return list(_walk(structure, structure, expand_composites))


def flatten_with_joined_string_paths(structure, separator="/", expand_composites=False):
    return [(separator.join(map(str, path)), leaf)
            for path, leaf in _walk(structure, structure, expand_composites)]


def map_structure_with_tuple_paths(func, *structure, **kwargs):
    """func(path, *leaves) in the form of the structures."""
    check_types = kwargs.get("check_types", True)
    expand_composites = kwargs.get("expand_composites", False)
    for other in structure[1:]:
        _nest.assert_same_structure(structure[0], other, check_types, expand_composites)
    return map_structure_with_tuple_paths_up_to(structure[0], func, *structure, **kwargs)


def map_structure_with_paths(func, *structure, **kwargs):
    return map_structure_with_tuple_paths(
        lambda path, *leaves, **rest: func("/".join(map(str, path)), *leaves, **rest), *structure, **kwargs)


def get_traverse_shallow_structure(traverse_fn, structure, expand_composites=False):
    """A structure of bools: how deep `traverse_fn` (a bool, or bools by part) wants to look."""
    wanted = traverse_fn(structure)
    if not _nest._opens(structure, expand_composites):
        if not isinstance(wanted, bool):
            raise TypeError(f"traverse_fn returned structure: {wanted} for non-structure: {structure}")
        return wanted
    parts = _nest.children(structure)
    if isinstance(wanted, bool):
        if not wanted:
            return False
        return _nest.like(structure, [get_traverse_shallow_structure(traverse_fn, part, expand_composites)
                                      for part in parts])
    assert_shallow_structure(wanted, structure, expand_composites=expand_composites)
    return _nest.like(structure, [
        get_traverse_shallow_structure(traverse_fn, part, expand_composites) if chosen else False
        for chosen, part in zip(_nest.flatten(wanted), parts)])


def flatten_dict_items(dictionary):
    """A dict whose keys and values are structures of one form, as a dict of their leaves."""
    if not isinstance(dictionary, abc.Mapping):
        raise TypeError("FlattenDictItems: 'dict' must be a dictionary or collection.Mapping type object, "
                        f"instead of '{type(dictionary).__name__}'.")
    flat = {}
    for key, value in dictionary.items():
        keys, values = ([key], [value]) if not is_nested(key) else (_nest.flatten(key), _nest.flatten(value))
        if len(keys) != len(values):
            raise ValueError(f"Could not flatten dictionary. Key had {len(keys)} elements, but value had "
                             f"{len(values)} elements. Key: {keys}, value: {values}.")
        for one_key, one_value in zip(keys, values):
            if one_key in flat:
                raise ValueError(f"Could not flatten dictionary: key {one_key} is not unique.")
            flat[one_key] = one_value
    return flat
