"""Pooling of tf.nn."""
import numpy as np
import tensorflow as tf

from program import feeds


def values(*shape):
    return ((np.arange(np.prod(shape)) * 5) % 11 - 5).reshape(shape).astype(np.float32)


def images(*shape, name="x"):
    return tf.placeholder(tf.float32, shape, name=name)


IMAGES = values(2, 5, 6, 3)


def program_max_pool():
    x = images(2, 5, 6, 3)
    return feeds({x: IMAGES}, y=tf.nn.max_pool(x, [1, 2, 2, 1], [1, 2, 2, 1], "SAME"),
                 z=tf.nn.max_pool(x, 2, 1, "VALID", name="named"), w=tf.nn.max_pool(x, [2, 1], [1], "SAME"))


def program_max_pool_gradient():
    x = images(2, 5, 6, 3)
    y = tf.nn.max_pool(x, 2, 2, "SAME")
    return feeds({x: IMAGES}, g=tf.gradients(y, x))


def program_max_pool_channels_first():
    x = images(2, 3, 5, 6)
    return {"y": tf.nn.max_pool(x, 2, 2, "SAME", data_format="NCHW").shape.as_list(),
            "z": tf.nn.max_pool2d(x, 2, 2, "VALID", data_format="NCHW").shape.as_list()}


def program_avg_pool():
    x = images(2, 5, 6, 3)
    y = tf.nn.avg_pool(x, [1, 2, 2, 1], [1, 2, 2, 1], "SAME")
    return feeds({x: IMAGES}, y=y, z=tf.nn.avg_pool2d(x, 3, 1, "VALID", name="named"),
                 g=tf.gradients(y, x))


def program_pool_newer_names():
    x = images(2, 5, 6, 3)
    return feeds({x: IMAGES}, y=tf.nn.max_pool(input=x, value=None, ksize=2, strides=2, padding="SAME"),
                 z=tf.nn.avg_pool(input=x, value=None, ksize=2, strides=2, padding="SAME"))


def program_pool_one_dimension():
    x = images(2, 7, 3)
    return feeds({x: values(2, 7, 3)}, y=tf.nn.max_pool1d(x, 2, 2, "SAME"), z=tf.nn.avg_pool1d(x, 3, 1, "VALID"),
                 w=tf.nn.max_pool1d(x, [1, 2, 1], [1, 1, 1], "SAME", name="named"))


def program_pool_one_dimension_channels_first():
    x = images(2, 3, 7)
    return {"y": tf.nn.max_pool1d(x, 2, 2, "SAME", data_format="NCW").shape.as_list(),
            "z": tf.nn.avg_pool1d(x, 2, 2, "SAME", data_format="NCW", name="named").shape.as_list()}


def program_pool_three_dimensions():
    x = images(1, 4, 5, 3, 2)
    return feeds({x: values(1, 4, 5, 3, 2)}, y=tf.nn.max_pool3d(x, 2, 2, "SAME"),
                 z=tf.nn.avg_pool3d(x, [2, 1, 2], 1, "VALID", name="named"))


def program_pool_by_rank():
    s, x, v = images(2, 7, 3, name="s"), images(2, 5, 6, 3), images(1, 4, 5, 3, 2, name="v")
    fed = {s: values(2, 7, 3), x: IMAGES, v: values(1, 4, 5, 3, 2)}
    return feeds(fed, a=[tf.nn.max_pool_v2(t, 2, 2, "SAME") for t in (s, x, v)],
                 b=[tf.nn.avg_pool_v2(t, 2, 2, "VALID") for t in (s, x, v)])


def program_pool():
    x = images(2, 5, 6, 3)
    return feeds({x: IMAGES}, y=tf.nn.pool(x, [2, 2], "MAX", "SAME"),
                 z=tf.nn.pool(x, [2, 3], "AVG", "VALID", strides=[1, 2], name="named"))


def program_pool_dilated():
    x = images(2, 5, 6, 3)
    return feeds({x: IMAGES}, y=tf.nn.pool(x, [2, 2], "MAX", "VALID", dilation_rate=[2, 2]),
                 z=tf.nn.pool(x, [2, 2], "AVG", "VALID", dilations=[1, 2]))


def program_pool_other_ranks():
    s, v = images(2, 7, 3, name="s"), images(1, 4, 5, 3, 2, name="v")
    return feeds({s: values(2, 7, 3), v: values(1, 4, 5, 3, 2)},
                 y=tf.nn.pool(s, [2], "MAX", "VALID", strides=[2]),
                 w=tf.nn.pool(s, [2], "AVG", "VALID", dilation_rate=[2]),
                 z=tf.nn.pool(v, [2, 2, 2], "AVG", "SAME"))


def program_pool_channels_first():
    x, s = images(2, 3, 5, 6), images(2, 3, 7, name="s")
    return {"y": tf.nn.pool(x, [2, 2], "AVG", "VALID", dilation_rate=[2, 2], data_format="NCHW").shape.as_list(),
            "z": tf.nn.pool(s, [2], "MAX", "SAME", data_format="NCW").shape.as_list()}


def program_max_pool_with_argmax():
    x = images(2, 5, 6, 3)
    y = tf.nn.max_pool_with_argmax(x, [1, 2, 2, 1], [1, 2, 2, 1], "SAME")
    z = tf.nn.max_pool_with_argmax(x, [1, 2, 2, 1], [1, 1, 1, 1], "VALID", Targmax=tf.int32, name="named",
                                   include_batch_in_index=True)
    return feeds({x: IMAGES}, y=y.output, i=y.argmax, z=z[0], j=z[1], g=tf.gradients(y.output, x))


def program_fractional_pools():
    x = images(2, 5, 6, 3)
    y = tf.nn.fractional_max_pool(x, [1.0, 1.4, 1.5, 1.0], deterministic=True, seed=3, seed2=4)
    z = tf.nn.fractional_avg_pool(x, [1.0, 1.4, 1.5, 1.0], True, True, deterministic=True, seed=3, seed2=4,
                                  name="named")
    return feeds({x: IMAGES}, y=y, z=z.output, r=z.row_pooling_sequence, c=z.col_pooling_sequence)
