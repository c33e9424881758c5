"""The ops around iterators, one by one, below tf.data's classes."""
import time

import pytest
import tensorflow as tf
from tensorflow.python.framework import function

from rill import raw_ops

SPEC = {"output_types": [tf.int32], "output_shapes": [tf.TensorShape([])]}


@pytest.fixture(autouse=True)
def graph():
    with tf.Graph().as_default() as made:
        yield made


def slices(*values):
    return raw_ops.TensorSliceDataset(
        components=[tf.constant(values)], output_shapes=SPEC["output_shapes"])


def iterator_of(dataset):
    iterator = raw_ops.IteratorV2(shared_name="", container="", **SPEC)
    return iterator, raw_ops.MakeIterator(dataset=dataset, iterator=iterator)


def next_of(iterator):
    return raw_ops.IteratorGetNext(iterator=iterator, **SPEC)[0]


def one_shot(graph, *values):
    @function.Defun()
    def factory():
        return slices(*values)

    factory.add_to_graph(graph)
    return raw_ops.OneShotIterator(dataset_factory=factory, **SPEC)


def test_an_iterator_has_to_be_initialized():
    iterator, init = iterator_of(slices(1, 2))
    following = next_of(iterator)
    with tf.Session() as session:
        with pytest.raises(tf.errors.FailedPreconditionError, match="has not been initialized"):
            session.run(following)
        session.run(init)
        assert [session.run(following) for _ in range(2)] == [1, 2]
        for _ in range(2):
            with pytest.raises(tf.errors.OutOfRangeError, match="End of sequence"):
                session.run(following)
        session.run(init)
        assert session.run(following) == 1


def test_a_function_is_applied(graph):
    @function.Defun(tf.int32, tf.int32)
    def scaled(x, factor):
        return x * factor

    scaled.add_to_graph(graph)
    mapped = raw_ops.MapDataset(
        input_dataset=slices(1, 2, 3), other_arguments=[tf.constant(5)], f=scaled, **SPEC)
    iterator, init = iterator_of(mapped)
    following = next_of(iterator)
    with tf.Session() as session:
        session.run(init)
        assert [session.run(following) for _ in range(3)] == [5, 10, 15]


def test_an_error_tells_stage_and_element(graph):
    @function.Defun(tf.int32)
    def inverse(x):
        return 6 // x

    inverse.add_to_graph(graph)
    mapped = raw_ops.MapDataset(
        input_dataset=slices(1, 2, 0, 3), other_arguments=[], f=inverse, name="halves", **SPEC)
    iterator, init = iterator_of(mapped)
    following = next_of(iterator)
    with tf.Session() as session:
        session.run(init)
        assert [session.run(following) for _ in range(2)] == [6, 3]
        with pytest.raises(tf.errors.InvalidArgumentError,
                           match="at element 2 of MapDataset halves of the input pipeline"):
            session.run(following)
        assert session.run(following) == 2


def test_iterators_that_run_once_and_handles_that_are_fed(graph):
    iterators = [one_shot(graph, 1, 2), one_shot(graph, 10, 20)]
    handles = [raw_ops.IteratorToStringHandle(resource_handle=i) for i in iterators]
    handle = tf.placeholder(tf.string, [])
    fed = raw_ops.IteratorFromStringHandleV2(string_handle=handle, **SPEC)
    following = next_of(fed)
    wrong = raw_ops.IteratorFromStringHandleV2(
        string_handle=handle, output_types=[tf.float32], output_shapes=[tf.TensorShape([])])
    with tf.Session() as session:
        texts = session.run(handles)
        got = [session.run(following, {handle: texts[i]}) for i in (0, 1, 1, 0)]
        assert got == [1, 10, 20, 2]
        with pytest.raises(tf.errors.InvalidArgumentError, match="expected float"):
            session.run(wrong, {handle: texts[0]})
        with pytest.raises(tf.errors.InvalidArgumentError, match="valid ResourceHandle"):
            session.run(following, {handle: "no handle"})


def test_elements_that_may_be_missing(graph):
    iterator = one_shot(graph, 7)
    optional = raw_ops.IteratorGetNextAsOptional(iterator=iterator, **SPEC)
    there = raw_ops.OptionalHasValue(optional=optional)
    value = raw_ops.OptionalGetValue(optional=optional, **SPEC)[0]
    with tf.Session() as session:
        assert session.run([there, value]) == [True, 7]
        assert not session.run(there)
        with pytest.raises(tf.errors.InvalidArgumentError, match="does not have a value"):
            session.run(value)


@pytest.mark.parametrize("values, problem", [((3, 4), "more than one element")])
def test_the_only_element(values, problem):
    several = raw_ops.DatasetToSingleElement(dataset=slices(*values), **SPEC)
    single = raw_ops.DatasetToSingleElement(dataset=slices(9), **SPEC)
    with tf.Session() as session:
        assert session.run(single) == [9]
        with pytest.raises(tf.errors.InvalidArgumentError, match=problem):
            session.run(several)


def test_a_position_travels_through_a_checkpoint(tmp_path):
    iterator, init = iterator_of(slices(1, 2, 3, 4))
    following = next_of(iterator)
    names = {"prefix": str(tmp_path / "position"), "tensor_names": ["it"], "shape_and_slices": [""]}
    save = raw_ops.SaveV2(
        tensors=[raw_ops.SerializeIterator(resource_handle=iterator)], **names)
    restored = raw_ops.RestoreV2(dtypes=[tf.variant], **names)[0]
    restore = raw_ops.DeserializeIterator(resource_handle=iterator, serialized=restored)
    with tf.Session() as session:
        session.run(init)
        assert session.run(following) == 1
        session.run(save)
        assert [session.run(following) for _ in range(2)] == [2, 3]
    with tf.Session() as session:
        session.run(init)
        session.run(restore)
        assert [session.run(following) for _ in range(3)] == [2, 3, 4]


def test_elements_are_dealt_to_devices():
    iterator = raw_ops.MultiDeviceIterator(
        devices=["/cpu:0", "/cpu:1"], shared_name="", container="", **SPEC)
    start = raw_ops.MultiDeviceIteratorInit(
        dataset=slices(*range(5)), multi_device_iterator=iterator,
        max_buffer_size=tf.constant(2, tf.int64))
    shard, walk = tf.placeholder(tf.int32, []), tf.placeholder(tf.int64, [])
    following = raw_ops.MultiDeviceIteratorGetNextFromShard(
        multi_device_iterator=iterator, shard_num=shard, incarnation_id=walk, **SPEC)[0]
    with tf.Session() as session:
        number = session.run(start)
        got = [session.run(following, {shard: s, walk: number}) for s in (1, 1, 0, 0, 0)]
        assert got == [1, 3, 0, 2, 4]
        with pytest.raises(tf.errors.OutOfRangeError):
            session.run(following, {shard: 1, walk: number})
        with pytest.raises(tf.errors.InvalidArgumentError, match="incarnation id"):
            session.run(following, {shard: 0, walk: number + 1})


def test_a_dataset_as_a_graph():
    written = raw_ops.DatasetToGraph(input_dataset=slices(1, 2), stateful_whitelist=[])
    with tf.Session() as session:
        graph_def = tf.GraphDef.FromString(session.run(written))
    assert [node.op for node in graph_def.node] == ["Const", "TensorSliceDataset", "_Retval"]
    with tf.Graph().as_default():
        dataset = tf.import_graph_def(
            graph_def, name="", return_elements=[graph_def.node[1].name + ":0"])[0]
        single = raw_ops.DatasetToSingleElement(dataset=dataset, **SPEC)
        with tf.Session() as session, pytest.raises(tf.errors.InvalidArgumentError):
            session.run(single)


def test_gradients_pass_through_optional_elements():
    x = tf.constant(3.0)
    held = raw_ops.OptionalFromValue(components=[x])
    value = raw_ops.OptionalGetValue(
        optional=held, output_types=[tf.float32], output_shapes=[tf.TensorShape([])])[0]
    with tf.Session() as session:
        assert session.run(tf.gradients(value * value, x)) == [6.0]


def graph_of(dataset):
    with tf.Session() as session:
        return tf.GraphDef.FromString(session.run(raw_ops.DatasetToGraph(input_dataset=dataset)))


def values_in(graph_def):
    iterator, start = iterator_of(raw_ops.DatasetFromGraph(graph_def=graph_def))
    found, following = [], next_of(iterator)
    with tf.Session() as session:
        session.run(start)
        with pytest.raises(tf.errors.OutOfRangeError):
            while True:
                found.append(session.run(following))
    return found


def test_a_dataset_from_a_graph():
    repeated = raw_ops.RepeatDataset(input_dataset=slices(1, 2), count=tf.constant(2, tf.int64), **SPEC)
    written = graph_of(repeated).SerializeToString()
    assert values_in(written) == [1, 2, 1, 2]
    with tf.Graph().as_default():
        assert values_in(written) == [1, 2, 1, 2]


def without_result(graph_def):
    del graph_def.node[-1]


def of_another_op(graph_def):
    graph_def.node[0].op = "Mul"
    graph_def.node[0].ClearField("attr")
    graph_def.node[0].attr["T"].type = tf.float32.as_datatype_enum


def of_an_op_that_needs_more(graph_def):
    node = graph_def.node.add(name="more", op="NoOp")
    graph_def.node[-2].input.append("^" + node.name)
    graph_def.node.insert(0, node)


def of_another_result(graph_def):
    graph_def.node[-1].input[0] = graph_def.node[0].name


def in_a_circle(graph_def):
    del graph_def.node[1].input[:]
    graph_def.node[1].input.append(graph_def.node[1].name)


def with_a_function(graph_def):
    graph_def.library.function.add().signature.name = "not_here"


@pytest.mark.parametrize("change", [
    without_result, of_another_op, of_an_op_that_needs_more, of_another_result, in_a_circle, with_a_function])
def test_graphs_that_make_no_dataset(change):
    graph_def = graph_of(slices(1, 2))
    change(graph_def)
    with pytest.raises((tf.errors.InvalidArgumentError, tf.errors.NotFoundError, tf.errors.UnimplementedError)):
        values_in(graph_def.SerializeToString())
    for broken in (b"", b"x", b"\x0a\xff"):
        with pytest.raises(tf.errors.InvalidArgumentError):
            values_in(broken)


@pytest.mark.parametrize("size", [1, 10, 50])
def test_prefetch_fills_its_buffer_again_after_every_element(size):
    made = []
    element = (tf.data.Dataset.range(100).map(lambda x: tf.py_func(lambda v: made.append(v) or v, [x], tf.int64))
               .prefetch(size).make_one_shot_iterator().get_next())
    with tf.Session() as sess:
        for taken in range(1, 4):
            sess.run(element)
            end = time.time() + 20
            while len(made) < size + taken and time.time() < end:
                time.sleep(0.01)
            assert len(made) == size + taken


def test_parsed_examples_keep_the_batch_size():
    features = {"a": tf.FixedLenFeature([2], tf.float32), "s": tf.VarLenFeature(tf.int64)}
    for drop, count in ((True, 2), (False, None)):
        records = tf.data.Dataset.from_tensor_slices(["", "", ""]).batch(2, drop_remainder=drop)
        parsed = records.apply(tf.data.experimental.parse_example_dataset(features))
        shapes = {name: shape.as_list() for name, shape in parsed.output_shapes.items()}
        assert shapes == {"a": [count, 2], "s": [count, None]}


@pytest.mark.parametrize("given, told", [
    ({"dense_defaults": [1.0]}, r"Expected len\(dense_defaults\) == len\(dense_keys\) but got: 1 vs. 0"),
    ({"dense_keys": ["a"]}, r"Expected len\(dense_defaults\) == len\(dense_keys\) but got: 0 vs. 1"),
    ({"dense_keys": ["a"], "dense_defaults": [1.0]}, r"len\(dense_keys\) != len\(dense_shapes\)"),
    ({"sparse_keys": ["a"]}, r"len\(sparse_keys\) != len\(sparse_types\)"),
    ({"sparse_types": [tf.float32]}, r"len\(sparse_keys\) != len\(sparse_types\)")])
def test_parsing_of_examples_wants_as_many_of_each(given, told):
    arguments = {"dense_defaults": [], "sparse_keys": [], "dense_keys": [], "sparse_types": [], "dense_shapes": [],
                 **given}
    dataset = raw_ops.TensorDataset(components=[[b""]], output_shapes=[[1]])
    with pytest.raises(ValueError, match=told):
        raw_ops.ParseExampleDataset(input_dataset=dataset, num_parallel_calls=1, output_types=[tf.float32],
                                    output_shapes=[[None]], **arguments)
