"""Gradients as the graph has them beside those that small steps of the input show."""

import numpy as np

from rill import _rill, raw_ops


def _real_parts(array):
    """A view in which a complex number is two real ones."""
    flat = np.ascontiguousarray(array).reshape(-1)
    return flat.view(flat.real.dtype) if np.iscomplexobj(flat) else flat


def _dense(value, shape):
    if not hasattr(value, "indices"):
        return value
    full = np.zeros(shape, value.values.dtype)
    np.add.at(full, value.indices, value.values)
    return full


def _theoretical(sess, x, x_data, dy, dy_shape, dx, feeds):
    dtype = dy.dtype.as_numpy_dtype
    one_each = np.zeros(dy_shape, dtype)
    entries = _real_parts(one_each)
    count = _real_parts(x_data).size
    jacobian = np.zeros((count, entries.size), x_data.real.dtype)
    for column in range(entries.size):
        entries = np.zeros_like(entries)
        entries[column] = 1
        fed = entries.view(dtype).reshape(dy_shape)
        value = _dense(sess.run(dx, {**feeds, x: x_data, dy: fed}), x_data.shape)
        jacobian[:, column] = _real_parts(np.asarray(value, x_data.dtype))
    return jacobian


def _numeric(sess, x, x_data, y, y_shape, delta, feeds):
    entries = _real_parts(x_data).size
    size = _real_parts(np.zeros(y_shape, y.dtype.as_numpy_dtype)).size
    jacobian = np.zeros((entries, size), x_data.real.dtype)
    for row in range(entries):
        results = []
        for step in (delta, -delta):
            moved = x_data.copy()
            _real_parts_in_place(moved)[row] += step
            results.append(_real_parts(sess.run(y, {**feeds, x: moved})))
        jacobian[row] = (results[0] - results[1]) / (2 * delta)
    return jacobian


def _real_parts_in_place(array):
    flat = array.reshape(-1)  # a view: copies of arrays are contiguous
    return flat.view(flat.real.dtype) if np.iscomplexobj(flat) else flat


def _one_gradient(sess, x, x_shape, x_init, y, y_shape, dy, dx, delta, feeds):
    dtype = x.dtype.base_dtype.as_numpy_dtype
    if x_init is None:
        x_init = np.random.random_sample(x_shape)
        if np.issubdtype(dtype, np.complexfloating):
            x_init = x_init + 1j * np.random.random_sample(x_shape)
    elif tuple(np.shape(x_init)) != tuple(x_shape):
        raise ValueError(f"x_init_value has shape {np.shape(x_init)}, but x_shape is {tuple(x_shape)}")
    x_data = np.asarray(x_init, dtype, order="C")
    numeric = _numeric(sess, x, x_data, y, y_shape, delta, feeds)
    if dx is None:
        return np.zeros_like(numeric), numeric
    return _theoretical(sess, x, x_data, dy, y_shape, dx, feeds), numeric


def compute_gradient(x, x_shape, y, y_shape, x_init_value=None, delta=0.001, init_targets=None,
                     extra_feed_dict=None):
    """The Jacobian of `y` by `x` as tf.gradients gives it, and as differences show it: two arrays.

    Rows are elements of x, columns of y. For a list of x it is a list of such pairs. A default session is needed.
    """
    sess = _rill.get_default_session()
    if sess is None:
        raise ValueError("compute_gradient needs a default session: use `with sess.as_default()`")
    for target in init_targets if isinstance(init_targets, (list, tuple)) else [init_targets]:
        if target is not None:
            sess.run(target)
    is_list = isinstance(x, list)
    xs, shapes = (x, x_shape) if is_list else ([x], [x_shape])
    inits = x_init_value if is_list and x_init_value is not None else [x_init_value] * len(xs)
    with y.graph.as_default():
        ones = _rill.constant(1.0, y.dtype.base_dtype, y_shape)
        dy = raw_ops.Identity(input=ones)
        grads = _rill.gradients(y, xs, dy)
    feeds = dict(extra_feed_dict or {})
    for other, init in zip(xs, inits):
        if init is not None:
            feeds[other] = init
    pairs = []
    for one, shape, init, dx in zip(xs, shapes, inits, grads):
        pairs.append(_one_gradient(sess, one, shape, init, y, y_shape, dy, dx, delta, feeds))
    return pairs if is_list else pairs[0]


def compute_gradient_error(x, x_shape, y, y_shape, x_init_value=None, delta=0.001, init_targets=None,
                           extra_feed_dict=None):
    """The largest difference between the two Jacobians of compute_gradient."""
    pairs = compute_gradient(x, x_shape, y, y_shape, x_init_value, delta, init_targets, extra_feed_dict)
    error = 0
    for theoretical, numeric in [pairs] if isinstance(pairs, tuple) else pairs:
        if theoretical.size or numeric.size:
            error = np.maximum(error, np.fabs(theoretical - numeric).max())
    return error
