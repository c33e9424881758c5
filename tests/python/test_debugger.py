"""tf_debug: what runs dump and who reads it, tfdbg's command line over pipes, where a NaN came from."""

import os
import pathlib
import subprocess
import sys
import textwrap

import numpy as np
import pytest

import rill as tf
from rill import _tfdbg as tf_debug

ROOT = pathlib.Path(__file__).resolve().parents[2]


def watched_run(session, fetches, root, feed_dict=None, debug_ops="DebugIdentity", **patterns):
    """Runs once with watches on the whole graph; what was dumped."""
    options, metadata = tf.RunOptions(output_partition_graphs=True), tf.RunMetadata()
    tf_debug.watch_graph(options, session.graph, debug_ops, f"file://{root}", **patterns)
    value = session.run(fetches, feed_dict, options=options, run_metadata=metadata)
    return value, tf_debug.DebugDumpDir(str(root), partition_graphs=metadata.partition_graphs)


@pytest.fixture
def products():
    """w * x + 1, where w is a variable."""
    with tf.Graph().as_default() as graph:
        x = tf.placeholder(tf.float32, [2], name="x")
        w = tf.Variable([[3., 0.], [0., 5.]], name="w")
        y = tf.add(tf.linalg.matvec(w, x), 1., name="y")
        with tf.Session(graph=graph) as session:
            session.run(tf.global_variables_initializer())
            yield session, x, y


def test_dumps_hold_what_the_step_computed(products, tmp_path):
    session, x, y = products
    value, dump = watched_run(session, y, tmp_path / "run", {x: [1., 2.]})
    np.testing.assert_array_equal(value, [4., 11.])
    np.testing.assert_array_equal(dump.get_tensors("y", 0, "DebugIdentity")[0], [4., 11.])
    np.testing.assert_array_equal(dump.get_tensors("w", 0, "DebugIdentity")[0], [[3., 0.], [0., 5.]])
    assert dump.core_metadata.output_names == ["y:0"]
    assert "w/read" in dump.nodes() and dump.node_op_type("y") == "AddV2"
    assert dump.node_inputs("w/read") == ["w"]
    assert dump.transitive_inputs("y") and dump.find_some_path("w", "y")[-1] == "y"
    assert all(os.path.getsize(datum.file_path) == datum.dump_size_bytes for datum in dump.dumped_tensor_data)
    with pytest.raises(ValueError, match="y:7:DebugIdentity"):
        dump.get_tensors("y", 7, "DebugIdentity")


def test_dumps_lie_where_tensorflow_puts_them(products, tmp_path):
    session, x, y = products
    watched_run(session, y, tmp_path, {x: [1., 2.]})
    device = tmp_path / "_tfdbg_device_,job_localhost,replica_0,task_0,device_CPU_0"
    assert [p.name.rsplit("_", 1)[0] for p in (device / "w").iterdir()] == ["read_0_DebugIdentity"]
    assert any(p.name.startswith("_tfdbg_graph_hash") for p in device.iterdir())
    assert any(p.name.startswith("_tfdbg_core_metadata_sessionrun") for p in tmp_path.iterdir())


def test_patterns_choose_what_is_watched(products, tmp_path):
    session, x, y = products
    _, dump = watched_run(session, y, tmp_path / "a", {x: [1., 2.]}, node_name_regex_whitelist="w$")
    assert {datum.node_name for datum in dump.dumped_tensor_data} == {"w"}
    _, dump = watched_run(session, y, tmp_path / "b", {x: [1., 2.]}, op_type_regex_whitelist="Add")
    assert {datum.node_name for datum in dump.dumped_tensor_data} == {"y"}


def test_numeric_summaries_and_counts(tmp_path):
    with tf.Graph().as_default(), tf.Session() as session:
        x = tf.placeholder(tf.float32, [6], name="x")
        y = tf.negative(x, name="y")
        options = tf.RunOptions()
        tf_debug.add_debug_tensor_watch(options, "y", 0, ["DebugNumericSummary", "DebugNanCount"],
                                        f"file://{tmp_path}")
        session.run(y, {x: [-1, 2, 0, np.nan, -np.inf, -4]}, options=options)
    dump = tf_debug.DebugDumpDir(str(tmp_path))
    np.testing.assert_allclose(dump.get_tensors("y", 0, "DebugNumericSummary")[0],
                               [1, 6, 1, 0, 1, 1, 2, 1, -2, 4, .75, 4.6875, 1, 1, 6], rtol=1e-15)
    assert dump.get_tensors("y", 0, "DebugNanCount")[0] == [1]


@pytest.mark.parametrize("watch, error, phrase", [
    (dict(node_name="y", output_slot=-1), tf.errors.FailedPreconditionError, "output_slot|slot"),
    (dict(node_name="y", debug_ops="DebugNothing"), tf.errors.FailedPreconditionError, "DebugNothing"),
    (dict(node_name="y", debug_ops="DebugNumericSummary(bound=1)"), tf.errors.InvalidArgumentError, "bound"),
    (dict(node_name="y", debug_ops="DebugNumericSummary(lower_bound="), tf.errors.InvalidArgumentError, "lower_bound"),
    (dict(node_name="y", debug_urls="ftp://x"), tf.errors.UnavailableError, "ftp://x"),
])
def test_wrong_watches_are_refused(tmp_path, watch, error, phrase):
    with tf.Graph().as_default(), tf.Session() as session:
        y = tf.negative(tf.placeholder_with_default([1.], [1]), name="y")
        options = tf.RunOptions()
        tf_debug.add_debug_tensor_watch(options, **{"debug_urls": f"file://{tmp_path}", **watch})
        with pytest.raises(error, match=phrase):
            session.run(y, options=options)
        assert session.run(y) == [-1.]


def test_a_budget_bounds_what_is_dumped(tmp_path):
    program = textwrap.dedent("""
        import sys, rill as tf
        from rill import _tfdbg as tf_debug
        y = tf.negative(tf.ones([1000]) * tf.placeholder_with_default(2., []), name="y")
        options = tf.RunOptions()
        tf_debug.watch_graph(options, tf.get_default_graph(), debug_urls="file://" + sys.argv[1])
        try:
            tf.Session().run(y, options=options)
        except tf.errors.ResourceExhaustedError as e:
            print("exhausted", "TFDBG_DISK_BYTES_LIMIT" in str(e))
    """)
    done = subprocess.run([sys.executable, "-c", program, str(tmp_path / "d")], capture_output=True, text=True,
                          timeout=60, env={**os.environ, "TFDBG_DISK_BYTES_LIMIT": "100"})
    assert (done.returncode, done.stdout) == (0, "exhausted True\n"), done.stderr


def test_loops_functions_and_gradients_dump_every_round(tmp_path):
    with tf.Graph().as_default(), tf.Session() as session:
        n = tf.placeholder(tf.int32, [], name="n")
        total = tf.while_loop(lambda i, s: i < n, lambda i, s: (i + 1, tf.add(s, s, name="twice")),
                              [0, 1.], name="loop")[1]
        value, dump = watched_run(session, total, tmp_path, {n: 4})
    assert value == 16
    assert [float(v) for v in dump.get_tensors("loop/twice", 0, "DebugIdentity")] == [2, 4, 8, 16]


def test_sessions_and_hooks_that_dump(tmp_path):
    with tf.Graph().as_default():
        x = tf.placeholder(tf.float32, name="x")
        y = tf.square(x, name="y")
        root = tmp_path / "session"
        asked = []

        def watch(fetches, feeds):
            asked.append((fetches, feeds))
            return tf_debug.WatchOptions(node_name_regex_allowlist="y")

        with tf_debug.DumpingDebugWrapperSession(tf.Session(), str(root), watch_fn=watch) as session:
            assert session.run(y, {x: 3.}) == 9 and session.run(y, {x: 4.}) == 16
        runs = sorted(root.iterdir())
        assert len(runs) == 2 and runs[0].name.startswith("run_") and asked[0] == (y, {x: 3.})
        assert [tf_debug.DebugDumpDir(str(run)).get_tensors("y", 0, "DebugIdentity")[0] for run in runs] == [9, 16]
        with pytest.raises(ValueError, match="empty"):
            tf_debug.DumpingDebugWrapperSession(tf.Session(), str(root))
        tf.train.get_or_create_global_step()
        hook = tf_debug.DumpingDebugHook(str(tmp_path / "hook"))
        with tf.train.MonitoredTrainingSession(hooks=[hook]) as session:
            session.run(y, {x: 5.})
        last = sorted((tmp_path / "hook").iterdir())[-1]
        assert tf_debug.DebugDumpDir(str(last)).get_tensors("y", 0, "DebugIdentity")[0] == 25


def test_filters_find_bad_numbers(tmp_path):
    with tf.Graph().as_default(), tf.Session() as session:
        x = tf.placeholder(tf.float32, [2], name="x")
        y = tf.math.log(x, name="y")
        z = tf.multiply(y, 0., name="z")
        _, dump = watched_run(session, z, tmp_path, {x: [1., 0.]})
    assert [datum.node_name for datum in dump.find(tf_debug.has_inf_or_nan)] == ["y", "z"]
    assert [datum.node_name for datum in dump.find(tf_debug.has_inf_or_nan, first_n=1)] == ["y"]
    assert [d.node_name for d in dump.find(tf_debug.has_inf_or_nan, exclude_node_names="y")] == ["z"]


PROGRAM = """
import tensorflow as tf
from tensorflow.python import debug as tf_debug
a = tf.constant([[1., 2.], [3., 4.]], name="a")
x = tf.placeholder(tf.float32, [2, 2], name="x")
b = tf.matmul(a, x, name="b")
c = tf.math.log(tf.subtract(b, 7., name="d"), name="c")
sess = tf_debug.LocalCLIDebugWrapperSession(tf.Session(), ui_type="readline")
sess.add_tensor_filter("big", lambda datum, tensor: bool((tensor > 9).any()))
print(sess.run(c, {x: [[1., 2.], [3., 4.]]}))
print("end")
"""


def talk(lines, tmp_path, program=PROGRAM, command=("run",)):
    """A program under tfdbg with these lines as its input."""
    path = tmp_path / "program.py"
    path.write_text(program)
    done = subprocess.run([ROOT / "bin" / "rill", *command, str(path)], input="\n".join(lines) + "\n",
                          capture_output=True, text=True, timeout=120, cwd=tmp_path,
                          env={**os.environ, "HOME": str(tmp_path), "PYTHONPATH": str(ROOT / "python")})
    return done


def test_the_command_line(tmp_path):
    done = talk(["run", "lt", "pt b", "pt b[0,:] -s", "pt b:0 -r [9,100]", "ni -a -d -t c", "li -r c", "lo -r a",
                 "eval 'np.sum(`b:0`)'", "pf x", "ps " + str(tmp_path / "program.py"), "ls", "lt -f has_inf_or_nan",
                 "lt -f big", "nonsense", "pt nowhere", "ri", "help lt", "run"], tmp_path)
    assert done.returncode == 0, done.stderr
    out = done.stdout
    for phrase in ("run-start: run #1: 1 fetch (c:0); 1 feed", "run-end: run #1", "dumped tensor(s)",
                   'Tensor "b:0:DebugIdentity":', "dtype: float32", "shape: (2, 2)", "array([[ 7., 10.],",
                   "Numeric summary:", "Highlighted", "Op: Log", "Node attributes:", "Traceback of node construction",
                   'Inputs to node "c" (Depth limit', 'Recipients of node "a"', "54.0", "program.py",
                   'passing filter "has_inf_or_nan"', 'passing filter "big"',
                   'ERROR: Invalid command prefix "nonsense"', "ERROR:", "end"):
        assert phrase in out, (phrase, out)


def test_the_command_line_ends_with_its_input(tmp_path):
    done = talk(["run"], tmp_path)
    assert "Traceback" not in done.stderr and done.returncode in (0, 1), (done.returncode, done.stderr)


def test_exit_leaves_the_program(tmp_path):
    done = talk(["exit"], tmp_path)
    assert done.returncode == 1 and "end" not in done.stdout.splitlines(), done.stdout + done.stderr


def test_run_options_of_the_command_line(tmp_path):
    program = PROGRAM.replace("print(\"end\")", "for i in range(3): sess.run(c, {x: [[i, 1.], [1., i]]})\nprint('end')")
    done = talk(["run -t 3", "lt", "run -n", "run -f has_inf_or_nan", "run -p", "run"], tmp_path, program)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "run-end: run #3" in done.stdout and done.stdout.endswith("end\n")


def test_programs_under_rill_debug(tmp_path):
    plain = PROGRAM.replace("sess = tf_debug.LocalCLIDebugWrapperSession(tf.Session(), ui_type=\"readline\")",
                            "sess = tf.Session()").replace("sess.add_tensor_filter", "0 and sess.add_tensor_filter")
    done = talk(["run", "pt b", "run"], tmp_path, plain, ("debug", "--ui_type=readline"))
    assert done.returncode == 0, done.stdout + done.stderr
    assert "array([[ 7., 10.]," in done.stdout and "end" in done.stdout.splitlines()


def test_eval_and_tables_under_rill_debug(tmp_path):
    """What tfdbg prints: columns of one width, and a summary under every evaluated tensor."""
    plain = PROGRAM.replace("sess = tf_debug.LocalCLIDebugWrapperSession(tf.Session(), ui_type=\"readline\")",
                            "sess = tf.Session()").replace("sess.add_tensor_filter", "0 and sess.add_tensor_filter")
    done = talk(["run", "pt c -s", "eval '`b:0` + 1.'", "run"], tmp_path, plain, ("debug", "--ui_type=readline"))
    assert done.returncode == 0, done.stdout + done.stderr
    assert "| -inf    + | total |\n|    1    3 |     4 |\n" in done.stdout, done.stdout
    assert "|       min       max      mean       std |\n| 1.0986123 2.7080503" in done.stdout, done.stdout
    assert "from eval of expression '`b:0` + 1.'" in done.stdout and "array([[ 8., 11.]," in done.stdout, done.stdout
    assert "| 4 |     4 |" in done.stdout, done.stdout


def test_notebooks(tmp_path):
    """They put functions of their own in the place of input() and of standard output."""
    program = PROGRAM.replace("a = tf.constant", textwrap.dedent("""
        import builtins, io, sys
        lines, own, sys.stdout = iter(["run", "pt b[0, :]", "run"]), sys.stdout, io.StringIO()
        builtins.input = lambda prompt="": next(lines)
        a = tf.constant"""), 1) + "own.write(sys.stdout.getvalue())\n"
    done = talk([], tmp_path, program.replace('ui_type="readline"', 'ui_type="curses"'))
    assert done.returncode == 0, done.stderr
    assert "run-start: run #1" in done.stdout and "array([ 7., 10.]" in done.stdout and done.stdout.endswith("end\n")


def test_offline_analyzer(tmp_path, products):
    session, x, y = products
    watched_run(session, y, tmp_path / "dumps", {x: [1., 2.]})

    def analyze(*flags, lines="lt\npt y\neval '`y:0` * 2'\nexit\n"):
        return subprocess.run([sys.executable, "-m", "tensorflow.python.debug.cli.offline_analyzer", *flags], input=lines,
                              capture_output=True, text=True, timeout=120, cwd=tmp_path,
                              env={**os.environ, "HOME": str(tmp_path), "PYTHONPATH": f"{ROOT}/python:{ROOT}/python/compat"})
    done = analyze(f"--dump_dir={tmp_path / 'dumps'}", "--ui_type=readline")
    assert done.returncode == 0, done.stderr
    for phrase in (f"tfdbg offline @ {tmp_path / 'dumps'}", "dumped tensor(s):", "array([ 4., 11.]", "array([ 8., 22.]"):
        assert phrase in done.stdout, (phrase, done.stdout)
    done = analyze()
    assert (done.returncode, done.stderr) == (1, "ERROR: dump_dir flag is empty.\n")
    done = subprocess.run([ROOT / "bin/rill", "debug", "--ui_type=readline", str(tmp_path / "dumps")], text=True,
                          input="pt y\nexit\n", capture_output=True, timeout=60, env={**os.environ, "HOME": str(tmp_path)})
    assert done.returncode == 0 and "array([ 4., 11.]" in done.stdout, done.stdout + done.stderr


RECORDED = """
import tensorflow as tf
x = tf.placeholder(tf.float32, [2], name="x")
w = tf.get_variable("w", [2], initializer=tf.ones_initializer())
noise = tf.random_uniform([2], name="noise")
root = tf.sqrt(tf.subtract(w, x, name="rest") + 0. * noise, name="root")
grow = tf.assign_add(w, [1., 1.], name="grow")
data = tf.data.make_one_shot_iterator(tf.data.Dataset.range(10)).get_next(name="element")
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    for i in range(4):
        print(sess.run([root, data], {x: [i * 2.5, 0.]})[1])
        sess.run(grow)
print("end")
"""


def test_going_back_in_a_program_that_has_ended(tmp_path):
    done = talk(["history", "back", "pt root", "find_first", "pt rest", "eval '`w:0` * 2'", "back 2", "pt element",
                 "track rest", "goto 77", "goto 1", "exit"],
                tmp_path, RECORDED, ("debug", "--ui_type=readline", "--record=20"))
    assert done.returncode == 0, done.stdout + done.stderr
    before, after = done.stdout.split("end\n", 1)
    assert before.split() == ["0", "1", "2", "3"]
    for phrase in ("recorded run #9:", "9 recorded run(s)", "recorded run #8:", "recorded run #4:", "array([-0.5,  2. ]",
                   "array([4., 4.]", "recorded run #2:", "array(0)", 'Tensor "rest:0" in 9', "#2  float[2]  min 1  mean 1",
                   "#3  was not made", "ERROR: there is no run #77; #1 to #9", "recorded run #1:"):
        assert phrase in after, (phrase, after)


def test_a_recorded_error_can_be_looked_at(tmp_path):
    program = RECORDED.replace("print(\"end\")", "    sess.run(tf.check_numerics(root, 'bad'), {x: [100., 0.]})")
    done = talk(["ri", "pt root", "exit"], tmp_path, program, ("debug", "--ui_type=readline", "--record"))
    assert done.returncode == 1 and "InvalidArgumentError" in done.stderr
    assert "!!! This run ended with an error:" in done.stdout and "array([nan," in done.stdout.replace(" ", ""), done.stdout


def test_recording_sessions():
    with tf.Graph().as_default():
        w = tf.Variable([1., 2.], name="w")
        drawn = tf.random_uniform([3], name="drawn")
        read = tf.py_func(lambda: np.float32(len(calls) or calls.append(1) or 7), [], tf.float32, name="read")
        y = tf.multiply(drawn, read, name="y")
        calls = []
        grow = tf.assign_add(w, [1., 1.])
        with tf_debug.RecordingDebugWrapperSession(tf.Session(), runs=3) as session:
            session.run(tf.global_variables_initializer())
            first = session.run(y)
            for _ in range(2):
                session.run(grow)
            assert session.recorded_runs() == [2, 3, 4]
            np.testing.assert_array_equal(session.value_in(2, y), first)
            assert session.value_in(2, "read:0") == 7 and session.value_in(3, y) is None
            np.testing.assert_array_equal(session.value_in(4, "w"[:] + ":0"), [2., 3.])
            np.testing.assert_array_equal(session.session.run(w), [3., 4.])
            with pytest.raises(OSError, match="no run #1; #2 to #4"):
                session.value_in(1, y)


@pytest.mark.slow
def test_tensorflow_reads_our_dumps_and_we_its(tmp_path, products):
    python = pathlib.Path(os.environ.get("RILL_ORACLE", ROOT / ".oracle")) / "bin" / "python"
    if not python.exists():
        pytest.skip("TensorFlow 2.15 is not there")
    session, x, y = products
    watched_run(session, y, tmp_path / "ours", {x: [1., 2.]})
    program = textwrap.dedent("""
        import sys
        import tensorflow.compat.v1 as tf
        from tensorflow.python.debug.lib import debug_data, debug_utils
        dump = debug_data.DebugDumpDir(sys.argv[1])
        print(sorted((d.watch_key, d.get_tensor().tolist()) for d in dump.dumped_tensor_data))
        print(dump.core_metadata.output_names, dump.devices(), dump.node_inputs("y"))
        tf.disable_v2_behavior()
        z = tf.negative(tf.constant([1., 2.], name="c"), name="scope/z")
        options = tf.RunOptions()
        with tf.Session() as session:
            debug_utils.watch_graph(options, session.graph, debug_urls="file://" + sys.argv[2])
            session.run(z, options=options)
    """)
    done = subprocess.run([python, "-c", program, str(tmp_path / "ours"), str(tmp_path / "theirs")], timeout=120,
                          capture_output=True, text=True)
    assert done.returncode == 0, done.stderr[-2000:]
    assert "('y:0:DebugIdentity', [4.0, 11.0])" in done.stdout
    assert "['y:0'] ['/job:localhost/replica:0/task:0/device:CPU:0']" in done.stdout
    dump = tf_debug.DebugDumpDir(str(tmp_path / "theirs"))
    np.testing.assert_array_equal(dump.get_tensors("scope/z", 0, "DebugIdentity")[0], [-1., -2.])
    assert dump.node_op_type("scope/z") == "Neg" and dump.node_inputs("scope/z") == ["c"]
