"""Sessions: what can be fetched and fed, and what they say of what cannot."""
import collections

import numpy as np
import tensorflow as tf

Pair = collections.namedtuple("Pair", ["first", "second"])


def _kind(function):
    try:
        return repr(function())
    except Exception as error:
        return type(error).__name__


def _tell(function):
    try:
        return repr(function())
    except Exception as error:
        return type(error).__name__ + ": " + str(error)


def _structure(value):
    """The kinds of a nested result, and its numbers."""
    if isinstance(value, dict):
        return [type(value).__name__] + [[k, _structure(v)] for k, v in value.items()]
    if isinstance(value, (list, tuple)):
        return [type(value).__name__] + [_structure(v) for v in value]
    return type(value).__name__ + " " + repr(np.asarray(value).tolist())


def program_nested_fetches():
    a, b = tf.constant(1.0, name="a"), tf.constant([2, 3], name="b")
    op = tf.no_op(name="op")
    with tf.Session() as sess:
        got = [_structure(sess.run(f)) for f in (
            a, [a], (a, b), [a, [b, (a,)]], {"x": a, "y": [b]}, Pair(a, b), [Pair(a, [b]), op], op, [], {},
            collections.OrderedDict([("z", a), ("a", b)]), "a:0", ["a:0", "op"], [a, a], (), [[], a])]
    return {"got": got}


def program_wrong_fetches():
    a = tf.constant(1.0, name="a")
    other = tf.Graph()
    with other.as_default():
        b = tf.constant(2.0, name="b")
    with tf.Session() as sess:
        kinds = [_kind(lambda: sess.run(f)) for f in (
            None, [None], 3, "nothing:0", "nothing", b, [a, b], 1.5, "a:5", {"x": None})]
    return {"kinds": kinds}


def program_feeds():
    x = tf.placeholder(tf.float32, [None, 2], name="x")
    y = x * 2.0
    i = tf.placeholder(tf.int32, name="i")
    s = tf.placeholder(tf.string, name="s")
    c = tf.constant(3.0, name="c")
    d = c + 1.0
    with tf.Session() as sess:
        got = [sess.run(y, {x: [[1, 2]]}), sess.run(y, {"x:0": np.ones([3, 2])}), sess.run(i + 1, {i: 5}),
               sess.run(i, {i: [[1], [2]]}), sess.run(d, {c: 10.0}), sess.run(x, {x: [[7, 8]]}),
               sess.run([y, x], feed_dict={x: np.array([[1, 2]], np.int64)}), sess.run(i, {i: True})]
        strings = [sess.run(s, {s: "text"}), sess.run(s, {s: [b"a", "b"]}), sess.run(s, {s: np.array(["u", "vw"])})]
        pair = sess.run([d, i], {(c, i): (1.0, 2)})
    return {"got": got, "strings": [repr(np.asarray(v).tolist()) for v in strings], "pair": pair}


def program_wrong_feeds():
    x = tf.placeholder(tf.float32, [None, 2], name="x")
    i = tf.placeholder(tf.int32, [], name="i")
    y = tf.identity(x, name="y")
    t = tf.constant([[1.0, 2.0]])
    with tf.Session() as sess:
        kinds = [_kind(lambda: sess.run(y, f)) for f in (
            {x: [1.0, 2.0]}, {x: [[1, 2, 3]]}, {x: "text"}, {x: t}, {3: 1}, {"z:0": 1.0}, {x: None}, [x], {x: [[1], [2, 3]]},
            {i: 1.5, x: [[1, 2]]}, {i: 2 ** 40, x: [[1, 2]]})]
        said = [_tell(lambda: sess.run(y, {x: v})).replace("'", "") for v in ([1.0, 2.0], np.zeros([3, 1]))]
        missing = _kind(lambda: sess.run(y))
    return {"kinds": kinds, "said": said, "missing": missing}


def program_indexed_slices():
    s = tf.IndexedSlices(tf.constant([[1.0, 2.0]], name="v"), tf.constant([3], name="i"),
                         tf.constant([5, 2], name="d"))
    t = tf.IndexedSlices(tf.constant([4.0], name="w"), tf.constant([0], name="j"))
    doubled = s.values * 2.0
    with tf.Session() as sess:
        got = sess.run([s, {"t": t}])
        fed = sess.run(doubled, {s: (np.array([[5.0, 6.0]], np.float32), np.array([1]), np.array([5, 2]))})
    return {"values": [got[0].values, got[0].indices, got[0].dense_shape, got[1]["t"].values],
            "told": [type(got[0]).__name__, repr(got[1]["t"].dense_shape), list(got[0]._fields)], "fed": fed}


def program_make_callable():
    x = tf.placeholder(tf.float32, [2], name="x")
    y = tf.placeholder(tf.float32, [], name="y")
    z = x * y
    op = tf.no_op()
    with tf.Session() as sess:
        f = sess.make_callable(z, feed_list=[x, y])
        g = sess.make_callable({"z": z, "x": [x]}, [x, y])
        h = sess.make_callable(op)
        k = sess.make_callable([z], [x, y], accept_options=True)
        got = [f([1, 2], 3), g([1, 2], 3), k([1, 1], 2, options=tf.RunOptions(), run_metadata=tf.RunMetadata())]
        nothing = [h() is None, _kind(lambda: f([1, 2])), _kind(lambda: sess.make_callable(z, feed_list=x))]
    return {"got": got, "nothing": nothing}


def program_partial_run():
    a = tf.placeholder(tf.float32, shape=[], name="a")
    b = tf.placeholder(tf.float32, shape=[], name="b")
    c = tf.placeholder(tf.float32, shape=[], name="c")
    r1 = tf.add(a, b)
    r2 = r1 * c
    with tf.Session() as sess:
        h = sess.partial_run_setup([r1, r2], [a, b, c])
        first = sess.partial_run(h, r1, feed_dict={a: 1, b: 2})
        second = sess.partial_run(h, r2, feed_dict={c: first * 10})
    return {"first": first, "second": second}


def program_closed_session():
    a = tf.constant(1.0)
    sess = tf.Session()
    sess.run(a)
    sess.close()
    said = [_tell(lambda: sess.run(a)), _tell(lambda: sess.partial_run_setup([a], []))]
    with tf.Session() as inner:
        inner.run(a)
    said.append(_tell(lambda: inner.run(a)))
    sess.close()
    return {"said": said}


def program_default_session():
    a = tf.constant(2.0)
    told = [tf.get_default_session() is None, _kind(lambda: a.eval()), _kind(lambda: a.op.run())]
    sess = tf.Session()
    with sess.as_default() as s:
        told += [s is sess, tf.get_default_session() is sess, a.eval()]
        with tf.Session() as inner:
            told += [tf.get_default_session() is inner, a.eval(session=sess)]
        told.append(tf.get_default_session() is sess)
    told += [tf.get_default_session() is None, sess.run(a)]
    sess.close()
    return {"told": [repr(t) for t in told]}


def program_session_of_graph():
    g = tf.Graph()
    with g.as_default():
        a = tf.constant(3.0, name="a")
    sess = tf.Session(graph=g)
    b = tf.constant(1.0, name="b")
    told = [sess.graph is g, sess.run(a), _kind(lambda: sess.run(b)), _kind(lambda: b.eval(session=sess)),
            [n.name for n in sess.graph_def.node], sess.sess_str]
    with sess:
        told += [tf.get_default_graph() is g]
    return {"told": [repr(t) for t in told]}


def program_empty_graph():
    sess = tf.Session(graph=tf.Graph())
    return {"said": _tell(lambda: sess.run([]))}


def program_wrong_sessions():
    return {"kinds": [_kind(lambda: tf.Session(3)), _kind(lambda: tf.Session(graph=3)),
                      _kind(lambda: tf.Session(config=3)), _kind(lambda: tf.Session(config=tf.GraphDef()))]}


def program_interactive_session():
    a = tf.constant(4.0)
    sess = tf.InteractiveSession()
    told = [a.eval(), tf.get_default_session() is sess]
    sess.close()
    told += [tf.get_default_session() is None]
    g = tf.Graph()
    other = tf.InteractiveSession(graph=g)
    b = tf.constant(5.0)
    told += [b.graph is g, b.eval()]
    other.close()
    told += [tf.get_default_graph() is a.graph]
    return {"told": [repr(t) for t in told]}


def program_sessions_keep_their_state():
    v = tf.raw_ops.VariableV2(shape=[], dtype=tf.float32, name="v")
    init = tf.raw_ops.Assign(ref=v, value=1.0)
    more = tf.raw_ops.AssignAdd(ref=v, value=1.0)
    one, two = tf.Session(), tf.Session()
    one.run(init)
    two.run(init)
    one.run(more)
    one.run(more)
    two.run(more)
    third = tf.Session()
    return {"values": [one.run(v), two.run(v)], "third": _kind(lambda: third.run(v))}


def program_growing_graph():
    a = tf.constant(1.0)
    with tf.Session() as sess:
        first = sess.run(a)
        b = a + 1.0
        second = sess.run(b)
        c = tf.placeholder(tf.float32)
        third = sess.run(b + c, {c: 5.0})
    return {"values": [first, second, third]}


def program_metadata():
    a = tf.placeholder(tf.float32, [2], name="a")
    b = tf.identity(a * 3.0, name="b")
    metadata = tf.RunMetadata()
    with tf.Session() as sess:
        value = sess.run(b, {a: [1.0, 2.0]}, options=tf.RunOptions(trace_level=tf.RunOptions.FULL_TRACE), run_metadata=metadata)
    return {"value": value, "devices": len(metadata.step_stats.dev_stats) > 0}


def program_config():
    config = tf.ConfigProto(allow_soft_placement=True, intra_op_parallelism_threads=1,
                            inter_op_parallelism_threads=1, device_count={"CPU": 2})
    with tf.device("/device:CPU:1"):
        a = tf.constant(1.0)
    with tf.Session(config=config) as sess:
        names = [d.name.split("/")[-1] for d in sess.list_devices() if "CPU" in d.name]
        return {"value": sess.run(a), "devices": names,
                "types": [d.device_type for d in sess.list_devices() if "CPU" in d.name]}


def program_session_handles():
    a = tf.constant([1.0, 2.0], name="a")
    h = tf.get_session_handle(a * 2.0)
    with tf.Session() as sess:
        kept = sess.run(h)
        value = kept.eval()
        holder, x = tf.get_session_tensor(kept.handle, tf.float32)
        y = x + 1.0
        plus = sess.run(y, {holder: kept.handle})
        fed = sess.run(a + 1.0, {a: kept})
        place, deleter = tf.delete_session_tensor(kept.handle)
        sess.run(deleter, {place: kept.handle})
        gone = _kind(lambda: sess.run(y, {holder: kept.handle}))
    return {"value": value, "plus": plus, "fed": fed, "gone": gone, "kind": type(kept).__name__}


def program_op_errors():
    x = tf.placeholder(tf.float32, name="x")
    y = tf.matmul(x, [[1.0, 2.0]], name="y")
    with tf.Session() as sess:
        try:
            sess.run(y, {x: np.zeros([2, 3])})
        except tf.errors.InvalidArgumentError as error:
            first = [type(error).__name__, error.op.name, error.error_code, error.node_def.name,
                     isinstance(error, tf.errors.OpError)]
    return {"first": first}
