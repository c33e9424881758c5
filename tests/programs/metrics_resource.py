"""tf.metrics that count in resource variables."""
import tensorflow as tf

LABELS, SCORES = [0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8]


def steps(make):
    with tf.variable_scope("eval", use_resource=True):
        value, update = make()
    return [dict(update=update), dict(update=update), dict(value=value)]


def program_mean_weighted():
    return steps(lambda: tf.metrics.mean(tf.constant([1.0, 3.0]), weights=[1.0, 3.0]))


def program_mean_tensor():
    return steps(lambda: tf.metrics.mean_tensor(tf.constant([1.0, 3.0])))


def program_accuracy():
    return steps(lambda: tf.metrics.accuracy(tf.constant([1, 2]), tf.constant([1, 3])))


def program_root_mean_squared_error():
    return steps(lambda: tf.metrics.root_mean_squared_error(tf.constant([1.0, 2.0]), tf.constant([1.0, 3.0])))


def program_true_positives():
    return steps(lambda: tf.metrics.true_positives(tf.constant([1, 1]), tf.constant([1, 0])))


def program_precision():
    return steps(lambda: tf.metrics.precision(tf.constant([1, 0, 1]), tf.constant([1, 1, 0])))


def program_recall():
    return steps(lambda: tf.metrics.recall(tf.constant([1, 0, 1]), tf.constant([1, 1, 0])))


def program_auc():
    return steps(lambda: tf.metrics.auc(tf.constant(LABELS), tf.constant(SCORES), num_thresholds=10))


def program_auc_pr_careful():
    return steps(lambda: tf.metrics.auc(tf.constant(LABELS), tf.constant(SCORES), num_thresholds=10, curve="PR",
                                        summation_method="careful_interpolation"))


def program_false_negatives_at_thresholds():
    return steps(lambda: tf.metrics.false_negatives_at_thresholds(tf.constant(LABELS), tf.constant(SCORES), [0.5]))


def program_precision_at_thresholds():
    return steps(lambda: tf.metrics.precision_at_thresholds(tf.constant(LABELS), tf.constant(SCORES), [0.3, 0.5]))


def program_sensitivity_at_specificity():
    return steps(lambda: tf.metrics.sensitivity_at_specificity(tf.constant(LABELS), tf.constant(SCORES), 0.8,
                                                               num_thresholds=5))


def program_specificity_at_sensitivity():
    return steps(lambda: tf.metrics.specificity_at_sensitivity(tf.constant(LABELS), tf.constant(SCORES), 0.8,
                                                               num_thresholds=5))


def program_mean_iou():
    return steps(lambda: tf.metrics.mean_iou(tf.constant([0, 1, 1]), tf.constant([0, 1, 0]), 2))


def program_mean_per_class_accuracy():
    return steps(lambda: tf.metrics.mean_per_class_accuracy(tf.constant([0, 1, 1]), tf.constant([0, 1, 0]), 2))


def program_precision_at_k():
    return steps(lambda: tf.metrics.precision_at_k(tf.constant([[1], [0]], tf.int64),
                                                   tf.constant([[0.1, 0.9], [0.2, 0.8]]), 1))


def program_average_precision_at_k():
    return steps(lambda: tf.metrics.average_precision_at_k(tf.constant([[1], [0]], tf.int64),
                                                           tf.constant([[0.1, 0.9], [0.2, 0.8]]), 2))
