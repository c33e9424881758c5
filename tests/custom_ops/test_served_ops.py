"""A model with an op of its own, served with and without the library that has it."""
import json
import socket
import subprocess
import urllib.request

import rill as tf
from building import ROOT


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def start(tmp_path, *flags):
    """The server and its REST port; None when it has ended instead."""
    port = free_port()
    server = subprocess.Popen(
        [ROOT / "bin/rill", "serve", f"--grpc_socket_path={tmp_path}/socket", "--port=0", f"--rest_api_port={port}",
         f"--model_base_path={tmp_path}/m", "--max_num_load_retries=0", *flags], stderr=subprocess.PIPE, text=True)
    log = ""
    for line in server.stderr:
        log += line
        if "HTTP/REST API at" in line:
            return server, port, log
    server.wait(timeout=20)
    return server, None, log


def test_custom_op_in_a_model(compiler, attr_ops, graph, tmp_path):
    x = tf.placeholder(tf.float32, [3], name="x")
    y = attr_ops.zero_out_t(x, preserve_index=1)
    with tf.Session() as session:
        tf.saved_model.simple_save(session, str(tmp_path / "m/1"), {"x": x}, {"y": y})
    server, port, log = start(tmp_path)
    assert port is None and server.returncode != 0
    assert "ZeroOutT" in log
    server.stderr.close()
    library = compiler.result("attr_ops.cc")
    server, port, log = start(tmp_path, f"--custom_ops_library={library},{library}")
    try:
        assert port is not None, log
        request = urllib.request.Request(f"http://127.0.0.1:{port}/v1/models/default:predict",
                                         b'{"inputs": [5, 4, 3]}')
        with urllib.request.urlopen(request, timeout=20) as answer:
            assert json.load(answer) == {"outputs": [0.0, 4.0, 0.0]}
    finally:
        server.terminate()
        assert server.wait(timeout=20) == 0
        server.stderr.close()
