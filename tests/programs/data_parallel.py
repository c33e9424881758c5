"""tf.data's stages that work in the background: the same elements in the same order."""
import numpy as np
import tensorflow as tf
from helpers.walks import walk

Dataset = tf.data.Dataset
experimental = tf.data.experimental


def failing(x):
    return tf.check_numerics(1 / tf.cast(x - 2, tf.float32), "bad")


def repeated(x):
    return Dataset.from_tensors(x).repeat(x)


def program_map():
    return {f"{calls}": walk(Dataset.range(40).map(lambda x: x * 3, num_parallel_calls=calls)) for calls in (1, 2, 8, -1)}


def program_map_errors():
    return dict(parallel=walk(Dataset.range(6).map(failing, num_parallel_calls=3)),
                prefetched=walk(Dataset.range(6).map(failing, num_parallel_calls=2).prefetch(2)),
                ignored=walk(Dataset.range(6).map(failing, num_parallel_calls=2).apply(experimental.ignore_errors())))


def program_map_unordered():
    options = tf.data.Options()
    options.experimental_deterministic = False
    given = walk(Dataset.range(30).map(lambda x: x, num_parallel_calls=4).with_options(options))
    return dict(sorted=sorted(int(x) for x in given[:-1]), count=len(given))


def program_map_captures():
    offset = tf.constant([1, 2], tf.int64)
    return dict(added=walk(Dataset.range(5).map(lambda x: x + offset, num_parallel_calls=2)))


def program_map_random_alone():
    tf.set_random_seed(5)
    return dict(numbers=walk(Dataset.range(5).map(lambda x: tf.random_uniform([], seed=2), num_parallel_calls=1)))


def program_map_py_func():
    return dict(numbers=walk(Dataset.range(20).map(
        lambda x: tf.py_func(lambda v: np.int64(v * v), [x], tf.int64), num_parallel_calls=4)))


def program_prefetch():
    return {f"{size}": walk(Dataset.range(20).prefetch(size)) for size in (0, 1, 2, 7, 100, -1)}


def program_prefetch_errors():
    return dict(errors=walk(Dataset.range(6).map(failing).prefetch(3)),
                nested=walk(Dataset.range(6).prefetch(1).map(lambda x: x + 1).prefetch(2).batch(2).prefetch(1)))


def program_interleave():
    return {f"{cycle}_{block}": walk(Dataset.range(1, 6).interleave(
        repeated, cycle_length=cycle, block_length=block, num_parallel_calls=min(cycle, 2)))
        for cycle in (1, 2, 3, 7) for block in (1, 2, 3)}


def program_interleave_errors():
    def made(x):
        return Dataset.from_tensors(failing(x)).repeat(3)

    def inside(x):
        return Dataset.range(3).map(lambda y: failing(x + y))

    return dict(making=walk(Dataset.range(5).interleave(made, cycle_length=2, block_length=2, num_parallel_calls=2)),
                inside=walk(Dataset.range(3).interleave(inside, cycle_length=2, block_length=2, num_parallel_calls=2)))


def program_parallel_interleave():
    def given(cycle, block, buffer, ahead):
        return walk(Dataset.range(1, 7).apply(experimental.parallel_interleave(
            repeated, cycle_length=cycle, block_length=block, sloppy=False, buffer_output_elements=buffer,
            prefetch_input_elements=ahead)))

    return {f"{c}_{b}_{o}_{p}": given(c, b, o, p)
            for c, b, o, p in ((1, 1, 1, 0), (2, 1, 1, 2), (2, 2, 1, 0), (3, 2, 2, 3), (3, 1, 1, 1), (5, 3, 4, 2), (9, 1, 1, 9))}


def program_parallel_interleave_errors():
    def made(x):
        return Dataset.from_tensors(failing(x)).repeat(3)

    return dict(errors=walk(Dataset.range(5).apply(experimental.parallel_interleave(made, cycle_length=2, block_length=2))))


def program_parallel_interleave_sloppy():
    given = walk(Dataset.range(1, 7).apply(experimental.parallel_interleave(repeated, cycle_length=3, sloppy=True)))
    return dict(sorted=sorted(int(x) for x in given[:-1]))


def program_map_and_batch():
    def given(count, size, drop=False, calls=2):
        return walk(Dataset.range(count).apply(experimental.map_and_batch(
            lambda x: (x, [x, -x]), size, drop_remainder=drop, num_parallel_calls=calls)))

    return dict(even=given(8, 4), odd=given(9, 4), dropped=given(9, 4, True), one=given(3, 1), large=given(3, 10),
                none=given(0, 3), large_dropped=given(3, 10, True), many=given(30, 7, False, 8))


def program_map_and_batch_errors():
    return dict(errors=walk(Dataset.range(7).apply(experimental.map_and_batch(failing, 2, num_parallel_calls=2))),
                shapes=walk(Dataset.range(1, 5).apply(experimental.map_and_batch(lambda x: tf.ones([x]), 2))))


def program_map_and_batch_strings():
    return dict(texts=walk(Dataset.range(5).apply(experimental.map_and_batch(tf.as_string, 2, num_parallel_calls=3))))


def program_generator_behind_workers():
    def count():
        for i in range(25):
            yield i

    data = Dataset.from_generator(count, tf.int64, tf.TensorShape([]))
    return dict(numbers=walk(data.map(lambda x: x * 2, num_parallel_calls=3).prefetch(4)),
                batches=walk(data.prefetch(2).batch(10)))


def program_repeated_walks():
    data = Dataset.range(6).map(lambda x: x + 1, num_parallel_calls=2).prefetch(2)
    iterator = tf.data.make_initializable_iterator(data)
    following = iterator.get_next()
    walks = []
    with tf.Session() as session:
        for length in (3, 0, 6, 1):
            session.run(iterator.initializer)
            walks.append([session.run(following) for _ in range(length)])
    return dict(walks=walks)


def program_parse_example():
    def example(i):
        feature = {"n": tf.train.Feature(int64_list=tf.train.Int64List(value=[i])),
                   "values": tf.train.Feature(float_list=tf.train.FloatList(value=[i / 2] * i)),
                   "name": tf.train.Feature(bytes_list=tf.train.BytesList(value=[b"x" * i]))}
        return tf.train.Example(features=tf.train.Features(feature=feature)).SerializeToString()

    features = {"n": tf.FixedLenFeature([], tf.int64), "name": tf.FixedLenFeature([1], tf.string),
                "missing": tf.FixedLenFeature([2], tf.float32, [1.0, 2.0]), "values": tf.VarLenFeature(tf.float32)}
    batches = Dataset.from_tensor_slices([example(i) for i in range(5)]).batch(2)

    def flat(parsed):
        return parsed["n"], parsed["name"], parsed["missing"], tf.sparse_tensor_to_dense(parsed["values"], -1.0)

    return dict(stage=walk(batches.apply(experimental.parse_example_dataset(features, 2)).map(flat)),
                mapped=walk(batches.map(lambda b: tf.parse_example(b, features), num_parallel_calls=2).map(flat)),
                broken=walk(Dataset.from_tensors(["no example"]).apply(experimental.parse_example_dataset(features))))
