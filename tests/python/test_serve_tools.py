"""Tools that others wrote against the server, where they are installed: curl, h2load, slowhttptest, openssl."""
import http.client
import re
import shutil
import subprocess
import threading
import time

import pytest
from serve_process import QUESTION, Serving


def need(tool):
    if shutil.which(tool) is None:
        pytest.skip(f"{tool} is not installed")
    return tool


def run(*command, seconds=60, **options):
    return subprocess.run([str(part) for part in command], capture_output=True, text=True, errors="replace",
                          timeout=seconds, **options)


class Bystander(threading.Thread):
    """Asks over REST all the while, and notes how long answers took."""

    def __init__(self, server):
        super().__init__()
        self.port, self.over, self.taken, self.failed = server.rest_port, threading.Event(), [], 0

    def run(self):
        while not self.over.is_set():
            began = time.monotonic()
            try:
                connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=10)
                connection.request("POST", "/v1/models/m:predict", QUESTION)
                self.failed += connection.getresponse().status != 200
                connection.close()
            except OSError:
                self.failed += 1
            self.taken.append(time.monotonic() - began)
            time.sleep(0.005)

    def __enter__(self):
        self.start()
        return self

    def __exit__(self, *_):
        self.over.set()
        self.join()


def resident_bytes(server):
    with open(f"/proc/{server.process.pid}/status") as status:
        return 1024 * int(re.search(r"VmRSS:\s+(\d+)", status.read()).group(1))


def test_curl(tmp_path):
    curl = need("curl")
    with Serving(tmp_path) as server:
        address = f"http://127.0.0.1:{server.rest_port}"
        predict = f"{address}/v1/models/m:predict"

        def status(*flags):
            return run(curl, "-s", "-o", "/dev/null", "-w", "%{http_code}", *flags).stdout

        assert status("-d", QUESTION.decode(), predict) == "200"
        assert status("--http1.0", "-d", QUESTION.decode(), predict) == "200"
        assert status("-H", "Expect: 100-continue", "-d", QUESTION.decode(), predict) == "200"
        assert status("-H", "Host:", f"{address}/livez") == "400"
        assert status("-H", "Content-Encoding: gzip", "-d", "no gzip", predict) == "400"
        assert status("-H", "Content-Encoding: br", "-d", "x", predict) == "415"
        assert status("-H", "Transfer-Encoding: chunked", "-d", QUESTION.decode(), predict) == "200"
        assert status("--path-as-is", f"{address}/v1/models/../../etc/passwd") in ("400", "404")
        assert run(curl, "-sk", f"https://127.0.0.1:{server.rest_port}/livez").returncode != 0  # no TLS here
        assert status(f"{address}/livez") == "200"


def test_gzip_beyond_the_limit(tmp_path):
    curl = need("curl")
    (tmp_path / "bomb").write_bytes(subprocess.run(["gzip", "-9"], input=bytes(4 << 20), capture_output=True).stdout)
    with Serving(tmp_path, "--max_request_bytes=1000000") as server:
        found = run(curl, "-s", "-o", "/dev/null", "-w", "%{http_code}", "-H", "Content-Encoding: gzip", "--data-binary",
                    f"@{tmp_path / 'bomb'}", f"http://127.0.0.1:{server.rest_port}/v1/models/m:predict")
        assert found.stdout == "413"


def test_h2load(tmp_path):
    """GetModelStatus of the model "m", as bytes of gRPC, from 100 streams of each of four connections."""
    h2load = need("h2load")
    message = b"\x0a\x03\x0a\x01m"
    (tmp_path / "body").write_bytes(b"\0" + len(message).to_bytes(4, "big") + message)
    with Serving(tmp_path) as server, Bystander(server) as bystander:
        before = resident_bytes(server)
        found = run(h2load, "-n", 20000, "-c", 4, "-m", 100, "-d", tmp_path / "body", "-H", "content-type: application/grpc",
                    "-H", "te: trailers", f"http://127.0.0.1:{server.port}/tensorflow.serving.ModelService/GetModelStatus")
        assert "20000 succeeded, 0 failed, 0 errored" in found.stdout, found.stdout
        assert resident_bytes(server) - before < 50 << 20
        bystander.over.set()
    assert bystander.failed == 0 and len(bystander.taken) > 5


@pytest.mark.parametrize("way", [("-H",), ("-B",), ("-X",)], ids=["slow headers", "slow bodies", "slow readers"])
def test_slowhttptest(tmp_path, way):
    tool = need("slowhttptest")
    path = "/v1/models/m/metadata" if way == ("-X",) else "/v1/models/m:predict"
    with Serving(tmp_path, "--rest_api_timeout_in_ms=2000") as server, Bystander(server) as bystander:
        before = resident_bytes(server)
        run(tool, *way, "-c", 300, "-r", 150, "-i", 1, "-l", 5, "-x", 20, "-p", 2, "-u",
            f"http://127.0.0.1:{server.rest_port}{path}")
        assert resident_bytes(server) - before < 50 << 20
        bystander.over.set()
    assert bystander.failed == 0
    assert sorted(bystander.taken)[len(bystander.taken) // 2] < 0.1


def test_openssl(tmp_path):
    openssl = need("openssl")
    key, certificate = tmp_path / "key.pem", tmp_path / "certificate.pem"
    run(openssl, "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-keyout", key, "-out", certificate, "-days", 1,
        "-subj", "/CN=localhost")
    quoted = {name: path.read_text().replace("\n", "\\n") for name, path in (("key", key), ("cert", certificate))}
    (tmp_path / "tls").write_text(f'server_key: "{quoted["key"]}"\nserver_cert: "{quoted["cert"]}"\n')

    def connect(port, *flags, text=""):
        return run(openssl, "s_client", "-connect", f"127.0.0.1:{port}", *flags, input=text)

    with Serving(tmp_path, f"--ssl_config_file={tmp_path / 'tls'}") as server:
        request = "GET /livez HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n"
        assert "HTTP/1.1 200 OK" in connect(server.rest_port, "-quiet", "-ign_eof", text=request).stdout
        assert "ALPN protocol: h2" in connect(server.port, "-alpn", "h2").stdout
        assert "ALPN protocol: http/1.1" in connect(server.rest_port, "-alpn", "h2,http/1.1").stdout
        for old in ("-tls1", "-tls1_1"):
            assert "Cipher is (NONE)" in connect(server.rest_port, old).stdout
        for _ in range(50):  # renegotiation and the like end with the connection
            connect(server.rest_port, "-tls1_2", text="R\n")
        assert "HTTP/1.1 200 OK" in connect(server.rest_port, "-quiet", "-ign_eof", text=request).stdout
