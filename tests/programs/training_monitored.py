"""tf.train.MonitoredSession: hooks around steps, feeds and fetches of all, the end of loops."""
import numpy as np
import tensorflow as tf

from helpers.session_runs import Telling, directory, model, refused


def program_calls_hooks_in_order():
    step, weight, train = model()
    lines = []
    hooks = [Telling(lines, "a "), Telling(lines, "b ", stop_after=2)]
    with tf.train.MonitoredSession(hooks=hooks) as session:
        while not session.should_stop():
            lines.append(f"run {session.run(train)}")
    return dict(lines=lines)


def program_fetch_structures():
    step, weight, train = model()
    hook = Telling(fetches={"w": weight, "all": [step, (weight, weight.initializer.name), "weight:0"]})
    more = weight + 1.0
    with tf.train.MonitoredSession(hooks=[hook]) as session:
        value = session.run({"x": [more, step], "y": ("weight:0",), "z": weight})
    return dict(value=value, lines=hook.lines)


def program_hook_without_fetches():
    step, weight, train = model()
    hook = Telling(fetches=None)
    with tf.train.MonitoredSession(hooks=[hook]) as session:
        session.run(train)
    return dict(lines=hook.lines)


class Feeding(tf.train.SessionRunHook):
    def __init__(self, tensor, value, fetches=None):
        self.tensor, self.value, self.fetches = tensor, value, fetches

    def before_run(self, run_context):
        self.original = run_context.original_args
        return tf.train.SessionRunArgs(self.fetches, feed_dict={self.tensor: self.value})


def program_feeds_of_hooks():
    x, y = tf.placeholder(tf.float32, [], name="x"), tf.placeholder(tf.float32, [], name="y")
    hook = Feeding(x, 2.0)
    product, more = x * y, x + 1.0
    with tf.train.MonitoredSession(hooks=[hook]) as session:
        value = session.run(product, feed_dict={y: 5.0})
        alone = session.run(more)
    return dict(value=value, alone=alone, fetches=hook.original.fetches.name, fed=hook.original.feed_dict)


def program_fetches_what_is_fed():
    x = tf.placeholder(tf.float32, [2], name="x")
    hook, more = Feeding(x, np.ones(2), fetches=x), x + 1.0
    with tf.train.MonitoredSession(hooks=[hook]) as session:
        return dict(value=session.run(x), both=session.run([x, more]))


def program_two_feed_one_tensor():
    x = tf.placeholder(tf.float32, [], name="x")
    more = x + 1.0
    with tf.train.MonitoredSession(hooks=[Feeding(x, 1.0)]) as session:
        user = refused(lambda: session.run(more, feed_dict={x: 2.0}))
    with tf.train.MonitoredSession(hooks=[Feeding(x, 1.0), Feeding(x, 2.0)]) as session:
        hooks = refused(lambda: session.run(more))
    return dict(user=user[:62], hooks=hooks[:46])


def program_run_after_stop():
    step, weight, train = model()
    with tf.train.MonitoredSession(hooks=[Telling(stop_after=1)]) as session:
        session.run(train)
        stopped = session.should_stop()
        error = refused(lambda: session.run(train))
    return dict(stopped=stopped, error=error)


def ending(count):
    """A tensor that ends after so many steps."""
    return tf.train.range_input_producer(count, num_epochs=1, shuffle=False).dequeue()


def program_the_end_of_the_input():
    hook = Telling()
    values = []
    element = ending(3)
    with tf.train.MonitoredSession(hooks=[hook]) as session:
        while not session.should_stop():
            values.append(session.run(element))
    return dict(values=values, lines=hook.lines)


def program_stop_iteration_ends_quietly():
    step, weight, train = model()
    hook = Telling()
    with tf.train.MonitoredSession(hooks=[hook]) as session:
        session.run(train)
        raise StopIteration("enough")
    return dict(lines=hook.lines)


def program_other_errors_come_out():
    step, weight, train = model()
    hook = Telling()

    def work():
        with tf.train.MonitoredSession(hooks=[hook]) as session:
            session.run(train)
            raise ValueError("mine")
    return dict(error=refused(work), lines=hook.lines)


def program_failing_steps_come_out():
    x = tf.placeholder(tf.float32, [], name="x")
    checked = tf.check_numerics(x, "no number")
    hook = Telling()

    def work():
        with tf.train.MonitoredSession(hooks=[hook]) as session:
            session.run(checked, feed_dict={x: 1.0})
            session.run(checked, feed_dict={x: float("nan")})
    error = refused(work, limit=2000)
    return dict(error=error[:20], why="no number" in error, lines=hook.lines)


def program_failing_hooks_come_out():
    step, weight, train = model()
    found = {}
    for method in ("begin", "created", "before", "after", "end"):
        hook, other = Telling(fails={(method, 1): KeyError(method)}), Telling()

        def work():
            with tf.train.MonitoredSession(hooks=[hook, other]) as session:
                session.run(train)
        found[method] = [refused(work), *hook.lines, "other:", *other.lines]
        tf.get_default_graph()._unsafe_unfinalize()
    return found


def program_closing():
    step, weight, train = model()
    hook = Telling()
    session = tf.train.MonitoredSession(hooks=[hook])
    graph = session.graph is tf.get_default_graph()
    finalized = tf.get_default_graph().finalized
    session.close()
    after = tf.get_default_graph().finalized
    return dict(graph=graph, finalized=finalized, after=after, stops=session.should_stop(), none=session.graph,
                lines=hook.lines)


def program_closed_twice():
    session = tf.train.MonitoredSession()
    session.close()
    return dict(error=refused(session.close))


def program_stays_finalized():
    step, weight, train = model()
    tf.train.Scaffold().finalize()
    with tf.train.MonitoredSession() as session:
        session.run(train)
    finalized = tf.get_default_graph().finalized
    tf.get_default_graph()._unsafe_unfinalize()
    return dict(finalized=finalized)


def program_step_functions():
    step, weight, train = model()
    hook = Telling()
    seen = []

    def step_fn(step_context):
        seen.append(float(step_context.session.run(weight)))
        value = step_context.run_with_hooks(train)
        if value > 6:
            step_context.request_stop()
        return value
    returned = []
    with tf.train.MonitoredSession(hooks=[hook]) as session:
        while not session.should_stop():
            returned.append(session.run_step_fn(step_fn))
    return dict(seen=seen, returned=returned, lines=hook.lines)


def program_step_functions_of_objects():
    step, weight, train = model()

    class Loop:
        def one_step(self, step_context):
            return step_context.run_with_hooks(fetches=[train, step], feed_dict=None)
    with tf.train.MonitoredSession() as session:
        return dict(value=session.run_step_fn(Loop().one_step))


def program_step_functions_of_other_forms():
    with tf.train.MonitoredSession() as session:
        return dict(two=refused(lambda: session.run_step_fn(lambda step_context, more: 1)),
                    other=refused(lambda: session.run_step_fn(lambda context: 1)),
                    none=refused(lambda: session.run_step_fn(lambda: 1)))


def program_hooks_of_step_functions_see_the_stop():
    step, weight, train = model()
    hook = Telling(stop_after=1)
    with tf.train.MonitoredSession(hooks=[hook]) as session:
        session.run_step_fn(lambda step_context: step_context.run_with_hooks(train))
        return dict(stops=session.should_stop(), lines=hook.lines)


def program_options_are_merged():
    step, weight, train = model()
    seen = []

    class Tracing(tf.train.SessionRunHook):
        def before_run(self, run_context):
            options = tf.RunOptions(trace_level=tf.RunOptions.FULL_TRACE, timeout_in_ms=4000)
            return tf.train.SessionRunArgs(None, options=options)

        def after_run(self, run_context, run_values):
            seen.append((run_values.results, run_values.options.trace_level, run_values.options.timeout_in_ms,
                         len(run_values.run_metadata.step_stats.dev_stats) > 0))
    with tf.train.MonitoredSession(hooks=[Tracing()]) as session:
        metadata = tf.RunMetadata()
        session.run(train, options=tf.RunOptions(timeout_in_ms=5000), run_metadata=metadata)
    return dict(seen=[str(item) for item in seen], told=len(metadata.step_stats.dev_stats) > 0)


def program_queue_runners():
    queue = tf.train.string_input_producer(["a", "b"], num_epochs=2, shuffle=False)
    element = queue.dequeue()
    values = []
    with tf.train.MonitoredSession() as session:
        while not session.should_stop():
            values.append(session.run(element))
    return dict(values=values)


def program_failing_queue_runners():
    queue = tf.FIFOQueue(3, tf.float32, shapes=[[]])
    bad = queue.enqueue(tf.check_numerics(tf.constant(float("nan")), "no number"))
    tf.train.add_queue_runner(tf.train.QueueRunner(queue, [bad]))
    element = queue.dequeue()

    def work():
        with tf.train.MonitoredSession() as session:
            while not session.should_stop():
                session.run(element)
    return dict(error=refused(work))


def program_coordinator_stops_the_loop():
    step, weight, train = model()

    class Stopping(tf.train.SessionRunHook):
        def after_create_session(self, session, coord):
            self.coord = coord

        def after_run(self, run_context, run_values):
            self.coord.request_stop()
    count = 0
    with tf.train.MonitoredSession(hooks=[Stopping()]) as session:
        while not session.should_stop():
            session.run(train)
            count += 1
    return dict(count=count)


def program_own_creator():
    step, weight, train = model()
    init = tf.global_variables_initializer()

    class Creating(tf.train.SessionCreator):
        def create_session(self):
            session = tf.Session()
            session.run(init)
            return session
    with tf.train.MonitoredSession(Creating()) as session:
        return dict(value=session.run(train), finalized=tf.get_default_graph().finalized)


def program_singular():
    step, weight, train = model()
    with tf.train.SingularMonitoredSession(hooks=[Telling(stop_after=3)]) as session:
        while not session.should_stop():
            session.run(train)
        raw = session.raw_session()
        value = raw.run(weight)
    return dict(kind=type(raw).__name__, value=value)


def program_singular_restores():
    path = directory()
    with tf.Graph().as_default(), tf.Session() as session:
        step, weight, train = model()
        session.run(tf.global_variables_initializer())
        session.run(train)
        file = tf.train.Saver().save(session, path + "/model")
    step, weight, train = model()
    with tf.train.SingularMonitoredSession(checkpoint_dir=path) as session:
        one = session.run(weight)
    with tf.train.SingularMonitoredSession(checkpoint_filename_with_path=file) as session:
        two = session.run(weight)
    return dict(one=one, two=two)


def program_sessions_inside():
    step, weight, train = model()
    with tf.train.MonitoredSession() as session:
        inner = session._sess._sess._sess._sess
        tf_session = session._tf_sess()
        value = inner.run(weight)
    with tf.train.SingularMonitoredSession() as session:
        other = session._sess._sess._sess is session.raw_session()
    return dict(value=value, same=inner is tf_session, other=other)


def program_names_are_fetched():
    step, weight, train = model()
    with tf.train.MonitoredSession() as session:
        return dict(value=session.run(["weight:0", "train"]), none=session.run([]))


def program_bad_fetches():
    with tf.train.MonitoredSession() as session:
        return dict(none=refused(lambda: session.run(None)).split(":")[0],
                    name=refused(lambda: session.run("nothing:0")).split(":")[0])
