"""tf.layers.dense, dropout and flatten; how layers name, share and collect what they make."""
import numpy as np
import tensorflow as tf

X = np.linspace(-1, 1, 24).astype(np.float32)


def x_of(*shape):
    return tf.constant(X[:int(np.prod(shape))].reshape(shape), name="x")


def numbers(*shape):
    return tf.constant_initializer(np.linspace(-.5, .7, int(np.prod(shape))).reshape(shape))


def names(things):
    return " ".join(str(getattr(thing, "name", thing)) for thing in things)


def collected(**fetches):
    """What is fetched, with the names of what is in the collections."""
    for key in ("variables", "trainable_variables", "update_ops", "regularization_losses"):
        fetches["names_of_" + key] = names(tf.get_collection(key))
    if not tf.executing_eagerly():
        fetches["keys"] = names(key for key in sorted(tf.get_default_graph().get_all_collection_keys())
                                if key != "cond_context")
    return fetches


def program_dense():
    return collected(y=tf.layers.dense(x_of(2, 3), 4, kernel_initializer=numbers(3, 4)))


def program_dense_random():
    return collected(shape=str(tf.layers.dense(x_of(2, 3), 4).shape))


def program_dense_activation():
    return collected(y=tf.layers.dense(x_of(2, 3), 4, activation=tf.nn.relu,
                                       kernel_initializer=numbers(3, 4)))


def program_dense_named():
    return collected(y=tf.layers.dense(x_of(2, 3), 4, tf.tanh, kernel_initializer=numbers(3, 4),
                                       name="fc"))


def program_dense_named_below():
    x = x_of(2, 3)
    with tf.variable_scope("tower"):
        a = tf.layers.dense(x, 3, kernel_initializer=numbers(3, 3), name="fc/deep")
    return collected(a=a)


def program_dense_several():
    y = x_of(2, 3)
    for _ in range(3):
        y = tf.layers.dense(y, 3, kernel_initializer=numbers(3, 3))
    return collected(y=y)


def program_dense_no_bias():
    return collected(y=tf.layers.dense(x_of(2, 3), 4, use_bias=False,
                                       kernel_initializer=numbers(3, 4)))


def program_dense_bias_initializer():
    return collected(y=tf.layers.dense(x_of(2, 3), 2, bias_initializer=tf.ones_initializer(),
                                       kernel_initializer=tf.zeros_initializer()))


def program_dense_rank_3():
    return collected(y=tf.layers.dense(x_of(2, 3, 4), 2, kernel_initializer=numbers(4, 2)))


def program_dense_rank_3_unknown():
    x = tf.placeholder_with_default(x_of(2, 3, 4), [None, None, 4])
    y = tf.layers.dense(x, 2, tf.nn.relu, kernel_initializer=numbers(4, 2))
    return collected(y=y, shape=str(y.shape))


def program_dense_unknown_batch():
    x = tf.placeholder_with_default(x_of(2, 3), [None, 3])
    y = tf.layers.dense(x, 2, kernel_initializer=numbers(3, 2))
    return collected(y=y, shape=str(y.shape))


def program_dense_float64():
    x = tf.constant(X[:6].reshape(2, 3).astype(np.float64))
    y = tf.layers.dense(x, 2, kernel_initializer=tf.constant_initializer(.5))
    return collected(y=y)


def program_dense_regularized():
    y = tf.layers.dense(x_of(2, 3), 4, kernel_initializer=numbers(3, 4),
                        kernel_regularizer=lambda w: tf.reduce_sum(tf.square(w)) * .5,
                        bias_regularizer=lambda b: tf.reduce_sum(b + 1.),
                        activity_regularizer=lambda a: tf.reduce_sum(a))
    return collected(y=y, losses=tf.get_collection(tf.GraphKeys.REGULARIZATION_LOSSES))


def program_dense_regularizer_of_nothing():
    y = tf.layers.dense(x_of(2, 3), 4, kernel_initializer=numbers(3, 4),
                        kernel_regularizer=lambda w: None)
    return collected(y=y)


def program_scope_regularizer():
    with tf.variable_scope("s", regularizer=lambda w: tf.reduce_sum(w)):
        y = tf.layers.dense(x_of(2, 3), 4, kernel_initializer=numbers(3, 4))
    losses = tf.get_collection(tf.GraphKeys.REGULARIZATION_LOSSES)
    return collected(y=y, losses=[tf.identity(loss) for loss in losses])


def program_scope_initializer():
    with tf.variable_scope("s", initializer=tf.constant_initializer(.25)):
        y = tf.layers.dense(x_of(2, 3), 4)
    return collected(y=y)


def program_scope_dtype():
    with tf.variable_scope("s", dtype=tf.float64):
        y = tf.layers.dense(x_of(2, 3), 4, kernel_initializer=numbers(3, 4))
    return collected(y=y)


def program_scope_custom_getter():
    def doubled(getter, name, *args, **kwargs):
        return getter(name, *args, **kwargs) * 2.
    with tf.variable_scope("s", custom_getter=doubled):
        y = tf.layers.dense(x_of(2, 3), 4, kernel_initializer=numbers(3, 4))
    return collected(y=y)


def program_scope_partitioner():
    with tf.variable_scope("s", partitioner=tf.fixed_size_partitioner(2)):
        y = tf.layers.dense(x_of(2, 4), 4, kernel_initializer=tf.constant_initializer(.25))
    return collected(y=y)


def program_scope_use_resource():
    with tf.variable_scope("s", use_resource=True):
        y = tf.layers.dense(x_of(2, 3), 4, kernel_initializer=numbers(3, 4))
    return collected(y=y)


def program_not_trainable():
    return collected(y=tf.layers.dense(x_of(2, 3), 4, kernel_initializer=numbers(3, 4),
                                       trainable=False))


def program_reuse():
    x = x_of(2, 3)
    a = tf.layers.dense(x, 3, kernel_initializer=numbers(3, 3), name="fc")
    b = tf.layers.dense(a, 3, name="fc", reuse=True)
    return collected(a=a, b=b)


def program_reuse_auto():
    x = x_of(2, 3)
    ys = [tf.layers.dense(x, 3, kernel_initializer=numbers(3, 3), name="fc", reuse=tf.AUTO_REUSE)
          for _ in range(2)]
    return collected(ys=ys)


def program_reuse_by_scope():
    ys, x = [], x_of(2, 3)
    for reuse in (None, True):
        with tf.variable_scope("net", reuse=reuse):
            h = tf.layers.dense(x, 3, kernel_initializer=numbers(3, 3))
            ys.append(tf.layers.dense(h, 3, kernel_initializer=numbers(3, 3)))
    return collected(ys=ys)


def program_reuse_by_scope_auto():
    ys, x = [], x_of(2, 3)
    for _ in range(2):
        with tf.variable_scope("net", reuse=tf.AUTO_REUSE):
            ys.append(tf.layers.dense(x, 3, kernel_initializer=numbers(3, 3),
                                      kernel_regularizer=tf.reduce_sum))
    return collected(ys=ys)


def program_name_scopes():
    x = x_of(2, 3)
    with tf.name_scope("outer"):
        a = tf.layers.dense(x, 3, kernel_initializer=numbers(3, 3))
        with tf.variable_scope("v"):
            b = tf.layers.dense(a, 3, kernel_initializer=numbers(3, 3))
    return collected(a=a, b=b)


def program_class():
    layer = tf.layers.Dense(3, kernel_initializer=numbers(3, 3))
    x = x_of(2, 3)
    a = layer(x)
    with tf.name_scope("later"):
        b = layer.apply(a)
    return collected(a=a, b=b, name=layer.name, scope=layer.scope_name, dtype=str(layer.dtype),
                     weights=names(layer.weights), count=layer.count_params(),
                     kernel=layer.kernel, bias=layer.bias, units=layer.units,
                     shape=str(layer.compute_output_shape([None, 3])))


def program_class_names():
    layers = [tf.layers.Dense(1), tf.layers.Dense(2), tf.layers.Dense(1, name="mine"),
              tf.layers.Conv2DTranspose(1, 1), tf.layers.BatchNormalization()]
    return {"names": names(layers), "x": tf.constant(1)}


def program_class_losses():
    layer = tf.layers.Dense(3, kernel_initializer=numbers(3, 3),
                            kernel_regularizer=lambda w: tf.reduce_sum(w),
                            activity_regularizer=lambda a: tf.reduce_mean(a))
    x, z = x_of(2, 3), x_of(4, 3)
    layer(x), layer(z)
    return collected(losses=layer.losses, for_x=layer.get_losses_for(x),
                     for_none=layer.get_losses_for(None))


def program_class_scope_argument():
    layer, x = tf.layers.Dense(3, kernel_initializer=numbers(3, 3)), x_of(2, 3)
    with tf.variable_scope("there") as scope:
        pass
    return collected(a=layer(x, scope=scope), b=layer(x))


def program_class_scope_name_argument():
    layer, x = tf.layers.Dense(3, kernel_initializer=numbers(3, 3)), x_of(2, 3)
    return collected(a=layer(x, scope="here"), b=layer(x))


def program_gradients():
    x = x_of(4, 3)
    y = tf.layers.dense(tf.layers.dense(x, 3, tf.nn.relu, kernel_initializer=numbers(3, 3)), 1,
                        kernel_initializer=numbers(3, 1))
    loss = tf.reduce_mean(tf.square(y - 1.))
    return collected(loss=loss, gradients=tf.gradients(loss, tf.trainable_variables()))


def program_training():
    x = x_of(4, 3)
    y = tf.layers.dense(x, 1, kernel_initializer=numbers(3, 1))
    loss = tf.reduce_mean(tf.square(y - 1.))
    train = tf.train.GradientDescentOptimizer(.5).minimize(loss)
    return [{"train": train}, {"train": train}, collected(loss=loss)]


def program_dropout_training():
    tf.set_random_seed(3)
    return collected(y=tf.layers.dropout(tf.zeros([4, 5]), .4, training=True, seed=2))


def program_dropout_not_training():
    return collected(y=tf.layers.dropout(x_of(4, 5), .4))


def program_dropout_rate_0():
    return collected(y=tf.layers.dropout(x_of(4, 5), 0., training=True))


def program_dropout_placeholder():
    training = tf.placeholder_with_default(False, [])
    return collected(y=tf.layers.dropout(x_of(4, 5), .4, training=training, name="drop"))


def program_dropout_constant_training():
    return collected(y=tf.layers.dropout(x_of(4, 5), .4, training=tf.constant(False)))


def program_dropout_noise_shape():
    training = tf.placeholder_with_default(False, [])
    return collected(y=tf.layers.dropout(x_of(4, 5), .4, noise_shape=[None, 1], training=training))


def program_dropout_class():
    layer, x = tf.layers.Dropout(.5), x_of(2, 3)
    return collected(a=layer(x), b=layer(x), name=layer.name, rate=layer.rate)


def program_flatten():
    return collected(a=tf.layers.flatten(x_of(2, 3, 4)), b=tf.layers.flatten(x_of(4)),
                     c=tf.layers.Flatten()(x_of(2, 3, 4)))


def program_flatten_unknown():
    x = x_of(2, 3, 4)
    shapes = ([None, 3, 4], [2, None, 4], [None, None, 4])
    ys = [tf.layers.flatten(tf.placeholder_with_default(x, shape)) for shape in shapes]
    return collected(ys=ys, shapes=names(y.shape for y in ys))


def program_flatten_channels_first():
    return collected(y=tf.layers.flatten(x_of(2, 3, 4), data_format="channels_first", name="f"))


def program_own_layer():
    class Scale(tf.layers.Layer):
        def build(self, input_shape):
            self.scale = self.add_weight("scale", [int(input_shape[-1])], initializer=numbers(3))
            self.steps = self.add_variable("steps", [], tf.int32, trainable=False)
            super().build(input_shape)

        def call(self, inputs):
            self.add_loss(tf.reduce_sum(inputs), inputs=True)
            self.add_update(tf.assign_add(self.steps, 1))
            return inputs * self.scale

    layer, x = Scale(), x_of(2, 3)
    a, b = layer(x), layer(x)
    return collected(a=a, b=b, name=layer.name, trainable=names(layer.trainable_weights),
                     others=names(layer.non_trainable_weights), losses=layer.losses,
                     updates=names(layer.updates), for_x=names(layer.get_updates_for(x)),
                     for_none=names(layer.get_updates_for(None)))


def program_own_layer_inside():
    class Block(tf.layers.Layer):
        def __init__(self, size, **kwargs):
            super().__init__(**kwargs)
            self.inner = tf.layers.Dense(size, kernel_initializer=numbers(3, 3))

        def call(self, inputs, training=False):
            return self.inner(inputs) + inputs

    block, x = Block(3, name="block"), x_of(2, 3)
    return collected(a=block(x), b=block(x, training=True), weights=names(block.weights),
                     inner=names(block.inner.weights))


def program_own_layer_of_two():
    class Join(tf.layers.Layer):
        def build(self, shapes):
            self.w = self.add_weight("w", [int(shapes[0][1])], initializer=numbers(3))
            self.built = True

        def call(self, inputs):
            a, b = inputs
            return {"sum": a + b * self.w, "difference": a - b}

    made = Join()([x_of(2, 3), x_of(1, 3)])
    return collected(total=made["sum"], difference=made["difference"])


def program_own_layer_build_alone():
    class Scale(tf.layers.Layer):
        def build(self, input_shape):
            self.scale = self.add_weight("scale", [3], initializer=numbers(3))
            self.built = True

        def call(self, inputs):
            return inputs * self.scale

    layer = Scale()
    layer.build([None, 3])
    return collected(y=layer(x_of(2, 3)), scope=layer.scope_name)


def program_own_layer_scope_argument():
    class Scoped(tf.layers.Layer):
        def call(self, inputs, scope=None):
            return inputs * (2. if scope.name == "scoped" else 3.)

    return collected(y=Scoped()(x_of(2, 3)))


def program_keras_style():
    with tf.layers.experimental.keras_style_scope():
        layer = tf.layers.Dense(3, kernel_initializer=numbers(3, 3),
                                kernel_regularizer=lambda w: tf.identity(w)[0, 0])
    x = x_of(2, 3)
    with tf.variable_scope("v"):
        a = layer(x)
    return collected(a=a, b=layer(x), losses=layer.losses, name=layer.name)


def program_set_trainable():
    layer = tf.layers.Dense(3, kernel_initializer=numbers(3, 3))
    layer.trainable = False
    y = layer(x_of(2, 3))
    before = names(layer.trainable_weights)
    layer.trainable = True
    return collected(y=y, before=before, after=names(layer.trainable_weights))
