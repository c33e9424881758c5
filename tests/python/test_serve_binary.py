"""Requests and answers that are not JSON: bytes, numpy's files and messages."""
import io
import json
import urllib.request

import numpy as np
import pytest

import rill as tf
from rill import proto
from test_serve import MODELS, add_version, await_true, run  # noqa: F401

BYTES, NPY, MESSAGE = "application/octet-stream", "application/x-npy", "application/x-protobuf"
predict_pb2 = proto.module("tensorflow_serving/apis/predict.proto")
NUMBERS = ["float16", "float32", "float64", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64",
           "bool"]


@pytest.fixture
def server(run, tmp_path):
    """A model that gives back what it gets, with a signature for every type, and some that compute."""
    build = tf.saved_model.signature_def_utils.predict_signature_def
    with tf.Session() as session:
        signatures = {}
        for name in [*NUMBERS, "string", "complex64", "bfloat16"]:
            x = tf.placeholder(name, None if name == "int16" else [None, 2])
            signatures[name] = build({"x": x}, {"y": tf.identity(x)})
        a, b = tf.placeholder(tf.float32, [None, 3]), tf.placeholder(tf.float32, [3])
        signatures["serving_default"] = build({"a": a}, {"sum": tf.reduce_sum(a, 1), "double": a * 2})
        signatures["two"] = build({"a": a, "b": b}, {"sum": a + b})
        signatures["words"] = build({"w": tf.placeholder(tf.string, [None])}, {"n": tf.constant(1)})
        text = tf.placeholder(tf.string, [])
        signatures["text"] = build({"t": text}, {"length": tf.strings.length(text), "again": tf.identity(text)})
        picture = tf.placeholder(tf.uint8, [None, None, 3])
        signatures["picture"] = build({"p": picture}, {"shape": tf.shape(picture)})
        builder = tf.saved_model.builder.SavedModelBuilder(str(tmp_path / "written"))
        builder.add_meta_graph_and_variables(session, ["serve"], signature_def_map=signatures)
        builder.save()
    add_version(tmp_path / "m", tmp_path / "written", 5)
    return run(f"--model_base_path={tmp_path / 'm'}", "--model_name=m")


def ask(server, body, content_type, query="", accept=None, path="/v1/models/m:predict"):
    headers = {"Content-Type": content_type, **({"Accept": accept} if accept else {})}
    request = urllib.request.Request(f"http://127.0.0.1:{server.rest_port}{path}{query}", body, headers)
    try:
        with urllib.request.urlopen(request, timeout=20) as answer:
            return answer.status, answer.headers, answer.read()
    except urllib.error.HTTPError as error:
        return error.code, error.headers, error.read()


def outputs(answer):
    status, headers, body = answer
    assert status == 200, body
    assert headers["Content-Type"] == "application/json"
    return json.loads(body)["outputs"]


def mistake(answer):
    status, headers, body = answer
    assert status == 400 and headers["Content-Type"] == "application/json", (status, body)
    return json.loads(body)["error"]


def npy(array, **how):
    file = io.BytesIO()
    np.save(file, array, **how)
    return file.getvalue()


def test_bytes_take_their_shape_from_the_signature(server):
    rows = np.arange(6, dtype=np.float32).reshape(2, 3)
    assert outputs(ask(server, rows.tobytes(), BYTES)) == {"sum": [3.0, 12.0], "double": (rows * 2).tolist()}
    assert outputs(ask(server, rows.tobytes(), BYTES + "; charset=binary", "?output=sum")) == [3.0, 12.0]
    assert outputs(ask(server, b"", BYTES, "?output=sum")) == []
    assert outputs(ask(server, bytes(24), BYTES, "?signature_name=picture&shape=2,4,3")) == [2, 4, 3]
    assert outputs(ask(server, bytes(24), BYTES, "?signature_name=picture&shape=2,-1,3")) == [2, 4, 3]
    assert outputs(ask(server, b"\1\0\2\0", BYTES, "?signature_name=int16")) == [1, 2]
    assert outputs(ask(server, b"\1\0\2\0", BYTES, "?signature%5Fname=int16&shape=1%2C2&input=x")) == [[1, 2]]
    # A file as it is, such as a picture, for a text that is one.
    assert outputs(ask(server, b"\xff\0abc", BYTES, "?signature_name=text&output=length")) == 5
    assert outputs(ask(server, b"", BYTES, "?signature_name=text&output=length")) == 0


def test_wrong_bytes(server):
    assert mistake(ask(server, bytes(13), BYTES)) == "13 bytes were sent for a tensor of type float and shape [1,3]"
    assert "several unknown dimensions" in mistake(ask(server, bytes(12), BYTES, "?signature_name=picture"))
    assert "?input=NAME" in mistake(ask(server, bytes(12), BYTES, "?signature_name=two"))
    assert "Missing but required: {b}" in mistake(ask(server, bytes(12), BYTES, "?signature_name=two&input=a"))
    assert "alias not found in signature: c" in mistake(ask(server, bytes(12), BYTES, "?input=c"))
    assert "alias not found in signature: c" in mistake(ask(server, bytes(12), BYTES, "?output=c"))
    assert "not found in signature def" in mistake(ask(server, bytes(12), BYTES, "?signature_name=none"))
    assert "has the dimension" in mistake(ask(server, bytes(12), BYTES, "?shape=1,x"))
    assert "has the dimension" in mistake(ask(server, bytes(12), BYTES, "?shape=-2"))
    assert mistake(ask(server, bytes(12), BYTES, "?shape=" + ",".join(["9" * 18] * 3)))
    assert mistake(ask(server, bytes(12), BYTES, "?shape=1,1000000000000,3"))
    assert ask(server, bytes(12), BYTES, path="/v1/models/m/versions/5:predict")[0] == 200
    assert ask(server, bytes(12), BYTES, path="/v1/models/m/versions/6:predict")[0] == 404


def test_numpy_files_of_every_type(server):
    for name in NUMBERS:
        values = np.array([[0, 1], [1, 0], [1, 1]], name)
        for array in (values, np.asfortranarray(values), values.astype(values.dtype.newbyteorder(">"))):
            got = outputs(ask(server, npy(array), NPY, f"?signature_name={name}"))
            assert got == values.tolist()


def test_numpy_texts(server):
    for array in (np.array([[b"a", b"bc"]]), np.array([["a", "bc"]])):
        assert outputs(ask(server, npy(array), NPY, "?signature_name=string")) == [["a", "bc"]]
    assert outputs(ask(server, npy(np.array([["\u00e4", "\U0001f600"]])), NPY, "?signature_name=string")) == [
        ["\u00e4", "\U0001f600"]]


def test_wrong_numpy_files(server):
    good = npy(np.zeros((1, 3), np.float32))
    for bad in (b"", b"\x93NUMPY", b"no array", good[:60], good[:-1], good + b"x", npy(np.array([{}]), allow_pickle=True),
                npy(np.zeros(2, [("a", "f4")])), good.replace(b"(1, 3)", b"(9, 9)"), good.replace(b"(1, 3)", b"(-1,3)"),
                good.replace(b"'<f4'", b"'<f9'"), good.replace(b"NUMPY\1", b"NUMPY\7"), good.replace(b"descr", b"DESCR")):
        assert ask(server, bad, NPY)[0] == 400, bad
    assert "float64" in mistake(ask(server, npy(np.zeros((1, 3))), NPY)) or "double" in mistake(
        ask(server, npy(np.zeros((1, 3))), NPY))


def from_npy(answer):
    status, headers, body = answer
    assert status == 200 and headers["Content-Type"] == NPY, body
    return np.load(io.BytesIO(body))


def test_answers_of_bytes(server):
    rows = np.arange(6, dtype=np.float32).reshape(2, 3)
    status, headers, body = ask(server, rows.tobytes(), BYTES, "?output=double", BYTES)
    assert status == 200 and body == (rows * 2).tobytes()
    assert headers["Content-Type"] == BYTES
    assert (headers["Tensor-Name"], headers["Tensor-Type"], headers["Tensor-Shape"]) == ("double", "float", "2,3")
    asked = json.dumps({"inputs": rows.tolist()}).encode()  # JSON asks, bytes answer
    assert ask(server, asked, "application/json", "?output=sum", BYTES)[2] == rows.sum(1).tobytes()
    assert ask(server, b"text", BYTES, "?signature_name=text&output=again", BYTES)[2] == b"text"
    status, headers, body = ask(server, b"\1\0\0\0a\2\0\0\0bc", BYTES, "?signature_name=string&shape=1,2", BYTES)
    assert body == b"\1\0\0\0a\2\0\0\0bc" and headers["Tensor-Type"] == "string"
    assert "say ?output=NAME" in mistake(ask(server, rows.tobytes(), BYTES, "", BYTES))
    halves = ask(server, bytes(8), BYTES, "?signature_name=bfloat16", BYTES)
    assert halves[2] == bytes(8) and halves[1]["Tensor-Shape"] == "2,2"


def test_answers_as_numpy_files(server):
    for name in [*NUMBERS, "complex64"]:
        values = np.array([[0, 1], [1, 0], [1, 1]], name)
        got = from_npy(ask(server, npy(values), NPY, f"?signature_name={name}", NPY))
        assert got.dtype == values.dtype and np.array_equal(got, values)
    texts = np.array([[b"a", b"bc"], [b"", b"\xff"]])
    assert np.array_equal(from_npy(ask(server, npy(texts), NPY, "?signature_name=string", NPY)), texts)
    scalar = from_npy(ask(server, b"abc", BYTES, "?signature_name=text&output=length", NPY))
    assert scalar.shape == () and scalar == 3
    assert ask(server, bytes(8), BYTES, "?signature_name=bfloat16", NPY)[0] == 501  # numpy has no such type


def test_what_is_accepted(server):
    body = np.zeros((1, 3), np.float32).tobytes()
    for accept, expected in (("*/*", "application/json"), ("text/html, application/x-npy;q=0.9", NPY),
                             ("application/json, " + NPY, "application/json"), (MESSAGE, MESSAGE),
                             ("image/png", "application/json")):
        assert ask(server, body, BYTES, "?output=sum", accept)[1]["Content-Type"] == expected
    status, headers, answer = ask(server, body, BYTES, "", MESSAGE)
    assert set(predict_pb2.PredictResponse.FromString(answer).outputs) == {"sum", "double"}
    message = request_of("", a=np.zeros((1, 3), np.float32)).SerializeToString()
    assert outputs(ask(server, message, MESSAGE, "?output=sum", "application/json")) == [0.0]


def request_of(signature, **inputs):
    request = predict_pb2.PredictRequest()
    request.model_spec.name = "ignored: the path says which"
    request.model_spec.signature_name = signature
    for name, value in inputs.items():
        request.inputs[name].CopyFrom(tf.make_tensor_proto(value))
    return request


def test_messages(server):
    rows = np.arange(6, dtype=np.float32).reshape(2, 3)
    request = request_of("two", a=rows, b=rows[0])
    status, headers, body = ask(server, request.SerializeToString(), MESSAGE)
    assert status == 200 and headers["Content-Type"] == MESSAGE
    response = predict_pb2.PredictResponse.FromString(body)
    assert response.model_spec.name == "m" and response.model_spec.version.value == 5
    assert response.model_spec.signature_name == "two"
    assert np.array_equal(tf.make_ndarray(response.outputs["sum"]), rows + rows[0])
    only = request_of("", a=rows)
    only.output_filter.append("sum")
    response = predict_pb2.PredictResponse.FromString(ask(server, only.SerializeToString(), MESSAGE)[2])
    assert list(response.outputs) == ["sum"] and response.model_spec.signature_name == "serving_default"
    assert "no tensorflow.serving.PredictRequest" in mistake(ask(server, b"\xff", MESSAGE))
    del request.inputs["b"]
    assert "Missing but required: {b}" in mistake(ask(server, request.SerializeToString(), MESSAGE))


def test_messages_of_examples(run, tmp_path):
    for name in ("classify", "regress"):
        add_version(tmp_path / "m", MODELS / f"saved_models/{name}/model", 1 if name == "classify" else 2)
    (tmp_path / "c").write_text('model_config_list { config { name: "m" base_path: "%s" model_platform: "tensorflow" '
                                "model_version_policy { all {} } } }" % (tmp_path / "m"))
    server = run(f"--model_config_file={tmp_path / 'c'}")
    assert await_true(lambda: all(server.request("GET", f"/v2/models/m/versions/{version}/ready")[0] == 200
                                  for version in (1, 2)))
    for kind, message, version in (("classify", "Classification", 1), ("regress", "Regression", 2)):
        module = proto.module(f"tensorflow_serving/apis/{message.lower()}.proto")
        request = getattr(module, message + "Request")()
        request.input.example_list.examples.add().features.feature["x"].float_list.value.extend([0.5, 0.25, -1.5])
        status, headers, body = ask(server, request.SerializeToString(), MESSAGE,
                                    path=f"/v1/models/m/versions/{version}:{kind}")
        assert status == 200 and headers["Content-Type"] == MESSAGE, body
        response = getattr(module, message + "Response").FromString(body)
        assert response.model_spec.version.value == version
        plain = server.post(f"/v1/models/m/versions/{version}:{kind}", {"examples": [{"x": [0.5, 0.25, -1.5]}]})
        if kind == "classify":
            got = [[one.label, one.score] for one in response.result.classifications[0].classes]
            assert [label for label, _ in got] == [label for label, _ in plain["results"][0]]
        else:
            assert response.result.regressions[0].value == pytest.approx(plain["results"][0])
