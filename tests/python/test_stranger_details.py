"""Small things that programs of others stumbled over: what an error says, what a function is called, what is public."""

import os
import pickle
import subprocess
import sys

import numpy as np
import pytest
import rill as tf


def fetch(value):
    with tf.Session() as session:
        return session.run(value)


# --- names ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("path, name", [("linalg.inv", "matrix_inverse"), ("matrix_inverse", "matrix_inverse"),
                                        ("linalg.sqrtm", "matrix_square_root"), ("random.normal", "random_normal"),
                                        ("reduce_sum", "reduce_sum_v1"), ("strings.join", "string_join"),
                                        ("nn.relu", "relu"), ("concat", "concat")])
def test_functions_call_themselves_as_tensorflows(path, name):
    function = tf
    for part in path.split("."):
        function = getattr(function, part)
    assert function.__name__ == name


def test_variables_have_the_types_of_their_handles():
    from tensorflow.python.ops import resource_variable_ops, variables
    with tf.Graph().as_default():
        plain, resource = tf.Variable(1.0), tf.Variable(1.0, use_resource=True)
        made = tf.get_variable("made", [2]), tf.get_variable("kept", [2], use_resource=True)
        weights = tf.keras.layers.Dense(1, input_shape=(2,))
        weights.build((None, 2))
        assert [type(v).__name__ for v in (plain, resource, *made)] == ["RefVariable", "ResourceVariable"] * 2
        assert isinstance(weights.kernel, resource_variable_ops.ResourceVariable)
        assert isinstance(plain, variables.RefVariable) and not isinstance(resource, variables.RefVariable)
        assert all(isinstance(v, tf.Variable) for v in (plain, resource, *made))
        assert resource_variable_ops.ResourceVariable(2.0).op.type == "VarHandleOp"
        assert variables.RefVariable(2.0).op.type == "VariableV2"
        again = tf.Variable.from_proto(resource.to_proto())
        assert type(again) is type(resource)


@pytest.mark.parametrize("public, name", [("zeros_initializer", "Zeros"), ("random_uniform_initializer", "RandomUniform"),
                                          ("glorot_normal_initializer", "GlorotNormal"),
                                          ("orthogonal_initializer", "Orthogonal")])
def test_initializers_have_keras_class_names(public, name):
    initializer = getattr(tf, public)()
    assert type(initializer).__name__ == name
    assert pickle.loads(pickle.dumps(type(initializer))) is type(initializer)


def test_keras_regularizers_keep_floats_of_its_type():
    regularizer = tf.keras.regularizers.l2(0.01)
    assert regularizer.l2.dtype == np.float32
    assert regularizer.get_config() == {"l1": 0.0, "l2": float(np.float32(0.01))}
    assert list(tf.keras.optimizers.SGD(0.1).get_config())[:3] == ["name", "learning_rate", "decay"]


def test_layers_know_their_nodes_by_the_old_name():
    x = tf.keras.Input((2,))
    layer = tf.keras.layers.Dense(2)
    layer(layer(x))
    assert len(layer._inbound_nodes) == 2


def test_missing_arguments_name_the_function_so():
    with pytest.raises(TypeError, match=r"matrix_inverse\(\) missing 1 required positional argument: 'input'"):
        tf.linalg.inv()


def test_my_fact():
    from tensorflow.python.user_ops import user_ops
    assert user_ops.my_fact is tf.user_ops.my_fact
    assert fetch(tf.user_ops.my_fact()) == b"0! == 1"


def test_star_import_has_contrib():
    names = {}
    exec("from tensorflow import *", names)
    assert names["contrib"] is tf.contrib


# --- messages -------------------------------------------------------------------------------------------------


def test_variables_of_another_shape_are_named_with_both():
    with tf.Graph().as_default():
        tf.get_variable("w", [4, 3])
        with tf.variable_scope("", reuse=True), \
                pytest.raises(ValueError, match=r"specified shape \(5, 5\) and found shape \(4, 3\)\."):
            tf.get_variable("w", [5, 5])


def test_shapes_in_messages_are_tuples():
    with tf.Graph().as_default():
        variable = tf.Variable([1.0, 2.0], use_resource=True)
        with pytest.raises(ValueError, match=r"Shapes \(2,\) and \(3,\)"):
            variable.assign([1.0, 2.0, 3.0])
        with pytest.raises(ValueError, match=r"\(1, 3\)"):
            tf.boolean_mask(tf.zeros([1, 3]), [True, False])


def test_no_gradients_shows_the_variables():
    with tf.Graph().as_default():
        variable = tf.Variable(3.0, name="v")
        with pytest.raises(ValueError, match=r"No gradients provided for any variable: "
                                             r"\[\"<tf.Variable 'v:0' shape=\(\) dtype=float32_ref>\"\]\."):
            tf.train.GradientDescentOptimizer(0.1).apply_gradients([(None, variable)])


# --- where errors come ----------------------------------------------------------------------------------------


def test_convolutions_of_groups_have_a_shape_and_are_refused_when_run():
    with tf.Graph().as_default():
        result = tf.nn.conv2d(tf.ones([1, 4, 4, 4]), tf.ones([2, 2, 2, 6]), [1, 1, 1, 1], "SAME")
        assert result.shape.as_list() == [1, 4, 4, 6]
        with pytest.raises(tf.errors.UnimplementedError, match="2 groups of channels"):
            fetch(result)
        with pytest.raises(ValueError, match=r"Depth of input \(4\) is not a multiple of input depth of filter \(3\)"):
            tf.nn.conv2d(tf.ones([1, 4, 4, 4]), tf.ones([2, 2, 3, 6]), [1, 1, 1, 1], "SAME")
        with pytest.raises(ValueError, match="number of groups: 5 vs 2"):
            tf.nn.conv2d(tf.ones([1, 4, 4, 4]), tf.ones([2, 2, 2, 5]), [1, 1, 1, 1], "SAME")


@pytest.mark.parametrize("sizes, strides", [([1, 1, 1, 2], [1, 1, 1, 2]), ([2, 1, 1, 1], [1, 1, 1, 1]),
                                            ([1, 2, 2, 1], [1, 1, 1, 2])])
def test_average_pooling_beyond_space_is_refused_when_run(sizes, strides):
    with tf.Graph().as_default():
        result = tf.nn.avg_pool(tf.ones([2, 2, 2, 4]), sizes, strides, "SAME")
        with pytest.raises(tf.errors.UnimplementedError, match="across the batch or the channels"):
            fetch(result)


# --- values ---------------------------------------------------------------------------------------------------


def test_ragged_values_take_the_type_of_the_other_operand():
    with tf.Graph().as_default():
        rows = tf.ragged.constant([[1, 2], [3]])
        value = tf.ragged.constant_value([[1, 2], [3]])
        assert value.values.dtype == np.int64
        assert fetch(rows + value).to_list() == [[2, 4], [6]]
        assert rows.row_splits.name == "RaggedConstant/Const:0"


# --- files ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("options, depth", [({}, 2), ({"sharded": True}, 1),
                                            ({"write_version": tf.train.SaverDef.V1}, 1)])
def test_saver_makes_no_folders_above_its_own(tmp_path, options, depth):
    with tf.Graph().as_default(), tf.Session() as session:
        variable = tf.Variable(1.0)
        session.run(variable.initializer)
        saver = tf.train.Saver(**options)
        missing = tmp_path.joinpath(*["new"] * depth)
        with pytest.raises(ValueError, match=f"Parent directory of {missing}/model doesn't exist, can't save."):
            saver.save(session, f"{missing}/model")
        assert not (tmp_path / "new").exists()
        made = tmp_path.joinpath(*["made"] * (depth - 1))
        assert saver.save(session, f"{made}/model") == f"{made}/model"


# --- tests of programs ----------------------------------------------------------------------------------------


def test_test_main_runs_what_argv_names(tmp_path):
    program = tmp_path / "program.py"
    program.write_text("""import rill as tf
class T(tf.test.TestCase):
    def test_a(self):
        print("a ran")
    def test_b(self):
        raise ValueError("must not run")
tf.test.main(argv=["anything", "T.test_a"])
""")
    ended = subprocess.run([sys.executable, program], capture_output=True, text=True)
    assert ended.returncode == 0, ended.stderr
    assert ended.stdout.splitlines().count("a ran") == 1


def test_failed_comparisons_show_both_arrays():
    class Case(tf.test.TestCase):
        def runTest(self):
            pass
    with pytest.raises(AssertionError, match=r"(?s)Not equal to tolerance.*not close where.*Mismatched elements: 1 / 2"):
        Case().assertAllClose([1.0, 2.0], [1.0, 3.0])
    with pytest.raises(AssertionError, match=r"(?s)Arrays are not equal.*not equal where.*Mismatched elements: 1 / 2"):
        Case().assertAllEqual([1, 2], [1, 3])


# --- getters --------------------------------------------------------------------------------------------------


def test_a_getter_sees_what_was_written():
    seen = {}

    def look(getter, name, *args, **kwargs):
        seen[name] = kwargs["shape"], kwargs["trainable"]
        return getter(name, *args, **kwargs)

    with tf.Graph().as_default(), tf.variable_scope("s", custom_getter=look):
        tf.get_variable("list", [2])
        tf.get_variable("tuple", (2, 3), trainable=False)
        tf.get_variable("number", 4)
        tf.get_variable("local", [1], synchronization=tf.VariableSynchronization.ON_READ)
        shape = tf.ones([5, 6]).shape[-1:]
        tf.get_variable("shape", shape)
        tf.get_variable("value", initializer=1.0)
        tf.layers.dense(tf.ones([1, 2]), 3, name="dense")
    assert seen == {"s/list": ([2], True), "s/tuple": ((2, 3), False), "s/number": (4, True), "s/local": ([1], False),
                    "s/shape": (shape, True), "s/value": (None, True), "s/dense/kernel": ([2, 3], True),
                    "s/dense/bias": ([3], True)}
    assert isinstance(seen["s/shape"][0], tf.TensorShape)


# --- graphs, iterators and variables by other ways --------------------------------------------------------------


def test_an_iterators_elements_are_of_its_graph():
    with tf.Graph().as_default() as graph:
        iterator = tf.data.Dataset.range(3).make_initializable_iterator()
    with tf.Graph().as_default():
        element = iterator.get_next()
        total = element + 1
    assert element.graph is graph and total.graph is graph
    with tf.Session(graph=graph) as session:
        session.run(iterator.initializer)
        assert session.run([element, total]) == [0, 1]


def test_references_by_name_know_whether_they_are_initialized():
    with tf.Graph().as_default() as graph, tf.Session() as session:
        v = tf.Variable(1.0, name="v")
        known = tf.is_variable_initialized(graph.get_tensor_by_name("v:0"))
        assert not session.run(known)
        session.run(v.initializer)
        assert session.run(known)


def test_variables_of_graphs_are_no_arrays():
    plain, kept = tf.Variable([1.0, 2.0]), tf.Variable([1.0, 2.0], use_resource=True)
    array = np.array(plain)
    assert array.dtype == object and array.shape == () and array.item() is plain
    assert np.array([plain, plain]).shape == (2,)
    for use in (np.array, np.sum, np.isnan, lambda v: np.reshape(v, [2, 1])):
        with pytest.raises(NotImplementedError, match="numpy\\(\\) is only available when eager"):
            use(kept)
    for use in (int, float):
        with pytest.raises(TypeError, match="not 'RefVariable'"):
            use(plain)
    assert bool(plain)
    with pytest.raises(tf.errors.OperatorNotAllowedInGraphError, match="`tf.Tensor` as a Python `bool`"):
        bool(kept)


def test_dual_averaging_counts_by_any_tensor():
    for step in (lambda: tf.constant(3, tf.int64), lambda: tf.placeholder_with_default(np.int64(3), []),
                 lambda: tf.Variable(3, dtype=tf.int64, use_resource=True)):
        with tf.Graph().as_default(), tf.Session() as session:
            v = tf.Variable([1.0, 2.0])
            train = tf.train.AdagradDAOptimizer(0.1, step()).minimize(tf.reduce_sum(v * v))
            session.run(tf.global_variables_initializer())
            session.run(train)
            np.testing.assert_allclose(session.run(v), [-0.09877297, -0.09968895], rtol=1e-5)


@pytest.mark.parametrize("use, told", [(bool, "using a `tf.Tensor` as a Python `bool`"), (list, "iterating over `tf.Tensor`")])
def test_tensors_are_no_values_of_python(use, told):
    with pytest.raises(tf.errors.OperatorNotAllowedInGraphError, match=f"{told} is not allowed in Graph execution"):
        use(tf.constant([1, 2]))


def test_large_graphs_are_written_by_python_messages_too(tmp_path):
    """With protobuf's classes of plain Python, which old *_pb2 files force, a log takes the graph's bytes as they are."""
    program = """
import sys, tensorflow as tf
x = tf.constant(1.0)
for _ in range(3000):
    x = tf.identity(x)
from google.protobuf.internal import api_implementation
assert api_implementation.Type() == "python"
from tensorflow.core.framework import node_def_pb2
made, new = [], node_def_pb2.NodeDef.__init__
node_def_pb2.NodeDef.__init__ = lambda self, *args, **kwargs: (made.append(1), new(self, *args, **kwargs))[1]
tf.summary.FileWriter(sys.argv[1], tf.get_default_graph()).close()
assert not made, len(made)
"""
    done = subprocess.run([sys.executable, "-c", program, str(tmp_path)], capture_output=True, text=True,
                          env={**os.environ, "PROTOCOL_BUFFERS_PYTHON_IMPLEMENTATION": "python"})
    assert done.returncode == 0, done.stderr
