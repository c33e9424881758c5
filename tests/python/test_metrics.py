import numpy as np
import pytest

import rill as tf


@pytest.fixture(autouse=True)
def graph():
    with tf.Graph().as_default() as graph:
        yield graph


def counted(metric, updates=1):
    """The value after some updates."""
    value, update = metric
    with tf.Session() as session:
        session.run(tf.local_variables_initializer())
        for _ in range(updates):
            session.run(update)
        return session.run(value)


@pytest.mark.parametrize("in_one_run", [True, False])
def test_auc_read_before_and_after_updates(in_one_run):
    """What TensorFlow programs print that fetch the value, then the update, or both at once.

    Fetched at once they race in TensorFlow; here the value is always that from before the update.
    """
    x_1 = [0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.8, 0.8, 0.9, 1]
    x_2 = [1, 0.9, 0.8, 0.7, 0.6, 0.5, 0.4, 0.3, 0.2, 0.1]
    y = [1, 1, 1, 1, 1, 0, 0, 0, 0, 0]
    x_placeholder, y_placeholder = tf.placeholder(tf.float64, [10]), tf.placeholder(tf.bool, [10])
    auc = tf.metrics.auc(labels=y_placeholder, predictions=x_placeholder)
    initializer = tf.group(tf.global_variables_initializer(), tf.local_variables_initializer())
    found = []
    with tf.Session() as session:
        session.run(initializer)
        for x in [x_1, x_2] * 3:
            fed = {x_placeholder: x, y_placeholder: y}
            found.append(session.run(auc, fed) if in_one_run else [session.run(auc[0]), session.run(auc[1], fed)])
    values = [1.999999e-07, 0.48999995, 0.32444444, 0.48999995, 0.3904, 0.48999998]
    np.testing.assert_allclose([after for _, after in found], values, atol=1e-6)
    np.testing.assert_allclose([before for before, _ in found], [0.0, *values[:-1]], atol=1e-6)


def test_uninitialised_variables_are_told():
    value, _ = tf.metrics.mean([1.0])
    with tf.Session() as session, pytest.raises(tf.errors.FailedPreconditionError, match="uninitialized"):
        session.run(value)


def test_reset():
    a, b = tf.metrics.mean([1.0], name="a"), tf.metrics.mean([3.0], name="b")
    one, both = tf.metrics.reset("a"), tf.metrics.reset()
    with tf.Session() as session:
        session.run(both)
        session.run([a[1], b[1]])
        assert session.run([a[0], b[0]]) == [1.0, 3.0]
        session.run(one)
        assert session.run([a[0], b[0]]) == [0.0, 3.0]
        session.run(both)
        assert session.run([a[0], b[0]]) == [0.0, 0.0]


@pytest.mark.parametrize("options, message", [
    (dict(curve="XY"), "Curve must be either ROC or PR. Curve XY is unknown"),
    (dict(summation_method="midpoint"), "Invalid summation_method: midpoint")])
def test_auc_options(options, message):
    with pytest.raises(ValueError, match=message):
        tf.metrics.auc([0, 1], [0.2, 0.8], **options)


def test_rates():
    with pytest.raises(ValueError, match="`specificity` must be in the range"):
        tf.metrics.sensitivity_at_specificity([0, 1], [0.2, 0.8], 1.5)
    with pytest.raises(ValueError, match="`sensitivity` must be in the range"):
        tf.metrics.specificity_at_sensitivity([0, 1], [0.2, 0.8], -0.5)


def test_predictions_out_of_range():
    with pytest.raises(tf.errors.InvalidArgumentError, match="predictions must be in"):
        tf.metrics.auc([0, 1], [0.2, 1.8])
    fed = tf.placeholder(tf.float32, [2])
    _, update = tf.metrics.auc([0, 1], fed)
    with tf.Session() as session:
        session.run(tf.local_variables_initializer())
        with pytest.raises(tf.errors.InvalidArgumentError, match="predictions must be in"):
            session.run(update, {fed: [0.2, -1.0]})


def test_shapes_that_do_not_fit():
    with pytest.raises(ValueError, match="are incompatible"):
        tf.metrics.accuracy([1, 2, 3], [1, 2])
    with pytest.raises(ValueError, match="weights can not be broadcast"):
        tf.metrics.mean([1.0, 2.0], weights=[[[1.0]]])
    with pytest.raises(ValueError, match="Unexpected labels shape"):
        tf.metrics.precision_at_k(tf.constant(1, tf.int64), tf.constant([[0.1, 0.9]]), 1)


def test_k():
    with pytest.raises(ValueError, match="Invalid k=0"):
        tf.metrics.average_precision_at_k(tf.constant([[1]], tf.int64), tf.constant([[0.1, 0.9]]), 0)


def test_labels_out_of_bound():
    labels = tf.placeholder(tf.int32, [2])
    _, update = tf.metrics.mean_iou(labels, tf.constant([0, 1]), 2)
    with tf.Session() as session:
        session.run(tf.local_variables_initializer())
        with pytest.raises(tf.errors.InvalidArgumentError, match="`labels` out of bound"):
            session.run(update, {labels: [0, 5]})


def test_mean_tensor_of_unknown_shape():
    with pytest.raises(ValueError, match="partially known TensorShape"):
        tf.metrics.mean_tensor(tf.placeholder(tf.float32, [None, 2]))


def test_resource_variables_count_the_same():
    with tf.variable_scope("r", use_resource=True):
        assert counted(tf.metrics.precision([1, 0, 1], [1, 1, 1]), 2) == pytest.approx(2 / 3)
        assert counted(tf.metrics.auc([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8])) == pytest.approx(0.75, abs=1e-3)
        assert counted(tf.metrics.mean_per_class_accuracy(tf.constant([0, 1, 1]), tf.constant([0, 1, 0]), 2)) == 0.75


def test_metric_of_ones_own():
    from tensorflow.python.ops import metrics_impl
    total = metrics_impl.metric_variable([2], tf.float32, name="mine")
    assert total.name == "mine:0" and total.shape == [2]
    assert tf.get_collection(tf.GraphKeys.METRIC_VARIABLES) == [total] == tf.local_variables()


def test_contrib_names():
    metrics = tf.contrib.metrics
    assert counted(metrics.streaming_accuracy([1, 2, 3], [1, 2, 0])) == pytest.approx(2 / 3)
    assert counted(metrics.streaming_precision([1, 1], [1, 0])) == 0.5
    assert counted(metrics.streaming_recall([1, 0], [1, 1])) == 0.5
    assert counted(metrics.streaming_mean([1.0, 3.0]), 2) == 2
    assert counted(metrics.streaming_auc([0.1, 0.4, 0.35, 0.8], [0, 0, 1, 1])) == pytest.approx(0.75, abs=1e-3)
    assert counted(metrics.streaming_root_mean_squared_error([1.0, 2.0], [1.0, 4.0])) == pytest.approx(2 ** 0.5)
    assert counted(metrics.streaming_percentage_less([1.0, 3.0], 2.0)) == 0.5
    assert counted(metrics.streaming_recall_at_k([[0.1, 0.9], [0.8, 0.2]], tf.constant([1, 1]), 1)) == 0.5
    assert counted(metrics.count([1.0, 3.0]), 2) == 4
    assert counted(metrics.f1_score([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8])) == pytest.approx(0.8, abs=1e-4)
    with tf.Session() as session:
        assert session.run(metrics.accuracy([1, 2], [1, 1])) == 0.5
        assert session.run(metrics.confusion_matrix([0, 1], [1, 1])).tolist() == [[0, 1], [0, 1]]


def test_contrib_rates():
    metrics = tf.contrib.metrics
    predictions, labels = [1, 1, 0, 1], [1, 0, 1, 0]
    assert counted(metrics.streaming_false_positive_rate(predictions, labels), 2) == 1.0
    assert counted(metrics.streaming_false_negative_rate(predictions, labels)) == 0.5
    chosen, classes = tf.constant([[1, 2], [0, 1]], tf.int64), tf.constant([[1], [1]], tf.int64)
    assert counted(metrics.streaming_sparse_precision_at_top_k(chosen, classes)) == 0.5
    assert counted(metrics.streaming_sparse_average_precision_at_top_k(chosen, classes)) == 0.75
    first, second = [0, 0, 0, 0, 1, 1, 1, 1, 2, 2], [0, 0, 0, 1, 1, 1, 0, 1, 2, 0]
    expected = (7 - (4 * 5 + 4 * 4 + 2 * 1) / 10) / (10 - (4 * 5 + 4 * 4 + 2 * 1) / 10)
    assert counted(metrics.cohen_kappa(first, second, 3)) == pytest.approx(expected)
    assert counted(metrics.cohen_kappa(first, second, 3, weights=[2.0] * 10), 3) == pytest.approx(expected)
    with pytest.raises(ValueError, match="`num_classes` must be >= 2"):
        metrics.cohen_kappa(first, second, 1)


def test_contrib_statistics():
    x, y = np.array([1.0, 2.0, 3.0, 5.0], np.float32), np.array([2.0, 1.0, 4.0, 7.0], np.float32)
    fed = tf.placeholder(tf.float32, [None]), tf.placeholder(tf.float32, [None])
    covariance = tf.contrib.metrics.streaming_covariance(*fed)
    correlation = tf.contrib.metrics.streaming_pearson_correlation(*fed)
    with tf.Session() as session:
        session.run(tf.local_variables_initializer())
        assert np.isnan(session.run(covariance[0]))
        for half in (slice(0, 1), slice(1, 4)):
            session.run([covariance[1], correlation[1]], {fed[0]: x[half], fed[1]: y[half]})
        assert session.run(covariance[0]) == pytest.approx(np.cov(x, y)[0, 1], rel=1e-5)
        assert session.run(correlation[0]) == pytest.approx(np.corrcoef(x, y)[0, 1], rel=1e-5)


@pytest.mark.parametrize("axis", [0, 1, -1])
def test_contrib_concat(axis):
    fed = tf.placeholder(tf.int32, [None, 2] if axis == 0 else [2, None])
    value, update = tf.contrib.metrics.streaming_concat(fed, axis=axis)
    short, update_short = tf.contrib.metrics.streaming_concat(fed, axis=axis, max_size=3)
    batches = [np.arange(2 * n).reshape([n, 2] if axis == 0 else [2, n]) + 10 * n for n in (1, 0, 3, 2, 5)]
    whole = np.concatenate(batches, axis)
    with tf.Session() as session:
        session.run(tf.local_variables_initializer())
        assert session.run(value).shape == ((0, 2) if axis == 0 else (2, 0))
        for batch in batches:
            session.run([update, update_short], {fed: batch})
        np.testing.assert_array_equal(session.run(value), whole)
        np.testing.assert_array_equal(session.run(short), np.take(whole, range(3), axis))


def test_contrib_concat_of_unknown_rows():
    with pytest.raises(ValueError, match="other than `axis` must be statically known"):
        tf.contrib.metrics.streaming_concat(tf.placeholder(tf.float32, [None, None]))
    with pytest.raises(ValueError, match="axis = 2 not in"):
        tf.contrib.metrics.streaming_concat(tf.constant([[1.0]]), axis=2)


def test_contrib_aggregates():
    a, b = tf.metrics.mean([1.0]), tf.metrics.mean([2.0])
    assert tf.contrib.metrics.aggregate_metrics(a, b) == ([a[0], b[0]], [a[1], b[1]])
    values, updates = tf.contrib.metrics.aggregate_metric_map({"a": a, "b": b})
    assert values == {"a": a[0], "b": b[0]} and updates == {"a": a[1], "b": b[1]}
    with pytest.raises(ValueError, match="at least one"):
        tf.contrib.metrics.aggregate_metrics()
