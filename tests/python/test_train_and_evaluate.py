"""train_and_evaluate where TensorFlow cannot be asked: clusters, TPUs and the old names of tf.contrib."""
import json
import os
import pathlib
import socket
import subprocess
import tempfile

import numpy as np
import pytest
import tensorflow as tf

ROOT = pathlib.Path(__file__).resolve().parents[2]
RUN = [ROOT / "bin" / "rill", "run"]
X = np.arange(16, dtype=np.float32).reshape(8, 2) / 10


def model_fn(features, labels, mode, params):
    y = tf.matmul(features["x"], tf.get_variable("w", [2, 1], initializer=tf.zeros_initializer()))
    loss = tf.losses.mean_squared_error(labels, y)
    optimizer = tf.train.GradientDescentOptimizer(0.1)
    if params.get("cross"):
        optimizer = tf.tpu.CrossShardOptimizer(optimizer)
    train_op = optimizer.minimize(loss, tf.train.get_global_step())
    return tf.estimator.EstimatorSpec(mode, {"y": y}, loss, train_op)


def dataset(params=None):
    size = (params or {}).get("batch_size", 4)
    return tf.data.Dataset.from_tensor_slices(({"x": X}, X[:, 1:])).repeat().batch(size, drop_remainder=True)


PROGRAM = """
import sys
import numpy as np
import tensorflow as tf

X = np.random.RandomState(0).randn(200, 2).astype(np.float32)
data = lambda: tf.data.Dataset.from_tensor_slices(({"x": X}, (X.sum(1) > 0).astype(int))).repeat(100).batch(20)
model = tf.estimator.DNNClassifier([4], [tf.feature_column.numeric_column("x", shape=(2,))],
                                   config=tf.estimator.RunConfig(sys.argv[1], save_checkpoints_steps=50))
tf.estimator.train_and_evaluate(model, tf.estimator.TrainSpec(data, 100), tf.estimator.EvalSpec(data, 2))
print("done")
"""


def test_a_cluster_trains_together(tmp_path):
    (tmp_path / "train.py").write_text(PROGRAM)
    sockets = [socket.create_server(("localhost", 0)) for _ in range(3)]
    cluster = {job: [f"localhost:{s.getsockname()[1]}"] for job, s in zip(["chief", "worker", "ps"], sockets)}
    for s in sockets:
        s.close()
    tasks = [subprocess.Popen([*RUN, str(tmp_path / "train.py"), str(tmp_path / "model")], stdout=subprocess.PIPE, text=True,
                              env=dict(os.environ, TF_CONFIG=json.dumps({"cluster": cluster,
                                                                         "task": {"type": job, "index": 0}})))
             for job in cluster]
    try:
        for task in tasks[:2]:
            assert task.communicate(timeout=100)[0].endswith("done\n") and task.returncode == 0
        assert tasks[2].poll() is None  # a parameter server serves for good
        assert tf.train.latest_checkpoint(str(tmp_path / "model")).endswith("model.ckpt-100")
    finally:
        for task in tasks:
            task.kill()


def test_errors_of_programs_come_out_as_they_are():
    class Mine(Exception):
        pass

    class Exporter(tf.estimator.Exporter):
        name = "mine"

        def export(self, *args, **kwargs):
            raise Mine("in an exporter")

    def broken_input():
        raise Mine("in an input function")

    model = tf.estimator.Estimator(model_fn, tempfile.mkdtemp(), params={})
    train = tf.estimator.TrainSpec(dataset, 1)
    with pytest.raises(Mine, match="in an exporter"):
        tf.estimator.train_and_evaluate(model, train, tf.estimator.EvalSpec(dataset, 1, exporters=Exporter()))
    model = tf.estimator.Estimator(model_fn, tempfile.mkdtemp(), params={})
    with pytest.raises(Mine, match="in an input function"):
        tf.estimator.train_and_evaluate(model, train, tf.estimator.EvalSpec(broken_input))
    with pytest.raises(KeyError, match="missing"):  # which Python itself raises
        model.train(lambda: {}["missing"], steps=1)


def test_exported_models_can_be_shown(tmp_path):
    def fn(features, labels, mode, params):
        if mode != tf.estimator.ModeKeys.PREDICT:
            return model_fn(features, labels, mode, params)
        y = tf.matmul(features["x"], tf.get_variable("w", [2, 1]))
        return tf.estimator.EstimatorSpec(mode, {"y": y})

    model = tf.estimator.Estimator(fn, str(tmp_path / "model"), params={})
    model.train(dataset, steps=1)
    x = tf.placeholder(tf.float32, [None, 2], name="x")
    path = model.export_saved_model(str(tmp_path / "out"),
                                    tf.estimator.export.build_raw_serving_input_receiver_fn({"x": x}))
    shown = subprocess.run([ROOT / "bin" / "rill", "show", path.decode()], capture_output=True, text=True)
    assert shown.returncode == 0, shown.stderr
    assert "signature_def['serving_default']" in shown.stdout and "outputs['y'] tensor_info" in shown.stdout


def test_receivers_like_an_input_function():
    from tensorflow.python.estimator.export import export
    for input_fn in (dataset, lambda: dataset().make_one_shot_iterator().get_next()):
        receiver_fn = export.build_supervised_input_receiver_fn_from_input_fn(input_fn)
        with tf.Graph().as_default():
            receiver = receiver_fn()
            assert sorted(receiver.receiver_tensors) == ["label", "x"]
            assert receiver.features["x"].shape.as_list() == [None, 2] and receiver.labels.op.type == "Placeholder"


# --- programs for TPUs ---------------------------------------------------------------------------


def trained(how, shards, use_tpu=True, cross=False, input_fn=dataset, sizes=None):
    """The weights after three steps of global batches of four."""
    seen = [] if sizes is None else sizes

    def noting(params):
        seen.append(params["batch_size"])
        return input_fn(params)
    tpu = tf.contrib.tpu
    config = tpu.RunConfig(model_dir=tempfile.mkdtemp(), tpu_config=tpu.TPUConfig(
        2, num_shards=shards, per_host_input_for_training=how))
    model = tpu.TPUEstimator(model_fn, config=config, params={"cross": cross}, use_tpu=use_tpu, train_batch_size=4)
    model.train(noting, steps=3)
    return model.get_variable_value("w")


def test_shards_together_take_the_step_of_the_whole_batch():
    config = tf.contrib.tpu.InputPipelineConfig
    whole = trained(True, 1, use_tpu=False)
    sizes = []
    np.testing.assert_allclose(trained(config.PER_HOST_V2, 2, cross=True, sizes=sizes), whole, rtol=1e-6)
    assert sizes == [2]
    np.testing.assert_allclose(trained(config.PER_HOST_V1, 2, cross=True), whole, rtol=1e-6)

    def own_part(params):
        index, shards = params["context"].current_input_fn_deployment()[1:3]
        data = tf.data.Dataset.from_tensor_slices(({"x": X}, X[:, 1:])).repeat()
        return data.shard(shards, index).batch(params["batch_size"])
    sizes = []
    trained(config.PER_SHARD_V1, 2, cross=True, input_fn=own_part, sizes=sizes)
    assert sizes == [2, 2]


def test_batch_sizes_must_be_divisible():
    with pytest.raises(ValueError, match="divisible by number of replicas"):
        trained(True, 3)


def test_what_needs_a_tpu_says_so():
    for call in (lambda: tf.contrib.cluster_resolver.TPUClusterResolver("grpc://host:1"), tf.tpu.initialize_system,
                 tf.tpu.shutdown_system, tf.contrib.tpu.TPUDistributionStrategy,
                 lambda: tf.contrib.tpu.keras_to_tpu_model(None)):
        with pytest.raises(tf.errors.UnimplementedError, match="needs a TPU"):
            call()


def test_computations_run_here():
    with tf.Graph().as_default(), tf.Session() as session:
        x = tf.constant([1.0, 2.0, 3.0, 4.0])
        shards = tf.tpu.shard(lambda part: part * 2, [x], num_shards=2)
        both = tf.tpu.batch_parallel(lambda part: [part + 1, tf.reduce_sum(part, keepdims=True)], [x], num_shards=2)
        one = tf.tpu.rewrite(lambda part: part - 1, [x])
        twice = tf.tpu.replicate(lambda part: part, [[x], [2 * x]])
        repeated = tf.contrib.tpu.repeat(3, lambda v: v * 2, [x])
        values = session.run([shards, both, one, twice, repeated, tf.tpu.cross_replica_sum(x)])
    assert values[0][0].tolist() == [2, 4, 6, 8]
    assert values[1][0].tolist() == [2, 3, 4, 5] and values[1][1].tolist() == [3, 7]
    assert values[2][0].tolist() == [0, 1, 2, 3]
    assert values[3][1][0].tolist() == [2, 4, 6, 8]
    assert values[4][0].tolist() == [8, 16, 24, 32]
    assert values[5].tolist() == [1, 2, 3, 4]


def test_datasets_of_contrib_learn(tmp_path, monkeypatch):
    assert tf.contrib.learn.datasets.mnist.read_data_sets is not None
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("https_proxy", "http://127.0.0.1:1")  # no network
    with pytest.raises(tf.errors.UnavailableError, match="put this file at .*MNIST-data/train-images"):
        tf.contrib.learn.datasets.load_dataset("mnist")
    with pytest.raises(NotImplementedError, match="iris"):
        tf.contrib.learn.datasets.load_dataset("iris")
    with pytest.raises(ValueError, match="not found"):
        tf.contrib.learn.datasets.load_dataset("nothing")


def test_old_names():
    assert tf.contrib.tpu.TPUEstimator is tf.estimator.tpu.TPUEstimator
    assert issubclass(tf.contrib.learn.RunConfig, tf.estimator.RunConfig)
    for module in (tf.contrib.learn, tf.contrib.learn.io):
        input_fn = module.numpy_input_fn({"x": X}, X[:, 1], batch_size=4)
        with tf.Graph().as_default():
            features, labels = input_fn()
            assert features["x"].shape.as_list() == [None, 2] and labels.op.type == "QueueDequeueUpToV2"
    assert tf.compat.v1.estimator.inputs.numpy_input_fn is tf.estimator.inputs.numpy_input_fn
    from tensorflow.python.estimator.inputs.numpy_io import numpy_input_fn
    from tensorflow.python.estimator.export.export import ServingInputReceiver
    from tensorflow.contrib.tpu.python.tpu import tpu_config, tpu_estimator
    assert numpy_input_fn is tf.estimator.inputs.numpy_input_fn
    assert ServingInputReceiver is tf.estimator.export.ServingInputReceiver
    assert tpu_config.RunConfig is tf.contrib.tpu.RunConfig and tpu_estimator.TPUEstimator is tf.contrib.tpu.TPUEstimator
