"""The model server as a command: started, asked over HTTP, told to read its files again, stopped."""
import gzip
import json
import os
import pathlib
import shutil
import signal
import socket
import subprocess
import time
import urllib.error
import urllib.request

import pytest

import rill as tf

ROOT = pathlib.Path(__file__).resolve().parents[2]
MODELS = ROOT / "tests/golden/models"
COMMAND = ROOT / "bin/rill"
GOLDENS = json.loads((MODELS / "saved_models.json").read_text())


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


class Server:
    """A server process that is stopped at the end."""

    def __init__(self, *flags, name=None):
        self.port, self.rest_port = free_port(), free_port()
        program = [str(name)] if name else [str(COMMAND), "serve"]
        self.process = subprocess.Popen(
            [*program, f"--port={self.port}", f"--rest_api_port={self.rest_port}", *flags],
            stderr=subprocess.PIPE, text=True)
        self.log = ""

    def await_ready(self):
        for line in self.process.stderr:
            self.log += line
            if "HTTP/REST API at" in line:
                return self
        raise AssertionError(self.log)

    def request(self, method, path, body=None, headers=()):
        data = body if isinstance(body, bytes) or body is None else json.dumps(body).encode()
        request = urllib.request.Request(f"http://127.0.0.1:{self.rest_port}{path}", data, dict(headers),
                                         method=method)
        try:
            with urllib.request.urlopen(request, timeout=20) as answer:
                return answer.status, answer.read()
        except urllib.error.HTTPError as error:
            return error.code, error.read()

    def get(self, path):
        status, body = self.request("GET", path)
        assert status == 200, body
        return json.loads(body)

    def post(self, path, body):
        status, answer = self.request("POST", path, body)
        assert status == 200, answer
        return json.loads(answer)

    def stop(self, number=signal.SIGTERM):
        self.process.send_signal(number)
        self.log += self.process.communicate(timeout=30)[1]
        return self.process.returncode


def add_version(folder, model, version=1):
    folder.mkdir(parents=True, exist_ok=True)
    hidden = folder / f"{version}.new"
    shutil.copytree(model, hidden)
    os.rename(hidden, folder / str(version))


def await_true(condition):
    for _ in range(200):
        if condition():
            return True
        time.sleep(0.05)
    return False


@pytest.fixture
def run():
    servers = []

    def start(*flags, **options):
        servers.append(Server(*flags, **options))
        return servers[-1].await_ready()

    yield start
    for server in servers:
        if server.process.poll() is None:
            server.process.kill()
        server.process.stderr.close()
        server.process.wait()


def plain(tensor):
    """A stored tensor as nested lists, texts as they are in JSON."""
    import base64
    data = tensor["data"]
    if tensor["dtype"] == "object":
        data = [base64.b64decode(text).decode() for text in data]

    def nested(shape):
        if not shape:
            return data.pop(0)
        return [nested(shape[1:]) for _ in range(shape[0])]

    data = list(data)
    return nested(tensor["shape"])


def close(got, expected):
    if isinstance(expected, list):
        return len(got) == len(expected) and all(map(close, got, expected))
    if isinstance(expected, float):
        return got == pytest.approx(expected, rel=1e-5, abs=1e-6)
    return got == expected


@pytest.mark.parametrize("model", ["predict", "simple_save", "signatures", "texts", "cells", "loop", "main_op",
                                   "resources", "partitioned", "without_variables", "types"])
def test_answers_as_tensorflow_does(run, tmp_path, model):
    add_version(tmp_path / "m", MODELS / "saved_models" / model / "model")
    server = run(f"--model_base_path={tmp_path / 'm'}", "--model_name=m")
    entry = GOLDENS[model]
    asked = 0
    for question, answer in zip(entry["question"]["calls"], entry["answer"]["calls"]):
        signature = entry["answer"]["signatures"][question["signature"]]
        infos = [*signature.get("inputs", {}).values(), *signature["outputs"].values()]
        unknown = [info["dtype"] for info in infos if info["dtype"] not in (
            "DT_FLOAT", "DT_DOUBLE", "DT_INT32", "DT_INT64", "DT_STRING", "DT_BOOL", "DT_UINT8", "DT_INT8",
            "DT_INT16")]
        if unknown or not signature["methodName"].startswith("tensorflow/serving") or not question["feeds"]:
            continue
        inputs = {name: plain(tensor) for name, tensor in question["feeds"].items()}
        if any(0 in tensor["shape"] for tensor in question["feeds"].values()):
            continue  # JSON cannot say how wide no rows are
        got = server.post("/v1/models/m:predict", {"signature_name": question["signature"], "inputs": inputs})
        outputs = got["outputs"] if len(answer) > 1 else dict.fromkeys(answer, got["outputs"])
        for name, expected in answer.items():
            assert close(outputs[name], plain(expected[0])), name
        asked += 1
    assert asked > 0 or model == "types"


@pytest.mark.parametrize("model", ["tf2_models/plain", "tf2_keras/dense"])
def test_models_of_tensorflow_2(run, tmp_path, model):
    add_version(tmp_path / "m", MODELS / model / "model", 3)
    server = run(f"--model_base_path={tmp_path / 'm'}", "--model_name=m")
    metadata = server.get("/v1/models/m/metadata")
    assert metadata["model_spec"]["version"] == "3"
    assert "serving_default" in metadata["metadata"]["signature_def"]["signature_def"]


def test_versions_come_and_go(run, tmp_path):
    add_version(tmp_path / "m", MODELS / "saved_models/predict/model", 1)
    server = run(f"--model_base_path={tmp_path / 'm'}", "--model_name=m", "--max_num_load_retries=0")

    def states():
        return {one["version"]: one["state"] for one in server.get("/v1/models/m")["model_version_status"]}

    assert states() == {"1": "AVAILABLE"}
    add_version(tmp_path / "m", MODELS / "saved_models/predict/model", 2)
    assert await_true(lambda: states() == {"2": "AVAILABLE", "1": "END"})
    (tmp_path / "m/3").mkdir()  # broken: there is no model in it
    assert await_true(lambda: states() == {"3": "END", "2": "AVAILABLE", "1": "END"})
    failed = server.get("/v1/models/m/versions/3")["model_version_status"][0]["status"]
    assert failed["error_code"] == "NOT_FOUND"
    body = {"instances": [[0.0, 0.0, 0.0]]}
    assert server.request("POST", "/v1/models/m/versions/1:predict", body)[0] == 404
    assert server.request("POST", "/v1/models/m/versions/2:predict", body)[0] == 400  # a scalar output
    assert server.request("POST", "/v1/models/m:predict", {"inputs": [[0.0, 0.0, 0.0]]})[0] == 200


def write_config(path, models):
    path.write_text("model_config_list {\n" + "".join(
        f'  config {{ name: "{name}" base_path: "{base}" model_platform: "tensorflow" {more} }}\n'
        for name, base, more in models) + "}\n")


@pytest.mark.parametrize("how", ["SIGHUP", "poll"])
def test_configuration_is_read_again(run, tmp_path, how):
    for name in ("a", "b"):
        add_version(tmp_path / name, MODELS / "saved_models/predict/model", 1)
        add_version(tmp_path / name, MODELS / "saved_models/predict/model", 2)
    config = tmp_path / "models.config"
    write_config(config, [("a", tmp_path / "a", "model_version_policy { all {} }")])
    flags = ["--model_config_file_poll_wait_seconds=1"] if how == "poll" else []
    server = run(f"--model_config_file={config}", *flags)
    assert len(server.get("/v1/models/a")["model_version_status"]) == 2
    assert server.request("GET", "/v1/models/b")[0] == 404
    write_config(config, [("b", tmp_path / "b", "model_version_policy { specific { versions: 1 } }")])
    if how == "SIGHUP":
        server.process.send_signal(signal.SIGHUP)
    assert await_true(lambda: server.request("GET", "/v1/models/b")[0] == 200)
    assert [one["version"] for one in server.get("/v1/models/b")["model_version_status"]] == ["1"]
    assert await_true(lambda: all(one["state"] == "END"
                                  for one in server.get("/v1/models/a")["model_version_status"]))
    config.write_text("model_config_list { nonsense }")
    server.process.send_signal(signal.SIGHUP)
    time.sleep(0.3)
    assert server.request("GET", "/v1/models/b")[0] == 200  # a broken file changes nothing
    assert server.stop() == 0
    assert "could not be read again" in server.log and "line 1" in server.log


def test_port_0_is_none(run, tmp_path):
    add_version(tmp_path / "m", MODELS / "saved_models/simple_save/model")
    server = run(f"--model_base_path={tmp_path / 'm'}", "--model_name=m", "--port=0")
    assert server.request("GET", "/v1/models/m")[0] == 200
    assert server.stop() == 0
    assert "gRPC" not in server.log and "HTTP/REST" in server.log


def test_batching_and_metrics(run, tmp_path):
    add_version(tmp_path / "m", MODELS / "saved_models/simple_save/model")
    batching, monitoring = tmp_path / "batching", tmp_path / "monitoring"
    batching.write_text("max_batch_size { value: 16 }\nbatch_timeout_micros { value: 1000 }\n")
    monitoring.write_text("prometheus_config { enable: true }")
    server = run(f"--model_base_path={tmp_path / 'm'}", "--model_name=m", "--enable_batching",
                 f"--batching_parameters_file={batching}", f"--monitoring_config_file={monitoring}")
    question = GOLDENS["simple_save"]["question"]["calls"][0]
    inputs = {name: plain(tensor) for name, tensor in question["feeds"].items()}
    got = server.post("/v1/models/m:predict", {"inputs": inputs})["outputs"]
    expected = {name: plain(value[0]) for name, value in
                GOLDENS["simple_save"]["answer"]["calls"][0].items()}
    for name, value in expected.items():
        assert close(got if len(expected) == 1 else got[name], value)
    metrics = lambda: server.request("GET", "/monitoring/prometheus/metrics")[1].decode()
    # A request is counted once its answer has been handed over.
    for line in ('request_count{model_name="m",status="OK"} 1',
                 'request_latency_count{model_name="m",API="Predict",entrypoint="REST"} 1'):
        assert await_true(lambda line=line: f":tensorflow:serving:{line}" in metrics())


def test_gzip(run, tmp_path):
    add_version(tmp_path / "m", MODELS / "saved_models/predict/model")
    server = run(f"--model_base_path={tmp_path / 'm'}", "--model_name=m", "--max_request_bytes=1000000")
    body = json.dumps({"inputs": [[0.0, 0.0, 0.0]]}).encode()
    headers = {"Content-Encoding": "gzip"}
    assert server.request("POST", "/v1/models/m:predict", gzip.compress(body), headers)[0] == 200
    bomb = gzip.compress(b" " * 50_000_000)
    assert server.request("POST", "/v1/models/m:predict", bomb, headers)[0] == 413


def test_stops_when_told(run, tmp_path):
    add_version(tmp_path / "m", MODELS / "saved_models/predict/model")
    name = tmp_path / "tensorflow_model_server"
    name.symlink_to(COMMAND)
    for number in (signal.SIGTERM, signal.SIGINT):
        server = run(f"--model_base_path={tmp_path / 'm'}", name=name)
        assert server.request("GET", "/v1/models/default")[0] == 200
        assert server.stop(number) == 0


@pytest.mark.parametrize("flags, message", [
    ([], "There is no model: --model_base_path=DIRECTORY or --model_config_file=FILE names some"),
    (["--no_such_flag=1"], "unknown argument: --no_such_flag=1"),
    (["--port=x"], "--port is a number, not x"),
    (["--model_base_path=relative"], "to have an absolute path or URI; got base_path()=relative"),
    (["--model_base_path=/m", "--batching_parameters_file=f"], "without --enable_batching"),
    (["--port=0", "--model_base_path=/m"], "one of --port, --grpc_socket_path and --rest_api_port has to be set"),
])
def test_what_is_refused(flags, message):
    done = subprocess.run([COMMAND, "serve", *flags], capture_output=True, text=True, timeout=30)
    assert done.returncode in (1, 2)
    assert message in done.stderr


def test_a_broken_model_keeps_the_server_from_starting(tmp_path):
    (tmp_path / "m/1").mkdir(parents=True)
    done = subprocess.run([COMMAND, "serve", f"--model_base_path={tmp_path / 'm'}", f"--port={free_port()}",
                           "--max_num_load_retries=0"], capture_output=True, text=True, timeout=30)
    assert done.returncode == 1
    assert "Failed to start server. Error: Unknown: 1 model(s) did not become available" in done.stderr


def test_what_has_no_effect_is_named(run, tmp_path):
    add_version(tmp_path / "m", MODELS / "saved_models/predict/model")
    server = run(f"--model_base_path={tmp_path / 'm'}", "--per_process_gpu_memory_fraction=0.5")
    assert "--per_process_gpu_memory_fraction has no effect here" in server.log


def test_version():
    done = subprocess.run([COMMAND, "serve", "--version"], capture_output=True, text=True)
    assert done.stdout.startswith("TensorFlow ModelServer: ")
    assert "TensorFlow Library: " in done.stdout


def test_examples_of_another_shape_than_the_signature_says(tmp_path):
    """A list of numbers is taken where the model was exported for a column of them."""
    with tf.Graph().as_default(), tf.Session() as session:
        x = tf.placeholder(tf.float32, [None, 1], name="x")
        tf.saved_model.simple_save(session, str(tmp_path / "half_plus_two" / "1"), {"x": x}, {"y": 0.5 * x + 2.0})
    server = Server(f"--model_base_path={tmp_path / 'half_plus_two'}", "--model_name=half_plus_two").await_ready()
    try:
        path = "/v1/models/half_plus_two:predict"
        assert server.post(path, {"instances": [1.0, 2.0, 5.0]}) == {"predictions": [2.5, 3.0, 4.5]}
        assert server.post(path, {"instances": [[1.0], [2.0]]}) == {"predictions": [[2.5], [3.0]]}
    finally:
        server.stop()
