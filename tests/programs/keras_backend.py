"""Functions of tf.keras.backend and tf.keras.utils, and their values."""
import functools

import numpy as np
import tensorflow as tf

K = tf.keras.backend


def values(*shape):
    return (np.arange(np.prod(shape), dtype="float32").reshape(shape) % 7 - 3) / 4


A, B = values(2, 3), values(2, 3) * 2 + 1

FUNCTIONS = {
    "arithmetic": lambda: [K.abs(A), K.square(A), K.sqrt(K.constant(A)), K.exp(A), K.log(B), K.round(A), K.sign(A),
                           K.pow(A, 2), K.sin(A), K.cos(A), K.maximum(A, B), K.minimum(A, B), K.clip(A, -0.5, 0.25)],
    "comparisons": lambda: [K.equal(A, B), K.not_equal(A, B), K.greater(A, B), K.greater_equal(A, B), K.less(A, B),
                            K.less_equal(A, B)],
    "reductions": lambda: [f(K.constant(A), axis=axis, keepdims=keep) for f in
                           (K.sum, K.prod, K.max, K.min, K.mean, K.var, K.std)
                           for axis, keep in ((None, False), (1, True), ([0, 1], False))],
    "truths": lambda: [K.any(A > 0, axis=1), K.all(A > -1), K.argmax(A), K.argmin(A, axis=0), K.cumsum(A), K.cumprod(B, 1)],
    "activations": lambda: [K.relu(A), K.relu(A, alpha=0.1, max_value=0.5), K.relu(A, threshold=0.2), K.elu(A, 0.5),
                            K.softmax(A), K.softplus(A), K.softsign(A), K.sigmoid(A), K.hard_sigmoid(A), K.tanh(A)],
    "shapes": lambda: [K.reshape(A, (3, 2)), K.permute_dimensions(A, (1, 0)), K.transpose(A), K.flatten(A),
                       K.expand_dims(A, 1), K.squeeze(K.expand_dims(A, 1), 1), K.batch_flatten(K.constant(values(2, 2, 3))),
                       K.tile(A, (2, 1)), K.repeat(K.constant(A), 2), K.repeat_elements(K.constant(A), 2, axis=1), K.stack([A, B]),
                       K.concatenate([K.constant(A), K.constant(B)]), K.reverse(A, 1), K.shape(A)],
    "padding": lambda: [K.temporal_padding(values(1, 2, 1)), K.spatial_2d_padding(K.constant(values(1, 2, 2, 1))),
                        K.spatial_3d_padding(K.constant(values(1, 1, 2, 1, 1)))],
    "dots": lambda: [K.dot(K.constant(A), K.constant(values(3, 2))), K.dot(K.constant(values(2, 2, 3)), K.constant(values(3, 2))),
                     K.batch_dot(K.constant(values(2, 3)), K.constant(values(2, 3)), axes=1),
                     K.batch_dot(K.constant(values(2, 3, 4)), K.constant(values(2, 4, 5))),
                     K.batch_dot(K.constant(values(2, 3, 4)), K.constant(values(2, 3)), axes=(1, 1)), K.l2_normalize(A, 1)],
    "windows": lambda: [K.conv1d(K.constant(values(1, 5, 2)), K.constant(values(2, 2, 3))),
                        K.conv2d(K.constant(values(1, 4, 4, 2)), K.constant(values(2, 2, 2, 1)), padding="same"),
                        K.conv3d(K.constant(values(1, 3, 3, 3, 1)), K.constant(values(2, 2, 2, 1, 2))),
                        K.pool2d(K.constant(values(1, 4, 4, 1)), (2, 2), strides=(2, 2)),
                        K.pool2d(K.constant(values(1, 4, 4, 1)), (2, 2), pool_mode="avg", padding="same"),
                        K.pool3d(K.constant(values(1, 3, 3, 3, 1)), (2, 2, 2)),
                        K.separable_conv2d(K.constant(values(1, 4, 4, 2)), K.constant(values(2, 2, 2, 1)),
                                           K.constant(values(1, 1, 2, 3))),
                        K.conv2d_transpose(K.constant(values(1, 2, 2, 1)), K.constant(values(2, 2, 3, 1)), (1, 3, 3, 3)),
                        K.bias_add(K.constant(values(1, 2, 2, 3)), K.constant(values(3)))],
    "resizing": lambda: [K.resize_images(K.constant(values(1, 2, 2, 1)), 2, 3, "channels_last"),
                         K.resize_volumes(K.constant(values(1, 1, 2, 1, 1)), 2, 1, 2, "channels_last")],
    "crossentropies": lambda: [
        K.categorical_crossentropy(K.constant(np.eye(3, dtype="float32")[:2]), K.softmax(K.constant(A) + 0)),
        K.categorical_crossentropy(K.constant(np.eye(3, dtype="float32")[:2]), K.constant(np.abs(A) + 0.1)),
        K.categorical_crossentropy(K.constant(np.eye(3, dtype="float32")[:2]), K.constant(A), from_logits=True),
        K.sparse_categorical_crossentropy(K.constant([0, 2]), K.constant(np.abs(A) + 0.1)),
        K.sparse_categorical_crossentropy(K.constant([0, 2]), K.constant(A), from_logits=True),
        K.binary_crossentropy(K.constant(A > 0), K.constant(np.abs(A))),
        K.binary_crossentropy(K.constant(A > 0), K.constant(A), from_logits=True)],
    "picking": lambda: [K.gather(K.constant(A), K.constant([1, 0], dtype="int32")), K.one_hot(K.constant([1, 0], dtype="int32"), 3),
                        K.arange(4), K.arange(1, 7, 2), K.cast(A, "int32"), K.zeros_like(A), K.ones_like(A),
                        K.in_top_k(K.constant(A), K.constant([0, 1], dtype="int32"), 1)],
    "choices": lambda: [K.switch(K.constant(1) > 0, K.constant(A), K.constant(B)), K.switch(K.constant(A) > 0, K.constant(A), K.constant(B)),
                        K.in_train_phase(K.constant(A), K.constant(B)), K.in_test_phase(K.constant(A), K.constant(B)),
                        K.in_train_phase(K.constant(A), K.constant(B), training=True)],
    "functional": lambda: [K.map_fn(lambda x: x * 2, K.constant(A)), K.foldl(lambda a, x: a + x, K.constant(A)),
                           K.foldr(lambda a, x: a - x, K.constant(A))],
    "normalized": lambda: [K.batch_normalization(K.constant(A), K.constant([0.1, 0.2, 0.3]), K.constant([1.0, 2.0, 3.0]),
                                                 K.constant([0.0, 1.0, 0.0]), K.constant([1.0, 2.0, 1.0])),
                           *K.normalize_batch_in_training(K.constant(A), K.constant([1.0, 2.0, 1.0]), K.constant([0.0, 1.0, 0.0]), [0])],
    "gradients": lambda: (lambda x: K.gradients(K.sum(K.square(x)), [x]))(K.constant(A)),
}


def computed(make):
    return {"values": [K.eval(x) for x in make()]}


for _name, _make in FUNCTIONS.items():
    globals()[f"program_{_name}"] = functools.partial(computed, _make)


def program_variables():
    v = K.variable(A, name="v")
    K.set_value(v, B)
    first = K.get_value(v)
    K.batch_set_value([(v, A)])
    z, o, e = K.zeros((2,), name="z"), K.ones((2, 1), name="o"), K.eye(2, name="e")
    added = K.get_session().run(K.update_add(v, A))
    return {"first": first, "values": K.batch_get_value([v, z, o, e]), "added": added, "names": [x.name for x in (v, z, o)],
            "known": str([K.int_shape(v), K.ndim(v), K.dtype(v), K.count_params(v), K.is_sparse(v)])}


def program_function():
    x, y = K.placeholder((None, 2)), K.placeholder(ndim=2)
    total = K.variable(0.0, name="total")
    f = K.function([x, y], [x + y, K.sum(x)], updates=[K.update_add(total, K.sum(y))])
    return {"made": f([values(2, 2), values(2, 2) + 1]), "again": f([values(2, 2), values(2, 2)]), "total": K.get_value(total)}


def program_settings():
    return {"epsilon": K.epsilon(), "floatx": K.floatx(), "format": K.image_data_format(), "backend": K.backend(),
            "cast": K.cast_to_floatx(np.array([1, 2])), "phase": K.learning_phase().name}


def program_learning_phase():
    K.set_learning_phase(1)
    x = K.constant(A)
    return {"train": K.eval(K.in_train_phase(x, x * 0)), "phase": K.learning_phase()}


def program_rnn():
    x = K.constant(values(2, 3, 2))

    def step(inputs, states):
        out = inputs + states[0]
        return out, [out]
    last, outputs, states = K.rnn(step, x, [K.zeros((2, 2))])
    masked = K.rnn(step, x, [K.zeros((2, 2))], mask=K.constant([[1, 1, 0], [1, 0, 1]]))
    back = K.rnn(step, x, [K.zeros((2, 2))], go_backwards=True, unroll=True)
    return {"last": K.eval(last), "all": K.eval(outputs), "state": K.eval(states[0]), "masked": [K.eval(masked[0]), K.eval(masked[1])],
            "back": [K.eval(back[0]), K.eval(back[1])]}


def program_utils():
    u = tf.keras.utils
    return {"categorical": u.to_categorical([0, 2, 1]), "wide": u.to_categorical([[0], [1]], 3, dtype="int32"),
            "normalized": u.normalize(A), "order": u.normalize(A, axis=0, order=1)}


def program_activations():
    a = tf.keras.activations
    names = ["elu", "exponential", "hard_sigmoid", "linear", "relu", "selu", "sigmoid", "softmax", "softplus", "softsign", "tanh"]
    return {"values": [K.eval(a.get(name)(K.constant(A))) for name in names], "none": a.get(None).__name__,
            "names": [a.serialize(a.deserialize(name)) for name in names]}


def program_constraints():
    c, w = tf.keras.constraints, K.constant(values(3, 4) * 3)
    return {"values": [K.eval(x(w)) for x in (c.MaxNorm(1), c.NonNeg(), c.UnitNorm(), c.MinMaxNorm(0.5, 1.0, rate=0.5), c.get("unit_norm"))]}


def program_regularizers():
    r, w = tf.keras.regularizers, K.constant(values(3, 4))
    return {"values": [K.eval(x(w)) for x in (r.l1(0.1), r.l2(0.1), r.l1_l2(0.1, 0.2), r.get("l2"))]}


def program_metric_functions():
    m = tf.keras.metrics
    t, p = np.array([[0, 1, 0], [1, 0, 0]], "float32"), K.softmax(K.constant(A) * 3)
    s = np.array([1, 0], "float32")
    return {"values": [K.eval(x) for x in (
        m.binary_accuracy(t, p), m.categorical_accuracy(t, p), m.sparse_categorical_accuracy(s, p),
        m.top_k_categorical_accuracy(t, p, k=2), m.sparse_top_k_categorical_accuracy(s, p, k=2),
        m.mean_squared_error(t, p), m.mean_absolute_error(t, p), m.hinge(t, p), m.poisson(t, p),
        m.kullback_leibler_divergence(t, p), m.binary_crossentropy(t, K.constant(np.abs(A))))]}
