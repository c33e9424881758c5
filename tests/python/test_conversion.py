"""What becomes a tensor, what is known before a run, and descriptions of tensors."""
import numpy as np
import pytest

import rill as tf


class Length:
    def __init__(self, meters):
        self.meters = meters


def to_meters(value, dtype=None, name=None, as_ref=False):
    return tf.constant(value.meters, dtype or tf.float32, name=name or "meters")


@pytest.fixture(scope="module", autouse=True)
def registered():
    tf.register_tensor_conversion_function(Length, to_meters)


def test_registered_values_are_operands_and_arguments():
    x = tf.constant([1.0, 2.0])
    with tf.Session() as sess:
        assert sess.run(x + Length(1.0)).tolist() == [2.0, 3.0]
        assert sess.run(Length(3.0) - x).tolist() == [2.0, 1.0]
        assert sess.run(tf.raw_ops.Maximum(x=x, y=Length(1.5))).tolist() == [1.5, 2.0]
        assert sess.run(tf.convert_to_tensor(Length(2.0), tf.float64)).dtype == np.float64


def test_names_of_converted_arguments():
    x = tf.constant(1.0, name="x")
    total = tf.raw_ops.AddV2(x=x, y=Length(2.0), name="total")
    assert [t.name for t in total.op.inputs] == ["x:0", "total/y:0"]
    assert tf.convert_to_tensor(Length(1.0)).name == "meters:0"
    assert tf.convert_to_tensor(Length(1.0), name="own").name == "own:0"


def test_a_function_that_gives_no_tensor_is_complained_about():
    class Nothing:
        pass
    tf.register_tensor_conversion_function(Nothing, lambda value, dtype=None, name=None, as_ref=False: 3)
    with pytest.raises(RuntimeError, match="returned non-Tensor: 3"):
        tf.convert_to_tensor(Nothing())


def test_a_function_of_the_wrong_type_is_complained_about():
    class Whole:
        pass
    tf.register_tensor_conversion_function(
        Whole, lambda value, dtype=None, name=None, as_ref=False: tf.constant(3))
    with pytest.raises(RuntimeError, match="incompatible dtype: requested = float32, actual = int32"):
        tf.convert_to_tensor(Whole(), tf.float32)


def test_an_error_of_the_function_comes_out_as_it_is():
    class Broken:
        pass

    def fail(value, dtype=None, name=None, as_ref=False):
        raise LookupError("oh")
    tf.register_tensor_conversion_function(Broken, fail)
    with pytest.raises(LookupError, match="oh"):
        tf.convert_to_tensor(Broken())


@pytest.mark.parametrize("base, function, text", [
    (3, to_meters, "base_type must be a type or a tuple of types"),
    ((int, 3), to_meters, "base_type must be a type or a tuple of types"),
    (Length, 3, "conversion_func must be callable"),
])
def test_wrong_registrations(base, function, text):
    with pytest.raises(TypeError, match=text):
        tf.register_tensor_conversion_function(base, function)


def test_known_values():
    x, y = tf.placeholder(tf.float32, [2, 3]), tf.placeholder(tf.float32, [None, 3])
    assert tf.get_static_value(tf.raw_ops.Shape(input=x)).tolist() == [2, 3]
    assert tf.get_static_value(tf.raw_ops.Shape(input=y)) is None
    assert tf.get_static_value(tf.constant("text")).item() == b"text"
    packed = tf.raw_ops.Pack(values=[tf.raw_ops.Shape(input=y)[0], 7])
    assert tf.get_static_value(packed) is None
    assert tf.get_static_value(packed, partial=True).tolist() == [None, 7]
    array = np.arange(3)
    assert tf.get_static_value(array) is array
    assert tf.get_static_value(3) == 3


def test_what_was_relied_on_cannot_be_fed():
    c = tf.constant(1.0, name="c")
    tf.get_static_value(c)
    with pytest.raises(ValueError, match="may not be fed"):
        tf.Session().run(c + 1.0, {c: 2.0})


def test_messages_of_values():
    for value in (3, [1.5, 2.5], [[True], [False]], ["a", b"b"], np.float16(2), 1 + 2j, np.zeros([0, 2])):
        again = tf.make_ndarray(tf.make_tensor_proto(value))
        assert again.tolist() == np.asarray(value, object if isinstance(value, list) and "a" in value else None
                                            ).tolist() or again.tolist() == [b"a", b"b"]
    proto = tf.make_tensor_proto(7, shape=[2, 2])
    assert tf.make_ndarray(proto).tolist() == [[7, 7], [7, 7]] and len(proto.int_val) == 1
    assert tf.make_tensor_proto(proto) is proto
    with pytest.raises(ValueError, match="Too many elements provided. Needed at most 2, but received 3"):
        tf.make_tensor_proto([1, 2, 3], shape=[2])
    with pytest.raises(TypeError, match="Expected Tensor's shape"):
        tf.make_tensor_proto([1, 2], shape=[1, 2], verify_shape=True)
    with pytest.raises(ValueError, match="not both allowed"):
        tf.make_tensor_proto(1, verify_shape=True, allow_broadcast=True)
    with pytest.raises(TypeError):
        tf.make_ndarray("text")


def test_symbolic_tensors_are_no_arrays():
    with pytest.raises(NotImplementedError, match=r"Cannot convert a symbolic Tensor \(x:0\) to a numpy array"):
        np.asarray(tf.constant(1.0, name="x"))


def test_lists_of_tensors_and_slices():
    from rill import _framework
    slices = tf.IndexedSlices(tf.constant([1.0]), tf.constant([0]))
    made = _framework.convert_n_to_tensor_or_indexed_slices([1.0, None, slices], name="n")
    assert made[0].name == "n_0:0" and made[1] is None and made[2] is slices
    assert [t.name for t in _framework.convert_n_to_tensor([1, 2], name="m")] == ["m_0:0", "m_1:0"]
    with pytest.raises(TypeError, match="values must be iterable"):
        _framework.convert_n_to_tensor(3)
    with pytest.raises(ValueError, match="Tensor conversion requested dtype int32"):
        tf.convert_to_tensor_or_indexed_slices(slices, tf.int32)


def test_specs_of_slices():
    spec = tf.IndexedSlicesSpec([3, None], tf.float32, tf.int32)
    slices = tf.IndexedSlices(tf.constant([[1.0]]), tf.constant([0]))
    assert spec.value_type is tf.IndexedSlices and spec == tf.IndexedSlicesSpec([3, None], tf.float32, tf.int32)
    assert spec.is_compatible_with(slices)
    assert not tf.IndexedSlicesSpec([3], tf.float64, tf.int32).is_compatible_with(slices)
    wider = spec.most_specific_compatible_type(tf.IndexedSlicesSpec([4, 2], tf.float32, tf.int32))
    assert wider == tf.IndexedSlicesSpec([None, None], tf.float32, tf.int32)
    with pytest.raises(ValueError, match="No TypeSpec is compatible"):
        spec.most_specific_compatible_type(tf.TensorSpec([1]))
