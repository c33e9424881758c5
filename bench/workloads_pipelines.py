"""Input pipelines: the time of an epoch, a step taking each batch."""
import os
import time

import numpy as np

from workloads import Workload


def records(tf, setting, name, features, count):
    """A file of Examples, made once."""
    path = os.path.join(setting.folder, f"{setting.framework}_{name}")
    if not os.path.exists(path):
        rng = np.random.default_rng(0)
        with tf.python_io.TFRecordWriter(path) as writer:
            for _ in range(count):
                feature = {key: tf.train.Feature(float_list=tf.train.FloatList(value=rng.random(size, np.float32)))
                           for key, size in features.items()}
                writer.write(tf.train.Example(features=tf.train.Features(feature=feature)).SerializeToString())
    return path


def parsed(tf, setting, name, features, count):
    spec = {key: tf.FixedLenFeature([size], tf.float32) for key, size in features.items()}
    dataset = tf.data.TFRecordDataset(records(tf, setting, name, features, count)).batch(64)
    return dataset.map(lambda batch: tf.parse_example(batch, spec))


def large_examples(tf, setting):
    """Records of 16 KiB with one list each."""
    return parsed(tf, setting, "large", {"x": 4096}, 1000)


def medium_examples(tf, setting):
    """Records of 4 KiB."""
    return parsed(tf, setting, "medium", {"x": 1024}, 2000)


def small_features(tf, setting):
    """Twenty numbers each."""
    return parsed(tf, setting, "small", {f"f{i}": 1 for i in range(20)}, 4000)


def pictures(tf, setting):
    rng = np.random.RandomState(0)
    picture = np.kron(rng.randint(0, 255, (24, 32, 3)), np.ones((20, 20, 1))).astype(np.uint8)
    picture += rng.randint(0, 8, (480, 640, 3)).astype(np.uint8)
    with tf.Graph().as_default(), tf.Session() as session:
        encoded = session.run(tf.image.encode_jpeg(picture))
    dataset = tf.data.Dataset.from_tensor_slices(np.array([encoded] * 64, object))
    return dataset.map(lambda x: tf.image.resize_images(tf.image.decode_jpeg(x, channels=3), [224, 224]),
                       num_parallel_calls=setting.threads).batch(16)


def words(tf, setting):
    path = os.path.join(setting.folder, f"{setting.framework}_words")
    if not os.path.exists(path):
        rng = np.random.default_rng(0)
        with open(path, "w") as file:
            for _ in range(10000):
                file.write(" ".join(f"w{i}" for i in rng.integers(0, 1000, 12)) + "\n")
    table = tf.lookup.StaticHashTable(
        tf.lookup.KeyValueTensorInitializer([f"w{i}" for i in range(1000)], tf.range(1000, dtype=tf.int64)), -1)
    dataset = tf.data.TextLineDataset(path)
    return dataset.map(lambda line: table.lookup(tf.string_split([line]).values)).batch(64)


def shuffled_slices(tf, setting):
    """The size of MNIST."""
    images = np.zeros([60000, 784], np.float32)
    labels = np.arange(60000) % 10
    given = tf.placeholder(tf.float32, images.shape), tf.placeholder(tf.int64, labels.shape)
    dataset = tf.data.Dataset.from_tensor_slices(given).shuffle(10000, seed=1).repeat(2).batch(128)
    return dataset, dict(zip(given, (images, labels)))


def generated(tf, setting):
    return tf.data.Dataset.from_generator(lambda: iter(range(5000)), tf.int64, []).batch(100)


def epoch(make):
    def prepared(tf, setting):
        with tf.Graph().as_default():
            made = make(tf, setting)
            dataset, feeds = made if isinstance(made, tuple) else (made, {})
            iterator = tf.data.make_initializable_iterator(dataset.prefetch(2))
            batch = iterator.get_next()
            parts = list(batch.values()) if isinstance(batch, dict) else batch
            session = tf.Session(config=setting.config(tf))
            session.run(tf.tables_initializer())
            take = session.make_callable(tf.group(*(parts if isinstance(parts, (list, tuple)) else [parts])))

        def step():
            session.run(iterator.initializer, feeds)
            begin = time.perf_counter()
            try:
                while True:
                    take()
            except tf.errors.OutOfRangeError:
                return time.perf_counter() - begin

        step.times_itself = True
        step()
        return step
    return prepared


DECODED = {"pictures"}  # most of the time is libjpeg-turbo's, in both
EPOCHS = (large_examples, medium_examples, small_features, pictures, words, shuffled_slices, generated)


def workloads(group):
    return [Workload(make.__name__, epoch(make), wanted=1.0 if make.__name__ in DECODED else None) for make in EPOCHS]
