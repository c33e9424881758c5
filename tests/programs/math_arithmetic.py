"""Adding, dividing and their relatives, as functions."""
import tensorflow as tf

from program import feeds


def program_basic():
    x, y = tf.constant([1.0, 2.0]), tf.constant([4.0, -3.0])
    return dict(add=tf.add(x, y), subtract=tf.subtract(x, y), multiply=tf.multiply(x, y),
                math_add=tf.math.add(x, 1.0), math_subtract=tf.math.subtract(x, [1, 2], name="less"),
                math_multiply=tf.math.multiply(2.0, x))


def program_add_in_scope():
    with tf.name_scope("sum"):
        a = tf.add(1.0, [2.0, 3.0])
        b = tf.add(a, a, name="twice")
    return dict(a=a, b=b, text=tf.add(tf.constant("a"), tf.constant("b")))


def program_add_n():
    x = tf.constant([1.0, 2.0])
    return dict(three=tf.add_n([x, x, x]), one=tf.add_n([x]), same=tf.add_n([x]) is x,
                named=tf.add_n([x], name="single"), sum=tf.math.add_n([x, [1.0, 1.0]], name="sum"))


def program_accumulate_n():
    a, b = tf.constant([[1, 2], [3, 4]]), tf.constant([[5, 0], [0, 6]])
    return dict(sum=tf.accumulate_n([a, b, a]), shaped=tf.math.accumulate_n([a, b], shape=[2, 2], tensor_dtype=tf.int32),
                one=tf.accumulate_n([a]))


def program_accumulate_n_named():
    a, b = tf.constant([1.0]), tf.constant([2.0])
    return dict(one=tf.accumulate_n([a], name="alone"), two=tf.accumulate_n([a, b], name="both"))


def program_div():
    x, y = tf.constant([7, -7]), tf.constant([2, 2])
    return dict(integers=tf.div(x, y), floats=tf.div(tf.constant([1.0, 3.0]), 2.0), named=tf.div(x, 2, name="half"))


def program_divide():
    x = tf.constant([7, -7])
    return dict(tensor=tf.divide(x, 2), named=tf.divide(x, 2, name="quotient"),
                left=tf.divide(1.0, tf.constant([2.0, 4.0])), numbers=tf.divide(6, 4))


def program_truediv():
    x = tf.constant([7, -7])
    return dict(wide=tf.truediv(x, [2, 4]), narrow=tf.truediv(tf.constant([7, 9], tf.int8), tf.constant([2, 2], tf.int8)),
                floats=tf.math.truediv(tf.constant([1.0]), 4.0), named=tf.truediv(x, x, name="ratio"),
                long=tf.truediv(tf.constant([3], tf.int64), tf.constant([2], tf.int64)))


def program_floordiv():
    x = tf.constant([7, -7])
    return dict(integers=tf.floordiv(x, 2), floats=tf.math.floordiv(tf.constant([7.5, -7.5]), 2.0, name="down"))


def program_no_nan():
    x, y = tf.constant([1.0, 2.0, 0.0]), tf.constant([0.0, 4.0, 0.0])
    return dict(div=tf.div_no_nan(x, y), divide=tf.math.divide_no_nan(x, y, name="safe"),
                multiply=tf.math.multiply_no_nan(x, y), reciprocal=tf.math.reciprocal_no_nan(y),
                named=tf.math.reciprocal_no_nan(y, name="inverse"))


def program_multiply_no_nan_of_infinity():
    x = tf.constant([float("inf"), float("nan"), 2.0])
    return dict(zero=tf.math.multiply_no_nan(x, [0.0, 0.0, 3.0], name="product"))


def program_scalar_mul():
    x = tf.constant([1.0, 2.0])
    return dict(number=tf.scalar_mul(3.0, x), tensor=tf.math.scalar_mul(tf.constant(2.0), x, name="double"))


def program_pow():
    x = tf.constant([2.0, 3.0])
    return dict(power=tf.pow(x, 3.0), integers=tf.math.pow([2, 3], [4, 2], name="whole"), root=tf.pow(x, [0.5, 0.5]))


def program_abs():
    return dict(floats=tf.abs(tf.constant([-1.5, 2.0])), integers=tf.math.abs([-3, 4], name="size"),
                numbers=tf.abs(tf.constant([3 + 4j, -5j])), wide=tf.abs(tf.constant([3 + 4j], tf.complex128)))


def program_equal():
    x = tf.constant([1, 2, 3])
    return dict(equal=tf.equal(x, 2), different=tf.not_equal(x, [1, 0, 3]), words=tf.equal(["a", "b"], "a"),
                math=tf.math.equal(x, x, name="same"), not_equal=tf.math.not_equal(x, 2))


def program_xdivy():
    x, y = tf.constant([0.0, 1.0]), tf.constant([0.0, 4.0])
    return dict(xdivy=tf.math.xdivy(x, y))


def program_clip_by_value():
    x = tf.constant([-3.0, 0.25, 7.0])
    return dict(clipped=tf.clip_by_value(x, -1.0, 1.0), named=tf.clip_by_value(x, 0, [1.0, 2.0, 3.0], name="limits"))


def program_clip_by_value_gradient():
    x = tf.constant([[-3.0, 0.25], [0.5, 7.0]])
    low, high = tf.constant(-1.0), tf.constant([1.0, 2.0])
    y = tf.clip_by_value(x, low, high)
    return dict(y=y, dx=tf.gradients(y, [x, low, high]))


def program_gradient_of_division():
    x, y = tf.constant([4.0, 9.0]), tf.constant([2.0, -3.0])
    z = tf.divide(x, y) + tf.div_no_nan(x, y) + tf.truediv(y, x)
    return dict(z=z, d=tf.gradients(z, [x, y]))


def program_unknown_shapes():
    x = tf.placeholder(tf.float32)
    y = tf.placeholder(tf.float32, [None])
    z = tf.add(tf.multiply(x, y), tf.pow(y, 2.0))
    return feeds({x: [[1.0], [2.0]], y: [3.0, 4.0]}, z=z, dx=tf.gradients(z, [x, y]), shape=str(z.shape))


def program_sigmoid_and_friends():
    x = tf.constant([-3.0, 0.0, 4.0])
    return dict(sigmoid=tf.sigmoid(x), nn=tf.nn.sigmoid(x, name="curve"), log=tf.log_sigmoid(x),
                log_named=tf.math.log_sigmoid(x, name="loss"), softplus=tf.math.softplus(x),
                nn_softplus=tf.nn.softplus(x, name="soft"), softsign=tf.nn.softsign(x), tanh=tf.nn.tanh(x))


def program_polyval():
    x = tf.constant([1.0, 2.0])
    return dict(value=tf.math.polyval([3.0, -2.0, 1.0], x), named=tf.math.polyval([1.0, 0.5], x, name="line"), empty=tf.math.polyval([], x))


def program_monotonic():
    x = tf.constant([1, 2, 2, 5])
    return dict(weak=tf.math.is_non_decreasing(x), strict=tf.math.is_strictly_increasing(x),
                short=tf.is_strictly_increasing([3.0]), named=tf.debugging.is_non_decreasing([2, 1], name="order"))


def program_l2_normalize():
    x = tf.constant([[3.0, 4.0], [6.0, 8.0]])
    return dict(all=tf.math.l2_normalize(x), rows=tf.nn.l2_normalize(x, axis=1, name="unit"),
                old=tf.nn.l2_normalize(x, dim=0, epsilon=1e-3), complex=tf.math.l2_normalize(tf.constant([3 + 4j])))
