"""Models of Keras as estimators, beside the same steps by hand."""
import numpy as np
import pytest

import rill as tf

X = np.array([[1, 2], [3, 4], [5, 6], [7, 8]], np.float32)
Y = np.array([[1], [2], [3], [4]], np.float32)
KERNEL = np.array([[0.5], [-0.25]], np.float32)


def made(optimizer=None, **options):
    model = tf.keras.models.Sequential([
        tf.keras.layers.Dense(1, input_shape=(2,), name="d", kernel_initializer=tf.constant_initializer(KERNEL))])
    model.compile(optimizer or tf.keras.optimizers.SGD(0.01), **{"loss": "mse", **options})
    return model


def pairs():
    return tf.data.Dataset.from_tensor_slices((X, Y)).batch(4)


def convert(model, tmp_path):
    return tf.keras.estimator.model_to_estimator(model, model_dir=str(tmp_path))


def stepped(kernel, bias, rate=0.01):
    error = 2 * (X @ kernel + bias - Y) / len(X)
    return kernel - rate * X.T @ error, bias - rate * error.sum()


@pytest.mark.parametrize("optimizer", [lambda: tf.keras.optimizers.SGD(0.01),
                                       lambda: tf.train.GradientDescentOptimizer(0.01)])
def test_trains(tmp_path, optimizer):
    estimator = convert(made(optimizer()), tmp_path)
    kernel, bias = KERNEL, np.zeros(1, np.float32)
    for _ in range(2):
        estimator.train(pairs)
        kernel, bias = stepped(kernel, bias)
    np.testing.assert_allclose(estimator.get_variable_value("d/kernel"), kernel, rtol=1e-5)
    np.testing.assert_allclose(estimator.get_variable_value("d/bias"), bias, rtol=1e-4)
    assert estimator.get_variable_value("global_step") == 2
    np.testing.assert_allclose([row["d"] for row in estimator.predict(pairs)], X @ kernel + bias, rtol=1e-4)


def test_evaluates(tmp_path):
    found = convert(made(metrics=["mae"]), tmp_path).evaluate(pairs)
    assert found["loss"] == pytest.approx(np.square(X @ KERNEL - Y).mean())
    assert found["mean_absolute_error" if "mean_absolute_error" in found else "mae"] == pytest.approx(
        np.abs(X @ KERNEL - Y).mean())


def test_starts_with_the_weights(tmp_path):
    model = made()
    model.set_weights([np.array([[2.0], [3.0]]), np.array([1.0])])
    found = [row["d"] for row in convert(model, tmp_path).predict(pairs)]
    np.testing.assert_allclose(found, X @ [[2], [3]] + 1)


def test_features_by_name(tmp_path):
    inputs = tf.keras.Input((2,), name="x")
    model = tf.keras.Model(inputs, tf.keras.layers.Dense(1, name="out")(inputs))
    model.compile("sgd", "mse")
    estimator = convert(model, tmp_path)
    estimator.train(lambda: pairs().map(lambda x, y: ({"x": x}, y)))
    with pytest.raises(KeyError, match="does not cover requested inputs keys"):
        estimator.train(lambda: pairs().map(lambda x, y: ({"z": x}, y)))


def test_refuses(tmp_path):
    convert_to = tf.keras.estimator.model_to_estimator
    with pytest.raises(ValueError, match="Either `keras_model`"):
        convert_to()
    with pytest.raises(ValueError, match="but not both"):
        convert_to(made(), "/x")
    plain = tf.keras.models.Sequential([tf.keras.layers.Dense(1, input_shape=(2,))])
    with pytest.raises(ValueError, match="has not been compiled yet"):
        convert(plain, tmp_path)
