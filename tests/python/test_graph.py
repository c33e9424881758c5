import gc
import os
import pickle
import threading
import weakref

import numpy as np
import pytest

import rill as tf


def names(graph):
    return [(op.name, op.type) for op in graph.get_operations()]


def test_elements_have_one_object_each(graph):
    x = tf.placeholder(tf.float32, name="x")
    assert x.op.outputs[0] is x
    assert x.op is graph.get_operation_by_name("x")
    assert graph.get_tensor_by_name("x:0") is x
    assert x.graph is graph
    assert {x: 1}[x.op.outputs[0]] == 1
    assert x != tf.constant(1.0) and not x == 1


def test_attributes_given_by_a_program_last_as_long_as_the_graph(graph):
    tf.constant(1.0, name="c").note = "kept"
    gc.collect()
    assert graph.get_tensor_by_name("c:0").note == "kept"


def test_a_graph_dies_with_its_last_user():
    graph = tf.Graph()
    with graph.as_default():
        tensor = tf.constant(1.0)
        tensor.graph_again = graph
        graph.tensor = tensor
    watch = weakref.ref(graph)
    del graph, tensor
    gc.collect()
    assert watch() is None


def test_tensor_keeps_its_graph_alive():
    with tf.Graph().as_default():
        x = tf.constant([1.0, 2.0], name="x")
    gc.collect()
    assert x.graph.get_tensor_by_name("x:0") is x
    with tf.Session(graph=x.graph) as session:
        assert session.run(x).tolist() == [1.0, 2.0]


def test_names_and_scopes(graph):
    with tf.name_scope("a") as scope:
        assert scope == "a/"
        assert tf.constant(1).name == "a/Const:0"
        with tf.name_scope("b"):
            assert tf.constant(1, name="c").name == "a/b/c:0"
    with tf.name_scope("a") as scope:
        assert scope == "a_1/"
    with tf.name_scope("a/"):
        assert tf.constant(1).name == "a/Const_1:0"
        with tf.name_scope(None):
            assert tf.constant(1).name == "Const:0"
    with tf.name_scope(None, "default", [1]) as scope:
        assert scope == "default/"
    assert graph.unique_name("a") == "a_2"
    assert graph.unique_name("a", mark_as_used=False) == "a_3"
    assert graph.unique_name("a") == "a_3"


def test_name_scope_follows_its_values():
    other = tf.Graph()
    with other.as_default():
        x = tf.constant(1.0, name="x")
    with tf.name_scope("s", values=[x]):
        assert tf.get_default_graph() is other


def test_scopes_belong_to_their_graph(graph):
    other = tf.Graph()
    with tf.name_scope("outer"):
        with other.as_default():
            assert tf.constant(1).name == "Const:0"
            with graph.as_default():
                assert tf.constant(1).name == "outer/Const:0"


def test_an_op_goes_where_its_inputs_are(graph):
    other = tf.Graph()
    with other.as_default():
        x = tf.constant(1.0)
    assert (x + 1).graph is other
    assert tf.raw_ops.Identity(input=x).graph is other
    assert graph.version == 0
    y = tf.constant(1.0)
    with pytest.raises(ValueError, match="must be from the same graph as"):
        x + y


def test_control_dependencies(graph):
    a, b = tf.no_op(name="a"), tf.constant(1.0, name="b")
    with tf.control_dependencies([a, b]):
        c = tf.constant(2.0, name="c")
        with tf.control_dependencies(None):
            assert tf.no_op().control_inputs == []
        d = tf.identity(c)
        e = tf.identity(b)
    assert c.op.control_inputs == [a, b.op]
    assert d.op.control_inputs == []
    assert e.op.control_inputs == [a]
    with graph.control_dependencies(["a", "b:0"]):
        assert tf.no_op().control_inputs == [a, b.op]


def test_device(graph):
    with tf.device("/job:w"), tf.device("/cpu:1"):
        op = tf.no_op()
        with tf.device(None):
            assert tf.no_op().device == ""
    assert op.device == "/job:w/device:CPU:1"
    with tf.colocate_with(op):
        assert tf.no_op().colocation_groups() == [b"loc:@NoOp"]


def test_threads_have_default_graphs_of_their_own(graph):
    seen = []
    thread = threading.Thread(target=lambda: seen.append(tf.get_default_graph()))
    thread.start()
    thread.join()
    assert seen[0] is not graph


@pytest.mark.parametrize("name, error, text", [
    ("zz", KeyError, "The name 'zz' refers to an Operation not in the graph."),
    ("zz:0", KeyError, "The operation, 'zz', does not exist in the graph."),
    ("x:5", KeyError, "The operation, 'x', exists but only has 1 outputs."),
    ("x:a:b", ValueError, "looks a like a Tensor name, but is not a valid one."),
    (3, TypeError, "Can not convert a int into a Tensor or Operation."),
])
def test_names_that_mean_nothing(graph, name, error, text):
    tf.constant(1.0, name="x")
    with pytest.raises(error, match="(?s).*".join(text.split("  "))) as caught:
        graph.as_graph_element(name)
    assert text in str(caught.value)


def test_kinds_of_elements(graph):
    x = tf.constant(1.0, name="x")
    with pytest.raises(ValueError, match="refers to an Operation, not a Tensor"):
        graph.get_tensor_by_name("x")
    with pytest.raises(ValueError, match="appears to refer to a Tensor, not a Operation"):
        graph.get_operation_by_name("x:0")
    with pytest.raises(TypeError, match="Can not convert a Tensor into a Operation"):
        graph.as_graph_element(x, allow_tensor=False)
    with pytest.raises(ValueError, match="is not an element of this graph"):
        tf.Graph().as_graph_element(x)
    with pytest.raises(ValueError, match="can't both be False"):
        graph.as_graph_element(x, False, False)


def test_finalize(graph):
    graph.finalize()
    with pytest.raises(RuntimeError, match="Graph is finalized and cannot be modified."):
        tf.constant(1.0)


def test_reset_default_graph():
    with pytest.raises(AssertionError, match="nested graphs"):
        tf.reset_default_graph()


def test_graph_def_round_trip(graph):
    x = tf.placeholder(tf.float32, [None, 2], name="x")
    tf.add(x, [1.0, 2.0], name="y")
    message = graph.as_graph_def()
    assert [node.name for node in message.node] == ["x", "y/y", "y"]
    assert message.versions.producer == 134
    shapes = graph.as_graph_def(add_shapes=True).node[2].attr["_output_shapes"].list.shape
    assert [d.size for d in shapes[0].dim] == [-1, 2]
    with tf.Graph().as_default() as other:
        y, op = tf.import_graph_def(message, return_elements=["y:0", "y"])
        assert y.name == "import/y:0" and y.op is op
        assert y.shape.as_list() == [None, 2]
        (z,) = tf.import_graph_def(message, {"x:0": [[1.0, 1.0]]}, ["y:0"], name="q")
        with tf.Session() as session:
            np.testing.assert_array_equal(session.run(z), [[2.0, 3.0]])
    assert "q/_inputs/Const" in [op.name for op in other.get_operations()]


def test_import_errors(graph):
    tf.constant(1.0, name="x")
    message = graph.as_graph_def()
    with pytest.raises(ValueError, match="not found in graph_def: .zz:0."):
        tf.import_graph_def(message, {"zz:0": 1.0}, name="a")
    with pytest.raises(ValueError, match="Requested return tensor 'zz:0' not found"):
        tf.import_graph_def(message, return_elements=["zz:0"], name="a")
    with pytest.raises(TypeError, match="must be a GraphDef proto"):
        tf.import_graph_def(3)
    message.node[0].op = "NoSuchOp"
    with pytest.raises(tf.errors.NotFoundError, match="NoSuchOp"):
        tf.import_graph_def(message)


def test_operations_say_what_they_are(graph):
    x = tf.placeholder(tf.float32, [2], name="x")
    assert x.op.node_def.attr["dtype"].type == 1
    assert x.op.op_def.name == "Placeholder"
    assert x.op.get_attr("dtype") is tf.float32
    assert x.op.get_attr("shape").dim[0].size == 2
    with pytest.raises(ValueError, match="Operation 'x' has no attr named 'foo'."):
        x.op.get_attr("foo")
    y = tf.identity(x)
    assert y.op.inputs == [x] and x.consumers() == [y.op]
    assert repr(x) == "<tf.Tensor 'x:0' shape=(2,) dtype=float32>"
    assert str(x) == 'Tensor("x:0", shape=(2,), dtype=float32)'
    assert repr(x.op) == "<tf.Operation 'x' type=Placeholder>"


def test_traceback_ends_at_the_line_that_made_the_op():
    op = tf.no_op()  # this line
    frame = op.traceback[-1]
    assert frame.filename == __file__
    assert frame.line.endswith("# this line")
    package = os.path.dirname(tf.__file__)
    assert not any(f.filename.startswith(package) for f in op.traceback)


def test_shapes_can_be_narrowed():
    x = tf.placeholder(tf.float32)
    x.set_shape([None, 3])
    assert x.shape.as_list() == [None, 3]
    with pytest.raises(ValueError):
        x.set_shape([2, 4])


def test_tensors_are_no_python_values():
    x = tf.constant([1.0, 2.0])
    for use in (bool, len, iter):
        with pytest.raises(TypeError):
            use(x)


def test_seed(graph):
    assert graph.seed is None
    graph.seed = 7
    assert graph.seed == 7


def test_dtype_pickles():
    assert pickle.loads(pickle.dumps(tf.float32)) is tf.float32


def test_graphs_with_nodes_of_tpus_are_loaded():
    definition = tf.GraphDef()
    for name in ("a", "b"):
        node = definition.node.add(name=name, op="Placeholder")
        node.attr["dtype"].type = tf.float32.as_datatype_enum
    node.attr["shape"].shape.dim.add(size=2)
    node = definition.node.add(name="in", op="TPUReplicatedInput", input=["a", "b"])
    node.attr["N"].i, node.attr["T"].type = 2, tf.float32.as_datatype_enum
    node = definition.node.add(name="out", op="TPUReplicatedOutput", input=["in"])
    node.attr["num_replicas"].i, node.attr["T"].type = 3, tf.float32.as_datatype_enum
    definition.node.add(name="c", op="Identity", input=["a"]).attr["T"].type = tf.float32.as_datatype_enum
    with tf.Graph().as_default() as graph, tf.Session() as sess:
        tf.import_graph_def(definition, name="")
        assert [t.shape.as_list() for t in graph.get_operation_by_name("out").outputs] == [[2], [2], [2]]
        assert sess.run("c:0", {"a:0": 5.0}) == 5.0
        with pytest.raises((tf.errors.InvalidArgumentError, tf.errors.NotFoundError, tf.errors.UnimplementedError),
                           match="TPUReplicatedInput"):
            sess.run("out:0", {"a:0": [1.0, 1.0], "b:0": [1.0, 1.0]})


def test_a_constant_of_another_type_is_loaded_and_does_not_run():
    definition = tf.GraphDef()
    node = definition.node.add(name="c", op="Const")
    node.attr["value"].tensor.CopyFrom(tf.make_tensor_proto([1, 2], tf.int32))
    node.attr["dtype"].type = tf.float32.as_datatype_enum
    definition.node.add(name="sum", op="Neg", input=["c"]).attr["T"].type = tf.float32.as_datatype_enum
    with tf.Graph().as_default() as graph, tf.Session() as sess:
        tf.import_graph_def(definition, name="")
        constant = graph.get_tensor_by_name("c:0")
        assert constant.dtype == tf.float32 and constant.shape.as_list() == [2]
        for fetched in ("c:0", "sum:0"):
            with pytest.raises(tf.errors.InvalidArgumentError,
                               match=r"Type mismatch between value \(int32\) and dtype \(float\)"):
                sess.run(fetched)
        reshaped = tf.reshape(tf.ones([2]), tf.cast(constant, tf.int32))  # nobody is misled by its value
        assert reshaped.dtype == tf.float32


@pytest.mark.parametrize("make", [
    "tf.get_default_graph().as_default()", "tf.control_dependencies([tf.constant(1)])", "tf.device('/cpu:0')",
    "tf.variable_scope('v')", "tf.colocate_with(tf.constant(1))", "tf.get_default_graph().container('x')",
    "tf.Session()", "tf.Session().as_default()"])
def test_leaving_what_was_not_entered_does_not_end_the_process(make):
    with tf.Graph().as_default():
        context = eval(make, {"tf": tf})
        for _ in range(2):
            try:
                context.__exit__(None, None, None)
            except (IndexError, RuntimeError):
                continue
        context.__enter__()
        context.__exit__(None, None, None)
        assert tf.constant(1).name.startswith("Const")
        assert tf.get_default_session() is None
