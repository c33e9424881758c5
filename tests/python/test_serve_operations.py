"""What operators do with a server: logs, traces, sockets of others, sessions' settings, limits that are read again."""
import http.client
import http.server
import json
import os
import pathlib
import re
import signal
import socket
import subprocess
import sys
import threading

import pytest
from serve_process import COMMAND, QUESTION, Serving, add_version, await_true, free_port


def ask(server, path, body=None, headers=None):
    connection = http.client.HTTPConnection("127.0.0.1", server.rest_port, timeout=20)
    connection.request("GET" if body is None else "POST", path, body, headers or {})
    answer = connection.getresponse()
    text = answer.read()
    connection.close()
    return answer.status, answer.headers, text


def test_what_happens_is_told_as_json(tmp_path):
    with Serving(tmp_path, "--log_format=json") as server:
        add_version(tmp_path / "m", version=2)
        assert await_true(lambda: '"Unloaded servable version' in server.log)
        server.process.send_signal(signal.SIGHUP)
        assert server.stop() == 0
        lines = [json.loads(line) for line in server.log.splitlines()]
    told = [(line["message"].split(" {")[0], line.get("version")) for line in lines if "model" in line]
    for expected in (("Loading servable version", 1), ("Successfully loaded servable version", 1),
                     ("Loading servable version", 2), ("Successfully loaded servable version", 2),
                     ("Unloading servable version", 1), ("Unloaded servable version", 1)):
        assert expected in told
    assert all(re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z", line["time"]) for line in lines)
    assert {line["level"] for line in lines} == {"info"}
    assert [line["message"] for line in lines][-1] == "Shut down"


def test_a_level_keeps_the_rest_out(tmp_path):
    add_version(tmp_path / "m")
    (tmp_path / "m" / "1" / "saved_model.pb").write_bytes(b"\xff")
    found = subprocess.run([COMMAND, "serve", f"--model_base_path={tmp_path / 'm'}", f"--port={free_port()}",
                            "--log_level=error", "--max_num_load_retries=0"], capture_output=True, text=True, timeout=60)
    assert found.returncode != 0
    assert " ERROR " in found.stderr and " INFO " not in found.stderr


@pytest.mark.parametrize("flag", ["--log_format=xml", "--log_level=loud", "--trace_sampling=2", "--socket_users=me",
                                  "--trace_endpoint=ftp://here/x", "--access_log=/nowhere/at/all"])
def test_senseless_values_are_refused(tmp_path, flag):
    found = subprocess.run([COMMAND, "serve", f"--model_base_path={tmp_path}", flag], capture_output=True, text=True,
                           timeout=60)
    assert found.returncode not in (0, -6, -11)
    assert flag.split("=")[1] in found.stderr


def test_the_access_log_goes_on_when_it_is_moved_away(tmp_path):
    log, old = tmp_path / "access.log", tmp_path / "access.log.1"
    with Serving(tmp_path, f"--access_log={log}", "--log_format=json") as server:
        assert ask(server, "/v1/models/m:predict", QUESTION, {"X-Request-Id": "first"})[1]["X-Request-Id"] == "first"
        assert await_true(lambda: '"first"' in log.read_text())
        log.rename(old)
        server.process.send_signal(signal.SIGHUP)
        assert await_true(log.exists)
        ask(server, "/v1/models/m:predict", QUESTION, {"X-Request-Id": "second"})
        assert server.stop() == 0
    assert '"second"' in log.read_text() and '"second"' not in old.read_text()


def test_a_collector_gets_the_traces(tmp_path):
    got = []

    class Collector(http.server.BaseHTTPRequestHandler):
        def do_POST(self):
            got.append((self.path, self.headers["Content-Type"], json.loads(self.rfile.read(int(self.headers["Content-Length"])))))
            self.send_response(200)
            self.end_headers()

        def log_message(self, *_):
            pass

    collector = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Collector)
    threading.Thread(target=collector.serve_forever, daemon=True).start()
    endpoint = f"http://127.0.0.1:{collector.server_port}/v1/traces"
    with Serving(tmp_path, f"--trace_endpoint={endpoint}", "--trace_sampling=1") as server:
        for _ in range(5):
            ask(server, "/v1/models/m:predict", QUESTION)
        assert server.stop() == 0
    collector.shutdown()
    assert {(path, kind) for path, kind, _ in got} == {("/v1/traces", "application/json")}
    spans = [span for _, _, message in got for group in message["resourceSpans"] for scope in group["scopeSpans"]
             for span in scope["spans"]]
    assert len(spans) == 10  # of five requests and their steps
    assert len({span["traceId"] for span in spans}) == 5


def test_a_collector_that_is_away_holds_nobody_up(tmp_path):
    (tmp_path / "monitoring").write_text("prometheus_config { enable: true }")
    with Serving(tmp_path, f"--trace_endpoint=http://127.0.0.1:{free_port()}/v1/traces", "--trace_sampling=1",
                 f"--monitoring_config_file={tmp_path / 'monitoring'}") as server:
        assert ask(server, "/v1/models/m:predict", QUESTION)[0] == 200
        lost = 'trace_spans_count{status="lost"} 2'
        assert await_true(lambda: lost in ask(server, "/monitoring/prometheus/metrics")[2].decode())
        assert server.log.count("Traces are lost") == 1


def unix_answer(path):
    with socket.socket(socket.AF_UNIX) as one:
        one.settimeout(10)
        one.connect(str(path))
        one.sendall(b"GET /livez HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n")
        text = b""
        while piece := one.recv(4096):
            text += piece
        return text


def start_on_socket(tmp_path, *flags):
    add_version(tmp_path / "m")
    path = tmp_path / "rest.sock"
    process = subprocess.Popen([COMMAND, "serve", "--port=0", f"--grpc_socket_path={tmp_path / 'grpc.sock'}",
                                f"--rest_api_socket_path={path}", f"--model_base_path={tmp_path / 'm'}", *flags])
    assert await_true(path.exists, 30)
    return process, path


def test_socket_files_for_whom_they_are_for(tmp_path):
    process, path = start_on_socket(tmp_path, f"--socket_users={os.getuid()},4711")
    assert unix_answer(path).startswith(b"HTTP/1.1 200")
    process.terminate()
    assert process.wait(30) == 0
    assert not path.exists()


def test_socket_files_are_for_nobody_else(tmp_path):
    process, path = start_on_socket(tmp_path, "--socket_users=4711")
    try:
        assert unix_answer(path) == b""
    except (BrokenPipeError, ConnectionResetError):
        pass
    process.terminate()
    assert process.wait(30) == 0


def test_sockets_of_a_service_manager(tmp_path):
    """As systemd hands them over: numbers from 3 on, for this process; who connects before is answered too."""
    add_version(tmp_path / "m")
    listener = socket.create_server(("127.0.0.1", 0))
    early = socket.create_connection(listener.getsockname())
    early.sendall(b"GET /livez HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n")
    # The shell's number is the server's, since it becomes it.
    command = ["/bin/sh", "-c", 'LISTEN_PID=$$ LISTEN_FDS=1 LISTEN_FDNAMES=rest exec "$@"', "sh", str(COMMAND), "serve",
               f"--port={free_port()}", f"--model_base_path={tmp_path / 'm'}"]
    os.dup2(listener.fileno(), 3, inheritable=True) if listener.fileno() != 3 else os.set_inheritable(3, True)
    process = subprocess.Popen(command, pass_fds=(3,))
    early.settimeout(30)
    assert early.recv(4096).startswith(b"HTTP/1.1 200")
    process.terminate()
    assert process.wait(30) == 0
    # Who comes when it has ended waits for the next.
    late = socket.create_connection(listener.getsockname())
    late.close()
    listener.close()


def test_sessions_have_the_settings_of_a_file(tmp_path):
    config = tmp_path / "session.config"
    config.write_text("intra_op_parallelism_threads: 20")
    counts = []
    for flags in ((), (f"--tensorflow_session_config_file={config}",),
                  (f"--tensorflow_session_config_file={config}", "--tensorflow_intra_op_parallelism=40")):
        with Serving(tmp_path, *flags) as server:
            ask(server, "/v1/models/m:predict", QUESTION)
            counts.append(len(os.listdir(f"/proc/{server.process.pid}/task")))
    assert counts[1] > counts[0] + 10 and counts[2] > counts[1] + 10
    config.write_text("no_such_field: 1")
    found = subprocess.run([COMMAND, "serve", f"--model_base_path={tmp_path / 'm'}",
                            f"--tensorflow_session_config_file={config}"], capture_output=True, text=True, timeout=60)
    assert found.returncode != 0 and "no_such_field" in found.stderr


def test_the_settings_of_models_are_read_again(tmp_path):
    options, monitoring = tmp_path / "options", tmp_path / "monitoring"
    options.write_text('model { name: "m" response_cache_bytes: 1000000 }')
    monitoring.write_text("prometheus_config { enable: true }")
    with Serving(tmp_path, f"--serving_options_file={options}", f"--monitoring_config_file={monitoring}") as server:
        for _ in range(3):
            assert ask(server, "/v1/models/m:predict", QUESTION)[0] == 200
        metrics = ask(server, "/monitoring/prometheus/metrics")[2].decode()
        assert 'response_cache_count{model_name="m",status="hit"} 2' in metrics
        assert 'response_cache_count{model_name="m",status="miss"} 1' in metrics
        options.write_text('model { name: "m" priority: "high" }')
        assert await_true(lambda: "could not be read again" in server.log)
        options.write_text('model { name: "m" shadow { model_name: "nobody" percent: 100 } }')
        assert await_true(lambda: "read again: the options of models" in server.log)
        assert ask(server, "/v1/models/m:predict", QUESTION)[0] == 200
        failed = 'shadow_count{model_name="nobody",status="failed"} 1'
        assert await_true(lambda: failed in ask(server, "/monitoring/prometheus/metrics")[2].decode())


def test_settings_of_models_as_a_flag(tmp_path):
    options, monitoring = tmp_path / "options", tmp_path / "monitoring"
    options.write_text('model { name: "other" priority: 1 }')
    monitoring.write_text("prometheus_config { enable: true }")
    own = 'model { name: "m" response_cache_bytes: 1000000 max_running_steps: 1 }'
    with Serving(tmp_path, f"--serving_options={own}", f"--serving_options_file={options}",
                 f"--monitoring_config_file={monitoring}") as server:
        for _ in range(2):
            assert ask(server, "/v1/models/m:predict", QUESTION)[0] == 200
        metrics = ask(server, "/monitoring/prometheus/metrics")[2].decode()
        assert 'response_cache_count{model_name="m",status="hit"} 1' in metrics
    for wrong in ("model { nome: 1 }", 'model { name: "m" } model { name: "m" }'):
        found = subprocess.run([COMMAND, "serve", f"--model_base_path={tmp_path / 'm'}", "--port=1",
                                f"--serving_options={wrong}"], capture_output=True, text=True, timeout=60)
        assert found.returncode != 0 and "m" in found.stderr.splitlines()[-1]


def test_clients_of_grpc_tools(tmp_path):
    """With the packages grpcio, grpcio-channelz and tensorflow-serving-api, where they are installed."""
    grpc = pytest.importorskip("grpc")
    code = pathlib.Path(__file__).with_name("serve_grpc_client.py")
    with Serving(tmp_path, "--enable_session_service", "--enable_debug_endpoints") as server:
        del grpc
        found = subprocess.run([sys.executable, code, str(server.port)], capture_output=True, text=True, timeout=60)
        assert found.returncode == 0, found.stderr
        assert server.stop() == 0
