"""Orders that seeds decide: shuffled datasets, epoch after epoch."""
import numpy as np
import tensorflow as tf

from data_core import elements

Dataset = tf.data.Dataset


def order(make, most=60, walks=1):
    """One number for each element; -1 for the end."""
    return [int(found[0]) if found != "END" else -1 for found in elements(make, most, walks)]


def program_whole_buffer():
    return {f"{n} {seed}": order(lambda n=n, s=seed: Dataset.range(n).shuffle(n, seed=s)) for n in (1, 2, 5, 20) for seed in (0, 1, 77)}


def program_small_buffers():
    return {str(size): order(lambda b=size: Dataset.range(15).shuffle(b, seed=5)) for size in (1, 2, 3, 7, 14)}


def program_buffer_larger_than_the_dataset():
    return {"all": order(lambda: Dataset.range(6).shuffle(1000, seed=5))}


def program_graph_seed():
    def make():
        tf.set_random_seed(11)
        return Dataset.range(50).shuffle(50)
    first = order(make)
    return {"all": sorted(first), "shuffled": first != sorted(first), "again": first == order(make)}


def program_graph_seed_and_seed():
    def make():
        tf.set_random_seed(11)
        return Dataset.range(10).shuffle(10, seed=3)
    return {"all": order(make)}


def program_every_shuffle_has_a_seed_of_its_own():
    def make():
        tf.set_random_seed(11)
        return Dataset.zip((Dataset.range(40).shuffle(40), Dataset.range(40).shuffle(40)))
    pairs = elements(make, 40)
    return {"same": all(a == b for a, b in pairs)}


def program_epochs_differ():
    return {"all": order(lambda: Dataset.range(6).shuffle(6, seed=2).repeat(4))}


def program_epochs_are_the_same():
    return {"all": order(lambda: Dataset.range(6).shuffle(6, seed=2, reshuffle_each_iteration=False).repeat(3))}


def program_epochs_for_ever():
    return {"all": order(lambda: Dataset.range(5).shuffle(3, seed=9).repeat(), most=32)}


def program_shuffles_over_epochs():
    return {"all": order(lambda: Dataset.range(5).repeat(3).shuffle(7, seed=4))}


def program_walks_begin_anew():
    return {"all": order(lambda: Dataset.range(5).shuffle(5, seed=4), walks=3)}


def program_shuffled_twice():
    return {"all": order(lambda: Dataset.range(8).shuffle(8, seed=1).shuffle(4, seed=2).repeat(2))}


def program_large_seeds():
    return {"all": order(lambda: Dataset.range(8).shuffle(8, seed=2 ** 40 + 17)),
            "negative": order(lambda: Dataset.range(8).shuffle(8, seed=-3))}


def program_seed_as_a_tensor():
    return {"all": order(lambda: Dataset.range(8).shuffle(tf.constant(8, tf.int64), seed=tf.constant(6, tf.int64)))}


def program_shuffle_and_repeat():
    both = tf.data.experimental.shuffle_and_repeat
    return {"count": order(lambda: Dataset.range(5).apply(both(3, 3, seed=8))),
            "one": order(lambda: Dataset.range(5).apply(both(9, 1, seed=8))),
            "for ever": order(lambda: Dataset.range(4).apply(both(9, seed=8)), most=22),
            "nothing": order(lambda: Dataset.range(0).apply(both(9, seed=8)))}


def program_shuffled_strings_and_batches():
    def make():
        letters = [bytes([97 + i]) for i in range(9)]
        return Dataset.from_tensor_slices((letters, np.arange(9))).shuffle(5, seed=3).repeat(2).batch(4)
    return {"all": elements(make)}


def program_shuffled_rows_in_batches():
    rows = np.arange(36).reshape(12, 3).astype(np.float32)
    labels = np.arange(12)
    return {"all": elements(lambda: Dataset.from_tensor_slices((rows, labels)).shuffle(12, seed=1).repeat(2).batch(5), most=9)}


def program_cached_before_and_after():
    return {"before": order(lambda: Dataset.range(5).cache().shuffle(5, seed=1).repeat(2)),
            "after": order(lambda: Dataset.range(5).shuffle(5, seed=1).cache().repeat(2))}


def program_random_numbers():
    return {"all": order(lambda: tf.data.experimental.RandomDataset(seed=42).take(12)),
            "again": order(lambda: tf.data.experimental.RandomDataset(seed=42).take(3), walks=2)}


def program_shuffled_windows():
    return {"all": elements(lambda: Dataset.range(12).window(3).shuffle(4, seed=6).flat_map(lambda w: w.batch(3)))}


def program_shuffled_after_errors():
    def make():
        inverse = Dataset.range(5).map(lambda x: tf.check_numerics(1.0 / tf.cast(x - 2, tf.float32), "bad"))
        return inverse.apply(tf.data.experimental.ignore_errors()).shuffle(3, seed=5)
    return {"all": elements(make)}
