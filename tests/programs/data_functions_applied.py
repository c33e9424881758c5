"""tf.data's stages that apply functions: what they give, what the functions may hold."""
import numpy as np
import tensorflow as tf
from helpers.walks import walk

Dataset = tf.data.Dataset
experimental = tf.data.experimental


def failing(x):
    return tf.check_numerics(1 / tf.cast(x - 2, tf.float32), "bad")


def program_map():
    return dict(squares=walk(Dataset.range(5).map(lambda x: x * x)),
                pairs=walk(Dataset.range(3).map(lambda x: (x, tf.cast(x, tf.float32) / 2))),
                dicts=walk(Dataset.range(3).map(lambda x: {"a": x, "b": [x, -x]}).map(lambda d: d["a"] + d["b"][1])),
                swapped=walk(Dataset.zip((Dataset.range(3), Dataset.range(5, 8))).map(lambda a, b: (b, a))),
                strings=walk(Dataset.from_tensor_slices(["a", "bc"]).map(tf.strings.length)))


def program_map_of_nothing():
    return dict(none=walk(Dataset.range(0).map(lambda x: x + 1)),
                constants=walk(Dataset.range(2).map(lambda x: 7)),
                same=walk(Dataset.range(3).map(lambda x: x)))


def program_map_errors():
    return dict(map=walk(Dataset.range(5).map(failing)),
                filter=walk(Dataset.range(5).filter(lambda x: failing(x) > -10)),
                scan=walk(Dataset.range(5).apply(experimental.scan(np.float32(0), lambda s, x: (s + failing(x), s)))),
                take_while=walk(Dataset.range(5).apply(experimental.take_while(lambda x: failing(x) > -10))))


def program_map_captures():
    factor = tf.constant(10, tf.int64)
    return dict(tensor=walk(Dataset.range(4).map(lambda x: x * factor)),
                nested=walk(Dataset.range(3).flat_map(lambda x: Dataset.range(3).map(lambda y: x * factor + y))))


def program_map_variables():
    variable = tf.get_variable("v", [], tf.int64, tf.constant_initializer(100), use_resource=True)
    return dict(read=walk(Dataset.range(3).map(lambda x: x + variable)))


def program_map_table():
    table = tf.lookup.StaticHashTable(
        tf.lookup.KeyValueTensorInitializer(tf.constant(["a", "b"]), tf.constant([1, 2], tf.int64)), -1)
    return dict(found=walk(Dataset.from_tensor_slices(["b", "a", "z"]).map(table.lookup)))


def program_map_random():
    def numbers(dataset):
        iterator = tf.data.make_initializable_iterator(dataset)
        following = iterator.get_next()
        walks = []
        with tf.Session() as session:
            for _ in range(2):
                session.run(iterator.initializer)
                walks.append([session.run(following) for _ in range(6)])
        return walks

    tf.set_random_seed(3)
    once = Dataset.range(6).map(lambda x: tf.random_uniform([], seed=7))
    again = Dataset.range(3).map(lambda x: tf.random_uniform([2], seed=11)).repeat(2)
    return dict(once=numbers(once), again=numbers(again))


def program_map_control_flow():
    def halves(x):
        return tf.while_loop(lambda i, n: i > 1, lambda i, n: (i // 2, n + 1), (x, tf.constant(0)))[1]

    return dict(cond=walk(Dataset.range(5).map(lambda x: tf.cond(x > 2, lambda: x * 10, lambda: -x))),
                loop=walk(Dataset.range(9).map(halves)),
                arrays=walk(Dataset.range(4).map(lambda x: tf.map_fn(lambda y: y * x, tf.range(x)))))


def program_map_py_func():
    def twice(x):
        return np.int64(2 * x)

    def picky(x):
        if x == 2:
            raise ValueError("not two")
        return np.int64(x)

    return dict(twice=walk(Dataset.range(4).map(lambda x: tf.py_func(twice, [x], tf.int64))),
                picky=walk(Dataset.range(4).map(lambda x: tf.py_func(picky, [x], tf.int64))))


def program_filter():
    return dict(even=walk(Dataset.range(9).filter(lambda x: tf.equal(x % 2, 0))),
                none=walk(Dataset.range(5).filter(lambda x: x < 0)),
                pairs=walk(Dataset.zip((Dataset.range(5), Dataset.range(4, -1, -1))).filter(lambda a, b: a < b)))


def program_flat_map():
    return dict(ranges=walk(Dataset.range(5).flat_map(lambda x: Dataset.range(x))),
                slices=walk(Dataset.from_tensor_slices([[1, 2], [3, 4]]).flat_map(Dataset.from_tensor_slices)),
                deep=walk(Dataset.range(3).flat_map(lambda x: Dataset.range(x).flat_map(Dataset.range))),
                errors=walk(Dataset.range(5).flat_map(lambda x: Dataset.from_tensors(failing(x)).repeat(2))))


def repeated(x):
    return Dataset.from_tensors(x).repeat(x)


def program_interleave():
    return {f"{cycle}_{block}": walk(Dataset.range(1, 6).interleave(repeated, cycle_length=cycle, block_length=block))
            for cycle in (1, 2, 3, 7) for block in (1, 2, 3)}


def program_interleave_errors():
    def made(x):
        return Dataset.from_tensors(failing(x)).repeat(3)

    def inside(x):
        return Dataset.range(3).map(lambda y: failing(x + y))

    return dict(making=walk(Dataset.range(5).interleave(made, cycle_length=2, block_length=2)),
                inside=walk(Dataset.range(3).interleave(inside, cycle_length=2, block_length=2)))


def program_scan():
    running = experimental.scan(np.int64(0), lambda state, x: (state + x, state + x))
    pairs = experimental.scan((np.int64(1), np.int64(1)), lambda s, x: ((s[1], s[0] + s[1]), s[0]))
    return dict(sums=walk(Dataset.range(6).apply(running)), fibonacci=walk(Dataset.range(9).apply(pairs)))


def program_take_while():
    return dict(small=walk(Dataset.range(9).apply(experimental.take_while(lambda x: x < 4))),
                all=walk(Dataset.range(3).apply(experimental.take_while(lambda x: x >= 0))),
                none=walk(Dataset.range(3).apply(experimental.take_while(lambda x: x > 0))))


def program_reduce():
    data = Dataset.range(6)
    return dict(sum=data.reduce(np.int64(0), lambda s, x: s + x),
                pair=data.reduce((np.int64(0), np.int64(1)), lambda s, x: (s[0] + 1, s[1] * (x + 1))),
                empty=Dataset.range(0).reduce(np.int64(5), lambda s, x: s + x),
                inside=walk(Dataset.range(4).map(lambda n: Dataset.range(n).reduce(np.int64(0), lambda s, x: s + x))))


def program_group_by_window():
    def windows(key, size, count=10):
        return walk(Dataset.range(count).apply(experimental.group_by_window(key, lambda k, d: d.batch(4), size)))

    return dict(thirds=windows(lambda x: x % 3, 2), negative=windows(lambda x: -(x % 3), 2),
                one=windows(lambda x: x * 0, 4), large=windows(lambda x: x % 2, 100),
                sizes=walk(Dataset.range(12).apply(experimental.group_by_window(
                    lambda x: x % 2, lambda k, d: d.batch(10), window_size_func=lambda key: (key + 1) * 2))),
                key_used=walk(Dataset.range(6).apply(experimental.group_by_window(
                    lambda x: x % 2, lambda k, d: d.map(lambda x: x * 100 + k), 3))))


def program_group_by_reducer():
    reducer = experimental.Reducer(lambda k: (k, np.int64(0)), lambda s, x: (s[0], s[1] + x), lambda a, b: (a, b))
    return dict(sums=walk(Dataset.range(10).apply(experimental.group_by_reducer(lambda x: -(x % 3), reducer))))


def program_bucket_by_sequence_length():
    words = Dataset.from_tensor_slices([1, 5, 2, 9, 3, 7, 1, 4]).map(lambda n: tf.fill([n], n))
    return dict(batches=walk(words.apply(experimental.bucket_by_sequence_length(
        tf.size, bucket_boundaries=[3, 6], bucket_batch_sizes=[2, 2, 2]))))


def program_choose_from():
    choice = Dataset.from_tensor_slices(np.array([0, 1, 1, 2, 0, 1, 0], np.int64))
    return dict(chosen=walk(experimental.choose_from_datasets(
        [Dataset.range(3), Dataset.range(10, 12), Dataset.range(20, 21)], choice)))


def program_map_sparse():
    def sparse(x):
        return tf.SparseTensor([[x, 0]], [x * 2], [9, 1])

    return dict(dense=walk(Dataset.range(3).map(sparse).map(tf.sparse_tensor_to_dense)))


def program_from_generator():
    def count():
        for i in range(4):
            yield i, [i] * (i + 1)

    def endless():
        i = 0
        while True:
            yield i
            i += 1

    def broken():
        yield 1
        raise RuntimeError("broken")

    pairs = Dataset.from_generator(count, (tf.int64, tf.int32), (tf.TensorShape([]), tf.TensorShape([None])))
    return dict(pairs=walk(pairs), some=walk(Dataset.from_generator(endless, tf.int64).take(5)),
                twice=walk(Dataset.from_generator(count, (tf.int64, tf.int32)).map(lambda a, b: a).repeat(2)),
                arguments=walk(Dataset.from_generator(lambda n: iter(range(n)), tf.int64, args=(3,))),
                broken=walk(Dataset.from_generator(broken, tf.int64), 2))


def program_batch_of_maps():
    return dict(batches=walk(Dataset.range(7).map(lambda x: [x, x * x]).batch(3)),
                filtered=walk(Dataset.range(20).filter(lambda x: tf.equal(x % 3, 0)).map(lambda x: x + 1).batch(2)),
                windows=walk(Dataset.range(7).window(3, shift=2).flat_map(lambda w: w.batch(3))))
