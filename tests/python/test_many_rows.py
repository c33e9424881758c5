"""Segments, sparse updates and sparse tensors of enough rows that threads share them, and of widths with tails."""
import numpy as np
import pytest

import rill as tf

RANDOM = np.random.RandomState(7)


@pytest.fixture(autouse=True)
def graph():
    with tf.Graph().as_default():
        yield


def run(fetch, threads=2):
    with tf.Session(config=tf.ConfigProto(intra_op_parallelism_threads=threads)) as sess:
        return sess.run(fetch)


def numbers(shape, dtype):
    if np.issubdtype(dtype, np.integer):
        return RANDOM.randint(-9, 10, shape).astype(dtype)
    return RANDOM.uniform(-1, 1, shape).astype(dtype)


JOINS = {"Sum": np.sum, "Mean": np.mean, "Prod": np.prod, "Min": np.min, "Max": np.max}


@pytest.mark.parametrize("dtype", [np.float32, np.float64, np.int32, np.int64, np.float16])
@pytest.mark.parametrize("shape", [(900, 1), (900, 3), (300, 47), (6000, 40), (90000,)])
@pytest.mark.parametrize("join", JOINS)
def test_segments(join, shape, dtype):
    data = numbers(shape, dtype)
    if join in ("Sum", "Mean") and dtype == np.float16:
        data = data[:200]  # half sums of more lose too much
    ids = np.sort(RANDOM.randint(0, 97, len(data)))
    ids[ids == 5] = 6  # an empty one
    ids[len(ids) // 3:len(ids) // 2] = ids[len(ids) // 3]  # a long one, over several threads' parts
    ids = np.maximum.accumulate(ids).astype(np.int32)
    op = getattr(tf.raw_ops, "Segment" + join)(data=data, segment_ids=ids)
    found = run(op)
    wide = data.astype(np.float64) if dtype != np.int64 and dtype != np.int32 else data.astype(np.int64)
    for segment in range(ids[-1] + 1):
        rows = wide[ids == segment]
        if len(rows) == 0:
            assert (found[segment] == (1 if join == "Prod" else 0)).all()
            continue
        with np.errstate(over="ignore"):
            known = JOINS[join](rows, axis=0)
            if join == "Mean" and np.issubdtype(dtype, np.integer):
                known = np.trunc(np.sum(rows, axis=0) / len(rows))
            known = known.astype(dtype)
        if np.issubdtype(dtype, np.integer):
            np.testing.assert_array_equal(found[segment], known)
        else:
            near = {np.float16: 3e-2, np.float32: 1e-4, np.float64: 1e-12}[dtype]
            np.testing.assert_allclose(found[segment], known, rtol=near, atol=near)
    np.testing.assert_array_equal(found, run(op, threads=1))


@pytest.mark.parametrize("dtype", [np.float32, np.float64, np.int32])
@pytest.mark.parametrize("width", [1, 5, 32, 71])
def test_sparse_segments(width, dtype):
    data = numbers((500, width), dtype)
    indices = RANDOM.randint(0, 500, 6000)
    ids = np.sort(RANDOM.randint(0, 700, 6000)).astype(np.int32)
    for kind, by in (("Sum", lambda n: 1), ("Mean", lambda n: n), ("SqrtN", np.sqrt)):
        if kind != "Sum" and dtype == np.int32:
            continue
        op = getattr(tf.raw_ops, f"SparseSegment{kind}")(data=data, indices=indices, segment_ids=ids)
        found = run(op)
        known = np.zeros((ids[-1] + 1, width))
        np.add.at(known, ids, data[indices])
        known /= by(np.maximum(np.bincount(ids, minlength=len(known)), 1))[:, None] if kind != "Sum" else 1
        np.testing.assert_allclose(found, known, rtol=1e-5, atol=1e-5)
        np.testing.assert_array_equal(found, run(op, threads=1))


@pytest.mark.parametrize("order", ["sorted", "mixed"])
def test_gradients_of_sparse_segments(order):
    grad = numbers((300, 19), np.float32)
    indices = RANDOM.randint(0, 2000, 9000)
    ids = RANDOM.randint(0, 300, 9000).astype(np.int32)
    if order == "sorted":
        ids.sort()
    op = tf.raw_ops.SparseSegmentMeanGrad(grad=grad, indices=indices.astype(np.int32), segment_ids=ids,
                                          output_dim0=2000)
    known = np.zeros((2000, 19))
    np.add.at(known, indices, grad[ids] / np.bincount(ids, minlength=300)[ids][:, None])
    found = run(op)
    np.testing.assert_allclose(found, known, rtol=1e-5, atol=1e-5)
    np.testing.assert_array_equal(found, run(op, threads=1))


@pytest.mark.parametrize("width", [1, 9, 32, 1500])
@pytest.mark.parametrize("rows", [1, 40, 3000])
def test_sparse_steps_keep_the_order_of_repeated_rows(rows, width):
    """Momentum's steps on one row do not commute: each must be the one of its place in the indices."""
    count = 300 if width == 1500 else 7000
    start, accum = numbers((rows, width), np.float32), numbers((rows, width), np.float32)
    grad = numbers((count, width), np.float32)
    indices = np.minimum(RANDOM.zipf(1.3, count) - 1, rows - 1).astype(np.int64)
    var, slot = tf.Variable(start, use_resource=True), tf.Variable(accum, use_resource=True)
    step = tf.raw_ops.ResourceSparseApplyMomentum(var=var.handle, accum=slot.handle, lr=np.float32(.1), grad=grad,
                                                  indices=indices, momentum=np.float32(.5))
    lr, momentum = np.float32(.1), np.float32(.5)
    for i, row in enumerate(indices):
        accum[row] = accum[row] * momentum + grad[i]
        start[row] = start[row] - accum[row] * lr
    with tf.Session(config=tf.ConfigProto(intra_op_parallelism_threads=2)) as sess:
        sess.run(tf.global_variables_initializer())
        sess.run(step)
        np.testing.assert_array_equal(sess.run(slot), accum)
        np.testing.assert_array_equal(sess.run(var), start)


@pytest.mark.parametrize("rank", [1, 2, 3])
def test_reshaped_indices(rank):
    shape = {1: [30030], 2: [210, 143], 3: [6, 35, 143]}[rank]
    places = np.sort(RANDOM.choice(30030, 9000, replace=False))
    indices = np.stack(np.unravel_index(places, shape), 1)
    for to in ([30030], [143, 210], [7, 1, 13, 330], [1, 30030]):
        found = run(tf.raw_ops.SparseReshape(input_indices=indices, input_shape=shape, new_shape=to))[0]
        np.testing.assert_array_equal(found, np.stack(np.unravel_index(places, to), 1))


def test_reshaped_indices_of_more_than_32_bits():
    shape, to = [3 << 30, 7], [7, 3 << 30]
    indices = np.array([[0, 0], [0, 6], [5, 1], [(3 << 30) - 1, 6]])
    found = run(tf.raw_ops.SparseReshape(input_indices=indices, input_shape=shape, new_shape=to))[0]
    places = indices[:, 0] * 7 + indices[:, 1]
    np.testing.assert_array_equal(found, np.stack([places // (3 << 30), places % (3 << 30)], 1))


@pytest.mark.parametrize("order", ["sorted", "mixed"])
@pytest.mark.parametrize("empty", [False, True])
def test_filled_rows(order, empty):
    rows = np.repeat(np.arange(60), 3)
    if empty:
        rows = rows[(rows % 7 != 0) & (rows != 59)]
    indices = np.stack([rows, np.arange(len(rows)) % 5], 1)
    if order == "mixed":
        indices = indices[RANDOM.permutation(len(indices))]
    values = numbers(len(indices), np.float32)
    out, filled, is_empty, back = run(tf.raw_ops.SparseFillEmptyRows(
        indices=indices, values=values, dense_shape=[60, 5], default_value=np.float32(-3)))
    np.testing.assert_array_equal(is_empty, ~np.isin(np.arange(60), rows))
    assert (np.diff(out[:, 0]) >= 0).all() and set(out[:, 0]) == set(range(60))
    np.testing.assert_array_equal(out[back], indices)
    np.testing.assert_array_equal(filled[back], values)
    added = np.setdiff1d(np.arange(len(out)), back)
    assert (filled[added] == -3).all() and (out[added, 1] == 0).all()
    np.testing.assert_array_equal(out[added, 0], np.flatnonzero(is_empty))


@pytest.mark.parametrize("index", [np.int32, np.int64])
@pytest.mark.parametrize("order", ["sorted", "mixed"])
@pytest.mark.parametrize("adjoint", [False, True])
def test_products_with_sparse_matrices(adjoint, order, index):
    places = np.sort(RANDOM.choice(90 * 70, 1501, replace=False))
    indices = np.stack(np.unravel_index(places, (90, 70)), 1).astype(index)
    indices[:, 0] = np.where(indices[:, 0] == 89, 88, indices[:, 0])  # the last row is empty
    if order == "mixed":
        indices = indices[RANDOM.permutation(len(indices))]
    values, dense = numbers(1501, np.float32), numbers((90 if adjoint else 70, 37), np.float32)
    matrix = np.zeros((90, 70))
    np.add.at(matrix, tuple(indices.T), values)
    product = lambda at: tf.raw_ops.SparseTensorDenseMatMul(a_indices=at, a_values=values, a_shape=[90, 70], b=dense,
                                                            adjoint_a=adjoint)
    np.testing.assert_allclose(run(product(indices)), (matrix.T if adjoint else matrix) @ dense, rtol=1e-4, atol=1e-4)
    for column, limit in ((0, 90), (1, 70)):
        for bad in (-1, limit):
            broken = indices.copy()
            broken[-1, column] = bad
            with pytest.raises(tf.errors.InvalidArgumentError, match=rf"\({bad}\) from index\[1500,{column}\]"):
                run(product(broken))


@pytest.mark.parametrize("rank", [1, 2, 3])
def test_sums_of_sparse_tensors(rank):
    shape = [12, 10, 8][:rank]
    dense, inputs = [], {}
    for name in "ab":
        full = numbers(shape, np.float32) * (RANDOM.uniform(size=shape) < .4)
        at = np.argwhere(full)
        dense.append(full)
        inputs.update({f"{name}_indices": at, f"{name}_values": full[tuple(at.T)], f"{name}_shape": shape})
    for least in (0, .5):
        at, values, _ = run(tf.raw_ops.SparseAdd(thresh=np.float32(least), **inputs))
        known = dense[0] + dense[1]
        known[np.abs(known) < least] = 0
        found = np.zeros(shape, np.float32)
        found[tuple(at.T)] = values
        np.testing.assert_array_equal(found, known)
        assert (np.diff(np.ravel_multi_index(tuple(at.T), shape)) > 0).all()
