"""Names of TensorFlow's files that are not public, which programs and libraries of the time import."""
import importlib

import numpy as np
import pytest

import tensorflow as tf
from rill import _module_extras


def value(tensor):
    with tf.Session() as session:
        return session.run(tensor)


def test_lists_of_tensors():
    from tensorflow.python.ops import list_ops
    held = list_ops.empty_tensor_list([2], tf.float32)
    held = tf.raw_ops.TensorListPushBack(input_handle=held, tensor=[1.0, 2.0])
    assert value(list_ops.tensor_list_stack(held, tf.float32)).tolist() == [[1, 2]]
    rows = list_ops.tensor_list_from_tensor([[1], [2]], [1])
    assert value(list_ops.tensor_list_get_item(rows, 1, tf.int32)).tolist() == [2]
    assert value(list_ops.tensor_list_gather(rows, [1, 0], tf.int32)).tolist() == [[2], [1]]
    assert value(list_ops.tensor_list_pop_back(rows, tf.int32)[1]).tolist() == [2]
    assert list_ops.tensor_list_stack(rows, tf.int32, 2, [1]).shape == [2, 1]


def test_sparse_tensors_around_ops():
    from tensorflow.python.ops import sparse_ops
    sparse = tf.SparseTensor([[0, 0], [1, 1]], [1.0, 2.0], [2, 2])
    summed = sparse_ops.sparse_dense_cwise_add(sparse, tf.ones([2, 2]))
    assert isinstance(summed, tf.SparseTensor) and value(summed.values).tolist() == [2, 3]
    again = sparse_ops.deserialize_sparse(tf.serialize_sparse(sparse), tf.float32, rank=2)
    assert isinstance(again, tf.SparseTensor) and again.indices.shape.as_list() == [None, 2]
    assert value(again.values).tolist() == [1, 2]
    handles = sparse_ops._add_many_sparse_to_tensors_map(sparse)
    taken = sparse_ops._take_many_sparse_from_tensors_map(handles.op, handles, rank=1)
    assert value(tf.sparse.to_dense(taken)).shape == (2, 2)
    with pytest.raises(TypeError, match="SparseTensor"):
        sparse_ops._add_sparse_to_tensors_map(tf.ones([2]))


@pytest.mark.parametrize("path, name", [(path, name) for path, names in _module_extras.OTHER_FUNCTIONS.items()
                                        for name in names if name not in ("serialize_sparse", "serialize_many_sparse",
                                                                          "deserialize_many_sparse")])
def test_an_op_is_not_taken_for_a_function_of_another_signature(path, name):
    assert not hasattr(importlib.import_module(f"tensorflow.{path}"), name)


def test_kinds_of_variables():
    from tensorflow.python.ops import resource_variable_ops, variables
    resource = resource_variable_ops.ResourceVariable(1.0)
    assert isinstance(resource, resource_variable_ops.ResourceVariable) and isinstance(resource, tf.Variable)
    assert resource_variable_ops.is_resource_variable(resource) and resource.handle.dtype == tf.resource
    reference = variables.RefVariable(1.0)
    assert isinstance(reference, variables.RefVariable)
    assert not isinstance(reference, resource_variable_ops.ResourceVariable)
    assert isinstance(tf.Variable(1.0, use_resource=True), resource_variable_ops.ResourceVariable)
    assert variables.VariableV1 is tf.Variable


def test_fans():
    from tensorflow.python.ops import init_ops
    assert [init_ops._compute_fans(shape) for shape in ((), (3,), (3, 4), (5, 5, 3, 4))] == [
        (1, 1), (3, 3), (3, 4), (75, 100)]


def test_utilities_of_layers():
    from tensorflow.python.layers import utils
    from tensorflow.python.layers.convolutional import Convolution2D, convolution2d, deconv2d
    assert Convolution2D is tf.layers.Conv2D and convolution2d is tf.layers.conv2d
    assert deconv2d is tf.layers.conv2d_transpose
    assert utils.smart_cond(True, lambda: 1, lambda: 2) == 1
    assert utils.normalize_tuple(2, 3, "strides") == (2, 2, 2)
    with pytest.raises(ValueError, match="must be a tuple of 2 integers"):
        utils.normalize_tuple((1, 2, 3), 2, "strides")
    assert utils.convert_data_format("channels_first", 4) == "NCHW"
    assert [utils.conv_output_length(7, 3, padding, 2) for padding in ("same", "valid", "full")] == [4, 3, 5]
    assert utils.conv_output_length(None, 3, "same", 1) is None
    assert utils.deconv_output_length(4, 3, "valid", 2) == 9


def test_what_contrib_shows():
    nest = tf.contrib.framework.nest
    assert nest.is_sequence([1]) and nest.flatten_up_to([0, 0], [1, [2]]) == [1, [2]]
    assert nest.map_structure_up_to([0, 0], lambda x: x, [1, 2]) == [1, 2]
    assert nest.flatten_dict_items({"a": 1}) == {"a": 1}
    nest.assert_shallow_structure([0], [1])
    assert tf.contrib.slim.initializers.xavier_initializer is tf.contrib.layers.xavier_initializer


def test_what_keras_asks_for():
    from tensorflow.python.framework import ops
    from tensorflow.python.keras import backend
    from tensorflow.python.keras.engine.input_spec import InputSpec
    from tensorflow.python.keras.utils import tf_utils
    assert backend.get_graph() is tf.get_default_graph()
    assert isinstance(tf.constant(1), ops._TensorLike) and not isinstance(1, ops._TensorLike)
    assert ops.is_dense_tensor_like(tf.Variable(1.0)) and tf_utils.is_symbolic_tensor(tf.constant(1))
    assert InputSpec is tf.keras.layers.InputSpec

    class Captured:
        device = None

        def _set_device(self, device):
            self.device = device

    captured = Captured()
    with tf.device("/job:a/device:CPU:0"):
        tf.get_default_graph()._apply_device_functions(captured)
    assert captured.device == "/job:a/device:CPU:0"
    with tf.device(lambda op: "/device:GPU:1"):
        tf.get_default_graph()._apply_device_functions(captured)
    assert captured.device == "/device:GPU:1"
    assert not tf.get_default_graph().get_operations()[0].device


def test_a_graph_knows_whether_it_is_a_function():
    seen = []
    tf.map_fn(lambda x: x, np.ones([2]))
    assert not tf.get_default_graph()._building_function
    tf.data.Dataset.range(2).map(lambda x: seen.append(tf.get_default_graph()._building_function) or x)
    assert seen == [True]


def test_modules_show_the_modules_that_they_import():
    from tensorflow.python.ops import math_ops, rnn, rnn_cell_impl
    assert rnn.rnn_cell_impl is rnn_cell_impl and rnn.math_ops is math_ops


def test_the_parts_of_composite_values():
    sparse = tf.SparseTensor([[0, 1]], [2.0], [1, 3])
    spec = tf.SparseTensorSpec([1, 3], tf.float32)
    assert [part.shape.as_list() for part in spec._component_specs] == [[None, 2], [None], [2]]
    again = spec._from_components(spec._to_components(sparse))
    assert isinstance(again, tf.SparseTensor) and again.values is sparse.values
    ragged = tf.ragged.constant([[1, 2], [3]])
    spec = tf.RaggedTensorSpec([2, None], tf.int32)
    assert [part.shape.as_list() for part in spec._component_specs] == [[None], [3]]
    assert value(spec._from_components(spec._to_components(ragged))).to_list() == [[1, 2], [3]]
    spec = tf.TensorSpec([2], tf.float32)
    assert spec._component_specs is spec and spec._to_components([1, 2]).dtype == tf.float32
    slices = tf.IndexedSlices(tf.ones([1, 2]), tf.constant([0]))
    spec = tf.IndexedSlicesSpec([None, 2], tf.float32, tf.int32)
    assert [part.shape.as_list() for part in spec._component_specs] == [[None, 2], [None]]
    assert spec._from_components(spec._to_components(slices)).values is slices.values


def test_a_saver_knows_its_variables():
    a, b = tf.Variable(1.0), tf.Variable(2.0)
    assert tf.train.Saver([a])._var_list == [a]
    assert tf.train.Saver()._var_list == [a, b]


def test_what_programs_of_the_time_take_from_cells_layers_and_sessions():
    from tensorflow.python.layers import utils
    from tensorflow.python.ops import rnn_cell_impl
    zeros = rnn_cell_impl._zero_state_tensors((2, tf.TensorShape([3])), 4, tf.float32)
    assert [z.shape.as_list() for z in zeros] == [[4, 2], [4, 3]] and not value(zeros)[0].any()
    batch = tf.placeholder(tf.int32, [])
    assert rnn_cell_impl._zero_state_tensors(2, batch, tf.float32).shape.as_list() == [None, 2]
    assert utils.conv_output_length(7, 3, "valid", 2) == 3
    assert tf.layers.Dense(2)._base_name == "dense" and tf.layers.Dense(2, name="d")._base_name == "d"
    x = tf.constant(1.0)
    assert x._op is x.op
    config = tf.ConfigProto(allow_soft_placement=True)
    assert tf.Session(config=config)._config is config and tf.Session()._config is None


def test_the_innermost_of_monitored_sessions():
    from tensorflow.python.training import monitored_session
    tf.train.get_or_create_global_step()
    with tf.train.MonitoredSession() as session:
        inner = session
        while not isinstance(inner, (monitored_session._HookedSession, tf.Session)):
            inner = inner._sess
        assert isinstance(inner, monitored_session._HookedSession) and isinstance(inner._sess, tf.Session)


def test_resources_of_columns():
    from tensorflow.python.feature_column import feature_column_v2
    manager = feature_column_v2._StateManagerImpl(tf.keras.layers.Layer(), True)
    column = tf.feature_column.numeric_column("x")
    assert not manager.has_resource(column, "table")
    manager.add_resource(column, "table", "kept")
    assert manager.has_resource(column, "table") and manager.get_resource(column, "table") == "kept"
    with pytest.raises(ValueError, match="does not exist"):
        manager.get_resource(column, "other")


def test_graphs_are_compared_as_bytes():
    from tensorflow.python import pywrap_tensorflow

    def graph(number):
        with tf.Graph().as_default() as made:
            tf.constant(number, name="c")
        return made.as_graph_def().SerializeToString()
    assert pywrap_tensorflow.EqualGraphDefWrapper(graph(1), graph(1)) == ""
    assert "'c'" in pywrap_tensorflow.EqualGraphDefWrapper(graph(1), graph(2))


def test_record_input(tmp_path):
    from tensorflow.python.ops import data_flow_ops
    path = str(tmp_path / "records")
    with tf.python_io.TFRecordWriter(path) as writer:
        for i in range(4):
            writer.write(b"%d" % i)
    with tf.Graph().as_default(), tf.Session() as sess:
        given = {"file_pattern": path, "buffer_size": 4, "seed": 1}
        assert set(sess.run(data_flow_ops.RecordInput(batch_size=4, **given).get_yield_op())) == {b"0", b"1", b"2", b"3"}
        batches = data_flow_ops.RecordInput(batch_size=2, batches=2, **given).get_yield_op()
        assert [len(batch) for batch in batches] == [2, 2] and batches[0][0].shape == []
        assert {record for batch in sess.run(batches) for record in batch} <= {b"0", b"1", b"2", b"3"}
