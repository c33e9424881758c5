"""The ways in which clients of TensorFlow Serving ask, for interop_serving.py."""
import asyncio
import base64
import json
import os
import shlex
import shutil
import socket
import subprocess
import sys
import urllib.error
import urllib.request

import goldens  # noqa: F401  (it sets the environment that TensorFlow reads)
import grpc
import numpy as np
import tensorflow as tf
from tensorflow_serving.apis import classification_pb2
from tensorflow_serving.apis import get_model_metadata_pb2
from tensorflow_serving.apis import get_model_status_pb2
from tensorflow_serving.apis import inference_pb2
from tensorflow_serving.apis import model_service_pb2_grpc
from tensorflow_serving.apis import predict_pb2
from tensorflow_serving.apis import prediction_service_pb2_grpc
from tensorflow_serving.apis import regression_pb2

import interop_serving_models as models

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
COPIES = ("grpc", "at_once", "columns", "rows")  # of every model, one for each way of asking
# What TensorFlow Serving takes as JSON; of others a server may say that it does not.
IN_JSON = ("float32", "float64", "int8", "int16", "int32", "int64", "uint8", "uint32", "uint64", "bool", "object")


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


class Server:
    """`rill serve` of these models, with TensorFlow Serving's stubs."""

    def __init__(self, folder, served):
        lines = []
        for model in served:
            base = folder / "served" / model.name
            version = "00000123" if model.name == "half_plus_three" else "1"
            shutil.copytree(model.path, base / version)
            names = [f"{model.name}.{copy}" for copy in COPIES]
            lines += [f'config {{ name: "{name}" base_path: "{base}" model_platform: "tensorflow" }}'
                      for name in [model.name, *names]]
        config = folder / "models.config"
        config.write_text("model_config_list {\n" + "\n".join(lines) + "\n}\n")
        port, self.rest_port = free_port(), free_port()
        self.address = f"127.0.0.1:{port}"
        self.process = subprocess.Popen(
            [f"{ROOT}/bin/rill", "serve", f"--port={port}", f"--rest_api_port={self.rest_port}",
             f"--model_config_file={config}", "--max_num_load_retries=0", "--allowed_ops=ReadFile"],
            stderr=open(folder / "log", "w"))
        while "HTTP/REST API at" not in (folder / "log").read_text():
            if self.process.poll() is not None:
                sys.exit("the server did not start:\n" + (folder / "log").read_text())
        self.options = [("grpc.max_receive_message_length", -1)]
        channel = grpc.insecure_channel(self.address, self.options)  # large answers too
        self.prediction = prediction_service_pb2_grpc.PredictionServiceStub(channel)
        self.management = model_service_pb2_grpc.ModelServiceStub(channel)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        if self.process.poll() is None:
            self.process.kill()
            self.process.wait()

    def post(self, path, body):
        request = urllib.request.Request(f"http://127.0.0.1:{self.rest_port}/v1/models/{path}",
                                         json.dumps(body).encode())
        try:
            with urllib.request.urlopen(request, timeout=60) as answer:
                return answer.status, answer.read()
        except urllib.error.HTTPError as error:
            return error.code, error.read()

    def stop(self):
        self.process.terminate()
        return self.process.wait(30)


def same(got, expected):
    if got.dtype != expected.dtype or got.shape != expected.shape:
        return False
    if expected.dtype.kind in "fc" or expected.dtype == tf.bfloat16.as_numpy_dtype:
        return np.allclose(got.astype(complex), expected.astype(complex), rtol=1e-5, atol=1e-6, equal_nan=True)
    return np.array_equal(got, expected)


def demand(is_right, *what):
    if not is_right:
        sys.exit("other answers than TensorFlow's: " + " ".join(map(str, what)))


def predict_request(name, call):
    request = predict_pb2.PredictRequest()
    request.model_spec.name = name
    request.model_spec.signature_name = call.signature
    for key, value in call.feeds.items():
        request.inputs[key].CopyFrom(tf.make_tensor_proto(value))
    return request


def compare(name, call, response):
    demand(set(response.outputs) == set(call.answer), name, call.signature, sorted(response.outputs))
    for key, expected in call.answer.items():
        demand(same(tf.make_ndarray(response.outputs[key]), np.asarray(expected)), name, call.signature, key)


def ask_grpc(server, served):
    for model in served:
        for call in model.calls:
            name = f"{model.name}.grpc"
            compare(name, call, server.prediction.Predict(predict_request(name, call), timeout=60))
    return sum(len(model.calls) for model in served)


def ask_at_once(server, served):
    """With asynchronous stubs, all models at the same time."""
    async def ask_model(stub, model):
        for call in model.calls:
            name = f"{model.name}.at_once"
            compare(name, call, await stub.Predict(predict_request(name, call), timeout=60))

    async def ask_all():
        async with grpc.aio.insecure_channel(server.address, server.options) as channel:
            stub = prediction_service_pb2_grpc.PredictionServiceStub(channel)
            await asyncio.gather(*(ask_model(stub, model) for model in served))

    asyncio.run(ask_all())
    return sum(len(model.calls) for model in served)


def plain(value):
    """A tensor as JSON has it; texts as base64, which every text can be."""
    if value.dtype == object:
        return np.vectorize(lambda text: {"b64": base64.b64encode(text).decode()}, otypes=[object])(value).tolist()
    return (value.real if value.dtype.kind == "c" else value).tolist()


def from_json(value, like, name):
    """A value of an answer, as the array that it should be."""
    if like.dtype == object:
        as_bytes = (lambda item: base64.b64decode(item["b64"])) if name.endswith("_bytes") else (
            lambda item: item.encode("utf-8", "surrogateescape"))

        def unpacked(item):
            return [unpacked(one) for one in item] if isinstance(item, list) else as_bytes(item)
        value = unpacked(value)
    if like.ndim > 1 and like.size == 0:
        return like if np.size(value) == 0 else None  # JSON cannot say how wide no rows are
    return np.array(value, like.dtype)


def dtype_names(call):
    return {np.asarray(value).dtype.name for value in (*call.feeds.values(), *call.answer.values())}


def loads(body):
    return json.loads(body.decode("utf-8", "surrogateescape"))


def ask_rest_columns(server, served):
    asked = 0
    for model in served:
        for call in model.calls:
            if any(np.asarray(value).size == 0 for value in call.feeds.values()) or not call.feeds:
                continue
            inputs = {key: plain(np.asarray(value)) for key, value in call.feeds.items()}
            path = f"{model.name}.columns:predict"
            status, body = server.post(path, {"signature_name": call.signature, "inputs": inputs})
            if status == 501 and not dtype_names(call) <= set(IN_JSON):
                continue
            demand(status == 200, path, call.signature, status, body[:300])
            outputs = loads(body)["outputs"]
            outputs = outputs if len(call.answer) > 1 else dict.fromkeys(call.answer, outputs)
            for key, expected in call.answer.items():
                expected = np.asarray(expected)
                demand(same(from_json(outputs[key], expected, key), expected), path, call.signature, key)
            asked += 1
    return asked


def ask_rest_rows(server, served):
    asked = 0
    for model in served:
        for call in model.calls:
            tensors = [np.asarray(value) for value in (*call.feeds.values(), *call.answer.values())]
            rows = {tensor.shape[0] if tensor.ndim else None for tensor in tensors}
            if len(rows) > 1 or rows & {0, None} or not call.feeds or not dtype_names(call) <= set(IN_JSON):
                continue
            columns = {key: plain(np.asarray(value)) for key, value in call.feeds.items()}
            instances = [dict(zip(columns, row)) for row in zip(*columns.values())]
            if len(columns) == 1 and not isinstance(instances[0][next(iter(columns))], dict):
                instances = next(iter(columns.values()))  # the one input needs no name
            path = f"{model.name}.rows:predict"
            status, body = server.post(path, {"signature_name": call.signature, "instances": instances})
            demand(status == 200, path, call.signature, status, body[:300])
            predictions = loads(body)["predictions"]
            for key, expected in call.answer.items():
                expected = np.asarray(expected)
                column = [row[key] for row in predictions] if len(call.answer) > 1 else predictions
                demand(same(from_json(column, expected, key), expected), path, call.signature, key)
            asked += 1
    return asked


def examples_input(rows):
    request = classification_pb2.ClassificationRequest()
    request.input.example_list.examples.extend(models.examples_of(rows))
    return request.input


def same_classes(found, answer):
    labels = answer.get("classes", np.full_like(answer["scores"], b"", object))
    return np.array_equal([[label.encode() for label, _ in row] for row in found], labels) and np.allclose(
        [[score for _, score in row] for row in found], answer["scores"], rtol=1e-4)


def same_values(found, answer):
    return np.allclose(found, answer["outputs"].ravel(), rtol=1e-4)


def classify(server, request):
    return [[(one.label, one.score) for one in row.classes]
            for row in server.prediction.Classify(request).result.classifications]


def regress(server, request):
    return [one.value for one in server.prediction.Regress(request).result.regressions]


EXAMPLE_METHODS = {"classify": (classification_pb2.ClassificationRequest, classify, same_classes),
                   "regress": (regression_pb2.RegressionRequest, regress, same_values)}


def ask_examples(server, served):
    """Classify, Regress and MultiInference, over gRPC and REST."""
    for model in served:
        several = inference_pb2.MultiInferenceRequest()
        for signature, method, rows, answer in model.examples:
            message_type, ask, is_same = EXAMPLE_METHODS[method]
            message = message_type()
            message.model_spec.name, message.model_spec.signature_name = model.name, signature
            message.input.CopyFrom(examples_input(rows))
            demand(is_same(ask(server, message), answer), model.name, signature)
            status, body = server.post(f"{model.name}:{method}", {"signature_name": signature, "examples": rows})
            demand(status == 200 and is_same(json.loads(body)["results"], answer), model.name, signature, body)
            task = several.tasks.add()
            task.model_spec.CopyFrom(message.model_spec)
            task.method_name = f"tensorflow/serving/{method}"
            several.input.CopyFrom(message.input)
        if several.tasks:
            results = server.prediction.MultiInference(several).results
            demand(len(results) == len(several.tasks), model.name, "MultiInference")


def ask_about_models(server):
    metadata = get_model_metadata_pb2.GetModelMetadataRequest(metadata_field=["signature_def"])
    metadata.model_spec.name = "written.functions"
    signatures = get_model_metadata_pb2.SignatureDefMap()
    demand(server.prediction.GetModelMetadata(metadata).metadata["signature_def"].Unpack(signatures), "metadata")
    demand({"serving_default", "text", "large"} <= set(signatures.signature_def), "metadata", signatures)
    status = get_model_status_pb2.GetModelStatusRequest()
    status.model_spec.name = "written.functions"
    demand(server.management.GetModelStatus(status).model_version_status[0].state == 30, "status")
    status.model_spec.name = "nobody"
    try:
        server.management.GetModelStatus(status)
    except grpc.RpcError as error:
        demand(error.code() == grpc.StatusCode.NOT_FOUND, "a model that is not there", error)
        demand(error.details() == "Could not find any versions of model nobody", "a model that is not there", error)
    else:
        sys.exit("a model that is not there has a status")


# Commands of TensorFlow Serving's documentation as they stand, and what it shows of their answers.
DOCUMENTED = [
    ("""curl http://localhost:8501/v1/models/half_plus_three""",
     ['"version": "123"', '"state": "AVAILABLE"', '"error_code": "OK"']),
    ("""curl -d '{"instances": [1.0,2.0,5.0]}' -X POST http://localhost:8501/v1/models/half_plus_three:predict""",
     {"predictions": [3.5, 4.0, 5.5]}),
    ("""curl -d '{"signature_name":"tensorflow/serving/regress","examples":[{"x":1.0},{"x":2.0}]}' \
-X POST http://localhost:8501/v1/models/half_plus_three:regress""", {"results": [3.5, 4.0]}),
    ("""curl -i -d '{"instances": [1.0,5.0]}' -X POST http://localhost:8501/v1/models/half:predict""",
     ["HTTP/1.1 404 Not Found", "Content-Type: application/json", 'Servable not found for request: Latest(half)']),
    ("""curl http://localhost:8501/v1/models/half_plus_three/metadata""",
     ['"half_plus_three"', '"method_name": "tensorflow/serving/predict"', '"regress_x_to_y"']),
    ("""curl -X POST http://localhost:8501/v1/models/half_plus_three/versions/123:predict \
-d '{"instances": [[1.0],[2.0]]}'""", {"predictions": [[3.5], [4.0]]}),
]


def ask_as_documented(server):
    for command, expected in DOCUMENTED:
        arguments = shlex.split(command.replace("localhost:8501", f"127.0.0.1:{server.rest_port}"))
        out = subprocess.run([*arguments, "--silent", "--show-error"], stdout=subprocess.PIPE, text=True,
                             timeout=30).stdout
        if isinstance(expected, dict):
            demand(flat(json.loads(out)) == flat(expected), command, out)
        else:
            demand(all(text in out for text in expected), command, out)
    return len(DOCUMENTED)


def flat(value):
    """The numbers of an answer in order, for models that keep a dimension which the documentation's one does not."""
    if isinstance(value, dict):
        return {key: flat(each) for key, each in value.items()}
    return np.ravel(value).tolist()
