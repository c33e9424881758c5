import functools

import numpy as np
import tensorflow as tf
from program import elements, raised, spec

Dataset = tf.data.Dataset


def told(dataset):
    return {"spec": spec(dataset), "elements": elements(dataset)}


def program_map():
    return told(Dataset.range(5).map(lambda x: x * x))


def program_map_in_parallel():
    return told(Dataset.range(20).map(lambda x: x * x, num_parallel_calls=4))


def program_map_with_a_function():
    def three_times(x):
        """Not all functions are lambdas."""
        return 3 * x
    return told(Dataset.range(3).map(three_times).map(functools.partial(tf.add, tf.constant(1, tf.int64))))


def program_map_with_an_object():
    class Adder:
        def __init__(self, n):
            self.n = n

        def __call__(self, x):
            return x + self.n
    return told(Dataset.range(3).map(Adder(5)))


def program_captured_tensor():
    w = tf.constant([1., 2., 3.])
    return told(Dataset.range(3).map(lambda i: w[i] * 2))


def program_captured_python_value():
    scale = 2.5
    return told(Dataset.from_tensor_slices([1., 2.]).map(lambda x: x * scale))


def program_captured_variable():
    v = tf.get_variable("v", initializer=[10., 20.], use_resource=True)
    return told(Dataset.range(2).map(lambda i: v[i]))


def program_captured_table():
    table = tf.lookup.StaticHashTable(tf.lookup.KeyValueTensorInitializer(["a", "b"], tf.constant([1, 2], tf.int64)),
                                      -1)
    return told(Dataset.from_tensor_slices(["b", "c", "a"]).map(table.lookup))


def program_captured_twice():
    x = tf.constant(3, tf.int64)
    return told(Dataset.range(2).map(lambda i: i + x).map(lambda i: i * x + x))


def program_captured_inside_flat_map():
    x = tf.constant(100, tf.int64)
    return told(Dataset.range(3).flat_map(lambda i: Dataset.range(i).map(lambda j: i * x + j)))


def program_py_func():
    return told(Dataset.range(3).map(lambda x: tf.py_func(lambda v: v * 10, [x], tf.int64)))


def program_py_func_sets_shape():
    def load(i):
        value = tf.py_func(lambda v: np.full([2], v, np.float32), [i], tf.float32)
        value.set_shape([2])
        return value
    return told(Dataset.range(3).map(load).batch(3))


def program_py_func_of_two():
    return told(Dataset.range(2).map(lambda x: tuple(tf.py_func(lambda v: (v + 1, str(v)), [x], [tf.int64, tf.string]))))


def program_py_func_fails():
    def fail(v):
        raise ValueError("no")
    dataset = Dataset.range(3).map(lambda x: tf.py_func(fail, [x], tf.int64))
    return {"error": raised(lambda: elements(dataset))}


def program_numpy_function_in_parallel():
    dataset = Dataset.range(8).map(lambda x: tf.numpy_function(lambda v: v * v, [x], tf.int64), num_parallel_calls=3)
    return {"elements": elements(dataset)}


def program_cond_inside():
    return told(Dataset.range(4).map(lambda x: tf.cond(tf.equal(x % 2, 0), lambda: x * 10, lambda: -x)))


def program_while_inside():
    def sum_to(n):
        return tf.while_loop(lambda i, s: i < n, lambda i, s: (i + 1, s + i),
                             (tf.constant(0, tf.int64), tf.constant(0, tf.int64)))[1]
    return told(Dataset.range(5).map(sum_to))


def program_string_functions():
    return told(Dataset.from_tensor_slices(["1,2", "3,4"]).map(
        lambda line: tf.strings.to_number(tf.string_split([line], ",").values)))


def program_decode_csv():
    lines = Dataset.from_tensor_slices(["1,2.5,a", "2,,b"])
    return told(lines.map(lambda line: tf.decode_csv(line, [[0], [0.5], [""]])))


def program_parse_examples():
    def example(i):
        feature = {"x": tf.train.Feature(float_list=tf.train.FloatList(value=[i, i + 1])),
                   "n": tf.train.Feature(int64_list=tf.train.Int64List(value=list(range(i))))}
        return tf.train.Example(features=tf.train.Features(feature=feature)).SerializeToString()
    features = {"x": tf.FixedLenFeature([2], tf.float32), "n": tf.VarLenFeature(tf.int64)}
    dataset = Dataset.from_tensor_slices([example(i) for i in range(3)])
    return told(dataset.map(lambda s: tf.parse_single_example(s, features)))


def program_map_raises():
    def fail(x):
        raise KeyError("mine")
    return {"error": raised(lambda: Dataset.range(3).map(fail))}


def program_map_of_wrong_arity():
    return {"error": raised(lambda: Dataset.from_tensors((1, 2)).map(lambda x: x))}


def program_filter():
    return told(Dataset.range(10).filter(lambda x: tf.equal(x % 3, 0)))


def program_filter_of_pairs():
    return told(Dataset.from_tensor_slices(([1, 2, 3], ["a", "b", "c"])).filter(lambda n, s: n > 1))


def program_filter_of_dicts():
    return told(Dataset.from_tensor_slices({"a": [1, 2, 3]}).filter(lambda d: d["a"] < 3))


def program_flat_map():
    return told(Dataset.range(4).flat_map(lambda n: Dataset.from_tensors(n).repeat(n)))


def program_flat_map_of_slices():
    return told(Dataset.from_tensor_slices([[1, 2], [3, 4]]).flat_map(Dataset.from_tensor_slices))


def program_interleave():
    return told(Dataset.range(1, 5).interleave(lambda n: Dataset.from_tensors(n).repeat(6), cycle_length=2,
                                               block_length=4))


def program_interleave_of_pairs():
    return told(Dataset.range(3).interleave(lambda n: Dataset.range(2).map(lambda m: (n, m)), cycle_length=3))


def program_interleave_in_parallel():
    return told(Dataset.range(4).interleave(lambda n: Dataset.range(n * 10, n * 10 + 3), cycle_length=2,
                                            num_parallel_calls=2))


def program_reduce():
    total = Dataset.range(6).reduce(tf.constant(0, tf.int64), lambda so_far, x: so_far + x)
    count, weights = Dataset.from_tensor_slices([1., 2.]).reduce((0, 0.), lambda s, x: (s[0] + 1, s[1] + x))
    return {"total": total, "count": count, "weights": weights}


def program_reduce_of_dicts():
    dataset = Dataset.from_tensor_slices({"a": [1, 2], "b": [3, 4]})
    return {"sums": dataset.reduce({"x": 0}, lambda s, d: {"x": s["x"] + d["a"] * d["b"]})}


def program_reduce_relaxes_shapes():
    joined = Dataset.range(3).reduce(tf.constant([], tf.int64), lambda s, x: tf.concat([s, [x]], 0))
    return {"joined": joined, "shape": str(joined.shape.as_list())}


def program_reduce_wrong():
    return {"type": raised(lambda: Dataset.range(3).reduce(0, lambda s, x: 1.5))}


def program_seeds_inside_functions():
    tf.set_random_seed(7)
    dataset = Dataset.range(5).map(lambda x: tf.random_uniform([], seed=3))
    return {"elements": elements(dataset)}


def program_generator():
    def numbers():
        for i in range(4):
            yield i, [1.0] * i
    dataset = Dataset.from_generator(numbers, (tf.int64, tf.float32), (tf.TensorShape([]), tf.TensorShape([None])))
    return told(dataset)


def program_generator_of_dicts():
    def rows():
        yield {"a": 1, "b": "x"}
        yield {"a": 2, "b": "y"}
    return told(Dataset.from_generator(rows, {"a": tf.int32, "b": tf.string}))


def program_generator_with_arguments():
    def numbers(start, stop):
        yield from range(start, stop)
    return told(Dataset.from_generator(numbers, tf.int64, [], args=(3, tf.constant(6, tf.int64))))


def program_generator_repeated():
    def numbers():
        yield from range(3)
    return told(Dataset.from_generator(numbers, tf.int32, []).repeat(2).batch(4))


def program_generator_of_arrays():
    def arrays():
        for i in range(3):
            yield np.full([2, 2], i, np.float32)
    return told(Dataset.from_generator(arrays, tf.float32, [2, 2]).map(tf.reduce_sum))


def program_generator_mistakes():
    def check(values, types, shapes=None):
        return raised(lambda: elements(Dataset.from_generator(lambda: iter(values), types, shapes)))
    return {"type": check(["text"], tf.int64), "shape": check([[1, 2]], tf.int64, []),
            "structure": check([1], (tf.int64, tf.int64)), "callable": raised(
                lambda: Dataset.from_generator([1, 2], tf.int64))}


def program_generator_fails():
    def numbers():
        yield 1
        raise RuntimeError("broken")
    return {"error": raised(lambda: elements(Dataset.from_generator(numbers, tf.int64)))}


def program_legacy_functions():
    dataset = Dataset.range(6).map_with_legacy_function(lambda x: x + 1)
    return told(dataset.filter_with_legacy_function(lambda x: x > 3))


def program_functions_in_functions():
    @tf.function
    def twice(x):
        return x * 2
    return {"elements": elements(Dataset.range(3).map(lambda x: twice(x) + 1))}


def program_name_scopes():
    with tf.name_scope("input"):
        dataset = Dataset.range(3).map(lambda x: x + 1, num_parallel_calls=2).batch(2)
        iterator = dataset.make_initializable_iterator()
        get_next = iterator.get_next()
    return {"names": [get_next.name, iterator.initializer.name]}


def program_map_with_side_effects_in_order():
    seen = []

    def note(x):
        first = tf.py_func(lambda v: seen.append(("a", int(v))) or v, [x], tf.int64)
        second = tf.py_func(lambda v: seen.append(("b", int(v))) or v, [x], tf.int64)
        return first + second
    values = elements(Dataset.range(2).map(note))
    return {"values": values, "seen": str(seen)}
