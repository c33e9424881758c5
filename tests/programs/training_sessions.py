"""tf.train.MonitoredTrainingSession: the hooks and the creator of each role."""
import os

import tensorflow as tf

from helpers.session_runs import Telling, directory, files, logged, model, refused


def trained(steps=3, **arguments):
    """The files, log lines and checkpoints of a short training."""
    step, weight, train = model()
    tf.summary.scalar("w", weight)
    path = directory()
    with logged(path) as lines:
        with tf.train.MonitoredTrainingSession(checkpoint_dir=path, **arguments) as session:
            values = [session.run(train) for _ in range(steps)]
    state = tf.train.get_checkpoint_state(path)
    tf.summary.FileWriterCache.clear()
    return dict(values=values, lines=lines, files=files(path),
                kept=[os.path.basename(name) for name in state.all_model_checkpoint_paths] if state else None)


def program_defaults():
    return trained()


def program_checkpoints_by_steps():
    return trained(5, save_checkpoint_steps=2)


def program_checkpoints_by_seconds():
    return trained(2, save_checkpoint_secs=1000)


def program_no_checkpoints():
    return trained(2, save_checkpoint_secs=None)


def program_no_checkpoints_by_zero():
    return trained(2, save_checkpoint_steps=0)


def program_no_checkpoints_by_two_nones():
    return trained(2, save_checkpoint_steps=None, save_checkpoint_secs=None)


def program_no_summaries():
    return trained(2, save_summaries_steps=None, save_summaries_secs=None, log_step_count_steps=None)


def program_summaries_by_seconds():
    return trained(2, save_summaries_secs=1000, log_step_count_steps=0)


def program_without_a_directory():
    step, weight, train = model()
    with logged() as lines, tf.train.MonitoredTrainingSession() as session:
        value = session.run(train)
    return dict(value=value, lines=lines, kind=type(session).__name__)


def program_summary_dir():
    step, weight, train = model()
    tf.summary.scalar("w", weight)
    path = directory()
    with tf.train.MonitoredTrainingSession(summary_dir=path, save_summaries_steps=1) as session:
        session.run(train)
    tf.summary.FileWriterCache.clear()
    return dict(files=files(path))


def program_summary_dir_besides():
    step, weight, train = model()
    tf.summary.scalar("w", weight)
    path, other = directory(), directory()
    with tf.train.MonitoredTrainingSession(checkpoint_dir=path, summary_dir=other) as session:
        session.run(train)
    tf.summary.FileWriterCache.clear()
    return dict(files=files(path), other=files(other))


def program_goes_on_where_it_ended():
    path = directory()
    values = []
    for _ in range(2):
        with tf.Graph().as_default():
            step, weight, train = model()
            with tf.train.MonitoredTrainingSession(checkpoint_dir=path, save_checkpoint_steps=1,
                                                   save_summaries_steps=0, log_step_count_steps=0) as session:
                values += [session.run(train), session.run(step)]
    tf.summary.FileWriterCache.clear()
    return dict(values=values, files=files(path))


def program_hooks_of_the_chief_first():
    step, weight, train = model()
    lines = []
    with tf.train.MonitoredTrainingSession(hooks=[Telling(lines, "all ")],
                                           chief_only_hooks=[Telling(lines, "chief ")]) as session:
        session.run(train)
    return dict(lines=lines)


def program_workers_wait():
    step, weight, train = model()
    found = refused(lambda: tf.train.MonitoredTrainingSession(is_chief=False, max_wait_secs=1))
    tf.get_default_graph()._unsafe_unfinalize()
    return dict(found=found)


def program_workers_have_their_hooks_only():
    x = tf.constant(2.0)
    lines = []
    with tf.train.MonitoredTrainingSession(is_chief=False, checkpoint_dir=directory(), hooks=[Telling(lines, "all ")],
                                           chief_only_hooks=[Telling(lines, "chief ")]) as session:
        value = session.run(x)
    return dict(value=value, lines=lines)


def program_given_scaffold():
    step, weight, train = model()
    set_it = tf.assign(weight, 100.0)
    scaffold = tf.train.Scaffold(init_fn=lambda scaffold, session: session.run(set_it))
    with tf.train.MonitoredTrainingSession(scaffold=scaffold) as session:
        return dict(value=session.run(train))


def program_no_global_step():
    weight = tf.get_variable("weight", initializer=1.0)
    path = directory()
    return dict(error=refused(lambda: tf.train.MonitoredTrainingSession(checkpoint_dir=path)),
                name=weight.name)


def program_config():
    step, weight, train = model()
    config = tf.ConfigProto(intra_op_parallelism_threads=1, allow_soft_placement=True)
    with tf.train.MonitoredTrainingSession(config=config, stop_grace_period_secs=1) as session:
        return dict(value=session.run(train))
