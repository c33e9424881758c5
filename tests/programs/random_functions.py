"""Random tensors."""
import numpy as np
import tensorflow as tf

from program import feeds


def program_random_crop():
    tf.set_random_seed(3)
    x = tf.constant(np.arange(24).reshape(4, 6))
    y = tf.placeholder(tf.float32, [None, None], name="y")
    return feeds({y: np.arange(12).reshape(3, 4)}, a=tf.random_crop(x, [2, 3], seed=7), b=tf.image.random_crop(y, [3, 2], seed=1, name="c"))


def program_uniform():
    tf.set_random_seed(1)
    n = tf.placeholder(tf.int32, [], name="n")
    return feeds({n: 2}, b=tf.random.uniform([2], -1, 1, seed=4, name="u"), c=tf.random_uniform([n, 2], maxval=9, dtype=tf.int32, seed=1),
                 d=tf.random.uniform((), 1, 2, tf.float64, seed=3), e=tf.random_uniform(tf.TensorShape([1, 2]), 2, 3, seed=5),
                 f=tf.random_uniform([1], tf.constant(5, tf.int64), 9, tf.int64, seed=6))


def program_normal():
    tf.set_random_seed(2)
    return {"a": tf.random_normal([3], seed=1), "b": tf.random.normal([2], 5.0, 2.0, tf.float64, 1, "g"), "c": tf.truncated_normal([4], stddev=0.1, seed=2),
            "d": tf.random.truncated_normal([2], tf.constant(1.0), seed=6)}


def program_others():
    tf.set_random_seed(4)
    return {"a": tf.random_shuffle([1, 2, 3, 4], seed=1), "b": tf.random.shuffle(tf.constant([[1], [2]]), seed=9, name="s"),
            "c": tf.random_poisson(tf.constant([1.0, 4.0]), [3], seed=2), "d": tf.random.poisson(tf.constant(2.5), [2], tf.int32, seed=3, name="p"),
            "e": tf.multinomial([[0.1, 0.9]], 5, seed=3), "f": tf.random.categorical([[1.0, 2.0]], 3, dtype=tf.int32, seed=4, name="c"),
            "h": tf.random.gamma([1], 2.0, 3.0, tf.float64, 8, "g")}


def program_seeds():
    tf.constant(1)
    before = tf.get_seed(None)
    tf.random.set_random_seed(9)
    return {"x": tf.constant(2), "before": [before[0] is None], "after": list(tf.random.get_seed(5))}


def program_candidate_samplers():
    tf.set_random_seed(5)
    true = tf.constant([[1], [3]], tf.int64)
    return {"a": tuple(tf.random.uniform_candidate_sampler(true, 1, 4, True, 10, seed=1)), "b": tuple(tf.nn.log_uniform_candidate_sampler(
        true, 1, 3, True, 20, seed=4, name="log")), "c": tuple(tf.random.fixed_unigram_candidate_sampler(
            true, 1, 2, False, 4, unigrams=[1, 2, 3, 4], distortion=0.5, seed=2)), "d": tf.random.all_candidate_sampler(true, 1, 5, True, seed=7).sampled_candidates,
            "e": tf.nn.learned_unigram_candidate_sampler(true, 1, 2, True, 6, seed=3).sampled_candidates}
