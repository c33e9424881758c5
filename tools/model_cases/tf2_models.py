"""SavedModels as programs of TensorFlow 2 write them, called through their signatures.

Where TensorFlow 2 would make an op that TensorFlow 1 does not have, the older one is made by its name.
"""
import numpy as np
import tensorflow as tf

from model_cases.parts import call, ramp, waves

DEFAULT = "serving_default"


def spec(shape=(), dtype=tf.float32, name="x"):
    return tf.TensorSpec(shape, dtype, name)


def save(folder, module, signatures=None, **options):
    tf.saved_model.save(module, str(folder / "model"), signatures=signatures,
                        options=tf.saved_model.SaveOptions(save_debug_info=False, **options))
    (folder / "model" / "fingerprint.pb").unlink()


def question(*calls):
    return {"kind": "saved_model", "path": "model", "tags": ["serve"], "calls": list(calls)}


def one_function(folder, function, *specs, module=None, **feeds):
    """A module with one function, called once."""
    module = module or tf.Module()
    module.function = tf.function(function, input_signature=specs)
    save(folder, module, module.function)
    return question(call(**feeds))


def case_plain(folder):
    return one_function(folder, lambda x: {"y": x * 2.0 + 1.0, "n": tf.size(x)}, spec([None]), x=ramp(3))


def case_variables(folder):
    module = tf.Module()
    module.w, module.b = tf.Variable(ramp(3, 2)), tf.Variable(ramp(2), name="bias")
    module.list = [tf.Variable(float(i)) for i in range(3)]
    module.map = {"scale": tf.Variable(2.0, trainable=False)}
    return one_function(folder, lambda x: {"y": (x @ module.w + module.b + sum(module.list)) * module.map["scale"]},
                        spec([None, 3]), module=module, x=waves(2, 3))


def case_counter(folder):
    """Calls that change a variable."""
    module = tf.Module()
    module.count = tf.Variable(0, dtype=tf.int64)
    module.add = tf.function(lambda n: {"count": module.count.assign_add(n)},
                             input_signature=[spec((), tf.int64, "n")])
    save(folder, module, module.add)
    return question(*[call(n=np.int64(n)) for n in (1, 5, 10)])


def case_types(folder):
    module = tf.Module()
    names = "float16 float32 float64 int8 int16 int32 int64 uint8 bool complex64 complex128".split()
    module.values = [tf.Variable(np.array([0, 1]).astype(name)) for name in names]
    return one_function(folder, lambda x: {name: tf.reverse(value, [0]) for name, value in zip(names, module.values)} |
                        {"x": x}, spec(), module=module, x=np.float32(1))


def case_nested_functions(folder):
    @tf.function
    def twice(x):
        return x * 2.0

    @tf.function
    def four_times(x):
        return twice(twice(x))
    return one_function(folder, lambda x: {"y": four_times(x) + twice(x)}, spec([None]), x=ramp(3))


def case_loop(folder):
    def double(x):
        steps = tf.constant(0)
        while tf.reduce_max(x) < 50.0:
            x, steps = x * 2.0, steps + 1
        return {"y": x, "steps": steps}
    return one_function(folder, double, spec([None]), x=ramp(3) + 2)


def case_branches(folder):
    def choose(x):
        if x > 0.0:
            y = tf.sqrt(x)
        elif x < -10.0:
            y = tf.constant(-10.0)
        else:
            y = -x
        return {"y": y}
    module = tf.Module()
    module.f = tf.function(choose, input_signature=[spec()])
    save(folder, module, module.f)
    return question(*[call(x=np.float32(x)) for x in (4, -3, -20)])


def case_arrays(folder):
    def sums(x):
        out, total = tf.TensorArray(tf.float32, tf.shape(x)[0]), tf.zeros([2])
        for i in tf.range(tf.shape(x)[0]):
            total += x[i]
            out = out.write(i, total)
        return {"y": out.stack()}
    return one_function(folder, sums, spec([None, 2]), x=waves(4, 2))


def case_mapped(folder):
    return one_function(folder, lambda x: {"y": tf.map_fn(lambda row: tf.reduce_sum(row) * row, x),
                                           "z": tf.scan(lambda a, b: a + b, x)}, spec([None, 2]), x=waves(3, 2))


def case_switch(folder):
    return one_function(folder, lambda i, x: {"y": tf.switch_case(i, [lambda: x, lambda: x * x, lambda: -x])},
                        spec((), tf.int32, "i"), spec(), i=np.int32(1), x=np.float32(3))


def case_signatures(folder):
    module = tf.Module()
    module.w = tf.Variable(ramp(2, 2))
    f = tf.function(lambda x: {"y": x @ module.w}, input_signature=[spec([None, 2])])
    g = tf.function(lambda a, b: {"sum": a + b, "product": a * b},
                    input_signature=[spec([2], name="a"), spec([2], name="b")])
    save(folder, module, {DEFAULT: f, "pair": g})
    return question(call(x=waves(1, 2)), call("pair", a=ramp(2), b=waves(2)))


def case_table(folder):
    module = tf.Module()
    module.table = tf.lookup.StaticHashTable(tf.lookup.KeyValueTensorInitializer(
        ["a", "b"], tf.constant([3, 4], tf.int64)), -1)
    return one_function(folder, lambda x: {"ids": module.table.lookup(x)}, spec([None], tf.string), module=module,
                        x=np.array([b"b", b"?"], object))


def case_table_of_a_file(folder):
    path = folder / "words.txt"
    path.write_text("one\ntwo\nthree\n")
    module = tf.Module()
    module.table = tf.lookup.StaticVocabularyTable(tf.lookup.TextFileInitializer(
        str(path), tf.string, tf.lookup.TextFileIndex.WHOLE_LINE, tf.int64, tf.lookup.TextFileIndex.LINE_NUMBER), 1)
    found = one_function(folder, lambda x: {"ids": module.table.lookup(x)}, spec([None], tf.string), module=module,
                         x=np.array([b"three", b"?", b"one"], object))
    path.unlink()
    return found


def case_asset(folder):
    """A file that the model reads itself."""
    path = folder / "motto.txt"
    path.write_text("read me")
    module = tf.Module()
    module.file = tf.saved_model.Asset(str(path))
    found = one_function(folder, lambda x: {"text": tf.strings.join([tf.io.read_file(module.file.asset_path), x])},
                        spec((), tf.string), module=module, x=b"!")
    path.unlink()
    return found


def case_mutable_table(folder):
    module = tf.Module()
    module.table = tf.lookup.experimental.MutableHashTable(tf.string, tf.float32, 0.0)
    module.table.insert(["one", "half"], [1.0, 0.5])
    return one_function(folder, lambda x: {"values": module.table.lookup(x), "size": module.table.size()},
                        spec([None], tf.string), module=module, x=np.array([b"half", b"?"], object))


def case_gradients(folder):
    """A function that differentiates."""
    def slope(x):
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = tf.reduce_sum(tf.sin(x) * x)
        return {"dx": tape.gradient(y, x)}
    return one_function(folder, slope, spec([None]), x=ramp(4))


def case_training(folder):
    """A step of training, with its optimizer's slots, behind a signature."""
    module = tf.Module()
    module.w = tf.Variable(ramp(3, 1))
    module.optimizer = tf.keras.optimizers.legacy.Adam(0.1)

    def train(x, y):
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(tf.square(x @ module.w - y))
        module.optimizer.apply_gradients([(tape.gradient(loss, module.w), module.w)])
        return {"loss": loss, "w": module.w + 0.0}
    module.train = tf.function(train, input_signature=[spec([2, 3]), spec([2, 1], name="y")])
    fed = dict(x=waves(2, 3), y=ramp(2, 1))
    module.train(**{name: tf.constant(value) for name, value in fed.items()})
    save(folder, module, module.train)
    return question(call(**fed), call(**fed))


def case_texts(folder):
    def words(x):
        parts = tf.raw_ops.StringSplitV2(input=x, sep="")
        return tf.sparse.to_dense(tf.SparseTensor(parts.indices, parts.values, parts.shape))
    return one_function(folder, lambda x: {"words": words(x), "upper": tf.strings.upper(x),
                                           "clean": tf.strings.regex_replace(x, "[aeiou]", "_")},
                        spec([None], tf.string), x=np.array([b"some words", b"one"], object))


def case_examples(folder):
    def parse(examples):
        found = tf.io.parse_example(examples, {"x": tf.io.FixedLenFeature([2], tf.float32),
                                               "tags": tf.io.VarLenFeature(tf.string)})
        return {"x": found["x"], "tags": tf.sparse.to_dense(found["tags"])}
    example = tf.train.Example()
    example.features.feature["x"].float_list.value.extend([1, 2])
    example.features.feature["tags"].bytes_list.value.extend([b"a", b"b"])
    return one_function(folder, parse, spec([None], tf.string, "examples"),
                        examples=np.array([example.SerializeToString()], object))


def case_random(folder):
    """Numbers that depend on a seed only."""
    return one_function(folder, lambda seed: {"u": tf.raw_ops.StatelessRandomUniform(shape=[3], seed=seed),
                                              "n": tf.raw_ops.StatelessRandomNormal(shape=[2, 2], seed=seed)},
                        spec([2], tf.int32, "seed"), seed=np.array([1, 2], np.int32))


def case_linalg(folder):
    return one_function(folder, lambda x: {"inverse": tf.linalg.inv(x), "det": tf.linalg.det(x),
                                           "einsum": tf.einsum("ij,kj->ik", x, x)},
                        spec([3, 3]), x=waves(3, 3) + 2 * np.eye(3, dtype=np.float32))


def case_functions_without_signature(folder):
    """Saved functions beside an empty signature map: what remains is what can be listed."""
    module = tf.Module()
    module.w = tf.Variable(ramp(3))
    module.f = tf.function(lambda x: x + module.w, input_signature=[spec([3])])
    save(folder, module)
    return question()
