"""Errors of tf.nn, and what TensorFlow 2.15 does in other nodes than 1.15."""
import numpy as np
import pytest

import rill as tf


@pytest.fixture(autouse=True)
def graph():
    with tf.Graph().as_default() as g:
        yield g


def value(fetches):
    with tf.Session() as session:
        return session.run(fetches)


def images(*shape, dtype=tf.float32):
    return tf.placeholder(dtype, shape)


F = np.ones((3, 3, 3, 4), np.float32)
LOGITS = [[1.0, 2.0, 3.0]]
IDS = tf.SparseTensorValue([[0, 0]], [1], [1, 1])


@pytest.mark.parametrize("call, error, phrase", [
    (lambda x: tf.nn.conv2d(x, F, [1, 2, 3], "SAME"), ValueError, "strides should be of length 1, 2 or 4"),
    (lambda x: tf.nn.conv2d(x, F, 1, "SAME", dilations=[1, 2, 3]), ValueError, "dilations should be of length"),
    (lambda x: tf.nn.conv2d(x, F, 1, "EXPLICIT"), ValueError, "'EXPLICIT' is not a valid value for `padding`"),
    (lambda x: tf.nn.conv2d(x, F, 1, [[0, 0], [1, 1]]), ValueError, "it must be of size 4"),
    (lambda x: tf.nn.conv2d(x, F, 1, [[0], [1], [1], [0]]), ValueError, "must be a list/tuple of size 2"),
    (lambda x: tf.nn.conv2d(x, F, 1, [1, 2, 3, 4]), ValueError, "must be a list/tuple of size 2"),
    (lambda x: tf.nn.conv2d(x, F, 1, None), TypeError, "Expected string for argument 'padding'"),
    (lambda x: tf.nn.conv2d(x, F, 1, "OTHER"), ValueError, "OTHER"),
    (lambda x: tf.nn.conv2d(x, F, filters=F, strides=1, padding="SAME"), ValueError,
     "Cannot specify both 'filter' and 'filters'"),
    (lambda x: tf.nn.conv2d(x, None, 1, "SAME"), ValueError, "None values not supported"),
    (lambda x: tf.nn.conv1d(x, input=x, filters=F, stride=1, padding="SAME"), ValueError,
     "Cannot specify both 'value' and 'input'"),
    (lambda x: tf.nn.conv1d(x, F, 1, "SAME", data_format="NHC"), ValueError, "must be 'NWC' or 'NCW'"),
    (lambda x: tf.nn.convolution(x, F, "SAME", strides=[2, 2], dilation_rate=[2, 2]), ValueError,
     "`strides > 1` not supported in conjunction with `dilation_rate > 1`"),
    (lambda x: tf.nn.convolution(x, np.ones((3, 4)), "SAME"), ValueError, "must be 1, 2, or 3"),
    (lambda x: tf.nn.convolution(x, np.ones((3, 3, 2, 4), np.float32), "SAME", dilation_rate=[2, 2]), ValueError,
     "does not match corresponding dimension of filter, 3 != 2"),
    (lambda x: tf.nn.convolution(x, F, "SAME", dilation_rate=[0, 2]), ValueError, "must be positive"),
    (lambda x: tf.nn.convolution(tf.placeholder(tf.float32), tf.placeholder(tf.float32), "SAME"), ValueError,
     "must be known"),
    (lambda x: tf.nn.conv_transpose(x, F, [1, 2], 1), ValueError, "must be of length 3, 4 or 5"),
    (lambda x: tf.nn.atrous_conv2d_transpose(x, np.ones((3, 3, 4, 3), np.float32), [1, 5, 5, 4], 0, "SAME"),
     ValueError, "`rate` cannot be less than one"),
    (lambda x: tf.nn.atrous_conv2d_transpose(x, F, [1, 5, 5, 3], 2, "SAME"), ValueError, "channel count"),
    (lambda x: tf.nn.atrous_conv2d_transpose(x, np.ones((3, 3, 4, 3), np.float32), [1, 5, 5, 4], 2, "ANY"),
     ValueError, "either 'VALID' or 'SAME'"),
    (lambda x: tf.nn.separable_conv2d(x, F, np.ones((2, 1, 12, 4), np.float32), 1, "SAME"), ValueError,
     "pointwise filter"),
    (lambda x: tf.nn.with_space_to_batch(x, [2, 2], "SAME", None), ValueError, "`filter_shape` must be specified"),
    (lambda x: tf.nn.with_space_to_batch(x, [2, 2], "VALID", None, spatial_dims=[2, 1]), ValueError,
     "monotonically increasing"),
    (lambda x: tf.nn.with_space_to_batch(x, [], "VALID", None), ValueError, "vector of known length"),
    (lambda x: tf.nn.with_space_to_batch(x, [1, 1], "VALID", lambda *_: None), ValueError, "None values not supported"),
    (lambda x: tf.nn.with_space_to_batch(x, [1, 1], "VALID", 3), TypeError, "not callable"),
    (lambda x: tf.nn.with_space_to_batch(x, [0, 2], "VALID", None), ValueError, "must be positive"),
    (lambda x: tf.nn.with_space_to_batch(x, [2] * 5, "VALID", None), ValueError, "must be at least"),
    (lambda x: tf.nn.max_pool(x, [2, 2, 2], 1, "SAME"), ValueError, "ksize should be of length 1, 2 or 4"),
    (lambda x: tf.nn.max_pool(x, 0, 1, "SAME"), ValueError, "`ksize` cannot be zero"),
    (lambda x: tf.nn.max_pool(x, 2, 1, "SAME", input=x), ValueError, "Cannot specify both 'value' and 'input'"),
    (lambda x: tf.nn.max_pool_v2(images(2, 2), 2, 1, "SAME"), ValueError, "must be 3, 4 or 5"),
    (lambda x: tf.nn.max_pool_with_argmax(x, [1, 2, 2, 1], [1, 1, 1, 1], "SAME", data_format="NCHW"), ValueError,
     "not supported"),
    (lambda x: tf.nn.pool(x, [2, 2], "MAX", "SAME", dilation_rate=[2, 2]), ValueError, "is not implemented"),
    (lambda x: tf.nn.pool(x, [2, 2], "MAX", "SAME", strides=[3, 3]), ValueError, "`strides` > `window_shape`"),
    (lambda x: tf.nn.pool(x, [2, 2], "SUM", "SAME"), ValueError, "2-D SUM pooling is not supported"),
    (lambda x: tf.nn.pool(x, [2, 2, 2, 2], "MAX", "SAME"), ValueError, "must be 1, 2, or 3"),
    (lambda x: tf.nn.pool(x, [2], "MAX", "SAME"), ValueError, "must have rank 3"),
    (lambda x: tf.nn.bias_add(x, [1.0, 2.0, 3.0], data_format="HW"), ValueError, "of the form `N...C` or `NC...`"),
    (lambda x: tf.nn.dropout(x), ValueError, "`rate` must be provided"),
    (lambda x: tf.nn.dropout(x, 1.5), ValueError, r"in the range \[0, 1\)"),
    (lambda x: tf.nn.dropout(x, rate=1.0), ValueError, r"in the range \[0, 1\)"),
    (lambda x: tf.nn.dropout(x, 0.5, rate=0.5), ValueError, "Cannot specify both 'keep_prob' and 'rate'"),
    (lambda x: tf.nn.dropout([1, 2], 0.5), ValueError, "has to be a floating point tensor"),
    (lambda x: tf.nn.dropout(x, rate=tf.constant(0.5, tf.float64)), ValueError, "must be compatible"),
    (lambda x: tf.nn.dropout(x, rate=tf.constant([0.5])), ValueError, "must have rank 0"),
    (lambda x: tf.nn.dropout(images(None, 3), 0.5, noise_shape=[None, 1]), ValueError, "partially known"),
    (lambda x: tf.nn.moments(x, [0], keep_dims=True, keepdims=True), ValueError, "Cannot specify both 'keep_dims'"),
    (lambda x: tf.nn.moments(x, [0], keepdims=np.ones(2)), ValueError, "truth value"),
    (lambda x: tf.nn.sufficient_statistics(x, "ab"), TypeError, "integer"),
    (lambda x: tf.nn.space_to_batch(x, [[0, 0], [0, 0]]), ValueError, "block_size must be one number"),
    (lambda x: tf.nn.fractional_max_pool(x, "abcd"), TypeError, "must be real number"),
    (lambda x: tf.nn.softmax_cross_entropy_with_logits_v2(LOGITS, LOGITS, axis=[]), ValueError, "must be one number"),
    (lambda x: tf.nn.fused_batch_norm(x, [1.0] * 3, [0.0] * 3, is_training=False), ValueError,
     "must be a 1D tensor when `is_training` is False"),
    (lambda x: tf.nn.leaky_relu(x, "a"), Exception, ""),
    (lambda x: tf.nn.sigmoid_cross_entropy_with_logits(LOGITS, LOGITS), ValueError, "with named arguments"),
    (lambda x: tf.nn.softmax_cross_entropy_with_logits(LOGITS, LOGITS), ValueError, "with named arguments"),
    (lambda x: tf.nn.sparse_softmax_cross_entropy_with_logits([1], LOGITS), ValueError, "with named arguments"),
    (lambda x: tf.nn.sigmoid_cross_entropy_with_logits(labels=LOGITS), ValueError,
     "Both `labels` and `logits` must be provided"),
    (lambda x: tf.nn.sigmoid_cross_entropy_with_logits(labels=LOGITS, logits=[[1.0]]), ValueError,
     "must have the same shape"),
    (lambda x: tf.nn.softmax_cross_entropy_with_logits_v2(LOGITS, LOGITS, axis=0, dim=0), ValueError,
     "Cannot specify both 'dim' and 'axis'"),
    (lambda x: tf.nn.sparse_softmax_cross_entropy_with_logits(labels=[[1]], logits=LOGITS), ValueError,
     "Rank mismatch: Rank of labels"),
    (lambda x: tf.nn.sparse_softmax_cross_entropy_with_logits(labels=[1, 2], logits=LOGITS), ValueError,
     "except for the last dimension"),
    (lambda x: tf.nn.sparse_softmax_cross_entropy_with_logits(labels=1, logits=1.0), ValueError, "Logits cannot be scalars"),
    (lambda x: tf.nn.log_poisson_loss([1.0, 2.0], [1.0]), ValueError, "must have the same shape"),
    (lambda x: tf.nn.embedding_lookup(None, [1]), ValueError, "params must be specified"),
    (lambda x: tf.nn.embedding_lookup([], [1]), ValueError, "Need at least one param"),
    (lambda x: tf.nn.embedding_lookup([LOGITS, LOGITS], [1], "any"), ValueError, "Unrecognized partition strategy"),
    (lambda x: tf.nn.embedding_lookup_sparse(LOGITS, [1], None), TypeError, "sp_ids must be SparseTensor"),
    (lambda x: tf.nn.embedding_lookup_sparse(LOGITS, IDS, [1.0]), TypeError, "sp_weights must be"),
    (lambda x: tf.nn.embedding_lookup_sparse(LOGITS, IDS, None, combiner="max"), ValueError, "combiner must be one of"),
    (lambda x: tf.nn.safe_embedding_lookup_sparse([], IDS), ValueError, "Missing embedding_weights"),
    (lambda x: tf.nn.ctc_loss([1], x, [1]), TypeError, "to be a SparseTensor"),
    (lambda x: tf.nn.ctc_loss(IDS, x, [1], logits=x), ValueError, "Cannot specify both 'inputs' and 'logits'"),
    (lambda x: tf.nn.ctc_loss_v2(IDS, x, None, [1]), ValueError, "Argument `blank_index` must be provided"),
    (lambda x: tf.nn.ctc_loss_v2([[1]], images(3, 1, 2), [1], [3], blank_index=2), ValueError, "blank_index"),
    (lambda x: tf.nn.compute_average_loss(1.0), ValueError, "at least rank 1"),
    (lambda x: tf.nn.compute_average_loss([1.0], global_batch_size=2.0), TypeError, "must be an integer"),
    (lambda x: tf.linalg.lstsq(tf.constant([[1j]], tf.complex128), [[1j]], 0.5), tf.errors.UnimplementedError,
     "complex128"),
])
def test_errors(call, error, phrase):
    with pytest.raises(error, match=phrase):
        call(images(1, 5, 5, 3))


@pytest.mark.parametrize("combiner, expected", [
    ("sum", [[2.0, 3.0], [10.0, 12.0]]), ("mean", [[2.0, 3.0], [5.0, 6.0]]),
    ("sqrtn", [[2.0, 3.0], [10 / np.sqrt(2), 12 / np.sqrt(2)]])])
def test_embeddings_without_weights(combiner, expected):
    table = np.arange(8, dtype=np.float32).reshape(4, 2)
    ids = tf.SparseTensor([[0, 0], [1, 0], [1, 1]], tf.constant([1, 2, 3], tf.int64), [2, 2])
    np.testing.assert_allclose(value(tf.nn.embedding_lookup_sparse(table, ids, None, combiner=combiner)), expected,
                               rtol=1e-6)


def test_embeddings_without_weights_have_sparse_gradients():
    table = tf.Variable(np.ones((4, 2), np.float32))
    ids = tf.SparseTensor([[0, 0], [1, 0]], tf.constant([1, 3], tf.int64), [2, 1])
    gradient, = tf.gradients(tf.nn.embedding_lookup_sparse(table, ids, None), table)
    assert isinstance(gradient, tf.IndexedSlices)


def test_safe_embeddings_without_weights():
    table = np.arange(8, dtype=np.float32).reshape(4, 2)
    ids = tf.SparseTensor([[0, 0], [2, 0], [3, 1]], tf.constant([1, -1, 3], tf.int64), [5, 2])
    zeros = tf.nn.safe_embedding_lookup_sparse(table, ids)
    first = tf.nn.safe_embedding_lookup_sparse([table[:2], table[2:]], ids, default_id=2, combiner="sum")
    a, b = value([zeros, first])
    assert a.tolist() == [[2, 3], [0, 0], [0, 0], [6, 7], [0, 0]]
    assert b.tolist() == [[2, 3], [4, 5], [4, 5], [6, 7], [4, 5]]


CTC_LOGITS = np.round(np.random.RandomState(0).randn(5, 4, 5), 2).astype(np.float32)
CTC_LABELS = np.array([[1, 2, 2], [3, 0, 0], [0, 0, 0], [4, 4, 4]], np.int32)


# What TensorFlow 2.15 computes with a loop over frames.
@pytest.mark.parametrize("blank, losses, first_gradient", [
    (None, [9.822490692138672, 5.6389946937561035, 5.615595817565918], [-1.1343, -0.3692, -1.6882, 1.3151, 1.8765]),
    (-1, [8.306703567504883, 4.011686325073242, 4.9455952644348145], [0.4752, -0.3251, -1.5167, 1.3151, 0.0514])])
def test_ctc_loss_of_dense_labels(blank, losses, first_gradient):
    x = tf.constant(CTC_LOGITS)
    y = tf.nn.ctc_loss_v2(CTC_LABELS, x, [3, 1, 0, 3], [5, 4, 3, 3], blank_index=blank)
    loss, gradient = value([y, tf.gradients(y, x)[0]])
    np.testing.assert_allclose(loss[:3], losses, rtol=1e-5)
    assert loss[3] > 700  # more labels than frames can spell
    np.testing.assert_allclose(gradient.sum(0)[0], first_gradient, atol=2e-4)


def test_ctc_loss_of_dense_labels_by_batch_in_half_precision():
    x = tf.constant(CTC_LOGITS.transpose(1, 0, 2), tf.float16)
    y = tf.nn.ctc_loss_v2(CTC_LABELS, x, [3, 1, 0, 3], [5, 4, 3, 3], logits_time_major=False,
                          unique=tf.nn.ctc_unique_labels(CTC_LABELS))
    loss = value(y)
    assert loss.dtype == np.float16
    np.testing.assert_allclose(loss[:2], [9.82, 5.64], rtol=1e-2)


def test_convolution_channels_first():
    x = np.random.RandomState(1).randn(2, 5, 6, 3).astype(np.float32)
    filters = np.random.RandomState(2).randn(3, 2, 3, 4).astype(np.float32)
    last = [tf.nn.conv2d(x, filters, 1, "SAME"), tf.nn.convolution(x, filters, "VALID", dilation_rate=[2, 2]),
            tf.nn.max_pool(x, 2, 2, "SAME"), tf.nn.pool(x, [2, 2], "AVG", "VALID", dilation_rate=[2, 1])]
    x = x.transpose(0, 3, 1, 2)
    first = [tf.nn.conv2d(x, filters, 1, "SAME", data_format="NCHW"),
             tf.nn.convolution(x, filters, "VALID", dilation_rate=[2, 2], data_format="NCHW"),
             tf.nn.max_pool(x, 2, 2, "SAME", data_format="NCHW"),
             tf.nn.pool(x, [2, 2], "AVG", "VALID", dilation_rate=[2, 1], data_format="NCHW")]
    for a, b in zip(*value([last, first])):
        np.testing.assert_allclose(a.transpose(0, 3, 1, 2), b, rtol=1e-4, atol=1e-5)


def test_spectral_norm_is_the_largest_singular_value():
    x = np.random.RandomState(3).randn(4, 3, 2)
    ours = value(tf.norm(tf.constant(x), ord=2, axis=[0, 2]))
    np.testing.assert_allclose(ours, np.linalg.norm(x, 2, (0, 2)), rtol=1e-6)


def test_the_largest_of_neighbouring_channels():
    x = tf.constant(np.arange(8.0, dtype=np.float32)[None, None, None])
    for padding in ("SAME", "VALID"):
        pooled = tf.nn.max_pool(x, [1, 1, 1, 2], [1, 1, 1, 2], padding)
        assert pooled.shape.as_list() == [1, 1, 1, 4] and value(pooled).tolist() == [[[[1, 3, 5, 7]]]]
    assert tf.nn.max_pool(images(None, None, 3, 4), [1, 1, 1, 4], [1, 1, 1, 4], "VALID").shape[1:].as_list() == [None, 3, 1]
    with pytest.raises(ValueError, match="evenly divide the input depth"):
        tf.nn.max_pool(x, [1, 1, 1, 3], [1, 1, 1, 3], "VALID")
    with pytest.raises(ValueError, match="equal the depth stride"):
        tf.nn.max_pool(x, [1, 1, 1, 2], [1, 1, 1, 1], "VALID")


@pytest.mark.parametrize("data_format", ["NDHWC", "NCDHW"])
def test_batch_norm_of_volumes(data_format):
    x = np.random.RandomState(0).normal(size=[2, 3, 4, 5, 6]).astype(np.float32)
    last = data_format == "NDHWC"
    given = x if last else x.transpose(0, 4, 1, 2, 3)
    scale, offset = np.arange(1, 7, dtype=np.float32), np.arange(6, dtype=np.float32)
    volumes = tf.placeholder(tf.float32, [None, *given.shape[1:]])
    made = tf.nn.fused_batch_norm(volumes, scale, offset, data_format=data_format)
    assert made[0].shape.as_list() == [None, *given.shape[1:]]
    with tf.Session() as session:
        y, mean, variance = session.run(made, {volumes: given})
    flat = x.reshape(-1, 6)
    want = (x - flat.mean(0)) / np.sqrt(flat.var(0) + 0.001) * scale + offset
    np.testing.assert_allclose(y if last else y.transpose(0, 2, 3, 4, 1), want, atol=1e-4)
    np.testing.assert_allclose(mean, flat.mean(0), atol=1e-6)
    np.testing.assert_allclose(variance, flat.var(0, ddof=1), rtol=1e-5)
    with pytest.raises(ValueError, match="x must be 5-dimensional for NDHWC"):
        tf.nn.fused_batch_norm(tf.ones([1, 2, 2, 3]), scale[:3], offset[:3], data_format="NDHWC")
