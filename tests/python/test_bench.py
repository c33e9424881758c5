"""`rill bench`: one's own models measured and explained. What is asserted are counts, never times."""
import json
import pathlib
import subprocess
import sys

import numpy as np
import pytest

import rill as tf

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "bench"))


def bench(*arguments):
    return subprocess.run([ROOT / "bin" / "rill", "bench", *map(str, arguments)], text=True, capture_output=True,
                          check=False)


def answer(*arguments):
    done = bench(*arguments, "--json", "-")
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


@pytest.fixture(scope="module")
def models(tmp_path_factory):
    """A SavedModel, and its graph with an input of unknown rank besides."""
    folder = tmp_path_factory.mktemp("models")
    with tf.Graph().as_default(), tf.Session() as session:
        x = tf.placeholder(tf.float32, [None, 8], name="x")
        weights = tf.get_variable("w", [8, 4])
        y = tf.nn.relu(tf.matmul(x, weights), name="y")
        session.run(tf.global_variables_initializer())
        tf.saved_model.simple_save(session, str(folder / "saved"), {"x": x}, {"y": y})
    with tf.Graph().as_default() as graph:
        ids = tf.placeholder(tf.int32, name="ids")
        tf.add(tf.gather(tf.constant(np.arange(10, dtype=np.float32)), ids), 1.0, name="found")
        (folder / "graph.pb").write_bytes(graph.as_graph_def().SerializeToString())
    np.savez(folder / "ids.npz", ids=np.array([[1, 2], [3, 4]], np.int32))
    np.savez_compressed(folder / "packed.npz", ids=np.array([3], np.int32))
    return folder


def test_a_saved_model_is_measured(models):
    speed = answer("model", models / "saved", "--batch", 3, "--millis", 5, "--threads", 2)["speed"]
    assert speed["batch"] == 3
    latency = speed["latency_seconds"]
    assert latency["runs"] >= 10
    assert latency["best"] <= latency["p50"] <= latency["p90"] <= latency["p99"]
    assert [row["threads"] for row in speed["throughput"]] == [1, 2]
    assert 0 < speed["memory_bytes"]["loaded"] <= speed["memory_bytes"]["peak"]


def test_a_graph_is_measured_with_shapes_and_arrays(models):
    graph = models / "graph.pb"
    for feeds in (["--shape", "ids=5"], ["--feeds", models / "ids.npz"], ["--feeds", models / "packed.npz"]):
        assert answer("model", "--graph", graph, "--millis", 1, "--threads", 1, *feeds)["speed"]["batch"] in (5, 2, 1)


def test_the_text_names_inputs_and_figures(models):
    text = bench("model", models / "saved", "--millis", 1).stdout
    for part in ("input          x float[1,8]", "p50", "p99", "examples/s", "MiB"):
        assert part in text


@pytest.mark.parametrize("arguments, status, phrase", [
    ([], 2, "needs one model"), (["model", "/nothing/there"], 1, "/nothing/there"),
    (["model", "saved", "--shape", "x"], 2, "--shape"), (["model", "saved", "--batch", "-1"], 2, "--batch"),
    (["model", "saved", "--shape", "z=1"], 1, "no input z"), (["model", "graph.pb"], 1, "--shape ids"),
    (["model", "graph.pb", "--outputs", "nothing"], 1, "no tensor nothing")])
def test_what_makes_no_sense_is_refused(models, arguments, status, phrase):
    places = [models / word if (models / word).exists() else word for word in arguments]
    done = bench(*places)
    assert done.returncode == status
    assert phrase in done.stderr


def test_explain_splits_a_step_over_kernels(models):
    found = answer("--explain", models / "saved", "--batch", 16, "--threads", 1)["explanation"]
    products = [row for row in found["ops"] if "MatMul" in row["op"]]
    assert [row["flops"] for row in products] == [2 * 16 * 8 * 4]
    assert found["nodes"] == len(found["kernels"])
    assert sum(row["seconds"] for row in found["kernels"]) == pytest.approx(found["kernel_seconds"], rel=1e-3)
    assert found["peaks"]["gflops_float"] > 0
    text = bench("--explain", models / "saved", "--threads", 1).stdout
    for part in ("Passes and rewrites", "The machine's peak", "By op", "of peak"):
        assert part in text


def test_rewrites_that_are_off_do_not_fire(models, monkeypatch):
    monkeypatch.setenv("RILL_REWRITES_OFF", "all")
    found = answer("--explain", models / "saved", "--threads", 1)["explanation"]
    assert {"MatMul", "Relu"} <= {row["op"] for row in found["ops"]}
    from_rewrites = {row["name"] for row in found["passes"]} - {
        "inline_calls", "ref_variable_reads", "fold_constants", "fold_conditional", "drop_identities", "dead_code",
        "common_subexpressions"}
    assert not from_rewrites


def test_groups_have_workloads_of_different_names():
    from workloads import GROUPS
    for group in GROUPS:
        names = [one.name for one in group.workloads()]
        assert names and len(set(names)) == len(names), group.name


def test_ratios_and_means():
    import report
    from cpp import Peaks
    from workloads import Group, Workload
    group = Group("g", "", "", mean=0.5)
    values = {"rill": 1.03, "tensorflow": 1.0, "torch": 2.0}
    row = report.Row(group, Workload("w", flops=90.0), values, {})
    assert row.ratio() == pytest.approx(1.03)
    assert row.is_slow(peaks=None)
    assert not row.is_slow(Peaks(flops=100.0, bytes=1.0))  # the rival is at 90 % of the peak
    assert row.is_slow(Peaks(flops=1000.0, bytes=1.0))
    moving = report.Row(group, Workload("w", bytes=90.0), values, {})
    assert not moving.is_slow(Peaks(flops=1.0, bytes=100.0))
    assert moving.is_slow(Peaks(flops=1.0, bytes=1000.0))
    assert report.best_decile([None, 5.0, *map(float, range(19))]) == 2.0
    assert report.geometric_mean([0.25, 1.0, None]) == pytest.approx(0.5)
    table = report.as_json([row], {})
    assert table["groups"]["g"]["geometric_mean"] == pytest.approx(1.03)


def test_a_worker_answers_line_by_line(tmp_path):
    command = [sys.executable, ROOT / "bench" / "worker.py", "rill", "latency", "1", tmp_path, "0.001", "wall"]
    done = subprocess.run(command, input="feed_fetch_scalar\nnoop_run\nnobody\n", text=True, capture_output=True,
                          check=True, env={"PYTHONPATH": f"{ROOT}/python:{ROOT}/python/compat"})
    scalar, nothing, unknown = map(json.loads, done.stdout.splitlines())
    assert scalar["value"] > 0 and scalar["shape"] == []
    assert nothing["value"] > 0 and nothing["shape"] is None
    assert "nobody" in unknown["refused"]


def test_what_is_installed_stays_small():
    import workloads_start
    assert workloads_start.rill_package() < 88e6
