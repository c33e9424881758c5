"""tf.metrics: means of values and errors."""
import numpy as np
import tensorflow as tf
from program import feeds


def steps(metric, placeholders=None, batches=()):
    """The value before, after each update and at the end."""
    value, update = metric
    fed = [feeds(dict(zip(placeholders, batch)), update=update) for batch in batches] or [dict(update=update)] * 2
    names = ",".join(v.name for v in tf.get_collection(tf.GraphKeys.METRIC_VARIABLES))
    local = ",".join(v.name for v in tf.local_variables())
    first = dict(value=value, names=names, local=local, count=len(tf.global_variables()))
    return [first, *fed, dict(value=value)]


def values(shape=(None,), dtype=tf.float32, name="values"):
    return tf.placeholder(dtype, None if shape is None else list(shape), name=name)


def program_mean():
    x = values()
    return steps(tf.metrics.mean(x), [x], [([1.0, 2.0],), ([6.0],)])


def program_mean_of_constant():
    return steps(tf.metrics.mean(tf.constant([[1.0, 2.0], [3.0, 5.0]])))


def program_mean_of_list():
    return steps(tf.metrics.mean([1, 2, 6]))


def program_mean_of_integers_named():
    return steps(tf.metrics.mean(tf.constant([1, 2, 6]), name="average"))


def program_mean_twice_in_scope():
    with tf.variable_scope("eval"):
        a = tf.metrics.mean(tf.constant([1.0, 3.0]))
        b = tf.metrics.mean(tf.constant([5.0, 7.0]))
        c = tf.metrics.mean(tf.constant([5.0, 7.0]), name="mine")
        d = tf.metrics.mean(tf.constant([6.0, 7.0]), name="mine")
    return [dict(a=a[1], b=b[1], c=c[1], d=d[1]), dict(a=a[0], b=b[0], c=c[0], d=d[0])]


def program_mean_scalar_weight():
    return steps(tf.metrics.mean(tf.constant([1.0, 3.0]), weights=2.0))


def program_mean_vector_weights():
    return steps(tf.metrics.mean(tf.constant([1.0, 3.0]), weights=[1, 3]))


def program_mean_column_weights():
    return steps(tf.metrics.mean(tf.constant([1.0, 3.0]), weights=tf.constant([[1.0], [3.0]])))


def program_mean_row_weights():
    return steps(tf.metrics.mean(tf.constant([[1.0, 3.0], [5.0, 7.0]]), weights=tf.constant([1.0, 2.0])))


def program_mean_broadcast_weights():
    x = values((None, 2))
    return steps(tf.metrics.mean(x, weights=tf.constant([[1.0, 0.0]])), [x], [([[1.0, 3.0], [5.0, 7.0]],)])


def program_mean_unknown_weights():
    x, w = values(None), values(None, name="weights")
    return steps(tf.metrics.mean(x, weights=w), [x, w],
                 [([1.0, 2.0], 2.0), ([1.0, 2.0], [1.0, 0.0]), ([1.0, 2.0], [[1.0], [0.0]]),
                  ([[1.0, 2.0], [3.0, 4.0]], [1.0, 0.0])])


def program_mean_unknown_values_known_weights():
    x = values(None)
    return steps(tf.metrics.mean(x, weights=tf.constant([1.0, 3.0])), [x], [([1.0, 2.0],)])


def program_mean_collections():
    value, update = tf.metrics.mean(tf.constant([1.0, 3.0]), metrics_collections=["a", "b"],
                                    updates_collections=tf.GraphKeys.UPDATE_OPS)
    found = [tf.get_collection(key) for key in ("a", "b", tf.GraphKeys.UPDATE_OPS)]
    same = found == [[value], [value], [update]]
    return [dict(same=str(same), update=update), dict(value=value)]


def program_mean_of_nothing():
    x = values()
    return steps(tf.metrics.mean(x), [x], [([],)])


def program_mean_resource():
    with tf.variable_scope("resource", use_resource=True):
        return steps(tf.metrics.mean(tf.constant([1.0, 3.0])))


def program_mean_tensor():
    x = tf.placeholder(tf.float32, [3], name="values")
    return steps(tf.metrics.mean_tensor(x), [x], [([1.0, 2.0, 3.0],), ([3.0, 2.0, 0.0],)])


def program_mean_tensor_weighted():
    return steps(tf.metrics.mean_tensor(tf.constant([[1.0, 2.0]]), weights=[[1.0, 0.0]], name="tensor"))


def program_accuracy():
    labels, predictions = values(dtype=tf.int64, name="labels"), values(dtype=tf.int64, name="predictions")
    return steps(tf.metrics.accuracy(labels, predictions), [labels, predictions],
                 [([1, 2, 3], [1, 2, 0]), ([4], [4])])


def program_accuracy_other_types():
    return steps(tf.metrics.accuracy(tf.constant([1, 2, 3]), tf.constant([1.0, 2.0, 4.0])))


def program_accuracy_column():
    return steps(tf.metrics.accuracy(tf.constant([[1], [2]]), tf.constant([1, 0]), weights=[1.0, 3.0]))


def program_accuracy_unknown_ranks():
    labels, predictions = values(None, tf.int32, "labels"), values(None, tf.int32, "predictions")
    return steps(tf.metrics.accuracy(labels, predictions, name="acc"), [labels, predictions],
                 [([1, 2, 3], [1, 2, 0]), ([[4], [5]], [4, 0]), ([4, 5], [[4], [5]])])


def program_accuracy_strings():
    return steps(tf.metrics.accuracy(tf.constant(["a", "b"]), tf.constant(["a", "c"])))


LABELS = [[1.0, 0.0], [2.0, 4.0]]
PREDICTIONS = [[1.5, 0.0], [0.0, 3.0]]


def pair():
    return tf.constant(LABELS, name="labels"), tf.constant(PREDICTIONS, name="predictions")


def program_mean_absolute_error():
    return steps(tf.metrics.mean_absolute_error(*pair()))


def program_mean_absolute_error_weighted():
    return steps(tf.metrics.mean_absolute_error(*pair(), weights=[[1.0], [0.0]], name="mae"))


def program_mean_squared_error():
    return steps(tf.metrics.mean_squared_error(*pair()))


def program_mean_squared_error_of_lists():
    return steps(tf.metrics.mean_squared_error(LABELS, PREDICTIONS, weights=0.5))


def program_root_mean_squared_error():
    return steps(tf.metrics.root_mean_squared_error(*pair(), metrics_collections="values"))


def program_root_mean_squared_error_column():
    return steps(tf.metrics.root_mean_squared_error(tf.constant([[1.0], [2.0]]), tf.constant([1.0, 4.0]),
                                                    weights=[[1.0], [3.0]]))


def program_mean_relative_error():
    return steps(tf.metrics.mean_relative_error(*pair(), normalizer=tf.constant([[1.0, 0.0], [2.0, 4.0]])))


def program_mean_relative_error_list():
    return steps(tf.metrics.mean_relative_error(tf.constant([1.0, 2.0]), tf.constant([2.0, 2.5]), [[4.0], [2.0]]))


def program_mean_cosine_distance():
    a = np.array([[1.0, 0.0], [0.6, 0.8]], np.float32)
    return steps(tf.metrics.mean_cosine_distance(tf.constant(a), tf.constant(a[::-1].copy()), 1,
                                                 updates_collections=["updates"]))


def program_mean_cosine_distance_weighted():
    a = tf.constant([[1.0, 0.0], [0.6, 0.8]])
    return steps(tf.metrics.mean_cosine_distance(a, a * 0.5, dim=1, weights=[[1.0], [3.0]], name="cos"))


def program_percentage_below():
    x = values()
    return steps(tf.metrics.percentage_below(x, 2.0), [x], [([1.0, 2.0, 3.0],), ([0.0],)])


def program_percentage_below_weighted():
    return steps(tf.metrics.percentage_below(tf.constant([1.0, 5.0]), 2.0, weights=[3.0, 1.0], name="below"))
