"""Datasets and iterators that a program brings along in C++."""
import pytest

import rill as tf
from rill import raw_ops


def reading(dataset, dtype=tf.string):
    spec = {"output_types": [dtype], "output_shapes": [tf.TensorShape([])]}
    iterator = raw_ops.IteratorV2(shared_name="", container="", **spec)
    init = raw_ops.MakeIterator(dataset=dataset, iterator=iterator)
    return iterator, init, raw_ops.IteratorGetNext(iterator=iterator, **spec)[0]


def test_a_source(dataset_ops):
    _, init, following = reading(dataset_ops.my_reader_dataset(5))
    with tf.Session() as session:
        session.run(init)
        assert [session.run(following) for _ in range(3)] == [
            b"MyReader!0", b"MyReader!1", b"MyReader!2"]
        with pytest.raises(tf.errors.DataLossError, match="record 3 is damaged"):
            session.run(following)
        assert session.run(following) == b"MyReader!4"
        with pytest.raises(tf.errors.OutOfRangeError):
            session.run(following)


def test_a_kernel_that_refuses(dataset_ops):
    _, init, _ = reading(dataset_ops.my_reader_dataset(-1))
    with tf.Session() as session, pytest.raises(tf.errors.InvalidArgumentError, match="count is -1"):
        session.run(init)


def test_elements_have_to_be_what_is_stated(dataset_ops):
    _, init, _ = reading(dataset_ops.my_reader_dataset(1), tf.int32)
    with tf.Session() as session, pytest.raises(tf.errors.InvalidArgumentError, match="int32"):
        session.run(init)


@pytest.mark.parametrize("built_in", [True, False])
def test_a_transformation(dataset_ops, built_in):
    source = (
        raw_ops.TensorSliceDataset(
            components=[tf.constant(["a", "b", "c", "d", "e"])],
            output_shapes=[tf.TensorShape([])])
        if built_in else dataset_ops.my_reader_dataset(3))
    _, init, following = reading(dataset_ops.every_second_dataset(source))
    wanted = [b"a", b"c", b"e"] if built_in else [b"MyReader!0", b"MyReader!2"]
    with tf.Session() as session:
        session.run(init)
        assert [session.run(following) for _ in wanted] == wanted
        with pytest.raises(tf.errors.OutOfRangeError):
            session.run(following)


def test_a_position_is_saved(dataset_ops):
    source = raw_ops.TensorSliceDataset(
        components=[tf.constant(list("abcdefg"))], output_shapes=[tf.TensorShape([])])
    iterator, init, following = reading(dataset_ops.every_second_dataset(source))
    position = raw_ops.SerializeIterator(resource_handle=iterator)
    back = raw_ops.DeserializeIterator(resource_handle=iterator, serialized=position)
    with tf.Session() as session:
        session.run(init)
        assert session.run(following) == b"a"
        session.run(back)
        assert [session.run(following) for _ in range(3)] == [b"c", b"e", b"g"]
