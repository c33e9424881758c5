"""TensorArrays in and out of loops, and what they refuse."""
import tensorflow.compat.v1 as tf
from tensorflow.python.ops import gen_data_flow_ops as data_flow

from control_cases.common import case, CASES, feed, numbers, Step, sweep


def squares(n, **options):
    array = tf.TensorArray(tf.int32, n, **options)
    return tf.while_loop(lambda i, a: i < n, lambda i, a: (i + 1, a.write(i, i * i)),
                         [tf.constant(0), array])[1]


@case
def array_stack():
    n = feed(tf.int32)
    return sweep(n, (1, 2, 10), squares(n).stack())


@case
def array_of_nothing():
    n = feed(tf.int32)
    return Step(squares(n, element_shape=[]).stack(), {n: 0})


@case
def array_sum_of_reads():
    x = feed(shape=[None])
    array = tf.TensorArray(tf.float32, tf.size(x)).unstack(x)
    out = tf.while_loop(lambda i, s: i < tf.size(x), lambda i, s: (i + 1, s + array.read(i)),
                        [tf.constant(0), tf.constant(0.0)])
    return sweep(x, ([1, 2, 3], [5]), out[1])


@case
def array_grows():
    n = feed(tf.int32)
    array = tf.TensorArray(tf.int32, 0, dynamic_size=True, infer_shape=False)
    out = tf.while_loop(lambda i, a: i < n, lambda i, a: (i + 1, a.write(i, tf.fill([i + 1], i))),
                        [tf.constant(0), array])[1]
    return sweep(n, (1, 5), [out.concat(), out.size()])


@case
def array_gather_scatter():
    x = feed(shape=[4, 2])
    array = tf.TensorArray(tf.float32, 6, clear_after_read=False)
    array = array.scatter([5, 1, 3, 0], x)
    return Step([array.gather([1, 0]), array.read(5), array.gather([3, 3])],
                {x: numbers(4, 2)})


@case
def array_split_concat():
    x = feed(shape=[6, 2])
    array = tf.TensorArray(tf.float32, 3, infer_shape=False).split(x, [1, 3, 2])
    return Step(array.concat(), {x: numbers(6, 2)})


@case
def array_reversed():
    x = feed(shape=[None, 2])
    n = tf.shape(x)[0]
    source = tf.TensorArray(tf.float32, n).unstack(x)
    target = tf.TensorArray(tf.float32, n)
    out = tf.while_loop(lambda i, t: i < n, lambda i, t: (i + 1, t.write(n - 1 - i, source.read(i))),
                        [tf.constant(0), target])[1]
    return sweep(x, (numbers(3, 2), numbers(1, 2)), out.stack())


@case
def array_in_nested_loops():
    n = feed(tf.int32)

    def body(i, rows):
        row = tf.while_loop(lambda j, r: j < n, lambda j, r: (j + 1, r.write(j, i * 10 + j)),
                            [tf.constant(0), tf.TensorArray(tf.int32, n)])[1].stack()
        return i + 1, rows.write(i, row)

    out = tf.while_loop(lambda i, r: i < n, body, [tf.constant(0), tf.TensorArray(tf.int32, n)])[1]
    return sweep(n, (1, 4), out.stack())


@case
def array_of_strings():
    array = tf.TensorArray(tf.string, 3).write(0, "a").write(2, "c").write(1, "b")
    return Step(array.stack())


@case
def array_missing_elements_are_zero():
    array = tf.TensorArray(tf.float32, 3, element_shape=[2]).write(1, [1.0, 2.0])
    return Step(array.stack())


@case
def array_identical_shapes():
    h, f = data_flow.tensor_array_v3(2, tf.float32, identical_element_shapes=True)
    x = feed(shape=None)
    f = data_flow.tensor_array_write_v3(h, 0, x, f)
    f = data_flow.tensor_array_write_v3(h, 1, tf.concat([x, x], 0), f)
    y = data_flow.tensor_array_gather_v3(h, [0, 1], f, tf.float32)
    return Step(y, {x: [1.0]}, error="incompatible with the TensorArray's inferred element shape")


def array_step(error, **options):
    """A decorator: the body gets a handle and a flow of three floats and returns what to fetch."""
    def make(build):
        def steps():
            h, f = data_flow.tensor_array_v3(3, tf.float32, tensor_array_name="arr", **options)
            return Step(build(h, f), error=error)
        CASES[build.__name__] = steps
        return steps
    return make


def write(h, f, i, value):
    return data_flow.tensor_array_write_v3(h, i, value, f)


def read(h, f, i):
    return data_flow.tensor_array_read_v3(h, i, f, tf.float32)


@array_step(r"TensorArray arr_\d+: Could not write to TensorArray index 0 because it has already "
            r"been written to")
def array_error_written_twice(h, f):
    return write(h, write(h, f, 0, 1.0), 0, 2.0)


@array_step(r"Could not read index 0 twice because it was cleared after a previous read")
def array_error_read_twice(h, f):
    f = write(h, f, 0, 1.0)
    first = read(h, f, 0)
    with tf.control_dependencies([first]):
        return read(h, tf.identity(f), 0)


@array_step(r"Tried to write to index 3 but array is not resizeable and size is: 3")
def array_error_past_the_end(h, f):
    return write(h, f, 3, 1.0)


@array_step(r"Tried to read from index -1 but array size is: 3")
def array_error_before_the_start(h, f):
    return read(h, f, -1)


@array_step(r"Could not read from TensorArray index 1\.  Furthermore, the element shape is not "
            r"fully defined")
def array_error_unwritten(h, f):
    return read(h, write(h, f, 0, 1.0), 1)


@array_step(r"TensorArray dtype is float but Op is trying to write dtype int32")
def array_error_type(h, f):
    return write(h, f, 0, 1)


@array_step(r"TensorArray has inconsistent shapes\.  Index 0 has shape: \[1\] but index 1 has "
            r"shape: \[2\]")
def array_error_shapes(h, f):
    f = write(h, write(h, f, 0, [1.0]), 1, [1.0, 2.0])
    return data_flow.tensor_array_gather_v3(h, [0, 1], f, tf.float32)


@array_step(r"Max scatter index must be < array size \(8 vs\. 3\)")
def array_error_scatter(h, f):
    return data_flow.tensor_array_scatter_v3(h, [0, 8], [1.0, 2.0], f)


@array_step(r"TensorArray's size is not equal to the size of lengths \(3 vs\. 2\)")
def array_error_split(h, f):
    return data_flow.tensor_array_split_v3(h, [1.0, 2.0, 3.0], tf.constant([1, 2], tf.int64), f)


@array_step(r"TensorArray arr_\d+ has already been closed")
def array_error_closed(h, f):
    with tf.control_dependencies([data_flow.tensor_array_close_v3(h)]):
        return write(h, tf.identity(f), 0, 1.0)


@array_step("")
def array_gradient_sums(h, f):
    f = write(h, write(h, f, 0, [1.0, 2.0]), 1, [3.0, 4.0])
    g, gf = data_flow.tensor_array_grad_v3(h, f, "gradients")
    gf = write(g, write(g, gf, 0, [1.0, 1.0]), 0, [2.0, 5.0])
    again, again_flow = data_flow.tensor_array_grad_v3(h, gf, "gradients")
    other, other_flow = data_flow.tensor_array_grad_v3(h, gf, "others")
    return [read(again, again_flow, 0), read(g, gf, 1), read(other, other_flow, 0)]


@array_step("")
def array_gradient_with_shape(h, f):
    f = write(h, f, 0, [1.0, 2.0])
    g, gf = data_flow.tensor_array_grad_with_shape(h, f, [3], "gradients")
    return read(g, gf, 0)


@case
def stack_pops_in_reverse():
    n = feed(tf.int32)
    handle = data_flow.stack_v2(-1, tf.int32)

    def push(i):
        with tf.control_dependencies([data_flow.stack_push_v2(handle, i * i)]):
            return i + 1

    def pop(i, total):
        return i - 1, total * 3 + tf.reshape(data_flow.stack_pop_v2(handle, tf.int32), [])

    pushed = tf.while_loop(lambda i: i < n, push, [tf.constant(0)], parallel_iterations=1)
    with tf.control_dependencies([pushed]):
        start = tf.identity(pushed)
    out = tf.while_loop(lambda i, t: i > 0, pop, [start, tf.constant(0)], parallel_iterations=1)
    return sweep(n, (0, 1, 6), out[1])


@case
def stack_overflows():
    handle = data_flow.stack_v2(1, tf.float32, stack_name="st")
    with tf.control_dependencies([data_flow.stack_push_v2(handle, 1.0)]):
        y = data_flow.stack_push_v2(handle, 2.0)
    return Step(y, error=r"Stack\[st_\d+\] overflowed its max_size \(1\)")


@case
def stack_is_empty():
    handle = data_flow.stack_v2(1, tf.float32, stack_name="st")
    return Step(data_flow.stack_pop_v2(handle, tf.float32),
                error=r"Stack\[st_\d+\] is empty when calling Pop\(\)")
