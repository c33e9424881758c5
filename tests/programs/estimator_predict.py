"""Estimator.predict: single examples and batches, again and again."""
import itertools

import numpy as np
import tensorflow as tf

from helpers.estimator_runs import FEATURES, LABELS, directory, estimator, linear, logged, pairs, refused


def trained(steps=2, **options):
    model = estimator(**options)
    model.train(pairs(), steps=steps)
    return model


def only_features(batch=2):
    return lambda: tf.data.Dataset.from_tensor_slices({"x": FEATURES}).batch(batch)


def program_examples():
    model = trained()
    with logged() as lines:
        found = list(model.predict(only_features()))
    return dict(y=[row["y"] for row in found], twice=[row["twice"] for row in found], keys=list(found[0]), lines=lines)


def program_batches():
    found = list(trained().predict(only_features(3), yield_single_examples=False))
    return dict(y=[batch["y"] for batch in found])


def program_labels_are_dropped():
    return dict(y=[row["y"] for row in trained().predict(pairs(epochs=1))])


def program_some_keys():
    model = trained()
    found = list(model.predict(only_features(), predict_keys=["twice"]))
    return dict(keys=[list(row) for row in found], twice=[row["twice"] for row in found],
                text=[list(row) for row in model.predict(only_features(), predict_keys="twice")],
                none=refused(lambda: list(model.predict(only_features(), predict_keys=["no"]))).split(" from")[0])


def program_lone_tensor():
    def model_fn(features, mode):
        return tf.estimator.EstimatorSpec(mode, predictions=2 * features["x"])
    model = tf.estimator.Estimator(model_fn, directory())
    return dict(rows=list(model.predict(only_features())),
                batches=list(model.predict(only_features(), yield_single_examples=False)),
                keys=refused(lambda: list(model.predict(only_features(), predict_keys=["y"]))))


def program_nothing_happens_before_the_first():
    calls = []

    def input_fn():
        calls.append("input")
        return only_features()()
    found = trained().predict(input_fn)
    before = list(calls)
    next(found)
    found.close()
    return dict(before=before, after=calls)


def program_untrained():
    def model_fn(features, mode):
        w = tf.get_variable("w", initializer=3.0)
        return tf.estimator.EstimatorSpec(mode, predictions={"y": features["x"] * w})
    with logged() as lines:
        found = list(tf.estimator.Estimator(model_fn, directory()).predict(only_features(4)))
    return dict(y=[row["y"] for row in found], lines=lines)


def program_endless_input():
    model = trained()
    with logged() as lines:
        found = list(itertools.islice(model.predict(lambda: {"x": tf.constant(FEATURES)}), 6))
    return dict(y=[row["y"] for row in found], lines=lines)


def program_again_with_other_data():
    model = trained()
    found = []
    for scale in (1, 2, 3, 1):
        data = (FEATURES * scale)[:3]
        found += [row["y"] for row in model.predict(lambda: tf.data.Dataset.from_tensor_slices({"x": data}).batch(2))]
    for rows in (1, 2, 4):
        found += [row["y"] for row in model.predict(lambda: tf.data.Dataset.from_tensors({"x": FEATURES[:rows]}))]
    return dict(found=found)


def program_after_more_training():
    model = trained()
    first = [row["y"] for row in model.predict(only_features())]
    model.train(pairs(), steps=3)
    return dict(first=first, second=[row["y"] for row in model.predict(only_features())])


def program_of_a_checkpoint():
    model = trained(config=tf.estimator.RunConfig(save_checkpoints_steps=1))
    paths = [model.model_dir + f"/model.ckpt-{step}" for step in (0, 1, 2, 1)]
    return dict(y=[[row["y"] for row in model.predict(only_features(), checkpoint_path=path)] for path in paths])


def program_left_early_then_again():
    model = trained()
    found = []
    for _ in range(3):
        rows = model.predict(only_features(1))
        found.append(next(rows)["y"])
        rows.close()
    return dict(found=found, all=[row["y"] for row in model.predict(only_features(1))])


def program_model_that_changes():
    scale = [1.0]

    def model_fn(features, labels, mode, params):
        spec = linear(features, labels, mode, params)
        if mode != tf.estimator.ModeKeys.PREDICT:
            return spec
        return spec._replace(predictions={"y": spec.predictions["y"] * scale[0]})
    model = trained(model_fn=model_fn)
    found = []
    for scale[0] in (1.0, 10.0, 1.0):
        found += [row["y"] for row in model.predict(only_features())]
    return dict(found=found)


def program_random_numbers_begin_anew():
    def model_fn(features, labels, mode, params):
        spec = linear(features, labels, mode, params)
        if mode != tf.estimator.ModeKeys.PREDICT:
            return spec
        return spec._replace(predictions={"r": tf.random_uniform(tf.shape(features["x"]), seed=3)})
    model = trained(model_fn=model_fn, config=tf.estimator.RunConfig(tf_random_seed=5))
    found = [[row["r"] for row in model.predict(only_features())] for _ in range(2)]
    return dict(first=found[0], second=found[1])


def program_counters_begin_anew():
    def model_fn(features, labels, mode, params):
        spec = linear(features, labels, mode, params)
        if mode != tf.estimator.ModeKeys.PREDICT:
            return spec
        count = tf.get_local_variable("count", initializer=0.0)
        return spec._replace(predictions={"n": tf.assign_add(count, 1.0) + 0 * spec.predictions["y"]})
    model = trained(model_fn=model_fn)
    return dict(found=[[row["n"] for row in model.predict(only_features())] for _ in range(3)])


def program_shuffled_data():
    def input_fn():
        return tf.data.Dataset.from_tensor_slices({"x": FEATURES}).shuffle(4, seed=3).batch(2)
    model = trained(config=tf.estimator.RunConfig(tf_random_seed=1))
    found = [sorted(float(row["y"][0]) for row in model.predict(input_fn)) for _ in range(2)]
    return dict(found=found)


def program_mapped_data():
    model = trained()
    found = []
    for factor in (1.0, 2.0, 1.0):
        def input_fn():
            return only_features()().map(lambda row: {"x": row["x"] * factor})
        found += [row["y"] for row in model.predict(input_fn)]
    return dict(found=found)


def program_table_lookups():
    def model_fn(features, labels, mode, params):
        x = features["x"] if mode != tf.estimator.ModeKeys.PREDICT else tf.constant(FEATURES[:2])
        spec = linear({"x": x}, labels, mode, params)
        if mode != tf.estimator.ModeKeys.PREDICT:
            return spec
        table = tf.lookup.StaticHashTable(tf.lookup.KeyValueTensorInitializer(
            tf.constant(["a", "b"]), tf.constant([1.0, 2.0])), -1.0)
        return spec._replace(predictions={"y": spec.predictions["y"], "word": table.lookup(features["word"])})
    model = trained(model_fn=model_fn)
    found = []
    for words in (["a", "b"], ["b", "c"], ["a", "a"]):
        rows = model.predict(lambda: tf.data.Dataset.from_tensors({"word": words}))
        found += [row["word"] for row in rows]
    return dict(found=found)


def program_iterators_of_ones_own():
    def once():
        return tf.data.make_one_shot_iterator(only_features()()).get_next()

    def initialized():
        iterator = tf.data.make_initializable_iterator(only_features()())
        tf.add_to_collection(tf.GraphKeys.TABLE_INITIALIZERS, iterator.initializer)
        return iterator.get_next()
    model = trained()
    return {f"{kind.__name__}{i}": [row["y"] for row in model.predict(kind)] for i in range(3)
            for kind in (once, initialized)}


def program_hooks():
    calls = []

    class Hook(tf.train.SessionRunHook):
        def __init__(self, name):
            self.name = name

        def before_run(self, run_context):
            calls.append(self.name)

        def end(self, session):
            calls.append(self.name + " end")

    def model_fn(features, labels, mode, params):
        return linear(features, labels, mode, params)._replace(prediction_hooks=[Hook("spec")])
    model = trained(model_fn=model_fn)
    for _ in range(2):
        list(model.predict(only_features(), hooks=[Hook("mine")]))
    return dict(calls=calls)


def program_refuses():
    model = trained()

    def uneven(features, mode):
        return tf.estimator.EstimatorSpec(mode, predictions={"a": tf.zeros([2]), "b": tf.zeros([3])})
    return dict(hooks=refused(lambda: list(model.predict(only_features(), hooks=[1]))),
                uneven=refused(lambda: list(tf.estimator.Estimator(uneven, directory()).predict(only_features()))),
                missing=refused(lambda: list(model.predict(only_features(), checkpoint_path="/nowhere/model"))).split(
                    ":")[0])
