"""tf.layers: convolutions, their transposes, separable ones, pooling."""
import numpy as np
import tensorflow as tf

layers = tf.layers


def x_of(*shape):
    return tf.constant(np.sin(np.arange(np.prod(shape))).reshape(shape).astype(np.float32), name="x")


def unknown(*shape):
    return tf.placeholder_with_default(x_of(*shape), [None, *shape[1:]])


def wave(shape, dtype=None, partition_info=None):
    sizes = [int(size) for size in shape]
    return tf.constant(np.cos(np.arange(np.prod(sizes))).reshape(sizes), dtype)


def look(**tensors):
    for name, tensor in list(tensors.items()):
        tensors["shape_of_" + name] = str(tensor.shape)
    for key in ("variables", "trainable_variables", "update_ops", "regularization_losses"):
        tensors["names_of_" + key] = " ".join(item.name for item in tf.get_collection(key))
    return tensors


def program_conv2d():
    return look(y=layers.conv2d(x_of(2, 6, 6, 3), 4, 3, kernel_initializer=wave))


def program_conv2d_random():
    return {"shape": str(layers.conv2d(x_of(2, 6, 6, 3), 4, 3).shape)}


def program_conv2d_same_strides():
    return look(y=layers.conv2d(x_of(2, 6, 6, 3), 4, [3, 2], strides=(2, 1), padding="SAME",
                                activation=tf.nn.relu, kernel_initializer=wave, name="c"))


def program_conv2d_unknown_batch():
    return look(y=layers.conv2d(unknown(2, 6, 6, 3), 2, 3, kernel_initializer=wave))


def program_conv2d_unknown_size():
    x = tf.placeholder_with_default(x_of(2, 6, 6, 3), [None, None, None, 3])
    return look(y=layers.conv2d(x, 2, 3, strides=2, kernel_initializer=wave))


def program_conv2d_dilated():
    return look(y=layers.conv2d(x_of(2, 8, 8, 2), 3, 3, dilation_rate=2, kernel_initializer=wave))


def program_conv2d_dilated_same():
    return look(y=layers.conv2d(x_of(2, 8, 8, 2), 3, 3, dilation_rate=(2, 1), padding="same",
                                kernel_initializer=wave))


def program_conv2d_no_bias():
    return look(y=layers.conv2d(x_of(2, 6, 6, 3), 4, 3, use_bias=False, kernel_initializer=wave))


def program_conv2d_regularized():
    return look(y=layers.conv2d(x_of(2, 6, 6, 3), 4, 3, kernel_initializer=wave,
                                kernel_regularizer=tf.reduce_sum, bias_regularizer=tf.reduce_max,
                                activity_regularizer=tf.reduce_mean))


def program_conv2d_reuse():
    x = x_of(2, 6, 6, 3)
    a = layers.conv2d(x, 3, 3, padding="same", kernel_initializer=wave, name="c")
    return look(a=a, b=layers.conv2d(a, 3, 3, padding="same", name="c", reuse=True))


def program_conv2d_class():
    layer, x = layers.Conv2D(3, 3, padding="same", kernel_initializer=wave), x_of(2, 6, 6, 3)
    y = layer(layer(x))
    return {**look(y=y), "kernel": layer.kernel, "sizes": layer.kernel_size, "steps": layer.strides,
            "shape": str(layer.compute_output_shape([None, 5, 7, 3])), "name": layer.name}


def program_conv2d_resource():
    with tf.variable_scope("s", use_resource=True):
        return look(y=layers.conv2d(x_of(2, 6, 6, 3), 4, 3, kernel_initializer=wave))


def program_conv2d_gradients():
    y = layers.conv2d(x_of(2, 6, 6, 3), 2, 3, activation=tf.nn.relu, kernel_initializer=wave)
    return {"gradients": tf.gradients(y, tf.trainable_variables())}


def program_conv1d():
    return look(y=layers.conv1d(x_of(2, 8, 3), 4, 3, kernel_initializer=wave))


def program_conv1d_strides():
    return look(y=layers.conv1d(unknown(2, 8, 3), 4, 3, strides=2, padding="same",
                                activation=tf.nn.relu, kernel_initializer=wave))


def program_conv1d_causal():
    return look(y=layers.conv1d(x_of(2, 8, 3), 4, 3, padding="causal", kernel_initializer=wave))


def program_conv1d_dilated():
    return look(y=layers.conv1d(x_of(2, 8, 3), 4, 3, dilation_rate=2, kernel_initializer=wave))


def program_conv3d():
    return look(y=layers.conv3d(x_of(1, 4, 4, 4, 2), 3, 2, kernel_initializer=wave))


def program_conv3d_same():
    return look(y=layers.conv3d(unknown(1, 4, 4, 4, 2), 3, (2, 1, 3), strides=2, padding="same",
                                kernel_initializer=wave))


def program_conv2d_transpose():
    return look(y=layers.conv2d_transpose(x_of(2, 4, 4, 3), 2, 3, kernel_initializer=wave))


def program_conv2d_transpose_same():
    return look(y=layers.conv2d_transpose(unknown(2, 4, 4, 3), 2, 3, strides=2, padding="same",
                                          activation=tf.nn.relu, kernel_initializer=wave))


def program_conv2d_transpose_unknown():
    x = tf.placeholder_with_default(x_of(2, 4, 4, 3), [None, None, None, 3])
    return look(y=layers.conv2d_transpose(x, 2, 3, strides=(2, 1), kernel_initializer=wave))


def program_conv2d_transpose_class():
    layer = layers.Conv2DTranspose(3, 3, strides=2, kernel_initializer=wave, use_bias=False)
    x = x_of(1, 3, 3, 3)
    return {**look(a=layer(x), b=layer(x)),
            "shape": str(layer.compute_output_shape([None, 5, 7, 3]))}


def program_conv3d_transpose():
    return look(y=layers.conv3d_transpose(x_of(1, 3, 3, 3, 2), 2, 2, kernel_initializer=wave))


def program_conv3d_transpose_same():
    return look(y=layers.conv3d_transpose(unknown(1, 3, 3, 3, 2), 2, 2, strides=2, padding="same",
                                          kernel_initializer=wave))


def program_separable_conv2d():
    return look(y=layers.separable_conv2d(x_of(2, 6, 6, 3), 4, 3, depthwise_initializer=wave,
                                          pointwise_initializer=wave))


def program_separable_conv2d_multiplier():
    return look(y=layers.separable_conv2d(unknown(2, 6, 6, 3), 4, 3, strides=2, padding="same",
                                          depth_multiplier=2, activation=tf.nn.relu,
                                          depthwise_initializer=wave, pointwise_initializer=wave,
                                          depthwise_regularizer=tf.reduce_sum,
                                          pointwise_regularizer=tf.reduce_mean))


def program_separable_conv2d_dilated():
    return look(y=layers.separable_conv2d(x_of(2, 6, 6, 3), 4, 3, dilation_rate=2,
                                          depthwise_initializer=wave, pointwise_initializer=wave))


def program_separable_conv1d():
    return look(y=layers.separable_conv1d(x_of(2, 6, 3), 4, 3, depthwise_initializer=wave,
                                          pointwise_initializer=wave))


def program_separable_conv1d_same():
    return look(y=layers.separable_conv1d(unknown(2, 6, 3), 4, 3, strides=2, padding="same",
                                          depthwise_initializer=wave, pointwise_initializer=wave))


def program_separable_class():
    layer = layers.SeparableConv2D(3, 3, padding="same", depthwise_initializer=wave,
                                   pointwise_initializer=wave)
    y = layer(x_of(2, 6, 6, 3))
    return {**look(y=y), "weights": " ".join(w.name for w in layer.weights),
            "depthwise": layer.depthwise_kernel, "pointwise": layer.pointwise_kernel}


def program_max_pooling():
    return look(a=layers.max_pooling1d(x_of(2, 8, 3), 2, 2),
                b=layers.max_pooling2d(x_of(2, 8, 8, 3), (3, 2), (2, 1), padding="same"),
                c=layers.max_pooling3d(x_of(1, 4, 4, 4, 3), 2, 2, name="pool"))


def program_average_pooling():
    return look(a=layers.average_pooling1d(x_of(2, 8, 3), 3, 2, padding="same"),
                b=layers.average_pooling2d(x_of(2, 8, 8, 3), 2, 2),
                c=layers.average_pooling3d(x_of(1, 4, 4, 4, 3), (2, 1, 2), 1))


def program_pooling_channels_first():
    return look(a=layers.max_pooling1d(x_of(2, 3, 8), 2, 2, data_format="channels_first"),
                b=layers.max_pooling3d(x_of(1, 3, 4, 4, 4), 2, 2, data_format="channels_first"),
                c=layers.average_pooling3d(x_of(1, 3, 4, 4, 4), 2, 2, data_format="channels_first"))


def program_pooling_classes():
    x = unknown(2, 8, 8, 3)
    first, second = layers.MaxPooling2D(2, 2), layers.AveragePooling2D([2, 2], [1, 1])
    y = second(first(x))
    return {**look(y=y), "names": first.name + second.name,
            "shape": str(first.compute_output_shape([None, 9, 9, 3]))}


def program_conv_net():
    x = unknown(2, 12, 12, 1)
    y = layers.conv2d(x, 4, 5, padding="same", activation=tf.nn.relu, kernel_initializer=wave)
    y = layers.max_pooling2d(y, 2, 2)
    y = layers.conv2d(y, 8, 3, padding="same", activation=tf.nn.relu, kernel_initializer=wave)
    y = layers.flatten(layers.max_pooling2d(y, 2, 2))
    y = layers.dense(y, 16, tf.nn.relu, kernel_initializer=wave)
    y = layers.dropout(y, .4)
    y = layers.dense(y, 3, kernel_initializer=wave)
    loss = tf.reduce_mean(y)
    train = tf.train.GradientDescentOptimizer(.01).minimize(loss)
    return [{"train": train}, look(y=y)]


def shape_only(make, *shape, **arguments):
    """Channels before space are not computed on every device: the nodes alone."""
    x = tf.placeholder(tf.float32, shape)
    return {"shape": str(make(x, data_format="channels_first", **arguments).shape)}


def program_conv1d_channels_first():
    return shape_only(layers.conv1d, None, 3, 8, filters=4, kernel_size=3)


def program_conv2d_channels_first():
    return shape_only(layers.conv2d, None, 3, 8, 8, filters=4, kernel_size=3, strides=2,
                      activation=tf.nn.relu)


def program_conv2d_channels_first_dilated():
    return shape_only(layers.conv2d, 2, 3, 8, 8, filters=4, kernel_size=3, dilation_rate=2)


def program_conv3d_channels_first():
    return shape_only(layers.conv3d, None, 3, 8, 8, 8, filters=4, kernel_size=3)


def program_conv3d_transpose_channels_first():
    return shape_only(layers.conv3d_transpose, None, 3, 4, 4, 4, filters=4, kernel_size=3, strides=2)


def program_separable_conv1d_channels_first():
    return shape_only(layers.separable_conv1d, None, 3, 8, filters=4, kernel_size=3, strides=2)


def program_separable_conv2d_channels_first():
    return shape_only(layers.separable_conv2d, None, 3, 8, 8, filters=4, kernel_size=3)


def program_pooling2d_channels_first():
    return shape_only(layers.max_pooling2d, None, 3, 8, 8, pool_size=2, strides=2)


def program_average_pooling2d_channels_first():
    return shape_only(layers.average_pooling2d, None, 3, 8, 8, pool_size=3, strides=1, padding="same")


def program_unknown_rank():
    x = tf.placeholder_with_default(x_of(2, 6, 6, 3), None)
    x.set_shape([None, None, None, 3])
    return look(y=layers.separable_conv2d(x, 2, 3, depthwise_initializer=wave,
                                          pointwise_initializer=wave))


def program_named_twice():
    x = x_of(2, 6, 6, 3)
    with tf.variable_scope("block"):
        a = layers.conv2d(x, 3, 1, kernel_initializer=wave, name="c")
    with tf.variable_scope("block", reuse=True):
        b = layers.conv2d(x, 3, 1, kernel_initializer=wave, name="c")
    return look(a=a, b=b)
