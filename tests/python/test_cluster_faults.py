"""Trainings on clusters of processes that are killed, stopped and cut off from each other; synchronous replicas."""
import json
import os
import subprocess
import textwrap
import time

import numpy as np
import pytest
from cluster_network import TwoHosts
from cluster_training import ROOT, Training, free_ports, try_faults


def test_tasks_are_killed_and_stopped(tmp_path):
    try_faults(3, seed=5)


@pytest.mark.long
def test_tasks_are_killed_and_stopped_200_times():
    try_faults(200, seed=1000)


SYNC = textwrap.dedent("""
    import json, os
    import numpy as np
    import rill as tf

    task = json.loads(os.environ["TASK"])
    tf.logging.set_verbosity(tf.logging.ERROR)
    index, workers = task["index"], task["workers"]
    if workers > 1:
        cluster = tf.train.ClusterSpec(task["cluster"])
        server = tf.train.Server(cluster, job_name=task["job"], task_index=index)
        if task["job"] == "ps":
            server.join()
        setter = tf.train.replica_device_setter(worker_device="/job:worker/task:%d" % index, cluster=cluster)
    with tf.device(setter if workers > 1 else None):
        x = tf.placeholder(tf.float32, [None, 8])
        y = tf.placeholder(tf.float32, [None, 1])
        tf.set_random_seed(3)
        hidden = tf.layers.dense(x, 16, tf.tanh, kernel_initializer=tf.glorot_uniform_initializer(seed=4))
        out = tf.layers.dense(hidden, 1, kernel_initializer=tf.glorot_uniform_initializer(seed=5))
        loss = tf.reduce_mean(tf.square(out - y))
        step = tf.train.get_or_create_global_step()
        optimizer, hooks = tf.train.MomentumOptimizer(0.05, 0.9), []
        if workers > 1:
            optimizer = tf.train.SyncReplicasOptimizer(optimizer, replicas_to_aggregate=workers)
        train = optimizer.minimize(loss, global_step=step)
        if workers > 1:
            hooks.append(optimizer.make_session_run_hook(index == 0, num_tokens=0))
    rng = np.random.RandomState(0)
    with tf.train.MonitoredTrainingSession(server.target if workers > 1 else "", is_chief=index == 0, hooks=hooks) as sess:
        print("ready", flush=True)
        for _ in range(30):
            batch = rng.randn(32, 8)
            rows = slice(index * 32 // workers, (index + 1) * 32 // workers)
            feed = {x: batch[rows], y: np.sin(batch[rows].sum(1, keepdims=True))}
            print(sess.run([loss, train], feed)[0], flush=True)
""")


def start_sync(program, cluster, job, index, workers):
    task = {"cluster": cluster, "job": job, "index": index, "workers": workers}
    return subprocess.Popen([os.path.join(ROOT, "bin", "rill"), "run", program], stdout=subprocess.PIPE, text=True,
                            env=dict(os.environ, TASK=json.dumps(task)))


def losses_of(process):
    out, _ = process.communicate(timeout=100)
    assert process.returncode == 0
    return np.array([float(line) for line in out.splitlines() if line != "ready"])


def test_synchronous_replicas_learn_as_one_process_with_the_whole_batch(tmp_path):
    program = str(tmp_path / "sync.py")
    with open(program, "w") as file:
        file.write(SYNC)
    ports = free_ports(3)
    cluster = {"ps": [f"localhost:{ports[0]}"], "worker": [f"localhost:{port}" for port in ports[1:]]}
    alone = losses_of(start_sync(program, cluster, "worker", 0, 1))
    ps = start_sync(program, cluster, "ps", 0, 2)
    try:
        workers = [start_sync(program, cluster, "worker", i, 2) for i in range(2)]
        together = np.mean([losses_of(worker) for worker in workers], 0)
    finally:
        ps.kill()
    assert len(alone) == 30 and alone[-1] < 0.8 * alone[0]
    np.testing.assert_allclose(together, alone, rtol=2e-5)


# --- networks --------------------------------------------------------------------------------------------------------------


@pytest.fixture
def hosts():
    reason = TwoHosts.missing()
    if reason:
        pytest.skip(reason)
    with TwoHosts() as both:
        yield both


def training_over(hosts, folder):
    """The parameter server on one host, the chief alone on the other."""
    return Training(str(folder), last_step=200, hosts=[f"{hosts.addresses[0]}:2222", f"{hosts.addresses[1]}:2222"],
                    environment={"RILL_CLUSTER_OPEN": "1"}, prefix=lambda task: hosts.inside(0 if task.job == "ps" else 1))


@pytest.mark.slow
@pytest.mark.parametrize("way", ["what the worker says", "what the server says"])
def test_a_cut_in_one_direction_is_noticed_and_survived(hosts, tmp_path, way):
    with training_over(hosts, tmp_path) as training:
        training.goes_on("at the start", 20)
        with hosts.cut(1 if way == "what the worker says" else 0):
            time.sleep(30)
        training.goes_on("after the cut", 20)
        training.finish()
        assert training.saved_step() == 200


@pytest.mark.slow
def test_a_slow_network_that_loses_what_is_sent(hosts, tmp_path):
    with training_over(hosts, tmp_path) as training:
        training.goes_on("at the start", 5)
        hosts.slow_down(0, "2mbit")
        for i in range(6):
            with hosts.cut(i % 2):
                time.sleep(0.3)
            training.goes_on("after a loss", 3)
        training.finish()
        assert training.saved_step() == 200 and training.longest["chief"] < 20  # no session was lost
