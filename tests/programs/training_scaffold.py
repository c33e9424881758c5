"""tf.train.Scaffold: what it finds in the graph, makes and hands to sessions."""
import tensorflow as tf

from helpers.session_runs import model, refused


def names(scaffold):
    return {part: getattr(getattr(scaffold, part), "name", None)
            for part in ("init_op", "ready_op", "ready_for_local_init_op", "local_init_op", "summary_op")}


def keys():
    return sorted(tf.get_default_graph().get_all_collection_keys())


def reopened(values):
    """The graph is written to again by whoever runs this program."""
    tf.get_default_graph()._unsafe_unfinalize()
    return values


def program_of_an_empty_graph():
    scaffold = tf.train.Scaffold()
    before = names(scaffold)
    result = scaffold.finalize()
    return reopened(dict(before=before, after=names(scaffold), same=result is scaffold, keys=keys(),
                         saver=type(scaffold.saver).__name__))


def program_of_variables():
    tf.get_variable("v", [2], initializer=tf.zeros_initializer())
    tf.get_variable("l", initializer=1, collections=[tf.GraphKeys.LOCAL_VARIABLES])
    scaffold = tf.train.Scaffold().finalize()
    return reopened(dict(after=names(scaffold), keys=keys(),
                         in_collection=tf.get_collection(tf.GraphKeys.SAVERS)[0] is scaffold.saver))


def program_of_resource_variables():
    with tf.variable_scope("r", use_resource=True):
        tf.get_variable("v", initializer=2.0)
    return reopened(names(tf.train.Scaffold().finalize()))


def program_of_tables_and_summaries():
    table = tf.lookup.StaticHashTable(tf.lookup.KeyValueTensorInitializer(["a"], tf.constant([1], tf.int64)), -1)
    tf.summary.scalar("s", tf.cast(table.lookup(tf.constant("a")), tf.float32))
    tf.summary.scalar("t", 2.0)
    scaffold = tf.train.Scaffold().finalize()
    return reopened(dict(after=names(scaffold), keys=keys()))


def program_given_parts():
    v = tf.get_variable("v", initializer=1.0)
    init, local = v.initializer, tf.no_op(name="local")
    ready = tf.constant([], tf.string, name="ready")
    saver = tf.train.Saver([v], name="mine")
    scaffold = tf.train.Scaffold(init_op=init, ready_op=ready, ready_for_local_init_op=ready, local_init_op=local,
                                 summary_op=tf.summary.scalar("s", v), saver=saver).finalize()
    return reopened(dict(after=names(scaffold), keys=keys(), saver=scaffold.saver is saver))


def program_parts_of_collections():
    v = tf.get_variable("v", initializer=1.0)
    tf.add_to_collection(tf.GraphKeys.INIT_OP, v.initializer)
    tf.add_to_collection(tf.GraphKeys.READY_OP, tf.report_uninitialized_variables(name="mine"))
    tf.add_to_collection(tf.GraphKeys.LOCAL_INIT_OP, tf.no_op(name="nothing"))
    tf.add_to_collection(tf.GraphKeys.SUMMARY_OP, tf.summary.scalar("only", v))
    scaffold = tf.train.Scaffold().finalize()
    return reopened(dict(after=names(scaffold), keys=keys()))


def program_several_in_a_collection():
    tf.add_to_collection(tf.GraphKeys.INIT_OP, tf.no_op(name="one"))
    tf.add_to_collection(tf.GraphKeys.INIT_OP, tf.no_op(name="two"))
    error = refused(lambda: tf.train.Scaffold().finalize())
    return dict(error=error[:14], why="More than one item in the collection" in error)


def program_several_savers():
    v = tf.get_variable("v", initializer=1.0)
    for _ in range(2):
        tf.add_to_collection(tf.GraphKeys.SAVERS, tf.train.Saver([v]))
    return dict(error=refused(lambda: tf.train.Scaffold().finalize())[:50])


def program_saver_of_the_collection():
    v = tf.get_variable("v", initializer=1.0)
    saver = tf.train.Saver([v], name="mine", defer_build=False)
    tf.add_to_collection(tf.GraphKeys.SAVERS, saver)
    scaffold = tf.train.Scaffold().finalize()
    return reopened(dict(same=scaffold.saver is saver))


def program_deferred_saver_is_built():
    tf.get_variable("v", initializer=1.0)
    saver = tf.train.Saver(defer_build=True)
    before = saver.saver_def is None
    tf.train.Scaffold(saver=saver).finalize()
    return reopened(dict(before=before, after=saver.saver_def.save_tensor_name))


def program_the_graph_is_finalized():
    tf.get_variable("v", initializer=1.0)
    tf.train.Scaffold().finalize()
    error = refused(lambda: tf.constant(1))
    return reopened(dict(error=error, finalized=tf.get_default_graph().finalized))


def program_finalizing_twice():
    tf.get_variable("v", initializer=1.0)
    scaffold = tf.train.Scaffold().finalize()
    once = names(scaffold)
    return reopened(dict(same=names(scaffold.finalize()) == once))


def program_copies_another():
    v = tf.get_variable("v", initializer=1.0)
    fed = {v: 3.0}
    one = tf.train.Scaffold(init_op=v.initializer, init_feed_dict=fed, init_fn=lambda scaffold, session: None,
                            summary_op=tf.summary.scalar("s", v))
    two = tf.train.Scaffold(copy_from_scaffold=one, init_op=tf.no_op(name="other"))
    return dict(one=names(one), two=names(two), fed=two.init_feed_dict is fed, fn=two.init_fn is not None,
                error=refused(lambda: tf.train.Scaffold(copy_from_scaffold="no")))


def program_default_local_init_op():
    tf.get_variable("l", initializer=1, collections=[tf.GraphKeys.LOCAL_VARIABLES])
    op = tf.train.Scaffold.default_local_init_op()
    return dict(name=op.name, controls=sorted(node.name for node in op.control_inputs))


def program_get_or_default():
    made = []

    def make():
        made.append(tf.no_op(name="made"))
        return made[-1]
    first = tf.train.Scaffold.get_or_default("arg", "some_key", make)
    second = tf.train.Scaffold.get_or_default("arg", "some_key", make)
    nothing = tf.train.Scaffold.get_or_default("arg", "other_key", lambda: None)
    return dict(first=first.name, same=first is second, count=len(made), nothing=nothing, keys=keys())


def program_init_fn_and_feeds():
    start = tf.placeholder(tf.float32, [], name="start")
    v = tf.get_variable("v", initializer=start)
    assign = tf.assign_add(v, 10.0)
    seen = []

    def init_fn(scaffold, session):
        seen.append(type(scaffold).__name__)
        seen.append(session.run(v))
        session.run(assign)
    scaffold = tf.train.Scaffold(init_fn=init_fn, init_feed_dict={start: 5.0})
    with tf.train.MonitoredSession(tf.train.ChiefSessionCreator(scaffold)) as session:
        value = session.run(v)
    graph = tf.get_default_graph()
    graph.clear_collection("variables")  # its initial value has to be fed
    graph.clear_collection("trainable_variables")
    return dict(value=value, seen=seen, fn=callable(scaffold.init_fn))


def program_local_init_feeds():
    size = tf.placeholder(tf.int32, [], name="size")
    local = tf.get_variable("l", initializer=0, collections=[tf.GraphKeys.LOCAL_VARIABLES])
    scaffold = tf.train.Scaffold(local_init_op=tf.assign(local, size), local_init_feed_dict={size: 7})
    with tf.train.MonitoredSession(tf.train.ChiefSessionCreator(scaffold)) as session:
        return dict(value=session.run(local))


def program_own_finalize():
    step, weight, train = model()
    calls = []

    class Mine(tf.train.Scaffold):
        def finalize(self):
            calls.append("before")
            super().finalize()
            calls.append("after")
            return self
    with tf.train.MonitoredSession(tf.train.ChiefSessionCreator(Mine())) as session:
        value = session.run(train)
    return dict(calls=calls, value=value)


def program_not_ready():
    tf.get_variable("v", initializer=1.0)
    scaffold = tf.train.Scaffold(init_op=tf.no_op(name="nothing"))
    error = refused(lambda: tf.train.ChiefSessionCreator(scaffold).create_session())
    return reopened(dict(error=error[:60], names="v" in error))
