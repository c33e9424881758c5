"""Shapes, sizes and types of sparse tensors."""
import tensorflow as tf

from program import feeds


def placed(shape=(3, 4), **options):
    return tf.sparse_placeholder(tf.int32, shape, **options)


VALUE = tf.SparseTensorValue([[0, 1], [2, 3]], [5, 7], [3, 4]) if hasattr(tf, "SparseTensorValue") else None


def program_cast():
    x = placed(name="x")
    return feeds({x: VALUE}, y=tf.cast(x, tf.float32), same=tf.cast(x, tf.int32),
                 named=tf.cast(x, tf.int64, name="wide"), old=tf.to_int64(x))


def program_shape():
    x, y = placed(name="x"), placed(None, name="y")
    return feeds({x: VALUE, y: VALUE}, a=tf.shape(x), b=tf.shape(y, out_type=tf.int64), c=tf.shape(y, name="named"))


def program_size():
    x, y = placed(name="x"), placed(None, name="y")
    return feeds({x: VALUE, y: VALUE}, a=tf.size(x), b=tf.size(y, out_type=tf.int64, name="named"))


def program_rank():
    x, y = placed(name="x"), placed(None, name="y")
    return feeds({x: VALUE, y: VALUE}, a=tf.rank(x), b=tf.rank(y, name="named"))
