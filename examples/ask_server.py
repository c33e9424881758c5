"""Serves a SavedModel that reads digits with `rill serve`, and asks it over REST and over gRPC, as any client of
TensorFlow Serving would. The gRPC call is an op of a graph, so that nothing needs to be installed."""
import json
import pathlib
import re
import shutil
import socket
import subprocess
import sys
import tempfile
import urllib.request

import drawn_digits as digits
import rill.proto
import tensorflow as tf


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def start(model, folder):
    """A server of the model's only version, and the addresses where it listens."""
    shutil.copytree(model, folder / "digits/1")
    rill = pathlib.Path(__file__).resolve().parents[1] / "bin/rill"
    server = subprocess.Popen([rill if rill.exists() else "rill", "serve", "--model_name=digits",
                               f"--model_base_path={folder / 'digits'}", f"--port={free_port()}",
                               f"--rest_api_port={free_port()}"],
                              stderr=subprocess.PIPE, text=True)
    addresses = []
    while len(addresses) < 2:
        line = server.stderr.readline()
        if not line:
            sys.exit("the server did not start")
        addresses += re.findall(r"127\.0\.0\.1:\d+", line)
    return server, addresses


def ask_rest(address, pictures):
    request = urllib.request.Request(f"http://{address}/v1/models/digits:predict",
                                     json.dumps({"instances": pictures.tolist()}).encode())
    return json.load(urllib.request.urlopen(request))["predictions"]


def ask_grpc(address, pictures):
    messages = rill.proto.module("tensorflow_serving/apis/predict.proto")
    request = messages.PredictRequest()
    request.model_spec.name = "digits"
    request.inputs["x"].CopyFrom(tf.make_tensor_proto(pictures))
    with tf.Graph().as_default(), tf.Session() as sess:
        answer = sess.run(tf.raw_ops.Rpc(address=address, request=request.SerializeToString(),
                                         method="/tensorflow.serving.PredictionService/Predict", protocol="",
                                         fail_fast=True, timeout_in_ms=20000))
    return tf.make_ndarray(messages.PredictResponse.FromString(answer).outputs["digit"]).tolist()


def main():
    if len(sys.argv) != 2:
        sys.exit("usage: rill run ask_server.py MODEL")
    pictures, numbers = digits.draw(12, seed=42)
    with tempfile.TemporaryDirectory() as folder:
        server, (grpc_address, rest_address) = start(sys.argv[1], pathlib.Path(folder))
        try:
            for name, found in (("REST", ask_rest(rest_address, pictures)), ("gRPC", ask_grpc(grpc_address, pictures))):
                print(f"over {name} the model says:", *found, "  drawn were:", *numbers)
        finally:
            server.terminate()
            server.communicate()


main()
