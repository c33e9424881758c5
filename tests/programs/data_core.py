"""Datasets of what is there already, cut, joined and batched: the elements, in order."""
import numpy as np
import tensorflow as tf

Dataset = tf.data.Dataset


def elements(make, most=30, walks=1):
    """What the dataset that `make` makes gives, in a graph of its own: flat elements, names of errors, END."""
    found = []
    with tf.Graph().as_default():
        iterator = make().make_initializable_iterator()
        following = iterator.get_next()
        with tf.Session() as session:
            for _ in range(walks):
                session.run(iterator.initializer)
                found += _walk(lambda: session.run(following), most)
    return found


def _walk(step, most):
    found = []
    while len(found) < most and found[-1:] != ["END"]:
        try:
            found.append([np.asarray(part) for part in tf.nest.flatten(step())])
        except tf.errors.OutOfRangeError:
            found.append("END")
        except tf.errors.OpError as error:
            found.append(type(error).__name__)
    return found


def ragged(*sizes):
    """Vectors of these sizes."""
    return Dataset.from_tensor_slices(list(sizes)).map(tf.range)


def program_ranges():
    return {"up": elements(lambda: Dataset.range(4)), "from": elements(lambda: Dataset.range(2, 5)),
            "by": elements(lambda: Dataset.range(0, 10, 3)), "down": elements(lambda: Dataset.range(5, -1, -2)),
            "none": elements(lambda: Dataset.range(5, 2)), "negative": elements(lambda: Dataset.range(-3))}


def program_batches():
    return {f"{size}{drop}": elements(lambda s=size, d=drop: Dataset.range(7).batch(s, drop_remainder=d))
            for size in (1, 2, 3, 7, 9) for drop in (False, True)}


def program_batches_of_rows():
    rows = np.arange(24.0).reshape(6, 2, 2).astype(np.float32)
    return {"whole": elements(lambda: Dataset.from_tensor_slices(rows).batch(3)),
            "last": elements(lambda: Dataset.from_tensor_slices(rows).batch(4)),
            "twice": elements(lambda: Dataset.from_tensor_slices(rows).batch(2).batch(2))}


def program_batches_of_structures():
    def make():
        return Dataset.from_tensor_slices({"a": np.arange(5), "b": (np.arange(5.0), [b"v", b"w", b"x", b"y", b"z"])}).batch(2)
    return {"all": elements(make)}


def program_batches_of_strings():
    return {"all": elements(lambda: Dataset.from_tensor_slices([b"a", b"bb", b"", b"dddd"]).batch(3))}


def program_batches_of_many_types():
    out = {}
    for dtype in (np.int8, np.uint8, np.int16, np.int32, np.float16, np.float64, np.bool_, np.complex64):
        out[np.dtype(dtype).name] = elements(lambda t=dtype: Dataset.from_tensor_slices(np.arange(5).astype(t)).batch(2))
    return out


def program_batches_of_nothing():
    return {"empty": elements(lambda: Dataset.range(0).batch(3)),
            "thin": elements(lambda: Dataset.from_tensor_slices(np.zeros((3, 0))).batch(2))}


def program_batches_of_different_shapes():
    return {"all": elements(lambda: ragged(1, 2, 3, 3).batch(2))}


def program_batch_size_is_checked():
    def started(make):
        try:
            return elements(make)
        except tf.errors.InvalidArgumentError:
            return "InvalidArgumentError"
    size = np.int64(0)
    return {"zero": started(lambda: Dataset.range(3).batch(tf.constant(size)))}


def program_padded_batches():
    return {"longest": elements(lambda: ragged(1, 3, 2).padded_batch(2, [None])),
            "stated": elements(lambda: ragged(1, 3, 2).padded_batch(2, [4])),
            "value": elements(lambda: ragged(1, 3, 2).padded_batch(2, [None], padding_values=-1)),
            "dropped": elements(lambda: ragged(1, 3, 2).padded_batch(2, [None], drop_remainder=True)),
            "too small": elements(lambda: ragged(1, 3, 2).padded_batch(2, [2]))}


def program_padded_matrices():
    def make():
        return Dataset.range(1, 4).map(lambda n: tf.fill([n, 2 * n], n)).padded_batch(3, [None, 7])
    return {"all": elements(make)}


def program_padded_strings():
    def make():
        return Dataset.from_tensor_slices([1, 3, 2]).map(lambda n: tf.fill([n], "s")).padded_batch(2, [None])
    return {"empty": elements(make)}


def program_padded_structures():
    def make():
        return ragged(2, 1, 3).map(lambda v: {"v": v, "n": tf.size(v)}).padded_batch(2, {"v": [None], "n": []})
    return {"all": elements(make)}


def program_padded_scalars():
    return {"all": elements(lambda: Dataset.range(5).padded_batch(2, []))}


def program_repeats():
    return {"twice": elements(lambda: Dataset.range(3).repeat(2)), "never": elements(lambda: Dataset.range(3).repeat(0)),
            "for ever": elements(lambda: Dataset.range(3).repeat(), most=8),
            "nothing for ever": elements(lambda: Dataset.range(0).repeat()),
            "nested": elements(lambda: Dataset.range(2).repeat(2).repeat(2)),
            "counted by a tensor": elements(lambda: Dataset.range(2).repeat(tf.constant(2, tf.int64)))}


def program_takes():
    return {str(count): elements(lambda c=count: Dataset.range(5).take(c)) for count in (0, 1, 3, 5, 9, -1)}


def program_skips():
    return {str(count): elements(lambda c=count: Dataset.range(5).skip(c)) for count in (0, 1, 3, 5, 9, -1)}


def program_skips_of_slices():
    rows = np.arange(10).reshape(5, 2)
    return {"rows": elements(lambda: Dataset.from_tensor_slices(rows).skip(3)),
            "then": elements(lambda: Dataset.range(10).skip(2).take(3).skip(1))}


def program_shards():
    return {f"{i} of {n}": elements(lambda i=i, n=n: Dataset.range(7).shard(n, i)) for n in (1, 2, 3, 9) for i in range(min(n, 4))}


def program_concatenation():
    return {"two": elements(lambda: Dataset.range(2).concatenate(Dataset.range(5, 7))),
            "three": elements(lambda: Dataset.range(2).concatenate(Dataset.range(0)).concatenate(Dataset.range(1))),
            "shapes": elements(lambda: Dataset.from_tensors([1]).concatenate(Dataset.from_tensors([1, 2]))),
            "repeated": elements(lambda: Dataset.range(1).concatenate(Dataset.range(2)).repeat(2))}


def program_zips():
    return {"two": elements(lambda: Dataset.zip((Dataset.range(3), Dataset.range(5, 7)))),
            "nested": elements(lambda: Dataset.zip({"a": Dataset.range(2), "b": (Dataset.range(9), Dataset.range(3))})),
            "same": elements(lambda: Dataset.zip((Dataset.range(2).repeat(), Dataset.range(5))))}


def program_zip_stays_in_step_after_errors():
    def make():
        inverse = Dataset.range(3).map(lambda x: tf.check_numerics(1.0 / tf.cast(x, tf.float32), "bad"))
        return Dataset.zip((inverse, Dataset.range(3)))
    return {"all": elements(make)}


def program_windows():
    def flat(*arguments):
        return elements(lambda: Dataset.range(7).window(*arguments).flat_map(lambda w: w.batch(9)))
    return {"plain": flat(3), "shift": flat(3, 2), "stride": flat(3, 1, 2), "far": flat(2, 4), "dropped": flat(3, 2, 1, True),
            "strided and dropped": flat(2, 3, 2, True)}


def program_windows_of_structures():
    def make():
        slices = Dataset.from_tensor_slices((np.arange(5), np.arange(5.0)))
        return slices.window(2).flat_map(lambda a, b: Dataset.zip((a.batch(2), b.batch(2))))
    return {"all": elements(make)}


def program_unbatched():
    unbatch = tf.data.experimental.unbatch
    return {"numbers": elements(lambda: Dataset.range(5).batch(2).apply(unbatch())),
            "rows": elements(lambda: Dataset.from_tensor_slices(np.arange(12).reshape(2, 3, 2)).apply(unbatch())),
            "pairs": elements(lambda: Dataset.from_tensors(([1, 2], [b"a", b"b"])).apply(unbatch())),
            "ragged": elements(lambda: ragged(2, 0, 3).apply(unbatch()))}


def program_unbatched_of_different_sizes():
    def make():
        return Dataset.range(1, 3).map(lambda n: (tf.range(n), tf.range(2))).apply(tf.data.experimental.unbatch())
    return {"all": elements(make)}


def program_sparse_slices():
    def make():
        return Dataset.from_sparse_tensor_slices(tf.SparseTensor([[0, 0], [0, 2], [2, 1]], [1, 2, 3], [4, 3]))
    return {"all": elements(make)}


def program_sparse_batches():
    batch = tf.data.experimental.dense_to_sparse_batch
    return {"rows": elements(lambda: Dataset.from_tensor_slices(np.arange(10).reshape(5, 2)).apply(batch(2, [3]))),
            "ragged": elements(lambda: ragged(1, 3, 2).apply(batch(2, [None]))),
            "too large": elements(lambda: ragged(1, 3).apply(batch(1, [2]))),
            "rank": elements(lambda: ragged(1).apply(batch(1, [2, 2])))}


def program_unique():
    unique = tf.data.experimental.unique
    return {"numbers": elements(lambda: Dataset.from_tensor_slices([3, 1, 3, 2, 1]).apply(unique())),
            "strings": elements(lambda: Dataset.from_tensor_slices([b"a", b"b", b"a"]).apply(unique()))}


def program_ignored_errors():
    def make():
        inverse = Dataset.range(-2, 3).map(lambda x: tf.check_numerics(1.0 / tf.cast(x, tf.float32), "bad"))
        return inverse.apply(tf.data.experimental.ignore_errors())
    return {"all": elements(make)}


def program_caches():
    def numbered():
        return Dataset.range(3).map(lambda x: x + 10 * tf.cast(tf.random.uniform([], 0, 1 << 20, tf.int32), tf.int64))

    with tf.Graph().as_default():
        following = numbered().cache().repeat(3).make_one_shot_iterator().get_next()
        with tf.Session() as session:
            found = [int(session.run(following)) for _ in range(9)]
    return {"same": [found[:3] == found[3:6], found[3:6] == found[6:]],
            "plain": elements(lambda: Dataset.range(3).cache().repeat(2)),
            "walked twice": elements(lambda: Dataset.range(3).cache(), walks=2),
            "taken from": elements(lambda: Dataset.range(4).cache().take(2).repeat(2))}


def program_cardinalities():
    with tf.Graph().as_default():
        plain = Dataset.range(10)
        sizes = [tf.data.experimental.cardinality(dataset) for dataset in (
            plain, plain.repeat(3), plain.repeat(), plain.take(3), plain.take(-1), plain.skip(3), plain.skip(20),
            plain.shard(3, 2), plain.batch(3), plain.batch(3, True), plain.concatenate(plain),
            Dataset.zip((plain, plain.take(4))), plain.window(3, 2), plain.window(3, 2, 1, True), plain.shuffle(3),
            plain.cache(), plain.filter(lambda x: x > 1), plain.repeat().take(4))]
        with tf.Session() as session:
            return {"sizes": [int(size) for size in session.run(sizes)]}


def program_one_element():
    return {"tensors": elements(lambda: Dataset.from_tensors(([1, 2], b"x")).repeat(2)),
            "batched": elements(lambda: Dataset.from_tensors([1, 2]).batch(3))}


def program_slices_of_slices():
    rows = np.arange(12).reshape(3, 2, 2)
    return {"all": elements(lambda: Dataset.from_tensor_slices(rows).flat_map(Dataset.from_tensor_slices).batch(4))}


def program_batches_by_tensors():
    def make():
        return Dataset.range(5).batch(tf.constant(2, tf.int64), drop_remainder=tf.constant(True))
    return {"all": elements(make)}


def program_concatenation_of_batches():
    def make():
        return Dataset.range(3).batch(2).concatenate(Dataset.range(4).batch(3)).apply(tf.data.experimental.unbatch())
    return {"all": elements(make)}


def program_sliding_batches():
    def make():
        return Dataset.range(9).window(3, 2, 2, True).flat_map(lambda w: w.batch(3, drop_remainder=True)).batch(2)
    return {"all": elements(make)}


def program_several_walks():
    return {"all": elements(lambda: Dataset.range(5).batch(2).cache().repeat(2), walks=3)}


def program_chains():
    def make():
        return Dataset.range(20).skip(3).batch(2).repeat(2).take(9).shard(2, 1).concatenate(Dataset.range(2).batch(2))
    return {"all": elements(make, walks=2)}
