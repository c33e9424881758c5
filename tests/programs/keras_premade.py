"""Models of tf.keras that are there already."""
import numpy as np
import tensorflow as tf

X = np.array([[1.0, 2.0], [3.0, 4.0], [5.0, 7.0]], np.float32)
Z = np.array([[1.0], [0.0], [2.0]], np.float32)
Y = np.array([[1.0], [2.0], [4.0]], np.float32)


def linear(**options):
    return tf.keras.experimental.LinearModel(kernel_initializer="ones", **options)


def program_linear():
    model = linear()
    model.compile("sgd", "mse")
    loss = model.fit(X, Y, epochs=2, batch_size=3, shuffle=False, verbose=0).history["loss"]
    return {"loss": np.array(loss), "y": model.predict(X), "shapes": [v.shape for v in model.get_weights()]}


def program_linear_of_features():
    model = linear(units=2, activation="relu")
    x, z = tf.constant(X), tf.constant(Z)
    return {"y": model({"x": x, "z": z}), "again": model({"x": x, "z": z}), "count": len(model.weights)}


def program_linear_of_lists():
    return {"y": linear(use_bias=False)([tf.constant(X), tf.constant(Z)])}


def program_wide_and_deep():
    deep = tf.keras.Sequential([tf.keras.layers.Dense(2, kernel_initializer="ones"),
                                tf.keras.layers.Dense(1, kernel_initializer="ones")])
    model = tf.keras.experimental.WideDeepModel(linear(), deep)
    model.compile(tf.keras.optimizers.SGD(0.001), "mse")
    loss = model.fit([Z, X], Y, epochs=2, batch_size=3, shuffle=False, verbose=0).history["loss"]
    return {"loss": np.array(loss), "y": model.predict([Z, X])}


def program_wide_and_deep_of_one():
    model = tf.keras.experimental.WideDeepModel(
        linear(), tf.keras.Sequential(
            [tf.keras.layers.Dense(1, kernel_initializer="ones")]), activation="sigmoid")
    return {"y": model(tf.constant(X))}


def program_linear_config():
    again = tf.keras.experimental.LinearModel.from_config(linear(units=3, use_bias=False).get_config())
    return {"units": again.units, "bias": again.use_bias, "y": again(tf.constant(X))}
