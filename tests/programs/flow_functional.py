"""map_fn, foldl, foldr and scan."""
import collections

import numpy as np
import tensorflow as tf
from program import feeds

Pair = collections.namedtuple("Pair", ["first", "second"])


def program_map():
    x = tf.placeholder(tf.float32, [None, 2])
    y = tf.map_fn(lambda v: v * 2.0, x)
    return feeds({x: [[1, 2], [3, 4], [5, 6]]}, y=y, shape=str(y.shape))


def program_map_known():
    return {"y": tf.map_fn(lambda v: v + 1, np.array([1, 2, 3], np.int32))}


def program_map_unknown_rank():
    x = tf.placeholder(tf.float32)
    y = tf.map_fn(lambda v: tf.square(v), x, name="squares")
    return feeds({x: [1, 2, 3]}, y=y, shape=str(y.shape))


def program_map_several():
    x = tf.placeholder(tf.float32, [3, 2])
    y = tf.constant([1, 2, 3])
    return feeds({x: np.ones([3, 2])}, z=tf.map_fn(
        lambda v: (v[0] * 2.0, tf.raw_ops.Cast(x=v[1], DstT=tf.int64)), (x, y), dtype=(tf.float32, tf.int64),
        parallel_iterations=4, name="m"))


def program_map_structures():
    x = tf.placeholder(tf.float32, [3])
    return feeds({x: [1, 2, 3]}, z=tf.map_fn(
        lambda v: {"a": v, "b": [v * 2.0, v + 1.0]}, x, dtype={"a": tf.float32, "b": [tf.float32, tf.float32]}))


def program_map_named_tuple():
    pair = Pair(tf.constant([1.0, 2.0]), tf.constant([3.0, 4.0]))
    z = tf.map_fn(lambda p: Pair(p.second, p.first), pair)
    return {"z": [z.first, z.second]}


def program_map_to_single():
    a, b = tf.constant([1.0, 2.0]), tf.constant([3.0, 4.0])
    return {"z": tf.map_fn(lambda v: v[0] * v[1], (a, b), dtype=tf.float32)}


def program_map_changing_shape():
    x = tf.constant([1, 2, 3])
    return {"z": tf.map_fn(lambda n: tf.fill([2], n), x, infer_shape=False)}


def program_map_constant_result():
    x = tf.constant([1.0, 2.0])
    return {"z": tf.map_fn(lambda v: 1.0, x)}


def program_map_no_back_prop():
    x = tf.constant([1.0, 2.0])
    return {"z": tf.map_fn(lambda v: v + 1.0, x, back_prop=False, swap_memory=True)}


def program_map_captures():
    w = tf.constant(3.0)
    return {"z": tf.map_fn(lambda v: v * w, tf.constant([1.0, 2.0]))}


def program_map_empty():
    return {"z": tf.map_fn(lambda v: v + 1.0, np.zeros([0, 2], np.float32))}


def program_map_nested():
    x = tf.constant([[1.0, 2.0], [3.0, 4.0]])
    return {"z": tf.map_fn(lambda row: tf.map_fn(lambda v: v * v, row), x)}


def program_foldl():
    x = tf.placeholder(tf.float32, [3, 2])
    return feeds({x: [[1, 2], [3, 4], [5, 6]]}, z=tf.foldl(lambda a, v: a * 2.0 + v, x))


def program_foldl_initializer():
    x = tf.placeholder(tf.float32, [None])
    return feeds({x: [1, 2, 3]}, z=tf.foldl(lambda a, v: a - v, x, initializer=10.0, name="down",
                                           parallel_iterations=1, swap_memory=True))


def program_foldl_structures():
    x = tf.constant([1.0, 2.0, 3.0])
    return {"z": tf.foldl(lambda a, v: (a[0] + v, a[1] * v), x, initializer=(0.0, 1.0))}


def program_foldl_elements():
    x = tf.constant([1.0, 2.0, 3.0])
    return {"z": tf.foldl(lambda a, v: a + v[0] * v[1], (x, x), initializer=tf.constant(0.0))}


def program_foldr():
    x = tf.placeholder(tf.float32, [None, 2])
    return feeds({x: [[1, 2], [3, 4], [5, 6]]}, z=tf.foldr(lambda a, v: a * 2.0 + v, x))


def program_foldr_initializer():
    x = tf.placeholder(tf.float32, [3])
    return feeds({x: [1, 2, 3]}, z=tf.foldr(lambda a, v: a - v, x, initializer=tf.constant(10.0), back_prop=False))


def program_foldr_known():
    return {"z": tf.foldr(lambda a, v: a * v, tf.constant([1, 2, 3]))}


def program_scan():
    x = tf.placeholder(tf.float32, [None, 2])
    y = tf.scan(lambda a, v: a + v, x)
    return feeds({x: [[1, 2], [3, 4], [5, 6]]}, y=y, shape=str(y.shape))


def program_scan_initializer():
    x = tf.constant([1, 2, 3, 4])
    return {"z": tf.scan(lambda a, v: a * v, x, initializer=tf.constant(1), name="products")}


def program_scan_value_initializer():
    x = tf.constant([1, 2, 3, 4])
    return {"z": tf.scan(lambda a, v: a + v, x, initializer=0)}


def program_scan_reverse():
    x = tf.placeholder(tf.float32, [None])
    return feeds({x: [1, 2, 3]}, a=tf.scan(lambda a, v: a + v, x, reverse=True),
                 b=tf.scan(lambda a, v: a + v, x, initializer=tf.constant(10.0), reverse=True))


def program_scan_reverse_known():
    x = tf.constant([1.0, 2.0, 3.0])
    return {"a": tf.scan(lambda a, v: a - v, x, reverse=True)}


def program_scan_structures():
    x = tf.constant([1.0, 2.0, 3.0])
    return {"z": tf.scan(lambda a, v: (a[1], a[0] + v), x, initializer=(tf.constant(0.0), tf.constant(1.0)))}


def program_scan_infer_shape():
    x = tf.constant([1.0, 2.0, 3.0])
    return {"z": tf.scan(lambda a, v: a + v, x, infer_shape=False, parallel_iterations=2)}
