"""Estimator.train: what is learned, saved, logged and refused."""
import numpy as np
import tensorflow as tf

from helpers.estimator_runs import (FEATURES, LABELS, checkpoint, directory, estimator, files, linear, logged, pairs,
                                    refused, summaries)


def program_some_steps():
    model = estimator()
    with logged() as lines:
        model.train(pairs(), steps=5)
    return dict(checkpoint=checkpoint(model.model_dir), lines=lines, names=model.get_variable_names(),
                latest=model.latest_checkpoint()[-12:], files=files(model.model_dir))


def program_until_the_input_ends():
    model = estimator()
    model.train(pairs(batch=4, epochs=3))
    return checkpoint(model.model_dir)


def program_goes_on():
    model = estimator()
    for _ in range(3):
        model.train(pairs(), steps=2)
    return dict(checkpoint=checkpoint(model.model_dir), step=model.get_variable_value("global_step"),
                state=open(model.model_dir + "/checkpoint").read())


def program_max_steps():
    model = estimator()
    model.train(pairs(), max_steps=4)
    model.train(pairs(), max_steps=6)
    with logged() as lines:
        same = model.train(pairs(), max_steps=6)
    return dict(step=model.get_variable_value("global_step"), lines=lines, same=same is model)


def program_logs_the_loss():
    model = estimator(config=tf.estimator.RunConfig(log_step_count_steps=2, save_checkpoints_steps=3))
    with logged() as lines:
        model.train(pairs(), steps=5)
    return dict(lines=lines, files=files(model.model_dir), summaries=summaries(model.model_dir))


def program_keeps_few_checkpoints():
    config = tf.estimator.RunConfig(save_checkpoints_steps=1, keep_checkpoint_max=2, save_summary_steps=2)
    model = estimator(config=config)
    model.train(pairs(), steps=5)
    return dict(files=files(model.model_dir), summaries=summaries(model.model_dir),
                state=open(model.model_dir + "/checkpoint").read())


def program_saves_nothing():
    config = tf.estimator.RunConfig(save_checkpoints_steps=None, save_checkpoints_secs=None, save_summary_steps=0,
                                    log_step_count_steps=None)
    model = estimator(config=config)
    with logged() as lines:
        model.train(pairs(), steps=2)
    return dict(files=[name for name in files(model.model_dir) if "tfevents" not in name], lines=lines)


def program_tensors_as_input():
    model = estimator(lambda features, labels, mode, params: linear(features, labels, mode, params))
    model.train(lambda: (tf.constant(FEATURES), tf.constant(LABELS)), steps=2)
    return checkpoint(model.model_dir)


def program_iterator_as_input():
    def input_fn():
        return tf.data.make_one_shot_iterator(pairs(batch=2, epochs=2)()).get_next()
    model = estimator()
    model.train(input_fn)
    return checkpoint(model.model_dir)


def program_queue_as_input():
    def input_fn():
        x = tf.train.limit_epochs(tf.constant(FEATURES), num_epochs=2)
        features, labels = tf.train.batch([x, tf.constant(LABELS)], 1, num_threads=1, enqueue_many=False)
        return {"x": features[0]}, labels[0]
    model = estimator()
    model.train(input_fn)
    return checkpoint(model.model_dir)


def program_features_of_any_structure():
    seen = []

    def model_fn(features, labels):
        a, (b, c) = features["a"], features["rest"]
        seen.append([sorted(features), type(features["rest"]).__name__, [t.shape.as_list() for t in (a, b, c)],
                     sorted(labels)])
        w = tf.get_variable("w", initializer=1.0)
        loss = tf.reduce_sum(w * (a + b + c) * labels["scale"])
        return tf.estimator.EstimatorSpec("train", loss=loss, train_op=tf.train.GradientDescentOptimizer(0.1).minimize(
            loss, tf.train.get_global_step()))

    def input_fn():
        columns = ({"a": [1.0, 2.0], "rest": ([3.0, 4.0], [5.0, 6.0])}, {"scale": [0.5, 0.25]})
        return tf.data.Dataset.from_tensor_slices(columns)
    model = tf.estimator.Estimator(model_fn, model_dir=directory())
    model.train(input_fn)
    return dict(seen=str(seen), checkpoint=checkpoint(model.model_dir))


def program_arguments_of_functions():
    seen = []

    def model_fn(features, labels, mode, params, config):
        seen.append([mode, sorted(params.items()), type(config).__name__, config.save_summary_steps])
        params["rate"] = 5.0  # of this call only
        return linear(features, labels, mode, {"rate": 0.01})

    def input_fn(mode, params, config):
        seen.append(["input", mode, params["batch"], config.task_type])
        return pairs(params["batch"])()
    model = estimator(model_fn, params={"rate": 0.01, "batch": 4})
    model.train(input_fn, steps=1)
    model.evaluate(input_fn, steps=1)
    next(model.predict(input_fn))
    return dict(seen=str(seen), params=str(sorted(model.params.items())))


def program_hooks_in_order():
    calls = []

    class Hook(tf.train.SessionRunHook):
        def __init__(self, name):
            self.name = name

        def begin(self):
            calls.append(self.name + " begin")

        def after_create_session(self, session, coord):
            calls.append(self.name + " created")

        def before_run(self, run_context):
            calls.append(f"{self.name} before {len(run_context.original_args.fetches)}")
            return tf.train.SessionRunArgs("loss_now:0")

        def after_run(self, run_context, run_values):
            calls.append(f"{self.name} after {run_values.results:.4f}")

        def end(self, session):
            calls.append(f"{self.name} end {session.run(tf.train.get_global_step())}")

    def model_fn(features, labels, mode, params):
        spec = linear(features, labels, mode, params)
        tf.identity(spec.loss, name="loss_now")
        return spec._replace(training_hooks=[Hook("spec")], training_chief_hooks=[Hook("chief")])
    model = estimator(model_fn)
    model.train(pairs(), hooks=[Hook("mine")], steps=2)
    return dict(calls=calls)


def program_hook_stops():
    class Stop(tf.train.SessionRunHook):
        def before_run(self, run_context):
            return tf.train.SessionRunArgs(tf.train.get_global_step())

        def after_run(self, run_context, run_values):
            if run_values.results >= 2:
                run_context.request_stop()
    model = estimator()
    model.train(pairs(), hooks=[Stop()], steps=100)
    return dict(step=model.get_variable_value("global_step") <= 4)


def program_saving_listeners():
    calls = []

    class Listener(tf.train.CheckpointSaverListener):
        def begin(self):
            calls.append("begin")

        def before_save(self, session, global_step_value):
            calls.append(f"before {global_step_value}")

        def after_save(self, session, global_step_value):
            calls.append(f"after {global_step_value}")

        def end(self, session, global_step_value):
            calls.append(f"end {global_step_value}")
    model = estimator(config=tf.estimator.RunConfig(save_checkpoints_steps=2))
    model.train(pairs(), steps=3, saving_listeners=[Listener()])
    never = tf.estimator.RunConfig(save_checkpoints_steps=None, save_checkpoints_secs=None)
    return dict(calls=calls,
                without=refused(lambda: estimator(config=never).train(pairs(), steps=1, saving_listeners=[Listener()])),
                wrong=refused(lambda: model.train(pairs(), steps=1, saving_listeners=["no"])))


def program_own_saver_hook():
    calls = []

    class Listener(tf.train.CheckpointSaverListener):
        def after_save(self, session, global_step_value):
            calls.append(int(global_step_value))
    model = estimator()
    hook = tf.train.CheckpointSaverHook(model.model_dir, save_steps=2, checkpoint_basename="own")
    model.train(pairs(), hooks=[hook], steps=4, saving_listeners=[Listener()])
    return dict(files=files(model.model_dir), calls=calls)


def program_same_seed_same_values():
    def model_fn(features, labels, mode):
        w = tf.get_variable("w", [2, 1], initializer=tf.random_normal_initializer(seed=1))
        noise = tf.random_uniform([], seed=2)
        loss = tf.reduce_mean(tf.square(tf.matmul(features["x"], w) - labels)) * noise
        return tf.estimator.EstimatorSpec(mode, loss=loss, train_op=tf.train.GradientDescentOptimizer(0.01).minimize(
            loss, tf.train.get_global_step()))
    values = []
    for _ in range(2):
        model = tf.estimator.Estimator(model_fn, directory(), tf.estimator.RunConfig(tf_random_seed=7))
        model.train(lambda: ({"x": tf.constant(FEATURES)}, tf.constant(LABELS)), steps=3)
        values.append(model.get_variable_value("w"))
    return dict(values=values[0], same=bool((values[0] == values[1]).all()))


def program_loss_of_one_element():
    def model_fn(features, labels, mode):
        w = tf.get_variable("w", initializer=2.0)
        loss = tf.reshape(w * w, [1])
        train = tf.train.GradientDescentOptimizer(0.1).minimize(loss, tf.train.get_global_step())
        spec = tf.estimator.EstimatorSpec(mode, loss=loss, train_op=train)
        assert spec.loss.shape.ndims == 0
        return spec
    model = tf.estimator.Estimator(model_fn, directory())
    with logged() as lines:
        model.train(pairs(), steps=3)
    return dict(lines=lines, w=model.get_variable_value("w"))


def program_nan_loss():
    def model_fn(features, labels, mode):
        w = tf.get_variable("w", initializer=1.0)
        loss = tf.log(-w)
        return tf.estimator.EstimatorSpec(mode, loss=loss, train_op=tf.train.GradientDescentOptimizer(0.1).minimize(
            loss, tf.train.get_global_step()))
    model = tf.estimator.Estimator(model_fn, directory())
    return dict(error=refused(lambda: model.train(pairs(), steps=3)).split(":")[0])


def program_no_steps():
    model = estimator()
    with logged() as lines:
        model.train(lambda: pairs(epochs=1)().take(0))
    return dict(lines=lines)


def program_exceptions_pass():
    class Own(Exception):
        pass

    def broken(*_):
        raise Own("mine")

    class Hook(tf.train.SessionRunHook):
        def after_run(self, run_context, run_values):
            raise Own("hook")
    model = estimator()
    in_model = estimator(lambda features, labels: broken(), params=None) if False else None
    return dict(input=refused(lambda: model.train(lambda: broken(), steps=1)),
                model=refused(lambda: tf.estimator.Estimator(lambda features, labels: broken(), directory()).train(
                    pairs(), steps=1)),
                hook=refused(lambda: model.train(pairs(), hooks=[Hook()], steps=1)), none=in_model)


def program_refuses():
    model = estimator()
    return dict(both=refused(lambda: model.train(pairs(), steps=1, max_steps=1)),
                steps=refused(lambda: model.train(pairs(), steps=0)),
                max_steps=refused(lambda: model.train(pairs(), max_steps=-1)),
                hooks=refused(lambda: model.train(pairs(), hooks=["no"], steps=1)),
                triple=refused(lambda: model.train(lambda: (1, 2, 3), steps=1)),
                result=refused(lambda: tf.estimator.Estimator(lambda features, labels: 1, directory()).train(
                    pairs(), steps=1)),
                labels=refused(lambda: tf.estimator.Estimator(lambda features: 1, directory()).train(
                    pairs(), steps=1)))


def program_scaffold_of_the_model():
    calls = []

    def model_fn(features, labels, mode, params):
        spec = linear(features, labels, mode, params)
        extra = tf.get_variable("extra", initializer=3.0, trainable=False)
        scaffold = tf.train.Scaffold(init_fn=lambda scaffold, session: calls.append(float(session.run(extra))),
                                     saver=tf.train.Saver(max_to_keep=1))
        return spec._replace(scaffold=scaffold)
    model = estimator(model_fn, config=tf.estimator.RunConfig(save_checkpoints_steps=1))
    model.train(pairs(), steps=3)
    return dict(calls=calls, files=files(model.model_dir), checkpoint=checkpoint(model.model_dir))


def program_own_loss_summary():
    def model_fn(features, labels, mode, params):
        spec = linear(features, labels, mode, params)
        tf.summary.scalar("loss", spec.loss * 2)
        tf.summary.scalar("more", spec.loss)
        return spec
    model = estimator(model_fn)
    model.train(pairs(), steps=1)
    return dict(summaries=summaries(model.model_dir))


def program_momentum_and_adam():
    def model_fn(features, labels, mode):
        y = tf.layers.dense(features["x"], 1, name="linear", kernel_initializer=tf.ones_initializer())
        loss = tf.losses.mean_squared_error(labels, y)
        return tf.estimator.EstimatorSpec(mode, loss=loss, train_op=tf.train.AdamOptimizer(0.1).minimize(
            loss, tf.train.get_global_step()))
    model = tf.estimator.Estimator(model_fn, directory())
    model.train(pairs(), steps=2)
    model.train(pairs(), steps=2)
    return checkpoint(model.model_dir)
