"""Arguments as programs write them: None for names, truth values, NumPy's numbers, bytes, Dimensions."""
import importlib.util
import os
import pathlib
import subprocess
import sys

import numpy as np
import pytest

import rill as tf

ROOT = pathlib.Path(__file__).resolve().parents[2]
ARGUMENTS = ROOT / "tests/arguments"


def sweep():
    spec = importlib.util.spec_from_file_location("argument_sweep", ARGUMENTS / "sweep.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def value_of(tensor):
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        return session.run(tensor)


X = np.ones([1, 2], np.float32)
TAKEN = {
    "no name": lambda: tf.constant([1, 2], name=None),
    "a type as trainable": lambda: tf.Variable([0.3], tf.float32),
    "a text as trainable": lambda: tf.Variable([10, 20], "x"),
    "NumPy's bool": lambda: tf.get_variable("a", (2,), trainable=np.bool_(False)),
    "1 as a flag": lambda: tf.get_variable("b", (2,), use_resource=1),
    "1 as an optimizer's flag": lambda: tf.train.GradientDescentOptimizer(.1, 1),
    "1 as a cell's flag": lambda: tf.nn.rnn_cell.LSTMCell(3, use_peepholes=1)(X, (tf.zeros([1, 3]),) * 2),
    "a number as a cell's flag": lambda: tf.nn.rnn_cell.LSTMCell(3, 2)(X, (tf.zeros([1, 3]),) * 2),
    "bytes as padding": lambda: tf.nn.conv2d(np.ones([1, 3, 3, 1], "f"), np.ones([1, 1, 1, 1], "f"),
                                             strides=[1, 1, 1, 1], padding=b"SAME"),
    "a float as capacity": lambda: tf.FIFOQueue(10., tf.float32),
    "a shape that is not looked at": lambda: tf.layers.dropout(tf.ones([3]), 0.7, tf.placeholder(tf.bool)),
}


@pytest.mark.parametrize("what", TAKEN)
def test_is_taken(what):
    TAKEN[what]()


REFUSED = {
    "a text as capacity": (lambda: tf.FIFOQueue("x", tf.float32), TypeError, "Expected int for argument 'capacity'"),
    "an argument too many": (lambda: tf.Graph().unique_name("a", True, 3), TypeError, r"unique_name\(\) takes 3"),
    "an unknown argument": (lambda: tf.Graph().unique_name("a", nothing=3), TypeError, "unexpected keyword"),
    "a missing argument": (lambda: tf.Graph().unique_name(), TypeError, "missing 1 required positional argument: 'name'"),
    "a number as name": (lambda: tf.Graph().unique_name(5), TypeError, "Expected string for argument 'name'"),
    "tensors of several types": (lambda: tf.stack([tf.constant(1), tf.constant(1.5)]), TypeError,
                                 r"have types \[int32, float32\] that don't all match"),
    "a list of several types": (lambda: tf.reduce_sum([tf.constant(1), tf.constant(1.5)]), TypeError,
                                "Cannot convert a list containing a tensor of dtype <dtype: 'float32'>"),
    "shapes that are none": (lambda: tf.FIFOQueue(10, tf.float32, shapes=3), TypeError, "Shapes must be a TensorShape"),
}


@pytest.mark.parametrize("what", REFUSED)
def test_is_refused(what):
    call, error, text = REFUSED[what]
    with pytest.raises(error, match=text) as raised:
        call()
    assert "supported" not in str(raised.value) and "std::" not in str(raised.value)


def test_values():
    np.testing.assert_allclose(value_of(tf.tensordot(np.ones([2, 3]), np.ones([2, 3]),
                                                     (np.array([0, 1]), np.array([0, 1])))), 6)
    assert value_of(tf.tensordot(np.ones([2]), np.ones([2]), (np.array([], int), np.array([], int)))).shape == (2, 2)
    assert list(value_of(tf.stack([tf.Dimension(2), 128]))) == [2, 128]
    ngrams = tf.strings.ngrams(tf.ragged.constant([[b"a", b"b"]]), 2, pad_values=(b"LP", b"RP"))
    assert list(value_of(ngrams.values)) == [b"LP a", b"a b", b"b RP"]


def test_a_constant_without_elements_does_not_look_at_its_value():
    assert tf.constant(0, shape=[2, 0]).dtype == tf.float32
    assert tf.constant(3, tf.int64, shape=[0]).dtype == tf.int64
    assert value_of(tf.constant(0., shape=[0, 4])).shape == (0, 4)
    with pytest.raises(ValueError, match="Too many elements"):
        tf.constant(np.zeros(3), shape=[0])


def test_one_shape_of_a_queue_with_one_component():
    assert tf.FIFOQueue(10, tf.float32, shapes=(3, 2)).dequeue_many(2).shape.as_list() == [2, 3, 2]
    assert tf.FIFOQueue(10, tf.float32, shapes=()).dequeue_many(2).shape.as_list() == [2]
    assert tf.RandomShuffleQueue(10, 2, tf.float32, shapes=[3]).shapes[0].as_list() == [3]
    assert [s.as_list() for s in tf.PriorityQueue(10, tf.string, ()).shapes] == [[], []]


def test_sizes_that_int32_does_not_hold():
    assert tf.ones([2**31 + 6], tf.int8).shape.as_list() == [2**31 + 6]
    assert tf.truncated_normal([2**33]).shape.as_list() == [2**33]
    assert tf.fill([2**33], 1).shape.as_list() == [2**33]
    assert tf.reshape(tf.placeholder(tf.float32), [2, 2**31]).shape.as_list() == [2, 2**31]
    assert tf.convert_to_tensor(tf.TensorShape([2**31, 3])).dtype == tf.int64
    assert tf.shape(tf.placeholder(tf.float32, [2**33])).op.type == "Shape"


def test_slices_are_cast_as_slices():
    slices = tf.cast(tf.IndexedSlices(tf.ones([2]), tf.constant([0, 1])), tf.float64)
    assert isinstance(slices, tf.IndexedSlices) and slices.values.dtype == tf.float64


def test_a_tensor_as_the_shape_of_a_sparse_placeholder():
    sparse = tf.sparse_placeholder(tf.float32, shape=tf.constant([3, 4], tf.int64))
    assert sparse.shape.as_list() == [3, 4]


@pytest.mark.slow
def test_thousands_of_calls_are_taken_and_refused_as_tensorflow_does(tmp_path):
    module = sweep()
    paths = os.pathsep.join(str(ROOT / part) for part in ("python", "python/compat"))
    made = subprocess.run([sys.executable, str(ARGUMENTS / "sweep.py")], env={**os.environ, "PYTHONPATH": paths},
                          cwd=tmp_path, stdout=subprocess.PIPE, text=True, timeout=600, check=True).stdout
    golden = dict(reversed(line.split("\t")) for line in (ARGUMENTS / "outcomes.txt").read_text().splitlines())
    excused = {tuple(line.split("\t")[:5]) for line in (ARGUMENTS / "differences.tsv").read_text().splitlines()
               if not line.startswith("#")}
    wrong = []
    for letters, line in (row.split("\t") for row in made.splitlines()):
        names = [("", "", line), *module.varied_calls(line)]
        assert len(golden[line]) == len(letters) == len(names), line
        for (argument, variation, _), wanted, got in zip(names, golden[line], letters):
            if wanted != got and (line.split("(")[0], argument, variation, wanted, got) not in excused:
                wrong.append(f"{line.split('(')[0]} {argument}={variation}: TensorFlow {wanted}, here {got}")
    assert not wrong, "\n".join([f"{len(wrong)} differences", *wrong[:50]])
