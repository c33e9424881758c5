"""tf.estimator.export's classes: checks, properties, signatures."""
import tensorflow as tf

export = tf.estimator.export


def error(f):
    try:
        f()
    except Exception as e:
        return type(e).__name__, str(e).split("\n")[0].split(";")[0][:70]
    return "none"


def shown(signature):
    def infos(side):
        return {key: [info.name or info.coo_sparse.values_tensor_name, info.dtype] for key, info in sorted(side.items())}
    return [signature.method_name, infos(signature.inputs), infos(signature.outputs)]


def tensors():
    return {"text": tf.placeholder(tf.string, [None], name="text"), "x": tf.placeholder(tf.float32, [None], name="x"),
            "half": tf.placeholder(tf.float16, [None], name="half"), "n": tf.placeholder(tf.int64, [None], name="n")}


def program_classification():
    t = tensors()
    both = export.ClassificationOutput(scores=t["x"], classes=t["text"])
    scores, classes = export.ClassificationOutput(t["x"]), export.ClassificationOutput(classes=t["text"])
    return {"parts": [both.scores.name, both.classes.name, scores.classes is None, classes.scores is None],
            "both": shown(both.as_signature_def({"in": t["text"]})),
            "scores": shown(scores.as_signature_def({"in": t["text"]})),
            "classes": shown(classes.as_signature_def({"in": t["text"]})),
            "two": error(lambda: both.as_signature_def({"a": t["text"], "b": t["x"]})),
            "type": error(lambda: both.as_signature_def({"a": t["x"]})),
            "half": error(lambda: export.ClassificationOutput(t["half"]).as_signature_def({"in": t["text"]}))[0]}


def program_classification_errors():
    t = tensors()
    return {"none": error(lambda: export.ClassificationOutput()),
            "scores": error(lambda: export.ClassificationOutput(scores="1")),
            "integers": error(lambda: export.ClassificationOutput(scores=t["n"])),
            "classes": error(lambda: export.ClassificationOutput(classes=t["n"]))}


def program_regression():
    t = tensors()
    output = export.RegressionOutput(t["x"])
    return {"value": output.value.name, "signature": shown(output.as_signature_def({"in": t["text"]})),
            "none": error(lambda: export.RegressionOutput(None)), "text": error(lambda: export.RegressionOutput("1")),
            "integers": error(lambda: export.RegressionOutput(t["n"])),
            "type": error(lambda: output.as_signature_def({"a": t["x"]}))}


def program_predict():
    t = tensors()
    named, lone = export.PredictOutput({"a": t["x"], ("b", "c"): t["n"]}), export.PredictOutput(t["x"])
    return {"named": {key: value.name for key, value in named.outputs.items()},
            "lone": {key: value.name for key, value in lone.outputs.items()},
            "signature": shown(named.as_signature_def({"in": t["text"], "x": t["x"]})),
            "value": error(lambda: export.PredictOutput({"a": 1.0})), "key": error(lambda: export.PredictOutput({1: t["x"]})),
            "none": error(lambda: export.PredictOutput(None))[0]}


def program_output_classes():
    class Mine(export.ExportOutput):
        def as_signature_def(self, receiver_tensors):
            return tf.saved_model.build_signature_def({}, {}, "mine")
    return {"mine": Mine().as_signature_def({}).method_name,
            "kinds": [issubclass(kind, export.ExportOutput) for kind in (
                export.ClassificationOutput, export.RegressionOutput, export.PredictOutput)]}


def program_serving_receiver():
    t = tensors()
    lone = export.ServingInputReceiver(t["x"], t["text"])
    named = export.ServingInputReceiver({"a": t["x"], 3: t["n"]}, {"e": t["text"]}, {"other": t["x"]})
    return {"lone": [sorted(lone.features), sorted(lone.receiver_tensors), lone.receiver_tensors_alternatives is None],
            "named": [len(named.features), sorted(named.receiver_tensors)],
            "alternatives": {key: sorted(value) for key, value in named.receiver_tensors_alternatives.items()},
            "fields": list(lone._fields)}


def program_serving_receiver_errors():
    t = tensors()
    make = export.ServingInputReceiver
    return {"features": error(lambda: make(None, t["text"])), "receivers": error(lambda: make(t["x"], None)),
            "key": error(lambda: make({1.5: t["x"]}, t["text"])), "receiver_key": error(lambda: make(t["x"], {1: t["x"]})),
            "value": error(lambda: make({"a": [1.0]}, t["text"])), "receiver_value": error(lambda: make(t["x"], {"a": 1})),
            "alternatives": error(lambda: make(t["x"], t["text"], t["x"]))[0]}


def program_tensor_receiver():
    t = tensors()
    made = export.TensorServingInputReceiver(t["x"], {"a": t["text"]})
    return {"features": made.features.name, "receivers": sorted(made.receiver_tensors), "fields": list(made._fields),
            "none": error(lambda: export.TensorServingInputReceiver(None, t["x"])),
            "dict": error(lambda: export.TensorServingInputReceiver({"a": t["x"]}, t["x"]))}
