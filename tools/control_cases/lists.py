"""Lists of tensors: every op, in and out of loops, and their gradients."""
import functools

import numpy as np
import tensorflow.compat.v1 as tf
from tensorflow.python.framework import tensor_shape
from tensorflow.python.ops import gen_list_ops as ops
from tensorflow.python.ops import list_ops

from control_cases.common import case, feed, numbers, Step, sweep


SCALARS = np.zeros([0], np.int32)  # the shape of a scalar, with the type that ops want


def empty(element_shape=-1, most=-1, dtype=tf.float32):
    return ops.empty_tensor_list(element_shape, most, dtype)


def reserved(count, element_shape=-1, dtype=tf.float32):
    return ops.tensor_list_reserve(element_shape, count, dtype)


def pushed(*values, into=None):
    return functools.reduce(ops.tensor_list_push_back, values, empty() if into is None else into)


def stacked(handle, dtype=tf.float32, element_shape=-1, **options):
    return ops.tensor_list_stack(handle, element_shape, dtype, **options)


def item(handle, index, dtype=tf.float32, element_shape=-1):
    return ops.tensor_list_get_item(handle, index, element_shape, dtype)


def concated(handle, element_shape=-1, leading_dims=(), dtype=tf.float32):
    leading_dims = tf.constant(leading_dims, tf.int64)
    return list(ops.tensor_list_concat_v2(handle, element_shape, leading_dims, dtype))


# --- Elements ------------------------------------------------------------------------------------

@case
def list_push_and_pop():
    x = feed(shape=[2])
    handle = pushed(x, x * 2.0, x * 3.0)
    rest, last = ops.tensor_list_pop_back(handle, [2], tf.float32)
    rest, second = ops.tensor_list_pop_back(rest, -1, tf.float32)
    lengths = [ops.tensor_list_length(handle), ops.tensor_list_length(rest)]
    return Step([last, second, stacked(rest), stacked(handle), *lengths], {x: [1.0, 2.0]})


@case
def list_versions_stay_apart():
    x = feed()
    base = pushed(x, x + 1.0)
    longer, other = pushed(x + 2.0, into=base), pushed(x - 2.0, into=base)
    changed = ops.tensor_list_set_item(base, 0, x * 10.0)
    shorter, _ = ops.tensor_list_pop_back(base, SCALARS, tf.float32)
    again = pushed(x * 5.0, into=shorter)
    resized = ops.tensor_list_resize(longer, 1)
    return Step([stacked(h) for h in (base, longer, other, changed, shorter, again, resized)],
                {x: 3.0})


@case
def list_of_every_type():
    fetches = []
    for dtype in (tf.half, tf.bfloat16, tf.double, tf.int8, tf.uint8, tf.int16, tf.int32, tf.int64,
                  tf.complex64, tf.complex128, tf.bool):
        handle = pushed(tf.cast([1, 0], dtype), into=empty([2], 3, dtype))
        handle = ops.tensor_list_resize(handle, 3)
        value = tf.cast(stacked(handle, dtype), tf.int32)
        fetches += [value, tf.cast(item(handle, 2, dtype), tf.int32)]
    words = ops.tensor_list_resize(pushed(tf.constant(["a", "bc"]), into=empty(-1, -1, tf.string)), 2)
    return Step(fetches + [stacked(words, tf.string)])


@case
def list_without_values_reads_zeros():
    x = feed(shape=[2])
    handle = ops.tensor_list_set_item(reserved(3), 1, x)
    told = reserved(2, [2, -1])
    return Step([stacked(handle), item(handle, 2), item(told, 1, element_shape=[-1, 1]),
                 ops.tensor_list_pop_back(reserved(2, [3]), -1, tf.float32)[1],
                 ops.tensor_list_gather(handle, [0, 1], -1, tf.float32)], {x: [5.0, 6.0]})


@case
def list_element_shapes():
    handles = [empty(), empty([3, -1]), empty(tf.constant([2], tf.int64)), reserved(1, SCALARS),
               ops.tensor_list_from_tensor(numbers(2, 3), [-1]),
               tf.zeros_like(reserved(2, [4])), tf.add_n([empty([1, -1]), empty([-1, 3])])]
    return Step([ops.tensor_list_element_shape(h, t) for h in handles for t in (tf.int32, tf.int64)])


@case
def list_of_lists():
    x = feed(shape=[2])
    inner, other = pushed(x, x + 1.0), pushed(x * 2.0)
    outer = pushed(inner, other, into=empty(SCALARS, -1, tf.variant))
    first = item(outer, 0, tf.variant)
    rest, last = ops.tensor_list_pop_back(outer, SCALARS, tf.variant)
    zeros = item(tf.zeros_like(outer), 1, tf.variant)
    twice = item(tf.add_n([outer, outer]), 0, tf.variant)
    handles = tf.unstack(stacked(outer, tf.variant), num=2)
    return Step([stacked(h) for h in (first, last, zeros, twice, *handles)]
                + [ops.tensor_list_length(rest)], {x: [1.0, 2.0]})


@case
def list_of_itself():
    handle = empty(-1, -1, tf.variant)
    handle = pushed(handle, into=handle)
    handle = pushed(handle, into=handle)
    inner = item(handle, 1, tf.variant)
    return Step([ops.tensor_list_length(h) for h in (handle, inner, item(inner, 0, tf.variant))])


@case
def list_resized():
    x = feed(shape=[100])
    handle = ops.tensor_list_from_tensor(x, SCALARS)
    return Step([stacked(ops.tensor_list_resize(handle, n), element_shape=SCALARS)
                 for n in (0, 1, 63, 64, 65, 100, 130)]
                + [stacked(ops.tensor_list_resize(ops.tensor_list_resize(handle, 70), 90))],
                {x: numbers(100)})


# --- Several elements ----------------------------------------------------------------------------

@case
def list_from_tensor_and_back():
    x = feed(shape=[None, 2])
    handle = ops.tensor_list_from_tensor(x, [2])
    return sweep(x, (numbers(3, 2), np.zeros((0, 2), np.float32)),
                 [stacked(handle), stacked(handle, element_shape=[2]),
                  ops.tensor_list_length(handle)])


@case
def list_stack_states_its_size():
    x = feed(shape=[2, 2])
    return Step(stacked(ops.tensor_list_from_tensor(x, [2]), num_elements=2), {x: numbers(2, 2)})


@case
def list_gather_and_scatter():
    x = feed(shape=[3, 2])
    handle = ops.tensor_list_from_tensor(x, [2])
    some = [ops.tensor_list_scatter(x, [4, 0, 2], -1), ops.tensor_list_scatter_v2(x, [1, 1, 0], [2], -1),
            ops.tensor_list_scatter_v2(x, [4, 0, 2], [2], 7),
            ops.tensor_list_scatter_into_existing_list(handle, x[:2] * 10.0, [2, 0]), handle]
    return Step([stacked(h) for h in some]
                + [ops.tensor_list_gather(handle, [2, 0, 2], -1, tf.float32),
                   ops.tensor_list_gather(handle, tf.zeros([0], tf.int32), [2], tf.float32)],
                {x: numbers(3, 2)})


@case
def list_split_and_concat():
    x = feed(shape=[None, 2])
    lengths = feed(tf.int64, [None])
    handle = ops.tensor_list_split(x, [-1, 2], lengths)
    first = ops.tensor_list_concat(handle, tf.float32)
    fetches = [*concated(handle), *concated(handle, [-1, 2]), ops.tensor_list_length(handle)]
    return [Step([*fetches, *first], {x: numbers(5, 2), lengths: [2, 0, 3]}),
            Step(fetches, {x: np.zeros((0, 2), np.float32), lengths: []})]


@case
def list_concat_without_values():
    x = feed(shape=[2, 1])
    told = ops.tensor_list_set_item(reserved(3, [2, 1]), 1, x)
    alike = ops.tensor_list_set_item(reserved(3, [-1, 1]), 1, x)
    return Step(concated(told) + concated(alike) + concated(alike, [-1, 1], [1, 2, 3])
                + concated(reserved(2, [2, 1])), {x: numbers(2, 1)})


@case
def list_concat_of_strings():
    words = pushed(tf.constant(["a"]), tf.constant(["b", "c"]), into=empty(-1, -1, tf.string))
    return Step(concated(words, dtype=tf.string))


@case
def list_many_at_once():
    x = feed(shape=[2, 1])
    lists = tf.stack([pushed(x[0]), pushed(x[0], x[1])])
    longer = ops.tensor_list_push_back_batch(lists, x * 10.0)
    joined = ops.tensor_list_concat_lists(lists, longer, tf.float32)
    one = ops.tensor_list_concat_lists(pushed(x[0]), pushed(x[1], x[0]), tf.float32)
    handles = [*tf.unstack(longer, num=2), *tf.unstack(joined, num=2), one]
    return Step([stacked(h) for h in handles], {x: numbers(2, 1)})


@case
def list_sums_and_zeros():
    x = feed(shape=[2])
    handle, other = pushed(x, x * 2.0), pushed(x * 3.0, x * 4.0)
    gaps = ops.tensor_list_set_item(reserved(2, [2]), 1, x)
    return Step([stacked(h) for h in (tf.add_n([handle, other, handle]), tf.add_n([gaps, handle]),
                                      tf.zeros_like(handle), tf.zeros_like(gaps),
                                      tf.add_n([gaps, gaps]))], {x: [1.0, 2.0]})


# --- Loops and gradients -------------------------------------------------------------------------

@case
def list_in_a_loop():
    x, n = feed(), feed(tf.int32)

    def body(i, value, handle):
        return i + 1, value * 1.1, ops.tensor_list_push_back(handle, value)

    final = tf.while_loop(lambda i, v, h: i < n, body, [tf.constant(0), x, empty(SCALARS)])[2]
    y = stacked(final, element_shape=SCALARS)
    return sweep(n, (0, 1, 7, 200), [y, *tf.gradients(y, x)], {x: 2.0})


@case
def list_set_in_a_loop():
    x, n = feed(shape=[2]), feed(tf.int32)
    final = tf.while_loop(
        lambda i, v, h: i < n, lambda i, v, h: (i + 1, v * 0.5, ops.tensor_list_set_item(h, i, v)),
        [tf.constant(0), x, reserved(n, [2])])[2]
    y = stacked(final)
    return sweep(n, (1, 5, 70), [y, *tf.gradients(y, x)], {x: [2.0, 3.0]})


@case
def list_popped_in_a_loop():
    x = feed(shape=[None, 2])
    count = tf.shape(x)[0]

    def body(i, total, handle):
        handle, last = ops.tensor_list_pop_back(handle, [2], tf.float32)
        last.set_shape([2])
        return i + 1, total * 2.0 + last, handle

    final = tf.while_loop(lambda i, t, h: i < count, body,
                          [0, tf.zeros([2]), ops.tensor_list_from_tensor(x, [2])])[1]
    return sweep(x, (numbers(3, 2), numbers(1, 2)), final)


def derivatives(y, *xs):
    return [y, *tf.gradients(y * numbers(*y.shape.as_list()), list(xs))]


@case
def list_gradients_of_elements():
    x, z = feed(shape=[2]), feed(shape=[2])
    handle = pushed(x, z, x * z)
    handle = ops.tensor_list_set_item(handle, 1, x + z)
    rest, last = ops.tensor_list_pop_back(handle, [2], tf.float32)
    longer = ops.tensor_list_resize(pushed(last * 2.0, into=rest), 5)
    y = stacked(longer, element_shape=[2], num_elements=5)
    one = item(handle, 2, element_shape=[2])
    one.set_shape([2])
    feeds = {x: [1.0, 2.0], z: [3.0, 4.0]}
    return [Step(derivatives(y, x, z), feeds), Step(derivatives(one, x, z), feeds)]


@case
def list_gradients_of_joins():
    x, z = feed(shape=[4, 2]), feed(shape=[2, 2])
    fetches = []
    split = list_ops.tensor_list_split(x, [None, 2], [1, 3])
    y = concated(split, [-1, 2])[0]
    y.set_shape([4, 2])
    fetches += derivatives(y, x)
    y = ops.tensor_list_gather(ops.tensor_list_from_tensor(x, [2]), [3, 0, 3], [2], tf.float32)
    fetches += derivatives(y, x)
    y = stacked(ops.tensor_list_scatter_v2(x, [5, 1, 0, 2], [2], 6), element_shape=[2], num_elements=6)
    fetches += derivatives(y, x)
    base = ops.tensor_list_from_tensor(x, [2])
    into = ops.tensor_list_scatter_into_existing_list(base, z, [1, 3])
    y = stacked(into, element_shape=[2], num_elements=4)
    fetches += derivatives(y, x, z)
    y = ops.tensor_list_concat(split, tf.float32, element_shape=tensor_shape.TensorShape([None, 2]))[0]
    y.set_shape([4, 2])
    return Step(fetches + derivatives(y, x), {x: numbers(4, 2), z: numbers(2, 2)})
