"""Models of tf.keras in files: weights, whole models, ModelCheckpoint."""

import json
import os
import pathlib

import numpy as np
import pytest
import tensorflow as tf

K = tf.keras.layers
GOLDEN = pathlib.Path(__file__).parents[1] / "golden" / "objects"
ANSWERS = json.loads((GOLDEN / "answers.json").read_text())["keras"]
X = np.linspace(-1, 1, 12).reshape(4, 3)
Y = np.array([[0], [1], [1], [0]])


def whole():
    """The model that tools/object_goldens.py let TensorFlow save."""
    x = tf.keras.Input((3,), name="x")
    inner = tf.keras.Sequential([K.Dense(4, activation="relu", input_shape=(3,)), K.BatchNormalization()],
                                name="inner")
    model = tf.keras.Model(x, K.Dense(1, activation="sigmoid", kernel_regularizer=tf.keras.regularizers.l2(0.01))(
        K.Dropout(0.5)(K.concatenate([inner(x), x]))), name="whole")
    model.compile(tf.keras.optimizers.Adam(0.01, clipnorm=1.0), "binary_crossentropy", metrics=["acc"])
    return model


def small():
    model = tf.keras.Sequential([K.Dense(2, input_shape=(3,)), K.Dense(1)])
    model.compile("adam", "mse")
    return model


def same(model):
    np.testing.assert_allclose(model.predict(X), ANSWERS["predict"], rtol=1e-5)
    np.testing.assert_allclose(model.evaluate(X, Y, verbose=0), ANSWERS["evaluate"], rtol=1e-5)


@pytest.mark.parametrize("file", ["weights.h5", "weights", "model.h5"])
def test_weights_of_tensorflow_are_read(file):
    model = whole()
    model.load_weights(str(GOLDEN / file))
    same(model)


def test_a_model_of_tensorflow_is_read_with_its_optimizer():
    model = tf.keras.models.load_model(str(GOLDEN / "model.h5"))
    same(model)
    assert type(model.optimizer).__name__ == "Adam" and model.optimizer.clipnorm == 1.0
    for got, want in zip(model.optimizer.get_weights(), ANSWERS["optimizer"]):
        np.testing.assert_allclose(got, want, rtol=1e-6)
    assert tf.keras.models.load_model(str(GOLDEN / "model.h5"), compile=False).optimizer is None


@pytest.mark.parametrize("file", ["w.h5", "w"])
def test_weights_come_back(tmp_path, file):
    model = small()
    model.train_on_batch(X, Y)
    model.save_weights(str(tmp_path / file))
    before = model.get_weights()
    model.set_weights([0 * value for value in before])
    model.load_weights(str(tmp_path / file))
    for got, want in zip(model.get_weights(), before):
        np.testing.assert_array_equal(got, want)
    assert os.path.exists(tmp_path / file) == file.endswith("h5")


def test_checkpoints_have_the_optimizer_and_hdf5_has_names(tmp_path):
    model = small()
    model.train_on_batch(X, Y)
    model.save_weights(str(tmp_path / "w"))
    reader = tf.train.NewCheckpointReader(str(tmp_path / "w"))
    assert reader.has_tensor("optimizer/iter/.ATTRIBUTES/VARIABLE_VALUE")
    assert reader.has_tensor("layer_with_weights-0/kernel/.OPTIMIZER_SLOT/optimizer/m/.ATTRIBUTES/VARIABLE_VALUE")
    assert tf.train.latest_checkpoint(str(tmp_path)) == str(tmp_path / "w")
    model.save_weights(str(tmp_path / "w.h5"))
    from rill import _rill
    stored = _rill.read_keras_file(str(tmp_path / "w.h5"))
    assert [(layer, [name for name, _ in weights]) for layer, weights in stored["layers"]] == [
        ("dense", ["dense/kernel:0", "dense/bias:0"]), ("dense_1", ["dense_1/kernel:0", "dense_1/bias:0"])]


def test_a_model_goes_on_training_where_it_was(tmp_path):
    model = whole()
    model.fit(X, Y, epochs=2, verbose=0)
    model.save(str(tmp_path / "m.h5"))
    values, steps = model.get_weights(), model.optimizer.get_weights()
    described = model.to_json()
    with tf.Graph().as_default():
        loaded = tf.keras.models.load_model(str(tmp_path / "m.h5"))
        for got, want in zip(loaded.get_weights() + loaded.optimizer.get_weights(), values + steps):
            np.testing.assert_array_equal(got, want)
        assert loaded.to_json() == described
        loaded.fit(X, Y, verbose=0)


def test_layers_by_name(tmp_path):
    model = tf.keras.Sequential([K.Dense(2, input_shape=(3,), name="a"), K.Dense(1, name="b")])
    model.save_weights(str(tmp_path / "w.h5"))
    other = tf.keras.Sequential([K.Dense(2, input_shape=(3,), name="a"), K.Dense(5, name="c"), K.Dense(1, name="d")])
    before = other.get_weights()
    other.load_weights(str(tmp_path / "w.h5"), by_name=True)
    np.testing.assert_array_equal(other.get_weights()[0], model.get_weights()[0])
    np.testing.assert_array_equal(other.get_weights()[2], before[2])
    with pytest.raises(ValueError, match="containing 2 layers into a model with 3 layers"):
        other.load_weights(str(tmp_path / "w.h5"))
    wide = tf.keras.Sequential([K.Dense(7, input_shape=(3,), name="a")])
    with pytest.raises(ValueError, match="weight a.*/kernel:0 has shape"):
        wide.load_weights(str(tmp_path / "w.h5"), by_name=True)


def test_a_subclass_gets_weights_when_it_has_made_variables(tmp_path):
    class Net(tf.keras.Model):
        def __init__(self):
            super().__init__()
            self.hidden, self.last = [K.Dense(2)], K.Dense(1)

        def call(self, inputs):
            return self.last(self.hidden[0](inputs))

    net = Net()
    want = net.predict(X)
    net.save_weights(str(tmp_path / "w"))
    net.save_weights(str(tmp_path / "w.h5"))
    with tf.Graph().as_default():
        later = Net()
        with pytest.raises(ValueError, match="has not created its variables yet"):
            later.load_weights(str(tmp_path / "w.h5"))
        later.load_weights(str(tmp_path / "w"))
        np.testing.assert_allclose(later.predict(X), want, rtol=1e-6)
    with pytest.raises(NotImplementedError, match="requires the model to be a Functional model"):
        later.save(str(tmp_path / "m.h5"))


def test_wrong_files_and_formats(tmp_path):
    model = small()
    (tmp_path / "no.h5").write_text("no file of this kind")
    with pytest.raises((OSError, tf.errors.OpError)):
        model.load_weights(str(tmp_path / "no.h5"))
    with pytest.raises(ValueError, match="Unknown format"):
        model.save_weights(str(tmp_path / "w"), save_format="paper")
    with pytest.raises(ValueError, match="looks like an HDF5 file"):
        model.save_weights(str(tmp_path / "w.h5"), save_format="tf")
    model.save_weights(str(tmp_path / "w.h5"))
    with pytest.raises(ValueError, match="No model found in config file"):
        tf.keras.models.load_model(str(tmp_path / "w.h5"))
    with pytest.raises(OSError, match="does not exist"):
        tf.keras.models.load_model(str(tmp_path / "nothing.h5"))
    model.save_weights(str(tmp_path / "w"))
    with pytest.raises(NotImplementedError, match="by_name=True"):
        model.load_weights(str(tmp_path / "w"), by_name=True)


def test_custom_objects(tmp_path):
    class Twice(K.Layer):
        def call(self, inputs):
            return inputs * 2.0

    def distance(truth, made):
        return tf.reduce_mean(tf.abs(truth - made))

    model = tf.keras.Sequential([K.Dense(1, input_shape=(3,)), Twice()])
    model.compile("sgd", distance)
    want = model.predict(X)
    model.save(str(tmp_path / "m.h5"))
    with pytest.raises(ValueError, match="Unknown layer: Twice"):
        tf.keras.models.load_model(str(tmp_path / "m.h5"))
    loaded = tf.keras.models.load_model(str(tmp_path / "m.h5"), {"Twice": Twice, "distance": distance})
    np.testing.assert_allclose(loaded.predict(X), want)


def test_model_checkpoint_saves_after_epochs(tmp_path, capsys):
    model = small()
    tell = tf.keras.callbacks.ModelCheckpoint(str(tmp_path / "{epoch:02d}-{loss:.0f}.h5"), verbose=1)
    model.fit(X, Y, epochs=2, verbose=0, callbacks=[tell])
    assert sorted(name[:3] for name in os.listdir(tmp_path)) == ["01-", "02-"]
    assert "Epoch 00001: saving model to" in capsys.readouterr().out
    with pytest.raises(KeyError, match="Failed to format"):
        model.fit(X, Y, verbose=0, callbacks=[tf.keras.callbacks.ModelCheckpoint(str(tmp_path / "{nothing}.h5"))])


def test_model_checkpoint_keeps_the_best(tmp_path, capsys):
    model = small()
    tell = tf.keras.callbacks.ModelCheckpoint(str(tmp_path / "best"), monitor="loss", save_best_only=True,
                                              save_weights_only=True, verbose=1)
    tell.set_model(model)
    for epoch, loss in enumerate([3.0, 1.0, 2.0]):
        tell.on_epoch_end(epoch, {"loss": loss})
    assert tell.best == 1.0
    told = capsys.readouterr().out
    assert "Epoch 00002: loss improved from 3.00000 to 1.00000, saving model to" in told
    assert "Epoch 00003: loss did not improve from 1.00000" in told
    assert os.path.exists(tmp_path / "best.index")


def test_model_checkpoint_by_examples_and_periods(tmp_path):
    model = small()
    model.fit(X, Y, batch_size=1, verbose=0, callbacks=[
        tf.keras.callbacks.ModelCheckpoint(str(tmp_path / "often"), save_weights_only=True, save_freq=3)])
    assert os.path.exists(tmp_path / "often.index")
    model.fit(X, Y, epochs=4, verbose=0, callbacks=[
        tf.keras.callbacks.ModelCheckpoint(str(tmp_path / "p{epoch}.h5"), period=2)])
    assert sorted(name for name in os.listdir(tmp_path) if name.startswith("p")) == ["p2.h5", "p4.h5"]
    want = model.get_weights()
    model.set_weights([0 * value for value in want])
    again = tf.keras.callbacks.ModelCheckpoint(str(tmp_path / "p{epoch}.h5"), load_weights_on_restart=True)
    again.set_model(model)
    again.on_train_begin()
    np.testing.assert_array_equal(model.get_weights()[0], want[0])
    with pytest.raises(ValueError, match="Unrecognized save_freq"):
        tf.keras.callbacks.ModelCheckpoint("x", save_freq="sometimes")


@pytest.mark.parametrize("layer, later", [
    (lambda: K.Conv1D(2, 2), {"groups": 1}), (lambda: K.GlobalAveragePooling1D(), {"keepdims": False}),
    (lambda: K.GaussianNoise(0.1), {"seed": None}), (lambda: K.SpatialDropout1D(0.1), {"noise_shape": None}),
    (lambda: K.SeparableConv1D(2, 2), {"kernel_initializer": "zeros", "kernel_regularizer": None}),
    (lambda: K.LSTM(2), {"zero_output_for_mask": False})])
def test_settings_of_later_versions_that_change_nothing_are_passed_over(layer, later):
    described = K.serialize(layer())
    described["config"].update(later)
    made = K.deserialize(described)
    assert made.get_config() == {key: value for key, value in described["config"].items() if key not in later}
    with pytest.raises(TypeError, match="not understood"):
        K.deserialize({**described, "config": {**described["config"], "depth": 3}})


def test_settings_of_one_dimension_are_told_as_keras_does():
    assert K.ZeroPadding1D(2).get_config()["padding"] == (2, 2)
    assert K.Cropping1D((1, 0)).get_config()["cropping"] == (1, 0)
    assert K.UpSampling1D(3).get_config()["size"] == 3
