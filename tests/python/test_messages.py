"""Phrases of TensorFlow's messages that programs and their tests look for."""
import numpy as np
import pytest
import rill as tf


def run(value, feeds=None):
    with tf.Session() as session:
        return session.run(value, feeds)


BUILDING = {
    "matmul": (lambda: tf.matmul(tf.ones([2, 3]), tf.ones([2, 3])), r"Dimensions must be equal, but are 3 and 2"),
    "concat": (lambda: tf.concat([tf.ones([2, 2]), tf.ones([3, 3])], 0),
               r"Dimension 0 in both shapes must be equal, but are 2 and 3\. Shapes are \[2\] and \[3\]\."),
    "stack": (lambda: tf.stack([tf.ones([2]), tf.ones([3])]),
              r"Dimension 0 in both shapes must be equal, but are 2 and 3\. Shapes are \[2\] and \[3\]\."),
    "stack of other ranks": (lambda: tf.stack([tf.ones([2]), tf.ones([1, 2])]), r"Shapes must be equal rank, but are 1 and 2"),
    "split": (lambda: tf.split(tf.ones([5]), 2), r"Dimension size must be evenly divisible by 2 but is 5\n\tNumber of ways to split should evenly divide"),
    "transpose": (lambda: tf.transpose(tf.ones([2, 3]), [0, 1, 2]), r"Dimension must be 2 but is 3"),
    "conv2d": (lambda: tf.nn.conv2d(tf.ones([1, 4, 4, 3]), tf.ones([2, 2, 4, 1]), [1, 1, 1, 1], "SAME"),
               r"Depth of input \(3\) is not a multiple of input depth of filter \(4\)"),
    "reshape": (lambda: tf.reshape(tf.ones([6]), [4, 2]),
                r"Cannot reshape a tensor with 6 elements to shape \[4,2\] \(8 elements\) for 'Reshape' \(op: 'Reshape'\) "
                r"with input shapes: \[6\], \[2\] and with input tensors computed as partial shapes: input\[1\] = \[4,2\]\."),
    "reshape of an unknown size": (lambda: tf.reshape(tf.placeholder(tf.float32, [None, 3]), [2, 2]),
                                   r"Dimension size must be evenly divisible by 3 but is 4"),
    "scalar values": (lambda: tf.split(tf.ones([5]), 2, axis=0), r"input\[0\] = <0>"),
    "unstack": (lambda: tf.unstack(tf.placeholder(tf.float32, [None])), r"Cannot infer num from shape \(\?,\)"),
    "unstack axis": (lambda: tf.unstack([[1]], axis=-3), r"axis = -3 not in \[-2, 2\)"),
    "channels": (lambda: tf.layers.conv2d(tf.placeholder(tf.float32, [1, 2, 2, None]), 1, 1),
                 r"The channel dimension of the inputs should be defined\. Found `None`\."),
    "loss of integers": (lambda: tf.train.GradientDescentOptimizer(0.1).minimize(tf.constant(1, name="loss")),
                         r"Invalid type tf\.int32 for loss:0, expected: \[tf\.float16, tf\.bfloat16, tf\.float32, tf\.float64\]"),
    "initial value": (lambda: tf.Variable(tf.placeholder(tf.float32)),
                      r'initial_value must have a shape specified: Tensor\("Placeholder:0", dtype=float32\)'),
}


@pytest.mark.parametrize("name", BUILDING)
def test_while_building(name):
    make, phrase = BUILDING[name]
    with pytest.raises(ValueError, match=phrase):
        make()


RUNNING = {
    "gather": (lambda: tf.gather([1], [[0, 3]]), r"indices\[0,1\] = 3 is not in \[0, 1\)"),
    "gather_nd": (lambda: tf.gather_nd([[1]], [[[0, 0], [0, 5]]]),
                  r"indices\[0,1\] = \[0, 5\] does not index into param shape \[1,1\]"),
    "gather_nd of nothing": (lambda: tf.gather_nd(tf.ones([2, 0]), [[0], [1]]),
                             r"Requested more than 0 entries, but params is empty"),
    "labels": (lambda: tf.nn.sparse_softmax_cross_entropy_with_logits(labels=[0, 5], logits=tf.ones([2, 2])),
               r"Received a label value of 5 which is outside the valid range of \[0, 2\)\.  Label values: 0 5"),
    "partition": (lambda: tf.dynamic_partition([1, 2], [0, 5], 2), r"partitions\[1\] = 5 is not in \[0, 2\)"),
    "segments": (lambda: tf.unsorted_segment_sum([1, 2], [0, 5], 2), r"segment_ids\[1\] = 5 is out of range \[0, 2\)"),
    "raw bytes": (lambda: tf.decode_raw(["abc"], tf.int32),
                  r"Input to DecodeRaw has length 3 that is not a multiple of 4, the size of int32"),
}


@pytest.mark.parametrize("name", RUNNING)
def test_in_a_step(name):
    make, phrase = RUNNING[name]
    value = make()
    with pytest.raises(tf.errors.InvalidArgumentError, match=phrase):
        run(value)


def test_no_rows_of_an_empty_tensor():
    assert run(tf.gather_nd(tf.ones([2, 0]), tf.zeros([0, 1], tf.int32))).shape == (0, 0)


def test_lists_of_several_types():
    with pytest.raises(TypeError, match=r"Cannot convert a list containing a tensor of dtype <dtype: 'float32'> to "
                                        r"<dtype: 'int32'> \(Tensor is: <tf\.Tensor 'b:0' shape=\(2,\) dtype=float32>\)"):
        tf.convert_to_tensor([tf.placeholder(tf.int32, [2]), tf.placeholder(tf.float32, [2], name="b")])


def test_arguments_of_another_type():
    with pytest.raises(TypeError, match=r"Expected int for argument 'capacity' not 'a'\."):
        tf.FIFOQueue("a", tf.float32)


@pytest.mark.parametrize("key, told", [("no", "no:0"), ("no:1", "no:1")])
def test_inputs_that_an_imported_graph_does_not_have(key, told):
    with pytest.raises(ValueError, match=rf"not found in graph_def: \[{told}\]"):
        tf.import_graph_def(tf.GraphDef(), input_map={key: tf.constant(1.0)})


def test_an_error_has_no_arguments():
    error = tf.errors.InvalidArgumentError(None, None, "text")
    assert error.args == () and repr(error) == "InvalidArgumentError()" and str(error) == "text"


def test_reshaping_what_may_fit():
    x = tf.placeholder(tf.float32, [None, 3])
    assert run(tf.reshape(x, [2, 6]), {x: np.ones([4, 3])}).shape == (2, 6)
    assert tf.reshape(tf.placeholder(tf.float32, [None, 0]), [0, 2]).shape == (0, 2)
