"""Monitored sessions that lose their machines: what opens them again, restores them, or gives up."""
import tensorflow as tf

from helpers.session_runs import Telling, directory, logged, model, refused


def aborted():
    return tf.errors.AbortedError(None, None, "the task has restarted")


def unavailable():
    return tf.errors.UnavailableError(None, None, "the connection is lost")


def program_aborted_before_a_step():
    step, weight, train = model()
    hook = Telling(fails={("before", 2): aborted()})
    with tf.train.MonitoredSession(hooks=[hook]) as session:
        values = [session.run(train) for _ in range(3)]
    return dict(values=values, lines=hook.lines)


def program_unavailable_after_a_step():
    step, weight, train = model()
    hook = Telling(fails={("after", 1): unavailable()})
    with tf.train.MonitoredSession(hooks=[hook]) as session:
        values = [session.run(train) for _ in range(2)]
    return dict(values=values, lines=hook.lines)


def program_both_in_a_row():
    step, weight, train = model()
    hook = Telling(fails={("before", 1): aborted(), ("before", 2): unavailable()})
    with tf.train.MonitoredSession(hooks=[hook]) as session:
        value = session.run(train)
    return dict(value=value, lines=hook.lines)


def program_lost_while_created():
    step, weight, train = model()
    hook = Telling(fails={("created", 1): unavailable(), ("created", 2): aborted()})
    with tf.train.MonitoredSession(hooks=[hook]) as session:
        value = session.run(train)
    return dict(value=value, lines=hook.lines)


def program_lost_by_the_creator():
    step, weight, train = model()
    calls = []

    class Creating(tf.train.SessionCreator):
        def create_session(self):
            calls.append("create")
            if len(calls) in (1, 3):
                raise aborted()
            return tf.train.ChiefSessionCreator().create_session()
    hook = Telling(fails={("before", 2): unavailable()})
    with tf.train.MonitoredSession(Creating(), hooks=[hook]) as session:
        values = [session.run(train) for _ in range(2)]
    return dict(values=values, calls=calls)


def program_restored_from_the_last_checkpoint():
    step, weight, train = model()
    path = directory()
    hook = Telling(fetches=step, fails={("before", 4): aborted()})
    saving = tf.train.CheckpointSaverHook(path, save_steps=2)
    creator = tf.train.ChiefSessionCreator(checkpoint_dir=path)
    with logged(path) as lines, tf.train.MonitoredSession(creator, hooks=[saving, hook]) as session:
        values = [session.run(train) for _ in range(5)]
    return dict(values=values, restored=[line for line in lines if "Restoring" in line],
                created=len([line for line in hook.lines if line.startswith("created")]))


def program_training_session_recovers():
    step, weight, train = model()
    path = directory()
    hook = Telling(fails={("before", 3): unavailable()})
    with tf.train.MonitoredTrainingSession(checkpoint_dir=path, save_checkpoint_steps=1, hooks=[hook],
                                           save_summaries_steps=0, log_step_count_steps=0) as session:
        values = [session.run(train) for _ in range(4)]
    return dict(values=values, latest=tf.train.latest_checkpoint(path).replace(path, ""))


def program_other_errors_are_not_retried():
    step, weight, train = model()
    found = {}
    for kind in (tf.errors.FailedPreconditionError, tf.errors.InternalError, tf.errors.DeadlineExceededError,
                 tf.errors.CancelledError, tf.errors.UnknownError):
        hook = Telling(fails={("before", 2): kind(None, None, "it failed")})

        def work():
            with tf.train.MonitoredSession(hooks=[hook]) as session:
                for _ in range(3):
                    session.run(train)
        found[kind.__name__] = [refused(work), *hook.lines[-2:]]
    return found


def program_singular_sessions_give_up():
    step, weight, train = model()
    hook = Telling(fails={("before", 2): aborted()})

    def work():
        with tf.train.SingularMonitoredSession(hooks=[hook]) as session:
            for _ in range(3):
                session.run(train)
    error = refused(work)
    other = Telling(fails={("created", 1): unavailable()})
    created = refused(lambda: tf.train.SingularMonitoredSession(hooks=[other]))
    tf.get_default_graph()._unsafe_unfinalize()
    return dict(error=error, lines=hook.lines, created=created)


def program_step_functions_are_called_again():
    step, weight, train = model()
    hook = Telling(fails={("before", 1): aborted()})
    calls = []

    def step_fn(step_context):
        calls.append(float(step_context.session.run(weight)) if len(calls) == 0 else -1.0)
        return step_context.run_with_hooks(train)
    with tf.train.MonitoredSession(hooks=[hook]) as session:
        value = session.run_step_fn(step_fn)
    return dict(value=value, calls=calls, lines=hook.lines)


def program_step_functions_that_lose_it_themselves():
    step, weight, train = model()
    calls = []

    def step_fn(step_context):
        calls.append("call")
        if len(calls) < 3:
            raise unavailable()
        return step_context.run_with_hooks(train)
    with tf.train.MonitoredSession() as session:
        return dict(value=session.run_step_fn(step_fn), calls=calls)


def program_errors_at_the_end_are_not_retried():
    step, weight, train = model()
    hook = Telling(fails={("end", 1): aborted()})

    def work():
        with tf.train.MonitoredSession(hooks=[hook]) as session:
            session.run(train)
    return dict(error=refused(work), lines=hook.lines)


def program_lost_by_a_thread():
    step, weight, train = model()

    class Losing(tf.train.SessionRunHook):
        count = 0

        def after_create_session(self, session, coord):
            Losing.count += 1
            if Losing.count == 1:
                try:
                    raise unavailable()
                except tf.errors.UnavailableError as error:
                    coord.request_stop(error)
    with tf.train.MonitoredSession(hooks=[Losing()]) as session:
        stops = [session.should_stop(), session.should_stop()]
        value = session.run(train)
    return dict(stops=stops, value=value, created=Losing.count)


def program_log_lines():
    step, weight, train = model()
    hook = Telling(fails={("before", 1): aborted(), ("created", 2): unavailable()})
    with logged() as lines, tf.train.MonitoredSession(hooks=[hook]) as session:
        session.run(train)
    return dict(lines=lines)
