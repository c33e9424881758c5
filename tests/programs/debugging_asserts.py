"""tf.debugging: what is decided while the graph is built, and what becomes operations."""
import tensorflow as tf
from program import feeds


def _pair(dtype=tf.float32, shape=(3,)):
    return tf.placeholder(dtype, shape, name="x"), tf.placeholder(dtype, shape, name="y")


def program_assert_equal():
    x, y = _pair()
    with tf.control_dependencies([tf.assert_equal(x, y)]):
        z = tf.identity(x)
    return feeds({x: [1, 2, 3], y: [1, 2, 3]}, z=z)


def program_assert_equal_same_tensor():
    x, _ = _pair()
    with tf.control_dependencies([tf.assert_equal(x, x), tf.debugging.assert_equal(x, x, name="same")]):
        z = tf.identity(x)
    return feeds({x: [1, 2, 3]}, z=z)


def program_assert_equal_known():
    with tf.control_dependencies([tf.assert_equal([1, 2], [1, 2]), tf.assert_equal(1.0, [1.0, 1.0], name="e")]):
        return {"z": tf.no_op()}


def program_assert_none_equal():
    x, y = _pair(tf.int32)
    with tf.control_dependencies([tf.debugging.assert_none_equal(x, y, message="none")]):
        return feeds({x: [1, 2, 3], y: [3, 1, 2]}, z=tf.identity(y))


def program_assert_less_data():
    x, y = _pair()
    check = tf.assert_less(x, y, data=["a", x], summarize=5, message="hm", name="foo")
    return feeds({x: [1, 2, 3], y: [2, 3, 4]}, z=check)


def program_assert_less_equal():
    x, y = _pair(shape=None)
    return feeds({x: [1, 2, 3], y: 3}, z=tf.assert_less_equal(x, y))


def program_assert_greater():
    x, y = _pair(tf.float64)
    with tf.name_scope("outer"):
        checks = [tf.assert_greater(x, y), tf.assert_greater_equal(x, y, summarize=1)]
    return feeds({x: [2, 3, 4], y: [1, 2, 3]}, z=tf.group(*checks))


def program_assert_greater_known():
    return {"z": [tf.assert_greater([2, 3], 1), tf.assert_greater_equal(2, 2)]}


def program_signs():
    x, y = _pair()
    return feeds({x: [1, 2, 3], y: [-1, -2, -3]}, z=[
        tf.assert_positive(x), tf.assert_non_negative(x, message="nn"),
        tf.assert_negative(y, message="neg"), tf.assert_non_positive(y, name="np", summarize=2)])


def program_signs_data():
    x, _ = _pair(tf.int64, None)
    return feeds({x: 3}, z=[tf.assert_positive(x, data=["bad", x]), tf.assert_non_negative(x, data=[x])])


def program_signs_known():
    return {"z": [tf.assert_positive([1, 2]), tf.assert_negative(-1.5), tf.assert_non_negative([0, 1]),
                  tf.assert_non_positive([0.0])]}


def program_assert_near():
    x, y = _pair()
    return feeds({x: [1, 2, 3], y: [1, 2, 3]}, z=tf.debugging.assert_near(x, y))


def program_assert_near_tolerances():
    x, y = _pair(tf.float64)
    return feeds({x: [1, 2, 3], y: [1.1, 2, 3]}, z=[
        tf.assert_near(x, y, rtol=0.1, atol=0.2, message="m"),
        tf.assert_near(x, y, rtol=x, atol=tf.constant(0.5, tf.float64), name="n")])


def program_assert_near_scalars():
    return {"z": tf.assert_near(1.0, 1.0)}


def program_assert_near_half():
    x, y = _pair(tf.float16, [])
    return feeds({x: 1, y: 1}, z=tf.assert_near(x, y))


def program_rank_unknown():
    x = tf.placeholder(tf.float32)
    return feeds({x: [[1.0]]}, z=[tf.assert_rank(x, 2), tf.assert_rank_at_least(x, 1, message="mm"),
                                 tf.assert_rank_in(x, (1, 2))])


def program_rank_known():
    x = tf.placeholder(tf.float32, [2])
    return {"z": [tf.assert_rank(x, 1), tf.assert_rank_at_least(x, 0), tf.assert_rank_in(x, [1, 3]),
                  tf.assert_rank(3, 0)]}


def program_rank_fed():
    x = tf.placeholder(tf.float32)
    rank = tf.placeholder(tf.int32, [])
    return feeds({x: [1.0], rank: 1}, z=[tf.assert_rank(x, rank), tf.assert_rank_in(x, (rank, 3)),
                                        tf.assert_rank_at_least(x, rank, data=["rank", rank])])


def program_rank_of_unknown_rank():
    x = tf.placeholder(tf.float32)
    rank = tf.placeholder(tf.int32)
    return feeds({x: [1.0], rank: 1}, z=tf.assert_rank(x, rank))


def program_types():
    x = tf.placeholder(tf.int32, [3])
    return {"z": [tf.assert_integer(x), tf.assert_type(x, tf.int32), tf.assert_integer(3, name="i"),
                  tf.assert_type([1.0], tf.float32, message="m", name="t")]}


def program_scalar():
    k = tf.constant(2, name="k")
    return {"z": [tf.assert_scalar(3), tf.assert_scalar(k), tf.debugging.assert_scalar(4.0, name="s")]}


def program_same_float_dtype():
    x, y = _pair()
    return {"names": [tf.assert_same_float_dtype([x, y]).name,
                      tf.debugging.assert_same_float_dtype(dtype=tf.float64).name,
                      tf.debugging.assert_same_float_dtype().name,
                      tf.debugging.assert_same_float_dtype([x, None]).name],
            "numeric": [tf.is_numeric_tensor(x), tf.is_numeric_tensor(3),
                        tf.debugging.is_numeric_tensor(tf.constant(True))]}


def program_all_finite():
    x, y = _pair()
    return feeds({x: [1, 2, 3]}, z=[tf.verify_tensor_all_finite(x, "msg"),
                                   tf.verify_tensor_all_finite(x=[1.0], message="s", name="g"),
                                   tf.debugging.assert_all_finite(x, "t"),
                                   tf.check_numerics(x, "u"), tf.debugging.check_numerics([1.0], "v", name="w")])


def program_add_check_numerics_ops():
    x = tf.placeholder(tf.float32, [5], name="x")
    z = tf.raw_ops.Cast(x=x * 2.0, DstT=tf.int32)
    return feeds({x: [1, 2, 3, 4, 5]}, z=z, checks=tf.add_check_numerics_ops())


def program_add_check_numerics_ops_empty():
    tf.constant(3)
    return {"z": tf.add_check_numerics_ops()}


def program_ordered():
    x = tf.placeholder(tf.int32, name="x")
    y = tf.placeholder(tf.float32, [2, 2], name="y")
    return [feeds({x: [1, 2, 2], y: [[1, 2], [3, 4]]}, z=[tf.is_non_decreasing(x), tf.is_strictly_increasing(x),
                                                         tf.is_non_decreasing(y, name="nd"),
                                                         tf.math.is_strictly_increasing(y)]),
            feeds({x: [3]}, z=tf.is_non_decreasing(x))]


def program_ensure_shape():
    x = tf.placeholder(tf.float32, [None, 3])
    y = tf.ensure_shape(x, [2, 3])
    return feeds({x: [[1, 2, 3], [4, 5, 6]]}, y=y, shape=str(y.shape))


def program_assert():
    x = tf.placeholder(tf.float32, [])
    return feeds({x: 3}, z=[tf.Assert(x > 2.0, [x]), tf.Assert(x > 2.0, ["text", 3], summarize=5, name="a"),
                           tf.debugging.Assert(tf.constant(True), ["t", x])])


def program_assert_inside_cond():
    x = tf.placeholder(tf.float32, [])

    def checked():
        with tf.control_dependencies([tf.assert_positive(x)]):
            return tf.identity(x)

    return feeds({x: 3}, z=tf.cond(x > 0.0, checked, lambda: -x))


def program_shapes_known():
    x, y = tf.placeholder(tf.float32, [2, 3]), tf.placeholder(tf.float32, [2])
    return {"z": tf.debugging.assert_shapes([(x, ("N", 3)), (y, ("N",))])}


def program_shapes_partly_known():
    x, y = tf.placeholder(tf.float32, [None, 3]), tf.placeholder(tf.float32, [None])
    z = tf.debugging.assert_shapes([(x, ("N", 3)), (y, ("N",))], message="m")
    return feeds({x: [[1, 2, 3]], y: [1]}, z=z)


def program_shapes_unknown():
    x, y = tf.placeholder(tf.float32), tf.placeholder(tf.float32)
    z = tf.debugging.assert_shapes([(x, ("N", "Q")), (y, ("N", 3))])
    return feeds({x: [[1, 2]], y: [[1, 2, 3]]}, z=z)


def program_shapes_of_scalars():
    x = tf.placeholder(tf.float32)
    return feeds({x: 3}, z=tf.debugging.assert_shapes([(x, ())]))


def program_shapes_anything():
    x = tf.placeholder(tf.float32, [None, 3])
    return {"z": [tf.debugging.assert_shapes([(x, ("N", None)), (x, (None, "."))]), tf.debugging.assert_shapes([])]}
