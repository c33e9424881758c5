"""tf.train.MonitoredSession, Supervisor and their kin: errors, threads, and what steps cost."""
import gc
import pathlib
import re
import shlex
import subprocess
import threading
import weakref

import numpy as np
import pytest
import tensorflow as tf

ROOT = pathlib.Path(__file__).resolve().parents[2]
RILL = ROOT / "bin" / "rill"


@pytest.fixture(autouse=True)
def graph():
    with tf.Graph().as_default() as made:
        yield made


def model():
    step = tf.train.get_or_create_global_step()
    weight = tf.get_variable("weight", initializer=4.0)
    with tf.control_dependencies([tf.assign_add(step, 1)]):
        return step, weight, tf.assign_add(weight, 1.0)


class Failing(tf.train.SessionRunHook):
    """Raises the errors of a list, one in each step; None lets the step be."""

    def __init__(self, errors, method="before_run"):
        self.errors, self.created = list(errors), 0
        setattr(self, method, self.fail)

    def after_create_session(self, session, coord):
        self.created += 1

    def fail(self, *_):
        error = self.errors.pop(0) if self.errors else None
        if error is not None:
            raise error


@pytest.mark.parametrize("kind", [tf.errors.AbortedError, tf.errors.UnavailableError])
@pytest.mark.parametrize("method", ["before_run", "after_run"])
def test_lost_sessions_are_replaced(kind, method):
    _, _, train = model()
    hook = Failing([None, kind(None, None, "lost"), kind(None, None, "again")], method)
    with tf.train.MonitoredSession(hooks=[hook]) as session:
        assert [session.run(train) for _ in range(2)] == [5, 5]
    assert hook.created == 3


def test_many_losses_in_a_row():
    _, _, train = model()
    hook = Failing([tf.errors.UnavailableError(None, None, "lost")] * 20)
    with tf.train.MonitoredSession(hooks=[hook]) as session:
        assert session.run(train) == 5
    assert hook.created == 21


@pytest.mark.parametrize("error", [
    tf.errors.FailedPreconditionError(None, None, "Attempting to use uninitialized value v"),
    tf.errors.OutOfRangeError(None, None, "end"), tf.errors.InternalError(None, None, "bad"), ValueError("mine"),
    KeyboardInterrupt(), SystemExit(3)])
def test_other_errors_come_out_as_they_are(error):
    _, _, train = model()
    hook = Failing([error])
    session = tf.train.MonitoredSession(hooks=[hook])
    with pytest.raises(type(error)) as caught:
        session.run(train)
    assert caught.value is error
    assert hook.created == 1
    session.close()


def test_errors_of_a_step_know_their_operation():
    x = tf.placeholder(tf.float32, [])
    checked = tf.check_numerics(x, "no number", name="checked")
    with tf.train.MonitoredSession() as session:
        with pytest.raises(tf.errors.InvalidArgumentError, match="no number") as caught:
            session.run(checked, {x: float("nan")})
        assert caught.value.op is checked.op
        with pytest.raises(tf.errors.InvalidArgumentError, match="You must feed a value"):
            session.run(checked)
        with pytest.raises(TypeError, match="feed_dict key"):
            session.run(checked, {"none": 1})
        assert session.run(checked, {x: 2.0}) == 2


def test_closed_sessions():
    _, _, train = model()
    session = tf.train.MonitoredSession()
    session.close()
    assert session.should_stop() and session.graph is None
    with pytest.raises(RuntimeError, match="Session is already closed"):
        session.close()
    with pytest.raises(RuntimeError, match="closed"):
        session.run(train)


def test_the_raw_session_ends_with_it():
    _, weight, _ = model()
    with tf.train.SingularMonitoredSession() as session:
        raw = session.raw_session()
        assert raw.run(weight) == 4
    with pytest.raises(RuntimeError, match="closed Session"):
        raw.run(weight)


def test_creators_must_give_sessions():
    class Creating(tf.train.SessionCreator):
        def create_session(self):
            return 3
    with pytest.raises(TypeError, match="must be a `tf.Session`"):
        tf.train.MonitoredSession(Creating())


def test_hooks_run_steps_of_their_own():
    step, weight, train = model()
    seen = []

    class Looking(tf.train.SessionRunHook):
        def after_create_session(self, session, coord):
            seen.append(session.run(weight))

        def after_run(self, run_context, run_values):
            seen.append(run_context.session.run(weight))

        def end(self, session):
            seen.append(session.run(step))
    with tf.train.MonitoredSession(hooks=[Looking()]) as session:
        session.run(train)
    assert seen == [4, 5, 1]


def test_steps_in_python_and_hooks_in_threads():
    """Steps let other threads of Python run: a step that waits for one must not hold it up."""
    queue = tf.FIFOQueue(1, tf.float32, shapes=[[]])
    put, take = queue.enqueue(tf.py_func(lambda: np.float32(2), [], tf.float32)), queue.dequeue()

    class Filling(tf.train.SessionRunHook):
        def after_create_session(self, session, coord):
            self.thread = threading.Thread(target=lambda: session.run(put))
            coord.register_thread(self.thread)
            self.thread.start()
    with tf.train.MonitoredSession(hooks=[Filling()]) as session:
        assert session.run(take) == 2


def test_threads_that_go_on_are_left_behind():
    gate = threading.Event()

    class Stubborn(tf.train.SessionRunHook):
        def after_create_session(self, session, coord):
            thread = threading.Thread(target=gate.wait, daemon=True)
            coord.register_thread(thread)
            thread.start()
    x = tf.constant(1)
    with tf.train.MonitoredSession(hooks=[Stubborn()], stop_grace_period_secs=0.05) as session:
        session.run(x)
    gate.set()


def test_errors_of_threads_come_out_at_the_end():
    x = tf.constant(1)

    class Breaking(tf.train.SessionRunHook):
        def after_create_session(self, session, coord):
            def work():
                with coord.stop_on_exception():
                    raise KeyError("in a thread")
            thread = threading.Thread(target=work)
            coord.register_thread(thread)
            thread.start()
            thread.join()
    with pytest.raises(KeyError, match="in a thread"), tf.train.MonitoredSession(hooks=[Breaking()]) as session:
        assert session.should_stop()
        session.run(x)


def test_closing_lets_hooks_go():
    x = tf.constant(1)

    class Holding(tf.train.SessionRunHook):
        def after_create_session(self, session, coord):
            self.session = session
    hook = Holding()
    session = tf.train.MonitoredSession(hooks=[hook])
    session.run(x)
    session.close()
    gone = weakref.ref(hook)
    del hook, session
    gc.collect()
    assert gone() is None


def test_sessions_that_nobody_closes():
    """They are let go with their object, and wait for no thread."""
    x = tf.constant(1)
    session = tf.train.MonitoredSession()
    session.run(x)
    del session
    gc.collect()


def test_feeds_of_two():
    x = tf.placeholder(tf.float32, [], name="x")

    class Feeding(tf.train.SessionRunHook):
        def before_run(self, run_context):
            return tf.train.SessionRunArgs(None, feed_dict={x: 1.0})
    y = x + 1
    with tf.train.MonitoredSession(hooks=[Feeding()]) as session, \
            pytest.raises(RuntimeError, match="Same tensor is fed by a SessionRunHook and user. Conflict"):
        session.run(y, {x: 1})


def test_scaffolds():
    with pytest.raises(TypeError, match="copy_from_scaffold is not a Scaffold instance"):
        tf.train.Scaffold(copy_from_scaffold=3)
    with pytest.raises(TypeError, match="saver"):
        tf.train.Scaffold(saver=3)
    with pytest.raises(NotImplementedError, match="Checkpoint"):
        tf.train.Scaffold(saver=tf.train.Checkpoint())


def test_lists_of_operations_initialise():
    one, two = tf.get_variable("a", initializer=1.0), tf.get_variable("b", initializer=2.0)
    scaffold = tf.train.Scaffold(init_op=[one.initializer, two.initializer])
    with tf.train.MonitoredSession(tf.train.ChiefSessionCreator(scaffold)) as session:
        assert session.run([one, two]) == [1, 2]


def test_savers_of_programs_restore(tmp_path):
    """A Saver with a restore of its own is asked."""
    _, weight, train = model()
    calls = []

    class Mine(tf.train.Saver):
        def restore(self, sess, save_path):
            calls.append(save_path)
            super().restore(sess, save_path)
    arguments = dict(checkpoint_dir=str(tmp_path), save_checkpoint_steps=1)
    for _ in range(2):
        with tf.train.MonitoredTrainingSession(scaffold=tf.train.Scaffold(saver=Mine()), **arguments) as session:
            value = session.run(train)
    assert value == 6
    assert calls == [str(tmp_path / "model.ckpt-1")]


def test_remote_masters_are_refused():
    with pytest.raises(tf.errors.NotFoundError, match="pigeon://nowhere"):
        tf.train.MonitoredTrainingSession(master="pigeon://nowhere:1")


def test_supervisors_give_what_a_thread_failed_with(tmp_path):
    model()
    supervisor = tf.train.Supervisor(logdir=str(tmp_path), save_model_secs=0)

    def work():
        raise KeyError("in a loop")
    with pytest.raises(KeyError, match="in a loop"), supervisor.managed_session():
        supervisor.loop(1, work)
        supervisor.wait_for_stop()


def test_supervisors_write_summaries_by_themselves(tmp_path):
    _, weight, train = model()
    tf.summary.scalar("w", weight)
    supervisor = tf.train.Supervisor(logdir=str(tmp_path), save_summaries_secs=0.02, save_model_secs=0.02)
    with supervisor.managed_session() as session:
        for _ in range(500):
            session.run(train)
            events = [event for path in tmp_path.glob("events*") for event in tf.train.summary_iterator(str(path))]
            supervisor.summary_writer.flush()
            tags = {value.tag for event in events for value in event.summary.value}
            if {"w", "global_step/sec"} <= tags and tf.train.latest_checkpoint(str(tmp_path)):
                break
    assert {"w", "global_step/sec"} <= tags
    assert (tmp_path / "graph.pbtxt").exists()


def test_steady_steps_compile_nothing(tmp_path):
    from rill import _rill
    step, weight, train = model()
    tf.summary.scalar("w", weight)

    class Looking(tf.train.SessionRunHook):
        def before_run(self, run_context):
            return tf.train.SessionRunArgs({"step": step})
    with tf.train.MonitoredTrainingSession(checkpoint_dir=str(tmp_path), hooks=[Looking()]) as session:
        for _ in range(3):
            session.run(train)
        before = _rill.compiled_plan_count()
        for _ in range(50):
            session.run(train)
        assert _rill.compiled_plan_count() == before


def shown(language):
    return re.search(rf"```{language}\n(.*?)```", (ROOT / "docs" / "training.md").read_text(), re.DOTALL)[1]


def output(directory, *command):
    done = subprocess.run(command, capture_output=True, text=True, timeout=120, cwd=directory)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_the_program_of_the_docs_in_both_languages(tmp_path):
    """A loss that gets smaller, and goes on where the checkpoint ends."""
    places = [tmp_path / "python", tmp_path / "cpp"]
    for place in places:
        place.mkdir()
    (tmp_path / "program.py").write_text(shown("python"))
    printed = output(places[0], RILL, "run", tmp_path / "program.py")
    assert [float(line) for line in printed.split()] == sorted(map(float, printed.split()), reverse=True)
    assert len(printed.split()) == 5
    (tmp_path / "program.cc").write_text(shown("cpp"))
    flags = shlex.split(output(tmp_path, RILL, "config", "--cflags", "--libs"))
    output(tmp_path, "g++", tmp_path / "program.cc", *flags, "-o", tmp_path / "program")
    assert output(places[1], tmp_path / "program") == printed
    names = [sorted(path.name for path in (place / "run").iterdir() if "events" not in path.name) for place in places]
    assert names[0] == names[1]


def test_modules_of_older_programs():
    from tensorflow.python.training import monitored_session, session_manager, session_run_hook, supervisor
    assert issubclass(monitored_session.MonitoredSession, monitored_session._MonitoredSession)
    assert session_manager.SessionManager is tf.train.SessionManager
    assert session_run_hook.SessionRunHook is tf.train.SessionRunHook
    assert issubclass(supervisor.SVSummaryThread, tf.train.LooperThread)


def test_interrupted_waits():
    """Waiting for a chief can be interrupted."""
    import os
    import signal
    tf.get_variable("v", initializer=1.0)
    timer = threading.Timer(0.3, os.kill, (os.getpid(), signal.SIGINT))
    timer.start()
    with pytest.raises(KeyboardInterrupt):
        tf.train.WorkerSessionCreator(max_wait_secs=60).create_session()
    timer.join()


def test_several_threads_share_a_session():
    """Steps of several threads go through the hooks without mixing their values up."""
    x = tf.placeholder(tf.float32, [])
    y = x * 2

    class Looking(tf.train.SessionRunHook):
        def before_run(self, run_context):
            return tf.train.SessionRunArgs(x)

        def after_run(self, run_context, run_values):
            assert run_values.results == run_context.original_args.feed_dict[x]
    with tf.train.MonitoredSession(hooks=[Looking()]) as session:
        wrong = []

        def work(number):
            wrong.extend(i for i in range(200) if session.run(y, {x: number + i}) != 2 * (number + i))
        threads = [threading.Thread(target=work, args=(1000 * number,)) for number in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert not wrong
