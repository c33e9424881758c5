"""SavedModels as programs of TensorFlow 1 write them."""
import numpy as np
import tensorflow.compat.v1 as tf

from model_cases.parts import call, initialized, ramp, step, variable, waves

SERVE = tf.saved_model.tag_constants.SERVING
TRAIN = tf.saved_model.tag_constants.TRAINING
DEFAULT = tf.saved_model.signature_constants.DEFAULT_SERVING_SIGNATURE_DEF_KEY
info = tf.saved_model.utils.build_tensor_info


def placeholder(shape=(), name="x", dtype=tf.float32):
    return tf.placeholder(dtype, shape, name=name)


def linear(scale=1.0):
    x = placeholder([None, 3])
    w, b = variable("w", ramp(3, 2) * scale), variable("b", ramp(2))
    return x, tf.nn.bias_add(tf.matmul(x, w), b, name="y")


def predict(inputs, outputs):
    return tf.saved_model.predict_signature_def(inputs, outputs)


def save(signatures, tags=(SERVE,), as_text=False, **options):
    builder = tf.saved_model.builder.SavedModelBuilder("model")
    builder.add_meta_graph_and_variables(initialized(), list(tags), signature_def_map=signatures, **options)
    builder.save(as_text)


def question(calls, tags=(SERVE,), steps=()):
    return {"kind": "saved_model", "path": "model", "tags": list(tags), "calls": calls, "steps": list(steps)}


def case_predict(folder):
    x, y = linear()
    save({DEFAULT: predict({"rows": x}, {"scores": y, "total": tf.reduce_sum(y)})})
    return question([call(rows=waves(2, 3)), call(rows=waves(0, 3))])


def case_as_text(folder):
    x, y = linear()
    save({DEFAULT: predict({"rows": x}, {"scores": y})}, as_text=True)
    return question([call(rows=waves(2, 3))])


def case_simple_save(folder):
    x, y = linear()
    tf.saved_model.simple_save(initialized(), "model", {"x": x}, {"y": y})
    return question([call(x=waves(2, 3))])


def case_resources(folder):
    with tf.variable_scope("", use_resource=True):
        x, y = linear()
    save({DEFAULT: predict({"x": x}, {"y": y})})
    return question([call(x=waves(2, 3))])


def serialized(rows):
    examples = []
    for row in rows:
        example = tf.train.Example()
        example.features.feature["x"].float_list.value.extend(row)
        examples.append(example.SerializeToString())
    return np.array(examples, object)


def parsed():
    """Rows out of serialised examples, as servers get them."""
    texts = placeholder([None], "examples", tf.string)
    found = tf.raw_ops.ParseExample(serialized=texts, names=tf.constant([], tf.string), sparse_keys=[],
                                    dense_keys=["x"], dense_defaults=[tf.zeros([0])], sparse_types=[],
                                    dense_shapes=[[3]])  # tf.io.parse_example makes a newer one in TensorFlow 2
    return texts, found[-1][0]


def case_classify(folder):
    texts, x = parsed()
    scores = tf.nn.softmax(tf.matmul(x, variable("w", ramp(3, 2))))
    classes = tf.tile(tf.constant([["no", "yes"]]), [tf.shape(x)[0], 1])
    signature = tf.saved_model.classification_signature_def(texts, classes, scores)
    save({DEFAULT: signature})
    return question([call(inputs=serialized(waves(3, 3)))])


def case_regress(folder):
    texts, x = parsed()
    outputs = tf.squeeze(tf.matmul(x, variable("w", ramp(3, 1))), 1)
    save({DEFAULT: tf.saved_model.regression_signature_def(texts, outputs)})
    return question([call(inputs=serialized(waves(3, 3)))])


def case_examples(folder):
    """Parsed as programs do it, by the op that TensorFlow 2 has for it where it writes."""
    texts = placeholder([None], "examples", tf.string)
    found = tf.io.parse_example(texts, {
        "x": tf.io.FixedLenFeature([3], tf.float32), "id": tf.io.FixedLenFeature([], tf.int64, 7),
        "rest": tf.io.VarLenFeature(tf.string),
        "many": tf.io.FixedLenSequenceFeature([], tf.float32, allow_missing=True)})
    outputs = {"x": found["x"], "id": found["id"], "many": found["many"],
               "rest": tf.sparse.to_dense(found["rest"], default_value="")}
    save({DEFAULT: predict({"examples": texts}, {name: tf.identity(value, name) for name, value in outputs.items()})})
    return question([call(examples=serialized(waves(3, 3)))])


def case_signatures(folder):
    """Several, some of one graph's parts only."""
    x, y = linear()
    save({DEFAULT: predict({"x": x}, {"y": y}), "half": predict({"x": x}, {"y": y / 2.0}),
          "from_y": predict({"y": y}, {"z": tf.square(y)}),
          "constant": tf.saved_model.build_signature_def({}, {"c": info(tf.constant(4.0))}, "none")})
    return question([call(x=waves(1, 3)), call("half", x=waves(1, 3)), call("from_y", y=ramp(1, 2)),
                     call("constant")])


def several_tags(folder):
    x, y = linear()
    session = initialized()
    builder = tf.saved_model.builder.SavedModelBuilder("model")
    builder.add_meta_graph_and_variables(session, [SERVE], {DEFAULT: predict({"x": x}, {"y": y})})
    with tf.Graph().as_default():
        x, y = linear()
        loss = tf.reduce_mean(y)
        train = tf.train.GradientDescentOptimizer(0.5).minimize(loss, name="train")
        assert train.name == "train"
        builder.add_meta_graph([TRAIN], {"loss": predict({"x": x}, {"loss": loss})})
    with tf.Graph().as_default():
        x, y = linear()
        builder.add_meta_graph([SERVE, tf.saved_model.tag_constants.GPU], {DEFAULT: predict({"x": x}, {"y": -y})})
    builder.save()


def case_tags_serve(folder):
    several_tags(folder)
    return question([call(x=waves(2, 3))])


def case_tags_train(folder):
    several_tags(folder)
    fed = dict(x=waves(2, 3))
    return question([call("loss", **fed)], [TRAIN], [step(targets=["train"], **fed), step(["w:0"])])


def case_tags_gpu(folder):
    several_tags(folder)
    return question([call(x=waves(2, 3))], [SERVE, tf.saved_model.tag_constants.GPU])


def vocabulary(folder, name="words.txt", words=("alpha", "beta", "gamma")):
    """A file that the model takes a copy of."""
    path = folder / name
    path.write_text("".join(f"{word}\n" for word in words))
    return path


def word_table(path):
    return tf.lookup.StaticVocabularyTable(tf.lookup.TextFileInitializer(
        str(path), tf.string, tf.lookup.TextFileIndex.WHOLE_LINE, tf.int64,
        tf.lookup.TextFileIndex.LINE_NUMBER, vocab_size=3), 2)


def with_words(folder, **options):
    path = vocabulary(folder)
    words = placeholder([None], "words", tf.string)
    ids = word_table(path).lookup(words)
    vectors = tf.nn.embedding_lookup(variable("vectors", waves(5, 2)), ids)
    options = {key: make() for key, make in options.items()}
    save({DEFAULT: predict({"words": words}, {"ids": ids, "vectors": vectors})},
         assets_collection=tf.get_collection(tf.GraphKeys.ASSET_FILEPATHS), **options)
    path.unlink()
    return question([call(words=np.array([b"beta", b"delta", b"alpha"], object))])


def case_main_op(folder):
    return with_words(folder, main_op=tf.tables_initializer)


def case_legacy_init_op(folder):
    return with_words(folder, legacy_init_op=tf.tables_initializer)


def case_main_op_of_its_own(folder):
    return with_words(folder, main_op=tf.saved_model.main_op.main_op)


def case_assets_of_one_name(folder):
    """Two files named alike in two folders, one of them used twice."""
    paths = []
    for side in ("left", "right"):
        (folder / side).mkdir()
        paths.append(vocabulary(folder / side, words=(side, "both", "end")))
    words = placeholder([None], "words", tf.string)
    outputs = {f"ids{i}": word_table(path).lookup(words) for i, path in enumerate([*paths, paths[0]])}
    save({DEFAULT: predict({"words": words}, outputs)}, main_op=tf.tables_initializer(),
         assets_collection=tf.get_collection(tf.GraphKeys.ASSET_FILEPATHS))
    for path in paths:
        path.unlink()
        path.parent.rmdir()
    return question([call(words=np.array([b"left", b"right", b"both"], object))])


def case_sparse(folder):
    """Sparse tensors in a signature."""
    x = tf.sparse.placeholder(tf.float32, [2, 4], name="x")
    doubled = tf.SparseTensor(x.indices, x.values * 2.0, x.dense_shape)
    signature = tf.saved_model.build_signature_def(
        {"indices": info(x.indices), "values": info(x.values), "shape": info(x.dense_shape)},
        {"doubled": info(doubled), "dense": info(tf.sparse.to_dense(doubled))}, "sparse")
    save({DEFAULT: signature})
    return question([call(indices=np.array([[0, 1], [1, 3]]), values=ramp(2), shape=np.array([2, 4]))])


def case_partitioned(folder):
    ids = placeholder([None], "ids", tf.int64)
    table = variable("table", waves(7, 2), partitioner=tf.fixed_size_partitioner(3))
    save({DEFAULT: predict({"ids": ids}, {"rows": tf.nn.embedding_lookup(table, ids, "div")})})
    return question([call(ids=np.array([6, 0, 3]))])


def case_loop(folder):
    x = placeholder([None])
    loop = tf.while_loop(lambda i, y: tf.reduce_max(y) < 100.0, lambda i, y: (i + 1, y * 2.0), [tf.constant(0), x])
    save({DEFAULT: predict({"x": x}, {"times": loop[0], "y": loop[1]})})
    return question([call(x=ramp(3) + 2)])


def case_cells(folder):
    x, lengths = placeholder([None, 4, 3]), placeholder([None], "lengths", tf.int32)
    cells = tf.nn.rnn_cell.MultiRNNCell([tf.nn.rnn_cell.LSTMCell(3, initializer=tf.constant_initializer(0.1 * i))
                                         for i in (1, 2)])
    outputs, _ = tf.nn.dynamic_rnn(cells, x, lengths, dtype=tf.float32)
    save({DEFAULT: predict({"x": x, "lengths": lengths}, {"y": outputs})})
    return question([call(x=waves(2, 4, 3), lengths=np.array([4, 2], np.int32))])


def case_pictures(folder):
    """Pictures are decoded by the model."""
    data = placeholder((), "data", tf.string)
    picture = tf.image.decode_png(data, channels=3)
    small = tf.image.resize_bilinear(tf.cast(picture, tf.float32)[tf.newaxis], [2, 2])
    save({DEFAULT: predict({"data": data}, {"small": small})})
    with tf.Session() as session:
        png = session.run(tf.image.encode_png(np.arange(48, dtype=np.uint8).reshape(4, 4, 3)))
    return question([call(data=png)])


def case_types(folder):
    """Every type that can be fed."""
    names = "float16 float32 float64 int8 int16 int32 int64 uint8 uint16 bool complex64 complex128".split()
    fed = {name: placeholder([2], name, tf.as_dtype(name)) for name in names}
    save({DEFAULT: predict(fed, {name: tf.reverse(x, [0]) for name, x in fed.items()})})
    return question([call(**{name: np.array([0, 1]).astype(name) for name in names})])


def case_texts(folder):
    x = placeholder([None], "x", tf.string)
    parts = tf.string_split(x, " ")
    outputs = {"lower": tf.strings.lower(x), "length": tf.strings.length(x),
               "words": tf.sparse.to_dense(parts, default_value=""),
               "hash": tf.strings.to_hash_bucket_fast(x, 1000)}
    save({DEFAULT: predict({"x": x}, outputs)})
    return question([call(x=np.array([b"Some WORDS", b"", "Größe zwei".encode()], object))])


def case_defaults_stripped(folder):
    x = placeholder([None, 4, 4, 1])
    y = tf.nn.relu(tf.nn.conv2d(x, variable("k", waves(3, 3, 1, 2)), strides=[1, 1, 1, 1], padding="SAME"))
    save({DEFAULT: predict({"x": x}, {"y": y})}, strip_default_attrs=True)
    return question([call(x=waves(1, 4, 4, 1))])


def case_own_saver(folder):
    """A saver of the program's own, which leaves a variable out that main_op sets."""
    x, y = linear()
    extra = variable("extra", 5.0)
    save({DEFAULT: predict({"x": x}, {"y": y + extra})}, saver=tf.train.Saver([v for v in tf.global_variables()
                                                                               if v is not extra], sharded=True),
         main_op=tf.group(tf.assign(extra, 7.0)))
    return question([call(x=waves(2, 3))])


def case_without_variables(folder):
    x = placeholder([None])
    save({DEFAULT: predict({"x": x}, {"y": tf.cumsum(x)})})
    return question([call(x=ramp(4))])
