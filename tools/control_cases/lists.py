"""Lists of tensors: every op, in and out of loops, their gradients, and what they refuse."""
import functools

import numpy as np
import tensorflow.compat.v1 as tf
from tensorflow.python.framework import tensor_shape
from tensorflow.python.ops import gen_list_ops as ops
from tensorflow.python.ops import list_ops

from control_cases.common import CASES, case, feed, numbers, Step, sweep


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


def unknown(value, dtype=tf.float32):
    """A value that shape functions do not see."""
    return tf.placeholder_with_default(tf.constant(value, dtype), None)


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


# --- Errors --------------------------------------------------------------------------------------

def refused(name, error, build):
    def steps():
        fetch = build()
        return Step(fetch if fetch.dtype != tf.variant else ops.tensor_list_length(fetch),
                    error=error)
    CASES["list_refuses_" + name] = steps


two = lambda: pushed(tf.constant([1.0]), tf.constant([2.0]))  # noqa: E731
rows = lambda *shape: tf.constant(numbers(*shape))  # noqa: E731
MERGE = "Incompatible shapes during merge"

refused("scalar_shape", "only valid scalar shape tensor", lambda: empty(unknown(0, tf.int32)))
refused("matrix_shape", "at most rank 1", lambda: empty(unknown([[1]], tf.int32)))
refused("negative_shape", "Dimension -2 must be >= -1", lambda: empty(unknown([-2], tf.int32)))
refused("limit_vector", "max_num_elements expected to be a scalar", lambda: empty([1], [3]))
refused("full", "full list list size: 1 max_num_elements: 1",
        lambda: pushed(1.0, 2.0, into=empty(-1, 1)))
refused("shape_pushed", "Tried to append a tensor with incompatible shape",
        lambda: pushed([1.0], into=empty([2])))
refused("pop_of_nothing", "Trying to pop from an empty list",
        lambda: ops.tensor_list_pop_back(empty(), SCALARS, tf.float32)[1])
refused("pop_unknown", "uninitialized tensor but element_shape is not fully defined",
        lambda: ops.tensor_list_pop_back(reserved(2), -1, tf.float32)[1])
refused("stack_size", "expected a list with 3 elements but got a list with 2",
        lambda: stacked(two(), num_elements=3))
refused("stack_of_nothing", "empty list with non-fully-defined element_shape: <unknown>",
        lambda: stacked(empty()))
refused("stack_ragged", MERGE, lambda: stacked(pushed([1.0], [2.0, 3.0])))
refused("stack_shape", MERGE, lambda: stacked(two(), element_shape=[4]))
refused("stack_unknown", "only contains uninitialized tensors", lambda: stacked(reserved(2)))
refused("index_too_high", "access element 2 in a list with 2 elements", lambda: item(two(), 2))
refused("index_negative", "access element -1 in a list with 2 elements", lambda: item(two(), -1))
refused("item_unknown", "not fully defined: .2,.. and no list element is set",
        lambda: item(reserved(2, [2, -1]), 1))
refused("set_too_high", "modify element 3 in a list with 2 elements",
        lambda: ops.tensor_list_set_item(two(), 3, [1.0]))
refused("set_negative", "modify element -1 in a list with 2 elements",
        lambda: ops.tensor_list_set_item(two(), -1, [1.0]))
refused("set_type", "op elements int32 but list elements float",
        lambda: ops.tensor_list_set_item(two(), 0, [1]))
refused("set_shape", "Tried to set a tensor with incompatible shape",
        lambda: ops.tensor_list_set_item(reserved(2, [2]), 0, unknown([1.0])))
refused("reserve_negative", "must be a non negative number, but got -2", lambda: reserved(-2))
refused("reserve_vector", "must be a tensor size 1", lambda: reserved([2]))
refused("resize_negative", "size to be non-negative. Got: -2",
        lambda: ops.tensor_list_resize(two(), -2))
refused("rows_of_scalar", "at least a vector, but saw shape: ..",
        lambda: ops.tensor_list_from_tensor(1.0, -1))
refused("rows_of_shape", "Specified a list with shape .2. from a tensor with shape .1.",
        lambda: ops.tensor_list_from_tensor(unknown([[1.0]]), [2]))
refused("gather_too_high", "gather element 3 in a list with 2",
        lambda: ops.tensor_list_gather(two(), [0, 3], -1, tf.float32))
refused("gather_negative", "gather element -1 in a list with 2",
        lambda: ops.tensor_list_gather(two(), [-1], -1, tf.float32))
refused("gather_of_nothing", "gather 0-elements from a list with non-fully-defined shape",
        lambda: ops.tensor_list_gather(two(), tf.zeros([0], tf.int32), -1, tf.float32))
refused("gather_unknown", "gather uninitialized tensors",
        lambda: ops.tensor_list_gather(reserved(2), [0], -1, tf.float32))
refused("gather_ragged", MERGE,
        lambda: ops.tensor_list_gather(pushed([1.0], [2.0, 3.0]), [0, 1], -1, tf.float32))
refused("scatter_too_high", "scatter at index 2 in list with size 2",
        lambda: ops.tensor_list_scatter_v2(rows(2, 1), [2, 0], -1, 2))
refused("scatter_negative", "must all be non-negative",
        lambda: ops.tensor_list_scatter_v2(rows(2, 1), [-2, 0], -1, -1))
refused("scatter_count", "num_elements >= -1, found: -2",
        lambda: ops.tensor_list_scatter_v2(rows(2, 1), [1, 0], -1, -2))
refused("scatter_rows", "Invalid number of rows in input tensor. Expected: 1 Actual: 2",
        lambda: ops.tensor_list_scatter(rows(2, 1), [0], -1))
refused("scatter_shape", "Specified a list with shape .3. from a tensor with shape .1.",
        lambda: ops.tensor_list_scatter(rows(2, 1), [0, 1], [3]))
refused("scatter_into_rows", "len.indices. == tensor.shape.0., but saw: 2 vs. 1",
        lambda: ops.tensor_list_scatter_into_existing_list(two(), rows(1, 1), [0, 1]))
refused("concat_of_nothing", "must be fully defined when concating an empty tensor list",
        lambda: concated(empty())[0])
refused("concat_scalars", "Concat saw a scalar shape at index 0",
        lambda: concated(pushed(1.0, 2.0))[0])
refused("concat_scalar_shape", "at least vectors, found scalars", lambda: concated(empty(), SCALARS)[0])
refused("concat_shape", MERGE, lambda: concated(pushed([[1.0]]), [-1, 4])[0])
refused("concat_unknown", "only uninitialized tensors", lambda: concated(reserved(2))[0])
refused("concat_lengths", "at index 1 but leading_dims has only 1 elements",
        lambda: concated(reserved(3, [-1, 1]), [-1, 1], [1])[0])
refused("split_rest", "Unused values in tensor. Length of tensor: 3 Values used: 2",
        lambda: ops.tensor_list_split(rows(3, 1), [-1, 1], [1, 1]))
refused("split_negative", "Invalid value in lengths: -1",
        lambda: ops.tensor_list_split(rows(3, 1), [-1, 1], [-1, 4]))
refused("split_too_far", "from tensor with length 3",
        lambda: ops.tensor_list_split(rows(3, 1), [-1, 1], [1, 4]))
refused("split_scalar", "at least a vector",
        lambda: ops.tensor_list_split(unknown(1.0), [-1], [1]))
refused("split_lengths_shape", "Expected lengths to be a vector",
        lambda: ops.tensor_list_split(rows(1), [-1], unknown([[1]], tf.int64)))
refused("split_shape", "is not compatible with element_shape",
        lambda: ops.tensor_list_split(unknown([[1.0]]), [-1, 2], [1]))
refused("lists_of_shapes", "element shapes are not identical at index 0",
        lambda: ops.tensor_list_concat_lists(empty([1, -1]), empty([-1, 3]), tf.float32))
refused("batch_rows", "Expected tensor.shape.0. == input_handles.size, but saw 3 vs. 1",
        lambda: ops.tensor_list_push_back_batch(tf.stack([two()]), unknown([[1.0]] * 3))[0])
refused("sum_of_lengths", "different lengths. One is 2 and the other is 1",
        lambda: tf.add_n([two(), pushed([1.0])]))
refused("sum_of_shapes", "incompatible element shapes. One is .1. and the other is .2.",
        lambda: tf.add_n([pushed([1.0]), pushed([1.0, 2.0])]))
refused("vector_of_lists", "Input list must be a scalar saw: .2.",
        lambda: ops.tensor_list_length(tf.stack([two(), two()])))
