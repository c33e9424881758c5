"""Convolutions of tf.nn."""
import numpy as np
import tensorflow as tf

from program import feeds


def values(*shape):
    return (np.arange(np.prod(shape)) % 7 - 3).reshape(shape).astype(np.float32) / 2


def images(*shape, name="x"):
    return tf.placeholder(tf.float32, shape, name=name)


IMAGES = values(2, 5, 6, 3)
FILTER = values(3, 2, 3, 4)


def program_conv2d():
    x = images(2, 5, 6, 3)
    return feeds({x: IMAGES}, y=tf.nn.conv2d(x, FILTER, [1, 1, 1, 1], "SAME"),
                 z=tf.nn.conv2d(x, filters=FILTER, strides=2, padding="VALID", name="other"))


def program_conv2d_strides_and_dilations():
    x = images(2, 5, 6, 3)
    return feeds({x: IMAGES}, y=tf.nn.conv2d(x, FILTER, [2, 1], "SAME"),
                 z=tf.nn.conv2d(x, FILTER, 1, "VALID", dilations=2),
                 w=tf.nn.conv2d(x, FILTER, [1, 1, 1, 1], "SAME", dilations=[1, 1, 2, 1]))


def program_conv2d_explicit_padding():
    x = images(2, 5, 6, 3)
    return feeds({x: IMAGES}, y=tf.nn.conv2d(x, FILTER, [2, 1], [[0, 0], [1, 2], [0, 1], [0, 0]]))


def program_conv2d_batches():
    x = images(1, 2, 5, 6, 3)
    return feeds({x: IMAGES[None]}, y=tf.nn.conv2d(x, FILTER, 1, "SAME"))


def program_conv2d_unknown_batches():
    x = images(None, 2, None, 6, 3)
    return feeds({x: IMAGES[None]}, y=tf.nn.conv2d(x, FILTER, 1, "SAME", name="c"))


def program_conv2d_gradients():
    x = images(2, 5, 6, 3)
    w = tf.constant(FILTER)
    y = tf.nn.conv2d(x, w, [1, 2, 1, 1], "SAME")
    return feeds({x: IMAGES}, g=tf.gradients(tf.reduce_sum(y * y), [x, w]))


def program_conv2d_backprops():
    x, dy = images(2, 5, 6, 3), images(2, 5, 6, 4, name="dy")
    return feeds({x: IMAGES, dy: values(2, 5, 6, 4)},
                 f=tf.nn.conv2d_backprop_filter(x, [3, 2, 3, 4], dy, [1, 1, 1, 1], "SAME"),
                 i=tf.nn.conv2d_backprop_input([2, 5, 6, 3], FILTER, dy, [1, 1, 1, 1], "SAME"),
                 j=tf.nn.conv2d_backprop_input([2, 5, 6, 3], filters=FILTER, out_backprop=dy,
                                               strides=[1, 1, 1, 1], padding="SAME", name="named"))


def program_convolution():
    x = images(2, 5, 6, 3)
    return feeds({x: IMAGES}, y=tf.nn.convolution(x, FILTER, "SAME"),
                 z=tf.nn.convolution(x, tf.constant(FILTER), "VALID", strides=[2, 1], name="named"))


def program_convolution_of_values():
    return {"y": tf.nn.convolution(IMAGES, FILTER, "SAME")}


def program_convolution_dilated():
    x = images(2, 5, 6, 3)
    f = tf.constant(FILTER)
    return feeds({x: IMAGES}, y=tf.nn.convolution(x, f, "SAME", dilation_rate=[2, 2]),
                 z=tf.nn.convolution(x, f, "VALID", dilation_rate=[2, 1], name="named"),
                 w=tf.nn.convolution(x, f, "SAME", dilations=[1, 3]))


def program_convolution_dilated_unknown():
    x = images(None, None, 6, 3)
    f = tf.constant(FILTER)
    return feeds({x: IMAGES}, y=tf.nn.convolution(x, f, "SAME", dilation_rate=[2, 2]),
                 z=tf.nn.convolution(x, f, "VALID", dilation_rate=[2, 1]))


def program_convolution_dilated_channels_first():
    x = images(2, 3, 5, 6)
    return {"y": tf.nn.convolution(x, tf.constant(FILTER), "VALID", dilation_rate=[2, 1],
                                   data_format="NCHW").shape.as_list()}


def program_convolution_dilated_gradients():
    x = images(2, 5, 6, 3)
    f = tf.constant(FILTER)
    y = tf.nn.convolution(x, f, "SAME", dilation_rate=[2, 2])
    return feeds({x: IMAGES}, g=tf.gradients(y, [x, f]))


def program_convolution_of_a_variable():
    x = images(2, 5, 6, 3)
    w = tf.Variable(FILTER, name="w")
    r = tf.Variable(FILTER, name="r", use_resource=True)
    return feeds({x: IMAGES}, y=tf.nn.convolution(x, w, "SAME"), z=tf.nn.convolution(x, r, "SAME"),
                 u=tf.nn.convolution(x, r, "SAME", dilation_rate=[2, 2]))


def program_convolution_one_dimension():
    x = images(2, 7, 3)
    f = tf.constant(values(3, 3, 4))
    return feeds({x: values(2, 7, 3)}, y=tf.nn.convolution(x, f, "SAME"),
                 z=tf.nn.convolution(x, f, "VALID", strides=[2]),
                 w=tf.nn.convolution(x, f, "VALID", dilation_rate=[2]))


def program_convolution_one_dimension_of_a_variable():
    x = images(2, 7, 3)
    r = tf.Variable(values(3, 3, 4), name="r", use_resource=True)
    return feeds({x: values(2, 7, 3)}, y=tf.nn.convolution(x, r, "SAME"), z=tf.nn.conv1d(x, r, 1, "SAME"))


def program_convolution_three_dimensions():
    x = images(1, 4, 5, 3, 2)
    f = tf.constant(values(2, 2, 2, 2, 3))
    return feeds({x: values(1, 4, 5, 3, 2)}, y=tf.nn.convolution(x, f, "SAME"),
                 z=tf.nn.convolution(x, f, "VALID", dilation_rate=[2, 1, 1]))


def program_convolution_batches():
    x = images(1, 2, 5, 6, 3)
    return feeds({x: IMAGES[None]}, y=tf.nn.convolution(x, tf.constant(FILTER), "SAME"))


def program_conv1d():
    x = images(2, 7, 3)
    f = tf.constant(values(3, 3, 4))
    return feeds({x: values(2, 7, 3)}, y=tf.nn.conv1d(x, f, 1, "SAME"),
                 z=tf.nn.conv1d(input=x, filters=f, stride=2, padding="VALID", name="named"),
                 w=tf.nn.conv1d(x, f, 1, "VALID", dilations=2))


def program_conv1d_channels_first():
    x = images(2, 3, 7)
    return {"y": tf.nn.conv1d(x, tf.constant(values(3, 3, 4)), 2, "VALID", data_format="NCW").shape.as_list()}


def program_conv1d_batches():
    x = images(1, 2, 7, 3)
    return feeds({x: values(1, 2, 7, 3)}, y=tf.nn.conv1d(x, values(3, 3, 4), 1, "SAME"))


def program_conv3d():
    x = images(1, 4, 5, 3, 2)
    f = tf.constant(values(2, 2, 2, 2, 3))
    return feeds({x: values(1, 4, 5, 3, 2)}, y=tf.nn.conv3d(x, f, [1, 1, 1, 1, 1], "SAME"),
                 z=tf.nn.conv3d(x, filters=f, strides=[1, 2, 2, 1, 1], padding="VALID", name="named"))


def program_atrous_conv2d():
    x = images(2, 5, 6, 3)
    f = tf.constant(FILTER)
    return feeds({x: IMAGES}, y=tf.nn.atrous_conv2d(x, f, 2, "SAME"),
                 z=tf.nn.atrous_conv2d(x, f, 1, "VALID", name="named"))


def program_depthwise_conv2d():
    x = images(2, 5, 6, 3)
    f = tf.constant(values(3, 2, 3, 2))
    return feeds({x: IMAGES}, y=tf.nn.depthwise_conv2d(x, f, [1, 1, 1, 1], "SAME"),
                 z=tf.nn.depthwise_conv2d(x, f, [1, 1, 1, 1], "SAME", rate=[2, 2]),
                 w=tf.nn.depthwise_conv2d(x, f, [1, 1, 1, 1], "VALID", dilations=[1, 2], name="named"))


def program_depthwise_conv2d_native():
    x = images(2, 5, 6, 3)
    f = tf.constant(values(3, 2, 3, 2))
    dy = images(2, 5, 6, 6, name="dy")
    return feeds({x: IMAGES, dy: values(2, 5, 6, 6)},
                 y=tf.nn.depthwise_conv2d_native(x, f, [1, 1, 1, 1], "SAME"),
                 f=tf.nn.depthwise_conv2d_native_backprop_filter(x, [3, 2, 3, 2], dy, [1, 1, 1, 1], "SAME"),
                 i=tf.nn.depthwise_conv2d_backprop_input([2, 5, 6, 3], f, dy, [1, 1, 1, 1], "SAME"))


def program_separable_conv2d():
    x = images(2, 5, 6, 3)
    f, p = tf.constant(values(3, 2, 3, 2)), tf.constant(values(1, 1, 6, 4))
    return feeds({x: IMAGES}, y=tf.nn.separable_conv2d(x, f, p, [1, 1, 1, 1], "SAME"),
                 z=tf.nn.separable_conv2d(x, f, p, [1, 1, 1, 1], "VALID", rate=[2, 2], name="named"))


def program_conv2d_transpose():
    x = images(2, 3, 4, 4)
    size = tf.placeholder(tf.int32, [4], name="size")
    return feeds({x: values(2, 3, 4, 4), size: [2, 6, 8, 3]},
                 y=tf.nn.conv2d_transpose(x, FILTER, [2, 6, 8, 3], [1, 2, 2, 1]),
                 z=tf.nn.conv2d_transpose(x, FILTER, size, 2, name="named"))


def program_conv2d_transpose_newer_names():
    x = images(2, 3, 4, 4)
    return feeds({x: values(2, 3, 4, 4)},
                 y=tf.nn.conv2d_transpose(input=x, filters=FILTER, output_shape=(2, 5, 5, 3), strides=1,
                                          padding="VALID"))


def program_conv1d_transpose():
    x = images(2, 5, 4)
    f = tf.constant(values(3, 3, 4))
    size = tf.placeholder(tf.int32, [3], name="size")
    return feeds({x: values(2, 5, 4), size: [2, 10, 3]},
                 y=tf.nn.conv1d_transpose(x, f, [2, 10, 3], 2),
                 z=tf.nn.conv1d_transpose(x, f, size, 2, name="named"))


def program_conv3d_transpose():
    x = images(1, 2, 3, 2, 3)
    f = tf.constant(values(2, 2, 2, 2, 3))
    return feeds({x: values(1, 2, 3, 2, 3)},
                 y=tf.nn.conv3d_transpose(x, f, [1, 4, 6, 4, 2], [1, 2, 2, 2, 1]),
                 z=tf.nn.conv3d_transpose(x, f, [1, 3, 4, 3, 2], 1, padding="VALID", name="named"))


def program_conv_transpose():
    x = images(2, 3, 4, 4)
    s = images(2, 5, 4, name="s")
    v = images(1, 2, 3, 2, 3, name="v")
    return feeds({x: values(2, 3, 4, 4), s: values(2, 5, 4), v: values(1, 2, 3, 2, 3)},
                 y=tf.nn.conv_transpose(x, FILTER, [2, 6, 8, 3], 2),
                 z=tf.nn.conv_transpose(s, values(3, 3, 4), [2, 10, 3], 2, name="named"),
                 w=tf.nn.conv_transpose(v, values(2, 2, 2, 2, 3), [1, 4, 6, 4, 2], 2))


def program_atrous_conv2d_transpose():
    x = images(2, 5, 6, 4)
    f = tf.constant(FILTER)
    return feeds({x: values(2, 5, 6, 4)}, y=tf.nn.atrous_conv2d_transpose(x, f, [2, 5, 6, 3], 2, "SAME"),
                 z=tf.nn.atrous_conv2d_transpose(x, f, [2, 5, 6, 3], 1, "SAME", name="named"))


def program_atrous_conv2d_transpose_of_a_computed_size():
    x = images(2, 1, 4, 4)
    size = tf.placeholder(tf.int32, [4], name="size")
    return feeds({x: values(2, 1, 4, 4), size: [2, 5, 6, 3]},
                 y=tf.nn.atrous_conv2d_transpose(x, tf.constant(FILTER), size, 2, "VALID"))


def program_with_space_to_batch():
    x = images(2, 5, 6, 3)

    def op(inner, count, padding):
        return tf.nn.max_pool(inner, [1, 2, 2, 1], [1, 1, 1, 1], padding)
    return feeds({x: IMAGES}, y=tf.nn.with_space_to_batch(x, [2, 2], "VALID", op),
                 z=tf.nn.with_space_to_batch(x, [1, 1], "SAME", op),
                 w=tf.nn.with_space_to_batch(x, [2, 1], "SAME", op, filter_shape=[2, 2], spatial_dims=[1, 2]))


def program_with_space_to_batch_unknown():
    x = tf.placeholder(tf.float32, name="x")
    rate = tf.placeholder(tf.int32, [2], name="rate")

    def op(inner, count, padding):
        return tf.nn.max_pool(inner, [1, 2, 2, 1], [1, 1, 1, 1], padding)
    return feeds({x: IMAGES, rate: [2, 2]}, y=tf.nn.with_space_to_batch(x, rate, "VALID", op),
                 z=tf.nn.with_space_to_batch(x, [2, 2], "SAME", op, filter_shape=[2, 2]))


def program_conv_in_a_scope():
    x = images(2, 5, 6, 3)
    with tf.name_scope("layer"):
        y = tf.nn.bias_add(tf.nn.conv2d(x, FILTER, 1, "SAME"), [1.0, 2.0, 3.0, 4.0])
        z = tf.nn.relu(y)
    return feeds({x: IMAGES}, z=z)
