"""tf.contrib.training's loops around training and evaluation, and what hooks do on a terminal."""
import os
import pty
import subprocess
import sys
import textwrap

import numpy as np
import pytest
import tensorflow as tf


@pytest.fixture(autouse=True)
def graph():
    with tf.Graph().as_default() as made:
        yield made
    tf.summary.FileWriterCache.clear()


def trained(path, steps=4):
    """A directory with the checkpoints of a training."""
    with tf.Graph().as_default():
        loss, train = model()
        hooks = [tf.train.StopAtStepHook(last_step=steps)]
        return tf.contrib.training.train(train, str(path), hooks=hooks, save_summaries_steps=0)


def model():
    weight = tf.get_variable("weight", initializer=4.0)
    loss = tf.multiply(weight, weight, name="loss")
    optimizer = tf.train.GradientDescentOptimizer(0.125)
    return loss, tf.contrib.training.create_train_op(loss, optimizer)


def test_train_gives_the_last_loss_and_saves(tmp_path):
    loss = trained(tmp_path)
    assert np.isfinite(loss) and loss < 16
    assert tf.train.latest_checkpoint(str(tmp_path)).endswith("model.ckpt-4")


def test_train_needs_a_directory_for_what_it_saves():
    _, train = model()
    with pytest.raises(ValueError, match="save_summaries_steps is not None"):
        tf.contrib.training.train(train, None)
    with pytest.raises(ValueError, match="save_checkpoint_secs is not None"):
        tf.contrib.training.train(train, None, save_summaries_steps=None)
    loss = tf.contrib.training.train(train, None, save_summaries_steps=None, save_checkpoint_secs=None,
                                     hooks=[tf.train.StopAtStepHook(num_steps=1)])
    assert loss == 16


def test_evaluates_a_checkpoint_once(tmp_path, caplog):
    trained(tmp_path)
    weight = tf.get_variable("weight", initializer=4.0)
    mean, update = tf.metrics.mean(weight * weight)
    tf.train.get_or_create_global_step()
    caplog.set_level("INFO", logger="tensorflow")
    tf.get_logger().propagate = True
    values = tf.contrib.training.evaluate_once(
        tf.train.latest_checkpoint(str(tmp_path)), eval_ops=[update], final_ops={"mean": mean, "w": weight},
        hooks=[tf.contrib.training.StopAfterNEvalsHook(3)])
    assert values["w"] == pytest.approx(4 * 0.75 ** 4)
    assert values["mean"] == pytest.approx((4 * 0.75 ** 4) ** 2)
    lines = [record.getMessage() for record in caplog.records]
    assert [line for line in lines if line.startswith("Evaluation")] == [f"Evaluation [{i}/3]" for i in (1, 2, 3)]
    assert any(line.startswith("Starting evaluation at 20") for line in lines)
    assert any(line.startswith("Finished evaluation at 20") for line in lines)


def test_evaluates_without_operations(tmp_path):
    trained(tmp_path)
    weight = tf.get_variable("weight", initializer=4.0)
    tf.train.get_or_create_global_step()
    path = tf.train.latest_checkpoint(str(tmp_path))
    assert tf.contrib.training.evaluate_once(path, final_ops=[weight]) == [pytest.approx(4 * 0.75 ** 4)]
    assert tf.contrib.training.evaluate_once(path) is None


def test_evaluates_with_feeds(tmp_path):
    trained(tmp_path)
    tf.get_variable("weight", initializer=4.0)
    tf.train.get_or_create_global_step()
    x = tf.placeholder(tf.float32, [])
    total = tf.get_local_variable("total", initializer=0.0)
    value = tf.contrib.training.evaluate_once(
        tf.train.latest_checkpoint(str(tmp_path)), eval_ops=tf.assign_add(total, x), feed_dict={x: 2.0},
        final_ops=total + x, final_ops_feed_dict={x: 0.5}, hooks=[tf.contrib.training.StopAfterNEvalsHook(2)])
    assert value == 4.5


def test_many_evaluations_are_logged_now_and_then(caplog):
    step = tf.contrib.training.get_or_create_eval_step()
    assert tf.contrib.training.get_or_create_eval_step() is step
    assert step in tf.local_variables() and step.op.name == "eval_step"


def test_evaluates_repeatedly(tmp_path):
    trained(tmp_path)
    weight = tf.get_variable("weight", initializer=4.0)
    tf.train.get_or_create_global_step()
    asked = []

    def over():
        asked.append(True)
        return True
    writer = tmp_path / "eval"
    tf.summary.scalar("weight", weight)
    value = tf.contrib.training.evaluate_repeatedly(
        str(tmp_path), eval_ops=tf.identity(weight), final_ops=weight, eval_interval_secs=0,
        hooks=[tf.contrib.training.StopAfterNEvalsHook(2),
               tf.contrib.training.SummaryAtEndHook(str(writer))], timeout=0.1, timeout_fn=over)
    assert value == pytest.approx(4 * 0.75 ** 4)
    assert asked == [True]
    tf.summary.FileWriterCache.clear()
    events = [event for name in writer.iterdir() for event in tf.train.summary_iterator(str(name))]
    assert [(event.step, event.summary.value[0].tag) for event in events if event.HasField("summary")] == [
        (4, "weight_1")]


def test_evaluates_a_number_of_checkpoints(tmp_path):
    trained(tmp_path)
    weight = tf.get_variable("weight", initializer=4.0)
    tf.train.get_or_create_global_step()
    assert tf.contrib.training.evaluate_repeatedly(str(tmp_path), final_ops=weight,
                                                   max_number_of_evaluations=1) == pytest.approx(4 * 0.75 ** 4)


def test_summary_at_end_needs_a_place():
    with pytest.raises(ValueError, match="One of log_dir or summary_writer should be used"):
        tf.contrib.training.SummaryAtEndHook()


def test_checkpoints_are_waited_for(tmp_path):
    assert tf.contrib.training.wait_for_new_checkpoint(str(tmp_path), timeout=0.1) is None
    trained(tmp_path)
    assert tf.contrib.training.wait_for_new_checkpoint(str(tmp_path)).endswith("model.ckpt-4")
    assert len(list(tf.contrib.training.checkpoints_iterator(str(tmp_path), timeout=0.1))) == 1


def test_contrib_hooks_profiler():
    assert tf.contrib.hooks.ProfilerHook is tf.train.ProfilerHook


def test_slim_evaluates(tmp_path):
    trained(tmp_path)
    weight = tf.get_variable("weight", initializer=4.0)
    step = tf.train.get_or_create_global_step()
    total = tf.get_local_variable("total", initializer=0.0)
    tf.summary.scalar("weight", weight)
    slim = tf.contrib.slim
    arguments = dict(num_evals=2, eval_op=tf.assign_add(total, weight), final_op=total,
                     variables_to_restore=[weight, step])
    value = slim.evaluation.evaluate_once("", tf.train.latest_checkpoint(str(tmp_path)), str(tmp_path / "a"), **arguments)
    assert value == pytest.approx(2 * 4 * 0.75 ** 4)


def test_slim_evaluates_in_a_loop(tmp_path):
    trained(tmp_path)
    weight = tf.get_variable("weight", initializer=4.0)
    tf.train.get_or_create_global_step()
    value = tf.contrib.slim.evaluation.evaluation_loop(
        "", str(tmp_path), str(tmp_path / "b"), eval_op=tf.identity(weight), final_op=weight,
        max_number_of_evaluations=1)
    assert value == pytest.approx(4 * 0.75 ** 4)


def test_gradients_are_transformed(caplog):
    weight, other = tf.get_variable("weight", initializer=4.0), tf.get_variable("other", initializer=1.0)
    training = tf.contrib.training
    train = training.create_train_op(weight * weight, tf.train.GradientDescentOptimizer(1.0),
                                     transform_grads_fn=training.clip_gradient_norms_fn(0.5), summarize_gradients=True)
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        assert session.run(train) == 16
        assert session.run([weight, other]) == [3.5, 1.0]
    assert [summary.op.name for summary in tf.get_collection(tf.GraphKeys.SUMMARIES)] == [
        "summarize_grads/weight_gradient", "summarize_grads/weight_gradient_norm"]


TRAINING = textwrap.dedent("""
    import time
    import tensorflow as tf
    step = tf.train.get_or_create_global_step()
    loss = tf.constant(0.5, name="loss")
    train = tf.assign_add(step, 1)
    tf.logging.set_verbosity(tf.logging.INFO)
    hooks = [tf.train.StopAtStepHook(last_step=40), tf.train.LoggingTensorHook({"loss": loss}, every_n_iter=20),
             tf.train.StepCounterHook(every_n_steps=10)]
    with tf.train.MonitoredSession(hooks=hooks) as session:
        while not session.should_stop():
            session.run(train)
            time.sleep(0.02)
""")


def run_training(stderr, **environment):
    return subprocess.Popen([sys.executable, "-c", TRAINING], stderr=stderr, stdout=subprocess.DEVNULL,
                            env={**os.environ, **environment})


def on_a_terminal(**environment):
    """What a training writes to a terminal."""
    ours, theirs = pty.openpty()
    process = run_training(theirs, **environment)
    os.close(theirs)
    written = b""
    while True:
        try:
            more = os.read(ours, 65536)
        except OSError:  # the other end is closed
            break
        if not more:
            break
        written += more
    os.close(ours)
    assert process.wait() == 0
    return written.decode()


def test_a_terminal_shows_a_bar():
    written = on_a_terminal()
    assert "\x1b[K" in written
    assert "/40  " in written and "steps/s  loss 0.5" in written and " left" in written
    assert "INFO:tensorflow:loss = 0.5" in written
    assert written.rstrip(" ").endswith(("\x1b[K", "\n"))  # nothing is left of it


def test_a_terminal_shows_no_bar_where_it_is_switched_off():
    written = on_a_terminal(RILL_PROGRESS="0")
    assert "\x1b" not in written and "steps/s" not in written
    assert "INFO:tensorflow:loss = 0.5" in written


def test_a_log_has_plain_lines_only():
    process = run_training(subprocess.PIPE)
    written = process.communicate()[1].decode()
    assert process.returncode == 0
    assert "\x1b" not in written and "\r" not in written and "steps/s" not in written
    assert "INFO:tensorflow:global_step/sec: " in written
