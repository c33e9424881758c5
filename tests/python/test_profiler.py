"""tf.profiler: views beside TensorFlow's of the same steps, files, and steps traced here."""

import base64
import gzip
import json
import lzma
import pathlib
import subprocess
import sys

import numpy as np
import pytest

import rill as tf
from rill import _rill
from rill.proto import module as proto_module

ROOT = pathlib.Path(__file__).resolve().parents[2]
GOLDENS = json.loads(lzma.decompress((ROOT / "tests/golden/profiler.json.xz").read_bytes()))
Builder = tf.profiler.ProfileOptionBuilder

sys.path.insert(0, str(ROOT / "tests" / "profiler"))
from profiler_views import views  # noqa: E402


@pytest.fixture(scope="module")
def models():
    made = {}
    for name, golden in GOLDENS.items():
        made[name] = model = _rill.ProfiledModel()
        model.add_graph(base64.b64decode(golden["graph"]))
        model.add_op_log(base64.b64decode(golden["op_log"]))
        for number, step in enumerate(golden["steps"]):
            model.add_step(number, base64.b64decode(step))
    return made


def report(model, command, options):
    """What stands after "Profile:"."""
    message = tf.profiler._options_proto(options)
    text, _ = model.look(command, message)
    return text.partition("Profile:\n")[2].partition("\n======================End")[0]


@pytest.mark.parametrize("name", GOLDENS)
def test_views_are_those_of_tensorflow(models, name):
    golden = GOLDENS[name]
    asked = list(views(len(golden["steps"])))
    assert len(asked) == len(golden["views"]) > 80
    different = []  # rows with the same figure have no order
    for view, command, options in asked:
        ours, theirs = (text.splitlines() if options["order_by"] == "name" else sorted(text.splitlines())
                        for text in (report(models[name], command, options), golden["views"][view]))
        if ours != theirs:
            different.append(view)
    assert different == []


def small_net():
    x = tf.placeholder(tf.float32, [None, 8], name="x")
    with tf.variable_scope("net"):
        w = tf.get_variable("w", [8, 16])
        b = tf.get_variable("b", [16])
        rows = tf.abs(x)  # what is fed itself has no shape in a step's statistics
        product = tf.matmul(rows, w)
        return x, [product, tf.nn.relu(tf.nn.bias_add(product, b)), rows]  # fetched, so that nothing is fused away


def traced_step(fetch, feeds):
    session = tf.Session()
    session.run(tf.global_variables_initializer())
    metadata = tf.RunMetadata()
    session.run(fetch, feeds, options=tf.RunOptions(trace_level=tf.RunOptions.FULL_TRACE), run_metadata=metadata)
    return metadata


def test_parameters_are_counted_and_printed(capsys):
    small_net()
    assert tf.profiler.profile(tf.get_default_graph()).total_parameters == 8 * 16 + 16
    printed = capsys.readouterr().out
    assert "-account_type_regexes       _trainable_variables\n" in printed
    assert "  net (--/144 params)\n    net/b (16, 16/16 params)\n    net/w (8x16, 128/128 params)\n" in printed


def test_float_operations_take_shapes_from_the_step():
    x, y = small_net()
    options = Builder(Builder.float_operation()).with_empty_output().build()
    product, initializers = 2 * 8 * 4 * 16, tf.profiler.profile(options=options).total_float_ops
    metadata = traced_step(y, {x: np.ones([4, 8], "f")})
    counted = tf.profiler.profile(run_meta=metadata, options=options).total_float_ops
    assert counted == initializers + product + 4 * 16


def test_every_view_of_a_step_traced_here(capsys):
    x, y = small_net()
    profiler = tf.profiler.Profiler(tf.get_default_graph())
    for step in (0, 10):
        profiler.add_step(step, traced_step(y, {x: np.ones([4, 8], "f")}))
    options = Builder(Builder.time_and_memory(min_micros=0, min_bytes=0)).select(["micros", "occurrence"]).build()
    scopes, graph = profiler.profile_name_scope(options), profiler.profile_graph(options)
    ops, code = profiler.profile_operations(options), profiler.profile_python(options)
    assert scopes.total_exec_micros == graph.total_exec_micros == ops.total_exec_micros > 0
    assert "test_profiler.py" in capsys.readouterr().out
    assert code.children and code.total_exec_micros <= ops.total_exec_micros
    again = proto_module("tensorflow/core/profiler/tfprof_log.proto").ProfileProto.FromString(
        profiler.serialize_to_string())
    assert list(again.steps) == [0, 10] and again.has_trace


def test_options_are_built_like_tensorflows():
    built = (Builder().with_max_depth(3).with_min_memory(1, 2, 3, 4).with_min_execution_time(5, 6, 7)
             .with_min_parameters(8).with_min_occurrence(9).with_min_float_operations(10).with_step(2)
             .with_accounted_types(["a"]).with_node_names(show_name_regexes=["b"]).order_by("params")
             .select(["params"]).with_file_output("/tmp/x").account_displayed_op_only(True).build())
    assert built["min_residual_bytes"] == 3 and built["min_cpu_micros"] == 7
    assert built["start_name_regexes"] == [".*"] and built["show_name_regexes"] == ["b"]
    assert built["output"] == "file:outfile=/tmp/x"
    kept = Builder(built)
    kept.build()["select"].append("bytes")
    assert kept.build() == built and kept.build() is not built


def test_files(tmp_path):
    x, y = small_net()
    metadata = traced_step(y, {x: np.ones([4, 8], "f")})
    base = Builder(Builder.time_and_memory(min_micros=0, min_bytes=0))

    def write(command, how, select=("micros",)):
        path = str(tmp_path / f"{command}_{how}")
        options = getattr(base.select(list(select)), f"with_{how}_output")(path).build()
        tf.profiler.profile(run_meta=metadata, cmd=command, options=options)
        return path

    assert "node name | total execution time" in pathlib.Path(write("scope", "file")).read_text()
    events = json.loads(pathlib.Path(write("graph", "timeline") + "_0").read_text())["traceEvents"]
    assert {"net/MatMul", "net/Relu"} <= {event["name"] for event in events if event["ph"] == "X"}
    assert json.loads(pathlib.Path(write("scope", "timeline") + "_-1").read_text())["traceEvents"]
    profile = proto_module("tensorflow/core/profiler/profile.proto").Profile.FromString(
        gzip.decompress(pathlib.Path(write("code", "pprof")).read_bytes()))
    texts = list(profile.string_table)
    assert texts[0] == "" and "test_profiler:small_net" in texts and "microseconds" in texts
    locations = {location.id for location in profile.location}
    assert profile.sample and all(set(sample.location_id) <= locations for sample in profile.sample)
    for command, how, select in (("op", "timeline", ["micros"]), ("scope", "pprof", ["micros"]),
                                 ("code", "pprof", ["micros", "bytes"])):
        with pytest.raises(tf.errors.InvalidArgumentError):
            write(command, how, select)


def test_advice(capsys):
    x, y = small_net()
    with tf.name_scope("BatchNorm"):
        y = tf.identity(y[1])
    advice = tf.profiler.advise(run_meta=traced_step(y, {x: np.ones([4, 8], "f")}))
    assert list(advice.checkers["OperationChecker"].reports) == [
        "Maybe use faster FusedBatchNorm instead of BatchNorm"]
    assert "top 1 operation type: " in advice.checkers["ExpensiveOperationChecker"].reports[0]
    assert "ExpensiveOperationChecker:\n" in capsys.readouterr().out
    assert not tf.profiler.advise(options={}).checkers


def test_wrong_wishes_are_errors():
    small_net()
    for options in (Builder().with_node_names(show_name_regexes=["("]).build(), {"output": "paper"},
                    {"output": "file:"}, {"output": "file:outfile"}):
        with pytest.raises(tf.errors.InvalidArgumentError):
            tf.profiler.profile(options=options)
    with pytest.raises(tf.errors.InvalidArgumentError, match="unknown cmd: street"):
        tf.profiler.profile(cmd="street")
    with pytest.raises(ValueError):
        _rill.ProfiledModel().add_graph(b"\xff\xff")


def test_the_command_reads_what_programs_write(tmp_path):
    x, y = small_net()
    metadata = traced_step(y, {x: np.ones([4, 8], "f")})
    tf.train.write_graph(tf.get_default_graph(), str(tmp_path), "graph.pb", as_text=False)
    (tmp_path / "run").write_bytes(metadata.SerializeToString())
    tf.profiler.write_op_log(tf.get_default_graph(), str(tmp_path), run_meta=metadata)
    files = [f"--graph_path={tmp_path}/graph.pb", f"--run_meta_path={tmp_path}/run",
             f"--op_log_path={tmp_path}/tfprof_log"]

    def rill(*arguments, typed=""):
        done = subprocess.run([ROOT / "bin" / "rill", "profile", *files, *arguments], input=typed, text=True,
                              capture_output=True, timeout=60)
        return done.returncode, done.stdout + done.stderr

    status, text = rill("op", "-select", "float_ops", "-min_float_ops", "1", "-order_by", "float_ops")
    assert status == 0 and "MatMul " in text and "float_ops (100.00%" in text
    status, text = rill(typed="scope -select params -account_type_regexes '_trainable_variables'\nset -max_depth x\n\n")
    assert status == 0 and "net/w (8x16, 128/128 params)" in text
    assert "Invalid option '-max_depth' value: 'x'" in text and "-max_depth                  10\n" in text
    assert rill("street")[0] == 1


def test_trees_of_any_depth(capsys):
    graph = proto_module("tensorflow/core/framework/graph.proto").GraphDef()
    graph.node.add(name="n0", op="Const")
    for i in range(1, 60_000):
        graph.node.add(name=f"n{i}", op="Identity", input=[f"n{i - 1}"])
    graph.node.add(name="/".join("a" * 60_000), op="Const")
    model = _rill.ProfiledModel()
    model.add_graph(graph)
    options = Builder().with_max_depth(3).select(["occurrence"]).build()
    for command in ("graph", "scope", "op"):
        text, _ = model.look(command, tf.profiler._options_proto(options))
        assert "node name | op" in text
    x = tf.constant(1.0)
    for _ in range(200):
        x = tf.negative(x)
    view = tf.profiler.profile(cmd="graph", options=Builder().with_max_depth(10_000).build())
    printed = capsys.readouterr()
    assert "Neg_199" in printed.out and "Cannot parse returned proto" in printed.err and not view.children


def test_flame_graphs(tmp_path):
    from xml.etree import ElementTree
    x, y = small_net()
    metadata = traced_step(y, {x: np.ones([4, 8], "f")})
    path = tmp_path / "flame.svg"
    options = Builder(Builder.time_and_memory(min_micros=0, min_bytes=0)).select(["params"]).with_flame_graph_output(
        str(path)).build()
    tf.profiler.profile(run_meta=metadata, cmd="scope", options=options)
    bars = {bar.get("data-name"): bar for bar in ElementTree.parse(path).iter("{http://www.w3.org/2000/svg}g")}
    assert bars["all"].get("data-w") == bars["net"].get("data-w") == "1"
    assert float(bars["net/w"].get("data-w")) == pytest.approx(128 / 144)
    assert float(bars["net/w"].get("data-x")) == pytest.approx(16 / 144)  # beside net/b, which is first by name
    assert bars["net/w"].get("data-d") == "2"
    with pytest.raises(tf.errors.InvalidArgumentError, match="no flame graph"):
        tf.profiler.profile(run_meta=metadata, cmd="op", options=options)
    with pytest.raises(tf.errors.InvalidArgumentError, match="one figure"):
        tf.profiler.profile(run_meta=metadata, cmd="scope", options={**options, "select": ["params", "micros"]})


def test_devices_for_pprof(tmp_path, capsys):
    from tensorflow.python.profiler import pprof_profiler
    x, y = small_net()
    metadata = traced_step(y, {x: np.ones([4, 8], "f")})
    paths = pprof_profiler.profile(tf.get_default_graph(), metadata, str(tmp_path / "made"))
    assert len(paths) == 1
    name = pathlib.Path(paths[0]).name
    assert name.startswith("job_localhost_replica_0_task_0_device_CPU_0_") and name.endswith(".pb.gz")
    profile = proto_module("tensorflow/core/profiler/profile.proto").Profile.FromString(
        gzip.decompress(pathlib.Path(paths[0]).read_bytes()))
    texts = profile.string_table
    assert [(texts[t.type], texts[t.unit]) for t in profile.sample_type] == [
        ("count", "count"), ("all_time", "nanoseconds"), ("op_time", "nanoseconds")]
    assert [texts[c] for c in profile.comment] == ["Device 1 of 1: /job:localhost/replica:0/task:0/device:CPU:0"]
    labels = [{texts[label.key]: texts[label.str] for label in sample.label} for sample in profile.sample]
    assert {"node_name": "net/MatMul", "op_type": "MatMul"} in labels
    product = profile.sample[labels.index({"node_name": "net/MatMul", "op_type": "MatMul"})]
    assert product.value[0] == 1 and product.value[1] >= product.value[2] > 0
    functions = {f.id: texts[f.name] for f in profile.function}
    frames = {place.id: functions[place.line[0].function_id] for place in profile.location}
    assert frames[product.location_id[0]] == "small_net" and "test_devices_for_pprof" in [
        frames[place] for place in product.location_id]
    assert pprof_profiler.profile(tf.get_default_graph(), metadata) == []
    assert "No output directory specified" in capsys.readouterr().out


def test_costs_of_nodes():
    x, y = small_net()
    config = tf.ConfigProto(graph_options=tf.GraphOptions(build_cost_model=2, build_cost_model_after=1))
    with tf.Session(config=config) as session:
        session.run(tf.global_variables_initializer())
        told = []
        for _ in range(5):
            metadata = tf.RunMetadata()
            session.run(y, {x: np.ones([4, 8], "f")}, run_metadata=metadata)
            told.append(metadata.HasField("cost_graph"))
            assert bool(metadata.step_stats.dev_stats) == told[-1]
        assert told == [False, False, True, False, True]
        metadata = tf.RunMetadata()
        for _ in range(2):
            session.run(y, {x: np.ones([4, 8], "f")}, run_metadata=metadata)
    nodes = {node.name: node for node in metadata.cost_graph.node}
    product = nodes["net/MatMul"]
    assert [nodes[name].id for name in ("_SOURCE", "_SINK")] == [0, 1]
    assert product.output_info[0].size == 4 * 16 * 4 and [d.size for d in product.output_info[0].shape.dim] == [4, 16]
    assert nodes["net/Abs"].id in [info.preceding_node for info in product.input_info]


def test_when_a_node_could_have_run():
    x, y = small_net()
    metadata = traced_step(y, {x: np.ones([4, 8], "f")})
    nodes = {node.node_name: node for node in metadata.step_stats.dev_stats[0].node_stats}
    for node in nodes.values():
        assert node.scheduled_micros <= node.all_start_micros and node.scheduled_nanos <= node.all_start_nanos
        assert 0 <= node.op_start_rel_nanos <= node.op_end_rel_nanos <= node.all_end_rel_nanos
        assert node.all_end_rel_micros >= 1
    made, read = nodes["net/MatMul"], nodes["net/BiasAdd"]
    assert read.scheduled_nanos >= made.all_start_nanos + made.op_end_rel_nanos - 2000  # of clocks in microseconds
    assert made.memory[0].allocator_name == "cpu" and made.memory[0].allocation_records[0].alloc_bytes == 256


def test_a_context_traces_the_runs_it_is_told_to(tmp_path):
    quiet = Builder(Builder.trainable_variables_parameter()).with_empty_output().build()
    with pytest.raises(ValueError, match="Must have a directory"):
        tf.contrib.tfprof.ProfileContext("")
    with pytest.raises(ValueError, match="100 steps"):
        tf.contrib.tfprof.ProfileContext(str(tmp_path), trace_steps=range(101))
    with tf.Graph().as_default():
        x, y = small_net()
        with tf.contrib.tfprof.ProfileContext(str(tmp_path), trace_steps=[1, 3], dump_steps=[4]) as context:
            context.add_auto_profiling("scope", quiet, [2, 4])
            with tf.Session() as session:
                session.run(tf.global_variables_initializer())
                for i in range(6):
                    if i == 4:
                        context.dump_next_step()
                    session.run(y, {x: np.ones([4, 8], "f")})
            views = context.get_profiles("scope")
            assert {step: view.total_parameters for step, view in views.items()} == {2: 144, 4: 144}
            with pytest.raises(ValueError, match="No autoprofiler for command: op, was run"):
                context.get_profiles("op")
            log = proto_module("tensorflow/core/profiler/tfprof_log.proto").ProfileProto.FromString(
                context.profiler.serialize_to_string())
            assert list(log.steps) == [1, 3]
        assert sorted(path.name for path in tmp_path.iterdir()) == ["profile_4", "profile_5"]
        with tf.contrib.tfprof.ProfileContext(None, enabled=False), tf.Session() as session:
            session.run(tf.constant(1))


def test_a_context_chooses_for_itself(tmp_path):
    with tf.Graph().as_default(), tf.contrib.tfprof.ProfileContext(str(tmp_path)) as context:
        x, y = small_net()
        with tf.Session() as session:
            session.run(tf.global_variables_initializer())
            for _ in range(12):
                session.run(y, {x: np.ones([4, 8], "f")})
        log = proto_module("tensorflow/core/profiler/tfprof_log.proto").ProfileProto.FromString(
            context.profiler.serialize_to_string())
        assert log.steps[0] == 11 and len(log.steps) <= 2  # after the first ten, what was not seen before


def test_the_names_of_contrib(capsys, tmp_path):
    analyzer = tf.contrib.tfprof.model_analyzer
    small_net()
    shown = analyzer.print_model_analysis(tf.get_default_graph(),
                                          tfprof_options=analyzer.TRAINABLE_VARS_PARAMS_STAT_OPTIONS)
    assert shown.total_parameters == 144 and "net/w (8x16, 128/128 params)" in capsys.readouterr().out
    tf.contrib.tfprof.tfprof_logger.write_op_log(tf.get_default_graph(), str(tmp_path))
    assert (tmp_path / "tfprof_log").exists()


def test_tables_of_the_stat_summarizer():
    x, y = small_net()
    summarizer = tf.contrib.stat_summarizer.NewStatSummarizer(tf.get_default_graph().as_graph_def().SerializeToString())
    for _ in range(2):
        summarizer.ProcessStepStats(traced_step(y, {x: np.ones([4, 8], "f")}).step_stats)
    summarizer.ProcessStepStatsStr(traced_step(y, {x: np.ones([4, 8], "f")}).step_stats.SerializeToString())
    text = summarizer.GetOutputString()
    assert text.startswith("=" * 30 + " Run Order " + "=" * 30 + "\n\t             [node type]\t  [start]\t  [first]")
    row = [line.split("\t") for line in text.splitlines() if line.endswith("\tnet/MatMul")][0]
    assert row[1].strip() == "MatMul" and row[8].strip() == "1"
    assert "Timings (microseconds): count=3" in text
    tf.contrib.stat_summarizer.DeleteStatSummarizer(summarizer)


def test_accelerators_that_wait_are_told():
    """A node belongs to the first device it was seen on; the time counts from when the host began it."""
    with tf.Graph().as_default() as graph:
        tf.nn.relu(tf.placeholder(tf.float32, name="x"), name="relu")
    metadata = tf.RunMetadata()
    for device, start, micros in (("GPU:0", 1000, 30), ("GPU:0/stream:all", 1600, 400)):
        stats = metadata.step_stats.dev_stats.add(device=f"/job:localhost/replica:0/task:0/device:{device}")
        name = "relu:Relu" if "stream" in device else "relu"
        stats.node_stats.add(node_name=name, all_start_micros=start, op_end_rel_micros=micros, all_end_rel_micros=micros)
    options = {"AcceleratorUtilizationChecker": {}}
    advice = tf.profiler.advise(graph, run_meta=metadata, options=options)
    assert list(advice.checkers["AcceleratorUtilizationChecker"].reports) == [
        "device: /job:localhost/replica:0/task:0/device:gpu:0 low utilization: 0.40"]
