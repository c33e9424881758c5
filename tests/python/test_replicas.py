import threading
import time

import pytest

import rill as tf


def model():
    w = tf.Variable([1.0, 2.0], name="w")
    return w, tf.train.get_or_create_global_step(), tf.reduce_sum(w * w)


def test_replicas_train_together():
    w, step, loss = model()
    optimizer = tf.train.SyncReplicasOptimizer(tf.train.GradientDescentOptimizer(0.1), 2)
    train = optimizer.minimize(loss, global_step=step)
    hook = optimizer.make_session_run_hook(is_chief=True)
    hook.begin()
    with tf.Session() as sess:
        sess.run([tf.global_variables_initializer(), tf.local_variables_initializer()])
        coord = tf.train.Coordinator()
        hook.after_create_session(sess, coord)

        def replica():
            while not coord.should_stop() and sess.run(step) < 5:
                try:
                    sess.run(train)
                except (tf.errors.OutOfRangeError, tf.errors.CancelledError):
                    return

        threads = [threading.Thread(target=replica, daemon=True) for _ in range(2)]
        for thread in threads:
            thread.start()
        while any(thread.is_alive() for thread in threads) and sess.run(step) < 5:
            coord.wait_for_stop(0.005)
        steps, value = sess.run([step, w])
        assert steps >= 5 and 0 < value[0] <= 0.8 ** 5 + 1e-6
        coord.request_stop()
        sess.close()  # ends the wait for gradients that do not come
        coord.join(threads, stop_grace_period_secs=20)


def test_a_session_does_not_wait_for_gradients_that_do_not_come():
    _, step, loss = model()
    optimizer = tf.train.SyncReplicasOptimizer(tf.train.GradientDescentOptimizer(0.1), 1, 1)
    train = optimizer.minimize(loss, global_step=step)
    hooks = [optimizer.make_session_run_hook(is_chief=True), tf.train.StopAtStepHook(3)]
    with tf.train.MonitoredTrainingSession(hooks=hooks) as sess:
        while not sess.should_stop():
            sess.run(train)
        begin = time.time()
    assert time.time() - begin < 60  # of the two minutes that threads may take to end


def test_a_supervisor_does_not_wait_for_them_either():
    _, step, loss = model()
    optimizer = tf.train.SyncReplicasOptimizer(tf.train.GradientDescentOptimizer(0.1), 1, 1)
    train = optimizer.minimize(loss, global_step=step)
    runner, tokens = optimizer.get_chief_queue_runner(), optimizer.get_init_tokens_op()
    supervisor = tf.train.Supervisor(local_init_op=optimizer.chief_init_op, global_step=step,
                                     ready_for_local_init_op=optimizer.ready_for_local_init_op)
    with supervisor.managed_session() as sess:
        supervisor.start_queue_runners(sess, [runner])
        sess.run(tokens)
        for _ in range(3):
            sess.run(train)
        begin = time.time()
    assert time.time() - begin < 60  # of the two minutes that threads may take to end


def test_variables_must_have_values():
    _, step, loss = model()
    optimizer = tf.train.SyncReplicasOptimizer(tf.train.GradientDescentOptimizer(0.1), 2)
    hook = optimizer.make_session_run_hook(is_chief=False)
    with pytest.raises(ValueError, match="apply_gradient should be called before using the hook"):
        hook.begin()
    optimizer.minimize(loss, global_step=step)
    hook.begin()
    with tf.Session() as sess, pytest.raises(RuntimeError, match="Init operations did not make model ready.*w, global_step"):
        hook.after_create_session(sess, None)


def test_wrong_uses():
    w, step, loss = model()
    optimizer = tf.train.SyncReplicasOptimizer(tf.train.GradientDescentOptimizer(0.1), 4, 2)
    with pytest.raises(ValueError, match="Should be called after apply_gradients"):
        optimizer.get_chief_queue_runner()
    with pytest.raises(ValueError, match=r"get_init_tokens_op\(\) should be called after apply_gradients"):
        optimizer.get_init_tokens_op()
    with pytest.raises(ValueError, match="Must supply at least one variable"):
        optimizer.apply_gradients([], global_step=step)
    with pytest.raises(ValueError, match="Global step is required to check staleness"):
        optimizer.minimize(loss)
    optimizer.minimize(loss, global_step=step)
    with pytest.raises(ValueError, match=r"Too few tokens to finish the first step: 1 \(given\) vs 2 \(needed\)"):
        optimizer.get_init_tokens_op(1)
