#!/usr/bin/env python3
"""Lets TensorFlow Serving's own client ask `rill serve`: every SavedModel that TensorFlow wrote for the tests is
served, and asked over gRPC what TensorFlow was asked; the answers must be the same.

  interop_serving.py

Run by the Python of an environment with TensorFlow 2.15 and tensorflow-serving-api, as `./do interop` does.
"""
import base64
import json
import pathlib
import shutil
import socket
import subprocess
import sys
import tempfile

import goldens  # sets TensorFlow's environment: first
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

ROOT = pathlib.Path(__file__).resolve().parent.parent
MODELS = ROOT / "tests/golden/models"


def array(stored):
    data = stored["data"]
    if stored["dtype"] == "object":
        data = [base64.b64decode(text) for text in data]
    elif stored["dtype"].startswith("complex"):
        data = [complex(*parts) for parts in data]
    return np.array(data, stored["dtype"]).reshape(stored["shape"])


def same(got, expected):
    if got.dtype != expected.dtype or got.shape != expected.shape:
        return False
    if expected.dtype.kind in "fc" or expected.dtype == tf.bfloat16.as_numpy_dtype:
        return np.allclose(got.astype(complex), expected.astype(complex), rtol=1e-5, atol=1e-6, equal_nan=True)
    return np.array_equal(got, expected)


class Server:
    def __init__(self, folder, config):
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            port = probe.getsockname()[1]
        self.process = subprocess.Popen([ROOT / "bin/rill", "serve", f"--port={port}", f"--model_config_file={config}"],
                                        stderr=subprocess.PIPE, text=True)
        for line in self.process.stderr:
            if "Running gRPC" in line:
                break
        else:
            sys.exit("the server did not start")
        channel = grpc.insecure_channel(f"127.0.0.1:{port}")
        self.prediction = prediction_service_pb2_grpc.PredictionServiceStub(channel)
        self.management = model_service_pb2_grpc.ModelServiceStub(channel)

    def stop(self):
        self.process.terminate()
        self.process.communicate(timeout=30)
        return self.process.returncode


def serve_all(folder, goldens_of):
    config = folder / "models.config"
    lines = []
    for name, entry in goldens_of.items():
        (folder / name).mkdir()
        shutil.copytree(MODELS / "saved_models" / name / entry["question"]["path"], folder / name / "1")
        lines.append(f'config {{ name: "{name}" base_path: "{folder / name}" model_platform: "tensorflow" }}')
    config.write_text("model_config_list {\n" + "\n".join(lines) + "\n}\n")
    return Server(folder, config)


def ask_models(server, goldens_of):
    asked, wrong = 0, []
    for name, entry in goldens_of.items():
        for question, answer in zip(entry["question"]["calls"], entry["answer"]["calls"]):
            signature = entry["answer"]["signatures"][question["signature"]]
            if not signature["methodName"].startswith("tensorflow/serving/"):
                continue
            if any("cooSparse" in info for part in ("inputs", "outputs") for info in signature.get(part, {}).values()):
                continue
            request = predict_pb2.PredictRequest()
            request.model_spec.name = name
            request.model_spec.signature_name = question["signature"]
            for key, stored in question["feeds"].items():
                request.inputs[key].CopyFrom(tf.make_tensor_proto(array(stored)))
            response = server.prediction.Predict(request, timeout=20)
            asked += 1
            for key, stored in answer.items():
                if not same(tf.make_ndarray(response.outputs[key]), array(stored[0])):
                    wrong.append(f"{name} {question['signature']} {key}")
    return asked, wrong


def ask_examples(server, goldens_of):
    def input_of(name):
        texts = goldens_of[name]["question"]["calls"][0]["feeds"]["inputs"]["data"]
        return [tf.train.Example.FromString(base64.b64decode(text)) for text in texts]

    classification = classification_pb2.ClassificationRequest()
    classification.model_spec.name = "classify"
    classification.input.example_list.examples.extend(input_of("classify"))
    scores = [one.score for row in server.prediction.Classify(classification).result.classifications
              for one in row.classes]
    expected = array(goldens_of["classify"]["answer"]["calls"][0]["scores"][0])
    assert np.allclose(scores, expected.ravel(), rtol=1e-5)
    regression = regression_pb2.RegressionRequest()
    regression.model_spec.name = "regress"
    regression.input.example_list.examples.extend(input_of("regress"))
    values = [one.value for one in server.prediction.Regress(regression).result.regressions]
    assert np.allclose(values, array(goldens_of["regress"]["answer"]["calls"][0]["outputs"][0]), rtol=1e-5)
    several = inference_pb2.MultiInferenceRequest()
    task = several.tasks.add()
    task.model_spec.name, task.method_name = "classify", "tensorflow/serving/classify"
    several.input.CopyFrom(classification.input)
    assert len(server.prediction.MultiInference(several).results) == 1


def ask_about_models(server):
    metadata = get_model_metadata_pb2.GetModelMetadataRequest(metadata_field=["signature_def"])
    metadata.model_spec.name = "classify"
    signatures = get_model_metadata_pb2.SignatureDefMap()
    assert server.prediction.GetModelMetadata(metadata).metadata["signature_def"].Unpack(signatures)
    assert "serving_default" in signatures.signature_def
    status = get_model_status_pb2.GetModelStatusRequest()
    status.model_spec.name = "classify"
    assert server.management.GetModelStatus(status).model_version_status[0].state == 30
    status.model_spec.name = "nobody"
    try:
        server.management.GetModelStatus(status)
    except grpc.RpcError as error:
        assert error.code() == grpc.StatusCode.NOT_FOUND
        assert error.details() == "Could not find any versions of model nobody"
    else:
        sys.exit("a model that is not there has a status")


def main():
    stored = json.loads((MODELS / "saved_models.json").read_text())
    served = {name: entry for name, entry in stored.items()
              if entry["question"]["kind"] == "saved_model" and entry["question"]["tags"] == ["serve"]
              and entry["question"].get("calls")}
    with tempfile.TemporaryDirectory() as folder:
        server = serve_all(pathlib.Path(folder), served)
        try:
            asked, wrong = ask_models(server, served)
            ask_examples(server, served)
            ask_about_models(server)
        finally:
            status = server.stop()
    if wrong or status != 0:
        sys.exit(f"exit status {status}, other answers than TensorFlow's: {wrong}")
    print(f"serving: {len(served)} models, {asked} predictions over gRPC as TensorFlow's")


if __name__ == "__main__":
    main()
