"""Ready-made hooks that C++ calls without Python, and what programs may give them."""
import json

import numpy as np
import pytest
import tensorflow as tf
from rill._session_run_hook import core_of


@pytest.fixture(autouse=True)
def graph():
    with tf.Graph().as_default() as made:
        yield made
    tf.summary.FileWriterCache.clear()


def hooks(path):
    loss = tf.constant(1.0, name="loss")
    return [tf.train.StopAtStepHook(num_steps=1), tf.train.StepCounterHook(), tf.train.NanTensorHook(loss),
            tf.train.LoggingTensorHook([loss], every_n_iter=1), tf.train.FinalOpsHook(loss),
            tf.train.GlobalStepWaiterHook(1), tf.train.ProfilerHook(1, output_dir=path),
            tf.train.CheckpointSaverHook(path, save_steps=1),
            tf.train.SummarySaverHook(1, output_dir=path, summary_op=tf.summary.scalar("l", loss))]


def test_steps_of_ready_made_hooks_need_no_python(tmp_path):
    for hook in hooks(str(tmp_path)):
        assert core_of(hook) is hook._core, hook


def test_hooks_that_a_program_changes_are_called_through_it(tmp_path):
    class Own(tf.train.StopAtStepHook):
        def before_run(self, run_context):
            return super().before_run(run_context)
    assert core_of(Own(num_steps=1)) is None
    hook = tf.train.StopAtStepHook(num_steps=1)
    hook.after_run = lambda *args: None
    assert core_of(hook) is None


def test_hooks_can_be_let_go(tmp_path):
    import gc
    import weakref
    made = [weakref.ref(hook) for hook in hooks(str(tmp_path))]
    gc.collect()
    assert [hook() for hook in made] == [None] * len(made)


def test_numbers_may_be_numpys(tmp_path):
    step = tf.train.get_or_create_global_step()
    hook = tf.train.StopAtStepHook(num_steps=np.int64(2))
    timer = tf.train.SecondOrStepTimer(every_steps=np.int32(2))
    assert timer.should_trigger_for_step(np.int64(3))
    timer.update_last_triggered_step(np.int64(3))
    assert timer.last_triggered_step() == 3
    run = 0
    with tf.train.MonitoredSession(hooks=[hook]) as session:
        add = session.graph.get_tensor_by_name("global_step:0")
        while not session.should_stop() and run < 1:
            session.run(add)
            run += 1
    assert step.name == "global_step:0"


def test_a_formatter_that_fails_is_not_hidden():
    loss = tf.constant(1.0)

    def formatter(values):
        raise KeyError("mine")
    with pytest.raises(KeyError, match="mine"):
        with tf.train.MonitoredSession(
                hooks=[tf.train.LoggingTensorHook([loss], every_n_iter=1, formatter=formatter)]) as session:
            session.run(loss)


def test_a_waiter_can_be_interrupted():
    import _thread
    import threading
    tf.train.get_or_create_global_step()
    value = tf.constant(1.0)
    threading.Timer(0.3, _thread.interrupt_main).start()
    with pytest.raises(KeyboardInterrupt):
        with tf.train.MonitoredSession(hooks=[tf.train.GlobalStepWaiterHook(5)]) as session:
            session.run(value)


def test_steps_per_run_is_one_variable():
    from tensorflow.python.training import basic_session_run_hooks as basic
    variable = basic.get_or_create_steps_per_run_variable()
    assert basic.get_or_create_steps_per_run_variable() is variable
    assert variable.op.name == "hooks/steps_per_run" and variable in tf.local_variables()
    assert tf.get_collection("hooks_steps_per_run") == [variable]


def test_stops_runs_of_several_steps():
    from tensorflow.python.training import basic_session_run_hooks as basic
    step = tf.train.get_or_create_global_step()
    add = tf.assign_add(step, tf.cast(basic.get_or_create_steps_per_run_variable(), tf.int64))
    found = []
    with tf.train.MonitoredSession(
            hooks=[basic._MultiStepStopAtStepHook(last_step=7, steps_per_run=3)]) as session:
        while not session.should_stop():
            found.append(int(session.run(add)))
    assert found == [3, 6, 7]
    with pytest.raises(ValueError, match="steps_per_run should be greater than 0"):
        basic._MultiStepStopAtStepHook(last_step=7, steps_per_run=0)


def test_traces_are_json(tmp_path):
    step = tf.train.get_or_create_global_step()
    add = tf.assign_add(step, 1, name='a_"quoted"_name'.replace('"', ""))
    path = tmp_path / "traces"
    with tf.train.MonitoredSession(hooks=[tf.train.ProfilerHook(save_steps=1, output_dir=str(path)),
                                          tf.train.StopAtStepHook(last_step=3)]) as session:
        while not session.should_stop():
            session.run(add)
    pages = [json.loads(file.read_text()) for file in sorted(path.glob("timeline-*.json"))]
    assert len(pages) == 2
    events = pages[0]["traceEvents"]
    assert {"AssignAdd"} <= {event["name"] for event in events if event["ph"] == "X"}
    assert all(event["dur"] >= 1 for event in events if event["ph"] == "X")
