"""tf.estimator.experimental's hooks that end a training early, and the evaluator that trains along."""
import tensorflow as tf

from helpers.hook_runs import directory, events, files, logged, refused


def estimator(path):
    def model_fn(features, labels, mode):
        weight = tf.get_variable("weight", initializer=4.0)
        loss = tf.reduce_mean(tf.square(weight - features["x"]))
        step = tf.train.get_global_step()
        train = tf.train.GradientDescentOptimizer(0.125).minimize(loss, global_step=step)
        metrics = {"mean_weight": tf.metrics.mean(weight)}
        return tf.estimator.EstimatorSpec(mode, predictions=features["x"], loss=loss, train_op=train,
                                          eval_metric_ops=metrics)
    return tf.estimator.Estimator(model_fn, path, tf.estimator.RunConfig(save_summary_steps=0, tf_random_seed=1))


def input_fn():
    return {"x": tf.constant([0.0, 0.0])}


def batches():
    return tf.data.Dataset.from_tensors({"x": [0.0, 0.0]}).repeat(3)


def evaluated(path, **metrics):
    """Writes the event file of evaluations: metrics at steps 10, 20, ..."""
    with tf.Graph().as_default(), tf.summary.FileWriter(path) as writer:
        for i in range(len(next(iter(metrics.values())))):
            values = [tf.Summary.Value(tag=name, simple_value=found[i]) for name, found in metrics.items()]
            writer.add_summary(tf.Summary(value=values), 10 * (i + 1))


def trained(hook_of, steps=5, **metrics):
    """How many steps a training takes with a hook, and what it logs of stopping."""
    path = directory()
    model = estimator(path)
    evaluated(model.eval_dir(), **metrics)
    with logged(path) as lines:
        model.train(input_fn, hooks=[hook_of(model)], steps=steps)
    tf.summary.FileWriterCache.clear()
    return dict(step=model.get_variable_value("global_step"), variables=model.get_variable_names(),
                lines=[line for line in lines if "arly stopping" in line or "metric" in line])


EVERY_STEP = dict(run_every_secs=None, run_every_steps=1)
experimental = tf.estimator.experimental


def program_stop_if_higher():
    return trained(lambda model: experimental.stop_if_higher_hook(model, "accuracy", 0.7, **EVERY_STEP),
                   accuracy=[0.5, 0.75])


def program_stop_if_higher_does_not():
    return trained(lambda model: experimental.stop_if_higher_hook(model, "accuracy", 0.8, **EVERY_STEP),
                   accuracy=[0.5, 0.75])


def program_stop_if_lower():
    return trained(lambda model: experimental.stop_if_lower_hook(model, "loss", 2, **EVERY_STEP),
                   loss=[5.0, 1.5], other=[1.0, 1.0])


def program_stop_after_steps_only():
    return trained(lambda model: experimental.stop_if_lower_hook(model, "loss", 2, min_steps=30, **EVERY_STEP),
                   loss=[5.0, 1.5])


def program_stop_if_no_increase():
    return trained(lambda model: experimental.stop_if_no_increase_hook(model, "accuracy", 20, **EVERY_STEP),
                   accuracy=[0.5, 0.75, 0.75, 0.7])


def program_stop_if_no_decrease():
    return trained(lambda model: experimental.stop_if_no_decrease_hook(model, "loss", 30, **EVERY_STEP),
                   loss=[2.0, 1.0, 1.0, 1.5])


def program_stop_in_another_directory():
    path = directory()
    evaluated(path, loss=[1.0])
    return trained(lambda model: experimental.stop_if_lower_hook(model, "loss", 2, eval_dir=path, **EVERY_STEP),
                   loss=[5.0])


def program_stop_function():
    asked = []

    def should_stop():
        asked.append(len(asked))
        return len(asked) == 3
    found = trained(lambda model: experimental.make_early_stopping_hook(model, should_stop, None, 1), x=[1.0])
    return dict(found, asked=asked)


def program_stop_function_every_second_step():
    asked = []

    def should_stop():
        asked.append(len(asked))
        return False
    found = trained(lambda model: experimental.make_early_stopping_hook(model, should_stop, None, 2), x=[1.0])
    return dict(found, asked=asked)


def program_metric_that_is_not_there():
    return dict(error=refused(lambda: trained(
        lambda model: experimental.stop_if_higher_hook(model, "accuracy", 0.7, **EVERY_STEP), loss=[0.5])))


def program_early_stopping_refuses():
    model = estimator(directory())
    make = experimental.make_early_stopping_hook
    return dict(both=refused(lambda: make(model, lambda: True, 60, 1)),
                function=refused(lambda: make(model, "stop")),
                model=refused(lambda: make("model", lambda: True)).split(" Got")[0])


def program_in_memory_evaluator():
    path = directory()
    model = estimator(path)
    hook = experimental.InMemoryEvaluatorHook(model, batches, every_n_iter=2)
    with logged(path) as lines:
        model.train(input_fn, hooks=[hook], steps=5)
    tf.summary.FileWriterCache.clear()
    return dict(lines=[line for line in lines if "Saving dict" in line or "model_fn" in line],
                files=files(path), events=events(path + "/eval"))


def program_in_memory_evaluator_with_steps_and_name():
    path = directory()
    model = estimator(path)
    hook = experimental.InMemoryEvaluatorHook(model, input_fn, steps=2, name="train", every_n_iter=10)
    with logged(path) as lines:
        model.train(input_fn, hooks=[hook], steps=3)
    tf.summary.FileWriterCache.clear()
    return dict(lines=[line for line in lines if "Saving dict" in line or "Evaluation" in line], files=files(path))


def program_in_memory_evaluator_refuses():
    model = estimator(directory())
    return dict(zero=refused(lambda: experimental.InMemoryEvaluatorHook(model, input_fn, every_n_iter=0)),
                none=refused(lambda: experimental.InMemoryEvaluatorHook(model, input_fn, every_n_iter=None)))
