"""Gradients that a program writes in Python."""
import itertools

import pytest

import rill as tf

names = (f"TestGradient{i}" for i in itertools.count())


def run(value):
    with tf.Session() as session:
        return session.run(value)


def test_override_of_an_op(graph):
    name = next(names)

    @tf.RegisterGradient(name)
    def seven(op, grad):
        assert op.type == "Square" and op.inputs[0].op.name == "x"
        return tf.raw_ops.Mul(x=grad, y=7.0)

    x = tf.constant(3.0, name="x")
    with graph.gradient_override_map({"Square": name}):
        y = tf.raw_ops.Square(x=x)
    z = tf.raw_ops.Square(x=x)
    assert y.op.get_attr("_gradient_op_type") == name.encode()
    dy, = tf.gradients(y, x)
    dz, = tf.gradients(z, x)
    assert run([dy, dz]) == [7.0, 6.0]
    assert dy.op.name == "gradients/Square_grad/Mul"


def test_results_of_every_kind(graph):
    name = next(names)

    @tf.RegisterGradient(name)
    def lists(op, grad):
        return [None, tf.IndexedSlices(grad, tf.constant([0]), tf.constant([3]))]

    a, b = tf.constant([1.0]), tf.constant([1.0, 2.0, 3.0])
    with graph.gradient_override_map({"AddV2": name}):
        y = tf.raw_ops.AddV2(x=a, y=b)
    da, db = tf.gradients(y, [a, b], grad_ys=[tf.constant([5.0])])
    assert da is None and isinstance(db, tf.IndexedSlices)
    assert run(db.values).tolist() == [5.0]


def test_too_few_results(graph):
    name = next(names)
    tf.RegisterGradient(name)(lambda op, grad: grad)
    x = tf.constant(1.0)
    with graph.gradient_override_map({"AddV2": name}):
        y = tf.raw_ops.AddV2(x=x, y=x)
    with pytest.raises(ValueError, match="Num gradients 1 generated for op .* num inputs 2"):
        tf.gradients(y, [x])


def test_exceptions_pass_through(graph):
    name = next(names)

    @tf.RegisterGradient(name)
    def broken(op, grad):
        raise LookupError("nowhere")

    x = tf.constant(1.0)
    with graph.gradient_override_map({"Neg": name}):
        y = tf.raw_ops.Neg(x=x)
    with pytest.raises(LookupError, match="nowhere"):
        tf.gradients(y, x)


def test_registering_twice():
    name = next(names)
    tf.RegisterGradient(name)(lambda op, grad: grad)
    with pytest.raises(KeyError, match="Registering two gradient with name"):
        tf.RegisterGradient(name)(lambda op, grad: grad)
    with pytest.raises(KeyError):
        tf.RegisterGradient("Add")(lambda op, grad: grad)
    with pytest.raises(TypeError, match="op_type must be a string"):
        tf.RegisterGradient(3)
    with pytest.raises(TypeError):
        tf.NotDifferentiable(None)


def test_not_differentiable(graph):
    name = next(names)
    tf.NotDifferentiable(name)
    x = tf.constant(1.0)
    with graph.gradient_override_map({"Neg": name}):
        y = tf.raw_ops.Neg(x=x)
    assert tf.gradients(y, x) == [None]
    assert tf.NoGradient is tf.NotDifferentiable
