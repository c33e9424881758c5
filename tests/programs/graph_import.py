"""tf.import_graph_def with its arguments, and what it says of wrong ones."""
import tensorflow as tf


def _graph_def():
    with tf.Graph().as_default() as g:
        x = tf.placeholder(tf.float32, [2], name="x")
        y = tf.add(x, [1.0, 2.0], name="y")
        with tf.name_scope("s"):
            z = tf.add(y, y, name="z")
        with tf.control_dependencies([z]):
            tf.no_op(name="done")
    return g.as_graph_def()


def program_default_name():
    result = tf.import_graph_def(_graph_def())
    again = tf.import_graph_def(_graph_def())
    g = tf.get_default_graph()
    return {"nothing": [result is None, again is None],
            "z": g.get_tensor_by_name("import/s/z:0").eval({"import/x:0": [1.0, 2.0]}, tf.Session())}


def program_no_prefix():
    tf.import_graph_def(_graph_def(), name="")
    g = tf.get_default_graph()
    return {"names": [op.name for op in g.get_operations()]}


def program_input_map():
    x = tf.constant([5.0, 6.0], name="mine")
    z, done, y = tf.import_graph_def(_graph_def(), input_map={"x:0": x},
                                     return_elements=["s/z:0", "done", "y:0"], name="net")
    return {"z": z, "y": y, "done": done.name, "inputs": [t.name for t in y.op.inputs]}


def program_input_map_without_index():
    x = tf.constant([5.0, 6.0], name="mine")
    (y,) = tf.import_graph_def(_graph_def(), {"x": x}, ["y:0"], "a")
    (w,) = tf.import_graph_def(_graph_def(), {"y:0": x}, ["s/z:0"], "b")
    return {"y": y, "w": w}


def program_inside_scopes():
    with tf.name_scope("outer"), tf.device("/device:CPU:0"):
        (z,) = tf.import_graph_def(_graph_def(), input_map={"x:0": tf.constant([1.0, 1.0])},
                                   return_elements=["s/z:0"], name="inner")
    return {"z": z, "name": z.name, "device": z.device}


def program_unused_map():
    try:
        tf.import_graph_def(_graph_def(), input_map={"nonsense:0": tf.constant(1.0)}, name="bad")
        said = ""
    except ValueError as error:
        said = "ValueError"
    return {"said": said}


def program_wrong_return_element():
    said = []
    for element in ("nothing:0", "y:7", "nothing"):
        try:
            tf.import_graph_def(_graph_def(), return_elements=[element], name="n")
        except (ValueError, KeyError) as error:
            said.append(type(error).__name__)
    return {"said": said}


def program_not_a_graph_def():
    said = []
    for wrong in ("text", 3, tf.NodeDef(name="x", op="NoOp")):
        try:
            tf.import_graph_def(wrong)
        except TypeError:
            said.append("TypeError")
    return {"said": said}


def program_round_trip():
    a = tf.placeholder(tf.int32, [None], name="a")
    b = tf.identity(a * 2, name="b")
    definition = tf.get_default_graph().as_graph_def()
    with tf.Graph().as_default() as g:
        tf.import_graph_def(definition, name="")
        with tf.Session(graph=g) as sess:
            value = sess.run("b:0", {"a:0": [1, 2, 3]})
    return {"value": value, "same": definition.SerializeToString(deterministic=True) ==
            g.as_graph_def().SerializeToString(deterministic=True), "b": b.name}


def program_functions_travel():
    from tensorflow.python.framework import function

    @function.Defun(tf.float32, func_name="Doubled")
    def doubled(x):
        return x * 2.0

    with tf.Graph().as_default() as g:
        tf.identity(doubled(tf.constant(3.0)), name="out")
    with tf.Graph().as_default() as h:
        (out,) = tf.import_graph_def(g.as_graph_def(), return_elements=["out:0"])
        value = tf.Session().run(out)
    return {"value": value, "functions": len(h.as_graph_def().library.function)}
