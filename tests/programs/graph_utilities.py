"""tf.graph_util: parts of graphs, and variables turned into constants."""
import tensorflow as tf


def _names(graph_def):
    return [node.name for node in graph_def.node]


def _kind(function):
    try:
        return repr(function())
    except Exception as error:
        return type(error).__name__


def program_extract_sub_graph():
    a = tf.constant(1.0, name="a")
    b = tf.constant(2.0, name="b")
    c = tf.add(a, a, name="c")
    with tf.control_dependencies([b]):
        tf.identity(c, name="d")
    tf.add(c, b, name="e")
    definition = tf.get_default_graph().as_graph_def()
    extract = tf.graph_util.extract_sub_graph
    return {"c": _names(extract(definition, ["c"])), "d": _names(extract(definition, ["d"])),
            "both": _names(extract(definition, ["e", "a"])),
            "wrong": [_kind(lambda: extract(definition, ["nothing"])), _kind(lambda: extract(definition, "c")),
                      _kind(lambda: extract("text", ["c"]))]}


def program_must_run_on_cpu():
    ops = [tf.constant(1), tf.constant(1.0, name="f"), tf.constant("s"), tf.raw_ops.Cast(x=1, DstT=tf.float32),
           tf.raw_ops.VariableV2(shape=[], dtype=tf.float32)]
    must = tf.graph_util.must_run_on_cpu
    return {"plain": [must(t.op) for t in ops], "pinned": [must(t.op, pin_variables_on_cpu=True) for t in ops],
            "messages": [must(t.op.node_def) for t in ops]}


def program_shape_by_name():
    tf.placeholder(tf.float32, [None, 3], name="x")
    shape = tf.graph_util.tensor_shape_from_node_def_name
    return {"shapes": [repr(shape(tf.get_default_graph(), name)) for name in ("x", "x:0")]}


def program_convert_variables():
    v = tf.raw_ops.VariableV2(shape=[2], dtype=tf.float32, name="v")
    init = tf.raw_ops.Assign(ref=v, value=[3.0, 4.0])
    out = tf.add(v, [1.0, 1.0], name="out")
    with tf.Session() as sess:
        sess.run(init)
        frozen = tf.graph_util.convert_variables_to_constants(sess, sess.graph_def, ["out"])
    with tf.Graph().as_default():
        (again,) = tf.import_graph_def(frozen, return_elements=["out:0"])
        value = tf.Session().run(again)
    return {"value": value, "ops": [node.op for node in frozen.node if node.op in ("Const", "VariableV2")],
            "out": out.name}


def program_remove_training_nodes():
    a = tf.constant(1.0, name="a")
    b = tf.identity(a, name="b")
    c = tf.raw_ops.CheckNumerics(tensor=b, message="m", name="c")
    tf.negative(c, name="d") if hasattr(tf, "negative") else tf.raw_ops.Neg(x=c, name="d")
    definition = tf.get_default_graph().as_graph_def()
    remove = tf.graph_util.remove_training_nodes
    short = remove(definition)
    return {"names": sorted(_names(short)),
            "kept": sorted(_names(remove(definition, protected_nodes=["b"])))}
