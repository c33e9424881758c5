#!/usr/bin/env python3
"""Lets TensorFlow Serving's own client ask `rill serve`: every SavedModel that TensorFlow wrote for the tests, and more
that it writes now, is served, and asked over gRPC and REST what TensorFlow was asked; the answers must be the same.

  interop_serving.py

Run by the Python of an environment with TensorFlow 2.15 and tensorflow-serving-api, as `./do interop` does.
"""
import base64
import json
import pathlib
import sys
import tempfile

import goldens  # noqa: F401  (it sets the environment that TensorFlow reads)
import numpy as np
import interop_serving_clients as clients
import interop_serving_models as models

ROOT = pathlib.Path(__file__).resolve().parent.parent
STORED = ROOT / "tests/golden/models"
FAMILIES = ("saved_models", "estimators", "tf2_models", "tf2_keras")


def array(stored):
    data = stored["data"]
    if stored["dtype"] == "object":
        data = [base64.b64decode(text) for text in data]
    elif stored["dtype"].startswith("complex"):
        data = [complex(*parts) for parts in data]
    return np.array(data, stored["dtype"]).reshape(stored["shape"])


def is_sparse(signature):
    return any("cooSparse" in info for part in ("inputs", "outputs") for info in signature.get(part, {}).values())


def stored_models():
    """The models of the tests, with what TensorFlow was asked and answered when they were made."""
    for family in FAMILIES:
        for name, entry in json.loads((STORED / f"{family}.json").read_text()).items():
            question, answer = entry["question"], entry["answer"]
            if question["kind"] != "saved_model" or question["tags"] != ["serve"] or not question.get("calls"):
                continue
            calls = []
            for call, outputs in zip(question["calls"], answer["calls"]):
                signature = answer["signatures"][call["signature"]]
                if signature["methodName"].startswith("tensorflow/serving/") and not is_sparse(signature):
                    calls.append(models.Call(call["signature"],
                                             {key: array(stored) for key, stored in call["feeds"].items()},
                                             {key: array(stored[0]) for key, stored in outputs.items()}))
            if calls:
                yield models.Model(f"{family}.{name}", STORED / family / name / question["path"], calls)


def main():
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        served = [*stored_models(), *models.write_models(folder / "written")]
        counts = {}
        with clients.Server(folder, served) as server:
            for client in (clients.ask_grpc, clients.ask_at_once, clients.ask_rest_columns, clients.ask_rest_rows):
                # Some models change when they are asked: each way of asking has models of its own.
                counts[client.__name__] = client(server, served)
            clients.ask_examples(server, served)
            clients.ask_about_models(server)
            commands = clients.ask_as_documented(server)
            status = server.stop()
    if status != 0:
        sys.exit(f"the server ended with status {status}")
    print(f"serving: {len(served)} models, answers as TensorFlow's: {counts['ask_grpc']} over gRPC, "
          f"{counts['ask_at_once']} with asynchronous stubs, {counts['ask_rest_columns']} over REST by columns, "
          f"{counts['ask_rest_rows']} by rows; {commands} commands of the documentation")


if __name__ == "__main__":
    main()
