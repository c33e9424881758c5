"""Estimators: what goldens of real TensorFlow cannot show."""
import gc
import json
import pathlib
import shutil
import signal
import sys
import threading
import time

import numpy as np
import pytest

import rill as tf

TESTS = pathlib.Path(__file__).resolve().parent.parent
sys.path.insert(0, str(TESTS.parent / "tools"))
DATA = np.arange(8, dtype=np.float32).reshape(4, 2)


def linear(features, labels, mode, params):
    y = tf.layers.dense(features["x"], 1, name="linear", kernel_initializer=tf.ones_initializer())
    if mode == tf.estimator.ModeKeys.PREDICT:
        return tf.estimator.EstimatorSpec(mode, predictions={"y": y + params.get("more", 0.0)})
    loss = tf.losses.mean_squared_error(labels, y)
    train_op = tf.train.GradientDescentOptimizer(0.01).minimize(loss, tf.train.get_global_step())
    return tf.estimator.EstimatorSpec(mode, loss=loss, train_op=train_op)


def pairs():
    return tf.data.Dataset.from_tensor_slices(({"x": DATA}, DATA[:, :1])).batch(2)


def rows(data=DATA, batch=2):
    return lambda: tf.data.Dataset.from_tensor_slices({"x": data}).batch(batch)


@pytest.fixture
def model(tmp_path):
    made = tf.estimator.Estimator(linear, str(tmp_path), params={})
    made.train(pairs)
    return made


def predicted(model, input_fn):
    return np.array([row["y"] for row in model.predict(input_fn)])


def expected(model, data=DATA):
    return data @ model.get_variable_value("linear/kernel") + model.get_variable_value("linear/bias")


def test_goes_on_where_tensorflow_left_a_model(tmp_path):
    import interop_estimators
    golden = TESTS / "golden" / "models" / "estimator"
    for path in golden.iterdir():
        shutil.copy(path, tmp_path)
    wanted = json.loads((golden / "went_on.json").read_text())
    assert interop_estimators.complaint(interop_estimators.go_on(tmp_path), wanted) is None


def test_two_predictions_at_once(model):
    one, two = model.predict(rows(batch=1)), model.predict(rows(DATA * 2, batch=1))
    found = [(a["y"], b["y"]) for a, b in zip(one, two)]
    np.testing.assert_allclose([a for a, _ in found], expected(model), rtol=1e-6)
    np.testing.assert_allclose([b for _, b in found], expected(model, DATA * 2), rtol=1e-6)


def test_predictions_in_threads(model):
    wrong = []

    def work(scale):
        for _ in range(10):
            if not np.allclose(predicted(model, rows(DATA * scale)), expected(model, DATA * scale), rtol=1e-5):
                wrong.append(scale)
    threads = [threading.Thread(target=work, args=[scale]) for scale in range(1, 5)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong


def test_predictions_see_new_data_every_time(model):
    for scale in (1, 3, 3, 2, 1):
        np.testing.assert_allclose(predicted(model, rows(DATA * scale)), expected(model, DATA * scale), rtol=1e-5)


def test_predictions_see_a_checkpoint_that_was_written_anew(model, tmp_path):
    before = predicted(model, rows())
    other = tf.estimator.Estimator(linear, str(tmp_path / "other"), params={})
    other.train(lambda: pairs().repeat(20), steps=2)
    time.sleep(0.01)
    for path in (tmp_path / "other").glob("model.ckpt-2.*"):
        shutil.copy(path, tmp_path)
    after = predicted(model, rows())
    np.testing.assert_allclose(after, expected(model), rtol=1e-5)
    assert before.shape == after.shape


def test_predictions_call_the_functions_every_time(tmp_path):
    calls = []

    def model_fn(features, labels, mode, params):
        calls.append(mode)
        return linear(features, labels, mode, {"more": float(len(calls) // 3)})
    model = tf.estimator.Estimator(model_fn, str(tmp_path), params={})
    model.train(pairs)
    found = [predicted(model, rows())[0, 0] for _ in range(4)]
    assert calls == ["train", "infer", "infer", "infer", "infer"]
    np.testing.assert_allclose(np.diff(found), [1.0, 0.0, 0.0], atol=1e-5)


def test_an_interrupt_ends_training(model):
    def interrupt():
        time.sleep(0.5)
        signal.raise_signal(signal.SIGINT)
    thread = threading.Thread(target=interrupt)
    thread.start()
    with pytest.raises(KeyboardInterrupt):
        model.train(lambda: pairs().repeat())
    thread.join()


def test_graphs_are_let_go(tmp_path):
    graphs = []

    def model_fn(features, labels, mode, params):
        import weakref
        graphs.append(weakref.ref(tf.get_default_graph()))
        return linear(features, labels, mode, params)
    model = tf.estimator.Estimator(model_fn, str(tmp_path), params={})
    for _ in range(5):
        model.train(pairs)
        predicted(model, rows())
    del model
    gc.collect()
    assert sum(graph() is not None for graph in graphs) <= 1


def test_the_default_graph_is_the_programs_own_afterwards(model):
    graph = tf.get_default_graph()
    graph.mine = 1
    next(model.predict(rows()))
    assert tf.get_default_graph() is graph and graph.mine == 1


def test_the_same_exception_comes_out(model):
    class Own(Exception):
        pass
    raised = Own("x")

    def input_fn():
        raise raised
    for call in (model.train, model.evaluate, lambda f: list(model.predict(f))):
        with pytest.raises(Own) as found:
            call(input_fn)
        assert found.value is raised


def test_a_saver_hook_of_the_programs_own_class(tmp_path):
    saved, told = [], []

    class Saver(tf.train.CheckpointSaverHook):
        def after_run(self, run_context, run_values):
            saved.append("after")
            super().after_run(run_context, run_values)

    class Listener(tf.train.CheckpointSaverListener):
        def after_save(self, session, global_step_value):
            told.append(int(global_step_value))
    model = tf.estimator.Estimator(linear, str(tmp_path), params={})
    model.train(pairs, hooks=[Saver(str(tmp_path), save_steps=1, checkpoint_basename="own")],
                saving_listeners=[Listener()])
    assert len(saved) == 2 and told[-1] == 2
    assert not list(tmp_path.glob("model.ckpt*")) and list(tmp_path.glob("own-2.index"))


def test_added_metrics(model):
    def metric_fn(labels, predictions, features):
        return {"mean_x": tf.metrics.mean(features["x"])}
    found = tf.estimator.add_metrics(model, metric_fn).evaluate(pairs)
    assert found["mean_x"] == pytest.approx(3.5)
    with pytest.raises(ValueError, match="has following not expected args"):
        tf.estimator.add_metrics(model, lambda wrong: {})


def test_logit_functions():
    def logit_fn(features, mode):
        return features * (2.0 if mode == "train" else 1.0)
    from rill.estimator._more_metrics import call_logit_fn as call
    assert call(logit_fn, tf.constant([1.0]), "train", {}, None).shape == [1]
    with pytest.raises(ValueError, match="logit_fn should return a Tensor"):
        call(lambda features: 3, tf.constant(1.0), "train", {}, None)


def test_a_training_goes_on_at_the_next_element(tmp_path):
    """With tf.data.experimental.CheckpointInputPipelineHook, the shuffled buffer included."""
    seen = []

    class See(tf.train.SessionRunHook):
        def before_run(self, run_context):
            return tf.train.SessionRunArgs(tf.get_default_graph().get_tensor_by_name("element:0"))

        def after_run(self, run_context, run_values):
            seen.extend(run_values.results)

    def model_fn(features, labels, mode):
        loss = tf.get_variable("w", []) * tf.reduce_sum(tf.to_float(tf.identity(features, name="element")))
        train = tf.train.GradientDescentOptimizer(0.1).minimize(loss, tf.train.get_global_step())
        return tf.estimator.EstimatorSpec(mode, loss=loss, train_op=train)

    model = tf.estimator.Estimator(model_fn, str(tmp_path), tf.estimator.RunConfig(save_checkpoints_steps=2))
    for _ in range(2):
        model.train(lambda: tf.data.Dataset.range(20).shuffle(20, seed=1).batch(2), steps=5,
                    hooks=[See(), tf.data.experimental.CheckpointInputPipelineHook(model)])
    assert sorted(seen) == list(range(20))
