"""tf.TensorShape and tf.Dimension: arithmetic, merging, and what they say of themselves."""
import tensorflow as tf


def _tell(function):
    try:
        return repr(function())
    except Exception as error:
        return type(error).__name__ + ": " + str(error)


def program_making_shapes():
    makers = [lambda: tf.TensorShape(None), lambda: tf.TensorShape([]), lambda: tf.TensorShape([1, None, 3]),
              lambda: tf.TensorShape(7), lambda: tf.TensorShape((tf.Dimension(2), tf.Dimension(None))),
              lambda: tf.TensorShape(tf.TensorShape([2, 3])), lambda: tf.TensorShape([1, None]).as_proto(),
              lambda: tf.TensorShape(tf.TensorShape([1, None]).as_proto()),
              lambda: tf.TensorShape([-1]), lambda: tf.TensorShape(["x"]), lambda: tf.TensorShape(tf.Dimension(4))]
    return {"told": [_tell(make) for make in makers]}


def program_text():
    shapes = [tf.TensorShape(None), tf.TensorShape([]), tf.TensorShape([1]), tf.TensorShape([1, None, 3])]
    return {"str": [str(s) for s in shapes], "repr": [repr(s) for s in shapes]}


def program_queries():
    full, part, unknown = tf.TensorShape([2, 3]), tf.TensorShape([None, 3]), tf.TensorShape(None)
    shapes = (full, part, unknown, tf.TensorShape([]), tf.TensorShape([0, 4]))
    return {"ndims": [repr(s.ndims) for s in shapes], "rank": [repr(s.rank) for s in shapes],
            "elements": [repr(s.num_elements()) for s in shapes],
            "defined": [s.is_fully_defined() for s in shapes], "truth": [bool(s) for s in shapes],
            "dims": [repr(s.dims) for s in shapes], "lists": [_tell(s.as_list) for s in shapes],
            "lengths": [_tell(lambda: len(s)) for s in shapes]}


def program_items():
    full, unknown = tf.TensorShape([2, None, 4]), tf.TensorShape(None)
    asks = [lambda: full[0], lambda: full[1], lambda: full[-1], lambda: full[0:2], lambda: full[1:],
            lambda: full[:-1], lambda: full[5], lambda: unknown[0], lambda: unknown[2:5],
            lambda: unknown[1:], lambda: unknown[:3], lambda: full[::2], lambda: list(full), lambda: list(unknown)]
    return {"told": [_tell(ask) for ask in asks]}


def program_equality():
    a, b = tf.TensorShape([2, 3]), tf.TensorShape([2, None])
    asks = [lambda: a == tf.TensorShape([2, 3]), lambda: a == [2, 3], lambda: a == (2, 3), lambda: a != [2, 4],
            lambda: a == b, lambda: b == tf.TensorShape([2, None]), lambda: tf.TensorShape(None) == tf.TensorShape(None),
            lambda: a == "x", lambda: a is None, lambda: a == tf.TensorShape(None)]
    return {"told": [_tell(ask) for ask in asks]}


def program_merging():
    a, b = tf.TensorShape([2, None]), tf.TensorShape([None, 3])
    asks = [lambda: a.merge_with(b), lambda: a.merge_with([4, 3]), lambda: a.merge_with(None),
            lambda: tf.TensorShape(None).merge_with(b), lambda: a.merge_with([2]),
            lambda: a.concatenate(b), lambda: a.concatenate(None), lambda: a.concatenate(5),
            lambda: a.concatenate([6, 7]),
            lambda: a.most_specific_compatible_shape(b), lambda: a.most_specific_compatible_shape([2, 5]),
            lambda: a.most_specific_compatible_shape(None), lambda: a.most_specific_compatible_shape([2])]
    return {"told": [_tell(ask) for ask in asks]}


def program_ranks():
    a, unknown = tf.TensorShape([2, None]), tf.TensorShape(None)
    asks = [lambda: a.with_rank(2), lambda: a.with_rank(3), lambda: unknown.with_rank(2),
            lambda: a.with_rank_at_least(2), lambda: a.with_rank_at_least(3), lambda: a.with_rank_at_most(1),
            lambda: a.with_rank_at_most(2), lambda: unknown.with_rank_at_least(1),
            lambda: a.assert_has_rank(2), lambda: a.assert_has_rank(1), lambda: unknown.assert_has_rank(1),
            lambda: a.assert_same_rank([1, 2]), lambda: a.assert_same_rank([1])]
    return {"told": [_tell(ask) for ask in asks]}


def program_compatibility():
    a = tf.TensorShape([2, None])
    asks = [lambda: a.is_compatible_with([2, 9]), lambda: a.is_compatible_with([3, 9]),
            lambda: a.is_compatible_with(None), lambda: a.is_compatible_with([2]),
            lambda: a.assert_is_compatible_with([2, 1]), lambda: a.assert_is_compatible_with([3, 1]),
            lambda: a.assert_is_fully_defined(), lambda: tf.TensorShape([1]).assert_is_fully_defined()]
    return {"told": [_tell(ask) for ask in asks]}


def program_hashes():
    a = tf.TensorShape([2, 3])
    return {"told": [_tell(lambda: hash(a) == hash(tf.TensorShape([2, 3]))),
                     _tell(lambda: len({a, tf.TensorShape([2, 3]), tf.TensorShape([3, 2])}))]}


def program_dimensions():
    five, unknown = tf.Dimension(5), tf.Dimension(None)
    asks = [lambda: five + 2, lambda: 2 + five, lambda: five - 2, lambda: 7 - five, lambda: five * 2,
            lambda: 2 * five, lambda: five // 2, lambda: 11 // five, lambda: five % 2, lambda: 7 % five,
            lambda: five + unknown, lambda: unknown * 2, lambda: five // 0, lambda: five / 2, lambda: 2 / five,
            lambda: five + None, lambda: five + "x", lambda: five - 7, lambda: 3 - five]
    return {"told": [_tell(ask) for ask in asks]}


def program_dimension_comparisons():
    five, unknown = tf.Dimension(5), tf.Dimension(None)
    asks = [lambda: five == 5, lambda: five != 5, lambda: five == unknown, lambda: unknown == unknown,
            lambda: five < 6, lambda: five <= unknown, lambda: five > 4, lambda: five >= tf.Dimension(6),
            lambda: five == None, lambda: five == "x", lambda: five < "x"]
    return {"told": [_tell(ask) for ask in asks]}


def program_dimension_values():
    asks = [lambda: tf.Dimension(3).value, lambda: tf.Dimension(None).value, lambda: int(tf.Dimension(3)),
            lambda: tf.Dimension(-1), lambda: tf.Dimension("x"), lambda: tf.Dimension(tf.Dimension(4)),
            lambda: range(tf.Dimension(3)), lambda: [1, 2, 3][tf.Dimension(1)],
            lambda: tf.Dimension(3).merge_with(None), lambda: tf.Dimension(3).merge_with(4),
            lambda: tf.Dimension(3).is_compatible_with(None), lambda: tf.Dimension(3).is_compatible_with(4),
            lambda: tf.Dimension(3).assert_is_compatible_with(4), lambda: str(tf.Dimension(None)),
            lambda: str(tf.Dimension(8)), lambda: bool(tf.Dimension(0)), lambda: tf.Dimension(2.5)]
    return {"told": [_tell(ask) for ask in asks]}


def program_dimension_helpers():
    s = tf.TensorShape([4, None])
    asks = [lambda: tf.dimension_value(s[0]), lambda: tf.dimension_value(s[1]), lambda: tf.dimension_value(3),
            lambda: tf.dimension_value(None), lambda: tf.dimension_at_index(s, 0),
            lambda: tf.compat.dimension_at_index(s, 1), lambda: tf.dimension_at_index(tf.TensorShape(None), 3),
            lambda: tf.compat.dimension_value(s[0])]
    return {"told": [_tell(ask) for ask in asks]}


def program_shapes_of_tensors():
    x = tf.placeholder(tf.float32, [None, 3], name="x")
    y = tf.placeholder(tf.float32, name="y")
    told = [repr(x.shape), repr(x.get_shape()), repr(y.shape), repr(x.shape[1].value), str(y.get_shape())]
    y.set_shape([4, None])
    told += [repr(y.shape)]
    y.set_shape([None, 5])
    told += [repr(y.shape), _tell(lambda: y.set_shape([9, 9])), _tell(lambda: y.set_shape([1]))]
    y.set_shape(None)
    return {"told": told + [repr(y.shape)], "z": tf.matmul([[1.0, 2.0]], [[3.0], [4.0]])}


def program_shapes_in_ops():
    x = tf.placeholder(tf.float32, [None, 4], name="x")
    flat = tf.raw_ops.Reshape(tensor=x, shape=[-1, x.shape[1].value // 2])
    filled = tf.constant([1, 2, 3, 4], shape=[tf.Dimension(2), 2])
    pairs = tf.constant([1.0, 2.0], shape=tf.TensorShape([1, 2]))
    return {"shape": repr(flat.shape), "filled": filled, "pairs": pairs}
