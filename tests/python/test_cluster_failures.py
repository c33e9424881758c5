"""What a cluster does when something of it fails: each failure ends in an error that recovery knows, within the stated
time, on every survivor, and leaves nothing behind."""
import os
import shutil
import signal
import subprocess
import sys
import textwrap
import time

import pytest
import rill as tf

from test_cluster import ROOT, free_ports

RILL = os.path.join(ROOT, "bin", "rill")


def start_task(spec, job, index, prefix=(), **environment):
    cluster = ",".join(f"{name}|{';'.join(addresses)}" for name, addresses in spec.items())
    return subprocess.Popen([*prefix, RILL, "server", "--cluster", cluster, "--job", job, "--task", str(index)],
                            stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True,
                            env={**os.environ, **environment})


@pytest.fixture
def tasks():
    """Two tasks as processes, "ps" and "worker", and their target."""
    ports = free_ports(2)
    spec = {"ps": [f"localhost:{ports[0]}"], "worker": [f"localhost:{ports[1]}"]}
    started = {job: start_task(spec, job, 0) for job in spec}
    for task in started.values():
        assert task.stdout.readline().startswith("grpc://")
    yield started, spec, f"grpc://{spec['worker'][0]}"
    for task in started.values():
        task.kill()
        task.wait()


def status_of(target):
    return subprocess.run([RILL, "cluster", "status", target], capture_output=True, text=True, timeout=60).stdout


def until(condition, seconds):
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, "it takes too long"
        time.sleep(0.1)


def thread_count(pid):
    return len(os.listdir(f"/proc/{pid}/task"))


WAITING_CLIENT = textwrap.dedent("""
    import sys, rill as tf
    with tf.device("/job:ps/task:0"):
        take = tf.FIFOQueue(1, tf.float32).dequeue()
    with tf.device("/job:worker/task:0"):
        y = take + 1
    with tf.Session(sys.argv[1]) as sess:
        print("up", flush=True)
        sess.run(y)
""")


def test_steps_of_clients_that_vanish_end(tasks, tmp_path):
    started, _, target = tasks
    program = tmp_path / "client.py"
    program.write_text(WAITING_CLIENT)
    before = None
    for _ in range(3):
        client = subprocess.Popen([RILL, "run", str(program), target], stdout=subprocess.PIPE, text=True)
        assert client.stdout.readline() == "up\n"
        until(lambda: "waits for edge_" in status_of(target), 10)
        client.kill()
        client.wait()
        until(lambda: "waits for" not in status_of(target), 3)
        threads = [thread_count(task.pid) for task in started.values()]
        if before is None:
            before = threads
    # What ran on threads of its own is over; some of them wait for more work.
    assert all(now <= then + 2 for now, then in zip(threads, before)), (before, threads)


def test_sessions_and_failures_leave_nothing_behind(tasks):
    started, _, target = tasks
    with tf.device("/job:ps/task:0"):
        x = tf.placeholder(tf.float32, [None])
        checked = tf.check_numerics(x, "bad")
    with tf.device("/job:worker/task:0"):
        y = tf.reduce_sum(checked)

    def use(times):
        for _ in range(times):
            with tf.Session(target) as sess:
                assert sess.run(y, {x: [1.0] * 10000}) == 10000
                with pytest.raises(tf.errors.InvalidArgumentError, match="bad"):
                    sess.run(y, {x: [float("nan")]})

    def resident(pid):
        with open(f"/proc/{pid}/statm") as file:
            return int(file.read().split()[1]) * 4096

    use(20)
    before = [(resident(t.pid), thread_count(t.pid)) for t in started.values()]
    use(60)
    for (memory, threads), task in zip(before, started.values()):
        assert resident(task.pid) < memory + (8 << 20)
        assert thread_count(task.pid) <= threads + 2
    assert "takes part" not in status_of(target)


def test_survivors_go_on_without_the_chief(tmp_path):
    ports = free_ports(3)
    spec = {"ps": [f"localhost:{ports[0]}"], "worker": [f"localhost:{ports[1]}", f"localhost:{ports[2]}"]}
    ps, chief, worker = (start_task(spec, *task) for task in (("ps", 0), ("worker", 0), ("worker", 1)))
    try:
        for task in (ps, chief, worker):
            task.stdout.readline()
        with tf.device("/job:ps/task:0"):
            v = tf.get_variable("v", initializer=0.0)
        add = v.assign_add(1.0)
        config = tf.ConfigProto(device_filters=["/job:ps", "/job:worker/task:1"])
        with tf.Session(f"grpc://localhost:{ports[2]}", config=config) as sess:
            sess.run(v.initializer)
            sess.run(add)
            chief.kill()
            chief.wait()
            assert sess.run(add) == 2.0
        with tf.Session(f"grpc://localhost:{ports[2]}", config=config) as sess:
            assert sess.run(v) == 2.0
    finally:
        for task in (ps, chief, worker):
            task.kill()
            task.wait()


def test_a_full_disk_is_an_error_of_the_step(tasks, tmp_path):
    small = tmp_path / "small"
    small.mkdir()
    if shutil.which("mount") is None or subprocess.run(["mount", "-t", "tmpfs", "-o", "size=64k", "none", str(small)],
                                                       capture_output=True).returncode != 0:
        pytest.skip("a small disk needs the right to mount one")
    try:
        with tf.device("/job:ps/task:0"):
            v = tf.get_variable("v", initializer=tf.zeros([100000]))
            w = tf.get_variable("w", initializer=1.0)
            saver = tf.train.Saver([v])
        with tf.Session(tasks[2]) as sess:
            sess.run(tf.global_variables_initializer())
            with pytest.raises(tf.errors.OpError) as raised:
                saver.save(sess, str(small / "model"), write_meta_graph=False)
            assert isinstance(raised.value, (tf.errors.ResourceExhaustedError, tf.errors.UnknownError)), raised.value
            assert sess.run(w) == 1.0
    finally:
        subprocess.run(["umount", str(small)], check=True)


@pytest.mark.long
def test_a_paused_task_is_unavailable(tasks):
    started, _, target = tasks
    with tf.device("/job:ps/task:0"):
        x = tf.random_uniform([])
    with tf.device("/job:worker/task:0"):
        y = x + 1
    with tf.Session(target) as sess:
        sess.run(y)
        started["ps"].send_signal(signal.SIGSTOP)
        try:
            began = time.monotonic()
            with pytest.raises(tf.errors.UnavailableError, match="/job:ps"):
                sess.run(y)
            assert time.monotonic() - began < 25  # of a silent task, which is given up after 20 s
        finally:
            started["ps"].send_signal(signal.SIGCONT)
    with tf.Session(target) as sess:
        assert 1 <= sess.run(y) <= 2


def test_a_loop_of_servers_and_sessions_in_one_process_ends():
    program = textwrap.dedent("""
        import rill as tf, threading
        for _ in range(5):
            with tf.Graph().as_default():
                server = tf.train.Server.create_local_server()
                take = tf.FIFOQueue(1, tf.float32).dequeue()
                sess = tf.Session(server.target)
                waiting = threading.Thread(target=lambda: print(end=str(fails(sess, take))))
                def fails(sess, take):
                    try:
                        sess.run(take)
                    except tf.errors.OpError as error:
                        return 1
                waiting.start()
                sess.close()
                waiting.join(10)
                assert not waiting.is_alive()
        print(" done")
    """)
    ended = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=60,
                           env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)})
    assert ended.stdout == "11111 done\n", (ended.stdout, ended.stderr)
