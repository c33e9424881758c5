"""tf.train.SessionManager and the session creators."""
import os

import tensorflow as tf

from helpers.session_runs import directory, logged, refused


def saved(value, name="v"):
    """A directory with a checkpoint in which a variable has this value, and the checkpoint's path."""
    path = directory()
    with tf.Graph().as_default(), tf.Session() as session:
        variable = tf.get_variable(name, initializer=value)
        session.run(variable.initializer)
        return path, tf.train.Saver().save(session, os.path.join(path, "model"), global_step=3)


def variable():
    v = tf.get_variable("v", initializer=1.0)
    return v, tf.report_uninitialized_variables(), tf.global_variables_initializer()


def program_prepares_with_an_op():
    v, ready, init = variable()
    manager = tf.train.SessionManager(ready_op=ready)
    with manager.prepare_session("", init_op=init) as session:
        return dict(value=session.run(v), kind=type(session).__name__)


def program_prepares_with_a_function():
    v, ready, init = variable()
    double = tf.assign(v, 2.0)
    manager = tf.train.SessionManager(ready_op=ready)
    with manager.prepare_session("", init_fn=lambda session: session.run(double)) as session:
        return dict(value=session.run(v))


def program_prepares_with_both():
    v, ready, init = variable()
    add = tf.assign_add(v, 2.0)
    manager = tf.train.SessionManager(ready_op=ready)
    with manager.prepare_session("", init_op=init, init_fn=lambda session: session.run(add)) as session:
        return dict(value=session.run(v))


def program_prepares_with_feeds():
    start = tf.placeholder(tf.float32, [])
    v = tf.get_variable("v", initializer=0.0)
    manager = tf.train.SessionManager(ready_op=tf.report_uninitialized_variables())
    with manager.prepare_session("", init_op=tf.assign(v, start), init_feed_dict={start: 6.0}) as session:
        return dict(value=session.run(v))


def program_nothing_to_prepare_with():
    v, ready, init = variable()
    return dict(error=refused(lambda: tf.train.SessionManager(ready_op=ready).prepare_session("")))


def program_stays_unready():
    v, ready, init = variable()
    manager = tf.train.SessionManager(ready_op=ready)
    error = refused(lambda: manager.prepare_session("", init_op=tf.no_op(name="nothing")))
    return dict(error=error[:54], why="Variables not initialized: v" in error, op="Init op: nothing" in error)


def program_not_ready_for_local_init():
    v, ready, init = variable()
    local = tf.get_variable("l", initializer=1, collections=[tf.GraphKeys.LOCAL_VARIABLES])
    manager = tf.train.SessionManager(ready_op=ready, ready_for_local_init_op=ready, local_init_op=local.initializer)
    error = refused(lambda: manager.prepare_session("", init_op=tf.no_op(name="nothing")))
    return dict(error=error[:70], why="Variables not initialized: v" in error)


def program_local_init_op_runs():
    v, ready, init = variable()
    fed = tf.placeholder(tf.int32, [])
    local = tf.get_variable("l", initializer=1, collections=[tf.GraphKeys.LOCAL_VARIABLES])
    manager = tf.train.SessionManager(ready_op=ready, local_init_op=tf.assign(local, fed), local_init_feed_dict={fed: 9})
    with logged() as lines, manager.prepare_session("", init_op=init) as session:
        value = session.run(local)
    return dict(value=value, lines=lines)


def program_local_op_is_needed():
    v, ready, init = variable()
    return dict(error=refused(lambda: tf.train.SessionManager(ready_for_local_init_op=ready))[:80])


def program_restores_a_directory():
    v, ready, init = variable()
    path, checkpoint = saved(8.0)
    saver = tf.train.Saver()
    with tf.train.SessionManager(ready_op=ready).prepare_session(
            "", init_op=init, saver=saver, checkpoint_dir=path) as session:
        return dict(value=session.run(v), last=[os.path.basename(name) for name in saver.last_checkpoints])


def program_restores_a_file():
    v, ready, init = variable()
    path, checkpoint = saved(9.0)
    with tf.train.SessionManager(ready_op=ready).prepare_session(
            "", init_op=init, saver=tf.train.Saver(), checkpoint_filename_with_path=checkpoint) as session:
        return dict(value=session.run(v))


def program_directory_or_file():
    v, ready, init = variable()
    saver = tf.train.Saver()
    manager = tf.train.SessionManager(ready_op=ready)
    return dict(error=refused(lambda: manager.prepare_session(
        "", init_op=init, saver=saver, checkpoint_dir="/d", checkpoint_filename_with_path="/f")))


def program_empty_directory():
    v, ready, init = variable()
    with tf.train.SessionManager(ready_op=ready).prepare_session(
            "", init_op=init, saver=tf.train.Saver(), checkpoint_dir=directory()) as session:
        return dict(value=session.run(v))


def program_recovers():
    v, ready, init = variable()
    path, checkpoint = saved(8.0)
    manager, saver = tf.train.SessionManager(ready_op=ready), tf.train.Saver()
    with logged(path) as lines:
        session, is_restored = manager.recover_session("", saver=saver, checkpoint_dir=path)
    value = session.run(v)
    other, nothing = manager.recover_session("", saver=saver, checkpoint_dir=directory())
    return dict(restored=is_restored, value=value, nothing=nothing, unready=other.run(ready), lines=lines[-1:])


def program_recovers_half_a_model():
    v, ready, init = variable()
    tf.get_variable("w", initializer=2.0)
    path, checkpoint = saved(8.0)
    manager = tf.train.SessionManager(ready_op=tf.report_uninitialized_variables())
    with logged(path) as lines:
        session, is_restored = manager.recover_session("", saver=tf.train.Saver([v]), checkpoint_dir=path)
    return dict(restored=is_restored, value=session.run(v), lines=lines[-1:])


def program_waits_for_a_checkpoint():
    v, ready, init = variable()
    manager = tf.train.SessionManager(ready_op=ready, recovery_wait_secs=0.01)
    with logged() as lines:
        session, is_restored = manager.recover_session("", saver=tf.train.Saver(), checkpoint_dir=directory(),
                                                       wait_for_checkpoint=True, max_wait_secs=0.03)
    return dict(restored=is_restored, lines=lines[:1])


def program_waits_for_a_session():
    ready = tf.constant([], tf.string)
    with tf.train.SessionManager(ready_op=ready).wait_for_session("", max_wait_secs=3) as session:
        return dict(value=session.run(tf.constant(4)))


def program_waits_in_vain():
    v, ready, init = variable()
    manager = tf.train.SessionManager(ready_op=ready, recovery_wait_secs=0.1)
    return dict(error=refused(lambda: manager.wait_for_session("", max_wait_secs=0.15)))


def program_another_graph():
    graph = tf.Graph()
    with graph.as_default():
        v = tf.get_variable("v", initializer=1.5)
        init = v.initializer
    manager = tf.train.SessionManager(graph=graph)
    with manager.prepare_session("", init_op=init) as session:
        return dict(value=session.run(v), same=session.graph is graph)


def program_chief_creator():
    v, _, _ = variable()
    path, checkpoint = saved(7.0)
    creator = tf.train.ChiefSessionCreator(checkpoint_dir=path)
    value = creator.create_session().run(v)
    tf.get_default_graph()._unsafe_unfinalize()
    by_file = tf.train.ChiefSessionCreator(checkpoint_filename_with_path=checkpoint).create_session().run(v)
    tf.get_default_graph()._unsafe_unfinalize()
    return dict(value=value, by_file=by_file)


def program_worker_creator():
    x = tf.constant(3.0)
    value = tf.train.WorkerSessionCreator(max_wait_secs=2).create_session().run(x)
    tf.get_default_graph()._unsafe_unfinalize()
    return dict(value=value)


def program_creators_are_abstract():
    class Half(tf.train.SessionCreator):
        pass
    return dict(error=refused(Half)[:60], is_creator=issubclass(tf.train.ChiefSessionCreator, tf.train.SessionCreator))


def program_checkpoint_states():
    made = [tf.train.generate_checkpoint_state_proto("/d", "/d/m-2", ["/d/m-1"], [1.0, 2.0], 3.0),
            tf.train.generate_checkpoint_state_proto("d", "d/m-2", ["d/m-1", "d/m-2"]),
            tf.train.generate_checkpoint_state_proto("/d", "m")]
    error = refused(lambda: tf.train.generate_checkpoint_state_proto("/d", "/d/m", ["/d/m"], [1.0, 2.0]))
    return dict(made=[str(state) for state in made], error=error[:77])
