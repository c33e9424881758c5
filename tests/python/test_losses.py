import numpy as np
import pytest

import rill as tf

LABELS, PREDICTIONS = [[1.0, 0.0], [0.0, 1.0]], [[0.9, 0.2], [0.3, 0.8]]


@pytest.fixture(autouse=True)
def graph():
    with tf.Graph().as_default() as graph:
        yield graph


@pytest.mark.parametrize("function", [
    tf.losses.absolute_difference, tf.losses.mean_squared_error, tf.losses.huber_loss, tf.losses.log_loss,
    tf.losses.hinge_loss, tf.losses.mean_pairwise_squared_error, tf.losses.sigmoid_cross_entropy,
    tf.losses.softmax_cross_entropy, tf.losses.sparse_softmax_cross_entropy])
def test_nothing_to_compare(function):
    with pytest.raises(ValueError, match="must not be None"):
        function(None, PREDICTIONS)
    with pytest.raises(ValueError, match="must not be None"):
        function(LABELS, None)


def test_shapes_that_do_not_fit():
    with pytest.raises(ValueError, match="are incompatible"):
        tf.losses.mean_squared_error([[1.0, 2.0]], [1.0])
    with pytest.raises(ValueError, match="are incompatible"):
        tf.losses.softmax_cross_entropy([[1.0, 2.0, 0.0]], [[1.0]])


def test_weights_that_do_not_fit():
    with pytest.raises(ValueError, match="weights can not be broadcast to values. values.rank=2. weights.rank=1"):
        tf.losses.mean_squared_error(LABELS, PREDICTIONS, weights=[1.0, 2.0])
    with pytest.raises(ValueError, match="weights can not be broadcast to values. Mismatch at dim 1"):
        tf.losses.mean_squared_error(LABELS, PREDICTIONS, weights=[[1.0, 2.0, 3.0], [1.0, 2.0, 3.0]])
    with pytest.raises(ValueError, match="None values not supported"):
        tf.losses.mean_squared_error(LABELS, PREDICTIONS, weights=None)


def test_weights_that_do_not_fit_in_the_step():
    weights = tf.placeholder(tf.float32)
    loss = tf.losses.mean_squared_error(LABELS, PREDICTIONS, weights=weights)
    with tf.Session() as session:
        with pytest.raises(tf.errors.InvalidArgumentError, match="weights can not be broadcast to values"):
            session.run(loss, {weights: [1.0, 2.0]})
        assert session.run(loss, {weights: [[1.0], [0.0]]}) == pytest.approx(0.025)


def test_reductions():
    with pytest.raises(ValueError, match="Invalid Reduction Key mean"):
        tf.losses.mean_squared_error(LABELS, PREDICTIONS, reduction="mean")
    with pytest.raises(ValueError, match="Invalid Reduction Key"):
        tf.losses.compute_weighted_loss([1.0], reduction=None)
    with pytest.raises(ValueError, match="Invalid Reduction Key no"):
        tf.losses.Reduction.validate("no")
    for reduction in tf.losses.Reduction.all():
        tf.losses.Reduction.validate(reduction)


def test_cosine_axis():
    with pytest.raises(ValueError, match="You must specify argument `axis`"):
        tf.losses.cosine_distance(LABELS, PREDICTIONS)
    with pytest.raises(ValueError, match="Cannot specify both 'dim' and 'axis'"):
        tf.losses.cosine_distance(LABELS, PREDICTIONS, axis=1, dim=1)


def test_no_losses():
    with pytest.raises(ValueError, match="at least one Tensor"):
        tf.losses.get_total_loss()
    assert tf.losses.get_losses() == [] == tf.losses.get_regularization_losses()


def test_collected_losses_are_the_tensors():
    loss = tf.losses.mean_squared_error(LABELS, PREDICTIONS)
    assert tf.losses.get_losses() == [loss]
    assert tf.losses.get_losses("other") == []
    tf.losses.add_loss(loss, loss_collection=None)
    assert len(tf.get_collection(tf.GraphKeys.LOSSES)) == 1


def test_sparse_labels_of_the_wrong_rank():
    with pytest.raises(ValueError, match="should equal rank of logits minus 1"):
        tf.losses.sparse_softmax_cross_entropy(tf.constant([[1, 2], [1, 2]]), tf.constant(np.ones((2, 3), np.float32)))


def test_broadcast_weights_of_the_internal_module():
    from tensorflow.python.ops import weights_broadcast_ops
    weights = weights_broadcast_ops.broadcast_weights([[1.0], [2.0]], tf.ones([2, 3]))
    with tf.Session() as session:
        np.testing.assert_array_equal(session.run(weights), [[1, 1, 1], [2, 2, 2]])


def test_contrib_names():
    losses = tf.contrib.losses
    logits, classes = tf.constant([[2.0, -1.0], [0.5, 3.0]]), tf.constant([0, 0])
    with tf.Session() as session:
        same = [(losses.mean_squared_error(PREDICTIONS, LABELS), tf.losses.mean_squared_error(LABELS, PREDICTIONS)),
                (losses.log_loss(PREDICTIONS, LABELS, epsilon=0.1), tf.losses.log_loss(LABELS, PREDICTIONS, epsilon=0.1)),
                (losses.softmax_cross_entropy(logits, LABELS), tf.losses.softmax_cross_entropy(LABELS, logits)),
                (losses.sparse_softmax_cross_entropy(logits, classes, weights=[1.0, 0.5]),
                 tf.losses.sparse_softmax_cross_entropy(classes, logits, weights=[1.0, 0.5])),
                (losses.absolute_difference(PREDICTIONS, LABELS, weights=[1.0, 0.5]),
                 tf.losses.absolute_difference(LABELS, PREDICTIONS, weights=[[1.0], [0.5]])),
                (losses.cosine_distance(PREDICTIONS, LABELS, dim=1),
                 tf.losses.cosine_distance(LABELS, PREDICTIONS, axis=1))]
        for ours, other in same:
            assert session.run(ours) == pytest.approx(session.run(other))
        assert session.run(losses.hinge_loss(logits, LABELS)).shape == (2, 2)
    assert len(losses.get_losses()) == 2 * len(same)
    with pytest.raises(ValueError, match="must not be None"):
        losses.mean_squared_error(PREDICTIONS)
