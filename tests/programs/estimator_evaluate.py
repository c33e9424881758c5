"""Estimator.evaluate: metrics, where they are written, what is logged and refused."""
import numpy as np
import tensorflow as tf

from helpers.estimator_runs import (FEATURES, LABELS, directory, estimator, files, linear, logged, pairs, refused,
                                    summaries)


def trained(steps=3, **options):
    model = estimator(**options)
    model.train(pairs(), steps=steps)
    return model


def program_results():
    model = trained()
    with logged() as lines:
        found = model.evaluate(pairs(epochs=1))
    return dict(found={key: value for key, value in found.items()}, order=list(found),
                types=str([type(value).__name__ for value in found.values()]), lines=lines,
                files=files(model.eval_dir()), summaries=summaries(model.eval_dir()))


def program_some_steps():
    model = trained()
    with logged() as lines:
        found = model.evaluate(pairs(), steps=3)
    return dict(found=found, lines=lines)


def program_many_steps_logged():
    model = trained()
    with logged() as lines:
        model.evaluate(pairs(), steps=25)
    return dict(lines=lines)


def program_named():
    model = trained()
    model.evaluate(pairs(epochs=1), name="small")
    model.evaluate(pairs(epochs=1), name="small")
    return dict(files=files(model.model_dir), summaries=summaries(model.eval_dir("small")),
                plain=model.eval_dir()[-5:], named=model.eval_dir("small")[-11:])


def program_untrained():
    model = estimator()
    with logged() as lines:
        found = model.evaluate(pairs(epochs=1))
    return dict(found=found, lines=lines)


def program_of_a_checkpoint():
    model = trained(config=tf.estimator.RunConfig(save_checkpoints_steps=1))
    path = model.model_dir + "/model.ckpt-1"
    return dict(first=model.evaluate(pairs(epochs=1), checkpoint_path=path), last=model.evaluate(pairs(epochs=1)))


def program_many_metrics():
    def model_fn(features, labels, mode):
        y = tf.layers.dense(features["x"], 1, kernel_initializer=tf.ones_initializer())
        loss = tf.losses.mean_squared_error(labels, y)
        above, truth = y > 6, labels > 2
        metrics = {"mse": tf.metrics.mean_squared_error(labels, y), "accuracy": tf.metrics.accuracy(truth, above),
                   "auc": tf.metrics.auc(truth, tf.sigmoid(y - 6)), "precision": tf.metrics.precision(truth, above),
                   "vector": tf.metrics.mean_tensor(tf.reshape(y, [2])), "count": (tf.constant(5), tf.no_op())}
        return tf.estimator.EstimatorSpec(mode, loss=loss, eval_metric_ops=metrics)
    model = tf.estimator.Estimator(model_fn, directory())
    with logged() as lines:
        found = model.evaluate(pairs(epochs=1))
    return dict(found=found, order=list(found), lines=lines, summaries=summaries(model.eval_dir()))


def program_summary_as_metric():
    def model_fn(features, labels, mode, params):
        spec = linear(features, labels, mode, params)
        text = tf.summary.scalar("inner", tf.constant(4.0), collections=[])
        return spec._replace(eval_metric_ops={"written": (text, tf.no_op()), "is": (tf.constant(True), tf.no_op())})
    model = estimator(model_fn)
    with logged() as lines:
        found = model.evaluate(pairs(epochs=1))
    return dict(order=list(found), lines=lines, summaries=summaries(model.eval_dir()))


def program_keras_metric():
    def model_fn(features, labels, mode, params):
        spec = linear(features, labels, mode, params)
        mean = tf.keras.metrics.Mean(name="inputs")
        mean.update_state(features["x"])
        return spec._replace(eval_metric_ops={"inputs": mean})
    return dict(found=estimator(model_fn).evaluate(pairs(epochs=1)))


def program_hooks():
    calls = []

    class Hook(tf.train.SessionRunHook):
        def __init__(self, name):
            self.name = name

        def after_run(self, run_context, run_values):
            calls.append(self.name)

        def end(self, session):
            calls.append(f"{self.name} end {session.run('eval_step:0') >= 2}")

    def model_fn(features, labels, mode, params):
        return linear(features, labels, mode, params)._replace(evaluation_hooks=[Hook("spec")])
    estimator(model_fn).evaluate(pairs(epochs=1), hooks=[Hook("mine")])
    return dict(calls=calls)


def program_local_variables_of_the_model():
    def model_fn(features, labels, mode, params):
        spec = linear(features, labels, mode, params)
        count = tf.get_local_variable("seen", initializer=10.0)
        scaffold = tf.train.Scaffold(local_init_op=count.initializer)
        seen = tf.identity(count), tf.assign_add(count, 1.0)
        return spec._replace(scaffold=scaffold, eval_metric_ops={"seen": seen})
    return dict(found=estimator(model_fn).evaluate(pairs(epochs=1)))


def program_nodes():
    names = []

    class Hook(tf.train.SessionRunHook):
        def begin(self):
            names.extend(node.name for node in tf.get_default_graph().as_graph_def().node
                         if "/" not in node.name and "Dataset" not in node.name and node.name != "optimizations")
    estimator().evaluate(pairs(epochs=1), hooks=[Hook()], steps=1)
    return dict(names=names)


def program_eval_without_labels():
    def model_fn(features, mode):
        w = tf.get_variable("w", initializer=2.0)
        return tf.estimator.EstimatorSpec(mode, loss=tf.reduce_sum(features * w))
    model = tf.estimator.Estimator(model_fn, directory())
    return dict(found=model.evaluate(lambda: tf.data.Dataset.from_tensors(FEATURES)))


def program_refuses():
    def with_metrics(metrics):
        def model_fn(features, labels, mode, params):
            return linear(features, labels, mode, params)._replace(eval_metric_ops=metrics())
        return estimator(model_fn)
    pair = lambda: (tf.constant(1.0), tf.no_op())  # noqa: E731
    model = trained()
    return dict(steps=refused(lambda: model.evaluate(pairs(), steps=0)),
                loss=refused(lambda: with_metrics(lambda: {"loss": pair()}).evaluate(pairs(), steps=1)),
                step=refused(lambda: with_metrics(lambda: {"global_step": pair()}).evaluate(pairs(), steps=1)),
                hooks=refused(lambda: model.evaluate(pairs(), hooks=[3])),
                missing=refused(lambda: model.evaluate(pairs(), 1, checkpoint_path="/nowhere/model")).split(":")[0])
