"""What kernels may do, and that their mistakes are errors of the step."""
import pytest

import rill as tf


def test_strings_and_matrices(kernel_ops):
    with tf.Session() as session:
        out = session.run(kernel_ops.transpose_text([["a", "b"], ["c", "d"]]))
        assert out.tolist() == [[b"A", b"C"], [b"B", b"D"]]
        with pytest.raises(tf.errors.InvalidArgumentError, match="expected a matrix"):
            session.run(kernel_ops.transpose_text(["a"]))


def test_answers_that_come_later(kernel_ops):
    with tf.Session() as session:
        nodes = [kernel_ops.add_later(float(i), False) for i in range(20)]
        assert session.run(nodes) == [i + 1.0 for i in range(20)]
        with pytest.raises(tf.errors.AbortedError, match="asked to fail"):
            session.run(kernel_ops.add_later(1.0, True))
        with pytest.raises(tf.errors.InvalidArgumentError, match="must be a scalar"):
            session.run(kernel_ops.add_later([1.0], False))


def test_resources(kernel_ops):
    one, other = kernel_ops.my_counter(), kernel_ops.my_counter(shared_name="shared")
    again = kernel_ops.my_counter(shared_name="shared")
    count, shared = kernel_ops.my_counter_next(one), kernel_ops.my_counter_next(other)
    with tf.Session() as session:
        assert [session.run(count) for _ in range(3)] == [1, 2, 3]
        assert session.run(shared) == 1
        assert session.run(kernel_ops.my_counter_next(again)) == 2
    with tf.Session() as session:
        assert session.run(count) == 1
        handle = tf.raw_ops.VarHandleOp(dtype=tf.float32, shape=[])
        with pytest.raises(tf.errors.InvalidArgumentError, match="wrong type"):
            session.run(kernel_ops.my_counter_next(handle))


def test_state_of_a_kernel(kernel_ops):
    count = kernel_ops.call_count()
    with tf.Session() as session:
        assert [session.run(count) for _ in range(3)] == [1, 2, 3]
    with tf.Session() as session:
        assert session.run(count) == 1


def test_reference_variables(kernel_ops):
    variable = tf.raw_ops.VariableV2(shape=[2], dtype=tf.float32)
    init = tf.raw_ops.Assign(ref=variable, value=[4.0, 8.0])
    halved = kernel_ops.halve_ref(variable)
    with tf.Session() as session:
        with pytest.raises(tf.errors.FailedPreconditionError):
            session.run(halved)
        session.run(init)
        before = session.run(variable)
        assert session.run(halved).tolist() == [2.0, 4.0]
        assert session.run(variable).tolist() == [2.0, 4.0]
        assert before.tolist() == [4.0, 8.0]


def test_resource_variables(kernel_ops):
    handle = tf.raw_ops.VarHandleOp(dtype=tf.float32, shape=[2])
    init = tf.raw_ops.AssignVariableOp(resource=handle, value=[4.0, 8.0])
    read = tf.raw_ops.ReadVariableOp(resource=handle, dtype=tf.float32)
    with tf.Session() as session:
        session.run(init)
        session.run(kernel_ops.halve_resource(handle))
        assert session.run(read).tolist() == [2.0, 4.0]


@pytest.mark.parametrize("how, error, text", [
    ("throw", "UnknownError", "thrown by a kernel"),
    ("throw_int", "UnknownError", "unknown type"),
    ("check", "InternalError", "1 . 1 == 3 .2 vs. 3. arithmetic is broken"),
    ("fatal", "InternalError", "no way on"),
    ("no_output", "InternalError", "Missing 0-th output"),
    ("huge", "InvalidArgumentError", "too large|overflow"),
    ("memory", "ResourceExhaustedError", ""),
    ("wrong_type", "InternalError", "must be of type float"),
    ("wrong_input", "InvalidArgumentError", "no input 3"),
    ("wrong_view", "InternalError", "int32"),
    ("wrong_rank", "InternalError", "1 dimensions from a tensor of 2"),
    ("outside", "OutOfRangeError", "index 5 of dimension 1"),
    ("outside_flat", "InternalError", "index >= 0 && index < size"),
    ("shard", "UnknownError", "thrown by a worker"),
    ("construct", "FailedPreconditionError", "refuses to be made"),
    ("construct_throw", "UnknownError", "thrown by a constructor"),
])
def test_mistakes_are_errors_of_the_step(kernel_ops, how, error, text):
    node = kernel_ops.misbehave([1.0], how=how, name="culprit")
    with tf.Session() as session:
        with pytest.raises(getattr(tf.errors, error), match=text) as caught:
            session.run(node)
        if not how.startswith("construct"):
            assert caught.value.op.name == "culprit"
        assert session.run(kernel_ops.axpy([1.0], [2.0], a=2.0)).tolist() == [4.0]
