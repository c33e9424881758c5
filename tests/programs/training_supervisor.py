"""tf.train.Supervisor: its parts, sessions, threads and files."""
import os
import time

import tensorflow as tf

from helpers.session_runs import directory, files, logged, model, refused


def parts(supervisor):
    return {part: getattr(getattr(supervisor, part), "name", None)
            for part in ("init_op", "ready_op", "ready_for_local_init_op", "summary_op", "global_step")}


def reopened(values):
    tf.get_default_graph()._unsafe_unfinalize()
    return values


def program_parts():
    step, weight, train = model()
    tf.summary.scalar("w", weight)
    supervisor = tf.train.Supervisor()
    return reopened(dict(parts=parts(supervisor), keys=sorted(set(tf.get_default_graph().get_all_collection_keys()) - {"cond_context"}),
                         saver=supervisor.saver is tf.get_collection(tf.GraphKeys.SAVERS)[0],
                         chief=supervisor.is_chief, path=supervisor.save_path, writer=supervisor.summary_writer,
                         secs=[supervisor.save_summaries_secs, supervisor.save_model_secs],
                         finalized=tf.get_default_graph().finalized))


def program_parts_of_an_empty_graph():
    supervisor = tf.train.Supervisor()
    return reopened(dict(parts=parts(supervisor), saver=supervisor.saver))


def program_parts_left_out():
    step, weight, train = model()
    tf.summary.scalar("w", weight)
    supervisor = tf.train.Supervisor(ready_op=None, init_op=None, local_init_op=None, saver=None, summary_op=None,
                                     global_step=None)
    return reopened(dict(parts=parts(supervisor), saver=supervisor.saver))


def program_given_parts():
    step, weight, train = model()
    init = tf.global_variables_initializer()
    supervisor = tf.train.Supervisor(init_op=init, global_step=step, summary_op=tf.summary.scalar("w", weight),
                                     ready_op=tf.constant([], tf.string, name="ready"))
    with supervisor.managed_session() as session:
        value = session.run(train)
    return reopened(dict(parts=parts(supervisor), value=value))


def program_managed_session():
    step, weight, train = model()
    supervisor = tf.train.Supervisor()
    values = []
    with supervisor.managed_session() as session:
        while not supervisor.should_stop():
            values.append(session.run(train))
            if len(values) == 3:
                supervisor.request_stop()
    return reopened(dict(values=values, closed=refused(lambda: session.run(train))))


def program_errors_come_out():
    step, weight, train = model()
    supervisor = tf.train.Supervisor()

    def work():
        with supervisor.managed_session() as session:
            session.run(train)
            raise KeyError("mine")
    return reopened(dict(error=refused(work)))


def program_the_end_of_the_input():
    element = tf.train.range_input_producer(2, num_epochs=1, shuffle=False).dequeue()
    supervisor = tf.train.Supervisor()
    values = []
    with supervisor.managed_session() as session:
        while not supervisor.should_stop():
            values.append(session.run(element))
    return reopened(dict(values=values))


def program_files():
    step, weight, train = model()
    tf.summary.scalar("w", weight)
    path = directory()
    supervisor = tf.train.Supervisor(logdir=path, save_summaries_secs=1000, save_model_secs=1000)
    with logged(path) as lines, supervisor.managed_session() as session:
        session.run(train)
        for _ in range(200):
            if tf.train.latest_checkpoint(path):
                break
            time.sleep(0.02)
    found = files(path)
    return reopened(dict(files=[name for name in found if not name.startswith(("checkpoint", "model.ckpt"))],
                         saved=any(name.startswith("model.ckpt-") for name in found),
                         path=os.path.basename(supervisor.save_path),
                         starts=[line for line in lines if "Starting" in line]))


def program_restores():
    path = directory()
    with tf.Graph().as_default(), tf.Session() as session:
        step, weight, train = model()
        session.run(tf.global_variables_initializer())
        session.run(train)
        tf.train.Saver().save(session, os.path.join(path, "model.ckpt"), global_step=step)
    step, weight, train = model()
    supervisor = tf.train.Supervisor(logdir=path, save_summaries_secs=0, save_model_secs=0)
    with supervisor.managed_session() as session:
        value = session.run(weight)
    return reopened(dict(value=value))


def program_summaries_of_the_program():
    step, weight, train = model()
    merged = tf.summary.scalar("w", weight)
    path = directory()
    supervisor = tf.train.Supervisor(logdir=path, summary_op=None, save_model_secs=0)
    with supervisor.managed_session() as session:
        supervisor.summary_computed(session, session.run(merged))
        session.run(train)
        supervisor.summary_computed(session, session.run(merged), global_step=7)
    events = [(event.step, value.tag, value.simple_value)
              for name in sorted(os.listdir(path)) if name.startswith("events")
              for event in tf.train.summary_iterator(os.path.join(path, name)) for value in event.summary.value
              if value.tag == "w"]
    return reopened(dict(events=[str(event) for event in events]))


def program_no_writer():
    step, weight, train = model()
    merged = tf.summary.scalar("w", weight)
    supervisor = tf.train.Supervisor(summary_writer=None)
    with supervisor.managed_session() as session:
        error = refused(lambda: supervisor.summary_computed(session, session.run(merged)))
    return reopened(dict(error=error))


def program_loops():
    step, weight, train = model()
    supervisor = tf.train.Supervisor()
    calls = []

    def work(amount, more=0):
        calls.append(amount + more)
        if len(calls) == 3:
            supervisor.request_stop()
    with supervisor.managed_session() as session:
        supervisor.loop(0.001, work, args=(1,), kwargs={"more": 2})
        supervisor.wait_for_stop()
        session.run(train)
    return reopened(dict(calls=calls[:3], stopped=supervisor.should_stop()))


def program_services_of_others():
    with tf.device("/cpu:0"):
        step, weight, train = model()
    supervisor = tf.train.Supervisor(is_chief=False, logdir=directory(), recovery_wait_secs=1)
    with tf.Session() as session:
        error = refused(lambda: supervisor.start_standard_services(session))
    waits = refused(lambda: supervisor.prepare_or_wait_for_session(max_wait_secs=1))
    return reopened(dict(error=error, waits=waits, path=supervisor.save_path, writer=supervisor.summary_writer,
                         secs=[supervisor.save_summaries_secs, supervisor.save_model_secs]))


def program_workers_need_devices():
    tf.get_variable("v", initializer=1.0)
    return dict(error=refused(lambda: tf.train.Supervisor(is_chief=False))[:70])


def program_queue_runners():
    queue = tf.train.string_input_producer(["a", "b"], num_epochs=1, shuffle=False)
    element = queue.dequeue()
    supervisor = tf.train.Supervisor()
    values = []
    with supervisor.managed_session() as session:
        while not supervisor.should_stop():
            values.append(session.run(element))
    return reopened(dict(values=values))


def program_init_fn_and_feeds():
    start = tf.placeholder(tf.float32, [])
    v = tf.get_variable("v", initializer=0.0)
    init, add = tf.assign(v, start), tf.assign_add(v, 1.0)
    supervisor = tf.train.Supervisor(init_op=init, init_feed_dict={start: 5.0},
                                     init_fn=lambda session: session.run(add))
    with supervisor.managed_session() as session:
        return reopened(dict(value=session.run(v)))


def program_without_services():
    step, weight, train = model()
    path = directory()
    supervisor = tf.train.Supervisor(logdir=path)
    session = supervisor.prepare_or_wait_for_session(start_standard_services=False)
    value = session.run(train)
    supervisor.stop()
    return reopened(dict(value=value, files=files(path)))


def program_old_names():
    supervisor = tf.train.Supervisor()
    session = supervisor.PrepareSession()
    supervisor.RequestStop()
    stops = supervisor.ShouldStop()
    supervisor.Stop()
    session.close()
    return reopened(dict(stops=stops))


def program_basic_loop():
    step, weight, train = model()
    supervisor = tf.train.Supervisor()
    calls = []

    def train_step(session, limit, more=0):
        calls.append(session.run(train))
        if len(calls) == 2:
            raise tf.errors.AbortedError(None, None, "lost")
        if len(calls) == limit + more:
            supervisor.request_stop()
    tf.train.basic_train_loop(supervisor, train_step, args=(3,), kwargs={"more": 1})
    return reopened(dict(calls=calls))


def program_basic_loop_fails():
    step, weight, train = model()
    supervisor = tf.train.Supervisor()

    def train_step(session):
        raise tf.errors.UnavailableError(None, None, "not retried here")
    return reopened(dict(error=refused(lambda: tf.train.basic_train_loop(supervisor, train_step))))
