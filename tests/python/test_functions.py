"""Defun and the ops that call functions, as TF1 programs use them."""
import numpy as np
import pytest
import rill as tf
from rill import functional_ops
from rill._defun import Defun


def run(fetches, feeds=None):
    with tf.Session() as session:
        return session.run(fetches, feeds)


def test_a_function_is_called_by_name(graph):
    @Defun(tf.float32, tf.float32, func_name="Plus")
    def plus(x, y):
        return x + y

    a = tf.placeholder(tf.float32)
    out = plus(a, 2.0)
    again = plus(out, 1.0, name="again")
    assert out.op.type == out.op.name == "Plus"
    assert again.op.name == "again"
    assert run(again, {a: 3.0}) == 6.0
    library = graph.as_graph_def().library
    assert [f.signature.name for f in library.function] == ["Plus"]
    assert [a.name for a in library.function[0].signature.input_arg] == ["x", "y"]
    assert graph.as_graph_def().versions.min_consumer >= 12


def test_results():
    @Defun(tf.float32)
    def several(x):
        return x + 1.0, x * 2.0

    @Defun(tf.float32)
    def nothing(x):
        tf.raw_ops.Print(input=x, data=[x])

    x, y = several(tf.constant(3.0))
    assert run([x, y]) == [4.0, 6.0]
    assert isinstance(nothing(tf.constant(1.0)), tf.Operation)


def test_captures(graph):
    x = tf.placeholder(tf.float32, name="x")
    outside = x * 10.0

    @Defun(tf.float32)
    def f(y):
        return y + outside

    assert f.captured_inputs == [outside]
    assert run(f(1.0), {x: 2.0}) == 21.0
    assert not graph.building_function


def test_nested_functions_capture_through():
    x = tf.placeholder(tf.float32)

    @Defun(tf.float32)
    def inner(y):
        return y * x

    @Defun(tf.float32)
    def outer(y):
        return inner(y) + inner(x)

    assert run(outer(3.0), {x: 2.0}) == 10.0


def test_untyped_functions_are_made_for_each_type():
    @Defun()
    def twice(x):
        return x + x

    assert run(twice(tf.constant(2.5))) == 5.0
    assert run(twice(tf.constant([1, 2]))).tolist() == [2, 4]


def test_gradients():
    @Defun(tf.float32)
    def cube(x):
        return x * x * x

    x = tf.placeholder(tf.float32)
    y = cube(x)
    (dx,) = tf.gradients(y, [x])
    assert dx.op.type == "SymbolicGradient"
    assert run([y, dx], {x: 2.0}) == [8.0, 12.0]


def test_gradient_functions():
    @Defun(tf.float32, tf.float32)
    def ours(x, dy):
        return dy * x * 100.0

    @Defun(tf.float32, grad_func=ours)
    def square(x):
        return x * x

    def in_python(op, dy):
        return [dy * 1000.0 + op.inputs[0]]

    @Defun(tf.float32, python_grad_func=in_python)
    def cube(x):
        return x * x * x

    x = tf.placeholder(tf.float32)
    assert run(tf.gradients(square(x), [x]), {x: 2.0}) == [200.0]
    assert run(tf.gradients(cube(x), [x]), {x: 2.0}) == [1002.0]


def test_control_flow():
    @Defun(tf.int32, tf.float32)
    def test(i, x):
        return i < 3

    @Defun(tf.int32, tf.float32)
    def body(i, x):
        return i + 1, x * 2.0

    @Defun(tf.float32)
    def plus(x):
        return x + 1.0

    @Defun(tf.float32)
    def minus(x):
        return x - 1.0

    i, x = functional_ops.While([tf.constant(0), tf.constant(1.0)], test, body)
    p = tf.placeholder(tf.bool)
    y = functional_ops.If(p, [x], plus, minus)[0]
    assert run([i, x, y], {p: True}) == [3, 8.0, 9.0]
    assert run(y, {p: False}) == 7.0


def test_while_with_captures():
    step = tf.placeholder(tf.float32)

    @Defun(tf.float32)
    def test(x):
        return x < 10.0

    @Defun(tf.float32)
    def body(x):
        return x + step

    assert run(functional_ops.While([tf.constant(0.0)], test, body)[0], {step: 3.0}) == 12.0


def test_gradients_of_control_flow():
    @Defun(tf.int32, tf.float32)
    def test(i, x):
        return i < 3

    @Defun(tf.int32, tf.float32)
    def body(i, x):
        return i + 1, x * x

    @Defun(tf.float32)
    def square(x):
        return x * x

    @Defun(tf.float32)
    def triple(x):
        return x * 3.0

    x = tf.placeholder(tf.float32, [])
    power = functional_ops.While([tf.constant(0), x], test, body)[1]
    assert run(tf.gradients(power, [x]), {x: 1.5}) == pytest.approx([8 * 1.5**7])
    p = tf.placeholder(tf.bool)
    y = functional_ops.If(p, [x], square, triple)[0]
    (dx,) = tf.gradients(y, [x])
    assert [run(dx, {x: 5.0, p: v}) for v in (True, False)] == [10.0, 3.0]


def test_gradients_of_a_loop_that_reads_a_variable():
    @Defun(tf.int32, tf.float32, tf.resource)
    def test(i, x, v):
        return i < 3

    @Defun(tf.int32, tf.float32, tf.resource)
    def body(i, x, v):
        return i + 1, x * tf.raw_ops.ReadVariableOp(resource=v, dtype=tf.float32), v

    v = tf.raw_ops.VarHandleOp(dtype=tf.float32, shape=[], shared_name="factor")
    init = tf.raw_ops.AssignVariableOp(resource=v, value=2.0)
    x = tf.placeholder(tf.float32, [])
    y = functional_ops.While([tf.constant(0), x, v], test, body)[1]
    gradients = tf.gradients(y, [x, v])
    with tf.Session() as session:
        session.run(init)
        assert session.run([y] + gradients, {x: 3.0}) == [24.0, 8.0, 36.0]


def test_what_cannot_be_a_function():
    with pytest.raises(ValueError, match="must be a callable"):
        Defun(tf.float32)(3)
    with pytest.raises(ValueError, match="defaults"):
        Defun(tf.float32)(lambda x=1: x)
    with pytest.raises(ValueError, match="number of specified input types"):
        Defun(tf.float32, tf.float32)(lambda x: x)
    f = Defun(tf.float32)(lambda x: x)
    with pytest.raises(ValueError, match="Expected number of arguments: 1, received: 2"):
        f(1.0, 2.0)


def test_a_function_serves_several_graphs():
    @Defun(tf.float32)
    def inner(x):
        return x + 1.0

    @Defun(tf.float32)
    def outer(x):
        return inner(x) * 2.0

    assert run(outer(1.0)) == 4.0
    with tf.Graph().as_default():
        y = outer(np.float32(2.0))
        assert tf.Session().run(y) == 6.0


def test_tf_function():
    x = tf.placeholder(tf.float32, [2])
    outside = x * 3.0

    @tf.function
    def f(a, pair, scale=2.0):
        return {"sum": a + pair[0] * scale, "both": (pair[1], outside)}

    out = f(x, [x, tf.constant(1.0)])
    assert out["sum"].op.type == "PartitionedCall"
    values = run([out["sum"], *out["both"]], {x: [1.0, 2.0]})
    assert [v.tolist() for v in values] == [[3.0, 6.0], 1.0, [3.0, 6.0]]
    assert len(tf.get_default_graph().as_graph_def().library.function) == 1
    f(x + 1.0, [x, tf.constant(2.0)])
    assert len(tf.get_default_graph().as_graph_def().library.function) == 1
    f(x, [x, tf.constant(1.0)], scale=3.0)
    assert len(tf.get_default_graph().as_graph_def().library.function) == 2


def test_tf_function_orders_its_effects():
    handle = tf.raw_ops.VarHandleOp(dtype=tf.float32, shape=[], shared_name="v")

    @tf.function
    def step(x):
        tf.raw_ops.AssignVariableOp(resource=handle, value=x)
        tf.raw_ops.AssignAddVariableOp(resource=handle, value=x * 10.0)
        first = tf.raw_ops.ReadVariableOp(resource=handle, dtype=tf.float32)
        tf.raw_ops.AssignAddVariableOp(resource=handle, value=x * 100.0)
        return first, tf.raw_ops.ReadVariableOp(resource=handle, dtype=tf.float32)

    first, second = step(tf.constant(1.0))
    assert first.op.type == "StatefulPartitionedCall"
    for _ in range(5):
        assert run([first, second]) == [11.0, 111.0]


def test_a_function_keeps_its_documentation():
    @Defun(tf.float32)
    def typed(x):
        """Of one type."""
        return x

    @Defun()
    def of_any(x):
        """Of any type."""
        return x

    assert (typed.__doc__, of_any.__doc__) == ("Of one type.", "Of any type.")
    assert typed.declared_input_types == (tf.float32,)


def test_variables_of_a_function_belong_to_the_graph_around_it():
    scale = tf.make_template("scale", lambda x: x * tf.get_variable("w", [], initializer=tf.ones_initializer()))

    @Defun(tf.float32)
    def scaled(x):
        with tf.variable_scope("inner", use_resource=True):
            return scale(x) + tf.get_variable("b", [], initializer=tf.ones_initializer())

    with tf.variable_scope("outer"):
        y = scaled(3.0)
    once_more = scale(tf.constant(4.0))
    assert {v.op.name for v in tf.global_variables()} == {"outer/inner/scale/w", "outer/inner/b"}
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        assert session.run([y, once_more]) == [4.0, 4.0]


def test_a_dataset_reads_variables_that_are_there():
    scale = tf.make_template("scale", lambda x: tf.cast(x, tf.float32) * tf.get_variable(
        "w", [], initializer=tf.ones_initializer(), use_resource=True))
    scale(1)
    iterator = tf.data.make_initializable_iterator(tf.data.Dataset.range(3).map(scale))
    following = iterator.get_next()
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        session.run(iterator.initializer)
        assert [session.run(following) for _ in range(3)] == [0.0, 1.0, 2.0]


def test_tensors_captured_by_value_become_part_of_the_function():
    c = tf.constant(5.0) * 2.0

    @Defun(tf.float32, capture_by_value=True)
    def plus(x):
        return x + c

    assert run(plus(1.0)) == 11.0
    assert plus.captured_inputs == [] and len(plus.definition.signature.input_arg) == 1
    assert sorted(node.op for node in plus.definition.node_def) == ["AddV2", "Const", "Const", "Mul"]


@pytest.mark.parametrize("make, message", [
    (lambda: tf.placeholder(tf.float32), "Cannot capture a placeholder .name:Placeholder, type:Placeholder. by value"),
    (lambda: tf.Variable(1.0), "Cannot capture a stateful node .name:Variable, type:VariableV2. by value"),
    (lambda: tf.Variable(1.0, use_resource=True), "Cannot capture a stateful node .name:Variable, type:VarHandleOp.")])
def test_what_has_no_value_cannot_be_captured_by_value(make, message):
    outside = make()

    @Defun(tf.float32, capture_by_value=True)
    def plus(x):
        return x + outside

    with pytest.raises(ValueError, match=message):
        plus(1.0)
