"""Layers of tf.layers among scopes, templates, loops, devices and other layers."""
import numpy as np
import tensorflow as tf


def x_of(*shape):
    return tf.constant(np.linspace(-1, 1, int(np.prod(shape))).reshape(shape).astype(np.float32))


ONES = tf.ones_initializer()


def dense(x, size=3, **arguments):
    return tf.layers.dense(x, size, kernel_initializer=ONES, **arguments)


def look(**fetches):
    for key in ("variables", "trainable_variables", "regularization_losses", "update_ops"):
        fetches["names_of_" + key] = " ".join(item.name for item in tf.get_collection(key))
    return fetches


def program_template():
    net = tf.make_template("net", lambda x: dense(dense(x)))
    return look(a=net(x_of(2, 3)), b=net(x_of(1, 3)))


def program_template_of_a_layer():
    layer = tf.layers.Dense(3, kernel_initializer=ONES)
    net = tf.make_template("net", lambda x: layer(x))
    return look(a=net(x_of(2, 3)), b=net(x_of(1, 3)), scope=layer.scope_name)


def program_while_loop():
    layer = tf.layers.Dense(3, kernel_initializer=tf.constant_initializer(.1))
    x = x_of(2, 3)
    y = layer(x)
    _, z = tf.while_loop(lambda i, h: i < 3, lambda i, h: (i + 1, layer(h)), [0, y])
    return look(z=z)


def program_made_in_a_while_loop():
    _, z = tf.while_loop(lambda i, h: i < 2,
                         lambda i, h: (i + 1, dense(h, name="inside", reuse=tf.AUTO_REUSE)),
                         [0, x_of(2, 3)])
    return look(z=z)


def program_cond():
    x = x_of(2, 3)
    layer = tf.layers.Dense(3, kernel_initializer=ONES)
    y = tf.cond(tf.placeholder_with_default(True, []), lambda: layer(x), lambda: x * 2.)
    return look(y=y, z=layer(x))


def program_devices():
    with tf.device("/cpu:0"):
        y = dense(x_of(2, 3))
    with tf.device("/job:localhost"):
        z = dense(y, activation=tf.nn.relu)
    return look(y=y, z=z)


def program_control_dependencies():
    with tf.control_dependencies([tf.constant(1, name="first")]):
        return look(y=dense(x_of(2, 3)))


def program_scope_again():
    with tf.variable_scope("a") as scope:
        x = dense(x_of(2, 3))
    with tf.variable_scope(scope):
        y = dense(x, name="other")
    with tf.variable_scope(scope, reuse=True):
        z = dense(x)
    return look(x=x, y=y, z=z)


def program_scope_reused_by_hand():
    with tf.variable_scope("a") as scope:
        x = dense(x_of(2, 3), name="fc")
        scope.reuse_variables()
        y = dense(x_of(1, 3), name="fc")
    return look(x=x, y=y)


def program_auto_reuse_of_unnamed():
    ys = []
    for _ in range(2):
        with tf.variable_scope("net", reuse=tf.AUTO_REUSE):
            ys.append(dense(dense(x_of(2, 3))))
    return look(ys=ys)


def program_deep_scopes():
    with tf.variable_scope("a"), tf.variable_scope("b"), tf.name_scope("n"):
        y = dense(x_of(2, 3), name="c")
    return look(y=y)


def program_names_given_with_slashes():
    return look(y=dense(x_of(2, 3), name="block1/fc"), z=dense(x_of(2, 3), name="block1/out"))


def program_default_name_scope():
    with tf.variable_scope(None, default_name="net"):
        a = dense(x_of(2, 3))
    with tf.variable_scope(None, default_name="net"):
        b = dense(x_of(2, 3))
    return look(a=a, b=b)


def program_auxiliary_name_scope():
    with tf.variable_scope("a", auxiliary_name_scope=False):
        return look(y=dense(x_of(2, 3)))


def program_same_layer_in_other_scopes():
    layer = tf.layers.Dense(3, kernel_initializer=ONES)
    with tf.variable_scope("first"):
        a = layer(x_of(2, 3))
    with tf.variable_scope("second"):
        b = layer(a)
    with tf.name_scope("third"):
        c = layer(b)
    return look(a=a, b=b, c=c)


def program_layers_inside_layers():
    class Inner(tf.layers.Layer):
        def build(self, shape):
            self.w = self.add_weight("w", [3], initializer=ONES,
                                     regularizer=lambda w: tf.reduce_sum(w))
            self.built = True

        def call(self, inputs):
            return inputs * self.w

    class Outer(tf.layers.Layer):
        def __init__(self, **kwargs):
            super().__init__(**kwargs)
            self.parts = [Inner(name="one"), Inner(name="two")]

        def build(self, shape):
            self.w = self.add_weight("w", [3], initializer=ONES)
            self.built = True

        def call(self, inputs):
            for part in self.parts:
                inputs = part(inputs) + self.w
            return dense(inputs)

    outer = Outer()
    return look(a=outer(x_of(2, 3)), b=outer(x_of(1, 3)))


def program_function_inside_a_layer():
    class Net(tf.layers.Layer):
        def call(self, inputs):
            return tf.layers.dense(inputs, 3, kernel_initializer=ONES, name="fc")

    net = Net(name="net")
    return look(a=net(x_of(2, 3)), b=net(x_of(1, 3)))


def program_weights_of_an_unnamed_layer():
    class Bias(tf.layers.Layer):
        def __init__(self):
            super().__init__()
            self.b = self.add_weight("b", [3], initializer=ONES)

        def call(self, inputs):
            return inputs + self.b

    return look(a=Bias()(x_of(2, 3)), b=Bias()(x_of(2, 3)))


def program_layer_of_a_type():
    class Scale(tf.layers.Layer):
        def build(self, shape):
            self.w = self.add_weight("w", [3])
            self.n = self.add_weight("n", [2], tf.int64)
            self.t = self.add_weight("t", [2], tf.bool, trainable=False)
            self.built = True

        def call(self, inputs):
            return tf.cast(inputs, self.dtype) * 2.

    layer = Scale(dtype=tf.float64)
    y = layer(x_of(2, 3))
    return look(y=y, types=" ".join(str(w.dtype) for w in layer.weights), dtype=str(layer.dtype))


def program_shared_with_get_variable():
    with tf.variable_scope("fc"):
        w = tf.get_variable("kernel", [3, 3], initializer=ONES, trainable=False)
    y = tf.layers.dense(x_of(2, 3), 3, name="fc", reuse=tf.AUTO_REUSE)
    return look(y=y, w=w)


def program_several_inputs_and_outputs():
    class Split(tf.layers.Layer):
        def call(self, inputs, scale=1., *, shift=0.):
            first, (second, third) = inputs
            return first * scale, [second + shift, third]

    a, (b, c) = Split()((x_of(1), [x_of(2), x_of(3)]), 2., shift=1.)
    return look(a=a, b=b, c=c)


def program_activity_of_several_outputs():
    class Two(tf.layers.Layer):
        def call(self, inputs):
            return inputs, inputs + 1.

    two = Two(activity_regularizer=tf.reduce_sum)
    two(x_of(2, 3))
    return look(losses=two.losses)


def program_gradients_through_two_calls():
    layer = tf.layers.Dense(3, activation=tf.tanh, kernel_initializer=tf.constant_initializer(.1))
    y = layer(layer(x_of(2, 3)))
    return look(gradients=tf.gradients(y, layer.trainable_weights))


def program_minimized():
    x = x_of(4, 3)
    y = dense(tf.layers.batch_normalization(dense(x), training=True), 1)
    loss = tf.reduce_mean(tf.exp(y))  # not of squares: normalized, the first layer's gradient would be rounding alone
    with tf.control_dependencies(tf.get_collection(tf.GraphKeys.UPDATE_OPS)):
        train = tf.train.AdamOptimizer(.1).minimize(loss, tf.train.get_or_create_global_step())
    return [{"train": train}, {"loss": loss}]


def program_towers():
    ys = []
    with tf.variable_scope(tf.get_variable_scope()):
        for i in range(2):
            with tf.name_scope("tower_%d" % i):
                ys.append(dense(dense(x_of(2, 3), name="first"), 1, name="last"))
                tf.get_variable_scope().reuse_variables()
    return look(ys=ys)


def program_towers_by_argument():
    ys = []
    for i in range(2):
        with tf.variable_scope(tf.get_variable_scope(), reuse=i > 0), tf.name_scope("tower_%d" % i):
            y = tf.layers.batch_normalization(dense(x_of(2, 3), name="fc"), training=True, name="bn")
            ys.append(tf.layers.dropout(y))
    return look(ys=ys)


def program_variable_as_input():
    v = tf.Variable(np.ones([2, 3], np.float32), name="v")
    return look(y=dense(v))


def program_half():
    x = tf.constant(np.ones([2, 3], np.float16))
    return look(y=dense(x, activation=tf.nn.relu))


def program_sizes_of_other_kinds():
    x = x_of(2, 6)
    y = dense(x, x.shape[1], name="a")
    z = tf.layers.conv1d(x_of(1, 6, 2), np.int64(3), (2,), kernel_initializer=ONES)
    return look(y=y, z=z)


def program_named_through_apply():
    layer = tf.layers.Dense(2, kernel_initializer=ONES, name="fc")
    return look(y=layer.apply(x_of(1, 3)), name=layer.name, scope=layer.scope_name)
