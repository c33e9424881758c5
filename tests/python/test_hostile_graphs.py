"""Graphs and meta graphs that were made to do harm: each is refused with an error of Python."""
import pytest
import tensorflow as tf

FLOAT = tf.float32.as_datatype_enum


def node(graph, name, op, *inputs, **types):
    made = graph.node.add(name=name, op=op, input=inputs)
    for key, value in types.items():
        made.attr[key].type = value
    return made


def constant(*dims, content=None):
    graph = tf.GraphDef()
    value = node(graph, "c", "Const", dtype=FLOAT).attr["value"].tensor
    value.dtype = FLOAT
    for dim in dims:
        value.tensor_shape.dim.add(size=dim)
    if content is None:
        value.float_val.append(1.0)
    else:
        value.tensor_content = content
    return graph


def cycle():
    graph = tf.GraphDef()
    for i in range(2):
        node(graph, f"n{i}", "Identity", f"n{1 - i}", T=FLOAT)
    return graph


def twice():
    graph = constant(1)
    node(graph, "c", "NoOp")
    return graph


def single(name="c", op="NoOp", device="", inputs=()):
    graph = tf.GraphDef()
    node(graph, name, op, *inputs).device = device
    return graph


def lost_result():
    graph = single(op="F")
    function = graph.library.function.add()
    function.signature.name = "F"
    function.signature.output_arg.add(name="y", type=FLOAT)
    function.ret["y"] = "nowhere:out:0"
    return graph


def absurd_list():
    graph = tf.GraphDef()
    made = node(graph, "c", "Split", "c", "c", T=FLOAT)
    made.attr["num_split"].i = 1 << 40
    return graph


@pytest.mark.parametrize("graph", [
    constant(1 << 45), constant(1 << 40, 1 << 40), constant(-5), constant(2, 2, content=b"123"), cycle(), twice(),
    single(op="NoSuchOp"), single(device="/../../etc"), single(inputs=["^nobody"]), single(inputs=["c:-1"]),
    single(name="/etc/passwd"), single(name="a b"), single(name=""), lost_result(), absurd_list()],
    ids=["huge", "overflow", "negative", "short", "cycle", "twice", "unknown op", "device", "control", "output",
         "path", "space", "no name", "lost result", "list"])
def test_graphs(graph):
    with tf.Graph().as_default(), tf.Session() as session, pytest.raises((ValueError, TypeError, tf.errors.OpError)):
        tf.import_graph_def(graph, name="")
        session.run(session.graph.get_operations()[0].name)


@pytest.mark.parametrize("collection, value", [
    ("variables", b"\x0a\x05nope:"), ("variables", b"\xff\xff"), ("queue_runners", b"\xff\xff"),
    ("trainable_variables", b"\x0a\x02c:\x12\x02c:"), ("cond_context", b"\xff"), ("while_context", b"\xff")])
def test_collections(collection, value):
    message = tf.MetaGraphDef()
    message.graph_def.CopyFrom(constant(1))
    message.collection_def[collection].bytes_list.value.append(value)
    with tf.Graph().as_default(), pytest.raises((ValueError, KeyError, TypeError)):
        tf.train.import_meta_graph(message)


def test_savers():
    message = tf.MetaGraphDef()
    message.saver_def.filename_tensor_name = "x"
    with tf.Graph().as_default(), pytest.raises(ValueError, match="must specify the save_tensor_name"):
        tf.train.import_meta_graph(message)
