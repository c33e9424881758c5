"""tf.contrib.graph_editor and its relatives: op_selector, the walks of Keras's tf_utils."""
import numpy as np
import pytest
import tensorflow as tf
from tensorflow.contrib import graph_editor as ge


@pytest.fixture
def chain():
    """a -> b -> c, and d, which reads a and waits for b."""
    with tf.Graph().as_default():
        a = tf.constant(2.0, name="a")
        with tf.name_scope("s"):
            b = tf.negative(a, name="b")
            c = tf.exp(b, name="c")
        with tf.control_dependencies([b]):
            d = tf.abs(a, name="d")
        yield a, b, c, d


def names(items):
    return [item.name for item in items]


def test_walks(chain):
    a, b, c, d = chain
    assert names(ge.get_backward_walk_ops(c)) == ["s/c", "s/b", "a"]
    assert names(ge.get_backward_walk_ops([c.op], inclusive=False)) == ["s/b", "a"]
    assert names(ge.get_backward_walk_ops(c.op, stop_at_ts=[b])) == ["s/c"]
    assert names(ge.get_backward_walk_ops(c.op, within_ops=[c.op, b.op])) == ["s/c", "s/b"]
    assert names(ge.get_backward_walk_ops(c.op, within_ops_fn=lambda op: op.type != "Const")) == ["s/c", "s/b"]
    assert names(ge.get_backward_walk_ops(d.op, control_inputs=True)) == ["d", "a", "s/b"]
    assert set(names(ge.get_forward_walk_ops(a.op))) == {"a", "s/b", "s/c", "d"}
    assert names(ge.get_walks_intersection_ops([b], [c])) == ["s/c"]
    assert set(names(ge.get_walks_union_ops([b.op], [b.op]))) == {"s/b", "s/c", "a"}
    from tensorflow.python.ops import op_selector
    assert names(op_selector.get_backward_walk_ops(c)) == ["s/c", "s/b", "a"]


def test_reachable_from_inputs(chain):
    from tensorflow.python.keras.utils import tf_utils
    a, b, c, d = chain
    assert tf_utils.get_reachable_from_inputs([b]) == {b, c, c.op}
    assert tf_utils.get_reachable_from_inputs([b.op]) == {b.op, b, c, c.op, d, d.op}
    with pytest.raises(TypeError, match="Expected Operation, Variable, or Tensor"):
        tf_utils.get_reachable_from_inputs([3])


def test_selection(chain):
    a, b, c, d = chain
    graph = tf.get_default_graph()
    assert names(ge.filter_ops(graph, "^s/")) == ["s/b", "s/c"]
    assert names(ge.filter_ops_from_regex(graph, "d$")) == ["d"]
    assert names(ge.get_name_scope_ops(graph.get_operations(), "s")) == ["s/b", "s/c"]
    assert names(ge.select_ops("^s/", graph=graph)) == ["s/b", "s/c"]
    assert ge.select_ts("(?#ts)^s/c", graph=graph) == [c]
    assert ge.get_ops_ios([c.op]) == [b, c]
    assert [list(ts) for ts in ge.compute_boundary_ts([b.op, c.op])] == [[a], [c], [b]]
    with pytest.raises(TypeError):
        ge.make_list_of_op([3])
    with tf.Graph().as_default():
        other = tf.constant(1)
    with pytest.raises(ValueError):
        ge.get_unique_graph([a, other])


def test_views(chain):
    a, b, c, d = chain
    view = ge.sgv([b.op, c.op])
    assert view.inputs == [a] and view.outputs == [c] and view.ops == [b.op, c.op]
    assert ge.sgv_scope("s", tf.get_default_graph()).ops == view.ops
    both = ge.sgv([a.op, b.op])
    assert both.outputs == [a, b] and both.remap_outputs([1]).outputs == [b]


def test_copies_and_replacements(chain):
    a, b, c, d = chain
    x = tf.constant(5.0, name="x")
    view, info = ge.copy_with_input_replacements(ge.sgv([b.op, c.op]), {a: x}, dst_scope="t", src_scope="s")
    assert names(view.ops) == ["t/b", "t/c"] and info.transformed(c).name == "t/c:0"
    assert info.original(view.ops[0]) is b.op
    replaced = ge.graph_replace(c, {a: x})
    listed = ge.graph_replace([c, d], {a: x})
    with tf.Session() as session:
        np.testing.assert_allclose(session.run([info.transformed(c), replaced, *listed, c]),
                                   [np.exp(-5), np.exp(-5), np.exp(-5), 5, np.exp(-2)], rtol=1e-6)
    with pytest.raises(ValueError, match="not connected"):
        ge.graph_replace(a, {c: x})
    other = tf.Graph()
    copied, _ = ge.copy(ge.sgv([b.op, c.op]), dst_graph=other)
    assert names(copied.ops) == ["s/b", "s/c"] and copied.inputs[0].op.type == "Placeholder"


def test_edges_are_moved(chain):
    a, b, c, d = chain
    x = tf.constant(5.0, name="x")
    assert ge.reroute_ts([x], [a], can_modify=[b.op]) == 1
    assert b.op.inputs[0] is x and d.op.inputs[0] is a
    assert ge.swap_ts([x], [a]) == 2
    assert b.op.inputs[0] is a and d.op.inputs[0] is x
    view, before = ge.detach_inputs(ge.sgv([c.op]))
    assert c.op.inputs[0] is before[0] and before[0].op.type == "Placeholder"
    ge.connect(ge.sgv([b.op]).remap_outputs([0]), view)
    assert c.op.inputs[0] is b
    with pytest.raises(ValueError, match="Dtypes"):
        ge.reroute_ts([tf.constant(1)], [a])


def test_recomputed_gradients(chain):
    """The way in which programs save memory: copies of the forward pass that wait for the backward pass."""
    x = tf.Variable([1.0, 2.0])
    y = tf.tanh(tf.square(x) * 0.1)
    ops = [op for op in ge.get_backward_walk_ops(y.op, inclusive=True) if op.type in ("Tanh", "Mul", "Square")]
    copied, info = ge.copy_with_input_replacements(ge.sgv(ops), {})
    ge.add_control_inputs(info.transformed(y).op, [y.op])
    assert y.op in info.transformed(y).op.control_inputs
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        np.testing.assert_array_equal(*session.run([y, info.transformed(y)]))
