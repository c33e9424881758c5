"""SavedModels with objects: tf.saved_model.load_v2, those of tf.keras, tf.contrib.saved_model."""

import json
import os
import pathlib

import numpy as np
import pytest
import tensorflow as tf

K = tf.keras.layers
GOLDEN = pathlib.Path(__file__).parents[1] / "golden" / "objects"
ANSWERS = json.loads((GOLDEN / "answers.json").read_text())["tf2"]
X = np.linspace(-1, 1, 12).reshape(4, 3)
WORDS = ["c", "a", "z"]


def initialized(session):
    session.run([tf.global_variables_initializer(), tf.tables_initializer()])
    return session


def test_objects_of_tensorflow_2_are_loaded():
    model = tf.saved_model.load_v2(str(GOLDEN / "tf2_module"))
    signature = model.signatures["serving_default"]
    assert list(model.signatures) == ["serving_default"]
    by_signature, by_call = signature(words=tf.constant(WORDS)), model(tf.constant(WORDS))
    assert by_signature["found"].shape.as_list() == [None, 2]
    with initialized(tf.Session()) as session:
        np.testing.assert_array_equal(session.run(by_signature["found"]), ANSWERS["module"])
        np.testing.assert_array_equal(session.run(by_call["found"]), ANSWERS["module"])
        assert session.run(model.parts[1]["scale"]) == 2.0
        session.run(model.parts[1]["scale"].assign(1.0))
        np.testing.assert_array_equal(session.run(by_call["found"]), np.array(ANSWERS["module"]) / 4)
    assert [variable.name for variable in model.variables] == [v.name for v in tf.global_variables()]


def test_a_model_can_be_loaded_twice():
    first, second = (tf.saved_model.load_v2(str(GOLDEN / "tf2_module"), tags=["serve"]) for _ in range(2))
    made = [model(tf.constant(WORDS))["found"] for model in (first, second)]
    with initialized(tf.Session()) as session:
        session.run(first.parts[0].assign(np.zeros((4, 2))))
        zeros, found = session.run(made)
    assert not zeros.any()
    np.testing.assert_array_equal(found, ANSWERS["module"])


def test_the_graph_of_tensorflow_2_is_loaded():
    with tf.Session() as session:
        graph = tf.saved_model.loader.load(session, ["serve"], str(GOLDEN / "tf2_module"))
        signature = tf.contrib.saved_model.get_signature_def_by_key(graph, "serving_default")
        found = session.run(signature.outputs["found"].name, {signature.inputs["words"].name: WORDS})
    np.testing.assert_array_equal(found, ANSWERS["module"])
    with pytest.raises(ValueError, match="No SignatureDef with key 'other'"):
        tf.contrib.saved_model.get_signature_def_by_key(graph, "other")


def test_wrong_calls_and_models(tmp_path):
    model = tf.saved_model.load_v2(str(GOLDEN / "tf2_module"))
    with pytest.raises(TypeError, match="unexpected keyword argument 'letters'"):
        model.signatures["serving_default"](letters=tf.constant(WORDS))
    with pytest.raises(TypeError, match="misses arguments"):
        model.signatures["serving_default"]()
    with pytest.raises(ValueError, match="Could not find matching function"):
        model(tf.constant(1.0))
    with pytest.raises((ValueError, RuntimeError, tf.errors.OpError), match="tags"):
        tf.saved_model.load_v2(str(GOLDEN / "tf2_module"), tags=["train"])
    with pytest.raises((OSError, tf.errors.NotFoundError), match="does not exist"):
        tf.saved_model.load_v2(str(tmp_path))


def test_a_model_of_keras_2_is_loaded():
    model = tf.keras.models.load_model(str(GOLDEN / "tf2_keras"))
    np.testing.assert_allclose(model.predict(X), ANSWERS["keras"], rtol=1e-5)
    assert model.loss == "sparse_categorical_crossentropy" and type(model.optimizer).__name__ == "Adam"
    with tf.Graph().as_default(), tf.Session() as session:
        loaded = tf.saved_model.load_v2(str(GOLDEN / "tf2_keras"))
        made = loaded(tf.constant(X, tf.float32), training=False)
        session.run(tf.global_variables_initializer())
        np.testing.assert_allclose(session.run(made), ANSWERS["keras"], rtol=1e-5)


def trained():
    model = tf.keras.Sequential([K.Dense(4, activation="relu", input_shape=(3,)), K.BatchNormalization(),
                                 K.Dropout(0.5), K.Dense(1)])
    model.compile("adam", "mse")
    model.fit(X, X[:, :1], verbose=0)
    return model


def served(path):
    with tf.Graph().as_default(), tf.Session() as session:
        graph = tf.saved_model.loader.load(session, ["serve"], path)
        signature = graph.signature_def["serving_default"]
        (given,), (made,) = signature.inputs.values(), signature.outputs.values()
        return session.run(made.name, {given.name: X})


def test_models_are_saved_for_serving_and_read_again(tmp_path):
    model = trained()
    want, path = model.predict(X), str(tmp_path / "m")
    for _ in range(2):  # the second in place of the first
        model.save(path, save_format="tf")
    np.testing.assert_allclose(served(path), want, rtol=1e-5)
    with tf.Graph().as_default():
        loaded = tf.keras.models.load_model(path)
        np.testing.assert_allclose(loaded.predict(X), want, rtol=1e-5)
        for got, value in zip(loaded.optimizer.get_weights(), (1,)):
            np.testing.assert_array_equal(got, value)
        loaded.fit(X, X[:, :1], verbose=0)
    (tmp_path / "other").mkdir()
    (tmp_path / "other" / "file").write_text("")
    with pytest.raises(ValueError, match="other things than a model"):
        model.save(str(tmp_path / "other"), save_format="tf")


def test_export_saved_model_and_contrib(tmp_path):
    model = trained()
    want = model.predict(X)
    tf.keras.experimental.export_saved_model(model, str(tmp_path / "e"))
    tf.contrib.saved_model.save_keras_model(model, str(tmp_path / "c"), as_text=True)
    np.testing.assert_allclose(served(str(tmp_path / "e")), want, rtol=1e-5)
    assert os.path.exists(tmp_path / "e" / "assets" / "saved_model.json")
    with tf.Graph().as_default():
        loaded = tf.keras.experimental.load_from_saved_model(str(tmp_path / "e"))
        np.testing.assert_allclose(loaded.predict(X), want, rtol=1e-5)
        assert loaded.optimizer is None
    assert os.path.exists(tmp_path / "c" / "saved_model.pbtxt")
    with tf.Graph().as_default():
        np.testing.assert_allclose(tf.contrib.saved_model.load_keras_model(str(tmp_path / "c")).predict(X), want,
                                   rtol=1e-5)


class Net(tf.Module):
    def __init__(self):
        super().__init__()
        self.w = tf.Variable([[1.0, 2.0], [3.0, 4.0]], use_resource=True, name="w")
        self.parts = [tf.Variable(2.0, use_resource=True, name="s")]

    @tf.function(input_signature=[tf.TensorSpec([None, 2], tf.float32, name="x")])
    def __call__(self, x):
        return tf.matmul(x, self.w) * self.parts[0]

    @tf.function(input_signature=[tf.TensorSpec([], tf.float32)])
    def scaled(self, by):
        return {"row": self.w[0] * by, "by": by}


def test_objects_are_saved_and_loaded(tmp_path):
    net, path = Net(), str(tmp_path / "m")
    with initialized(tf.Session()) as session:
        session.run(net.w.assign([[1.0, 0.0], [0.0, 1.0]]))
        tf.saved_model.save(net, path, signatures={"serving_default": net.__call__, "scaled": net.scaled})
    with tf.Graph().as_default(), tf.Session() as session:
        loaded = tf.saved_model.load_v2(path)
        made = loaded(tf.constant([[1.0, 2.0]])), loaded.scaled(3.0), loaded.signatures["scaled"](by=tf.constant(2.0))
        session.run(tf.global_variables_initializer())
        plain, scaled, signed = session.run(made)
        assert plain.tolist() == [[2.0, 4.0]] and scaled["row"].tolist() == [3.0, 0.0] and signed["by"] == 2.0
        assert session.run(loaded.parts[0]) == 2.0
    with tf.Graph().as_default(), tf.Session() as session:
        graph = tf.saved_model.loader.load(session, ["serve"], path)
        signature = graph.signature_def["serving_default"]
        assert signature.inputs["x"].name == "serving_default_x:0"
        assert session.run(signature.outputs["output_0"].name, {"serving_default_x:0": [[1, 2]]}).tolist() == [[2, 4]]
    with tf.Graph().as_default(), tf.Session() as session:  # the variables are a checkpoint of the object
        other = Net()
        tf.train.Checkpoint(w=other.w).restore(path + "/variables/variables").run_restore_ops(session)
        assert session.run(other.w).tolist() == [[1.0, 0.0], [0.0, 1.0]]


def test_the_only_function_is_the_signature(tmp_path):
    class One(tf.Module):
        def __init__(self):
            super().__init__()
            self.v = tf.Variable(5.0, use_resource=True)

        @tf.function(input_signature=[tf.TensorSpec([], tf.float32, name="x")])
        def f(self, x):
            return {"y": x + self.v}

    with initialized(tf.Session()) as session:
        one = One()
        session.run(one.v.initializer)
        tf.saved_model.save(one, str(tmp_path / "m"))
        with pytest.raises(ValueError, match="Expected a TensorFlow function to generate a signature for"):
            tf.saved_model.save(one, str(tmp_path / "n"), signatures=lambda x: x)
        with pytest.raises(ValueError, match="Expected an object of type `Trackable`"):
            tf.saved_model.save(3, str(tmp_path / "n"))
        loose = tf.Variable(1.0, use_resource=True)
        one.g = tf.function(lambda x: x + loose, input_signature=[tf.TensorSpec([], tf.float32)])
        session.run(loose.initializer)
        with pytest.raises(ValueError, match="references the untracked object"):
            tf.saved_model.save(one, str(tmp_path / "n"), signatures=one.g)
    with tf.Graph().as_default(), tf.Session() as session:
        assert list(tf.saved_model.load_v2(str(tmp_path / "m")).signatures) == ["serving_default"]


def test_a_subclass_of_model_is_served(tmp_path):
    class Twice(tf.keras.Model):
        def __init__(self):
            super().__init__()
            self.dense, self.drop = K.Dense(2), K.Dropout(0.5)

        def call(self, inputs):
            return self.drop(self.dense(inputs)) * 2.0

    model, path = Twice(), str(tmp_path / "m")
    with pytest.raises(ValueError, match="input shapes have not been set"):
        model.save(path, save_format="tf")
    want = model.predict(X)
    model.save(path, save_format="tf")
    np.testing.assert_allclose(served(path), want, rtol=1e-5)
    with tf.Graph().as_default():
        with pytest.raises(ValueError, match="Keras has written nothing about it"):
            tf.keras.models.load_model(path)
        again = Twice()
        again.load_weights(path + "/variables/variables")
        np.testing.assert_allclose(again.predict(X), want, rtol=1e-5)
