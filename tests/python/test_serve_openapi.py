"""The OpenAPI document of a server: valid, true to the signatures, and its examples are accepted."""
import copy
import json
import urllib.parse

import pytest

import rill as tf
from test_serve import MODELS, add_version, run, write_config  # noqa: F401

jsonschema = pytest.importorskip("jsonschema", reason="jsonschema is not installed")
validator = pytest.importorskip("openapi_spec_validator", reason="openapi-spec-validator is not installed")

STRANGE = "a <b>&{c}? \u00e4'%\""
SERVED = {"predict": "predict", "texts": "texts", "signatures": "signatures", "cells": "cells", "loop": "loop",
          "classify": "classify", "regress": "regress", "main_op": "main_op", "partitioned": "partitioned",
          "types": "types", STRANGE: "simple_save"}


def serve(run, tmp_path, served=SERVED):
    models = []
    for i, (name, golden) in enumerate(served.items()):
        add_version(tmp_path / str(i), MODELS / "saved_models" / golden / "model")
        models.append((name.replace('"', '\\"'), tmp_path / str(i), ""))
    write_config(tmp_path / "models.config", models)
    return run(f"--model_config_file={tmp_path / 'models.config'}")


def schema_of(document, media_type):
    """The schema of a body, with what it refers to."""
    schema = copy.deepcopy(media_type["schema"])
    schema["components"] = document["components"]
    return schema


def posts(document):
    for path, item in document["paths"].items():
        if "post" in item and "{" not in path:
            yield path, item["post"]


def json_part(part):
    return part["content"]["application/json"]


def test_the_document_is_valid_and_its_examples_are_accepted(run, tmp_path):
    server = serve(run, tmp_path)
    document = server.get("/openapi.json")
    validator.validate(document)
    accepted = 0
    for path, post in posts(document):
        body = json_part(post["requestBody"])
        for example in body.get("examples", {}).values():
            jsonschema.validate(example["value"], schema_of(document, body))
            answer = server.post(path, example["value"])
            jsonschema.validate(answer, schema_of(document, json_part(post["responses"]["200"])))
            accepted += 1
            assert {"application/octet-stream", "application/x-npy"} <= set(post["requestBody"]["content"]) or "/v2/" in path
            status, error = server.request("POST", path, {"nothing": 1})
            assert status == 400
            jsonschema.validate(json.loads(error), schema_of(document, json_part(
                document["components"]["responses"]["Error"])))
    assert accepted > 10
    for path, item in document["paths"].items():
        if "get" in item:
            jsonschema.validate(server.get(path), schema_of(document, json_part(item["get"]["responses"]["200"])))


def test_paths(run, tmp_path):
    server = serve(run, tmp_path)
    document = server.get("/openapi.json")
    paths = document["paths"].keys()
    assert {"/v1/models/predict", "/v1/models/predict/metadata", "/v1/models/predict:predict",
            "/v1/models/predict/versions/{version}:predict", "/v1/models/predict/labels/{label}:predict",
            "/v1/models/classify:classify", "/v1/models/regress:regress", "/v2/models/predict/infer"} <= paths
    assert "/v1/models/predict:classify" not in paths
    assert "/v1/models/types:predict" not in paths  # JSON has no complex numbers
    assert "/v1/models/" + urllib.parse.quote(STRANGE, safe="") + ":predict" in paths
    one = server.get("/v1/models/texts/openapi.json")
    validator.validate(one)
    assert all(path.startswith(("/v1/models/texts", "/v2/models/texts/")) for path in one["paths"])
    assert server.get("/v1/models/texts/versions/1/openapi.json") == one
    assert server.request("GET", "/v1/models/nobody/openapi.json")[0] == 404
    assert server.request("POST", "/v1/models/texts/openapi.json", {})[0] == 400


def test_schemas_say_types_and_shapes(run, tmp_path):
    with tf.Session() as session:
        x = tf.placeholder(tf.float32, [None, 2], "x")
        flag = tf.placeholder(tf.bool, [None], "flag")
        any_shape = tf.placeholder(tf.int64, name="any")
        large = tf.placeholder(tf.uint8, [None, 100, 100], "large")
        name = tf.placeholder(tf.string, [], "name")
        build = tf.saved_model.signature_def_utils.predict_signature_def
        builder = tf.saved_model.builder.SavedModelBuilder(str(tmp_path / "written"))
        builder.add_meta_graph_and_variables(session, ["serve"], signature_def_map={
            "serving_default": build({"x": x, "flag": flag}, {"y": tf.identity(x)}),
            "any": build({"v": any_shape}, {"w": any_shape * 2}),
            "large": build({"picture": large}, {"sum": tf.reduce_sum(tf.cast(large, tf.int32), [1, 2])}),
            "scalar": build({"name": name}, {"again": tf.identity(name)})})
        builder.save()
    add_version(tmp_path / "m", tmp_path / "written")
    server = run(f"--model_base_path={tmp_path / 'm'}", "--model_name=m")
    document = server.get("/openapi.json")
    validator.validate(document)
    post = document["paths"]["/v1/models/m:predict"]["post"]
    body = json_part(post["requestBody"])
    assert set(body["examples"]) == {"serving_default, row by row", "serving_default, input by input",
                                     "any, input by input", "scalar, input by input"}
    assert body["examples"]["serving_default, row by row"]["value"] == {"instances": [{"flag": False, "x": [1.0, 1.0]}]}
    schema = schema_of(document, body)

    def fits(value):
        return jsonschema.Draft4Validator(schema).is_valid(value)

    assert fits({"instances": [{"x": [1, 2], "flag": True}]})
    assert fits({"inputs": {"x": [[1, 2]], "flag": [True]}})
    assert not fits({"inputs": {"x": [[1, 2, 3]], "flag": [True]}})
    assert not fits({"inputs": {"x": [[1, 2]]}})
    assert not fits({"inputs": {"x": [["a", "b"]], "flag": [True]}})
    assert not fits({"instances": []})
    assert fits({"signature_name": "scalar", "inputs": "text"})
    assert fits({"signature_name": "scalar", "inputs": {"b64": "AA=="}})
    assert fits({"signature_name": "any", "inputs": [[[1]]]})
    assert fits({"signature_name": "large", "instances": [[[0] * 100] * 100]})
    for example in body["examples"].values():
        assert fits(example["value"])
        server.post("/v1/models/m:predict", example["value"])
