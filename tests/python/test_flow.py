import collections
import json
import pathlib
import sys

import numpy as np
import pytest

import rill as tf

TESTS = pathlib.Path(__file__).resolve().parent.parent
sys.path.insert(0, str(TESTS / "flow"))

import flow_programs as programs  # noqa: E402
import flow_record as record  # noqa: E402

GOLDENS = json.loads((TESTS / "golden" / "flow.json").read_text())


@pytest.mark.parametrize("name", sorted(programs.PROGRAMS))
def test_programs_as_tensorflows(name):
    ours, golden = record.run(tf, name), GOLDENS[name]
    for mine, theirs in zip(ours["steps"], golden["steps"], strict=True):
        for x, y in zip(mine, theirs, strict=True):
            np.testing.assert_allclose(x, y, rtol=1e-4, atol=1e-5)
    if name in programs.VALUES_ONLY:
        return
    nodes = record.as_tensorflow_1(golden["nodes"])
    assert ours["nodes"] == nodes
    if name not in programs.OTHER_ORDER:
        assert list(ours["nodes"]) == list(nodes)


def raises(error, match):
    return pytest.raises(error, match=match)


@pytest.fixture
def x():
    with tf.Graph().as_default():
        yield tf.placeholder(tf.float32, [], name="x")


def count_to(n):
    return lambda i: tf.raw_ops.Less(x=i, y=n)


def test_what_is_inside_cannot_be_fed_or_fetched(x):
    kept = []

    def body(i):
        kept.append(i + 1)
        return kept[0]

    tf.while_loop(count_to(3), body, [0])
    y = tf.cond(x > 0.0, lambda: kept.append(x * 2.0) or kept[-1], lambda: x)
    graph = tf.get_default_graph()
    assert not graph.is_fetchable(kept[0]) and not graph.is_feedable(kept[0])
    assert not graph.is_fetchable(kept[1]) and graph.is_feedable(kept[1])
    with tf.Session() as sess:
        for inside in kept:
            with raises(ValueError, "has been marked as not fetchable"):
                sess.run(inside, {x: 1.0})
        with raises(ValueError, "may not be fed"):
            sess.run(y, {x: 1.0, kept[0]: 2})
        assert sess.run(y, {x: 1.0, kept[1]: 7.0}) == 7.0  # the taken branch's value, replaced
    with raises(ValueError, "because 'while/add' is in a while loop"):
        kept[0] + 1


def test_cond_errors(x):
    p = x > 0.0
    with raises(TypeError, "pred must not be a Python bool"):
        tf.cond(True, lambda: x, lambda: x)
    with raises(TypeError, "true_fn must be callable"):
        tf.cond(p, x, lambda: x)
    with raises(ValueError, "true_fn must have a return value"):
        tf.cond(p, lambda: None, lambda: x)
    with raises(ValueError, "The two structures don't have the same nested structure"):
        tf.cond(p, lambda: (x, x), lambda: x)
    with raises(ValueError, "must have the same type"):
        tf.cond(p, lambda: x, lambda: tf.constant(1))
    assert tf.cond(p, lambda: [x], lambda: [x]).name == "cond_4/Merge:0"
    assert isinstance(tf.cond(p, lambda: [x], lambda: [x], strict=True), list)


def test_while_errors(x):
    with raises(ValueError, "No loop variables provided"):
        tf.while_loop(lambda: True, lambda: None, [])
    with raises(TypeError, "body must be callable"):
        tf.while_loop(count_to(3), 1, [0])
    with raises(TypeError, "parallel_iterations must be a positive integer"):
        tf.while_loop(count_to(3), lambda i: i, [0], parallel_iterations=0)
    with raises(ValueError, "don't have the same nested structure"):
        tf.while_loop(count_to(3), lambda i: (i, i), [0])
    with raises(ValueError, "enters the loop with shape"):
        tf.while_loop(lambda s: x > 0.0, lambda s: tf.raw_ops.ExpandDims(input=s, axis=0), [x])
    with raises(ValueError, "shape invariant specified for"):
        tf.while_loop(lambda s: x > 0.0, lambda s: s, [x],
                      shape_invariants=[tf.TensorShape([2])])
    with raises(ValueError, "maximum_iterations must be a scalar"):
        tf.while_loop(count_to(3), lambda i: i, [0], maximum_iterations=[1, 2])
    assert tf.get_default_graph()._get_control_flow_context() is None


def test_structures_come_back():
    pair = collections.namedtuple("pair", "j, k")
    step = lambda i, p: (i + 1, pair(p.j + p.k, p.j - p.k))
    with tf.Graph().as_default(), tf.Session() as sess:
        ends = tf.while_loop(lambda i, p: i < 10, step, (0, pair(1, 2)))
        assert sess.run(ends) == (10, pair(32, 64))
        one = tf.while_loop(count_to(3), lambda i: [i + 1], [0])
        assert sess.run(one) == 3
        listed = tf.while_loop(count_to(3), lambda i: [i + 1], [0], return_same_structure=True)
        assert sess.run(listed) == [3]
        limited = tf.while_loop(lambda i, p: i < 10, lambda i, p: [i + 1, {"a": p["a"] * 2}],
                                [0, {"a": 1}], maximum_iterations=4)
        assert sess.run(limited) == [4, {"a": 16}]


def test_gradient_of_a_loop_in_a_branch_in_a_loop():
    with tf.Graph().as_default(), tf.Session() as session:
        x, yes = tf.constant(1.5), tf.placeholder_with_default(True, [])

        def doubled(y):
            return tf.while_loop(lambda i, y: i < 3, lambda i, y: (i + 1, y * 2.0), [0, y])[1]
        result = tf.while_loop(lambda i, y: i < 2,
                               lambda i, y: (i + 1, tf.cond(yes, lambda: doubled(y), lambda: y)), [0, x])[1]
        assert session.run([result, tf.gradients(result, x)[0]]) == [96, 64]
        assert session.run(result, {yes: False}) == 1.5


def test_gradient_errors(x):
    _, s = tf.while_loop(lambda i, s: i < 3, lambda i, s: (i + 1, s * x), (0, x))
    g = tf.gradients(s, x)
    with raises(TypeError, "Second-order gradient for while loops not supported"):
        tf.gradients(g, x)

    def body(i, t):
        tf.gradients(t * t, x)
        return i + 1, t

    with raises(ValueError, "Cannot compute gradient inside while loop with respect to op 'x'"):
        tf.while_loop(lambda i, t: i < 3, body, (0, x * 2.0))


def test_case_fails_as_it_should(x):
    with tf.Session() as sess:
        none = tf.case([(x < 1.0, lambda: x), (x > 2.0, lambda: -x)])
        with raises(tf.errors.InvalidArgumentError, "None of conditions evaluated as True"):
            sess.run(none, {x: 1.5})
        two = tf.case([(x < 1.0, lambda: x), (x < 2.0, lambda: -x)], default=lambda: x,
                      exclusive=True)
        with raises(tf.errors.InvalidArgumentError, "more than 1 conditions"):
            sess.run(two, {x: 0.5})
    with raises(TypeError, "pred must be of type bool"):
        tf.case([(x, lambda: x)], default=lambda: x)


def test_tensor_array_checks(x):
    ta = tf.TensorArray(tf.float32, 2)
    assert ta.dtype == tf.float32 and ta.element_shape.ndims is None
    ta = ta.write(0, x)
    assert ta.element_shape.as_list() == []
    with raises(ValueError, "Inconsistent shapes"):
        ta.write(1, [1.0, 2.0])
    with raises(ValueError, "Size must be provided"):
        tf.TensorArray(tf.float32)
    with raises(ValueError, "both a handle and size"):
        tf.TensorArray(tf.float32, 2, handle=ta.handle, flow=ta.flow)
    with tf.Session() as sess:
        done = ta.write(1, 3.0)
        with raises(tf.errors.InvalidArgumentError, "multiple times|already been written"):
            sess.run(done.write(1, 4.0).stack(), {x: 1.0})
        with tf.control_dependencies([done.flow]):
            closed = done.close()
        sess.run(closed, {x: 1.0})


def test_switch_case(x):
    index = tf.placeholder(tf.int32, [])
    y = tf.switch_case(index, {1: lambda: x + 1, 0: lambda: x * 2}, default=lambda: -x)
    assert y.name == "switch_case/indexed_case/Identity:0"
    assert y.op.inputs[0].op.type == "StatelessCase"
    grad = tf.gradients(y, x)[0]
    nested = tf.switch_case(index, [lambda: {"a": x, "b": [x, x * 3]}] * 2, name="foo")
    assert nested["a"].name == "foo/indexed_case/Identity:0"
    with tf.Session() as session:
        for i, value, slope in [(0, 6, 2), (1, 4, 1), (2, -3, -1), (7, -3, -1), (-1, -3, -1)]:
            assert session.run([y, grad], {index: i, x: 3}) == [value, slope]
        assert session.run(nested, {index: 1, x: 3}) == {"a": 3, "b": [3, 9]}


def test_switch_case_errors(x):
    index = tf.placeholder(tf.int32, [])
    f = lambda: x  # noqa: E731
    with raises(ValueError, "at least one item"):
        tf.switch_case(index, [])
    with raises(TypeError, "must be a list, tuple, or dict"):
        tf.switch_case(index, 5)
    with raises(TypeError, "key must be a Python `int`"):
        tf.switch_case(index, {0: f, "a": f})
    with raises(TypeError, "2-tuple"):
        tf.switch_case(index, [f, 3])
    with raises(ValueError, r"contiguous range of \[0 to 2\) but found {0,0}"):
        tf.switch_case(index, [(0, f), (0, f)])
    with raises(TypeError, "'branch_index' must be a Tensor"):
        tf.switch_case(1, [f])
    with raises(TypeError, "same number, type, and overall structure"):
        tf.switch_case(index, [f, lambda: tf.constant(1)])
    with raises(TypeError, "same number, type, and overall structure"):
        tf.switch_case(index, [f, lambda: (x, x)])


def test_what_is_no_predicate_of_cond():
    with tf.Graph().as_default(), pytest.raises(TypeError, match="'pred' of 'Switch' Op has type int32"):
        tf.cond(tf.placeholder_with_default(3, []), lambda: 1, lambda: 2)


def test_a_case_of_nothing():
    with tf.Graph().as_default(), pytest.raises(ValueError, match="at least one pair"):
        tf.case([], default=lambda: 1)
