"""tf.contrib.predictor: saved models and estimators as functions."""
import numpy as np
import pytest
import rill as tf

predictor = tf.contrib.predictor


@pytest.fixture
def saved(tmp_path):
    folder = str(tmp_path / "model")
    with tf.Session(graph=tf.Graph()) as session:
        x = tf.placeholder(tf.float32, [None, 2], "x")
        y = tf.matmul(x, tf.Variable([[1.0], [2.0]]), name="y")
        session.run(tf.global_variables_initializer())
        tf.saved_model.simple_save(session, folder, {"in": x}, {"out": y})
    return folder


def test_saved_models_are_functions(saved):
    predict = predictor.from_saved_model(saved)
    assert predict({"in": [[1, 1]]}) == {"out": np.array([[3]])}
    assert list(predict.feed_tensors) == ["in"] and predict.fetch_tensors["out"].name == "y:0"
    assert predict.session.graph is predict.graph
    assert str(predict).startswith("SavedModelPredictor with feed tensors {'in': <tf.Tensor 'x:0'")
    by_name = predictor.from_saved_model(saved, input_names={"a": "x:0"}, output_names={"b": "y:0"})
    assert by_name({"a": [[2, 1]]}) == {"b": np.array([[4]])}
    with pytest.raises(ValueError, match="Got unexpected keys in input_dict: {'z'}\nexpected: {'in'}"):
        predict({"z": 1})


@pytest.mark.parametrize("arguments, told", [
    ({"signature_def_key": "none"}, "Available signatures"), ({"input_names": {"a": "x:0"}}, "must both be specified"),
    ({"signature_def_key": "a", "signature_def": 1}, "at most one of")])
def test_what_is_not_in_a_saved_model(saved, arguments, told):
    with pytest.raises(ValueError, match=told):
        predictor.from_saved_model(saved, **arguments)


def test_estimators_are_functions(tmp_path):
    def model(features, labels, mode):
        y = tf.layers.dense(features["x"], 1, kernel_initializer=tf.ones_initializer())
        if mode == tf.estimator.ModeKeys.PREDICT:
            outputs = tf.estimator.export.PredictOutput
            return tf.estimator.EstimatorSpec(mode, predictions={"y": y}, export_outputs={
                "serving_default": outputs({"y": y}), "twice": outputs({"z": y * 2})})
        return tf.estimator.EstimatorSpec(mode, loss=tf.reduce_sum(y),
                                          train_op=tf.assign_add(tf.train.get_global_step(), 1))

    estimator = tf.estimator.Estimator(model, str(tmp_path))
    estimator.train(lambda: ({"x": tf.ones([2, 3])}, tf.ones([2])), steps=1)
    receiver = tf.estimator.export.build_raw_serving_input_receiver_fn({"x": tf.placeholder(tf.float32, [None, 3])})
    assert predictor.from_estimator(estimator, receiver)({"x": np.ones((1, 3))}) == {"y": np.array([[3]])}
    assert predictor.from_estimator(estimator, receiver, "twice")({"x": np.ones((1, 3))}) == {"z": np.array([[6]])}
    with pytest.raises(KeyError, match="output_key must be one of"):
        predictor.from_estimator(estimator, receiver, "none")
    with pytest.raises(TypeError, match="tf.estimator.Estimator"):
        predictor.from_estimator(3, receiver)
