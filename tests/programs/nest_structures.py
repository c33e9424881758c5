"""tf.nest: structures flattened, packed, mapped and compared."""
import collections

import tensorflow as tf

Point = collections.namedtuple("Point", ["x", "y"])


def _tell(function):
    try:
        return repr(function())
    except Exception as error:
        return type(error).__name__


def program_flatten():
    asks = [3, [1, [2, (3,)]], {"b": 1, "a": [2, 3]}, Point(1, [2]), (), [], {}, None, "text", [None, "x"], range(3),
            collections.OrderedDict([("z", 1), ("a", 2)]), {"k": Point(1, {"q": 2})}, {1, 2} == 0]
    return {"told": [_tell(lambda: tf.nest.flatten(a)) for a in asks]}


def program_is_nested():
    asks = [3, [1], (1,), {}, "text", b"bytes", Point(1, 2), None, {1, 2}, range(2), tf.constant(1.0)]
    return {"told": [tf.nest.is_nested(a) for a in asks]}


def program_pack():
    asks = [([1, [2, 3]], [4, 5, 6]), ({"b": 0, "a": 0}, [1, 2]), (Point(0, (0,)), ["p", "q"]), (7, ["leaf"]),
            (collections.OrderedDict([("z", 0), ("a", 0)]), [1, 2]), ([], []), (range(2), [8, 9])]
    wrong = [([1, 2], [1]), ([1], 5), (3, [1, 2])]
    return {"told": [_tell(lambda: tf.nest.pack_sequence_as(s, f)) for s, f in asks],
            "wrong": [_tell(lambda: tf.nest.pack_sequence_as(s, f)) for s, f in wrong]}


def program_map():
    f = lambda *v: sum(v)
    asks = [lambda: tf.nest.map_structure(f, [1, {"a": 2}], [3, {"a": 4}]), lambda: tf.nest.map_structure(f, 3),
            lambda: tf.nest.map_structure(f, Point(1, 2), Point(3, 4)), lambda: tf.nest.map_structure(f, [1], (2,)),
            lambda: tf.nest.map_structure(f, [1], (2,), check_types=False), lambda: tf.nest.map_structure(3, [1]),
            lambda: tf.nest.map_structure(f), lambda: tf.nest.map_structure(f, [1], nonsense=2),
            lambda: tf.nest.map_structure(f, [1, 2], [1])]
    return {"told": [_tell(ask) for ask in asks]}


def program_same_structure():
    same = tf.nest.assert_same_structure
    asks = [lambda: same([1, 2], [3, 4]), lambda: same([1, 2], (3, 4)), lambda: same([1], [1, 2]), lambda: same(1, [1]),
            lambda: same({"a": 1}, {"a": 2}), lambda: same({"a": 1}, {"b": 2}), lambda: same([1, 2], (3, 4), False),
            lambda: same(Point(1, 2), Point(3, 4)), lambda: same(Point(1, 2), (3, 4)),
            lambda: same({"a": [1]}, {"a": 1}), lambda: same({"a": 1}, collections.OrderedDict(a=1))]
    return {"told": [_tell(ask) for ask in asks]}


def program_of_tensors():
    structure = {"w": tf.constant(1.0, name="w"), "b": [tf.constant(2.0, name="b"), Point(tf.constant(3.0), 4.0)]}
    doubled = tf.nest.map_structure(lambda t: t * 2.0, structure)
    names = [t.name for t in tf.nest.flatten(doubled) if hasattr(t, "name")]
    return {"names": names, "values": [doubled["w"], doubled["b"][0], doubled["b"][1].x]}


def program_composites():
    s = tf.IndexedSlices(tf.constant([1.0], name="v"), tf.constant([0], name="i"))
    return {"plain": len(tf.nest.flatten([s, 1])), "expanded": [t.name for t in tf.nest.flatten(s, expand_composites=True)],
            "kind": type(tf.nest.map_structure(lambda t: t, s, expand_composites=True)).__name__}


def program_private_paths():
    from tensorflow.python.util import nest
    tree = {"a": [1, 2], "b": Point(3, 4)}
    asks = [lambda: nest.flatten_with_joined_string_paths(tree), lambda: nest.flatten_with_tuple_paths(tree),
            lambda: nest.map_structure_with_paths(lambda p, v: p + str(v), tree),
            lambda: nest.map_structure_with_tuple_paths(lambda p, v: (p, v), [1, [2]]),
            lambda: nest.flatten_up_to([0, 0], [[1, 2], {"a": 3}]), lambda: nest.flatten_up_to([0, [0]], [1, 2]),
            lambda: nest.map_structure_up_to([0, 0], lambda x, y: (x, y), [1, [2]], [3, 4]),
            lambda: nest.assert_shallow_structure([1], [1, 2]), lambda: nest.assert_shallow_structure([1, 2], [1, [2]]),
            lambda: nest.flatten_dict_items({(4, 5, (6, 8)): ("a", "b", ("c", "d"))}),
            lambda: nest.get_traverse_shallow_structure(lambda s: not isinstance(s, tuple), [1, (2, 3), [4]])]
    return {"told": [_tell(ask) for ask in asks]}
