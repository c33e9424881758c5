"""Sums, means and other values over axes."""
import tensorflow as tf

from program import feeds

X = [[1.0, 2.0, 3.0], [4.0, 5.0, 7.0]]


def program_sum():
    x = tf.constant(X)
    return dict(all=tf.reduce_sum(x), rows=tf.reduce_sum(x, 1), columns=tf.reduce_sum(x, axis=0, keepdims=True),
                both=tf.math.reduce_sum(x, [0, 1]), last=tf.reduce_sum(x, -1, name="total"), value=tf.reduce_sum([1, 2, 3]))


def program_mean():
    x = tf.constant(X)
    return dict(all=tf.reduce_mean(x), rows=tf.reduce_mean(x, 1, keepdims=True), integers=tf.reduce_mean([1, 2, 4]),
                named=tf.math.reduce_mean(x, axis=[0], name="average"))


def program_max_min_prod():
    x = tf.constant(X)
    return dict(max=tf.reduce_max(x), min=tf.reduce_min(x, 0), prod=tf.reduce_prod(x, axis=1), max_keep=tf.reduce_max(x, 1, True),
                math=tf.math.reduce_min(x, (0, 1)))


def program_any_all():
    x = tf.constant([[True, False], [True, True]])
    return dict(any=tf.reduce_any(x), all=tf.reduce_all(x, 1), columns=tf.math.reduce_all(x, axis=0, keepdims=True),
                math_any=tf.math.reduce_any(x, [1], name="some"))


def program_deprecated_arguments():
    x = tf.constant(X)
    return dict(indices=tf.reduce_sum(x, reduction_indices=1), keep=tf.reduce_mean(x, 1, keep_dims=True),
                both=tf.reduce_max(x, reduction_indices=[0], keep_dims=False), prod=tf.reduce_prod(x, reduction_indices=[1]))


def program_unknown_rank():
    x = tf.placeholder(tf.float32)
    return feeds({x: X}, sum=tf.reduce_sum(x), mean=tf.reduce_mean(x, name="mean"), max=tf.reduce_max(x, keepdims=True))


def program_unknown_shape():
    x = tf.placeholder(tf.float32, [None, 3])
    y = tf.reduce_sum(x)
    return feeds({x: X}, sum=y, row=tf.reduce_mean(x, 0), dx=tf.gradients(y, x), shape=str(tf.reduce_sum(x, 1).shape))


def program_axis_tensor():
    x = tf.constant(X)
    axis = tf.placeholder(tf.int32, [None])
    y = tf.reduce_sum(x, axis)
    return feeds({axis: [1]}, y=y, shape=str(y.shape), constant=tf.reduce_max(x, tf.constant(0)))


def program_logsumexp():
    x = tf.constant(X)
    return dict(all=tf.reduce_logsumexp(x), rows=tf.reduce_logsumexp(x, 1), keep=tf.math.reduce_logsumexp(x, 0, keepdims=True, name="soft"))


def program_logsumexp_unknown():
    x = tf.placeholder(tf.float32)
    y = tf.reduce_logsumexp(x, axis=0)
    return feeds({x: X}, y=y, dx=tf.gradients(y, x))


def program_euclidean_norm():
    x = tf.constant(X)
    return dict(all=tf.math.reduce_euclidean_norm(x), rows=tf.math.reduce_euclidean_norm(x, 1, keepdims=True, name="length"))


def program_variance():
    x = tf.constant(X)
    return dict(all=tf.math.reduce_variance(x), rows=tf.math.reduce_variance(x, 1, keepdims=True), named=tf.math.reduce_variance(x, 0, name="spread"))


def program_std():
    x = tf.constant(X)
    y = tf.math.reduce_std(x, 1)
    return dict(all=tf.math.reduce_std(x), rows=y, named=tf.math.reduce_std(x, 0, True, name="deviation"), dx=tf.gradients(y, x))


def program_variance_unknown_rank():
    x = tf.placeholder(tf.float32)
    return feeds({x: X}, y=tf.math.reduce_variance(x), z=tf.math.reduce_std(x, 0))


def program_std_of_complex():
    return dict(variance=tf.math.reduce_variance(tf.constant([1 + 1j, 2 - 1j])))


def program_count_nonzero():
    x = tf.constant([[0, 1, 0], [1, 1, 0]])
    return dict(all=tf.count_nonzero(x), rows=tf.count_nonzero(x, 1), keep=tf.math.count_nonzero(x, [0, 1], keepdims=True),
                small=tf.count_nonzero(x, 0, dtype=tf.int32, name="count"), words=tf.count_nonzero(["", "a", "  ", "b", ""]))


def program_count_nonzero_deprecated():
    x = tf.constant([[0.0, 1.0], [2.0, 0.0]])
    return dict(a=tf.count_nonzero(x, reduction_indices=[1]), b=tf.count_nonzero(input=x, axis=0, keep_dims=True))


def program_zero_fraction():
    x = tf.constant([0.0, 1.0, 0.0, 3.0])
    return dict(math=tf.math.zero_fraction(x), nn=tf.nn.zero_fraction(x, name="sparsity"))


def program_zero_fraction_fed():
    x = tf.placeholder(tf.float32, [None])
    return feeds({x: [0.0, 5.0, 0.0, 0.0]}, y=tf.nn.zero_fraction(x))


def program_argmax():
    x = tf.constant(X)
    return dict(first=tf.argmax(x), rows=tf.argmax(x, 1), least=tf.argmin(x, axis=1), old=tf.argmax(x, dimension=1),
                small=tf.argmin(x, 0, output_type=tf.int32), math=tf.math.argmax(x, -1, name="best"), min=tf.math.argmin(x))


def program_norm():
    x = tf.constant(X)
    return dict(euclidean=tf.norm(x), rows=tf.norm(x, axis=1), one=tf.norm(x, ord=1, axis=0), three=tf.norm(x, ord=3, axis=1),
                most=tf.norm(x, ord=float("inf"), axis=1, keepdims=True), two=tf.linalg.norm(x, 2, -1, name="size"))


def program_norm_of_matrices():
    x = tf.constant(X)
    return dict(frobenius=tf.norm(x, ord="fro", axis=[0, 1]), columns=tf.norm(x, ord=1, axis=(0, 1)),
                rows=tf.norm(x, ord=float("inf"), axis=[0, 1], keepdims=True), old=tf.norm(x, axis=[-2, -1], keep_dims=True))


def program_norm_gradient():
    x = tf.constant(X)
    y = tf.norm(x, axis=1)
    return dict(y=y, dx=tf.gradients(y, x), complex=tf.norm(tf.constant([3 + 4j, 0.5j])))


def program_reduce_gradients():
    x = tf.constant(X)
    ys = [tf.reduce_sum(x, 0), tf.reduce_mean(x, 1), tf.reduce_max(x, 1), tf.reduce_prod(x, 0), tf.reduce_min(x), tf.reduce_logsumexp(x, 1)]
    return dict(dx=[tf.gradients(y, x) for y in ys])


def program_trace():
    x = tf.constant([[1.0, 2.0], [3.0, 4.0]])
    y = tf.trace(x)
    return dict(top=y, linalg=tf.linalg.trace(tf.constant([[[1, 2], [3, 4]], [[5, 6], [7, 8]]]), name="diagonal"), dx=tf.gradients(y, x))


def program_in_scopes():
    with tf.name_scope("outer"):
        x = tf.constant(X)
        with tf.name_scope("inner"):
            y = tf.reduce_sum(x) + tf.reduce_mean(x, 1)
    return dict(y=y, scalar=tf.reduce_sum(3.0), integers=tf.reduce_max([[1, 2], [3, 4]], 1))


def program_reduce_empty_axis():
    x = tf.constant(X)
    return dict(same=tf.reduce_sum(x, []), kept=tf.reduce_mean(x, axis=[], keepdims=True))


def program_lbeta():
    x = tf.constant([[1.0, 2.0], [0.5, 3.0]])
    return dict(rows=tf.lbeta(x), math=tf.math.lbeta(x, name="beta"))
