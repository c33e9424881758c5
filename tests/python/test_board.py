"""`rill board`: what its routes answer, who may ask, and what broken logs do."""
import json
import subprocess
import time
import urllib.error
import urllib.request

import pytest

import rill as tf
from board_process import HOSTILE, RILL, Board, text_value, write_everything, write_run


@pytest.fixture
def board():
    boards = []

    def start(*flags):
        boards.append(Board(*flags))
        return boards[-1].wait()

    yield start
    for one in boards:
        one.stop()


def refusal(call):
    with pytest.raises(urllib.error.HTTPError) as caught:
        call()
    return caught.value.code, caught.value.read().decode()


def test_scalars_are_those_that_were_written(board, tmp_path):
    write_run(tmp_path / "a", 0.1)
    write_run(tmp_path / "nested/b", 0.5)
    shown = board("--logdir", tmp_path)
    assert sorted(shown.ask("runs")) == ["a", "nested/b"]
    assert shown.ask("logdir") == {"logdir": str(tmp_path)}
    tags = shown.ask("plugin/scalars/tags")
    assert tags == {run: {"loss": {"displayName": "", "description": ""}} for run in ("a", "nested/b")}
    points = shown.ask("plugin/scalars/scalars", run="nested/b", tag="loss")
    assert [step for _, step, _ in points] == list(range(20))
    assert [value for _, _, value in points] == pytest.approx([1 / (1 + .5 * step) for step in range(20)])
    lines = shown.fetch("data/plugin/scalars/scalars", run="a", tag="loss", format="csv").decode().split("\r\n")
    assert lines[0] == "Wall time,Step,Value"
    assert len(lines) == 22 and lines[1].endswith(",0,1.0")
    several = shown.fetch("data/plugin/scalars/scalars_multirun", b"tag=loss&runs=a&runs=nested/b&runs=none",
                          {"Content-Type": "application/x-www-form-urlencoded"})
    assert b'"a":[[' in several and b'"nested/b"' in several and b"none" not in several


def test_each_part_of_the_dashboard_has_what_a_graph_wrote(board, tmp_path):
    write_everything(tmp_path)
    shown = board("--logdir", tmp_path)
    enabled = {name for name, part in shown.ask("plugins_listing").items() if part["enabled"]}
    assert enabled == {"scalars", "images", "audio", "graphs", "histograms", "distributions", "text", "projector"}
    (image,) = shown.ask("plugin/images/images", run=".", tag="noise/image")[-1:]
    assert shown.fetch("data/plugin/images/individualImage?" + image["query"]).startswith(b"\x89PNG")
    (clip,) = shown.ask("plugin/audio/audio", run=".", tag="tone/audio/0")[-1:]
    assert shown.fetch("data/plugin/audio/individualAudio?" + clip["query"]).startswith(b"RIFF")
    (text,) = shown.ask("plugin/text/text", run=".", tag="note")[-1:]
    assert text["text"] == "<h1>Head</h1>\n<p><strong>bold</strong> text</p>"
    (_, step, buckets) = shown.ask("plugin/histograms/histograms", run=".", tag="h")[-1]
    assert step == 5 and sum(count for _, _, count in buckets) == 16
    (_, _, quantiles) = shown.ask("plugin/distributions/distributions", run=".", tag="h")[-1]
    assert [point for point, _ in quantiles] == [0, 668, 1587, 3085, 5000, 6915, 8413, 9332, 10000]
    info = shown.ask("plugin/graphs/info")["."]
    assert info["run_graph"] and info["tags"]["last step"]["profile"]
    assert b'name: "layer1/dense/MatMul"' in shown.fetch("data/plugin/graphs/graph", run=".")
    assert b"dev_stats" in shown.fetch("data/plugin/graphs/run_metadata", run=".", tag="last step")
    (matrix,) = [one for one in shown.ask("plugin/projector/info", run=".")["embeddings"] if one["tensorName"] == "dense/kernel"]
    assert matrix["tensorShape"] == [3, 8]
    assert len(shown.fetch("data/plugin/projector/tensor", run=".", name="dense/kernel")) == 3 * 8 * 4
    for method in ("pca", "tsne", "umap"):
        assert len(shown.fetch("data/rill/projection", run=".", name="dense/kernel", method=method, dimensions=2)) == 3 * 2 * 4
    assert shown.ask("rill/trace", run=".", tag="last step")["devices"][0]["spans"]


def test_graphs_unfold_search_and_trace(board, tmp_path):
    write_everything(tmp_path)
    shown = board("--logdir", tmp_path)
    folded = shown.ask("rill/graph", run=".")
    assert {"layer1", "gradients", "x"} <= {box["path"] for box in folded["boxes"]}
    opened = shown.ask("rill/graph", run=".", open=["layer1", "layer1/dense"], trace="layer1/dense/MatMul")
    boxes = {box["path"]: box for box in opened["boxes"]}
    inner, outer = boxes["layer1/dense/MatMul"]["box"], boxes["layer1"]["box"]
    assert outer[0] < inner[0] and inner[0] + inner[2] < outer[0] + outer[2]
    assert boxes["x"]["traced"] and "traced" not in boxes["gradients"]
    assert any(line.get("label") == "?×3" for line in opened["lines"])
    assert "layer1/dense/MatMul" in shown.ask("rill/graph_search", run=".", q="matmul")
    node = shown.ask("rill/graph_node", run=".", path="layer1/dense/MatMul", metadata="last step")
    assert node["op"] == "MatMul" and {"name": "x", "shape": "?×3"} in node["inputs"]
    graph = tf.GraphDef(node=[tf.NodeDef(name="a/b", op="NoOp")]).SerializeToString()
    key = json.loads(shown.fetch("data/rill/graph_upload", graph))["upload"]
    assert [box["path"] for box in shown.ask("rill/graph", upload=key)["boxes"]] == ["a"]
    assert refusal(lambda: shown.fetch("data/rill/graph_upload", b"no graph"))[0] == 400


def test_news_come_within_a_second(board, tmp_path):
    writer = tf.summary.FileWriter(str(tmp_path / "a"))
    shown = board("--logdir", tmp_path)
    version = shown.ask("rill/overview")["version"]
    writer.add_summary(tf.Summary(value=[tf.Summary.Value(tag="live", simple_value=1)]), 1)
    writer.flush()
    started = time.monotonic()
    while not shown.ask("plugin/scalars/tags"):
        version = shown.ask("rill/changes", version=version)["version"]
    assert time.monotonic() - started < 5  # a busy machine; alone it takes less than one
    writer.close()


def test_several_directories_have_names(board, tmp_path):
    write_run(tmp_path / "x/r")
    write_run(tmp_path / "y")
    shown = board("--logdir_spec", f"one:{tmp_path}/x,two:{tmp_path}/y")
    assert sorted(shown.ask("runs")) == ["one/r", "two"]


def test_other_sites_and_strangers_may_not_ask(board, tmp_path):
    write_run(tmp_path)
    shown = board("--logdir", tmp_path)
    assert refusal(lambda: shown.fetch("data/runs", None, {"Host": "evil.example"}))[0] == 403
    assert refusal(lambda: shown.fetch("data/rill/chart", b"{}", {"Origin": "http://evil.example"}))[0] == 403
    everywhere = board_with_token(tmp_path)
    try:
        assert "token=" in everywhere.url
        status, text = refusal(lambda: everywhere.fetch("data/runs"))
        assert status == 401 and everywhere.url.split("token=")[1] not in text
        token = everywhere.url.split("token=")[1]
        assert everywhere.fetch("data/runs", None, {"Authorization": f"Bearer {token}"}) == b'["."]'
        assert everywhere.fetch("data/runs", None, {"Cookie": f"a=b; rill_board_token={token}"}) == b'["."]'
        assert everywhere.fetch("data/runs", token=token) == b'["."]'
        assert refusal(lambda: everywhere.fetch("data/runs", token=token[:-1]))[0] == 401
    finally:
        everywhere.stop()


def board_with_token(folder):
    return Board("--logdir", folder, "--bind_all")


def test_it_stands_behind_a_proxy(board, tmp_path):
    write_run(tmp_path)
    shown = board("--logdir", tmp_path, "--path_prefix", "/logs/")
    assert shown.base.endswith("/logs/")
    assert shown.ask("runs") == ["."]
    assert b"<title>" in shown.fetch("")
    outside = shown.base.replace("/logs/", "/data/runs")
    assert refusal(lambda: urllib.request.urlopen(outside))[0] == 404


def test_no_path_leads_out_of_the_logs(board, tmp_path):
    logs = tmp_path / "logs"
    write_run(logs)
    (tmp_path / "secret.tsv").write_text("1\t2\n")
    (logs / "inside.tsv").write_text("1\t2\n3\t4\n")
    (logs / "projector_config.pbtxt").write_text(
        'embeddings { tensor_name: "ok" tensor_path: "inside.tsv" metadata_path: "../secret.tsv" }')
    shown = board("--logdir", logs)
    assert shown.ask("plugin/projector/runs") == ["."]
    assert len(shown.fetch("data/plugin/projector/tensor", run=".", name="ok")) == 16
    status, text = refusal(lambda: shown.fetch("data/plugin/projector/metadata", run=".", name="ok"))
    assert status == 403 and "not below" in text
    for path in ("../../etc/passwd", "..%2f..%2fetc/passwd", "web/../../x", "data/../runs"):
        assert refusal(lambda path=path: shown.fetch(path))[0] == 404


def test_hostile_texts_are_escaped_and_broken_files_end_nothing(board, tmp_path):
    write_run(tmp_path / "a", tag=HOSTILE, more=[text_value("note", HOSTILE.encode())])
    (tmp_path / "b").mkdir()
    (tmp_path / "b/events.out.tfevents.1").write_bytes(b"\xff" * 1000)
    (tmp_path / "c").mkdir()
    good = next((tmp_path / "a").iterdir()).read_bytes()
    (tmp_path / "c/events.out.tfevents.1").write_bytes(good[:-7] + b"\0" * 40)
    shown = board("--logdir", tmp_path)
    assert shown.ask("plugin/scalars/tags")["a"].keys() == {HOSTILE}
    assert "<script" not in shown.ask("plugin/text/text", run="a", tag="note")[0]["text"]
    damages = shown.ask("rill/overview")["damages"]
    assert len(damages) == 2 and all("corrupted record" in text for text in damages)
    for path in ("plugin/scalars/scalars", "plugin/images/individualImage", "plugin/mesh/data", "rill/graph", "rill/query?q=((",
                 "plugin/hparams/experiment?request=[", "plugin/scalars/scalars?run=a&tag=none"):
        assert refusal(lambda path=path: shown.fetch("data/" + path))[0] in (400, 404)
    assert shown.ask("runs")


def test_runs_are_asked_for(board, tmp_path):
    for name, rate in (("slow", .01), ("quick", 1.), ("middle", .1)):
        write_run(tmp_path / name, rate)
    shown = board("--logdir", tmp_path)
    rows = lambda q: [row["run"] for row in shown.ask("rill/query", q=q)["rows"]]
    assert rows("loss < 0.5 sort loss.min") == ["quick", "middle"]
    assert rows("loss.last > 0.5 or run ~ \"^q\" sort run desc") == ["slow", "quick"]
    assert rows("not (loss.step = 19)") == []
    assert rows("sort loss desc limit 1") == ["slow"]
    assert shown.ask("rill/query", q="loss.mean > 0")["columns"] == ["loss.mean"]
    assert "Expected" in refusal(lambda: shown.ask("rill/query", q="loss > "))[1]
    hits = shown.ask("rill/search", q="QUICK")
    assert hits == [{"kind": "run", "run": "quick", "tag": "", "text": "quick"}]


def test_charts_are_thinned_where_they_are_drawn(board, tmp_path):
    write_run(tmp_path, steps=5000)
    shown = board("--logdir", tmp_path)
    body = shown.fetch("data/rill/chart", json.dumps({"tag": "loss", "runs": ["."], "columns": 100, "smoothing": 0.9}).encode())
    size = int.from_bytes(body[:4], "little")
    (head,) = json.loads(body[4:4 + size])
    assert head["total"] == 5000 and 100 <= head["count"] <= 900
    assert len(body) == 4 + size + 5 * 8 * head["count"]


def run(*words):
    return subprocess.run([RILL, "board", *map(str, words)], capture_output=True, text=True, timeout=60)


def test_the_command_line(tmp_path):
    write_run(tmp_path / "r")
    told = run("--inspect", "--logdir", tmp_path)
    assert told.returncode == 0 and "num_steps            20" in told.stdout and "   loss" in told.stdout
    report = tmp_path / "report.html"
    assert run("--logdir", tmp_path, "--report", report).returncode == 0
    assert "<path" in report.read_text() and "<script" not in report.read_text()
    assert run().returncode == 2
    assert run("--logdir", tmp_path, "--port", "many").returncode == 2
    assert run("--logdir", tmp_path, "--no_such_flag").returncode == 2
    assert run("--inspect", "--event_file", tmp_path / "none").returncode == 1


def test_it_has_tensorboards_name_too(tmp_path):
    link = RILL.parent / "tensorboard"
    assert link.is_symlink()
    told = subprocess.run([link, "--inspect", "--logdir", str(tmp_path)], capture_output=True, text=True, timeout=60)
    assert "No event files found" in told.stdout


def test_notebooks_start_it(tmp_path):
    from rill import notebook
    write_run(tmp_path)
    started = notebook.start(logdir=tmp_path)
    try:
        assert notebook.start(logdir=tmp_path) is started
        with urllib.request.urlopen(started.url + "data/runs") as answer:
            assert answer.read() == b'["."]'
        assert started.url in started._repr_html_()
    finally:
        started.stop()
    assert not started.is_running
    with pytest.raises(RuntimeError, match="directory"):
        notebook.start("--port 0")


def test_tensorboard_is_found_where_none_is_installed():
    import tensorboard
    if not hasattr(tensorboard, "__version__"):  # none is
        magics = {}

        class Shell:
            def register_magic_function(self, function, kind, name):
                magics[name] = function

        tensorboard.load_ipython_extension(Shell())
        assert set(magics) == {"tensorboard", "board"}
