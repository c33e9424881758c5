"""tf.keras.wrappers.scikit_learn: models as estimators of scikit-learn."""
import numpy as np
import pytest
import rill as tf
from rill.keras.wrappers.scikit_learn import KerasClassifier, KerasRegressor

X = np.random.RandomState(0).rand(40, 4)


def build(units=4, outputs=2, loss="sparse_categorical_crossentropy", metrics=("acc",)):
    model = tf.keras.Sequential([tf.keras.layers.Dense(units, "relu", input_shape=(4,)),
                                 tf.keras.layers.Dense(outputs, "softmax" if outputs > 1 else "sigmoid")])
    model.compile("adam", loss, metrics=list(metrics))
    return model


@pytest.mark.parametrize("arguments", [{}, {"loss": "categorical_crossentropy"}, {"outputs": 1, "loss": "binary_crossentropy"}])
def test_classes_have_names(arguments):
    y = np.where(X[:, 0] > 0.5, "yes", "no")
    classifier = KerasClassifier(build, units=8, epochs=3, batch_size=10, verbose=0, **arguments)
    history = classifier.fit(X, y)
    assert len(history.history["loss"]) == 3 and classifier.classes_.tolist() == ["no", "yes"]
    assert classifier.model.layers[0].units == 8
    told = classifier.predict(X)
    assert set(told.ravel()) <= {"no", "yes"}
    probable = classifier.predict_proba(X)
    assert probable.shape == (40, 2) and np.allclose(probable.sum(1), 1, atol=1e-5)
    np.testing.assert_allclose(classifier.score(X, y, verbose=0), (told.ravel() == y).mean(), atol=1e-6)


def test_numbers():
    regressor = KerasRegressor(lambda: build(outputs=1, loss="mse", metrics=()), verbose=0)
    regressor.fit(X, X[:, 0], epochs=2)
    assert regressor.predict(X).shape == (40,)
    assert regressor.score(X, X[:, 0], verbose=0) < 0


def test_parameters():
    classifier = KerasClassifier(build, epochs=1)
    assert classifier.get_params() == {"epochs": 1, "build_fn": build}
    assert classifier.set_params(units=3).filter_sk_params(build) == {"units": 3}
    with pytest.raises(ValueError, match="depth is not a legal parameter"):
        KerasClassifier(build, depth=3)
    with pytest.raises(ValueError, match="not configured to compute accuracy"):
        one = KerasClassifier(build, metrics=(), verbose=0)
        one.fit(X, np.arange(40) % 2)
        one.score(X, np.arange(40) % 2)
    with pytest.raises(ValueError, match="Invalid shape for y"):
        classifier.fit(X, np.ones([40, 1, 1]))


class Built(KerasClassifier):
    def __call__(self, units=2):
        return build(units)


def test_a_subclass_builds_itself():
    built = Built(units=5, verbose=0)
    built.fit(X, np.arange(40) % 2)
    assert built.model.layers[0].units == 5
