"""tf.estimator.train_and_evaluate: when it evaluates, exports and ends; specs and exporters."""
import glob
import json
import os
import tempfile

import numpy as np
import tensorflow as tf

X = np.arange(12, dtype=np.float32).reshape(6, 2) / 10


def model_fn(features, labels, mode):
    y = tf.matmul(features["x"], tf.get_variable("w", [2, 1], initializer=tf.zeros_initializer()))
    if mode == tf.estimator.ModeKeys.PREDICT:
        return tf.estimator.EstimatorSpec(mode, {"y": y})
    loss = tf.losses.mean_squared_error(labels, y)
    train_op = tf.train.GradientDescentOptimizer(0.1).minimize(loss, tf.train.get_global_step())
    return tf.estimator.EstimatorSpec(mode, {"y": y}, loss, train_op,
                                      {"mean": tf.metrics.mean(y), "mae": tf.metrics.mean_absolute_error(labels, y)})


def input_fn(count=None):
    def fn():
        data = tf.data.Dataset.from_tensor_slices(({"x": X}, X[:, 1:]))
        return data.repeat(count).batch(2)
    return fn


def receiver():
    x = tf.placeholder(tf.float32, [None, 2], name="x")
    return tf.estimator.export.ServingInputReceiver({"x": x}, {"x": x})


def estimator(every=None, directory=None, model=model_fn):
    saving = {} if every is None else {"save_checkpoints_steps": every}
    config = tf.estimator.RunConfig(directory or tempfile.mkdtemp(), tf_random_seed=3, save_summary_steps=2,
                                    log_step_count_steps=None, **saving)
    return tf.estimator.Estimator(model, config=config)


class Noted(tf.estimator.Exporter):
    """Writes down what it is told."""

    def __init__(self, name="noted"):
        self._name, self.calls = name, []

    @property
    def name(self):
        return self._name

    def export(self, estimator, export_path, checkpoint_path, eval_result, is_the_final_export):
        self.calls.append([os.path.relpath(export_path, estimator.model_dir), os.path.basename(checkpoint_path),
                           int(eval_result["global_step"]), is_the_final_export])
        return f"told {len(self.calls)}"


def run(model, max_steps=6, **eval_args):
    eval_args = {"steps": 3, "throttle_secs": 0, "start_delay_secs": 0, **eval_args}
    return tf.estimator.train_and_evaluate(model, tf.estimator.TrainSpec(input_fn(), max_steps=max_steps),
                                           tf.estimator.EvalSpec(input_fn(1), **eval_args))


def evaluations(model, name=None):
    """The evaluations that event files tell of."""
    found = []
    for path in sorted(glob.glob(os.path.join(model.eval_dir(name), "events*"))):
        for event in tf.train.summary_iterator(path):
            values = {v.tag: v.simple_value for v in event.summary.value if v.HasField("simple_value")}
            if values:
                found.append([event.step, values])
    return found


def error(f):
    try:
        f()
    except Exception as e:
        return type(e).__name__, str(e).split("\n")[0].split(" <")[0][:60]
    return "none"


def program_every_checkpoint():
    noted, model = Noted(), estimator(2)
    result = run(model, exporters=noted)
    return {"metrics": result[0], "exports": result[1], "calls": noted.calls, "evaluations": evaluations(model),
            "w": model.get_variable_value("w")}


def program_throttled():
    """Only the first and the last checkpoint are evaluated."""
    noted, model = Noted(), estimator(2)
    result = run(model, max_steps=8, exporters=[noted], throttle_secs=600)
    return {"metrics": result[0], "calls": noted.calls}


def program_only_at_the_end():
    noted, model = Noted(), estimator()
    return {"result": run(model, max_steps=3, exporters=noted), "calls": noted.calls}


def program_without_checkpoints():
    config = tf.estimator.RunConfig(tempfile.mkdtemp(), save_checkpoints_steps=None, save_checkpoints_secs=None)
    return {"error": error(lambda: run(tf.estimator.Estimator(model_fn, config=config)))}


def program_goes_on():
    model = estimator(2)
    first = run(model, max_steps=3)
    again = estimator(2, model.model_dir)
    noted = Noted()
    return {"first": first[0], "second": run(again, max_steps=5, exporters=noted)[0], "calls": noted.calls,
            "evaluations": evaluations(again)}


def program_nothing_left():
    model, noted = estimator(2), Noted()
    run(model, max_steps=3)
    return {"again": run(model, max_steps=3, exporters=noted), "calls": noted.calls}


def program_named_evaluation():
    model = estimator(2)
    run(model, max_steps=4, name="late")
    return {"evaluations": evaluations(model, "late"), "none": evaluations(model)}


def program_end_of_input():
    """Without max_steps training ends with the input, and no export is the final one."""
    model, noted = estimator(2), Noted()
    train = tf.estimator.TrainSpec(input_fn(2))
    result = tf.estimator.train_and_evaluate(model, train, tf.estimator.EvalSpec(
        input_fn(1), steps=None, throttle_secs=0, exporters=noted))
    return {"metrics": result[0], "calls": noted.calls}


def program_hooks_and_listeners():
    told = []

    class Hook(tf.train.SessionRunHook):
        def __init__(self, name):
            self.name = name

        def end(self, session):
            told.append([self.name, "end"])

    class Listener(tf.train.CheckpointSaverListener):
        def after_save(self, session, global_step_value):
            told.append(["saved", int(global_step_value)])

    model = estimator(2)
    tf.estimator.train_and_evaluate(
        model, tf.estimator.TrainSpec(input_fn(), max_steps=4, hooks=[Hook("train")], saving_listeners=[Listener()]),
        tf.estimator.EvalSpec(input_fn(1), steps=2, hooks=[Hook("eval")], throttle_secs=0))
    return {"told": told}


def kept(model, name):
    return sorted(os.listdir(os.path.join(model.model_dir, "export", name)))


def _predict(path):
    with tf.Graph().as_default() as graph, tf.Session() as session:
        model = tf.saved_model.loader.load(session, ["serve"], path.decode())
        signature = model.signature_def["serving_default"]
        return session.run(graph.get_tensor_by_name(signature.outputs["y"].name),
                           {graph.get_tensor_by_name(signature.inputs["x"].name): X})


def program_final_exporter():
    model = estimator(2)
    result = run(model, max_steps=4, exporters=tf.estimator.FinalExporter("final", receiver))
    return {"count": len(kept(model, "final")), "digits": len(kept(model, "final")[0]), "answer": _predict(result[1][0]),
            "kinds": [type(path).__name__ for path in result[1]]}


def program_latest_exporter():
    model = estimator(1)
    run(model, max_steps=3, exporters=[tf.estimator.LatestExporter("latest", receiver, exports_to_keep=2)])
    base = os.path.join(model.model_dir, "export", "latest")
    return {"count": len(kept(model, "latest")),
            "answers": [_predict(os.path.join(base, name).encode()) for name in kept(model, "latest")]}


def program_best_exporter():
    model = estimator(1)
    best = tf.estimator.BestExporter("best", receiver, exports_to_keep=2)
    result = run(model, max_steps=3, exporters=best)
    return {"count": len(kept(model, "best")), "last": result[1][0] is not None}


def program_best_exporter_never_better():
    def never(best_eval_result, current_eval_result):
        return False
    model = estimator(1)
    result = run(model, max_steps=3, exporters=tf.estimator.BestExporter("best", receiver, compare_fn=never))
    return {"count": len(kept(model, "best")), "last": result[1]}


def program_best_exporter_after_restart():
    """Event files tell of earlier results; the first export of a process is made anyhow."""
    seen = []

    def compare(best_eval_result, current_eval_result):
        seen.append([sorted(best_eval_result), float(best_eval_result["loss"]) > float(current_eval_result["loss"])])
        return seen[-1][1]
    model = estimator(1)
    run(model, max_steps=2)
    run(model, max_steps=4, exporters=tf.estimator.BestExporter("best", receiver, compare_fn=compare))
    return {"seen": seen, "count": len(kept(model, "best"))}


def program_exporter_checks():
    return {"latest": error(lambda: tf.estimator.LatestExporter("a", receiver, exports_to_keep=0))[0],
            "best": error(lambda: tf.estimator.BestExporter("a", receiver, exports_to_keep=-1))[0],
            "compare": error(lambda: tf.estimator.BestExporter("a", receiver, compare_fn=None)),
            "arguments": error(lambda: tf.estimator.BestExporter("a", receiver, compare_fn=lambda a, b: True))[0],
            "more": error(lambda: tf.estimator.BestExporter(
                "a", receiver, compare_fn=lambda best_eval_result, current_eval_result, c: True))[0],
            "names": [tf.estimator.FinalExporter("f", receiver).name, tf.estimator.BestExporter().name],
            "not_final": tf.estimator.FinalExporter("f", receiver).export(None, "", "", {}, False),
            "abstract": error(lambda: tf.estimator.Exporter())[0]}


def program_compares_losses():
    best = tf.estimator.BestExporter("a", receiver)._compare_fn
    return {"smaller": bool(best({"loss": 2.0}, {"loss": 1.0})), "larger": bool(best({"loss": 1.0}, {"loss": 2.0})),
            "none": error(lambda: best({}, {"loss": 1.0})), "missing": error(lambda: best({"loss": 1.0}, {"a": 1.0}))}


def program_train_spec():
    make, fn = tf.estimator.TrainSpec, input_fn()
    spec = make(fn)
    return {"defaults": [spec.max_steps, spec.hooks, spec.input_fn is fn],
            "input": error(lambda: make("x")), "zero": error(lambda: make(fn, max_steps=0)),
            "negative": error(lambda: make(fn, max_steps=-1)), "hooks": error(lambda: make(fn, hooks=["x"])),
            "fields": list(spec._fields)[:3]}


def program_eval_spec():
    make, fn = tf.estimator.EvalSpec, input_fn()
    spec = make(fn)
    noted = Noted()
    return {"defaults": [spec.steps, spec.name, spec.hooks, spec.exporters, spec.start_delay_secs, spec.throttle_secs],
            "fields": list(spec._fields), "one": len(make(fn, exporters=noted).exporters),
            "none": make(fn, steps=None).steps, "input": error(lambda: make(3)),
            "steps": error(lambda: make(fn, steps=0)), "name": error(lambda: make(fn, name=3)),
            "hooks": error(lambda: make(fn, hooks=[3])), "exporters": error(lambda: make(fn, exporters=[3]))[0],
            "exporter": error(lambda: make(fn, exporters=3))[0],
            "twice": error(lambda: make(fn, exporters=[noted, Noted()])),
            "unnamed": error(lambda: make(fn, exporters=Noted(""))),
            "wrong_name": error(lambda: make(fn, exporters=Noted(3))),
            "delay": error(lambda: make(fn, start_delay_secs=-1)), "throttle": error(lambda: make(fn, throttle_secs=-1))}


def program_checks():
    model, train, evaluate = estimator(), tf.estimator.TrainSpec(input_fn(), 1), tf.estimator.EvalSpec(input_fn())
    call = tf.estimator.train_and_evaluate
    return {"estimator": error(lambda: call("model", train, evaluate)), "train": error(lambda: call(model, 1, evaluate)),
            "eval": error(lambda: call(model, train, 1)), "none": error(lambda: call(model, train, None))}


def with_cluster(task, index=0, cluster=None, directory=None):
    """An estimator of a process that TF_CONFIG describes."""
    cluster = cluster if cluster is not None else {"chief": ["a:1"], "worker": ["b:1"], "ps": ["c:1"]}
    os.environ["TF_CONFIG"] = json.dumps({"cluster": cluster, "task": {"type": task, "index": index}})
    try:
        return estimator(2, directory)
    finally:
        del os.environ["TF_CONFIG"]


def program_evaluator_task():
    """An evaluator works on what another process has trained."""
    trainer = estimator(2)
    trainer.train(input_fn(), max_steps=4)
    noted, model = Noted(), with_cluster("evaluator", directory=trainer.model_dir)
    result = run(model, max_steps=4, exporters=noted)
    return {"result": result, "calls": noted.calls, "evaluations": evaluations(model)}


def program_evaluator_tasks_twice():
    return {"second": error(lambda: run(with_cluster("evaluator", 1)))}


def program_chief_alone():
    """A cluster of one process needs no server."""
    noted, model = Noted(), with_cluster("chief", cluster={"chief": ["localhost:0"]})
    return {"result": run(model, max_steps=4, exporters=noted), "calls": noted.calls,
            "w": model.get_variable_value("w")}
