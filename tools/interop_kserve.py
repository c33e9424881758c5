#!/usr/bin/env python3
"""Lets clients that others wrote ask `rill serve`: Triton's, over gRPC and HTTP, in every form that KServe's
protocol has for tensors, and gRPC's reflection client.

  interop_kserve.py

Run by the Python of an environment with tritonclient and grpcio-reflection, as `./do interop` does.
"""
import base64
import json
import os
import pathlib
import shutil
import socket
import subprocess
import sys
import tempfile
import time

import grpc
import ml_dtypes
import numpy as np
import tritonclient.grpc as triton_grpc
import tritonclient.http as triton_http
from google.protobuf import descriptor_pool
from grpc_reflection.v1alpha.proto_reflection_descriptor_database import ProtoReflectionDescriptorDatabase
from tritonclient.grpc import service_pb2, service_pb2_grpc

ROOT = pathlib.Path(__file__).resolve().parent.parent
MODELS = ROOT / "tests/golden/models"
TYPES = {"float16": "FP16", "float32": "FP32", "float64": "FP64", "bool": "BOOL", "object": "BYTES",
         **{f"{sign}int{bits}": f"{sign.upper()}INT{bits}" for sign in ("", "u") for bits in (8, 16, 32, 64)}}
LISTS = {"bool": "bool_contents", "int8": "int_contents", "int16": "int_contents", "int32": "int_contents",
         "int64": "int64_contents", "uint8": "uint_contents", "uint16": "uint_contents", "uint32": "uint_contents",
         "uint64": "uint64_contents", "float32": "fp32_contents", "float64": "fp64_contents",
         "object": "bytes_contents"}


def array(stored):
    data = stored["data"]
    if stored["dtype"] == "object":
        data = [base64.b64decode(text) for text in data]
    return np.array(data, stored["dtype"]).reshape(stored["shape"])


def same(got, expected):
    if got.shape != expected.shape or got.dtype != expected.dtype:
        return False
    if expected.dtype.kind == "f":
        return np.allclose(got, expected, rtol=1e-5, atol=1e-6, equal_nan=True)
    return np.array_equal(got, expected)


def questions(goldens):
    """Model, signature, inputs and outputs of what KServe's protocol has types for."""
    for name, entry in goldens.items():
        for question, answer in zip(entry["question"]["calls"], entry["answer"]["calls"]):
            signature = entry["answer"]["signatures"][question["signature"]]
            tensors = [*question["feeds"].values(), *(value[0] for value in answer.values())]
            if signature["methodName"].startswith("tensorflow/serving/") and question["feeds"] and all(
                    tensor["dtype"] in TYPES for tensor in tensors):
                yield (name, question["signature"], {key: array(value) for key, value in question["feeds"].items()},
                       {key: array(value[0]) for key, value in answer.items()})


class Server:
    def __init__(self, folder, models):
        lines = []
        for name, (source, versions) in models.items():
            for version in versions:
                shutil.copytree(source, folder / name / str(version))
            lines.append(f'config {{ name: "{name}" base_path: "{folder / name}" model_platform: "tensorflow" '
                         "model_version_policy { all {} } }")
        config = folder / "models.config"
        config.write_text("model_config_list {\n" + "\n".join(lines) + "\n}\n")
        self.ports = [self.free_port(), self.free_port()]
        self.process = subprocess.Popen(
            [ROOT / "bin/rill", "serve", f"--port={self.ports[0]}", f"--rest_api_port={self.ports[1]}",
             f"--model_config_file={config}"], stderr=subprocess.PIPE, text=True)
        for line in self.process.stderr:
            if "HTTP/REST API at" in line:
                break
        else:
            sys.exit("the server did not start")

    @staticmethod
    def free_port():
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            return probe.getsockname()[1]

    def stop(self):
        self.process.terminate()
        self.process.communicate(timeout=30)
        assert self.process.returncode == 0


def triton_inputs(client, inputs, **how):
    tensors = []
    for name, value in inputs.items():
        tensors.append(client.InferInput(name, value.shape, TYPES[value.dtype.name]))
        tensors[-1].set_data_from_numpy(value, **how)
    return tensors


def ask_by_grpc(client, question):
    name, signature, inputs, outputs = question
    answer = client.infer(name, triton_inputs(triton_grpc, inputs), request_id="7",
                          parameters={"signature_name": signature})
    assert answer.get_response().id == "7"
    return {key: answer.as_numpy(key) for key in outputs}


def ask_by_http(client, question, binary_in, binary_out):
    name, signature, inputs, outputs = question
    wanted = [triton_http.InferRequestedOutput(key, binary_data=binary_out) for key in outputs]
    answer = client.infer(name, triton_inputs(triton_http, inputs, binary_data=binary_in), outputs=wanted,
                          parameters={"signature_name": signature})
    return {key: answer.as_numpy(key) for key in outputs}


def ask_by_lists(stub, question):
    """Typed contents, which Triton's client itself does not send."""
    name, signature, inputs, outputs = question
    request = service_pb2.ModelInferRequest(model_name=name)
    request.parameters["signature_name"].string_param = signature
    for key, value in inputs.items():
        tensor = request.inputs.add(name=key, datatype=TYPES[value.dtype.name], shape=value.shape)
        getattr(tensor.contents, LISTS[value.dtype.name]).extend(value.ravel().tolist())
    response = stub.ModelInfer(request, timeout=20)
    assert not response.raw_output_contents
    got = {}
    for tensor in response.outputs:
        dtype = outputs[tensor.name].dtype
        got[tensor.name] = np.array(list(getattr(tensor.contents, LISTS[dtype.name])), dtype).reshape(tensor.shape)
    return got


def ask_everything(server, goldens):
    by_grpc = triton_grpc.InferenceServerClient(f"127.0.0.1:{server.ports[0]}")
    by_http = triton_http.InferenceServerClient(f"127.0.0.1:{server.ports[1]}")
    stub = service_pb2_grpc.GRPCInferenceServiceStub(grpc.insecure_channel(f"127.0.0.1:{server.ports[0]}"))
    asked, wrong = 0, []
    for question in questions(goldens):
        arrays = [*question[2].values(), *question[3].values()]
        forms = {"gRPC": lambda: ask_by_grpc(by_grpc, question),
                 "HTTP": lambda: ask_by_http(by_http, question, True, True)}
        if all(value.dtype.name in LISTS for value in arrays):
            forms["lists"] = lambda: ask_by_lists(stub, question)
        if all(value.dtype != object and value.dtype != np.float16 for value in arrays):
            forms["JSON"] = lambda: ask_by_http(by_http, question, False, False)
            forms["JSON for bytes"] = lambda: ask_by_http(by_http, question, True, False)
        for form, ask in forms.items():
            got = ask()
            asked += 1
            wrong += [f"{question[0]} {key} by {form}" for key, value in question[3].items()
                      if not same(got[key], value)]
    return asked, wrong


def write_echo(folder):
    """A model with an input of every type of the protocol, which it gives back."""
    program = """
import sys
import rill as tf
names = sys.argv[2:]
inputs = {name: tf.placeholder(name, [None, 2], name=name) for name in names}
with tf.Session() as session:
    tf.saved_model.simple_save(session, sys.argv[1], inputs, {name: tf.identity(x) for name, x in inputs.items()})
"""
    names = ["string" if name == "object" else name for name in [*TYPES, "bfloat16"]]
    subprocess.run([ROOT / ".venv/bin/python", "-c", program, folder, *names], check=True,
                   env={**os.environ, "PYTHONPATH": str(ROOT / "python")})


def every_type(server):
    values = {name: np.array([[0, 1], [2, 3]], name) for name in TYPES if name != "object"}
    values["string"] = np.array([[b"", b"\x00\xff"], [b"text", "\u00e4".encode()]], object)
    halves = np.array([[0, 1], [2, 3]], ml_dtypes.bfloat16)
    for client, port in ((triton_grpc, server.ports[0]), (triton_http, server.ports[1])):
        inputs = triton_inputs(client, values)
        inputs.append(client.InferInput("bfloat16", halves.shape, "BF16"))
        inputs[-1].set_data_from_numpy(halves)
        answer = client.InferenceServerClient(f"127.0.0.1:{port}").infer("echo", inputs)
        for name, value in values.items():
            assert same(answer.as_numpy(name), value), name
        assert np.array_equal(answer.as_numpy("bfloat16").astype(np.float32), halves.astype(np.float32))
    return len(values) + 1


def await_versions(server):
    """A server starts when each model has one version."""
    client = triton_grpc.InferenceServerClient(f"127.0.0.1:{server.ports[0]}")
    for _ in range(200):
        if all(client.is_model_ready("predict", version) for version in ("1", "2")):
            return
        time.sleep(0.05)
    sys.exit("not every version was loaded")


def ask_about_the_server(server):
    for client in (triton_grpc.InferenceServerClient(f"127.0.0.1:{server.ports[0]}"),
                   triton_http.InferenceServerClient(f"127.0.0.1:{server.ports[1]}")):
        assert client.is_server_live() and client.is_server_ready()
        assert client.is_model_ready("predict") and client.is_model_ready("predict", "1")
        assert not client.is_model_ready("predict", "3") and not client.is_model_ready("nobody")
    by_grpc = triton_grpc.InferenceServerClient(f"127.0.0.1:{server.ports[0]}")
    assert by_grpc.get_server_metadata().name == "rill"
    assert list(by_grpc.get_model_metadata("predict").versions) == ["1", "2"]
    index = by_grpc.get_model_repository_index().models
    by_http = triton_http.InferenceServerClient(f"127.0.0.1:{server.ports[1]}")
    assert by_http.get_server_metadata()["name"] == "rill"
    assert by_http.get_model_metadata("predict", "2")["inputs"][0]["datatype"] == "FP32"
    rows = by_http.get_model_repository_index()
    assert [(one["name"], one["version"], one["state"]) for one in rows] == [
        (one.name, one.version, one.state) for one in index]
    assert {"name": "predict", "version": "2", "state": "READY", "reason": ""} in rows


def what_is_refused(server):
    client = triton_grpc.InferenceServerClient(f"127.0.0.1:{server.ports[0]}")
    rows = np.zeros((2, 3), np.float32)
    for name, inputs, code in (("nobody", {"rows": rows}, "NOT_FOUND"), ("predict", {"x": rows}, "INVALID_ARGUMENT"),
                               ("predict", {"rows": rows.astype(np.int32)}, "INVALID_ARGUMENT"),
                               ("predict", {"rows": rows[:, :2]}, "INVALID_ARGUMENT")):
        try:
            client.infer(name, triton_inputs(triton_grpc, inputs))
        except triton_grpc.InferenceServerException as error:
            assert error.status() == f"StatusCode.{code}", error
        else:
            sys.exit(f"{name} should not have answered")


def reflection(server):
    """What grpcurl does: services, their methods, and the files that describe them."""
    database = ProtoReflectionDescriptorDatabase(grpc.insecure_channel(f"127.0.0.1:{server.ports[0]}"))
    services = set(database.get_services())
    assert services >= {"inference.GRPCInferenceService", "tensorflow.serving.PredictionService",
                        "tensorflow.serving.ModelService", "grpc.health.v1.Health",
                        "grpc.reflection.v1alpha.ServerReflection"}, services
    pool = descriptor_pool.DescriptorPool(database)
    infer = pool.FindServiceByName("inference.GRPCInferenceService").FindMethodByName("ModelInfer")
    ours, theirs = infer.input_type, service_pb2.ModelInferRequest.DESCRIPTOR
    assert {(f.name, f.number, f.type) for f in ours.fields} == {(f.name, f.number, f.type) for f in theirs.fields}
    predict = pool.FindServiceByName("tensorflow.serving.PredictionService").FindMethodByName("Predict")
    assert predict.input_type.fields_by_name["inputs"].number == 2
    assert pool.FindMessageTypeByName("tensorflow.TensorProto").fields_by_name["tensor_content"].number == 4
    return services


def main():
    stored = json.loads((MODELS / "saved_models.json").read_text())
    goldens = {name: entry for name, entry in stored.items()
               if entry["question"]["kind"] == "saved_model" and entry["question"]["tags"] == ["serve"]
               and entry["question"].get("calls")}
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        write_echo(folder / "written")
        models = {model: (MODELS / "saved_models" / model / entry["question"]["path"],
                          [1, 2] if model == "predict" else [1]) for model, entry in goldens.items()}
        server = Server(folder, {**models, "echo": (folder / "written", [1])})
        try:
            await_versions(server)
            ask_about_the_server(server)
            what_is_refused(server)
            services = reflection(server)
            types = every_type(server)
            asked, wrong = ask_everything(server, goldens)
        finally:
            server.stop()
    if wrong:
        sys.exit("answers differ: " + ", ".join(wrong))
    print(f"KServe: {asked} predictions for Triton's clients as TensorFlow's, {types} types, and reflection tells of "
          f"{len(services)} services")


if __name__ == "__main__":
    main()
