"""tf.metrics: counts of truth values, at thresholds, and what is made of them."""
import tensorflow as tf
from program import feeds


def steps(metric, placeholders=None, batches=()):
    value, update = metric
    fed = [feeds(dict(zip(placeholders, batch)), update=update) for batch in batches] or [dict(update=update)] * 2
    names = ",".join(v.name for v in tf.get_collection(tf.GraphKeys.METRIC_VARIABLES))
    return [dict(value=value, names=names), *fed, dict(value=value)]


def truths(dtype=tf.bool, shape=(None,)):
    return (tf.placeholder(dtype, shape, name="labels"), tf.placeholder(dtype, shape, name="predictions"))


BATCHES = [([1, 0, 1, 1], [1, 1, 0, 1]), ([0, 0], [0, 1])]


def counted(function, **options):
    pair = truths()
    return steps(function(*pair, **options), pair, BATCHES)


def program_true_positives():
    return counted(tf.metrics.true_positives)


def program_true_negatives():
    return counted(tf.metrics.true_negatives, name="tn")


def program_false_positives():
    return counted(tf.metrics.false_positives, metrics_collections=["m"], updates_collections=["u"])


def program_false_negatives():
    return counted(tf.metrics.false_negatives)


def program_false_negatives_of_numbers():
    return steps(tf.metrics.false_negatives(tf.constant([1, 0, 2]), tf.constant([0.0, 0.0, 0.5])))


def program_true_positives_weighted():
    return steps(tf.metrics.true_positives([True, False, True], [True, True, False], weights=[2.0, 1.0, 1.0]))


def program_true_positives_scalar_weight():
    return steps(tf.metrics.true_positives(tf.constant([1, 1]), tf.constant([1, 0]), weights=0.5))


def program_false_positives_unknown_rank():
    labels, predictions = truths(tf.int32, None)
    weights = tf.placeholder(tf.float32, name="weights")
    metric = tf.metrics.false_positives(labels, predictions, weights=weights)
    return steps(metric, [labels, predictions, weights], [([0, 1], [1, 1], [3.0, 1.0]), ([[0], [1]], [1, 0], 1.0)])


def program_precision():
    return counted(tf.metrics.precision)


def program_precision_weighted():
    pair = truths(tf.int64)
    weights = tf.placeholder(tf.float32, [None], name="weights")
    return steps(tf.metrics.precision(*pair, weights=weights), [*pair, weights],
                 [([1, 0, 1], [1, 1, 0], [1.0, 2.0, 3.0])])


def program_precision_of_nothing():
    return steps(tf.metrics.precision(tf.constant([0, 1]), tf.constant([0, 0])))


def program_precision_twice():
    a = tf.metrics.precision(tf.constant([0, 1]), tf.constant([1, 1]))
    b = tf.metrics.precision(tf.constant([0, 1]), tf.constant([0, 1]), name="p")
    return [dict(a=a[1], b=b[1]), dict(a=a[0], b=b[0])]


def program_recall():
    return counted(tf.metrics.recall)


def program_recall_column():
    return steps(tf.metrics.recall(tf.constant([[1], [0], [1]]), tf.constant([1, 1, 0]), weights=[[1.0], [1.0], [2.0]],
                                   name="r"))


def scored(shape=(None,), dtype=tf.float32):
    return tf.placeholder(tf.bool, shape, name="labels"), tf.placeholder(dtype, shape, name="scores")


SCORES = [([1, 0, 1, 1], [0.9, 0.4, 0.2, 0.55]), ([0, 0], [0.1, 0.8])]


def at(function, thresholds=(0.0, 0.5, 0.75), **options):
    pair = scored()
    return steps(function(*pair, list(thresholds), **options), pair, SCORES)


def program_true_positives_at_thresholds():
    return at(tf.metrics.true_positives_at_thresholds)


def program_true_negatives_at_thresholds():
    return at(tf.metrics.true_negatives_at_thresholds, name="tn")


def program_false_positives_at_thresholds():
    return at(tf.metrics.false_positives_at_thresholds, metrics_collections=["m"], updates_collections=["u"])


def program_false_negatives_at_thresholds():
    return at(tf.metrics.false_negatives_at_thresholds, weights=2.0)


def program_precision_at_thresholds():
    return at(tf.metrics.precision_at_thresholds)


def program_recall_at_thresholds():
    return at(tf.metrics.recall_at_thresholds, thresholds=[0.5])


def program_recall_at_thresholds_of_constants():
    return steps(tf.metrics.recall_at_thresholds(tf.constant([[1, 0], [1, 1]]), tf.constant([[0.9, 0.4], [0.2, 0.55]]),
                                                 [0.3, 0.6], weights=[[1.0], [0.5]]))


def program_precision_at_thresholds_doubles():
    pair = scored((3,), tf.float64)
    return steps(tf.metrics.precision_at_thresholds(*pair, thresholds=[0.5, 0.6]), pair,
                 [([True, False, True], [0.55, 0.7, 0.1])])


def program_sensitivity_at_specificity():
    pair = scored()
    return steps(tf.metrics.sensitivity_at_specificity(*pair, specificity=0.6), pair, SCORES)


def program_sensitivity_at_specificity_few():
    pair = scored()
    return steps(tf.metrics.sensitivity_at_specificity(*pair, 0.6, num_thresholds=4, weights=0.5, name="sens"), pair,
                 SCORES)


def program_specificity_at_sensitivity():
    pair = scored()
    return steps(tf.metrics.specificity_at_sensitivity(*pair, sensitivity=0.6), pair, SCORES)


def program_specificity_at_sensitivity_few():
    pair = scored()
    return steps(tf.metrics.specificity_at_sensitivity(*pair, 0.9, num_thresholds=5), pair, SCORES)
