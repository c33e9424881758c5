"""tf.layers.batch_normalization in all its forms."""
import numpy as np
import tensorflow as tf

normalize = tf.layers.batch_normalization


def x_of(*shape, dtype=np.float32):
    return tf.constant(np.sin(np.arange(np.prod(shape))).reshape(shape).astype(dtype), name="x")


def look(y, **more):
    """The updates in one run, then the output and the averages in another."""
    for key in ("variables", "trainable_variables", "update_ops", "regularization_losses"):
        more["names_of_" + key] = " ".join(item.name for item in tf.get_collection(key))
    updates = tf.get_collection(tf.GraphKeys.UPDATE_OPS)
    run = {"y": y, "variables": tf.global_variables(), **more}
    return [{"updates": updates}, run] if updates else run


def program_training():
    return look(normalize(x_of(4, 3), training=True))


def program_not_training():
    return look(normalize(x_of(4, 3)))


def program_placeholder_training():
    return look(normalize(x_of(4, 3), training=tf.placeholder_with_default(True, [])))


def program_placeholder_not_training():
    return look(normalize(x_of(4, 3), training=tf.placeholder_with_default(False, [])))


def program_number_training():
    return look(normalize(x_of(4, 3), training=1))


def program_fused_training():
    return look(normalize(x_of(2, 4, 4, 3), training=True))


def program_fused_not_training():
    return look(normalize(x_of(2, 4, 4, 3)))


def program_fused_placeholder():
    return look(normalize(x_of(2, 4, 4, 3), training=tf.placeholder_with_default(True, []), name="bn"))


def program_fused_momentum_epsilon():
    return look(normalize(x_of(2, 4, 4, 3), momentum=.5, epsilon=1e-5, training=True))


def program_fused_without_parameters():
    return look(normalize(x_of(2, 4, 4, 3), center=False, scale=False, training=True))


def program_fused_half():
    return look(normalize(x_of(2, 4, 4, 3, dtype=np.float16)))


def program_images_not_fused():
    return look(normalize(x_of(2, 4, 4, 3), fused=False, training=True))


def program_images_not_fused_axis_1():
    return look(normalize(x_of(2, 3, 4, 4), axis=1, fused=False, training=True))


def program_images_axis_1_not_training():
    return look(normalize(x_of(2, 3, 4, 4), axis=1, fused=False))


def program_two_axes():
    return look(normalize(x_of(2, 3, 4), axis=[1, 2], training=True))


def program_axis_2_of_3():
    return look(normalize(x_of(2, 3, 4), training=True))


def program_axis_1_of_3():
    return look(normalize(x_of(2, 3, 4), axis=1, training=True))


def program_float64():
    return look(normalize(x_of(4, 3, dtype=np.float64), training=True))


def program_half():
    return look(normalize(x_of(4, 3, dtype=np.float16), training=True))


def program_no_center():
    return look(normalize(x_of(4, 3), center=False, training=True))


def program_no_scale():
    return look(normalize(x_of(4, 3), scale=False, training=True))


def program_momentum_tensor():
    return look(normalize(x_of(4, 3), momentum=tf.constant(.5), training=True))


def program_initializers():
    five = tf.constant_initializer(5.)
    return look(normalize(x_of(4, 3), beta_initializer=five, gamma_initializer=five,
                          moving_mean_initializer=five, moving_variance_initializer=five))


def program_regularizers():
    return look(normalize(x_of(4, 3), beta_regularizer=tf.reduce_sum, gamma_regularizer=tf.reduce_sum))


def program_not_trainable():
    return look(normalize(x_of(4, 3), training=True, trainable=False))


def program_reuse():
    normalize(x_of(4, 3), training=True, name="bn")
    return look(normalize(x_of(2, 3), name="bn", reuse=True))


def program_in_scopes():
    with tf.name_scope("n"), tf.variable_scope("v"):
        return look(normalize(x_of(4, 3), training=True))


def program_resource():
    with tf.variable_scope("v", use_resource=True):
        return look(normalize(x_of(4, 3), training=True))


def program_resource_fused():
    with tf.variable_scope("v", use_resource=True):
        return look(normalize(x_of(2, 4, 4, 3), training=True))


def program_resource_not_training():
    with tf.variable_scope("v", use_resource=True):
        return look(normalize(x_of(4, 3)))


def program_partitioned():
    with tf.variable_scope("v", partitioner=tf.fixed_size_partitioner(2)):
        return look(normalize(x_of(4, 4), training=True))


def program_unknown_batch():
    y = normalize(tf.placeholder_with_default(x_of(2, 4, 4, 3), [None, None, None, 3]), training=True)
    return look(y, shape=str(y.shape))


def program_class():
    layer, x = tf.layers.BatchNormalization(momentum=.5), x_of(4, 3)
    a, b = layer(x, training=True), layer(x)
    return look([a, b], name=layer.name, gamma=layer.gamma, mean=layer.moving_mean,
                updates=" ".join(op.name for op in layer.updates),
                weights=" ".join(w.name for w in layer.weights))


def program_class_twice():
    layer, x, z = tf.layers.BatchNormalization(), x_of(4, 3), x_of(2, 3)
    a, b = layer(x, training=True), layer(z, training=True)
    return dict(y=[a, b], for_x=" ".join(op.name for op in layer.get_updates_for(x)),
                for_none=" ".join(op.name for op in layer.get_updates_for(None)))


def program_renorm():
    return look(normalize(x_of(4, 3), renorm=True, training=True))


def program_renorm_clipped():
    return look(normalize(x_of(4, 3), renorm=True, training=True, renorm_momentum=.9,
                          renorm_clipping={"rmax": 2., "rmin": .5, "dmax": .25}))


def program_renorm_images():
    return look(normalize(x_of(2, 3, 4, 4), axis=1, renorm=True, training=True))


def program_virtual_batches():
    return look(normalize(x_of(4, 3), virtual_batch_size=2, training=True))


def program_virtual_batches_of_images():
    return look(normalize(x_of(4, 2, 2, 3), virtual_batch_size=2, training=True))


def program_virtual_batches_not_training():
    return look(normalize(x_of(4, 3), virtual_batch_size=2))


def program_adjustment():
    def adjust(shape):
        return tf.fill([1, shape[1]], 2.), tf.fill([1, shape[1]], .5)
    return look(normalize(x_of(4, 3), adjustment=adjust, training=True))


def program_trained():
    x = x_of(4, 3)
    y = tf.layers.dense(normalize(x, training=True), 1, kernel_initializer=tf.ones_initializer())
    with tf.control_dependencies(tf.get_collection(tf.GraphKeys.UPDATE_OPS)):
        train = tf.train.GradientDescentOptimizer(.1).minimize(tf.reduce_mean(tf.square(y - 1.)))
    return [{"train": train}, {"train": train}, {"variables": tf.global_variables(), "y": y}]


def program_gradients():
    x = x_of(4, 3)
    y = normalize(x, training=True)
    return {"gradients": tf.gradients(100. * y * y * y, [x] + tf.trainable_variables())}


def program_gradients_fused():
    x = x_of(2, 4, 4, 3)
    y = normalize(x, training=True)
    return {"gradients": tf.gradients(100. * y * y * y, [x] + tf.trainable_variables())}


def program_fused_channels_first():
    x = tf.placeholder(tf.float32, [None, 3, 4, 4])
    y = normalize(x, axis=1, training=True)
    return {"shape": str(y.shape),
            "updates": " ".join(op.name for op in tf.get_collection(tf.GraphKeys.UPDATE_OPS))}


def program_momentum_zero():
    return look(normalize(x_of(4, 3), momentum=0., training=True))


def program_update_ops_of_scope():
    for name in ("a", "b"):
        with tf.variable_scope(name):
            y = normalize(x_of(4, 3), training=True)
    return {"y": y, "updates": tf.get_collection(tf.GraphKeys.UPDATE_OPS, scope="b")}
