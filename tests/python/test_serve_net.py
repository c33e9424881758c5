"""The network side of the model server: TLS, draining, files that are read again, flags, metrics, logs."""
import http.client
import json
import pathlib
import re
import shutil
import signal
import socket
import ssl
import subprocess
import threading
import time

import pytest
from serve_process import COMMAND, MODELS, QUESTION, Serving, add_version, await_true

PREDICT = "/v1/models/m:predict"


def ask(port, method="POST", path=PREDICT, body=QUESTION, headers=None, context=None):
    if context is None:
        connection = http.client.HTTPConnection("127.0.0.1", port, timeout=20)
    else:
        connection = http.client.HTTPSConnection("localhost", port, timeout=20, context=context)
    try:
        connection.request(method, path, body, headers or {})
        answer = connection.getresponse()
        return answer.status, answer.read()
    finally:
        connection.close()


# TLS


def openssl(*arguments):
    subprocess.run(["openssl", *map(str, arguments)], check=True, capture_output=True)


def make_certificate(folder, name, authority=None):
    """A key and a certificate for localhost, signed by itself or by an authority."""
    key, certificate, request = (folder / f"{name}.{kind}" for kind in ("key", "pem", "csr"))
    if authority is None:
        openssl("req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", 2,
                "-subj", f"/CN={name}", "-keyout", key, "-out", certificate)
    else:
        openssl("req", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-subj", f"/CN={name}",
                "-keyout", key, "-out", request)
        names = folder / f"{name}.ext"
        names.write_text("subjectAltName=DNS:localhost,IP:127.0.0.1")
        openssl("x509", "-req", "-in", request, "-CA", authority[1], "-CAkey", authority[0], "-CAcreateserial",
                "-days", 2, "-extfile", names, "-out", certificate)
    return key, certificate


def write_tls(path, server, authority=None):
    def quoted(file):
        return json.dumps(pathlib.Path(file).read_text())

    text = f"server_key: {quoted(server[0])}\nserver_cert: {quoted(server[1])}\n"
    if authority is not None:
        text += f"custom_ca: {quoted(authority[1])}\nclient_verify: true\n"
    fresh = path.with_suffix(".new")
    fresh.write_text(text)
    fresh.rename(path)


def test_tls(tmp_path):
    authority = make_certificate(tmp_path, "authority")
    write_tls(tmp_path / "tls", make_certificate(tmp_path, "server", authority))
    with Serving(tmp_path, f"--ssl_config_file={tmp_path / 'tls'}") as server:
        trusting = ssl.create_default_context(cafile=authority[1])
        status, body = ask(server.rest_port, context=trusting)
        assert status == 200 and b"outputs" in body
        with pytest.raises(ssl.SSLError):
            ask(server.rest_port, context=ssl.create_default_context())  # which does not know the authority
        with pytest.raises((http.client.HTTPException, OSError)):
            ask(server.rest_port)  # without TLS
        old = ssl.create_default_context(cafile=authority[1])
        with pytest.warns(DeprecationWarning):
            old.minimum_version, old.maximum_version = ssl.TLSVersion.TLSv1, ssl.TLSVersion.TLSv1_1
        with pytest.raises((ssl.SSLError, OSError)):
            ask(server.rest_port, context=old)
        done = subprocess.run(["curl", "-s", "--cacert", authority[1], "-d", QUESTION.decode(),
                               f"https://localhost:{server.rest_port}{PREDICT}"], capture_output=True)
        assert b"outputs" in done.stdout
        large = json.dumps({"inputs": [[float(i), 0.0, 1.0] for i in range(50_000)]}).encode()
        status, body = ask(server.rest_port, body=large, context=trusting)
        assert status == 200 and len(json.loads(body)["outputs"]["scores"]) == 50_000


def test_tls_of_both_sides(tmp_path):
    authority = make_certificate(tmp_path, "authority")
    write_tls(tmp_path / "tls", make_certificate(tmp_path, "server", authority), authority)
    with Serving(tmp_path, f"--ssl_config_file={tmp_path / 'tls'}") as server:
        context = ssl.create_default_context(cafile=authority[1])
        with pytest.raises((ssl.SSLError, OSError, http.client.HTTPException)):
            ask(server.rest_port, context=context)  # it shows no certificate
        key, certificate = make_certificate(tmp_path, "client", authority)
        context.load_cert_chain(certificate, key)
        assert ask(server.rest_port, context=context)[0] == 200
        stranger = ssl.create_default_context(cafile=authority[1])
        key, certificate = make_certificate(tmp_path, "stranger")
        stranger.load_cert_chain(certificate, key)
        with pytest.raises((ssl.SSLError, OSError, http.client.HTTPException)):
            ask(server.rest_port, context=stranger)


def shown_certificate(port):
    context = ssl.create_default_context()
    context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
    context.set_alpn_protocols(["h2", "http/1.1"])
    with socket.create_connection(("127.0.0.1", port)) as plain:
        with context.wrap_socket(plain) as secured:
            return ssl.DER_cert_to_PEM_cert(secured.getpeercert(True)).strip()


def test_certificates_are_read_again(tmp_path):
    first, second = make_certificate(tmp_path, "first"), make_certificate(tmp_path, "second")
    write_tls(tmp_path / "tls", first)
    with Serving(tmp_path, f"--ssl_config_file={tmp_path / 'tls'}") as server:
        for port in (server.rest_port, server.port):
            assert shown_certificate(port) == first[1].read_text().strip()
        write_tls(tmp_path / "tls", second)
        assert await_true(lambda: shown_certificate(server.rest_port) == second[1].read_text().strip())
        assert shown_certificate(server.port) == second[1].read_text().strip()
        write_tls(tmp_path / "tls", (first[0], second[1]))  # a key of another certificate
        server.process.send_signal(signal.SIGHUP)
        assert await_true(lambda: "server_key does not belong to server_cert" in server.log)
        assert shown_certificate(server.rest_port) == second[1].read_text().strip()


# Files that are read again


def test_token_and_monitoring_are_read_again(tmp_path):
    token, monitoring = tmp_path / "token", tmp_path / "monitoring"
    token.write_text("one\n")
    monitoring.write_text("prometheus_config { enable: true }")
    with Serving(tmp_path, f"--auth_token_file={token}", f"--monitoring_config_file={monitoring}") as server:
        def status(path, secret=None, method="GET"):
            headers = {"Authorization": f"Bearer {secret}"} if secret else {}
            return ask(server.rest_port, method, path, None, headers)[0]

        assert status("/v1/models/m") == 401 and status("/v1/models/m", "one") == 200
        assert status("/readyz") == 200  # is asked by who has none
        assert status("/monitoring/prometheus/metrics") == 401
        assert status("/monitoring/prometheus/metrics", "one") == 200
        token.write_text("two\n")
        monitoring.write_text('prometheus_config { enable: true path: "/metrics" }')
        assert await_true(lambda: status("/v1/models/m", "two") == 200 and status("/metrics", "two") == 200)
        assert status("/v1/models/m", "one") == 401
        assert status("/monitoring/prometheus/metrics", "two") != 200
        token.write_text("")  # nonsense changes nothing
        assert await_true(lambda: "holds no token" in server.log)
        assert status("/v1/models/m", "two") == 200


def test_parameters_of_batching_are_read_again(tmp_path):
    add_version(tmp_path / "m", "simple_save")
    parameters = tmp_path / "batching"
    parameters.write_text("max_batch_size { value: 2 }")
    with Serving(tmp_path, "--enable_batching", f"--batching_parameters_file={parameters}") as server:
        metadata = json.loads(ask(server.rest_port, "GET", "/v1/models/m/metadata", None)[1])
        signature = metadata["metadata"]["signature_def"]["signature_def"]["serving_default"]
        (name, info), = signature["inputs"].items()
        width = int(info["tensor_shape"]["dim"][1]["size"])

        def status(rows):
            body = json.dumps({"inputs": {name: [[0.0] * width] * rows}}).encode()
            return ask(server.rest_port, body=body)

        assert status(2)[0] == 200
        assert status(3)[0] == 400
        parameters.write_text("max_batch_size { value: 4 }")
        assert await_true(lambda: status(3)[0] == 200)
        assert status(5)[0] == 400
        parameters.write_text("max_batch_size { value: -1 }")  # nonsense changes nothing
        assert await_true(lambda: "max_batch_size must be positive" in server.log)
        assert status(3)[0] == 200


# Flags


SERVING_FLAGS = """port grpc_socket_path rest_api_port rest_api_num_threads rest_api_timeout_in_ms enable_batching
batching_parameters_file model_config_file model_config_file_poll_wait_seconds model_name model_base_path
allow_version_labels_for_unavailable_models remove_unused_fields_from_bundle_metagraph version max_num_load_retries
load_retry_interval_micros file_system_poll_wait_seconds flush_filesystem_caches tensorflow_session_parallelism
tensorflow_intra_op_parallelism tensorflow_inter_op_parallelism ssl_config_file platform_config_file
per_process_gpu_memory_fraction saved_model_tags grpc_channel_arguments enable_model_warmup monitoring_config_file
use_tflite_model prefer_tflite_model rest_api_enable_cors_support enable_per_model_batching_parameters
num_load_threads num_unload_threads grpc_max_threads num_request_iterations_for_warmup
enable_signature_method_name_check enable_profiler thread_pool_factory_config_file tensorflow_session_config_file
mixed_precision skip_initialize_tpu enable_grpc_healthcheck_service enable_serialization_as_tensor_content
use_alts_credentials xla_cpu_compilation_enabled xla_gpu_compilation_enabled num_tflite_pools
num_tflite_interpreters_per_pool enable_forward_compatibility""".split()


def test_every_flag_of_tensorflow_serving_is_known():
    usage = subprocess.run([COMMAND, "serve", "--no_such_flag"], capture_output=True, text=True).stderr
    for flag in SERVING_FLAGS:
        if f"  --{flag}=" in usage:
            continue
        done = subprocess.run([COMMAND, "serve", f"--{flag}=1", "--version=0"], capture_output=True, text=True)
        assert f"--{flag} has no effect here" in done.stderr, flag


def test_flags_of_grpc(tmp_path):
    with Serving(tmp_path, "--grpc_channel_arguments=grpc.max_concurrent_streams=7,grpc.keepalive_time_ms=100000",
                 "--grpc_max_threads=2", "--rest_api_num_threads=2", "--rest_api_timeout_in_ms=500") as server:
        with socket.create_connection(("127.0.0.1", server.port), timeout=10) as client:
            client.sendall(b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\0\0\0\x04\0\0\0\0\0")
            settings = client.recv(4096)
        assert b"\0\x03\0\0\0\x07" in settings  # SETTINGS_MAX_CONCURRENT_STREAMS
        with socket.create_connection(("127.0.0.1", server.rest_port), timeout=10) as client:
            client.sendall(b"POST " + PREDICT.encode() + b" HTTP/1.1\r\n")
            assert client.recv(4096).startswith(b"HTTP/1.1 408 ")
    done = subprocess.run([COMMAND, "serve", "--model_base_path=/m", "--use_alts_credentials"], capture_output=True,
                          text=True)
    assert "ALTS is not spoken here" in done.stderr
    done = subprocess.run([COMMAND, "serve", "--model_base_path=/m", "--grpc_channel_arguments=x"],
                          capture_output=True, text=True)
    assert "x is not name=value" in done.stderr


def test_service_manager_is_told(tmp_path, monkeypatch):
    path = str(tmp_path / "notify")
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as listener:
        listener.bind(path)
        listener.settimeout(20)
        monkeypatch.setenv("NOTIFY_SOCKET", path)
        with Serving(tmp_path) as server:
            assert listener.recv(100) == b"READY=1"
            server.process.send_signal(signal.SIGTERM)
            assert listener.recv(100) == b"STOPPING=1"


def test_serves_what_can_be_served(tmp_path):
    add_version(tmp_path / "good")
    (tmp_path / "empty").mkdir()
    add_version(tmp_path / "older", version=1)
    broken = tmp_path / "older/2"
    broken.mkdir()
    (broken / "saved_model.pb").write_bytes(b"no model")
    config = tmp_path / "models"
    config.write_text("model_config_list {" + "".join(
        f'config {{ name: "{name}" base_path: "{tmp_path / name}" model_platform: "tensorflow" }} '
        for name in ("good", "empty", "older")) + "}")
    flags = (f"--model_config_file={config}", "--max_num_load_retries=0")
    with Serving(tmp_path, *flags) as server:
        def status(path):
            method = "POST" if path.endswith(":predict") else "GET"
            return ask(server.rest_port, method, path, QUESTION if method == "POST" else None)[0]

        assert status("/livez") == 200
        assert status("/readyz") == 503
        assert status("/v1/models/good:predict") == 200
        assert await_true(lambda: status("/v1/models/older:predict") == 200)  # its version 1
        assert status("/v1/models/older/versions/2") == 200
        # A version that is repaired in place is tried again.
        shutil.copytree(MODELS / "saved_models/predict/model", broken, dirs_exist_ok=True)
        assert await_true(lambda: status("/v1/models/older/versions/2:predict") == 200)
        add_version(tmp_path / "empty")
        assert await_true(lambda: status("/readyz") == 200)


def test_small_things_of_http(tmp_path):
    with Serving(tmp_path) as server:
        def answer(data):
            with socket.create_connection(("127.0.0.1", server.rest_port), timeout=10) as client:
                client.sendall(data)
                return client.recv(4096)

        def posted(body, encoding):
            head = (f"POST {PREDICT} HTTP/1.1\r\nHost: h\r\nContent-Encoding: {encoding}\r\n"
                    f"Content-Length: {len(body)}\r\n\r\n")
            return answer(head.encode() + body)

        assert answer(b"GET /livez HTTP/1.1\r\n\r\n").startswith(b"HTTP/1.1 400 ")  # no Host
        assert answer(b"GET /livez HTTP/1.0\r\n\r\n").startswith(b"HTTP/1.1 200 ")
        assert answer(b"\x16\x03\x01\x02\x00\x01").startswith(b"HTTP/1.1 400 ")  # TLS
        assert posted(b"no gzip", "gzip").startswith(b"HTTP/1.1 400 ")
        assert posted(b"x", "br").startswith(b"HTTP/1.1 415 ")


# Metrics


LABEL = r'[a-zA-Z_][a-zA-Z0-9_]*="(?:[^"\\\n]|\\["\\n])*"'
SAMPLE = re.compile(r"([a-zA-Z_:][a-zA-Z0-9_:]*)(?:\{(" + LABEL + "(?:," + LABEL + r")*)\})? (\S+)")


def read_metrics(text):
    """Samples by name and labels, of text that must be exactly what Prometheus reads."""
    types, samples, order = {}, {}, []
    for line in text.splitlines():
        if line.startswith("# HELP "):
            assert len(line.split(" ", 3)[3]) > 3, line
            continue
        if line.startswith("# TYPE "):
            name, kind = line[7:].split(" ")
            assert name not in types and kind in ("counter", "gauge", "histogram")
            types[name] = kind
            order.append(name)
            continue
        match = SAMPLE.fullmatch(line)
        assert match, line
        name, labels, value = match.groups()
        family = name if name in types else re.sub(r"_(bucket|sum|count)$", "", name)
        assert family == order[-1], f"{name} is not below its type"
        key = name, labels or ""
        assert key not in samples, f"{key} is there twice"
        samples[key] = float(value)
    for (name, labels), value in samples.items():
        if name.endswith("_bucket") and 'le="+Inf"' in labels:
            rest = re.sub(r',?le="\+Inf"', "", labels)
            assert samples[name[:-7] + "_count", rest] == value
    return samples


def test_metrics(tmp_path):
    monitoring = tmp_path / "monitoring"
    monitoring.write_text("prometheus_config { enable: true }")
    name = 'odd "name\\'
    add_version(tmp_path / "models")
    config = tmp_path / "config"
    config.write_text("model_config_list { config { name: %s base_path: %s model_platform: 'tensorflow' } }"
                      % (json.dumps(name), json.dumps(str(tmp_path / "models"))))
    with Serving(tmp_path, f"--model_config_file={config}", f"--monitoring_config_file={monitoring}") as server:
        path = "/v1/models/odd%20%22name%5C:predict"
        for _ in range(3):
            assert ask(server.rest_port, path=path)[0] == 200
        assert ask(server.rest_port, path=path, body=b"{}")[0] == 400
        for i in range(20):  # what clients think of is not kept
            assert ask(server.rest_port, path=f"/v1/models/nothing{i}:predict")[0] == 404
        text = ask(server.rest_port, "GET", "/monitoring/prometheus/metrics", None)[1].decode()
        samples = read_metrics(text)
        label = r'model_name="odd \"name\\"'
        prefix = ":tensorflow:serving:"
        assert samples[prefix + "request_count", label + ',status="OK"'] == 3
        assert samples[prefix + "request_count", label + ',status="INVALID_ARGUMENT"'] == 1
        assert samples[prefix + "request_count", 'model_name="unknown",status="NOT_FOUND"'] == 20
        assert "nothing" not in text
        assert samples[prefix + "request_latency_count", label + ',API="Predict",entrypoint="REST"'] == 3
        assert samples[prefix + "runtime_latency_count", label + ',API="Predict",runtime="TF1"'] == 3
        version = label + ',model_version="1"'
        signature = version + ',signature_name="serving_default",API="Predict",entrypoint="REST"'
        assert samples[prefix + "request_count_by_signature", signature + ',status="OK"'] == 3
        assert samples[prefix + "request_latency_by_signature_count", signature] == 3
        assert samples[prefix + "model_version_state", version + ',state="AVAILABLE"'] == 1
        assert samples[prefix + "model_load_count", label + ',status="success"'] == 1
        assert samples["process_resident_memory_bytes", ""] > 1e6
        assert samples["process_cpu_seconds_total", ""] > 0
        assert samples[prefix + "requests_in_flight", 'entrypoint="REST"'] == 0
        add_version(tmp_path / "models", version=2)
        assert await_true(lambda: prefix + "model_unload_count{" + label + "} 1" in ask(
            server.rest_port, "GET", "/monitoring/prometheus/metrics", None)[1].decode())
        samples = read_metrics(ask(server.rest_port, "GET", "/monitoring/prometheus/metrics", None)[1].decode())
        assert (prefix + "request_count_by_signature", signature + ',status="OK"') not in samples
        assert samples[prefix + "request_count", label + ',status="OK"'] == 3  # what counts goes on


# Draining


def test_drains_while_clients_hammer(tmp_path):
    answered, lost, refused = [0] * 64, [], []
    with Serving(tmp_path, "--shutdown_grace_ms=20000") as server:
        def hammer(i):
            while True:
                connection = http.client.HTTPConnection("127.0.0.1", server.rest_port, timeout=20)
                try:
                    connection.connect()
                except ConnectionRefusedError:
                    refused.append(i)
                    return
                try:
                    while True:
                        connection.request("POST", PREDICT, QUESTION)
                        answer = connection.getresponse()
                        assert answer.status == 200 and b"outputs" in answer.read()
                        answered[i] += 1
                        if answer.getheader("Connection") == "close":
                            break
                except Exception as error:
                    lost.append(repr(error))
                    return
                finally:
                    connection.close()

        clients = [threading.Thread(target=hammer, args=(i,)) for i in range(64)]
        for client in clients:
            client.start()
        assert await_true(lambda: sum(answered) > 300, 30)
        begin = time.monotonic()
        assert server.stop() == 0
        assert time.monotonic() - begin < 10  # of the grace that its flag gives it
        for client in clients:
            client.join()
        assert lost == [] and len(refused) == 64


def test_a_second_signal_ends_it_at_once(tmp_path):
    with Serving(tmp_path, "--shutdown_grace_ms=60000") as server:
        with socket.create_connection(("127.0.0.1", server.rest_port)) as client:
            client.sendall(b"POST " + PREDICT.encode() + b" HTTP/1.1\r\nContent-Length: 10\r\n\r\n")  # and no more
            server.process.send_signal(signal.SIGTERM)
            time.sleep(0.5)
            assert server.process.poll() is None
            begin = time.monotonic()
            assert server.stop() == 1
            assert time.monotonic() - begin < 5  # of the minute that its flag gives it


# Logs


def logged(folder, prefix):
    files = sorted(folder.glob(f"{prefix}-*.tfrecord"))
    count = 0
    for file in files:
        data = file.read_bytes()
        while data:
            count += 1
            data = data[16 + int.from_bytes(data[:8], "little"):]
    return files, count


@pytest.mark.parametrize("rate, least, most", [(0, 0, 0), (1, 100, 100), (0.3, 25, 35)])
def test_requests_are_logged(tmp_path, rate, least, most):
    add_version(tmp_path / "m")
    config = tmp_path / "config"
    config.write_text(
        f"""model_config_list {{ config {{ name: "m" base_path: "{tmp_path / 'm'}" model_platform: "tensorflow"
        logging_config {{ log_collector_config {{ type: "file" filename_prefix: "{tmp_path / 'logs/m'}" }}
        sampling_config {{ sampling_rate: {rate} }} }} }} }}""")
    with Serving(tmp_path, f"--model_config_file={config}") as server:
        connection = http.client.HTTPConnection("127.0.0.1", server.rest_port, timeout=20)
        for _ in range(100):
            connection.request("POST", PREDICT, QUESTION)
            assert connection.getresponse().read()
        connection.close()
        assert server.stop() == 0
    files, count = logged(tmp_path / "logs", "m")
    assert least <= count <= most
    if rate == 1:  # what was logged warms the next version up
        add_version(tmp_path / "warm/m")
        extra = tmp_path / "warm/m/1/assets.extra"
        extra.mkdir()
        files[0].rename(extra / "tf_serving_warmup_requests")
        with Serving(tmp_path / "warm"):
            pass
        (extra / "tf_serving_warmup_requests").write_bytes(b"nonsense" * 4)
        done = subprocess.run([COMMAND, "serve", f"--model_base_path={tmp_path / 'warm/m'}", "--port=0",
                               f"--grpc_socket_path={tmp_path / 'socket'}", "--max_num_load_retries=0"],
                              capture_output=True, text=True, timeout=30)
        assert done.returncode == 1


def test_a_log_of_an_unknown_kind_is_refused(tmp_path):
    add_version(tmp_path / "m")
    config = tmp_path / "config"
    config.write_text(
        f"""model_config_list {{ config {{ name: "m" base_path: "{tmp_path / 'm'}" model_platform: "tensorflow"
        logging_config {{ log_collector_config {{ type: "cloud" }} sampling_config {{ sampling_rate: 1 }} }} }} }}""")
    done = subprocess.run([COMMAND, "serve", f"--model_config_file={config}", "--port=0",
                           f"--grpc_socket_path={tmp_path / 'socket'}"], capture_output=True, text=True, timeout=30)
    assert "Cannot find LogCollector::Factory for type: cloud" in done.stderr
