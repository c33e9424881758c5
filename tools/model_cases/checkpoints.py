"""Checkpoints as programs of TensorFlow 1 write them."""
import numpy as np
import tensorflow.compat.v1 as tf

from model_cases.parts import initialized, ramp, variable, waves

V1, V2 = tf.train.SaverDef.V1, tf.train.SaverDef.V2
TYPES = "float16 float32 float64 int8 int16 int32 int64 uint8 uint16 bool complex64 complex128".split()
NEW_TYPES = ["bfloat16", "uint32", "uint64"]  # which files of version 1 cannot hold


def save(saver, name="model", session=None, keep_meta=False, **options):
    """Saves beside the question; graphs are other cases' business."""
    return saver.save(session or initialized(), name, write_meta_graph=keep_meta, write_state=False, **options)


def question(slices=(), prefix="model"):
    return {"kind": "checkpoint", "prefix": prefix, "slices": list(slices)}


def typed(name):
    numbers = np.arange(6).reshape(2, 3)
    dtype = tf.as_dtype(name)
    if dtype.is_complex:
        return (numbers - 1j * numbers).astype(name)
    if dtype == tf.bool:
        return numbers % 2 == 1
    return (numbers + 0.5).astype("float32") if dtype.is_floating else numbers.astype(name)


def all_types(names):
    for name in names:
        variable(f"of/{name}", tf.cast(typed(name), name), use_resource=True)


def case_types(folder):
    all_types(TYPES + NEW_TYPES)
    save(tf.train.Saver(write_version=V2))
    return question()


def case_types_v1(folder):
    all_types(TYPES)
    save(tf.train.Saver(write_version=V1))
    # TensorFlow's reader does not know these, its ops do.
    opaque = [f"of/{name}" for name in ("float16", "uint16", "complex64", "complex128")]
    return {**question([(name, "") for name in opaque]), "opaque": opaque}


def strings():
    value = np.array([[b"ab", b"", b"\xff\x00"], [b"words of several letters" * 9, b"x", "grün".encode()]], object)
    variable("strings", value)
    variable("text", b"one text")


def case_strings(folder):
    strings()
    save(tf.train.Saver())
    return question()


def case_strings_v1(folder):
    strings()
    save(tf.train.Saver(write_version=V1))
    return question()


def odd_shapes():
    variable("scalar", np.float32(3.5))
    variable("long", np.arange(300, dtype=np.int64))
    variable("deep", waves(2, 1, 3, 1, 2))


def case_shapes(folder):
    odd_shapes()
    variable("nothing", np.zeros([0, 4], np.float32))
    variable("no_strings", np.zeros([0], object))
    save(tf.train.Saver())
    return question()


def case_shapes_v1(folder):
    odd_shapes()
    save(tf.train.Saver(write_version=V1))
    return question()


def partitioned(name, rows, columns, parts, axis=0):
    variable(name, waves(rows, columns), partitioner=tf.fixed_size_partitioner(parts, axis=axis))


SLICES = [("rows", ""), ("rows", "10 4 0,4:0,4"), ("rows", "10 4 3,5:-"), ("rows", "10 4 -:1,2")]


def case_partitioned(folder):
    partitioned("rows", 10, 4, 3)
    partitioned("columns", 3, 7, 2, axis=1)
    save(tf.train.Saver())
    return question([*SLICES, ("columns", "3 7 1,2:2,4")])


def case_partitioned_v1(folder):
    partitioned("rows", 10, 4, 3)
    save(tf.train.Saver(write_version=V1))
    return {**question(SLICES), "opaque": ["rows"]}


def case_partitioned_resources(folder):
    with tf.variable_scope("", use_resource=True):
        partitioned("rows", 10, 4, 4)
    save(tf.train.Saver())
    return question(SLICES)


def on_two_devices():
    with tf.device("/cpu:0"):
        variable("a", ramp(3, 2))
        variable("b", np.array([b"left", b"right"], object))
    with tf.device("/cpu:1"):
        variable("c", waves(4))


def case_sharded(folder):
    on_two_devices()
    save(tf.train.Saver(sharded=True))
    return question()


def case_sharded_v1(folder):
    on_two_devices()
    prefix = save(tf.train.Saver(sharded=True, write_version=V1))
    return question(prefix=prefix)


def case_sharded_partitioned(folder):
    with tf.device(lambda op: "/cpu:1" if "part_1" in op.name else "/cpu:0"):
        partitioned("rows", 10, 4, 2)
    save(tf.train.Saver(sharded=True))
    return question(SLICES)


def case_names(folder):
    """Variables under other names, and only some of them."""
    with tf.variable_scope("inner"):
        w, b = variable("w", ramp(2, 2)), variable("b", ramp(2))
    variable("left_out", 1.0)
    save(tf.train.Saver({"outer/weights": w, "bias": b}), global_step=12)
    return question(prefix="model-12")


def case_optimizers(folder):
    """Slots, powers and the step after some training."""
    w = variable("w", ramp(3))
    loss = tf.reduce_sum(tf.square(w - 1.0))
    step = tf.train.get_or_create_global_step()
    trains = [tf.train.AdamOptimizer(0.1).minimize(loss, step), tf.train.MomentumOptimizer(0.1, 0.9).minimize(loss),
              tf.train.RMSPropOptimizer(0.1).minimize(loss), tf.train.FtrlOptimizer(0.1).minimize(loss),
              tf.train.AdadeltaOptimizer(0.1).minimize(loss)]
    session = initialized()
    for train in trains * 2:
        session.run(train)
    save(tf.train.Saver(), session=session, global_step=step)
    return question(prefix="model-2")


def case_averages(folder):
    w = variable("w", ramp(3))
    averages = tf.train.ExponentialMovingAverage(0.5)
    with tf.control_dependencies([tf.assign_add(w, [1.0, 2.0, 3.0])]):
        update = averages.apply([w])
    session = initialized()
    session.run(update)
    save(tf.train.Saver(averages.variables_to_restore()), session=session)
    return question()


def case_tables(folder):
    """What tables learned is saved with them."""
    table = tf.contrib.lookup.MutableHashTable(tf.string, tf.int64, -1) if hasattr(tf, "contrib") else \
        tf.lookup.experimental.MutableHashTable(tf.string, tf.int64, -1)
    if not tf.get_collection(tf.GraphKeys.SAVEABLE_OBJECTS):  # newer ones are tracked, not collected
        from tensorflow.python.training.saving import saveable_object_util
        for saveable in saveable_object_util.saveable_objects_for_op(table, table.resource_handle.op.name):
            tf.add_to_collection(tf.GraphKeys.SAVEABLE_OBJECTS, saveable)
    insert = table.insert(tf.constant(["one"]), tf.constant([1], tf.int64))
    variable("v", 2.0)
    session = initialized()
    session.run(insert)
    save(tf.train.Saver(), session=session)
    return question()


def case_state(folder):
    """The files that are kept, and the file that tells of them."""
    variable("v", 1.0)
    saver = tf.train.Saver(max_to_keep=2, save_relative_paths=True)
    session = initialized()
    for step in range(4):
        saver.save(session, "model", global_step=step, write_meta_graph=False)
    return {"kind": "state"}


def case_state_named(folder):
    variable("v", 1.0)
    tf.train.Saver(save_relative_paths=True).save(initialized(), "model", latest_filename="newest",
                                                  write_meta_graph=False)
    return {"kind": "state", "latest_filename": "newest"}


def case_raw_ops(folder):
    """Without a Saver: slices and whole tensors by the op itself."""
    rows = waves(10, 4)
    write = tf.raw_ops.SaveV2(prefix="model", tensor_names=["rows", "rows", "plain"],
                              shape_and_slices=["10 4 0,6:0,4", "10 4 6,4:0,4", ""],
                              tensors=[rows[:6], rows[6:], tf.constant([1, 2, 3], tf.int16)])
    with tf.Session() as session:
        session.run(write)
    return question(SLICES)


def case_merged(folder):
    """Parts that were written apart and put together."""
    rows = waves(10, 4)
    parts = [tf.raw_ops.SaveV2(prefix=f"part{i}", tensor_names=["rows", f"own{i}"],
                               shape_and_slices=[f"10 4 {i * 5},5:0,4", ""],
                               tensors=[rows[i * 5:i * 5 + 5], tf.constant(float(i))]) for i in range(2)]
    with tf.Session() as session:
        session.run(parts)
        session.run(tf.raw_ops.MergeV2Checkpoints(checkpoint_prefixes=["part0", "part1"],
                                                  destination_prefix="model", delete_old_dirs=False))
    return question(SLICES)


def case_feature_columns(folder):
    """A trained model of feature columns, with what it says as a variable `expected`."""
    fc = tf.feature_column
    word = fc.categorical_column_with_hash_bucket("word", 7)
    age = fc.bucketized_column(fc.numeric_column("age"), [18, 65])
    features = {"word": tf.constant([["cat"], ["dog"], ["cow"]]), "age": tf.constant([[10.0], [40.0], [70.0]])}
    deep = fc.input_layer(features, [fc.embedding_column(word, 3, initializer=tf.constant_initializer(0.1)), age])
    logits = tf.layers.dense(deep, 1, kernel_initializer=tf.ones_initializer())
    logits += fc.linear_model(features, [word, age, fc.crossed_column([age, "word"], 11)])
    loss = tf.losses.mean_squared_error([[1.0], [-1.0], [2.0]], logits)
    train = tf.train.AdagradOptimizer(0.3).minimize(loss)
    expected = variable("expected", np.zeros([3, 1], np.float32))
    session = initialized()
    for _ in range(5):
        session.run(train)
    session.run(expected.assign(logits))
    save(tf.train.Saver(), session=session)
    return question()
