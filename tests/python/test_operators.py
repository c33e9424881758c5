"""Operators with operands that are no tensors, and the graph that new nodes stand in."""
import numpy as np
import pytest

import rill as tf


class Right:
    """Computes for itself what a tensor cannot."""

    __radd__ = __rmul__ = __rmatmul__ = __rand__ = __rpow__ = lambda self, other: "mine"


@pytest.mark.parametrize("make", [
    lambda: tf.constant(1), lambda: tf.Variable(1), lambda: tf.get_variable("v", [], use_resource=True)])
def test_an_operand_without_a_tensor_computes_for_itself(make):
    x, right = make(), Right()
    assert [x + right, x * right, x @ right, x & right, x**right] == ["mine"] * 5
    with pytest.raises(TypeError, match="Failed to convert"):
        x - right  # it has no __rsub__


def test_an_operand_with_a_tensor_does_not():
    class Number:
        __radd__ = lambda self, other: "mine"  # noqa: E731

        def __array__(self, dtype=None):
            import numpy
            return numpy.array(3)

    assert tf.Session().run(tf.constant(1) + Number()) == 4
    # Floats have __radd__, too: that their type does not fit is the error.
    with pytest.raises(TypeError, match="has type float32 that does not match type int32"):
        tf.constant(1) + 1.5


def test_a_conversion_function_may_decline():
    class Declined(Right):
        pass

    class Refused:
        pass

    for kind in (Declined, Refused):
        tf.register_tensor_conversion_function(kind, lambda *args, **kwargs: NotImplemented)
    assert tf.constant(1) + Declined() == "mine"
    with pytest.raises(TypeError, match="Failed to convert"):
        tf.constant(1) + Refused()


def test_iterators_stay_in_their_graph(graph):
    one_shot = tf.data.make_one_shot_iterator(tf.data.Dataset.range(3))
    with_initializer = tf.data.make_initializable_iterator(tf.data.Dataset.range(3))
    with tf.Graph().as_default():
        made = [one_shot.get_next(), with_initializer.get_next(), with_initializer.string_handle(),
                one_shot.string_handle("handle"), with_initializer.make_initializer]
    assert all(tensor.graph is graph for tensor in made[:-1])
    with tf.Session() as session:
        assert session.run(made[0]) == 0


@pytest.mark.parametrize("make", [
    lambda x: x[x > 1], lambda x: x[np.array([False, True, True])], lambda x: tf.Variable([1, 2, 3]).initialized_value()[x > 1]])
def test_a_mask_is_an_index(make):
    with tf.Graph().as_default(), tf.Session() as sess:
        assert sess.run(make(tf.constant([1, 2, 3]))).tolist() == [2, 3]


def test_a_mask_of_rows():
    with tf.Graph().as_default(), tf.Session() as sess:
        x = tf.constant([[1, 2], [3, 4]])
        assert sess.run([x[x > 2], x[tf.constant([False, True])]])[1].tolist() == [[3, 4]]
        with pytest.raises(ValueError, match="mask cannot be scalar"):
            x[True]


@pytest.mark.parametrize("index", [
    lambda: np.array([0]), lambda: tf.constant([0]), lambda: tf.constant(0.0), lambda: np.float32(0), lambda: b"a",
    lambda: slice(np.array([1]), None)])
def test_what_is_no_index(index):
    with tf.Graph().as_default(), pytest.raises(TypeError, match="Only integers, slices"):
        tf.constant([1, 2, 3])[index()]
