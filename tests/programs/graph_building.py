"""tf.Graph: names, scopes, devices, containers, versions, and looking things up."""
import tensorflow as tf


def program_unique_names():
    g = tf.get_default_graph()
    names = [g.unique_name("foo"), g.unique_name("foo"), g.unique_name("foo", mark_as_used=False),
             g.unique_name("foo"), g.unique_name("Foo"), g.unique_name("foo_1")]
    a = tf.constant(1.0, name="foo")
    with tf.name_scope("bar"):
        names.append(g.unique_name("foo"))
        b = tf.constant(2.0, name="foo")
    return {"names": names, "a": a, "b": b, "scope": g.get_name_scope()}


def program_name_scopes():
    got = []
    with tf.name_scope("a") as a:
        got.append(a)
        with tf.name_scope("b") as b:
            got.append(b)
            x = tf.constant(1)
        with tf.name_scope("b") as b2:
            got.append(b2)
            y = tf.constant(2)
        with tf.name_scope(None) as none:
            got.append(none)
            z = tf.constant(3)
        with tf.name_scope("") as empty:
            got.append(empty)
            w = tf.constant(4)
        with tf.name_scope(b):
            v = tf.constant(5)
    with tf.name_scope("A"):
        u = tf.constant(6)
    return {"got": got, "values": [x, y, z, w, v, u]}


def program_name_scope_of_values():
    g = tf.Graph()
    with g.as_default():
        x = tf.constant(1.0, name="x")
    with tf.name_scope(None, "default", [x]) as scope:
        inside = tf.get_default_graph() is g
    with tf.name_scope("given", "default") as given:
        y = tf.constant(2.0)
    return {"scope": scope, "inside": inside, "given": given, "y": y}


def program_op_scope():
    x = tf.constant(1.0, name="x")
    with tf.op_scope([x], None, "fallback") as scope:
        y = x + 1.0
    with tf.op_scope([x], "named", "fallback") as named:
        z = x + 2.0
    return {"scopes": [scope, named], "y": y, "z": z}


def program_name_scope_object():
    scope = tf.name_scope("outer", "other")
    with scope as text:
        x = tf.constant(1.0)
    return {"name": scope.name, "text": text, "x": x}


def program_elements_by_name():
    g = tf.get_default_graph()
    x = tf.constant([1.0, 2.0], name="x")
    with tf.name_scope("s"):
        y = tf.identity(x, name="y")
    same = [g.get_tensor_by_name("x:0") is x, g.get_operation_by_name("s/y") is y.op,
            g.as_graph_element("s/y:0") is y, g.as_graph_element("s/y") is y.op,
            g.as_graph_element(x) is x, g.as_graph_element(y.op, allow_tensor=False) is y.op]
    return {"same": same, "names": [op.name for op in g.get_operations()],
            "types": [op.type for op in g.get_operations()], "y": y}


def program_missing_elements():
    g = tf.get_default_graph()
    tf.constant(1.0, name="x")
    said = []
    for ask in (lambda: g.get_tensor_by_name("y:0"), lambda: g.get_tensor_by_name("x:1"),
                lambda: g.get_tensor_by_name("x"), lambda: g.get_operation_by_name("y"),
                lambda: g.get_operation_by_name("x:0"), lambda: g.as_graph_element(3),
                lambda: g.get_tensor_by_name(3), lambda: g.as_graph_element("x:y")):
        try:
            ask()
        except (KeyError, TypeError, ValueError) as error:
            said.append(type(error).__name__ + ": " + str(error.args[0]))
    return {"said": said}


def program_of_other_graph():
    other = tf.Graph()
    with other.as_default():
        x = tf.constant(1.0, name="x")
    try:
        tf.get_default_graph().as_graph_element(x)
        said = ""
    except ValueError as error:
        said = str(error)
    y = tf.constant(2.0)
    try:
        x + y
        mixed = ""
    except ValueError:
        mixed = "ValueError"
    return {"said": said, "mixed": mixed, "y": y}


def program_finalize():
    g = tf.Graph()
    with g.as_default():
        tf.constant(1.0)
        g.finalize()
        try:
            tf.constant(2.0)
            said = ""
        except RuntimeError as error:
            said = str(error)
    return {"said": said, "finalized": g.finalized, "still": tf.get_default_graph().finalized}


def program_versions():
    g = tf.Graph()
    seen = [g.version]
    with g.as_default():
        a = tf.constant(1.0)
        seen.append(g.version)
        b = a + 1.0
        seen.append(g.version)
    return {"grew": [seen[1] > seen[0], seen[2] > seen[1]], "b": b.name,
            "min_consumer": g.graph_def_versions.min_consumer}


def program_add_shapes():
    g = tf.get_default_graph()
    x = tf.placeholder(tf.float32, [None, 2], name="x")
    y = tf.matmul(x, [[1.0], [2.0]], name="y")
    node = {n.name: n for n in g.as_graph_def(add_shapes=True).node}["y"]
    shape = node.attr["_output_shapes"].list.shape[0]
    return {"dims": [d.size for d in shape.dim], "plain": "_output_shapes" in
            {n.name: n for n in g.as_graph_def().node}["y"].attr}


def program_control_dependencies():
    a = tf.constant(1.0, name="a")
    b = tf.constant(2.0, name="b")
    g = tf.get_default_graph()
    with g.control_dependencies([a]):
        c = tf.constant(3.0, name="c")
        with g.control_dependencies([b.op, c]):
            d = tf.identity(a, name="d")
            with g.control_dependencies(None):
                e = tf.constant(4.0, name="e")
        f = tf.identity(c, name="f")
    return {"inputs": [[op.name for op in t.op.control_inputs] for t in (c, d, e, f)], "d": d, "f": f}


def program_device_functions():
    seen = []

    def choose(op):
        seen.append(op.name)
        return "/device:CPU:0" if op.type == "Const" else ""

    with tf.device(choose):
        a = tf.constant(1.0, name="a")
        b = tf.identity(a, name="b")
        with tf.device("/job:localhost/task:0"):
            c = tf.constant(2.0, name="c")
        with tf.device(None):
            d = tf.constant(3.0, name="d")
    return {"seen": seen, "devices": [t.device for t in (a, b, c, d)], "values": [a, b, c, d]}


def program_colocation():
    a = tf.constant(1.0, name="a")
    with tf.device("/device:CPU:0"):
        b = tf.constant(2.0, name="b")
    with tf.get_default_graph().colocate_with(b.op):
        c = tf.constant(3.0, name="c")
        with tf.get_default_graph().colocate_with(a, ignore_existing=True):
            d = tf.constant(4.0, name="d")
    return {"groups": [[g.decode() for g in t.op.colocation_groups()] for t in (a, b, c, d)],
            "devices": [t.device for t in (c, d)], "d": d}


def program_container():
    with tf.container("mine"):
        a = tf.raw_ops.VariableV2(shape=[], dtype=tf.float32, name="a")
        with tf.get_default_graph().container("inner"):
            b = tf.raw_ops.VariableV2(shape=[], dtype=tf.float32, name="b")
        c = tf.raw_ops.VariableV2(shape=[], dtype=tf.float32, container="own", name="c")
        d = tf.constant(1.0, name="d")
    e = tf.raw_ops.VariableV2(shape=[], dtype=tf.float32, name="e")
    return {"containers": [v.op.get_attr("container").decode() for v in (a, b, c, e)], "d": d}


def program_init_scope():
    a = tf.constant(1.0, name="a")
    with tf.name_scope("s"), tf.control_dependencies([a]):
        with tf.init_scope():
            b = tf.constant(2.0, name="b")
        c = tf.constant(3.0, name="c")
    return {"b": b, "c": c}


def program_create_op():
    g = tf.get_default_graph()
    x = tf.constant([1.0, 2.0], name="x")
    y = tf.constant([3.0, 4.0], name="y")
    total = g.create_op("AddN", [x, y], [tf.float32], name="total",
                        attrs={"N": tf.AttrValue(i=2), "T": tf.AttrValue(type=1)})
    with tf.name_scope("s"):
        again = g.create_op("Identity", [total.outputs[0]], name="again",
                            attrs={"T": tf.AttrValue(type=1)}, compute_shapes=False)
    return {"total": total.outputs[0], "again": again.outputs[0], "name": again.name}


def program_feedable_fetchable():
    g = tf.get_default_graph()
    a = tf.constant(1.0, name="a")
    b = a + 1.0
    before = [g.is_feedable(a), g.is_fetchable(b)]
    g.prevent_feeding(a)
    g.prevent_fetching(b.op)
    said = []
    with tf.Session() as sess:
        for run in (lambda: sess.run(b, {a: 2.0}), lambda: sess.run([b])):
            try:
                run()
            except ValueError as error:
                said.append(str(error).replace("'", ""))
    return {"before": before, "after": [g.is_feedable(a), g.is_fetchable(b)], "said": said, "a": a}


def program_gradient_override_map():
    g = tf.get_default_graph()
    x = tf.constant(2.0)
    with g.gradient_override_map({"Square": "MyOwnSquare"}):
        y = tf.square(x)
    z = tf.square(x)
    return {"y": y, "z": z, "has": ["_gradient_op_type" in t.op.node_def.attr for t in (y, z)]}


def program_graph_seed():
    g = tf.get_default_graph()
    before = g.seed
    tf.set_random_seed(7)
    return {"before": before is None, "after": g.seed}


def program_graphs_do_not_share():
    values = []
    for n in (1.0, 2.0):
        with tf.Graph().as_default() as g:
            x = tf.constant(n, name="x")
            with tf.Session(graph=g) as sess:
                values.append(sess.run(x))
    return {"values": values, "x": tf.constant(3.0, name="x")}


def program_operations_tell():
    x = tf.constant([[1.0, 2.0]], name="x")
    y = tf.matmul(x, x, transpose_b=True, name="y")
    op = y.op
    return {"facts": [op.name, op.type, op.device, [t.name for t in op.inputs], [t.name for t in op.outputs],
                      op.get_attr("transpose_b"), op.get_attr("T").name, op.node_def.op, op.op_def.name,
                      [t.name for t in op.values()], repr(op)],
            "consumers": [c.name for c in x.consumers()], "y": y}


def program_missing_attribute():
    op = tf.constant(1.0, name="c").op
    try:
        op.get_attr("nonsense")
        said = ""
    except ValueError as error:
        said = str(error)
    return {"said": said}


def program_run_operations():
    v = tf.raw_ops.VariableV2(shape=[], dtype=tf.float32, name="v")
    init = tf.raw_ops.Assign(ref=v, value=1.0, name="init")
    more = tf.raw_ops.AssignAdd(ref=v, value=2.0, name="more")
    with tf.Session() as sess:
        init.op.run()
        more.op.run(session=sess)
        more.op.run({}, sess)
        value = v.eval()
    return {"value": value}
