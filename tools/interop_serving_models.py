"""Models that TensorFlow writes for interop_serving.py, of kinds that servers meet, with TensorFlow's own answers."""
import dataclasses
import pathlib

import goldens  # noqa: F401  (it sets the environment that TensorFlow reads)
import numpy as np
import tensorflow as tf

v1 = tf.compat.v1


@dataclasses.dataclass
class Call:
    signature: str
    feeds: dict
    answer: dict


@dataclasses.dataclass
class Model:
    name: str
    path: pathlib.Path
    calls: list
    examples: list = dataclasses.field(default_factory=list)  # signature, kind, examples, answer


def asked(path, questions):
    """What TensorFlow answers when it loads the model from the disk."""
    loaded = tf.saved_model.load(str(path))
    calls = []
    for signature, feeds in questions:
        answer = loaded.signatures[signature](**{key: tf.constant(value) for key, value in feeds.items()})
        calls.append(Call(signature, feeds, {key: value.numpy() for key, value in answer.items()}))
    return calls


def saved(folder, name, module, signatures, questions):
    tf.saved_model.save(module, str(folder / name), signatures)
    return Model(f"written.{name}", folder / name, asked(folder / name, questions))


def spec(shape, dtype, name):
    return tf.TensorSpec(shape, dtype, name)


class Functions(tf.Module):
    """Several inputs and outputs, several signatures."""

    def __init__(self):
        super().__init__()
        self.weights = tf.Variable([[1.0, -2.0], [0.5, 3.0]])

    @tf.function(input_signature=[spec([None, 2], tf.float32, "left"), spec([None], tf.int64, "ids"),
                                  spec([None], tf.bool, "mask")])
    def mix(self, left, ids, mask):
        product = left @ self.weights
        return {"product": product, "chosen": tf.where(mask, ids, -ids), "count": tf.reduce_sum(product, 1)}

    @tf.function(input_signature=[spec([None], tf.string, "text")])
    def text(self, text):
        return {"upper": tf.strings.upper(text), "length": tf.strings.length(text),
                "packed_bytes": tf.strings.join([text, b"\xff\x00"])}

    @tf.function(input_signature=[spec([], tf.int32, "count")])
    def large(self, count):
        return {"values": tf.range(tf.cast(count, tf.float32)) / 7.0}


def functions(folder):
    module = Functions()
    signatures = {"serving_default": module.mix, "text": module.text, "large": module.large}
    return saved(folder, "functions", module, signatures, [
        ("serving_default", {"left": np.array([[1, 2], [3, 4], [-1, 0.5]], np.float32),
                             "ids": np.array([2**40, -3, 0]), "mask": np.array([True, False, True])}),
        ("text", {"text": np.array([b"abc", "grün".encode(), b""], object)}),
        ("large", {"count": np.array(2_000_000, np.int32)})])


class Types(tf.Module):
    """One signature for each type: x comes back twice."""

    TYPES = (tf.float16, tf.bfloat16, tf.float32, tf.float64, tf.int8, tf.int16, tf.int32, tf.int64, tf.uint8,
             tf.uint16, tf.uint32, tf.uint64, tf.bool, tf.string, tf.complex64, tf.complex128)

    def signature(self, dtype):
        @tf.function(input_signature=[spec([None], dtype, "x")])
        def twice(x):
            return {"y": tf.concat([x, x], 0)}
        return twice


def types(folder):
    module = Types()
    module.functions = {dtype.name: module.signature(dtype) for dtype in Types.TYPES}
    values = {tf.bool: [True, False], tf.string: [b"a", b"\x00\xfe"], tf.complex64: [1 + 2j, -3],
              tf.uint64: [2**64 - 1, 0], tf.complex128: [1 + 2j, -3], tf.int64: [2**63 - 1, -2**63],
              tf.int32: [2**31 - 1, -2**31],
              tf.uint32: [2**32 - 1, 1], tf.float64: [0.1, np.nan], tf.float32: [0.1, np.inf]}
    return saved(folder, "types", module, module.functions, [
        (dtype.name, {"x": np.array(values.get(dtype, [1, 2]), dtype.as_numpy_dtype)}) for dtype in Types.TYPES])


def keras_functional(folder):
    number = tf.keras.Input([4], name="number")
    word = tf.keras.Input([1], dtype=tf.string, name="word")
    lookup = tf.keras.layers.StringLookup(vocabulary=["a", "b", "c"])
    embedded = tf.keras.layers.Flatten()(tf.keras.layers.Embedding(5, 3)(lookup(word)))
    hidden = tf.keras.layers.Dense(8, "relu")(tf.keras.layers.Concatenate()([number, embedded]))
    outputs = [tf.keras.layers.Dense(3, "softmax", name="scores")(hidden),
               tf.keras.layers.Dense(1, name="value")(hidden)]
    model = tf.keras.Model([number, word], outputs)
    model.save(str(folder / "keras_functional"), save_format="tf")
    return Model("written.keras_functional", folder / "keras_functional", asked(folder / "keras_functional", [
        ("serving_default", {"number": np.arange(8, dtype=np.float32).reshape(2, 4),
                             "word": np.array([[b"b"], [b"zzz"]], object)})]))


def keras_sequences(folder):
    words = tf.keras.Input([None], dtype=tf.int32, name="words")
    embedded = tf.keras.layers.Embedding(20, 4, mask_zero=True)(words)
    scores = tf.keras.layers.Dense(3, name="scores")(tf.keras.layers.Conv1D(5, 3, padding="same")(embedded))
    model = tf.keras.Model(words, scores)
    model.save(str(folder / "keras_sequences"), save_format="tf")
    return Model("written.keras_sequences", folder / "keras_sequences", asked(folder / "keras_sequences", [
        ("serving_default", {"words": np.array([[1, 2, 3, 0, 0, 0], [4, 5, 6, 7, 8, 9]], np.int32)})]))


def keras_pictures(folder):
    model = tf.keras.Sequential([tf.keras.layers.Rescaling(1 / 255, input_shape=[16, 16, 3], name="picture"),
                                 tf.keras.layers.Conv2D(4, 3, activation="relu"), tf.keras.layers.BatchNormalization(),
                                 tf.keras.layers.MaxPooling2D(), tf.keras.layers.Flatten(),
                                 tf.keras.layers.Dense(5, "softmax")])
    model.save(str(folder / "keras_pictures"), save_format="tf")
    random = np.random.default_rng(1)
    return Model("written.keras_pictures", folder / "keras_pictures", asked(folder / "keras_pictures", [
        ("serving_default", {"picture_input": random.uniform(0, 255, [3, 16, 16, 3]).astype(np.float32)})]))


def examples_of(rows):
    def feature(value):
        if isinstance(value, str):
            return tf.train.Feature(bytes_list=tf.train.BytesList(value=[value.encode()]))
        return tf.train.Feature(float_list=tf.train.FloatList(value=[value]))
    return [tf.train.Example(features=tf.train.Features(feature={key: feature(value) for key, value in row.items()}))
            for row in rows]


def estimator(folder, kind):
    """A canned estimator, trained a little and exported with the parsing receiver."""
    columns = [tf.feature_column.numeric_column("age"), tf.feature_column.indicator_column(
        tf.feature_column.categorical_column_with_vocabulary_list("word", ["a", "b"]))]
    make = {"classifier": lambda: tf.estimator.DNNClassifier([4], columns, n_classes=3,
                                                             label_vocabulary=["x", "y", "z"]),
            "regressor": lambda: tf.estimator.LinearRegressor(columns)}[kind]
    labels = {"classifier": ["x", "z"], "regressor": [0.5, 2.0]}[kind]
    data = ({"age": [[1.0], [30.0]], "word": [["a"], ["b"]]}, [[label] for label in labels])
    trained = make().train(lambda: tf.data.Dataset.from_tensors(data).repeat(3))
    receiver = tf.estimator.export.build_parsing_serving_input_receiver_fn(
        tf.feature_column.make_parse_example_spec(columns))
    path = pathlib.Path(trained.export_saved_model(str(folder / kind), receiver).decode())
    rows = [{"age": 3.0, "word": "a"}, {"age": -7.5, "word": "unknown"}, {"age": 40.0, "word": "b"}]
    inputs = np.array([example.SerializeToString() for example in examples_of(rows)], object)
    model = Model(f"written.{kind}", path, [])
    with v1.Session(graph=tf.Graph()) as sess:
        signatures = v1.saved_model.load(sess, ["serve"], str(path)).signature_def
        for key, signature in signatures.items():
            answer = sess.run({name: info.name for name, info in signature.outputs.items()},
                              {info.name: inputs for info in signature.inputs.values()})
            model.calls.append(Call(key, {name: inputs for name in signature.inputs}, answer))
            for method in ("classify", "regress"):
                if signature.method_name.endswith(method):
                    model.examples.append((key, method, rows, answer))
    return model


def half_plus_three(folder):
    """The model that TensorFlow Serving's documentation asks."""
    with tf.Graph().as_default(), v1.Session() as sess:
        serialized = v1.placeholder(tf.string, [None], name="tf_example")
        parsed = v1.parse_example(serialized, {"x": v1.FixedLenFeature([1], tf.float32, 0.0)})
        x = v1.placeholder_with_default(parsed["x"], None, "x")  # values without a second dimension are fed too
        a, b = v1.Variable(0.5, name="a"), v1.Variable(3.0, name="b")
        y = tf.add(tf.multiply(a, x), b, name="y")
        build = v1.saved_model.build_signature_def
        info = v1.saved_model.build_tensor_info
        regress = build({"inputs": info(serialized)}, {"outputs": info(y)}, "tensorflow/serving/regress")
        classify = build({"inputs": info(serialized)}, {"scores": info(y)}, "tensorflow/serving/classify")
        predict = build({"x": info(x)}, {"y": info(y)}, "tensorflow/serving/predict")
        sess.run(v1.global_variables_initializer())
        builder = v1.saved_model.Builder(str(folder / "half_plus_three"))
        builder.add_meta_graph_and_variables(sess, ["serve"], {
            "serving_default": predict, "tensorflow/serving/regress": regress, "regress_x_to_y": regress,
            "classify_x_to_y": classify})
        builder.save()
    x = np.array([[1], [2], [5]], np.float32)
    return Model("half_plus_three", folder / "half_plus_three", [Call("serving_default", {"x": x}, {"y": x / 2 + 3})])


def write_models(folder):
    folder.mkdir()
    for make in (functions, types, keras_functional, keras_sequences, keras_pictures, half_plus_three):
        yield make(folder)
    for kind in ("classifier", "regressor"):
        yield estimator(folder, kind)
