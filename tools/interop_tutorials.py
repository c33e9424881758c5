#!/usr/bin/env python3
"""The programs that a stranger writes from TensorFlow Serving's documentation, against `rill serve`: models exported by
TensorFlow 1 and 2 in the tutorials' ways, clients over REST and gRPC, at once, with futures and with asyncio. What the
server answers must be what TensorFlow itself computes.

  interop_tutorials.py

Run by the Python of an environment with TensorFlow 2.15 and tensorflow-serving-api, as `./do interop` does.
"""
import asyncio
import base64
import pathlib
import socket
import subprocess
import sys
import tempfile
import threading
import time

import goldens  # noqa: F401  sets TensorFlow's environment: first
import grpc
import numpy as np
import requests
import tensorflow as tf
from tensorflow.compat import v1 as tf1
from tensorflow_serving.apis import classification_pb2
from tensorflow_serving.apis import get_model_metadata_pb2
from tensorflow_serving.apis import get_model_status_pb2
from tensorflow_serving.apis import model_management_pb2
from tensorflow_serving.apis import model_service_pb2_grpc
from tensorflow_serving.apis import predict_pb2
from tensorflow_serving.apis import prediction_service_pb2_grpc
from tensorflow_serving.apis import regression_pb2
from tensorflow_serving.config import model_server_config_pb2

ROOT = pathlib.Path(__file__).resolve().parent.parent


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


class Server:
    """tensorflow_model_server, by that name, as the tutorials start it."""

    def __init__(self, *flags):
        self.port, self.rest_port = free_port(), free_port()
        self.process = subprocess.Popen(
            [ROOT / "bin/tensorflow_model_server", f"--port={self.port}", f"--rest_api_port={self.rest_port}", *flags],
            stderr=subprocess.PIPE, text=True)
        for line in self.process.stderr:
            if "HTTP/REST API at" in line:
                break
        else:
            sys.exit("the server did not start")
        self.channel = grpc.insecure_channel(f"localhost:{self.port}")
        self.stub = prediction_service_pb2_grpc.PredictionServiceStub(self.channel)

    def url(self, path):
        return f"http://localhost:{self.rest_port}/v1/models/{path}"

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.channel.close()
        self.process.terminate()
        self.process.communicate(timeout=30)
        assert self.process.returncode == 0


def export_half_plus_two(path):
    """The sample model: y = a * x + b, with signatures for tensors and for examples."""
    with tf1.Graph().as_default(), tf1.Session() as session:
        a, b = tf1.get_variable("a", initializer=0.5), tf1.get_variable("b", initializer=2.0)
        examples = tf1.placeholder(tf.string, name="tf_example")
        features = tf1.parse_example(examples, {"x": tf1.FixedLenFeature([1], tf.float32)})
        x = tf.identity(features["x"], name="x")
        y = tf.add(tf.multiply(a, x), b, name="y")
        build_info = tf1.saved_model.utils.build_tensor_info
        build = tf1.saved_model.signature_def_utils.build_signature_def
        constants = tf1.saved_model.signature_constants
        signatures = {
            "regress_x_to_y": build({constants.REGRESS_INPUTS: build_info(examples)},
                                    {constants.REGRESS_OUTPUTS: build_info(y)}, constants.REGRESS_METHOD_NAME),
            "classify_x_to_y": build({constants.CLASSIFY_INPUTS: build_info(examples)},
                                     {constants.CLASSIFY_OUTPUT_SCORES: build_info(y)}, constants.CLASSIFY_METHOD_NAME),
            constants.DEFAULT_SERVING_SIGNATURE_DEF_KEY: build({"x": build_info(x)}, {"y": build_info(y)},
                                                               constants.PREDICT_METHOD_NAME)}
        session.run(tf1.global_variables_initializer())
        builder = tf1.saved_model.builder.SavedModelBuilder(str(path / "00000123"))
        builder.add_meta_graph_and_variables(session, [tf1.saved_model.tag_constants.SERVING],
                                             signature_def_map=signatures)
        builder.save()


def half_plus_two(folder):
    """The REST tutorial, its curl lines as requests."""
    export_half_plus_two(folder / "half")
    with Server("--model_name=half_plus_two", f"--model_base_path={folder / 'half'}") as server:
        status = requests.get(server.url("half_plus_two")).json()
        assert status == {"model_version_status": [{"version": "123", "state": "AVAILABLE",
                                                    "status": {"error_code": "OK", "error_message": ""}}]}
        # The page's own line: flat, although the model says rows of one.
        answer = requests.post(server.url("half_plus_two:predict"), data='{"instances": [1.0, 2.0, 5.0]}').json()
        assert answer == {"predictions": [2.5, 3.0, 4.5]}, answer
        answer = requests.post(server.url("half_plus_two:predict"), data='{"instances": [[1.0], [2.0], [5.0]]}').json()
        assert answer == {"predictions": [[2.5], [3.0], [4.5]]}, answer
        answer = requests.post(server.url("half_plus_two:regress"), json={
            "signature_name": "regress_x_to_y", "examples": [{"x": 1.0}, {"x": 2.0}]}).json()
        assert answer == {"results": [2.5, 3.0]}, answer
        refused = requests.post(server.url("half_plus_two:predict"), data='{"instances": [[1.0], "x"]}')
        assert refused.status_code == 400 and list(refused.json()) == ["error"]
        metadata = requests.get(server.url("half_plus_two/metadata")).json()
        assert set(metadata["metadata"]["signature_def"]["signature_def"]) == {
            "regress_x_to_y", "classify_x_to_y", "serving_default"}
        regression = regression_pb2.RegressionRequest()
        regression.model_spec.name, regression.model_spec.signature_name = "half_plus_two", "regress_x_to_y"
        for value in (1.0, 2.0):
            regression.input.example_list.examples.add().features.feature["x"].float_list.value.append(value)
        assert [one.value for one in server.stub.Regress(regression, 5.0).result.regressions] == [2.5, 3.0]
        classification = classification_pb2.ClassificationRequest(input=regression.input)
        classification.model_spec.name, classification.model_spec.signature_name = "half_plus_two", "classify_x_to_y"
        rows = server.stub.Classify(classification, 5.0).result.classifications
        assert [(one.label, one.score) for row in rows for one in row.classes] == [("", 2.5), ("", 3.0)]
    return 7


def export_mnist(path, images):
    """mnist_saved_model.py: a softmax regression with two signatures; returns what TensorFlow computes."""
    with tf1.Graph().as_default(), tf1.Session() as session:
        serialized = tf1.placeholder(tf.string, name="tf_example")
        parsed = tf1.io.parse_example(serialized, {"x": tf1.io.FixedLenFeature([784], tf.float32)})
        x = tf.identity(parsed["x"], name="x")
        random = np.random.RandomState(0)
        w = tf1.Variable(random.randn(784, 10).astype(np.float32) * 0.1)
        b = tf1.Variable(random.randn(10).astype(np.float32))
        session.run(tf1.global_variables_initializer())
        y = tf.nn.softmax(tf.matmul(x, w) + b, name="y")
        values, indices = tf.nn.top_k(y, 10)
        names = tf.lookup.KeyValueTensorInitializer(tf.range(10, dtype=tf.int64), tf.constant([str(i) for i in range(10)]))
        table = tf.lookup.StaticHashTable(names, "UNKNOWN")
        classes = table.lookup(tf.cast(indices, tf.int64))
        info = tf1.saved_model.utils.build_tensor_info
        build = tf1.saved_model.signature_def_utils.build_signature_def
        constants = tf1.saved_model.signature_constants
        builder = tf1.saved_model.builder.SavedModelBuilder(str(path))
        builder.add_meta_graph_and_variables(
            session, [tf1.saved_model.tag_constants.SERVING],
            signature_def_map={
                "predict_images": build({"images": info(x)}, {"scores": info(y)}, constants.PREDICT_METHOD_NAME),
                constants.DEFAULT_SERVING_SIGNATURE_DEF_KEY: build(
                    {constants.CLASSIFY_INPUTS: info(serialized)},
                    {constants.CLASSIFY_OUTPUT_CLASSES: info(classes), constants.CLASSIFY_OUTPUT_SCORES: info(values)},
                    constants.CLASSIFY_METHOD_NAME)},
            main_op=tf1.tables_initializer(), strip_default_attrs=True)
        builder.save()
        return session.run(y, {x: images})


class Counter:
    """Requests in flight, bounded, as mnist_client.py counts them."""

    def __init__(self, most):
        self.most, self.active, self.answers, self.errors = most, 0, {}, []
        self.changed = threading.Condition()

    def begin(self):
        with self.changed:
            while self.active == self.most:
                self.changed.wait()
            self.active += 1

    def ended(self, i, future):
        with self.changed:
            if future.exception():
                self.errors.append(future.exception())
            else:
                self.answers[i] = np.array(future.result().outputs["scores"].float_val)
            self.active -= 1
            self.changed.notify_all()

    def wait(self):
        with self.changed:
            while self.active:
                self.changed.wait()


def mnist(folder):
    """mnist_client.py: futures with callbacks; the same with asyncio; and examples by Classify."""
    images = np.random.RandomState(1).rand(200, 784).astype(np.float32)
    expected = export_mnist(folder / "mnist/1", images)

    def request_of(image):
        request = predict_pb2.PredictRequest()
        request.model_spec.name, request.model_spec.signature_name = "mnist", "predict_images"
        request.inputs["images"].CopyFrom(tf.make_tensor_proto(image, shape=[1, image.size]))
        return request

    async def with_asyncio(port):
        async with grpc.aio.insecure_channel(f"localhost:{port}") as channel:
            stub = prediction_service_pb2_grpc.PredictionServiceStub(channel)
            answers = await asyncio.gather(*(stub.Predict(request_of(image), timeout=20) for image in images[:50]))
        return [answer.outputs["scores"].float_val for answer in answers]

    with Server("--model_name=mnist", f"--model_base_path={folder / 'mnist'}", "--enable_batching") as server:
        counter = Counter(10)
        for i, image in enumerate(images):
            counter.begin()
            future = server.stub.Predict.future(request_of(image), 5.0)  # 5 seconds
            future.add_done_callback(lambda future, i=i: counter.ended(i, future))
        counter.wait()
        assert not counter.errors, counter.errors
        np.testing.assert_allclose([counter.answers[i] for i in range(200)], expected, rtol=1e-4)
        np.testing.assert_allclose(asyncio.run(with_asyncio(server.port)), expected[:50], rtol=1e-4)
        classification = classification_pb2.ClassificationRequest()
        classification.model_spec.name = "mnist"
        example = classification.input.example_list.examples.add()
        example.features.feature["x"].float_list.value.extend(images[0])
        classes = server.stub.Classify(classification, 5.0).result.classifications[0].classes
        assert classes[0].label == str(expected[0].argmax()) and len(classes) == 10
        np.testing.assert_allclose([one.score for one in classes], np.sort(expected[0])[::-1], rtol=1e-4)
    return 251


def fashion_mnist(folder):
    """The Colab of the REST tutorial: Keras, saved as it says, asked with JSON."""
    images = np.random.RandomState(2).rand(20, 28, 28, 1).astype(np.float32)
    labels = np.arange(20) % 10
    model = tf.keras.Sequential([
        tf.keras.layers.Conv2D(input_shape=(28, 28, 1), filters=8, kernel_size=3, strides=2, activation="relu",
                               name="Conv1"),
        tf.keras.layers.Flatten(), tf.keras.layers.Dense(10, name="Dense")])
    model.compile(optimizer="adam", loss=tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True),
                  metrics=[tf.keras.metrics.SparseCategoricalAccuracy()])
    model.fit(images, labels, epochs=2, verbose=0)
    path = folder / "fashion/1"
    tf.keras.models.save_model(model, str(path), overwrite=True, include_optimizer=True, save_format=None,
                               signatures=None, options=None)
    expected = model.predict(images, verbose=0)
    with Server("--model_name=fashion_model", f"--model_base_path={folder / 'fashion'}") as server:
        for place in ("fashion_model:predict", "fashion_model/versions/1:predict"):
            answer = requests.post(server.url(place), headers={"content-type": "application/json"},
                                   json={"signature_name": "serving_default", "instances": images.tolist()})
            np.testing.assert_allclose(answer.json()["predictions"], expected, rtol=1e-4, atol=1e-5)
        # Large arrays need no JSON.
        answer = requests.post(server.url("fashion_model:predict"), data=images.tobytes(), headers={
            "Content-Type": "application/octet-stream", "Accept": "application/octet-stream"})
        assert answer.headers["Tensor-Shape"] == "20,10"
        np.testing.assert_allclose(np.frombuffer(answer.content, np.float32).reshape(20, 10), expected, rtol=1e-4,
                                   atol=1e-5)
    return 3


def pictures(folder):
    """resnet_client.py and its gRPC twin: the model takes files of pictures."""
    picture = np.random.RandomState(3).randint(0, 255, (32, 32, 3)).astype(np.uint8)
    file = tf.io.encode_png(picture).numpy()

    class Classifier(tf.Module):
        def __init__(self):
            super().__init__()
            self.weights = tf.Variable(np.random.RandomState(4).randn(3, 5).astype(np.float32))

        @tf.function(input_signature=[tf.TensorSpec([None], tf.string, name="image_bytes")])
        def serve(self, image_bytes):
            def decode(one):
                image = tf.image.convert_image_dtype(tf.io.decode_png(one, channels=3), tf.float32)
                return tf.image.resize(image, [16, 16])

            images = tf.map_fn(decode, image_bytes, fn_output_signature=tf.float32)
            scores = tf.nn.softmax(tf.matmul(tf.reduce_mean(images, [1, 2]), self.weights))
            return {"probabilities": scores, "classes": tf.argmax(scores, axis=1)}

    module = Classifier()
    tf.saved_model.save(module, str(folder / "pictures/1"), signatures={"serving_default": module.serve})
    expected = {key: value.numpy() for key, value in module.serve(tf.constant([file, file])).items()}
    with Server("--model_name=resnet", f"--model_base_path={folder / 'pictures'}") as server:
        body = {"instances": [{"b64": base64.b64encode(file).decode()}] * 2}
        rows = requests.post(server.url("resnet:predict"), json=body).json()["predictions"]
        np.testing.assert_allclose([row["probabilities"] for row in rows], expected["probabilities"], rtol=1e-4)
        assert [row["classes"] for row in rows] == expected["classes"].tolist()
        request = predict_pb2.PredictRequest()
        request.model_spec.name, request.model_spec.signature_name = "resnet", "serving_default"
        request.inputs["image_bytes"].CopyFrom(tf.make_tensor_proto([file, file]))
        outputs = server.stub.Predict(request, 10.0).outputs
        np.testing.assert_allclose(tf.make_ndarray(outputs["probabilities"]), expected["probabilities"], rtol=1e-4)
        assert tf.make_ndarray(outputs["classes"]).tolist() == expected["classes"].tolist()
        raw = requests.post(server.url("resnet:predict") + "?output=classes", data=file,
                            headers={"Content-Type": "application/octet-stream"})
        assert raw.json() == {"outputs": expected["classes"][:1].tolist()}, raw.text
    return 3


def functions_and_management(folder):
    """A module with several tf.functions, and the clients of the page on configuration."""
    class Module(tf.Module):
        def __init__(self, factor):
            super().__init__()
            self.factor = tf.Variable(factor)

        @tf.function(input_signature=[tf.TensorSpec([None], tf.float32)])
        def __call__(self, x):
            return {"y": self.factor * x}

        @tf.function(input_signature=[tf.TensorSpec([None, None], tf.float32, name="a"),
                                      tf.TensorSpec([None, None], tf.float32, name="b")])
        def product(self, a, b):
            return {"product": tf.matmul(a, b), "rows": tf.shape(a)[0]}

    for version, factor in ((1, 2.0), (2, 3.0)):
        module = Module(factor)
        tf.saved_model.save(module, str(folder / f"functions/{version}"), signatures={
            "serving_default": module.__call__, "product": module.product})
    config = folder / "models.config"
    text = ('model_config_list { config { name: "f" base_path: "%s" model_platform: "tensorflow" '
            "model_version_policy { specific { versions: 1 versions: 2 } } } }" % (folder / "functions"))
    config.write_text(text)
    with Server(f"--model_config_file={config}") as server:
        management = model_service_pb2_grpc.ModelServiceStub(server.channel)
        status = get_model_status_pb2.GetModelStatusRequest()
        status.model_spec.name = "f"
        for _ in range(100):  # a server starts when one version is there
            states = {one.version: one.state for one in management.GetModelStatus(status, 10).model_version_status}
            if states == {1: 30, 2: 30}:
                break
            time.sleep(0.1)
        assert states == {1: 30, 2: 30}, states
        reload = model_management_pb2.ReloadConfigRequest()
        from google.protobuf import text_format
        text_format.Parse(text, reload.config)
        labels = reload.config.model_config_list.config[0].version_labels
        labels["stable"], labels["canary"] = 1, 2
        assert management.HandleReloadConfigRequest(reload, 10).status.error_code == 0
        assert isinstance(reload.config, model_server_config_pb2.ModelServerConfig)
        for label, factor in (("stable", 2.0), ("canary", 3.0)):
            request = predict_pb2.PredictRequest()
            request.model_spec.name, request.model_spec.version_label = "f", label
            request.inputs["x"].CopyFrom(tf.make_tensor_proto([1.0, 4.0]))
            response = server.stub.Predict(request, 10.0)
            assert tf.make_ndarray(response.outputs["y"]).tolist() == [factor, 4 * factor]
            assert response.model_spec.version.value == (1 if label == "stable" else 2)
            answer = requests.post(server.url(f"f/labels/{label}:predict"), json={"instances": [1.0, 4.0]}).json()
            assert answer == {"predictions": [factor, 4 * factor]}
        metadata = get_model_metadata_pb2.GetModelMetadataRequest(metadata_field=["signature_def"])
        metadata.model_spec.name = "f"
        response = server.stub.GetModelMetadata(metadata, 10.0)
        signatures = get_model_metadata_pb2.SignatureDefMap()
        signatures.ParseFromString(response.metadata["signature_def"].value)
        assert {"serving_default", "product"} <= set(signatures.signature_def)
        a, b = np.arange(6, dtype=np.float32).reshape(2, 3), np.ones((3, 2), np.float32)
        answer = requests.post(server.url("f:predict"), json={
            "signature_name": "product", "inputs": {"a": a.tolist(), "b": b.tolist()}}).json()
        assert answer == {"outputs": {"product": (a @ b).tolist(), "rows": 2}}
    return 7


def main():
    asked = 0
    with tempfile.TemporaryDirectory() as name:
        for tutorial in (half_plus_two, mnist, fashion_mnist, pictures, functions_and_management):
            asked += tutorial(pathlib.Path(name))
            print(f"  {tutorial.__name__}")
    print(f"tutorials: {asked} questions answered as TensorFlow computes")


if __name__ == "__main__":
    main()
