"""Modules of TensorFlow by the paths that programs import them from."""
import importlib
import pathlib

import pytest

import rill
import tensorflow as tf
from rill import _module_extras, _module_paths

TABLE = _module_paths._table()


@pytest.mark.parametrize("statement, expression", [
    ("from tensorflow.python.framework import ops", "ops.Graph is tf.Graph"),
    ("from tensorflow.python.framework import ops", "ops.RegisterGradient is tf.RegisterGradient"),
    ("from tensorflow.python.framework import dtypes", "dtypes.float32 is tf.float32"),
    ("from tensorflow.python.framework import tensor_shape", "tensor_shape.TensorShape is tf.TensorShape"),
    ("from tensorflow.python.framework import tensor_shape", "repr(tensor_shape.unknown_shape(2)) == "
     "'TensorShape([Dimension(None), Dimension(None)])'"),
    ("from tensorflow.python.framework import tensor_util", "tensor_util.constant_value(tf.constant(3)) == 3"),
    ("from tensorflow.python.framework import constant_op", "constant_op.constant is tf.constant"),
    ("from tensorflow.python.framework import errors_impl", "errors_impl.OpError is tf.errors.OpError"),
    ("from tensorflow.python.framework import function", "callable(function.Defun)"),
    ("from tensorflow.python.framework import common_shapes", "common_shapes.broadcast_shape([2, 1], [3]) == [2, 3]"),
    ("from tensorflow.python.framework import random_seed", "random_seed.get_seed is tf.get_seed"),
    ("from tensorflow.python.framework import importer", "importer.import_graph_def is tf.import_graph_def"),
    ("from tensorflow.python.framework import op_def_registry", "op_def_registry.get('Add').name == 'Add'"),
    ("from tensorflow.python.framework import test_util", "test_util.TensorFlowTestCase is tf.test.TestCase"),
    ("from tensorflow.python.framework.ops import Tensor", "Tensor is tf.Tensor"),
    ("from tensorflow.contrib import lookup", "callable(lookup.MutableHashTable)"),
    ("from tensorflow.contrib.tensorboard.plugins import projector", "callable(projector.visualize_embeddings)"),
    ("from tensorflow.python.ops import gen_math_ops", "gen_math_ops.mat_mul([[1.]], [[2.]]).op.type == 'MatMul'"),
    ("from tensorflow.python.ops import gen_nn_ops", "gen_nn_ops.relu(1.0).op.type == 'Relu'"),
    ("from tensorflow.python.ops import gen_array_ops", "gen_array_ops.reshape([1, 2], [2, 1]).shape == [2, 1]"),
    ("from tensorflow.python.ops import control_flow_ops", "control_flow_ops.cond is tf.cond"),
    ("from tensorflow.python.ops import variables", "variables.Variable is tf.Variable"),
    ("from tensorflow.python.ops import variable_scope as vs", "vs.get_variable is tf.get_variable"),
    ("from tensorflow.python.ops import gradients_impl", "gradients_impl.gradients is tf.gradients"),
    ("from tensorflow.python.ops import script_ops", "script_ops.py_func is tf.py_func"),
    ("from tensorflow.python.ops import functional_ops", "callable(functional_ops.While)"),
    ("from tensorflow.python.ops import tensor_array_ops", "tensor_array_ops.TensorArray is tf.TensorArray"),
    ("from tensorflow.python.platform import app", "app.run is tf.app.run"),
    ("from tensorflow.python.platform import flags", "flags.FLAGS is tf.flags.FLAGS"),
    ("from tensorflow.python.platform import tf_logging as logging", "logging.info is tf.logging.info"),
    ("from tensorflow.python.platform import test", "test.TestCase is tf.test.TestCase"),
    ("from tensorflow.python.platform import googletest", "googletest.GetTempDir is tf.test.get_temp_dir"),
    ("from tensorflow.python.platform import resource_loader", "callable(resource_loader.get_path_to_datafile)"),
    ("from tensorflow.python.util import nest", "nest.flatten is tf.nest.flatten and nest.is_sequence([1])"),
    ("from tensorflow.python.util import compat", "compat.as_bytes is tf.compat.as_bytes"),
    ("from tensorflow.python.util import tf_inspect", "tf_inspect.getfullargspec(lambda a, b=1: 0).args == ['a', 'b']"),
    ("from tensorflow.python.util.tf_export import tf_export", "tf_export('x')(3) == 3"),
    ("from tensorflow.python.util import deprecation", "deprecation.deprecated_argument_lookup('n', None, 'o', 2) == 2"),
    ("from tensorflow.python.client import session", "session.Session is tf.Session"),
    ("from tensorflow.python.client import device_lib", "device_lib.list_local_devices()[0].device_type == 'CPU'"),
    ("from tensorflow.python.eager import context", "not context.executing_eagerly()"),
    ("from tensorflow.core.framework import graph_pb2", "graph_pb2.GraphDef is tf.GraphDef"),
    ("from tensorflow.contrib.util import make_tensor_proto", "make_tensor_proto(3).int_val[0] == 3"),
    ("from tensorflow.contrib.framework import nest", "nest.flatten([1, [2]]) == [1, 2]"),
    ("import tensorflow.contrib as contrib", "contrib.util.constant_value(tf.constant(3)) == 3"),
    ("import tensorflow.compat.v1 as tf1", "tf1.Graph is tf.Graph and tf1.__version__ == tf.__version__"),
    ("import tensorflow.compat.v1.errors as e", "e is tf.errors"),
    ("import tensorflow.errors", "tensorflow.errors is tf.errors"),
    ("from tensorflow.nest import flatten", "flatten is tf.nest.flatten"),
    ("from tensorflow import compat", "compat.v1.Session is tf.Session"),
    ("from tensorflow.python.keras import Input, Model, Sequential", "Model is tf.keras.Model and Input is tf.keras.Input"),
    ("from tensorflow.python.keras.engine import Network", "Network is tf.keras.Model"),
    ("from tensorflow.python.keras.utils.data_utils import get_file", "get_file is tf.keras.utils.get_file"),
    ("from tensorflow.python.keras.utils.layer_utils import print_summary", "callable(print_summary)"),
    ("from tensorflow.python.keras.preprocessing.image import ImageDataGenerator",
     "ImageDataGenerator is tf.keras.preprocessing.image.ImageDataGenerator"),
    ("from tensorflow.python.keras.applications.vgg16 import VGG16", "VGG16 is tf.keras.applications.VGG16"),
    ("from tensorflow.python.keras.datasets.mnist import load_data", "load_data is tf.keras.datasets.mnist.load_data"),
    ("from tensorflow.python.keras.layers.convolutional_recurrent import ConvLSTM2D", "ConvLSTM2D is tf.keras.layers.ConvLSTM2D"),
    ("from tensorflow.python.keras.optimizer_v2.optimizer_v2 import OptimizerV2", "OptimizerV2 is tf.keras.optimizers.Optimizer"),
    ("from tensorflow.contrib.keras.api.keras.layers import Dense", "Dense is tf.keras.layers.Dense"),
    ("from tensorflow.contrib.keras.python.keras.models import Model", "Model is tf.keras.Model"),
    ("from tensorflow.python.data import Dataset", "Dataset is tf.data.Dataset"),
    ("from tensorflow.python.data.experimental import AUTOTUNE", "AUTOTUNE == tf.data.experimental.AUTOTUNE"),
    ("import tensorflow.python.framework.ops", "tensorflow.python.framework.ops.Graph is tf.Graph"),
    ("import tensorflow", "tensorflow.python.framework.ops.Graph is tf.Graph"),
    ("import tensorflow as t", "t.tf_logging.info is tf.logging.info"),
])
def test_paths_that_programs_import(statement, expression):
    names = {"tf": tf}
    exec(statement, names)
    assert eval(expression, names), expression


@pytest.mark.parametrize("path", sorted(TABLE))
def test_every_module_of_the_table_can_be_imported(path):
    module = importlib.import_module("tensorflow." + path)
    if module.__name__ != "tensorflow." + path:
        assert module.__name__ == "rill." + path and path.startswith("contrib.")  # has a file of its own
    assert not [name for name in dir(module) if not isinstance(name, str)]


@pytest.mark.parametrize("path, name", [(path, name) for path, names in _module_extras.NAMES.items() for name in names])
def test_every_extra_name_is_there(path, name):
    assert path in TABLE
    importlib.import_module("tensorflow." + path)
    assert _module_paths._extra(path, name) is not None


def test_rows_name_public_modules():
    from rill import _surface
    for path, places in TABLE.items():
        for place in places:
            is_public = place in (".", "raw_ops") or place in _surface._MODULES
            assert is_public or importlib.util.find_spec(f"rill.{place}"), (path, place)


def test_what_is_not_there_says_so():
    from tensorflow.python.ops import math_ops
    with pytest.raises(AttributeError, match="'tensorflow.python.ops.math_ops' has no attribute 'nonsense'"):
        math_ops.nonsense
    with pytest.raises(ImportError):
        from tensorflow.python.framework.ops import nonsense  # noqa: F401
    with pytest.raises(ModuleNotFoundError, match="tensorflow.python.nonsense"):
        importlib.import_module("tensorflow.python.nonsense")
    with pytest.raises(AttributeError, match="contrib.*has no attribute 'nonsense'.*Rill does not have it"):
        tf.contrib.nonsense


def test_modules_keep_their_own_names():
    import tensorflow.errors  # noqa: F401
    assert rill.errors.__name__ == "rill.errors" and rill.errors.__spec__.name == "rill.errors"


def test_the_names_of_op_functions_are_those_of_their_functions():
    names = _module_paths._op_names()
    for snake, op in list(names.items())[::40]:
        assert rill._rill.op_function(op).__name__ == snake


def test_a_timeline_shows_what_ran():
    import json
    from tensorflow.python.client import timeline
    x = tf.placeholder(tf.float32, name="x")
    y = tf.matmul(x, x, name="product")
    metadata = tf.RunMetadata()
    with tf.Session() as sess:
        sess.run(y, {x: [[1.0]]}, options=tf.RunOptions(trace_level=tf.RunOptions.FULL_TRACE), run_metadata=metadata)
    line = timeline.Timeline(metadata.step_stats)
    events = json.loads(line.generate_chrome_trace_format())["traceEvents"]
    assert [e["args"]["name"] for e in events if e["ph"] == "X"].count("product") == 1
    assert all(e["dur"] >= 1 for e in events if e["ph"] == "X")
    memory = json.loads(line.generate_chrome_trace_format(show_memory=True))["traceEvents"]
    assert {"N", "D", "C"} <= {e["ph"] for e in memory}


def test_the_table_is_sorted():
    text = pathlib.Path(_module_paths.__file__).with_suffix(".tsv").read_text().splitlines()
    assert text == sorted(text)
