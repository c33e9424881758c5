"""Clusters: servers in this process and in processes of their own, sessions of grpc:// targets."""
import json
import os
import signal
import socket
import subprocess
import sys
import textwrap

import numpy as np
import pytest
import rill as tf

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))


def free_ports(count):
    sockets = [socket.socket() for _ in range(count)]
    for s in sockets:
        s.bind(("localhost", 0))
    ports = [s.getsockname()[1] for s in sockets]
    for s in sockets:
        s.close()
    return ports


@pytest.fixture(scope="module")
def cluster():
    return tf.test.create_local_cluster(num_workers=2, num_ps=1)


def test_servers_know_what_they_are(cluster):
    workers, (ps,) = cluster
    assert [w.server_def.task_index for w in workers] == [0, 1] and ps.server_def.job_name == "ps"
    assert workers[0].target.startswith("grpc://localhost:")
    with tf.Session(workers[0].target) as sess:
        names = [d.name for d in sess.list_devices()]
    assert sorted(names) == ["/job:ps/replica:0/task:0/device:CPU:0", "/job:worker/replica:0/task:0/device:CPU:0",
                             "/job:worker/replica:0/task:1/device:CPU:0"]


def test_definitions_of_servers():
    with pytest.raises(ValueError, match="explicit `job_name`"):
        tf.train.Server({"a": ["localhost:0"], "b": ["localhost:0"]})
    with pytest.raises(ValueError, match="explicit `task_index`"):
        tf.train.Server({"a": ["localhost:0", "localhost:0"]})
    with pytest.raises(tf.errors.InvalidArgumentError, match='Task 3 was not defined in job "a"'):
        tf.train.Server({"a": ["localhost:0"]}, task_index=3)
    with pytest.raises(tf.errors.InternalError, match='Job "b" was not defined in cluster'):
        tf.train.Server({"a": ["localhost:0"]}, job_name="b", task_index=0)
    with pytest.raises(tf.errors.InvalidArgumentError, match="Could not parse port for local server"):
        tf.train.Server({"a": ["localhost"]})
    with pytest.raises(tf.errors.FailedPreconditionError, match="RILL_CLUSTER_OPEN"):
        tf.train.Server({"a": ["192.0.2.1:0"]})
    with pytest.raises(tf.errors.NotFoundError, match="No session factory registered"):
        tf.Session("pigeon://localhost:1")


def model():
    x = tf.placeholder(tf.float32, [None, 3], name="x")
    w = tf.get_variable("w", [3, 1], initializer=tf.ones_initializer())
    loss = tf.reduce_mean(tf.square(tf.matmul(x, w)))
    return w, loss, tf.train.AdamOptimizer(0.1).minimize(loss, tf.train.get_or_create_global_step())


def losses_of(session, loss, train):
    session.run(tf.global_variables_initializer())
    return [session.run([loss, train], {"x:0": np.arange(6).reshape(2, 3)})[0] for _ in range(5)]


def test_a_model_over_tasks(cluster):
    workers, _ = cluster
    with tf.device(tf.train.replica_device_setter(1, worker_device="/job:worker/task:1")):
        w, loss, train = model()
    assert w.device == "/job:ps/task:0"
    with tf.Session(workers[0].target) as sess, tf.Session(workers[1].target) as other:
        losses = losses_of(sess, loss, train)
        np.testing.assert_array_equal(other.run(w), sess.run(w))  # one variable for all sessions
        assert other.run(tf.train.get_global_step()) == 5
    with tf.Graph().as_default(), tf.Session() as alone:
        np.testing.assert_allclose(losses, losses_of(alone, *model()[1:]), rtol=1e-6)


def test_loops_and_branches_over_tasks(cluster):
    def body(i, a):
        with tf.device("/job:worker/task:1"):
            return i + 1, a * 2.0
    with tf.device("/job:ps/task:0"):
        start = tf.placeholder(tf.float32, [])
        _, result = tf.while_loop(lambda i, _: i < 5, body, [0, start])
        branch = tf.cond(start > 2, lambda: tf.negative(start), lambda: start + 1)
    with tf.Session(cluster[0][0].target) as sess:
        assert sess.run([result, branch], {start: 3.0}) == [96.0, -3.0]
        assert sess.run([result, branch], {start: 1.0}) == [32.0, 2.0]


def test_errors_and_limits(cluster):
    with tf.device("/job:ps/task:0"):
        v = tf.get_variable("never", [2])
        queue = tf.FIFOQueue(1, tf.float32)
        take = queue.dequeue()
    with tf.Session(cluster[0][0].target) as sess:
        with pytest.raises(tf.errors.FailedPreconditionError, match="uninitialized value never"):
            sess.run(v)
        with pytest.raises(tf.errors.DeadlineExceededError):
            sess.run(take, options=tf.RunOptions(timeout_in_ms=200))
        with pytest.raises(tf.errors.InvalidArgumentError, match="no_such_job"), tf.device("/job:no_such_job"):
            sess.run(tf.constant(1) + 1)
        metadata = tf.RunMetadata()
        sess.run(queue.size(), options=tf.RunOptions(trace_level=tf.RunOptions.FULL_TRACE), run_metadata=metadata)
        assert any("/job:ps" in d.device for d in metadata.step_stats.dev_stats)


def test_reset_clears_the_containers_of_all_tasks(cluster):
    with tf.device("/job:ps/task:0"):
        v = tf.get_variable("cleared", initializer=1.0)
    target = cluster[0][0].target
    sess = tf.Session(target)
    sess.run(v.initializer)
    tf.Session.reset(target)
    with pytest.raises(tf.errors.AbortedError):
        sess.run(v)
    with tf.Session(target) as again, pytest.raises(tf.errors.FailedPreconditionError):
        again.run(v)


PROGRAM = textwrap.dedent("""
    import json, os, sys
    import numpy as np
    import tensorflow as tf

    task = json.loads(os.environ["TASK"])
    cluster = tf.train.ClusterSpec(task["cluster"])
    server = tf.train.Server(cluster, job_name=task["job"], task_index=task["index"])
    if task["job"] == "ps":
        server.join()
    with tf.device(tf.train.replica_device_setter(worker_device="/job:worker/task:%d" % task["index"],
                                                  cluster=cluster)):
        x = tf.placeholder(tf.float32, [None, 4])
        y = tf.placeholder(tf.float32, [None, 1])
        loss = tf.losses.mean_squared_error(y, tf.layers.dense(x, 1))
        step = tf.train.get_or_create_global_step()
        train = tf.train.GradientDescentOptimizer(0.1).minimize(loss, global_step=step)
    rng = np.random.RandomState(task["index"])
    with tf.train.MonitoredTrainingSession(server.target, is_chief=task["index"] == 0, checkpoint_dir=task["dir"],
                                           hooks=[tf.train.StopAtStepHook(last_step=200)]) as sess:
        while not sess.should_stop():
            batch = rng.randn(16, 4)
            last, _ = sess.run([loss, train], {x: batch, y: batch.sum(1, keepdims=True)})
    print("%.6f" % last)
""")


def start(program, cluster, job, index, folder):
    environment = dict(os.environ, TASK=json.dumps({"cluster": cluster, "job": job, "index": index, "dir": folder}))
    return subprocess.Popen([os.path.join(ROOT, "bin", "rill"), "run", program], env=environment,
                            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def test_a_training_goes_on_after_its_parameter_server_was_killed(tmp_path):
    program = tmp_path / "train.py"
    program.write_text(PROGRAM.replace("last_step=200)]", "last_step=200), Slow()]").replace(
        "rng =", "class Slow(tf.train.SessionRunHook):\n"
                 "    def after_run(self, context, values):\n"
                 "        import time; time.sleep(0.02); print('.', end='', flush=True)\n"
                 "rng =", 1))
    ports = free_ports(2)
    cluster = {"ps": [f"localhost:{ports[0]}"], "worker": [f"localhost:{ports[1]}"]}
    ps = start(str(program), cluster, "ps", 0, str(tmp_path / "model"))
    worker = start(str(program), cluster, "worker", 0, str(tmp_path / "model"))
    try:
        assert worker.stdout.read(20) == "." * 20, worker.stderr.read()
        ps.kill()
        ps.wait()
        ps = start(str(program), cluster, "ps", 0, str(tmp_path / "model"))
        out, err = worker.communicate(timeout=100)
        assert worker.returncode == 0, err
        assert float(out.lstrip(".")) < 1e-2
        assert tf.train.latest_checkpoint(str(tmp_path / "model")).endswith("model.ckpt-200")
    finally:
        ps.kill()
        worker.kill()


def test_the_command_is_a_task():
    ports = free_ports(1)
    task = subprocess.Popen([os.path.join(ROOT, "bin", "rill"), "server", "--cluster", f"local|localhost:{ports[0]}",
                             "--job", "local", "--task", "0"], stdout=subprocess.PIPE, text=True)
    try:
        assert task.stdout.readline() == f"grpc://localhost:{ports[0]}\n"
        with tf.device("/job:local/task:0"):
            three = tf.constant(1) + 2
        with tf.Session(f"grpc://localhost:{ports[0]}") as sess:
            assert sess.run(three) == 3
    finally:
        task.send_signal(signal.SIGTERM)
        task.wait(10)
    wrong = subprocess.run([os.path.join(ROOT, "bin", "rill"), "server"], capture_output=True, text=True,
                           env={k: v for k, v in os.environ.items() if k != "TF_CONFIG"})
    assert wrong.returncode == 2 and "--cluster" in wrong.stderr, sys.executable
