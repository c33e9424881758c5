"""More of tf.data's stages that apply functions: structures, shapes, state, iterators, mistakes."""
import numpy as np
import tensorflow as tf
from helpers.walks import walk

Dataset = tf.data.Dataset
experimental = tf.data.experimental


def shapes_of(dataset):
    return str(tf.data.get_output_shapes(dataset))


def program_structures():
    data = Dataset.range(4).map(lambda x: {"a": x, "b": (x + 1, [x, x])})
    return dict(tuples=walk(data.map(lambda d: (d["b"], d["a"])).map(lambda b, a: (a, b[0], b[1]))),
                filtered=walk(data.filter(lambda d: d["a"] > 1).map(lambda d: d["b"][0])),
                nested=walk(Dataset.zip((Dataset.range(2), Dataset.zip((Dataset.range(2), Dataset.range(2)))))
                                .map(lambda a, bc: a + bc[0] + bc[1])))


def program_shapes():
    data = Dataset.range(3)
    return dict(scalar=shapes_of(data.map(lambda x: x)), vector=shapes_of(data.map(lambda x: [x, x])),
                unknown=shapes_of(data.map(lambda x: tf.range(x))), batch=shapes_of(data.map(lambda x: [x]).batch(2)),
                dropped=shapes_of(data.batch(2, drop_remainder=True)), flat=shapes_of(data.flat_map(Dataset.range)),
                types=str(tf.data.get_output_types(data.map(lambda x: (tf.cast(x, tf.float32), "a")))),
                pair=shapes_of(data.map(lambda x: (x, {"k": [[x]]}))))


def program_gradients_inside():
    def slope(x):
        x = tf.cast(x, tf.float32)
        return tf.gradients(x * x * x, x)[0]

    return dict(slopes=walk(Dataset.range(4).map(slope)))


def program_assertions_inside():
    def checked(x):
        with tf.control_dependencies([tf.assert_less(x, tf.constant(3, tf.int64))]):
            return tf.identity(x)

    return dict(checked=walk(Dataset.range(5).map(checked)))


def program_datasets_inside():
    def largest(n):
        return Dataset.range(n + 1).reduce(np.int64(-1), lambda s, x: tf.maximum(s, x))

    def only(n):
        return experimental.get_single_element(Dataset.range(n, n + 1).map(lambda x: x * 10))

    return dict(largest=walk(Dataset.range(4).map(largest)), only=walk(Dataset.range(3).map(only)))


def program_functions_inside():
    from tensorflow.python.framework import function

    @function.Defun(tf.int64)
    def plus_one(x):
        return x + 1

    return dict(called=walk(Dataset.range(3).map(lambda x: plus_one(plus_one(x)))))


def program_decoding():
    lines = Dataset.from_tensor_slices(["1,a,2.5", "2,b,3.5"])
    raw = Dataset.from_tensor_slices([b"\x01\x02\x03\x04", b"\x05\x06\x07\x08"])
    return dict(csv=walk(lines.map(lambda s: tf.decode_csv(s, [[0], [""], [0.0]]))),
                raw=walk(raw.map(lambda s: tf.decode_raw(s, tf.uint8))),
                split=walk(Dataset.from_tensor_slices(["a b c", "d"]).map(lambda s: tf.string_split([s]).values)),
                numbers=walk(Dataset.from_tensor_slices(["1", "x", "3"]).map(lambda s: tf.string_to_number(s))))


def program_windows():
    windows = Dataset.range(10).window(4, 3)
    return dict(batches=walk(windows.flat_map(lambda w: w.batch(4))),
                sums=walk(windows.map(lambda w: w.reduce(np.int64(0), lambda s, x: s + x))),
                mapped=walk(windows.flat_map(lambda w: w.map(lambda x: -x).take(2))))


def program_reduce_structures():
    data = Dataset.range(1, 5)
    return dict(dict=data.reduce({"sum": np.int64(0), "n": np.int32(0)},
                                 lambda s, x: {"sum": s["sum"] + x, "n": s["n"] + 1}),
                text=Dataset.from_tensor_slices(["a", "b", "c"]).reduce("", lambda s, x: tf.strings.join([s, x])),
                vector=data.reduce(np.zeros(2, np.int64), lambda s, x: s + [x, x * x]),
                batches=Dataset.range(7).batch(3).reduce(np.int64(0), lambda s, x: s + tf.reduce_sum(x)))


def program_reduce_growing():
    state = tf.zeros([0], tf.int64)
    return dict(joined=Dataset.range(4).reduce(state, lambda s, x: tf.concat([s, [x * x]], 0)))


def program_scan_structures():
    def step(state, x):
        return {"n": state["n"] + 1, "last": x}, (x - state["last"], state["n"])

    initial = {"n": np.int64(0), "last": np.int64(0)}
    return dict(steps=walk(Dataset.from_tensor_slices(np.array([3, 5, 4], np.int64)).apply(experimental.scan(initial, step))))


def program_group_padded():
    words = Dataset.from_tensor_slices([1, 2, 3, 4, 5, 6]).map(lambda n: tf.fill([n], n))
    grouped = experimental.group_by_window(lambda w: tf.cast(tf.size(w) % 2, tf.int64),
                                           lambda k, d: d.padded_batch(3, [None]), 3)
    return dict(batches=walk(words.apply(grouped)))


def program_bucket_padding():
    words = Dataset.from_tensor_slices([1, 5, 2, 4, 3, 2]).map(lambda n: tf.fill([n], n))
    bucketed = experimental.bucket_by_sequence_length(tf.size, [3, 6], [2, 2, 2], pad_to_bucket_boundary=True)
    return dict(batches=walk(words.apply(bucketed)))


def program_py_func_more():
    count = []

    def numbered(x):
        count.append(x)
        return np.int64(len(count)), np.float32(x) / 2

    return dict(two=walk(Dataset.range(3).map(lambda x: tf.py_func(numbered, [x], [tf.int64, tf.float32]))),
                text=walk(Dataset.range(2).map(lambda x: tf.py_func(lambda v: "n%d" % v, [x], tf.string))),
                eager=walk(Dataset.range(3).map(lambda x: tf.py_function(lambda v: v * 2, [x], tf.int64))))


def program_generator_types():
    def records():
        yield {"name": "a", "values": [1.0]}
        yield {"name": "bc", "values": [2.0, 3.0]}

    data = Dataset.from_generator(records, {"name": tf.string, "values": tf.float32},
                                  {"name": tf.TensorShape([]), "values": tf.TensorShape([None])})
    return dict(names=walk(data.map(lambda d: d["name"])), values=walk(data.map(lambda d: d["values"])),
                shapes=shapes_of(data), lists=walk(Dataset.from_generator(lambda: [[1, 2], [3, 4]], tf.int32)),
                objects=walk(Dataset.from_generator(lambda: range(3), tf.float64)))


def program_generator_mistakes():
    def of(values, dtype=tf.int32, shape=None):
        return walk(Dataset.from_generator(lambda: iter(values), dtype, shape), 3)

    return dict(type=of([1, "a", 3]), shape=of([[1, 2], [1, 2, 3], [4, 5]], tf.int32, tf.TensorShape([2])),
                structure=of([(1, 2)], tf.int32, tf.TensorShape([])))


def program_generator_walks():
    started = []

    def count():
        started.append(1)
        yield len(started)
        yield -len(started)

    data = Dataset.from_generator(count, tf.int64, tf.TensorShape([]))
    return dict(twice=walk(data.repeat(3)), zipped=walk(Dataset.zip((data, data))),
                flat=walk(Dataset.range(2).flat_map(lambda _: data)))


def program_one_shot():
    data = Dataset.range(4).map(lambda x: x * x).filter(lambda x: x > 0)
    following = tf.data.make_one_shot_iterator(data).get_next()
    return [dict(value=following) for _ in range(3)]


def program_reinitializable():
    first, second = Dataset.range(3).map(lambda x: x + 10), Dataset.range(5).flat_map(Dataset.range)
    iterator = tf.data.Iterator.from_structure(tf.data.get_output_types(first), tf.data.get_output_shapes(first))
    following = iterator.get_next()
    to_first, to_second = iterator.make_initializer(first), iterator.make_initializer(second)
    return [dict(to=to_first), dict(value=following), dict(to=to_second), dict(value=following), dict(value=following),
            dict(to=to_first), dict(value=following)]


def program_feedable():
    handle = tf.placeholder(tf.string, [])
    squares, cubes = [tf.data.make_one_shot_iterator(Dataset.range(9).map(lambda x, p=p: x ** p)) for p in (2, 3)]
    following = tf.data.Iterator.from_string_handle(handle, tf.int64, []).get_next()
    found = []
    with tf.Session() as session:
        handles = session.run([squares.string_handle(), cubes.string_handle()])
        for turn in (0, 1, 0, 0, 1):
            found.append(session.run(following, {handle: handles[turn]}))
    return dict(found=found)


def program_placeholders():
    limit = tf.placeholder(tf.int64, [])
    iterator = tf.data.make_initializable_iterator(Dataset.range(limit).map(lambda x: x + limit))
    following = iterator.get_next()
    found = []
    with tf.Session() as session:
        for value in (2, 3):
            session.run(iterator.initializer, {limit: value})
            found.append([session.run(following) for _ in range(value)])
    return dict(found=found)


def program_caches():
    calls = []

    def counted(x):
        calls.append(int(x))
        return np.int64(x)

    data = Dataset.range(3).map(lambda x: tf.py_func(counted, [x], tf.int64)).cache().repeat(3)
    found = walk(data)
    return dict(found=found, calls=len(calls))


def program_mistakes():
    def kind(make):
        try:
            make()
            return "none"
        except (TypeError, ValueError) as error:
            return type(error).__name__

    data = Dataset.range(3)
    return dict(arguments=kind(lambda: data.map(lambda x, y: x)),
                scan=kind(lambda: data.apply(experimental.scan(np.int32(0), lambda s, x: (x, x)))),
                generator=kind(lambda: Dataset.from_generator(5, tf.int32)),
                reduce=kind(lambda: data.reduce(np.int32(0), lambda s, x: x)))


def program_random_state():
    tf.set_random_seed(1)
    return dict(normal=walk(Dataset.range(3).map(lambda x: tf.random_normal([2], seed=4))),
                inner=walk(Dataset.range(2).flat_map(lambda x: Dataset.range(2).map(lambda y: tf.random_uniform([], seed=9)))),
                filtered=walk(Dataset.range(8).filter(lambda x: tf.random_uniform([], seed=3) < 0.5)),
                stateless=walk(Dataset.range(2).map(lambda x: tf.random.stateless_uniform([2], [x, 1]))))


def program_images():
    def enlarged(x):
        image = tf.reshape(tf.cast(tf.range(4) + tf.cast(x, tf.int32), tf.float32), [2, 2, 1])
        return tf.image.resize_images(image, [3, 3])

    return dict(images=walk(Dataset.range(2).map(enlarged)))


def program_long_chains():
    data = Dataset.range(50)
    for i in range(8):
        data = data.map(lambda x, i=i: x + i).filter(lambda x: tf.not_equal(x % 11, 0))
    return dict(numbers=walk(data.batch(5)))
