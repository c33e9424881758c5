"""rill top: what running programs do, seen from outside."""
import os
import pathlib
import re
import socket
import subprocess
import sys
import urllib.error
import urllib.request

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]
RILL = ROOT / "bin" / "rill"

# Steps that wait for a slow map, and are quick themselves; then it waits for a line.
STARVED = """
import sys, time
import tensorflow as tf
def slow(x):
    time.sleep(.01)
    return x
data = tf.data.Dataset.range(1000).map(lambda x: tf.py_func(slow, [x], tf.int64)).batch(2).prefetch(1)
element = tf.data.make_one_shot_iterator(data).get_next()
with tf.Session() as session:
    for _ in range(20):
        session.run(element)
    try:
        session.run(tf.matmul([[1.]], tf.placeholder(tf.float32)), {"Placeholder:0": [[1.], [2.]]})
    except tf.errors.InvalidArgumentError:
        pass
    print("ready", flush=True)
    sys.stdin.readline()
"""


@pytest.fixture
def starved(tmp_path):
    (tmp_path / "starved.py").write_text(STARVED)
    environment = {**os.environ, "PYTHONPATH": f"{ROOT}/python:{ROOT}/python/compat"}
    process = subprocess.Popen([sys.executable, str(tmp_path / "starved.py")], stdin=subprocess.PIPE,
                               stdout=subprocess.PIPE, text=True, env=environment)
    assert process.stdout.readline() == "ready\n"
    yield process
    process.communicate("\n", timeout=60)
    assert process.returncode == 0


def top(*arguments):
    return subprocess.run([RILL, "top", *arguments], capture_output=True, text=True, timeout=60, check=True).stdout


def figures(text, pid):
    """The value of each metric of a process, with its further labels."""
    return {name + (labels or ""): float(value) for name, labels, value in
            re.findall(rf'^(\w+)\{{pid="{pid}"((?:,[^\n]*)?)\}} (\S+)$', text, re.M)}


def test_who_waits_for_input_is_told_for_which_stage(starved):
    shown = top("--once", "--pid", str(starved.pid))
    assert "starved.py" in shown
    waits = re.search(r"steps wait (\d+)% of the time for the input pipeline; its slowest stage is (\S+)", shown)
    assert waits and int(waits[1]) >= 5 and waits[2] == "MapDataset", shown


def test_prometheus(starved):
    found = figures(top("--prometheus"), starved.pid)
    assert found["rill_step_seconds_count"] >= 20
    assert found["rill_step_seconds_sum"] >= found["rill_input_wait_seconds_total"] * .5 > .1
    assert found["rill_failed_steps_total"] == 1
    stages = {name: value for name, value in found.items() if name.startswith("rill_input_stage_seconds_total")}
    slowest = max(stages, key=stages.get)
    assert "MapDataset" in slowest and stages[slowest] > .2, stages


def free_port():
    with socket.socket() as s:
        s.bind(("127.0.0.1", 0))
        return s.getsockname()[1]


def test_prometheus_over_http(starved):
    server = subprocess.Popen([RILL, "top", "--port", str(free_port())], stdout=subprocess.PIPE, text=True)
    try:
        address = server.stdout.readline().strip()
        assert address.startswith("http://127.0.0.1:")
        with urllib.request.urlopen(address, timeout=30) as response:
            assert response.headers["Content-Type"].startswith("text/plain; version=0.0.4")
            assert figures(response.read().decode(), starved.pid)["rill_step_seconds_count"] >= 20
        with pytest.raises(urllib.error.HTTPError):
            urllib.request.urlopen(address.replace("/metrics", "/other"), timeout=30)
    finally:
        server.terminate()
        server.communicate(timeout=30)


def test_processes_that_ended_are_gone(starved):
    ended = subprocess.Popen([sys.executable, "-c", "import rill as tf; tf.Session().run(tf.constant(1))"],
                             env={**os.environ, "PYTHONPATH": f"{ROOT}/python"})
    ended.wait(timeout=60)
    assert f'pid="{ended.pid}"' not in top("--prometheus")


def test_figures_can_be_turned_off():
    program = "import os, subprocess, sys, rill as tf; tf.Session().run(tf.constant(1)); " \
              "print(subprocess.run([sys.argv[1], 'top', '--once', '--pid', str(os.getpid())], " \
              "capture_output=True, text=True).stdout)"
    done = subprocess.run([sys.executable, "-c", program, RILL], capture_output=True, text=True, timeout=60,
                          env={**os.environ, "PYTHONPATH": f"{ROOT}/python", "RILL_FIGURES": "off"})
    assert "No process of yours runs Rill now." in done.stdout, done.stdout + done.stderr


def test_wrong_command_lines():
    for arguments in (["--port", "none"], ["--interval", "0"], ["what"], ["--pid"]):
        assert subprocess.run([RILL, "top", *arguments], capture_output=True, timeout=60).returncode == 2


GRAPH = """
import sys, rill as tf
x = tf.placeholder(tf.float32, [2, 3], name="x")
y = tf.nn.relu(tf.matmul(x, tf.constant([[1.], [2.], [3.]], name="w"), name="product"), name="y")
tf.train.write_graph(tf.get_default_graph(), sys.argv[1], "graph.pb", as_text=False)
"""


def test_benchmark_model(tmp_path):
    subprocess.run([sys.executable, "-c", GRAPH, str(tmp_path)], check=True, timeout=60,
                   env={**os.environ, "PYTHONPATH": f"{ROOT}/python"})
    done = subprocess.run([RILL, "benchmark_model", f"--graph={tmp_path}/graph.pb", "--input_layer=x:0",
                           "--input_layer_shape=2,3", "--input_layer_type=float", "--output_layer=y:0",
                           "--max_num_runs=5", "--show_memory=false"], capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stderr
    for line in ("Running benchmark for max 1 iterations, max -1 seconds without detailed stat logging, with -1s sleep",
                 "Running benchmark for max 5 iterations, max 10 seconds with detailed stat logging",
                 "count=5", "Average inference timings in us: Warmup: ", "= Run Order =", "= Top by Computation Time =",
                 "= Summary by node type =", "[Node type]", "Timings (microseconds): count=5"):
        assert line in done.stderr, (line, done.stderr)
    assert "Top by Memory Use" not in done.stderr
