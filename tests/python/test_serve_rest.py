"""TensorFlow Serving's REST interface, sentence by sentence: paths, methods, bodies, statuses, error texts."""
import base64
import gzip
import json
import math

import pytest

import rill as tf
from test_serve import MODELS, add_version, await_true, run, write_config  # noqa: F401


def written(folder):
    """A model with signatures of all kinds."""
    build = tf.saved_model.signature_def_utils.predict_signature_def
    with tf.Session() as session:
        x = tf.placeholder(tf.float32, [None], "x")
        y = tf.placeholder(tf.float32, [None], "y")
        text = tf.placeholder(tf.string, [None], "text")
        number = tf.placeholder(tf.int32, [], "number")
        matrix = tf.placeholder(tf.float32, [None, 2], "matrix")
        odd = tf.placeholder(tf.complex64, [None], "odd")
        anything = tf.placeholder(tf.float32, None, "anything")
        identity = tf.identity
        signatures = {
            "serving_default": build({"x": x}, {"y": x * 0.5 + 2.0}),
            "two": build({"x": x, "y": y}, {"sum": x + y, "difference": x - y}),
            "texts": build({"text": text}, {"out": identity(text)}),
            "bytes": build({"text": text}, {"out_bytes": identity(text)}),
            "numbers_bytes": build({"x": x}, {"out_bytes": identity(x)}),
            "scalar": build({"number": number}, {"next": number + 1}),
            "matrix": build({"m": matrix}, {"n": identity(matrix), "rows": tf.shape(matrix)[0]}),
            "uneven": build({"x": x}, {"a": identity(x), "b": tf.concat([x, x], 0)}),
            "odd": build({"odd": odd}, {"out": identity(odd)}),
            "anything": build({"a": anything}, {"out": identity(anything)}),
            "not_served": tf.saved_model.build_signature_def(
                {"x": tf.saved_model.utils.build_tensor_info(x)}, {"y": tf.saved_model.utils.build_tensor_info(x)}, "other")}
        builder = tf.saved_model.builder.SavedModelBuilder(str(folder))
        builder.add_meta_graph_and_variables(session, ["serve"], signature_def_map=signatures)
        builder.save()


@pytest.fixture
def server(run, tmp_path):
    written(tmp_path / "written")
    add_version(tmp_path / "m", tmp_path / "written", 3)
    add_version(tmp_path / "m", tmp_path / "written", 12)
    add_version(tmp_path / "c", MODELS / "saved_models/classify/model")
    add_version(tmp_path / "r", MODELS / "saved_models/regress/model")
    write_config(tmp_path / "models.config", [
        ("m", tmp_path / "m", 'model_version_policy { all {} } version_labels { key: "stable" value: 3 }'),
        ("c", tmp_path / "c", ""), ("r", tmp_path / "r", "")])
    server = run(f"--model_config_file={tmp_path / 'models.config'}", "--allow_version_labels_for_unavailable_models")
    assert await_true(lambda: server.request("GET", "/v2/models/m/versions/3/ready")[0] == 200 and  # one is enough to start
                      server.request("GET", "/v2/models/m/versions/12/ready")[0] == 200)
    return server


def predict(server, body, path="/v1/models/m:predict"):
    return server.post(path, body)


def refused(server, body, path="/v1/models/m:predict", status=400, method="POST"):
    got, text = server.request(method, path, body)
    assert got == status, text
    assert text.startswith(b'{ "error": "') and text.endswith(b'" }')
    return json.loads(text)["error"]


def test_paths_and_methods(server):
    half = {"instances": [1.0, 2.0, 5.0]}
    expected = {"predictions": [2.5, 3.0, 4.5]}
    for path in ("/v1/models/m:predict", "/V1/Models/m:PREDICT", "/v1/models/%6d:predict", "/v1/models/m:predict?a=b",
                 "/v1/models/m/versions/3:predict", "/v1/models/m/versions/0012:predict", "/v1/models/m/labels/stable:predict"):
        assert predict(server, half, path) == expected, path
    assert refused(server, half, "/v1/models/M:predict", 404) == "Servable not found for request: Latest(M)"
    assert refused(server, half, "/v1/models/m/versions/4:predict", 404) == "Servable not found for request: Specific(m, 4)"
    assert refused(server, half, "/v1/models/m/labels/x:predict") == "Unrecognized servable version label: x"
    for path in ("/v1/models/m:train", "/v1/models/m", "/v1/models/:predict", "/v1/models/m/versions/x:predict",
                 "/v1/models/m/metadata", "/v1/other", "/v1/models/m/n:predict"):
        assert refused(server, half, path) == f"Malformed request: POST {path}"
    assert refused(server, None, "/v1/models/m:predict", method="GET") == "Malformed request: GET /v1/models/m:predict"
    for method in ("PUT", "DELETE", "PATCH"):
        assert refused(server, half, method=method) == f"Malformed request: {method} /v1/models/m:predict"
    assert refused(server, None, "/v1/models", method="GET") == "Missing model name in request."
    assert refused(server, half, "/v1/models/m/versions/99999999999999999999:predict") == (
        "Failed to convert version: 99999999999999999999 to numeric.")
    assert server.request("GET", "/elsewhere")[0] == 404
    assert server.request("POST", "/", half)[0] == 404


def test_exact_bodies(server):
    status, body = server.request("POST", "/v1/models/m:predict", {"instances": [1.0, 2.0, 5.0]})
    assert (status, body) == (200, b'{\n    "predictions": [2.5, 3.0, 4.5\n    ]\n}')
    status, body = server.request("POST", "/v1/models/m:predict", {"inputs": [1.0, 2.0, 5.0]})
    assert (status, body) == (200, b'{\n    "outputs": [2.5, 3.0, 4.5]\n}')
    assert server.request("POST", "/v1/models/x:predict", {})[1] == b'{ "error": "Servable not found for request: Latest(x)" }'
    quoted = refused(server, b'{"instances": ["\\"a\\n\\\\"]}')
    assert '"\\"a\\n\\\\"' in quoted  # as it was sent
    for length in range(250, 258):  # cut, but not within a character
        assert "..." in refused(server, json.dumps({"instances": ["\u00e4" * length]}, ensure_ascii=False).encode())
    assert refused(server, {}, "/v1/models/%ff%C3%A4:predict", 404) == "Servable not found for request: Latest(\ufffd\u00e4)"


def test_rows_and_columns(server):
    rows = {"signature_name": "two", "instances": [{"x": 1, "y": 2}, {"y": 4, "x": 3}]}
    assert predict(server, rows) == {"predictions": [{"sum": 3.0, "difference": -1.0}, {"sum": 7.0, "difference": -1.0}]}
    columns = {"signature_name": "two", "inputs": {"x": [1, 3], "y": [2, 4], "other": "ignored"}}
    assert predict(server, columns) == {"outputs": {"sum": [3.0, 7.0], "difference": [-1.0, -1.0]}}
    assert predict(server, {"instances": [{"x": 1}, {"x": 2}]}) == {"predictions": [2.5, 3.0]}  # one input may be named
    assert predict(server, {"inputs": {"x": [1]}}) == {"outputs": [2.5]}
    assert predict(server, {"signature_name": "scalar", "inputs": 4}) == {"outputs": 5}
    assert predict(server, {"signature_name": "scalar", "inputs": {"number": 4}}) == {"outputs": 5}
    matrix = {"signature_name": "matrix", "inputs": [[1, 2], [3, 4]]}
    assert predict(server, matrix) == {"outputs": {"n": [[1.0, 2.0], [3.0, 4.0]], "rows": 2}}
    matrix["instances"] = matrix.pop("inputs")
    assert refused(server, matrix) == "Tensor name: rows has no shape information"
    assert refused(server, {"signature_name": "uneven", "instances": [1, 2]}) == (
        "Tensor name: b has inconsistent batch size: 4 expecting: 2")
    for value in (5, [5], [[5, 6], [7, 8]], [[[[5]]]], []):
        assert predict(server, {"signature_name": "anything", "inputs": value}) == {"outputs": value}


def test_texts_and_bytes(server):
    packed = {"b64": base64.b64encode(b"\x00\xff").decode()}
    assert predict(server, {"signature_name": "texts", "instances": ["a", {"b64": "Yg=="}, "\u00e4"]}) == {
        "predictions": ["a", "b", "\u00e4"]}
    assert predict(server, {"signature_name": "bytes", "instances": ["a", packed]}) == {
        "predictions": [{"b64": "YQ=="}, packed]}
    assert predict(server, {"signature_name": "bytes", "inputs": {"text": [packed]}}) == {"outputs": [packed]}
    assert predict(server, {"signature_name": "numbers_bytes", "instances": [1.5]}) == {"predictions": [1.5]}
    assert "Unable to base64 decode" in refused(server, {"signature_name": "texts", "instances": [{"b64": "?"}]})
    assert "is not of expected type: string" in refused(server, {"signature_name": "texts", "instances": [1]})


def test_numbers_that_json_does_not_have(server):
    body = b'{"signature_name": "anything", "inputs": [NaN, Infinity, -Infinity, Inf, -Inf, 1e40, 0.1]}'
    status, answer = server.request("POST", "/v1/models/m:predict", body)
    assert status == 200
    assert answer == b'{\n    "outputs": [NaN, Infinity, -Infinity, Infinity, -Infinity, Infinity, 0.1]\n}'
    assert math.isnan(json.loads(answer)["outputs"][0])


def test_what_is_wrong_with_a_request(server):
    assert refused(server, b"") == "JSON Parse error: The document is empty"
    assert refused(server, b"[1]") == "JSON Value: [1] Is not object"
    assert "JSON Parse error: " in refused(server, b"{x}") and " at offset: 1" in refused(server, b"{x}")
    assert "Missing 'inputs' or 'instances' key" in refused(server, {})
    assert "Not expecting both 'inputs' and 'instances' keys" in refused(server, {"inputs": 1, "instances": [1]})
    assert refused(server, {"signature_name": "k", "instances": [1]}) == (
        'Serving signature name: "k" not found in signature def')
    assert "is not of expected type: string" in refused(server, {"signature_name": 5, "instances": [1]})
    assert "non-empty" in refused(server, {"instances": []})
    assert "Missing named input: y in 'inputs' object." in refused(server, {"signature_name": "two", "inputs": {"x": [1]}})
    assert "keys must be equal to: x" in refused(server, {"instances": [{"x": 1, "z": 1}]})
    assert "Failed to process element: 1" in refused(server, {"instances": [1, [2]]})
    assert "Encountered list at unexpected size: 1 at level: 1 expected size: 2" in refused(
        server, {"signature_name": "matrix", "inputs": [[1, 2], [3]]})
    assert "found at incorrect level" in refused(server, {"signature_name": "matrix", "inputs": [[1, 2], 3]})
    assert "JSON Value: true Type: Bool" in refused(server, {"instances": [True]}) or (
        "is not of expected type: float" in refused(server, {"instances": [True]}))
    assert len(refused(server, {"instances": ["a" * 5000]})) < 600  # values are told of in part
    assert refused(server, {"signature_name": "odd", "inputs": [1]}, status=501).startswith("Conversion of JSON Value: ")
    assert refused(server, {"signature_name": "not_served", "instances": [1]}, status=500).startswith(
        "Expected prediction signature method_name to be one of {")


def test_status(server):
    def one(version):
        return {"version": version, "state": "AVAILABLE", "status": {"error_code": "OK", "error_message": ""}}

    assert server.get("/v1/models/m") == {"model_version_status": [one("12"), one("3")]}
    assert server.get("/v1/models/m/versions/3") == {"model_version_status": [one("3")]}
    assert server.get("/v1/models/m/labels/stable") == {"model_version_status": [one("3")]}
    assert refused(server, None, "/v1/models/x", 404, "GET") == "Could not find any versions of model x"
    assert refused(server, None, "/v1/models/m/versions/4", 404, "GET") == "Could not find version 4 of model m"


def test_metadata(server):
    metadata = server.get("/v1/models/m/versions/3/metadata")
    assert metadata["model_spec"] == {"name": "m", "signature_name": "", "version": "3"}
    assert list(metadata) == ["model_spec", "metadata"] and list(metadata["metadata"]) == ["signature_def"]
    signatures = metadata["metadata"]["signature_def"]["signature_def"]
    matrix = signatures["matrix"]
    assert matrix["method_name"] == "tensorflow/serving/predict"
    assert matrix["inputs"] == {"m": {"dtype": "DT_FLOAT", "name": "matrix:0", "tensor_shape": {
        "dim": [{"size": "-1", "name": ""}, {"size": "2", "name": ""}], "unknown_rank": False}}}
    assert matrix["outputs"]["rows"]["tensor_shape"] == {"dim": [], "unknown_rank": False}
    assert signatures["anything"]["inputs"]["a"]["tensor_shape"] == {"dim": [], "unknown_rank": True}
    assert server.get("/v1/models/m/metadata")["model_spec"]["version"] == "12"
    assert refused(server, None, "/v1/models/x/metadata", 404, "GET") == "Servable not found for request: Latest(x)"


def test_classify_and_regress(server):
    example = {"x": [0.5, 0.25, -1.5]}
    classes = server.post("/v1/models/c:classify", {"examples": [example, example]})["results"]
    assert len(classes) == 2 and classes[0] == classes[1]
    assert [label for label, _ in classes[0]] == ["no", "yes"] and all(isinstance(score, float) for _, score in classes[0])
    values = server.post("/v1/models/r:regress", {"examples": [example], "signature_name": "serving_default"})["results"]
    assert len(values) == 1 and isinstance(values[0], float)
    shared = server.post("/v1/models/r:regress", {"context": example, "examples": [{}, {}]})["results"]
    assert shared == values * 2
    assert "'examples' key" in refused(server, {}, "/v1/models/c:classify")
    assert "non-empty" in refused(server, {"examples": []}, "/v1/models/c:classify")
    assert "Unexpected element type in feature: x expecting type: float" in refused(
        server, {"examples": [{"x": [0.5, "a"]}]}, "/v1/models/c:classify")
    assert refused(server, {"examples": [example], "signature_name": "k"}, "/v1/models/c:classify") == (
        "No signature was found with the name: k")
    assert refused(server, {"examples": [example]}, "/v1/models/r:classify") == (
        "Expected classification signature method_name to be tensorflow/serving/classify. Was: tensorflow/serving/regress")
    assert refused(server, {"examples": [example]}, "/v1/models/c:regress") == (
        "Expected regression signature method_name to be tensorflow/serving/regress. Was: tensorflow/serving/classify")
    assert refused(server, {"examples": [example]}, "/v1/models/x:classify", 404) == "Servable not found for request: Latest(x)"


def test_packed_bodies(server):
    body = gzip.compress(json.dumps({"instances": [1.0]}).encode())
    for encoding in ("gzip", "GZIP", "x, gzip"):
        assert server.request("POST", "/v1/models/m:predict", body, {"Content-Encoding": encoding})[0] == 200
    examples = gzip.compress(json.dumps({"examples": [{"x": [0.5, 0.25, -1.5]}]}).encode())
    assert server.request("POST", "/v1/models/c:classify", examples, {"Content-Encoding": "gzip"})[0] == 200


@pytest.mark.parametrize("is_on", [False, True])
def test_web_pages_of_other_places(run, tmp_path, is_on):
    import urllib.request
    add_version(tmp_path / "m", MODELS / "saved_models/simple_save/model")
    server = run(f"--model_base_path={tmp_path / 'm'}", "--model_name=m", f"--rest_api_enable_cors_support={is_on}")

    def ask(method, path, body=None, origin="https://example.com"):
        request = urllib.request.Request(f"http://127.0.0.1:{server.rest_port}{path}", body, {"Origin": origin}, method=method)
        try:
            with urllib.request.urlopen(request, timeout=20) as answer:
                return answer.status, answer.headers
        except urllib.error.HTTPError as error:
            return error.code, error.headers

    status, headers = ask("OPTIONS", "/v1/models/m:predict")
    assert status == (200 if is_on else 400)
    assert headers["Access-Control-Allow-Origin"] == ("*" if is_on else None)
    assert headers["Access-Control-Allow-Methods"] == ("GET, POST" if is_on else None)
    body = b'{"instances": [[1, 2, 3]]}'
    status, headers = ask("POST", "/v1/models/m:predict", body)
    assert status == 200 and headers["Access-Control-Allow-Origin"] == ("*" if is_on else None)
    status, headers = ask("GET", "/v1/models/x")
    assert status == 404 and headers["Access-Control-Allow-Origin"] == ("*" if is_on else None)
    assert ask("OPTIONS", "/v1/models/m:predict", origin="null")[0] == 400
    assert ask("POST", "/v1/models/m:predict", body, origin="null")[1]["Access-Control-Allow-Origin"] is None
    # What another form brings along in its headers is not lost.
    asked = (b'{"inputs": [{"name": "x", "shape": [1, 3], "datatype": "FP32", "data": [0, 0, 0]}], '
             b'"parameters": {"binary_data_output": true}}')
    status, headers = ask("POST", "/v2/models/m/infer", asked)
    assert status == 200 and int(headers["Inference-Header-Content-Length"]) > 0
