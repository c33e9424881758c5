"""tf.estimator.tpu without TPUs: configurations, batch sizes, metrics and host calls."""
import tempfile

import numpy as np
import tensorflow as tf

tpu = tf.estimator.tpu
X = np.arange(16, dtype=np.float32).reshape(8, 2) / 10
SEEN = []


def model_fn(features, labels, mode, params):
    SEEN.append([mode, params.get("batch_size"), params.get("use_tpu")])
    y = tf.matmul(features["x"], tf.get_variable("w", [2, 1], initializer=tf.zeros_initializer()))
    if mode == tf.estimator.ModeKeys.PREDICT:
        return tpu.TPUEstimatorSpec(mode, {"y": y})
    loss = tf.losses.mean_squared_error(labels, y)
    train_op = tf.train.GradientDescentOptimizer(params["rate"]).minimize(loss, tf.train.get_global_step())

    def metrics(labels, predictions):
        return {"mae": tf.metrics.mean_absolute_error(labels, predictions)}
    return tpu.TPUEstimatorSpec(mode, {"y": y}, loss, train_op, eval_metrics=(metrics, [labels, y]))


def input_fn(params):
    SEEN.append(["input", params["batch_size"], sorted(params)])
    data = tf.data.Dataset.from_tensor_slices(({"x": X}, X[:, 1:])).repeat()
    return data.batch(params["batch_size"], drop_remainder=True)


def once(params):
    return tf.data.Dataset.from_tensor_slices({"x": X}).batch(params["batch_size"])


def estimator(fn=model_fn, **kwargs):
    config = tpu.RunConfig(model_dir=tempfile.mkdtemp(), tf_random_seed=1, tpu_config=tpu.TPUConfig(2))
    return tpu.TPUEstimator(fn, config=config, params={"rate": 0.1}, use_tpu=False,
                            **{"train_batch_size": 4, "eval_batch_size": 2, "predict_batch_size": 8, **kwargs})


def error(f):
    try:
        f()
    except Exception as e:
        return type(e).__name__, str(e).split("\n")[0].split(" (")[0][:60]
    return "none"


def program_train_evaluate_predict():
    del SEEN[:]
    model = estimator()
    model.train(input_fn, steps=3)
    return {"metrics": model.evaluate(input_fn, steps=4), "predictions": [p["y"] for p in model.predict(once)],
            "w": model.get_variable_value("w"), "seen": SEEN}


def program_train_and_evaluate():
    model = estimator()
    result = tf.estimator.train_and_evaluate(model, tf.estimator.TrainSpec(input_fn, max_steps=2),
                                             tf.estimator.EvalSpec(input_fn, steps=2, throttle_secs=0))
    return {"metrics": result[0]}


def program_metrics_by_name():
    def fn(features, labels, mode, params):
        spec = model_fn(features, labels, mode, params)
        return tpu.TPUEstimatorSpec(mode, spec.predictions, spec.loss, spec.train_op,
                                    eval_metrics=(lambda y, t: {"mean": tf.metrics.mean(y - t)},
                                                  {"y": spec.predictions["y"], "t": labels}))
    model = estimator(fn)
    model.train(input_fn, steps=1)
    return {"metrics": model.evaluate(input_fn, steps=4)}


def program_host_call():
    calls = []

    def note(step, loss):
        return tf.py_func(lambda s, v: calls.append([int(s[0]), v.shape]) or np.int64(0), [step, loss], tf.int64)

    def fn(features, labels, mode, params):
        spec = model_fn(features, labels, mode, params)
        step = tf.reshape(tf.train.get_global_step(), [1])
        return tpu.TPUEstimatorSpec(mode, spec.predictions, spec.loss, spec.train_op,
                                    host_call=(note, [step, tf.reshape(spec.loss, [1])]))
    estimator(fn).train(input_fn, steps=3)
    return {"count": len(calls), "shapes": [c[1] for c in calls]}


def program_plain_spec():
    def fn(features, labels, mode, params):
        return model_fn(features, labels, mode, params).as_estimator_spec()
    model = estimator(fn)
    model.train(input_fn, steps=2)
    return {"metrics": model.evaluate(input_fn, steps=4)}


def program_scaffold_fn():
    made = []

    def scaffold():
        made.append(1)
        return tf.train.Scaffold()

    def fn(features, labels, mode, params):
        spec = model_fn(features, labels, mode, params)
        return tpu.TPUEstimatorSpec(mode, spec.predictions, spec.loss, spec.train_op, scaffold_fn=scaffold)
    estimator(fn).train(input_fn, steps=1)
    return {"made": len(made)}


def program_export():
    del SEEN[:]
    model = estimator(export_to_tpu=False)
    model.train(input_fn, steps=2)

    def receiver():
        x = tf.placeholder(tf.float32, [None, 2], name="x")
        return tf.estimator.export.ServingInputReceiver({"x": x}, {"x": x})
    path = model.export_saved_model(tempfile.mkdtemp(), receiver)
    with tf.Graph().as_default() as graph, tf.Session() as session:
        loaded = tf.saved_model.loader.load(session, ["serve"], path.decode())
        s = loaded.signature_def["serving_default"]
        answer = session.run(s.outputs["y"].name, {s.inputs["x"].name: X})
    return {"answer": answer, "last": SEEN[-1][:2]}


def program_spec():
    spec = tpu.TPUEstimatorSpec("infer", {"y": tf.constant(1.0)})
    make = tpu.TPUEstimatorSpec
    return {"fields": list(spec._fields), "hooks": [spec.training_hooks, spec.evaluation_hooks],
            "kind": type(spec.as_estimator_spec()).__name__,
            "metrics": error(lambda: make("eval", eval_metrics=3)), "one": error(lambda: make("eval", eval_metrics=[3])),
            "call": error(lambda: make("eval", eval_metrics=(3, []))), "list": error(lambda: make("eval", host_call=(len, 3))),
            "count": error(lambda: make("eval", eval_metrics=(lambda a, b: 1, [tf.constant(1)]))),
            "hook": error(lambda: make("train", training_hooks=[3]))}


def program_tpu_config():
    config, make, how = tpu.TPUConfig(), tpu.TPUConfig, tpu.InputPipelineConfig
    return {"defaults": list(config)[:9], "fields": list(config._fields)[:9],
            "shard": make(per_host_input_for_training=False).per_host_input_for_training,
            "iterations": error(lambda: make(0)), "shards": error(lambda: make(num_shards=0)),
            "kind": error(lambda: make(num_shards="2"))[0], "cores": error(lambda: make(num_cores_per_replica=3)),
            "dims": error(lambda: make(input_partition_dims=[[1], [2], [3]])),
            "dims_mode": error(lambda: make(input_partition_dims=[[1]])),
            "dims_cores": error(lambda: make(input_partition_dims=[[1]], per_host_input_for_training=how.PER_HOST_V2)),
            "eval": error(lambda: make(eval_training_input_configuration=how.BROADCAST)),
            "sleep": error(lambda: make(initial_infeed_sleep_secs=-1)),
            "numbers": [how.PER_SHARD_V1, how.PER_HOST_V1, how.PER_HOST_V2, how.BROADCAST, how.SLICED]}


def program_run_config():
    config = tpu.RunConfig(master="grpc://host:1", tpu_config=tpu.TPUConfig(5), save_checkpoints_steps=7)
    other = config.replace(tpu_config=tpu.TPUConfig(6), save_checkpoints_steps=8)
    plain = tpu.RunConfig()
    return {"parts": [config.master, config.evaluation_master, config.tpu_config.iterations_per_loop,
                      config.save_checkpoints_steps, config.cluster],
            "other": [other.tpu_config.iterations_per_loop, other.save_checkpoints_steps, other.master],
            "plain": [plain.master, plain.evaluation_master, plain.tpu_config.iterations_per_loop],
            "own": tpu.RunConfig(master="a", evaluation_master="b").evaluation_master}


def program_estimator_errors():
    config = tpu.RunConfig(model_dir=tempfile.mkdtemp())
    make = tpu.TPUEstimator
    return {"config": error(lambda: make(model_fn)), "plain": error(lambda: make(model_fn, config=tf.estimator.RunConfig())),
            "reserved": error(lambda: make(model_fn, config=config, params={"batch_size": 3}, train_batch_size=2))[0],
            "size": error(lambda: make(model_fn, config=config, params={})),
            "zero": error(lambda: make(model_fn, config=config, params={}, train_batch_size=0)),
            "kind": error(lambda: make(model_fn, config=config, params={}, train_batch_size=1.5))[0],
            "eval": error(lambda: make(model_fn, config=config, params={}, train_batch_size=2, eval_batch_size=-1)),
            "input": error(lambda: estimator().train(lambda: None, steps=1))[0],
            "model": error(lambda: estimator(lambda features, labels, mode: None).train(input_fn, steps=1))[0]}


def program_scope():
    with tf.tpu.bfloat16_scope():
        cast = tf.get_variable("cast", [2], tf.bfloat16, initializer=tf.zeros_initializer())
        kept = tf.get_variable("kept", [2], initializer=tf.zeros_initializer())
    return {"types": [cast.dtype.name, kept.dtype.base_dtype.name, [v.dtype.base_dtype.name for v in tf.global_variables()]],
            "core": tf.tpu.core(3), "outside": tf.tpu.outside_compilation(lambda a, b=1: a + b, 2, b=5)}
