import numpy as np
import tensorflow as tf
from program import elements, raised, spec

Dataset = tf.data.Dataset


def told(dataset):
    return {"spec": spec(dataset), "elements": elements(dataset)}


def program_range():
    return {"stop": elements(Dataset.range(3)), "start": elements(Dataset.range(2, 5)),
            "step": elements(Dataset.range(10, 0, -4)), "none": len(elements(Dataset.range(3, 1)))}


def program_batch():
    return told(Dataset.range(5).batch(2))


def program_batch_without_remainder():
    return told(Dataset.range(5).batch(2, drop_remainder=True))


def program_batch_of_a_structure():
    return told(Dataset.from_tensor_slices({"a": [1, 2, 3], "b": [[1.], [2.], [3.]]}).batch(2))


def program_batch_by_tensors():
    size, drop = tf.placeholder_with_default(tf.constant(2, tf.int64), []), tf.constant(True)
    return told(Dataset.range(5).batch(size, drop_remainder=drop))


def program_batch_of_different_shapes():
    dataset = Dataset.range(1, 4).map(lambda n: tf.fill([n], n)).batch(3)
    return {"error": raised(lambda: elements(dataset))}


def program_batch_of_wrong_size():
    return {"zero": raised(lambda: elements(Dataset.range(3).batch(0))),
            "text": raised(lambda: Dataset.range(3).batch("a"))}


def program_padded_batch():
    dataset = Dataset.range(1, 6).map(lambda n: tf.fill([n], n))
    return told(dataset.padded_batch(3, padded_shapes=[None]))


def program_padded_batch_to_a_length():
    dataset = Dataset.range(1, 4).map(lambda n: tf.fill([n], n))
    return told(dataset.padded_batch(2, padded_shapes=[5], padding_values=tf.constant(-1, tf.int64)))


def program_padded_batch_of_a_structure():
    dataset = Dataset.range(1, 4).map(lambda n: (n, {"a": tf.fill([n], 0.5), "s": tf.fill([n, 2], "x")}))
    return told(dataset.padded_batch(3, ([], {"a": [None], "s": [None, 2]}), (
        tf.constant(0, tf.int64), {"a": 9., "s": "pad"}), drop_remainder=True))


def program_padded_batch_mistakes():
    dataset = Dataset.from_tensors([1, 2, 3])
    return {"small": raised(lambda: dataset.padded_batch(1, [2])),
            "rank": raised(lambda: dataset.padded_batch(1, [3, 3])),
            "value": raised(lambda: dataset.padded_batch(1, [3], padding_values=1.5)),
            "vector": raised(lambda: dataset.padded_batch(1, [3], padding_values=[1, 2])),
            "sparse": raised(lambda: Dataset.from_tensors(tf.SparseTensor([[0]], [1], [1])).padded_batch(1, [1]))}


def program_padded_batch_by_tensors():
    dataset = Dataset.range(1, 4).map(lambda n: tf.fill([n], n))
    return told(dataset.padded_batch(3, tf.constant([4], tf.int64)))


def program_unbatch():
    dataset = Dataset.from_tensor_slices(([[1, 2], [3, 4]], [["a", "b"], ["c", "d"]]))
    return told(dataset.apply(tf.data.experimental.unbatch()))


def program_repeat():
    return {"twice": elements(Dataset.range(2).repeat(2)), "none": len(elements(Dataset.range(2).repeat(0))),
            "forever": elements(Dataset.range(2).repeat(), limit=5)}


def program_take_and_skip():
    ten = Dataset.range(10)
    return {"take": elements(ten.take(3)), "skip": elements(ten.skip(7)), "both": elements(ten.skip(2).take(2)),
            "all": len(elements(ten.take(-1))), "nothing": len(elements(ten.skip(-1)))}


def program_shard():
    return {"shards": [elements(Dataset.range(7).shard(3, i)) for i in range(3)],
            "index": raised(lambda: elements(Dataset.range(3).shard(2, 2)))}


def program_concatenate():
    dataset = Dataset.range(2).concatenate(Dataset.range(5, 7))
    return {**told(dataset),
            "error": raised(lambda: Dataset.range(2).concatenate(Dataset.from_tensors(1.0)))}


def program_concatenate_relaxes_shapes():
    a, b = Dataset.from_tensors([1, 2]), Dataset.from_tensors([1, 2, 3])
    return told(a.concatenate(b))


def program_window_with_stride():
    dataset = Dataset.range(9).window(2, shift=3, stride=2)
    return told(dataset.flat_map(lambda w: w.batch(2)))


def program_cache():
    calls = []

    def count(x):
        calls.append(int(x))
        return x
    dataset = Dataset.range(3).map(lambda x: tf.py_func(count, [x], tf.int64)).cache().repeat(3)
    return {"elements": elements(dataset), "calls": len(calls)}


def program_prefetch():
    return told(Dataset.range(5).prefetch(2).batch(2).prefetch(tf.data.experimental.AUTOTUNE))


def program_shuffle_has_all():
    dataset = Dataset.range(20).shuffle(5)
    return {"sorted": sorted(int(x) for x in elements(dataset)), "spec": spec(dataset)}


def program_shuffle_with_a_seed():
    return told(Dataset.range(10).shuffle(10, seed=42))


def program_shuffle_with_a_graph_seed():
    found = []
    for _ in range(2):
        with tf.Graph().as_default():
            tf.set_random_seed(11)
            found.append(elements(Dataset.range(10).shuffle(4)))
    return {"same": found[0] == found[1], "all": sorted(int(x) for x in found[0])}


def program_shuffle_with_both_seeds():
    tf.set_random_seed(11)
    return told(Dataset.range(10).shuffle(4, seed=5))


def program_shuffle_with_a_tensor_seed():
    return told(Dataset.range(10).shuffle(4, seed=tf.constant(5, tf.int64)))


def program_shuffle_anew():
    return told(Dataset.range(5).shuffle(5, seed=1).repeat(3))


def program_shuffle_the_same():
    dataset = Dataset.range(5).shuffle(5, seed=1, reshuffle_each_iteration=False).repeat(3)
    values = elements(dataset)
    return {"same": values[:5] == values[5:10] == values[10:]}


def program_random_dataset():
    return told(tf.data.experimental.RandomDataset(seed=4).take(5))


def program_seeds_of_zero():
    tf.set_random_seed(0)
    return told(Dataset.range(8).shuffle(8, seed=0))


def program_pipeline():
    dataset = (Dataset.range(100).filter(lambda x: tf.equal(x % 2, 0)).map(lambda x: x * x, num_parallel_calls=2)
               .shuffle(10, seed=2).batch(8).repeat(2).prefetch(1))
    return told(dataset)


def program_epochs():
    features, labels = np.arange(12).reshape(6, 2).astype(np.float32), np.arange(6)
    dataset = Dataset.from_tensor_slices((features, labels)).shuffle(6, seed=9).batch(4).repeat(2)
    return told(dataset)


def program_static_shapes():
    dataset = Dataset.from_tensor_slices(np.zeros([4, 3, 2], np.float32))
    return {"slices": spec(dataset), "batch": spec(dataset.batch(2)), "dropped": spec(dataset.batch(2, True)),
            "twice": spec(dataset.batch(2, True).batch(3)), "padded": spec(dataset.padded_batch(2, [None, 2])),
            "window": spec(dataset.window(2)), "zip": spec(Dataset.zip((dataset, dataset.batch(2)))),
            "map": spec(dataset.map(lambda x: x[0])), "unbatch": spec(dataset.apply(tf.data.experimental.unbatch()))}


def program_options():
    options = tf.data.Options()
    options.experimental_deterministic = False
    options.experimental_threading.private_threadpool_size = 2
    options.experimental_optimization.map_parallelization = True
    other = tf.data.Options()
    other.experimental_slack = True
    merged = options.merge(other)
    return {"values": [merged.experimental_deterministic, merged.experimental_slack,
                       merged.experimental_threading.private_threadpool_size],
            "elements": sorted(int(x) for x in elements(Dataset.range(10).map(lambda x: x + 1).with_options(options))),
            "error": raised(lambda: setattr(options, "experimental_deterministic", 3)),
            "unknown": raised(lambda: setattr(options, "nonsense", 3))}


def program_cardinality():
    c = tf.data.experimental.cardinality
    ten = Dataset.range(10)
    return {"range": c(ten), "batch": c(ten.batch(3)), "dropped": c(ten.batch(3, True)), "repeat": c(ten.repeat()),
            "filter": c(ten.filter(lambda x: x > 1)), "take": c(ten.take(4)), "zip": c(Dataset.zip((ten, ten.take(3)))),
            "concatenate": c(ten.concatenate(ten)), "skip": c(ten.skip(4)), "shuffle": c(ten.shuffle(3))}
