import numpy as np
import tensorflow as tf
from program import elements, raised, spec

Dataset = tf.data.Dataset
experimental = tf.data.experimental


def told(dataset):
    return {"spec": spec(dataset), "elements": elements(dataset)}


def program_ignore_errors():
    dataset = Dataset.from_tensor_slices([1., 2., 0., 4.]).map(lambda x: tf.check_numerics(1. / x, "error"))
    return told(dataset.apply(experimental.ignore_errors()))


def program_unique():
    return {**told(Dataset.from_tensor_slices([1, 3, 1, 2, 3]).apply(experimental.unique())),
            "error": raised(lambda: Dataset.from_tensors(1.0).apply(experimental.unique()))}


def program_unique_strings():
    return told(Dataset.from_tensor_slices(["b", "a", "b"]).apply(experimental.unique()))


def program_take_while():
    return told(Dataset.range(10).apply(experimental.take_while(lambda x: x < 4)))


def program_scan():
    return told(Dataset.range(6).apply(experimental.scan(tf.constant(0, tf.int64), lambda s, x: (s + x, s + x))))


def program_scan_with_a_structure():
    def step(state, x):
        a, b = state
        return (b, a + b), {"fibonacci": a, "x": x}
    return told(Dataset.range(6).apply(experimental.scan((0, 1), step)))


def program_scan_wrong():
    return {"pair": raised(lambda: Dataset.range(3).apply(experimental.scan(0, lambda s, x: s))),
            "type": raised(lambda: Dataset.range(3).apply(experimental.scan(0, lambda s, x: (1.5, x))))}


def program_enumerate_dataset():
    return told(Dataset.from_tensor_slices(["a", "b"]).apply(experimental.enumerate_dataset(start=3)))


def program_map_and_batch():
    return told(Dataset.range(7).apply(experimental.map_and_batch(lambda x: x * x, 3)))


def program_map_and_batch_without_remainder():
    return told(Dataset.range(7).apply(experimental.map_and_batch(lambda x: (x, tf.cast(x, tf.float32)), 3,
                                                                  num_parallel_calls=2, drop_remainder=True)))


def program_map_and_batch_wrong():
    return {"both": raised(lambda: Dataset.range(3).apply(experimental.map_and_batch(
        lambda x: x, 2, num_parallel_batches=1, num_parallel_calls=2)))}


def program_parallel_interleave():
    dataset = Dataset.range(3).apply(experimental.parallel_interleave(
        lambda n: Dataset.from_tensors(n).repeat(3), cycle_length=2, block_length=2))
    return told(dataset)


def program_shuffle_and_repeat():
    return told(Dataset.range(5).apply(experimental.shuffle_and_repeat(5, count=2, seed=3)))


def program_group_by_window():
    dataset = Dataset.range(10).apply(experimental.group_by_window(
        lambda x: x % 2, lambda key, window: window.batch(3), window_size=3))
    return told(dataset)


def program_group_by_window_with_a_function():
    dataset = Dataset.range(12).apply(experimental.group_by_window(
        lambda x: x % 3, lambda key, window: window.batch(4).map(lambda b: (key, tf.reduce_sum(b))),
        window_size_func=lambda key: key + 1))
    return told(dataset)


def program_group_by_window_wrong():
    def apply(**kwargs):
        return raised(lambda: Dataset.range(3).apply(experimental.group_by_window(
            lambda x: x, lambda k, w: w.batch(2), **kwargs)))
    return {"none": apply(), "both": apply(window_size=1, window_size_func=lambda x: x)}


def program_group_by_reducer():
    reducer = experimental.Reducer(init_func=lambda _: (tf.constant(0, tf.int64), 0.0),
                                   reduce_func=lambda state, x: (state[0] + x, state[1] + 1.0),
                                   finalize_func=lambda total, count: tf.cast(total, tf.float32) / count)
    return told(Dataset.range(10).apply(experimental.group_by_reducer(lambda x: x % 3, reducer)))


def program_bucket_by_sequence_length():
    dataset = Dataset.from_tensor_slices([1, 4, 2, 7, 3, 5, 1, 9]).map(lambda n: tf.fill([n], n))
    dataset = dataset.apply(experimental.bucket_by_sequence_length(
        lambda x: tf.shape(x)[0], [3, 6], [2, 2, 2]))
    return told(dataset)


def program_buckets_of_pairs():
    dataset = Dataset.from_tensor_slices([1, 4, 2, 3]).map(lambda n: (tf.fill([n], n), n))
    dataset = dataset.apply(experimental.bucket_by_sequence_length(
        lambda x, n: n, [3], [2, 2], padded_shapes=([None], []), padding_values=(-1, 0)))
    return told(dataset)


def program_buckets_to_the_boundary():
    dataset = Dataset.from_tensor_slices([1, 4, 2, 3]).map(lambda n: tf.fill([n], n))
    dataset = dataset.apply(experimental.bucket_by_sequence_length(
        lambda x: tf.size(x), [3, 6], [2, 2, 2], pad_to_bucket_boundary=True))
    return told(dataset)


def program_buckets_without_padding():
    dataset = Dataset.from_tensor_slices([1, 4, 2, 3]).map(
        lambda n: tf.SparseTensor([[tf.cast(n, tf.int64) - 1]], [n], [4]))
    dataset = dataset.apply(experimental.bucket_by_sequence_length(
        lambda x: x.values[0], [3], [2, 2], no_padding=True, drop_remainder=True))
    return told(dataset)


def program_buckets_wrong():
    return {"error": raised(lambda: Dataset.range(3).apply(experimental.bucket_by_sequence_length(
        lambda x: x, [1, 2], [1, 2])))}


def program_choose_from_datasets():
    datasets = [Dataset.from_tensors(x).repeat() for x in ("a", "b", "c")]
    choice = Dataset.range(3).repeat(2)
    return {**told(experimental.choose_from_datasets(datasets, choice)), "error": raised(
        lambda: experimental.choose_from_datasets(datasets, Dataset.from_tensors(1.5)))}


def program_sample_from_datasets():
    datasets = [Dataset.from_tensors(x).repeat() for x in (1, 2)]
    sampled = experimental.sample_from_datasets(datasets, seed=3)
    return {"elements": elements(sampled, limit=20), "spec": spec(sampled)}


def program_sample_with_weights():
    datasets = [Dataset.from_tensors(x).repeat() for x in (1, 2, 3)]
    return {"elements": elements(experimental.sample_from_datasets(datasets, [0.2, 0.3, 0.5], seed=1), limit=30),
            "never": sorted({int(x) for x in elements(
                experimental.sample_from_datasets(datasets[:2], [0.0, 1.0], seed=1), limit=10)})}


def program_sample_wrong():
    datasets = [Dataset.range(2), Dataset.range(3)]
    return {"length": raised(lambda: experimental.sample_from_datasets(datasets, [0.5, 0.2, 0.3])),
            "types": raised(lambda: experimental.sample_from_datasets([Dataset.range(2), Dataset.from_tensors(1.)]))}


def program_rejection_resample():
    classes = np.random.RandomState(1).randint(2, size=1000)
    dataset = Dataset.from_tensor_slices(classes).map(lambda x: tf.cast(x, tf.int32))
    dataset = dataset.apply(experimental.rejection_resample(lambda x: x, [0.5, 0.5], [0.5, 0.5], seed=2))
    values = elements(dataset, limit=2000)
    return {"spec": spec(dataset), "same": all(a == b for a, b in values), "all": len(values)}


def program_counter():
    return {"default": elements(experimental.Counter(), limit=3), "step": elements(experimental.Counter(5, -2), limit=3),
            "type": spec(experimental.Counter(dtype=tf.int32))}


def program_dense_to_sparse_batch():
    dataset = Dataset.range(1, 5).map(lambda n: tf.fill([n], n))
    return told(dataset.apply(experimental.dense_to_sparse_batch(batch_size=2, row_shape=[6])))


def program_parse_example_dataset():
    def example(i):
        feature = {"x": tf.train.Feature(float_list=tf.train.FloatList(value=[i, i + 1])),
                   "n": tf.train.Feature(int64_list=tf.train.Int64List(value=list(range(i))))}
        return tf.train.Example(features=tf.train.Features(feature=feature)).SerializeToString()
    features = {"x": tf.FixedLenFeature([2], tf.float32), "n": tf.VarLenFeature(tf.int64),
                "missing": tf.FixedLenFeature([], tf.string, default_value="none")}
    dataset = Dataset.from_tensor_slices([example(i) for i in range(3)]).batch(2)
    return told(dataset.apply(experimental.parse_example_dataset(features)))


def program_parse_example_dataset_with_sparse_features():
    def example(i):
        feature = {"at": tf.train.Feature(int64_list=tf.train.Int64List(value=[i, i + 1])),
                   "value": tf.train.Feature(float_list=tf.train.FloatList(value=[1., 2.]))}
        return tf.train.Example(features=tf.train.Features(feature=feature)).SerializeToString()
    features = {"s": tf.SparseFeature("at", "value", tf.float32, 5), "value": tf.VarLenFeature(tf.float32)}
    dataset = Dataset.from_tensor_slices([example(i) for i in range(3)]).batch(2)
    return {"elements": elements(dataset.apply(experimental.parse_example_dataset(features, 2)))}


def program_prefetch_to_device():
    return told(Dataset.range(3).apply(experimental.prefetch_to_device("/cpu:0")))


def program_copy_to_device():
    return {"elements": elements(Dataset.range(3).apply(experimental.copy_to_device("/cpu:0")).prefetch(1))}


def program_names():
    return {"constants": [experimental.AUTOTUNE, experimental.INFINITE_CARDINALITY, experimental.UNKNOWN_CARDINALITY]}
