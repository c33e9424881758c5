"""Programs end as Python ends them, whatever of the library still runs: with their own status, by no signal."""
import concurrent.futures
import os
import pathlib
import shutil
import signal
import subprocess
import sys
import sysconfig
import textwrap

import pytest

ROOT = pathlib.Path(__file__).parents[2]
PRELUDE = "import multiprocessing, os, signal, sys, threading, time\nimport numpy as np\nimport tensorflow as tf\n"
LIMIT = 30  # seconds of one program; those that end take one or two

SESSION = """
    sess = tf.Session()
    assert sess.run(tf.reduce_sum(tf.ones([300, 300]))) == 90000
"""
PIPELINE = """
    def rows():
        for i in range(10**9):
            yield i
    data = (tf.data.Dataset.from_generator(rows, tf.int64).map(lambda x: tf.py_func(lambda v: v + 1, [x], tf.int64), 4)
            .batch(2).prefetch(3))
    element = data.make_one_shot_iterator().get_next()
    sess = tf.Session()
    sess.run(element)
"""
RUNNERS = """
    name = tf.train.string_input_producer(["a", "b"]).dequeue()
    batch = tf.train.batch([name], 2, num_threads=3)
    sess = tf.Session()
    threads = tf.train.start_queue_runners(sess)
    sess.run(batch)
"""
WAITING = """
    queue = tf.FIFOQueue(1, tf.float32)
    sess = tf.Session()
    taken = queue.dequeue()
"""
CHILD = """
    def work(results):
        with tf.Graph().as_default(), tf.Session() as sess:
            results.put(int(sess.run(tf.reduce_sum(tf.data.Dataset.range(5).map(lambda x: x + 1).batch(5)
                                                   .make_one_shot_iterator().get_next()))))
    if __name__ == "__main__":
        {before}
        context = multiprocessing.get_context("{method}")
        results = context.Queue()
        child = context.Process(target=work, args=(results,))
        child.start()
        assert results.get() == 15
        child.join()
        sys.exit(child.exitcode)
"""
FORK = """
    pid = os.fork()
    if pid == 0:
        {child}
    else:
        _, status = os.waitpid(pid, 0)
        sys.exit(1 if os.WIFSIGNALED(status) else os.WEXITSTATUS(status))
"""

# What programs do, and the status that they end with.
PROGRAMS = {
    "only imports": ("", 0),
    "a session is open": (SESSION, 0),
    "a session with threads of its own": ("""
    sess = tf.Session(config=tf.ConfigProto(intra_op_parallelism_threads=2, inter_op_parallelism_threads=2))
    sess.run(tf.reduce_sum(tf.ones([300, 300])))
""", 0),
    "sys.exit": (SESSION + "    sys.exit(3)\n", 3),
    "sys.exit in a with": ("    with tf.Session() as sess:\n        sys.exit(4)\n", 4),
    "an exception": (SESSION + "    raise ValueError('of the program')\n", 1),
    "an exception of a step": ("""
    tf.Session().run(tf.py_func(lambda: 1 / 0, [], tf.int64))
""", 1),
    "an interrupt": (SESSION + "    os.kill(os.getpid(), signal.SIGINT)\n    time.sleep(30)\n", -signal.SIGINT),
    "an iterator in the default graph": ("""
    n = tf.data.Dataset.range(3).map(lambda x: x + 1).make_one_shot_iterator().get_next()
    with tf.train.MonitoredTrainingSession() as s:
        while not s.should_stop():
            s.run(n)
""", 0),
    "a pipeline runs": (PIPELINE, 0),
    "a pipeline runs and a session is closed": (PIPELINE + "    sess.close()\n", 0),
    "a pipeline runs at sys.exit": (PIPELINE + "    sys.exit(5)\n", 5),
    "a pipeline runs at an exception": (PIPELINE + "    raise KeyError(1)\n", 1),
    "a generator waits": ("""
    def rows():
        yield 1
        time.sleep(1000)
    element = tf.data.Dataset.from_generator(rows, tf.int64).prefetch(2).make_one_shot_iterator().get_next()
    sess = tf.Session()
    sess.run(element)
""", 0),
    "queue runners run": (RUNNERS, 0),
    "queue runners run at an exception": (RUNNERS + "    raise ValueError()\n", 1),
    "a daemon waits in a step": (WAITING + """
    threading.Thread(target=sess.run, args=(taken,), daemon=True).start()
    time.sleep(0.2)
""", 0),
    "a daemon runs steps": ("""
    sess, total = tf.Session(), tf.reduce_sum(tf.random_normal([100, 100]))
    def steps():
        while True:
            sess.run(total)
    for _ in range(3):
        threading.Thread(target=steps, daemon=True).start()
    time.sleep(0.3)
""", 0),
    "a daemon is inside a function": ("""
    sess = tf.Session()
    calls = [tf.py_func(lambda: time.sleep(1000) or 1, [], tf.int64) for _ in range(2)]
    threading.Thread(target=sess.run, args=(calls[0],), daemon=True).start()
    threading.Thread(target=sess.run, args=(calls,), daemon=True).start()
    time.sleep(0.3)
""", 0),
    "a thread ends its steps": ("""
    sess, total = tf.Session(), tf.reduce_sum(tf.random_normal([100, 100]))
    def steps():
        for _ in range(200):
            sess.run(total)
    threading.Thread(target=steps).start()
""", 0),
    "a daemon builds a graph": ("""
    def build():
        while True:
            with tf.Graph().as_default():
                tf.layers.dense(tf.ones([1, 2]), 3)
    threading.Thread(target=build, daemon=True).start()
    time.sleep(0.3)
""", 0),
    "a monitored session is left open": ("""
    step = tf.assign_add(tf.train.get_or_create_global_step(), 1)
    batch = tf.train.batch([tf.random_uniform([])], 2)
    session = tf.train.MonitoredTrainingSession()
    session.run([step, batch])
""", 0),
    "a supervisor stops": ("""
    total = tf.Variable(0.).assign_add(1.)
    with tf.train.Supervisor(logdir=None).managed_session() as sess:
        sess.run(total)
""", 0),
    "summaries are written": ("""
    import tempfile
    writer = tf.summary.FileWriter(tempfile.mkdtemp())
    writer.add_graph(tf.get_default_graph())
    writer.add_summary(tf.Summary(), 1)
""", 0),
    "atexit runs a step": ("""
    import atexit
    sess = tf.Session()
    atexit.register(lambda: sess.run(tf.constant(1.0) + 1))
""", 0),
    "a finalizer runs a step": ("""
    class Last:
        sess, value = tf.Session(), tf.constant(1.0) + 1
        def __del__(self):
            try:
                self.sess.run(self.value)
            except BaseException:
                pass
    last = Last()
""", 0),
    "fork after the import": (FORK.format(child="pass"), 0),
    "fork after a session": (SESSION + FORK.format(child="pass"), 0),
    "fork after a session, which the child closes": (SESSION + FORK.format(child="sess.close()"), 0),
    "fork after a session, the child has its own": (SESSION + FORK.format(
        child="tf.reset_default_graph(); assert tf.Session().run(tf.reduce_sum(tf.ones([300, 300]))) == 90000"), 0),
    "fork while a pipeline runs": (PIPELINE + FORK.format(child="pass"), 0),
    "fork while queue runners run": (RUNNERS + FORK.format(child="pass"), 0),
    "fork while summaries are written": ("""
    import tempfile
    writer = tf.summary.FileWriter(tempfile.mkdtemp())
    writer.add_summary(tf.Summary(), 1)
""" + FORK.format(child="pass"), 0),
    "fork, and sys.exit in the child": (SESSION + FORK.format(child="sys.exit(6)"), 6),
    "multiprocessing by fork": (CHILD.format(method="fork", before=""), 0),
    "multiprocessing by fork after a session": (CHILD.format(
        method="fork", before="tf.Session().run(tf.reduce_sum(tf.ones([300, 300])))"), 0),
    "multiprocessing by spawn": (CHILD.format(method="spawn", before=""), 0),
    "multiprocessing by forkserver": (CHILD.format(method="forkserver", before=""), 0),
}


def environment():
    paths = [str(ROOT / "python"), str(ROOT / "python/compat"), *(p for p in sys.path if p.endswith("site-packages"))]
    return {**os.environ, "PYTHONPATH": os.pathsep.join(paths)}


def ended(command):
    """The status of a program and what it printed; fails when it does not end."""
    with subprocess.Popen(command, env=environment(), stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                          start_new_session=True) as process:
        try:
            output, _ = process.communicate(timeout=LIMIT)
            return process.returncode, output
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            return "did not end", process.communicate()[0]


@pytest.fixture(scope="module")
def endings(tmp_path_factory):
    """All programs, two at a time."""
    folder = tmp_path_factory.mktemp("programs")

    def run(number, source):
        path = folder / f"program_{number}.py"
        path.write_text(PRELUDE + textwrap.dedent(source))
        return ended([sys.executable, str(path)])

    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        started = {name: pool.submit(run, number, source)
                   for number, (name, (source, _)) in enumerate(PROGRAMS.items())}
        yield started


@pytest.mark.slow
@pytest.mark.parametrize("name", PROGRAMS)
def test_a_program_ends_when(endings, name):
    status, output = endings[name].result()
    assert status == PROGRAMS[name][1], output


EMBEDDING = r"""
#include <Python.h>
int main(void) {
  Py_Initialize();
  int failed = PyRun_SimpleString(
      "import tensorflow as tf\n"
      "n = tf.data.Dataset.range(3).map(lambda x: x + 1).make_one_shot_iterator().get_next()\n"
      "sess = tf.Session()\n"
      "assert sess.run(n) == 1\n");
  if (Py_FinalizeEx() < 0) return 120;
  return failed ? 1 : 0;
}
"""


@pytest.mark.slow
def test_an_interpreter_inside_of_another_program_ends(tmp_path):
    include, library = sysconfig.get_paths()["include"], sysconfig.get_config_var("LDLIBRARY") or ""
    folder = sysconfig.get_config_var("LIBDIR")
    if shutil.which("cc") is None or not os.path.exists(os.path.join(include, "Python.h")):
        pytest.skip("Python's headers are not installed")
    if not library.endswith(".so") or not os.path.exists(os.path.join(folder, library)):
        pytest.skip("Python is not there as a shared library")
    source, program = tmp_path / "embedding.c", tmp_path / "embedding"
    source.write_text(EMBEDDING)
    subprocess.run(["cc", "-I", include, str(source), os.path.join(folder, library), f"-Wl,-rpath,{folder}",
                    "-o", str(program)], check=True)
    status, output = ended([str(program)])
    assert status == 0, output
