import numpy as np
import pytest

import rill as tf

TensorShape, Dimension = tf.TensorShape, tf.Dimension


@pytest.mark.parametrize("value, name", [
    (float, "float32"), (bool, "bool"), (object, "string"), (np.float32, "float32"),
    (np.dtype("f8"), "float64"), ("float", "float32"), ("half", "float16"), ("double", "float64"),
    ("float32_ref", "float32_ref"), (1, "float32"), (101, "float32_ref"), (np.str_, "string"),
    (np.array([1]), "int64"), (np.dtype(">f4"), "float32"),
])
def test_as_dtype(value, name):
    assert tf.as_dtype(value).name == name


@pytest.mark.parametrize("value", [int, str, complex, None, "foo", "DT_FLOAT", 3.5, "<f4", 99])
def test_what_is_no_dtype(value):
    with pytest.raises(TypeError, match="to a TensorFlow DType"):
        tf.as_dtype(value)


def test_dtype_facts():
    assert repr(tf.float32) == "tf.float32" and str(tf.float32) == "<dtype: 'float32'>"
    assert tf.float32 == "float32" and tf.float32 == np.float32 and tf.float32 != "foo"
    assert hash(tf.float32) == 1 and tf.float32.as_datatype_enum == 1
    ref = tf.float32._as_ref
    assert ref.base_dtype is tf.float32 and ref._is_ref_dtype
    assert tf.float32.is_compatible_with(ref) is True
    assert tf.complex64.real_dtype is tf.float32
    assert (tf.int8.min, tf.int8.max, tf.uint16.limits) == (-128, 127, (0, 65535))
    assert tf.string.as_numpy_dtype is object and tf.float32.size == 4
    assert tf.qint8.as_numpy_dtype == np.dtype([("qint8", "i1")])
    assert not tf.resource.is_numpy_compatible


def test_shapes():
    s = TensorShape([2, None, 3])
    assert str(s) == "(2, ?, 3)" and str(TensorShape(None)) == "<unknown>"
    assert repr(s) == "TensorShape([Dimension(2), Dimension(None), Dimension(3)])"
    assert s.as_list() == [2, None, 3] and s.ndims == s.rank == len(s) == 3
    assert s[0] == 2 and s[1].value is None and s[1:].as_list() == [None, 3]
    assert TensorShape([2, 3]).num_elements() == 6 and s.num_elements() is None
    assert s.merge_with([2, 4, 3]).as_list() == [2, 4, 3]
    assert s.concatenate([7]).as_list() == [2, None, 3, 7]
    assert not TensorShape(None) and TensorShape([])
    assert TensorShape(None)[1:3].as_list() == [None, None]
    assert TensorShape([2, 3]) == [2, 3] and TensorShape([2]) != None  # noqa: E711
    assert s.most_specific_compatible_shape([2, 3, 4]).as_list() == [2, None, None]
    assert [d.size for d in s.as_proto().dim] == [2, -1, 3]
    assert TensorShape(s.as_proto()) == s


@pytest.mark.parametrize("call, text", [
    (lambda s: s.merge_with([2, 4]), r"Shapes \(2, \?, 3\) and \(2, 4\) are not compatible"),
    (lambda s: s.with_rank(2), "must have rank 2"),
    (lambda s: s.with_rank_at_least(4), "must have rank at least 4"),
    (lambda s: s.assert_is_fully_defined(), "is not fully defined"),
    (lambda s: s.assert_same_rank([3]), "must have the same rank"),
    (lambda s: TensorShape(None).as_list(), "as_list.. is not defined on an unknown TensorShape"),
    (lambda s: len(TensorShape(None)), "Cannot take the length of shape with unknown rank"),
    (lambda s: TensorShape([2, -1]), "Dimension -1 must be >= 0"),
])
def test_shape_errors(call, text):
    with pytest.raises(ValueError, match=text):
        call(TensorShape([2, None, 3]))


def test_dimensions():
    three, unknown = Dimension(3), Dimension(None)
    assert (three + 2).value == 5 and (7 // Dimension(2)).value == 3
    assert (three * unknown).value is None
    assert three == 3 and (three == None) is None and (unknown == unknown) is None  # noqa: E711
    assert three < 4 and (three < unknown) is None
    assert int(three) == 3 and range(5)[three] == 3
    with pytest.raises(TypeError, match="please use // instead"):
        three / 2
    with pytest.raises(TypeError, match="must be integer or None"):
        Dimension("a")
    with pytest.raises(ValueError, match="Dimensions 3 and 4 are not compatible"):
        three.merge_with(4)
    with pytest.raises(TypeError):
        hash(three)
