"""Measures input pipelines on request; speaks as op_worker.py does.

usage: pipeline_worker.py rill|tensorflow THREADS FOLDER
"""
import functools
import os
import sys
import time

import numpy as np

FRAMEWORK, THREADS, FOLDER = sys.argv[1], int(sys.argv[2]), sys.argv[3]

if FRAMEWORK == "tensorflow":
    import tensorflow.compat.v1 as tf
    tf.disable_v2_behavior()
else:
    import tensorflow as tf


def records(name, features, count):
    """A file of Examples, made once."""
    path = os.path.join(FOLDER, f"{FRAMEWORK}_{name}")
    if not os.path.exists(path):
        rng = np.random.default_rng(0)
        with tf.python_io.TFRecordWriter(path) as writer:
            for _ in range(count):
                feature = {key: tf.train.Feature(float_list=tf.train.FloatList(value=rng.random(size, np.float32)))
                           for key, size in features.items()}
                writer.write(tf.train.Example(features=tf.train.Features(feature=feature)).SerializeToString())
    return path


def parsed(name, features, count):
    spec = {key: tf.FixedLenFeature([size], tf.float32) for key, size in features.items()}
    dataset = tf.data.TFRecordDataset(records(name, features, count)).batch(64)
    return dataset.map(lambda batch: tf.parse_example(batch, spec))


def large_examples():
    """Records of 16 KiB with one list each."""
    return parsed("large", {"x": 4096}, 2000)


def medium_examples():
    """Records of 4 KiB."""
    return parsed("medium", {"x": 1024}, 8000)


def small_features():
    """Twenty numbers each."""
    return parsed("small", {f"f{i}": 1 for i in range(20)}, 10000)


def pictures():
    rng = np.random.RandomState(0)
    picture = np.kron(rng.randint(0, 255, (24, 32, 3)), np.ones((20, 20, 1))).astype(np.uint8)
    picture += rng.randint(0, 8, (480, 640, 3)).astype(np.uint8)
    with tf.Graph().as_default(), tf.Session() as session:
        encoded = session.run(tf.image.encode_jpeg(picture))
    dataset = tf.data.Dataset.from_tensor_slices(np.array([encoded] * 128, object))
    return dataset.map(lambda x: tf.image.resize_images(tf.image.decode_jpeg(x, channels=3), [224, 224]),
                       num_parallel_calls=THREADS).batch(16)


def words():
    path = os.path.join(FOLDER, f"{FRAMEWORK}_words")
    if not os.path.exists(path):
        rng = np.random.default_rng(0)
        with open(path, "w") as file:
            for _ in range(20000):
                file.write(" ".join(f"w{i}" for i in rng.integers(0, 1000, 12)) + "\n")
    table = tf.lookup.StaticHashTable(
        tf.lookup.KeyValueTensorInitializer([f"w{i}" for i in range(1000)], tf.range(1000, dtype=tf.int64)), -1)
    dataset = tf.data.TextLineDataset(path)
    return dataset.map(lambda line: table.lookup(tf.string_split([line]).values)).batch(64)


def shuffled_slices():
    """The size of MNIST."""
    images = np.zeros([60000, 784], np.float32)
    labels = np.arange(60000) % 10
    given = tf.placeholder(tf.float32, images.shape), tf.placeholder(tf.int64, labels.shape)
    dataset = tf.data.Dataset.from_tensor_slices(given).shuffle(10000, seed=1).repeat(2).batch(128)
    return dataset, dict(zip(given, (images, labels)))


def generated():
    return tf.data.Dataset.from_generator(lambda: iter(range(5000)), tf.int64, []).batch(100)


CASES = {f.__name__: f for f in (large_examples, medium_examples, small_features, pictures, words, shuffled_slices,
                                 generated)}


class Pipeline:
    def __init__(self, make):
        with tf.Graph().as_default():
            made = make()
            dataset, self.feeds = made if isinstance(made, tuple) else (made, {})
            iterator = tf.compat.v1.data.make_initializable_iterator(dataset.prefetch(2))
            self.start, self.next = iterator.initializer, iterator.get_next()
            self.session = tf.Session(config=tf.ConfigProto(
                intra_op_parallelism_threads=THREADS, inter_op_parallelism_threads=THREADS))
            self.session.run(tf.tables_initializer())
            flat = list(self.next.values()) if isinstance(self.next, dict) else self.next
            self.step = self.session.make_callable(tf.group(*(flat if isinstance(flat, (list, tuple)) else [flat])))

    def epoch(self):
        self.session.run(self.start, self.feeds)
        begin = time.perf_counter()
        try:
            while True:
                self.step()
        except tf.errors.OutOfRangeError:
            return time.perf_counter() - begin


@functools.cache
def pipeline(name):
    made = Pipeline(CASES[name])
    made.epoch()
    return made


def main():
    for line in sys.stdin:
        try:
            print(pipeline(line.strip()).epoch(), flush=True)
        except Exception as error:  # pylint: disable=broad-except
            print("nan", " ".join(str(error).split())[:200] or type(error).__name__, flush=True)


if __name__ == "__main__":
    main()
