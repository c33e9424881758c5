"""Activations, dropout, moments and normalisation of tf.nn."""
import numpy as np
import tensorflow as tf

from program import feeds

X = [[1.0, 2.0, -3.0], [0.5, 7.0, -1.0]]


def floats(shape=(2, 3), name="x", dtype=tf.float32):
    return tf.placeholder(dtype, shape, name=name)


def program_activations():
    x = floats()
    ys = [f(x) for f in (tf.nn.relu, tf.nn.relu6, tf.nn.elu, tf.nn.selu, tf.nn.softplus, tf.nn.softsign,
                         tf.nn.sigmoid, tf.nn.tanh, tf.nn.crelu, tf.nn.leaky_relu)]
    return feeds({x: X}, y=ys, g=[tf.gradients(y, x) for y in ys])


def program_activations_named():
    x = floats()
    return feeds({x: X}, a=tf.nn.relu6(x, name="a"), b=tf.nn.crelu(x, name="b", axis=0),
                 c=tf.nn.leaky_relu(x, 0.5, name="c"), d=tf.nn.leaky_relu([1, -2], name="d"))


def program_swish():
    x = floats()
    y = tf.nn.swish(x)
    return feeds({x: X}, y=y, g=tf.gradients(y, x))


def program_swish_of_a_value():
    return {"y": tf.nn.swish([1.0, -2.0])}


def program_swish_of_halves():
    x = floats(dtype=tf.float16)
    return feeds({x: X}, y=tf.nn.swish(x))


def program_bias_add():
    x = floats()
    y = tf.nn.bias_add(x, [1.0, 2.0, 3.0])
    return feeds({x: X}, y=y, z=tf.nn.bias_add([X], tf.constant([1.0, 2.0]), data_format="NCHW", name="named"),
                 w=tf.nn.bias_add([[X]], [1.0, 2.0, 3.0], data_format="NHWC"), g=tf.gradients(y, x))


def program_xw_plus_b():
    x, w = floats(), floats((3, 2), "w")
    y = tf.nn.xw_plus_b(x, w, [0.5, -1.0])
    return feeds({x: X, w: np.ones((3, 2))}, y=y, z=tf.nn.relu_layer(x, w, tf.constant([0.5, -1.0]), name="named"),
                 r=tf.nn.relu_layer(x, w, [0.5, -1.0]))


def program_dropout():
    tf.set_random_seed(7)
    x = floats()
    return feeds({x: X}, y=tf.nn.dropout(x, 0.5, seed=2), z=tf.nn.dropout(x, rate=0.25, seed=3, name="named"),
                 w=tf.nn.dropout(x, keep_prob=1.0), v=tf.nn.dropout(x, rate=0))


def program_dropout_noise_shape():
    x = floats()
    u = floats((None, 3), "u")
    return feeds({x: X, u: X}, y=tf.nn.dropout(x, 0.5, noise_shape=[2, 1], seed=1),
                 z=tf.nn.dropout(x, 0.5, noise_shape=[None, 1], seed=2),
                 w=tf.nn.dropout(u, 0.5, noise_shape=tf.constant([1, 3]), seed=3), v=tf.nn.dropout(u, 0.5, seed=4))


def program_dropout_rate_of_a_tensor():
    x, rate = floats(), tf.placeholder(tf.float32, [], name="rate")
    y = tf.nn.dropout(x, rate=rate, seed=5)
    return feeds({x: X, rate: 0.5}, y=y, z=tf.nn.dropout(x, rate, seed=6), g=tf.gradients(y, x))


def program_dropout_of_halves():
    x = floats(dtype=tf.float16)
    return feeds({x: X}, y=tf.nn.dropout(x, 0.5, seed=1), z=tf.nn.dropout(tf.constant([1.0], tf.float64), 0.5, seed=2))


def program_moments():
    x = floats((1, 2, 3))
    m, v = tf.nn.moments(x, [0, 1])
    return feeds({x: [X]}, m=m, v=v, k=tf.nn.moments(x, [0, 2], keep_dims=True, name="kept"),
                 l=tf.nn.moments(x, axes=[1], keepdims=True), s=tf.nn.moments(x, [1], shift=1.0),
                 g=tf.gradients([m, v], x))


def program_moments_of_halves():
    x = floats(dtype=tf.float16)
    return feeds({x: X}, m=tf.nn.moments(x, [0]))


def program_moments_unknown():
    x = floats(None)
    return feeds({x: X}, m=tf.nn.moments(x, [0]))


def program_weighted_moments():
    x, w = floats(), floats((2, 1), "w")
    return feeds({x: X, w: [[1.0], [3.0]]}, m=tf.nn.weighted_moments(x, [0], w),
                 n=tf.nn.weighted_moments(x, [1], [[1, 2, 3]], keep_dims=True, name="kept"),
                 o=tf.nn.weighted_moments(tf.cast(x, tf.float16), [0], 1.0))


def program_sufficient_statistics():
    x = floats((1, 2, 3))
    c, m, v, s = tf.nn.sufficient_statistics(x, [0, 1])
    d, n, w, t = tf.nn.sufficient_statistics(x, [1], shift=2.0, keep_dims=True, name="shifted")
    return feeds({x: [X]}, c=c, m=m, v=v, none=s is None, d=d, n=n, w=w, t=t,
                 y=tf.nn.normalize_moments(c, m, v, None), z=tf.nn.normalize_moments(d, n, w, t, name="named"))


def program_sufficient_statistics_unknown():
    x, y = floats(None), floats((None, 3), "y")
    return feeds({x: X, y: X}, a=tf.nn.sufficient_statistics(x, [0, 1])[:3],
                 b=tf.nn.sufficient_statistics(y, [0])[:3], c=tf.nn.sufficient_statistics(y, [1])[:3],
                 d=tf.nn.sufficient_statistics(y, [-2])[:3])


def program_normalize_moments_of_values():
    return {"y": tf.nn.normalize_moments(4.0, [1.0, 2.0], [8.0, 9.0], 2.0)}


def program_batch_normalization():
    x, m, v = floats(), floats((3,), "m"), floats((3,), "v")
    fed = {x: X, m: [1.0, 2.0, 3.0], v: [1.0, 2.0, 0.5]}
    y = tf.nn.batch_normalization(x, m, v, [1.0, 0.0, 2.0], [2.0, 1.0, 1.0], 1e-3)
    return feeds(fed, y=y, z=tf.nn.batch_normalization(x, m, v, None, None, 1e-3, name="named"),
                 w=tf.nn.batch_normalization(x, m, v, tf.constant([1.0, 0.0, 2.0]), None, 1e-3),
                 g=tf.gradients(y, [x, m, v]))


def program_batch_normalization_of_variables():
    x = floats()
    make = [tf.Variable([1.0, 2.0, i], use_resource=True, name="v%d" % i) for i in range(4)]
    return feeds({x: X}, y=tf.nn.batch_normalization(x, *make, 1e-3),
                 z=tf.nn.batch_normalization(x, make[0], make[1], None, make[3], 1e-3))


def program_batch_normalization_with_moments():
    x = floats()
    mean, variance = tf.nn.moments(x, [0])
    y = tf.nn.batch_normalization(x, mean, variance, None, None, 1e-5)
    return feeds({x: X}, y=y, g=tf.gradients(y, x))


def program_batch_norm_with_global_normalization():
    x, m, v = floats((1, 1, 2, 3)), floats((3,), "m"), floats((3,), "v")
    b, g = tf.constant([1.0, 2.0, 3.0]), tf.constant([2.0, 2.0, 1.0])
    fed = {x: [[X]], m: [1.0, 2.0, 3.0], v: [1.0, 2.0, 0.5]}
    return feeds(fed, y=tf.nn.batch_norm_with_global_normalization(x, m, v, b, g, 1e-3, True),
                 z=tf.nn.batch_norm_with_global_normalization(
                     input=x, mean=m, variance=v, beta=b, gamma=g, variance_epsilon=1e-3,
                     scale_after_normalization=False, name="named"))


def program_fused_batch_norm():
    x = floats((1, 2, 2, 3))
    y, m, v = tf.nn.fused_batch_norm(x, [1.0, 2.0, 3.0], [0.0, 1.0, 0.0])
    fed = {x: [[[X[0], X[1]], [X[1], X[1]]]]}
    return feeds(fed, y=y, m=m, v=v, g=tf.gradients(y, x))


def program_fused_batch_norm_of_a_model():
    x = floats((1, 2, 2, 3))
    result = tf.nn.fused_batch_norm(x, tf.constant([1.0, 2.0, 3.0]), tf.constant([0.0, 1.0, 0.0]), [1.0, 1.0, 2.0],
                                    [1.0, 3.0, 2.0], epsilon=1e-4, is_training=False, name="named")
    fed = {x: [[[X[0], X[1]], [X[1], X[1]]]]}
    return feeds(fed, y=result[0], g=tf.gradients(result[0], x))


def program_local_response_normalization():
    x = floats((1, 1, 2, 3))
    return feeds({x: [[X]]}, y=tf.nn.lrn(x), z=tf.nn.local_response_normalization(x, 1, 2.0, 0.5, 0.75, name="named"))


def program_l2_normalize():
    x = floats()
    return feeds({x: X}, y=tf.nn.l2_normalize(x, 1), z=tf.nn.l2_normalize(x, dim=0, epsilon=1e-3, name="named"))


def program_zero_fraction():
    return {"y": tf.nn.zero_fraction([0.0, 1.0, 0.0, 2.0])}
