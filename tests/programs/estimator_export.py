"""Estimators as SavedModels: signatures, files and answers."""
import glob
import os
import tempfile

import numpy as np
import tensorflow as tf

export = tf.estimator.export
X = np.arange(8, dtype=np.float32).reshape(4, 2)


def weights(units=1):
    return tf.get_variable("w", [2, units], initializer=tf.constant_initializer(0.5))


def spec_for(mode, predictions, loss, outputs=None, metrics=None, **kwargs):
    train_op = None
    if mode == tf.estimator.ModeKeys.TRAIN:
        train_op = tf.train.GradientDescentOptimizer(0.01).minimize(loss, tf.train.get_global_step())
    return tf.estimator.EstimatorSpec(mode, predictions, loss, train_op, metrics, export_outputs=outputs, **kwargs)


def regression_fn(outputs=None, lone=False):
    """A model of one output; `outputs` makes what it offers of its predictions."""
    def model_fn(features, labels, mode):
        x = features["x"] if isinstance(features, dict) else features
        y = tf.matmul(x, weights(), name="y")
        predictions = y if lone else {"y": y, "twice": 2.0 * y}
        loss = metrics = None
        if labels is not None:
            loss = tf.losses.mean_squared_error(labels, y)
            metrics = {"mae": tf.metrics.mean_absolute_error(labels, y)}
        return spec_for(mode, predictions, loss, outputs(y) if outputs else None,
                        metrics if mode == tf.estimator.ModeKeys.EVAL else None)
    return model_fn


def trained(model_fn, steps=2, **kwargs):
    estimator = tf.estimator.Estimator(model_fn, tempfile.mkdtemp(), config=tf.estimator.RunConfig(tf_random_seed=1),
                                       **kwargs)
    estimator.train(lambda: ({"x": tf.constant(X)}, tf.constant(X[:, :1])), steps=steps)
    return estimator


def raw():
    return export.ServingInputReceiver({"x": tf.placeholder(tf.float32, [None, 2], name="x")},
                                       {"x": tf.get_default_graph().get_tensor_by_name("x:0")})


def parsing():
    return export.build_parsing_serving_input_receiver_fn({"x": tf.FixedLenFeature([2], tf.float32)})()


def example(values):
    feature = {"x": tf.train.Feature(float_list=tf.train.FloatList(value=values))}
    return tf.train.Example(features=tf.train.Features(feature=feature)).SerializeToString()


def signatures(meta_graph):
    def infos(side):
        return {key: [info.name or info.coo_sparse.values_tensor_name, info.dtype,
                      [dim.size for dim in info.tensor_shape.dim]] for key, info in sorted(side.items())}
    return {key: [s.method_name, infos(s.inputs), infos(s.outputs)]
            for key, s in sorted(meta_graph.signature_def.items()) if not key.startswith("__")}


def loaded(path, tags=("serve",), feeds=None, keys=()):
    """What the model at `path` has, and answers."""
    with tf.Graph().as_default() as graph, tf.Session() as session:
        model = tf.saved_model.loader.load(session, list(tags), path.decode())
        found = {"signatures": signatures(model), "tags": sorted(model.meta_info_def.tags)}
        for key in keys:
            s = model.signature_def[key]
            found[f"answer_{key}"] = session.run(
                {name: graph.get_tensor_by_name(info.name) for name, info in s.outputs.items()},
                {graph.get_tensor_by_name(s.inputs[name].name): value for name, value in feeds.items()})
        found["operations"] = sorted(op.name for op in graph.get_operations() if op.type in (
            "MatMul", "VariableV2", "VarHandleOp", "Placeholder"))
        return found


def files(path):
    base = path.decode()
    return sorted(os.path.relpath(os.path.join(where, name), base)
                  for where, _, names in os.walk(base) for name in names)


def error(f):
    try:
        f()
    except Exception as e:
        return type(e).__name__, str(e).split("\n")[0][:45]
    return "none"


def exported(model_fn, receiver, feeds, keys=("serving_default",), **kwargs):
    estimator = trained(model_fn)
    path = estimator.export_saved_model(tempfile.mkdtemp(), receiver, **kwargs)
    return {"loaded": loaded(path, feeds=feeds, keys=keys), "files": files(path), "kind": type(path).__name__,
            "digits": len(os.path.basename(path.decode()))}


def program_raw_predictions():
    return exported(regression_fn(), raw, {"x": X})


def program_raw_lone_prediction():
    return exported(regression_fn(lone=True), raw, {"x": X})


def program_parsing_predictions():
    return exported(regression_fn(), parsing, {"examples": [example([1, 2]), example([3, 4])]})


def program_predict_output():
    return exported(regression_fn(lambda y: {"predict": export.PredictOutput({"out": y})}), raw, {"x": X},
                    keys=("predict", "serving_default"))


def program_predict_output_lone():
    return exported(regression_fn(lambda y: {"mine": export.PredictOutput(y)}), raw, {"x": X}, keys=("mine",))


def program_regression_output():
    return exported(regression_fn(lambda y: {"regression": export.RegressionOutput(y)}), parsing,
                    {"inputs": [example([1, 2]), example([3, 4])]}, keys=("regression", "serving_default"))


def classification(y):
    return {"serving_default": export.ClassificationOutput(scores=tf.concat([y, -y], 1)),
            "classes": export.ClassificationOutput(classes=tf.as_string(y)),
            "both": export.ClassificationOutput(scores=y, classes=tf.as_string(y)),
            "predict": export.PredictOutput({"y": y})}


def program_classification_outputs():
    return exported(regression_fn(classification), parsing, {"inputs": [example([1, 2])]},
                    keys=("serving_default", "classes", "both"))


def program_classification_without_examples():
    """Servers classify examples only: what is fed otherwise has no such signature."""
    return exported(regression_fn(classification), raw, {"x": X}, keys=("predict",))


def program_multiple_without_default():
    def outputs(y):
        return {"a": export.PredictOutput(y), "b": export.PredictOutput(y)}
    return {"error": error(lambda: trained(regression_fn(outputs)).export_saved_model(tempfile.mkdtemp(), raw))[0]}


def program_tensor_receiver():
    def receiver():
        x = tf.placeholder(tf.float32, [None, 2], name="lone")
        return export.TensorServingInputReceiver(x, x)
    return exported(regression_fn(), receiver, {"input": X})


def program_receiver_alternatives():
    def receiver():
        examples = tf.placeholder(tf.string, [None], name="examples")
        x = tf.parse_example(examples, {"x": tf.FixedLenFeature([2], tf.float32)})["x"]
        return export.ServingInputReceiver({"x": x}, examples, {"parsed": {"x": x}, "lone": x})
    return exported(regression_fn(lambda y: {"regression": export.RegressionOutput(y)}), receiver,
                    {}, keys=())


def program_unreachable_placeholder():
    def receiver():
        x = tf.placeholder(tf.float32, [None, 2], name="fed")
        other = tf.placeholder(tf.float32, [None, 2], name="forgotten")
        return export.ServingInputReceiver({"x": x + other}, {"x": x})
    return exported(regression_fn(), receiver, {"x": X}, keys=())


def program_sparse_receiver():
    def model_fn(features, labels, mode):
        x = tf.sparse_tensor_to_dense(features["x"]) if mode == tf.estimator.ModeKeys.PREDICT else features["x"]
        y = tf.matmul(tf.reshape(x, [-1, 2]), weights())
        loss = None if labels is None else tf.losses.mean_squared_error(labels, y)
        return spec_for(mode, {"y": y}, loss)

    def receiver():
        x = tf.sparse_placeholder(tf.float32, name="sparse")
        return export.ServingInputReceiver({"x": x}, {"x": x})
    return exported(model_fn, receiver, {}, keys=())


def program_build_raw_receiver():
    x = tf.placeholder(tf.float32, [None, 2], name="raw_x")
    fn = export.build_raw_serving_input_receiver_fn({"x": x}, default_batch_size=3)
    made = fn()
    return {"shape": made.features["x"].shape.as_list(), "name": made.features["x"].name,
            "same": made.features is made.receiver_tensors, "export": exported(regression_fn(), fn, {"x": X[:3]})}


def program_build_parsing_receiver():
    fn = export.build_parsing_serving_input_receiver_fn({"a": tf.FixedLenFeature([1], tf.int64, 7),
                                                         "b": tf.VarLenFeature(tf.string)}, default_batch_size=2)
    made = fn()
    return {"tensors": sorted(made.receiver_tensors), "name": made.receiver_tensors["examples"].name,
            "shape": made.receiver_tensors["examples"].shape.as_list(), "features": sorted(made.features),
            "a": made.features["a"].shape.as_list(), "b": type(made.features["b"]).__name__}


def program_build_supervised_receiver():
    x, y = tf.placeholder(tf.float32, [None, 2], name="sx"), tf.placeholder(tf.int64, [None], name="sy")
    build = tf.estimator.experimental.build_raw_supervised_input_receiver_fn
    lone, named = build(x, y)(), build({"x": x}, {"y": y}, default_batch_size=4)()
    return {"lone": sorted(lone.receiver_tensors), "lone_names": [lone.features.name, lone.labels.name],
            "named": sorted(named.receiver_tensors), "shape": named.features["x"].shape.as_list(),
            "twice": error(lambda: build({"x": x}, {"x": y}))}


def program_train_and_eval_graphs():
    def receiver():
        x = tf.placeholder(tf.float32, [None, 2], name="x")
        y = tf.placeholder(tf.float32, [None, 1], name="labels")
        build = tf.estimator.experimental.build_raw_supervised_input_receiver_fn
        return build({"x": x}, {"y": y})()

    def model_fn(features, labels, mode):
        return regression_fn()(features, None if labels is None else labels["y"] if isinstance(labels, dict)
                               else labels, mode)

    estimator = trained(model_fn)
    modes = tf.estimator.ModeKeys
    path = estimator.experimental_export_all_saved_models(
        tempfile.mkdtemp(), {modes.TRAIN: receiver, modes.EVAL: receiver, modes.PREDICT: raw})
    found = {tag: loaded(path, tags=(tag,))["signatures"] for tag in ("train", "eval", "serve")}
    with tf.Graph().as_default(), tf.Session() as session:
        model = tf.saved_model.loader.load(session, ["train"], path.decode())
        found["train_op"] = [tf.train.get_global_step() is not None,
                             sorted(k for k in model.collection_def if "train_op" in k)]
    return {"found": found, "files": files(path)}


def program_eval_mode():
    def receiver():
        x = tf.placeholder(tf.float32, [None, 2], name="x")
        y = tf.placeholder(tf.float32, [None, 1], name="labels")
        return tf.estimator.experimental.build_raw_supervised_input_receiver_fn({"x": x}, y)()
    path = trained(regression_fn()).export_saved_model(tempfile.mkdtemp(), receiver,
                                                       experimental_mode=tf.estimator.ModeKeys.EVAL)
    return loaded(path, tags=("eval",), feeds={"x": X, "label": X[:, :1]}, keys=("eval",))


def program_extra_assets():
    source = os.path.join(tempfile.mkdtemp(), "words.txt")
    with open(source, "w") as file:
        file.write("a\nb\n")
    path = trained(regression_fn()).export_saved_model(
        tempfile.mkdtemp(), raw, assets_extra={"words.txt": source, "deep/er/other.txt": source})
    return {"files": files(path), "text": open(os.path.join(path.decode(), "assets.extra/deep/er/other.txt")).read()}


def program_vocabulary_asset():
    source = os.path.join(tempfile.mkdtemp(), "words.txt")
    with open(source, "w") as file:
        file.write("red\ngreen\n")

    def model_fn(features, labels, mode):
        y = tf.matmul(features["x"], weights())
        table = tf.contrib.lookup.index_to_string_table_from_file(source) if hasattr(tf, "contrib") else (
            tf.lookup.StaticHashTable(tf.lookup.TextFileInitializer(
                source, tf.int64, tf.lookup.TextFileIndex.LINE_NUMBER, tf.string, tf.lookup.TextFileIndex.WHOLE_LINE),
                "?"))
        words = table.lookup(tf.cast(tf.reduce_sum(y, 1) > 2, tf.int64))
        loss = None if labels is None else tf.losses.mean_squared_error(labels, y)
        return spec_for(mode, {"word": words}, loss)

    path = trained(model_fn).export_saved_model(tempfile.mkdtemp(), raw)
    os.remove(source)
    return {"files": files(path), "answer": loaded(path, feeds={"x": X}, keys=("serving_default",))[
        "answer_serving_default"]}


def program_as_text():
    path = trained(regression_fn()).export_saved_model(tempfile.mkdtemp(), raw, as_text=True)
    return {"files": files(path), "loaded": loaded(path, feeds={"x": X}, keys=("serving_default",))}


def program_checkpoint_path():
    estimator = trained(regression_fn(), steps=1)
    first = estimator.latest_checkpoint()
    estimator.train(lambda: ({"x": tf.constant(X)}, tf.constant(X[:, :1])), steps=3)
    base = tempfile.mkdtemp()
    old = estimator.export_saved_model(base, raw, checkpoint_path=first)
    new = estimator.export_saved_model(base, raw)
    return {"differ": old != new, "old": loaded(old, feeds={"x": X}, keys=("serving_default",)),
            "new": loaded(new, feeds={"x": X}, keys=("serving_default",)),
            "kept": len(glob.glob(os.path.join(base, "1*"))), "temporary": glob.glob(os.path.join(base, "temp*"))}


def program_old_name():
    path = trained(regression_fn()).export_savedmodel(tempfile.mkdtemp(), raw, strip_default_attrs=True)
    return {"loaded": loaded(path, feeds={"x": X}, keys=("serving_default",)), "kind": type(path).__name__}


def program_warm_started():
    first = trained(regression_fn())
    second = tf.estimator.Estimator(regression_fn(), tempfile.mkdtemp(), warm_start_from=first.model_dir)
    path = second.export_saved_model(tempfile.mkdtemp(), raw)
    return loaded(path, feeds={"x": X}, keys=("serving_default",))


def program_missing_variables():
    def with_more(features, labels, mode):
        tf.get_variable("more", [2])
        return regression_fn()(features, labels, mode)
    estimator = trained(regression_fn())
    other = tf.estimator.Estimator(with_more, estimator.model_dir)
    return {"error": error(lambda: other.export_saved_model(tempfile.mkdtemp(), raw))}


def program_scaffold_parts():
    """A local_init_op and a saver of the model's own."""
    def model_fn(features, labels, mode):
        y = tf.matmul(features["x"], weights())
        local = tf.Variable(3.0, collections=[tf.GraphKeys.LOCAL_VARIABLES], name="local")
        scaffold = tf.train.Scaffold(local_init_op=tf.group(tf.local_variables_initializer(), name="mine"),
                                     saver=tf.train.Saver())
        loss = None if labels is None else tf.losses.mean_squared_error(labels, y)
        return spec_for(mode, {"y": y * local}, loss, scaffold=scaffold)
    return exported(model_fn, raw, {"x": X})


def program_errors():
    estimator = tf.estimator.Estimator(regression_fn(), tempfile.mkdtemp())
    return {"untrained": error(lambda: estimator.export_saved_model(tempfile.mkdtemp(), raw))[0],
            "receiver": error(lambda: estimator.export_saved_model(tempfile.mkdtemp(), None)),
            "modes": error(lambda: trained(regression_fn()).experimental_export_all_saved_models(
                tempfile.mkdtemp(), {}))[0]}
