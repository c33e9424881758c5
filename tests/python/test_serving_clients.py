"""Clients written for TensorFlow Serving, with tensorflow_serving.apis as Rill has it."""
import concurrent.futures

import numpy as np
import pytest
from test_serve import MODELS, Server

import tensorflow as tf

grpc = pytest.importorskip("grpc")


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    folder = tmp_path_factory.mktemp("served")
    (folder / "predict").mkdir()
    (folder / "predict" / "1").symlink_to(MODELS / "saved_models/predict/model")
    made = Server("--model_name=predict", f"--model_base_path={folder}/predict").await_ready()
    yield made
    made.process.kill()
    made.process.communicate()


def test_a_client_of_the_time(server):
    from tensorflow_serving.apis import (get_model_metadata_pb2, get_model_status_pb2, model_service_pb2_grpc,
                                         predict_pb2, prediction_service_pb2_grpc)
    with grpc.insecure_channel(f"127.0.0.1:{server.port}") as channel:
        stub = prediction_service_pb2_grpc.PredictionServiceStub(channel)
        request = predict_pb2.PredictRequest()
        request.model_spec.name = "predict"
        metadata = get_model_metadata_pb2.GetModelMetadataRequest(metadata_field=["signature_def"])
        metadata.model_spec.name = "predict"
        known = stub.GetModelMetadata(metadata, 10.0)
        signatures = get_model_metadata_pb2.SignatureDefMap()
        known.metadata["signature_def"].Unpack(signatures)
        signature = signatures.signature_def["serving_default"]
        [name] = signature.inputs
        request.inputs[name].CopyFrom(tf.contrib.util.make_tensor_proto(np.zeros([2, 3]), tf.float32))
        answer = stub.Predict(request, 10.0)
        later = stub.Predict.future(request, 10.0).result()
        assert set(answer.outputs) == set(signature.outputs) == set(later.outputs)
        for key in answer.outputs:
            np.testing.assert_array_equal(tf.make_ndarray(answer.outputs[key]), tf.make_ndarray(later.outputs[key]))
        request.model_spec.name = "absent"
        with pytest.raises(grpc.RpcError) as caught:
            stub.Predict(request, 10.0)
        assert caught.value.code() == grpc.StatusCode.NOT_FOUND
        status = get_model_status_pb2.GetModelStatusRequest()
        status.model_spec.name = "predict"
        answer = model_service_pb2_grpc.ModelServiceStub(channel).GetModelStatus(status, 10.0)
        assert answer.model_version_status[0].version == 1


def test_a_client_of_the_beta_interface(server):
    implementations = pytest.importorskip("grpc.beta.implementations")
    from tensorflow_serving.apis import classification_pb2, prediction_service_pb2
    channel = implementations.insecure_channel("127.0.0.1", server.port)
    stub = prediction_service_pb2.beta_create_PredictionService_stub(channel)
    request = classification_pb2.ClassificationRequest()
    request.model_spec.name = "absent"
    with pytest.raises(Exception, match="(?s)absent"):
        stub.Classify(request, 10.0)


def test_a_server_of_ones_own():
    from tensorflow_serving.apis import predict_pb2, prediction_service_pb2_grpc

    class Own(prediction_service_pb2_grpc.PredictionServiceServicer):
        def Predict(self, request, context):
            response = predict_pb2.PredictResponse()
            response.model_spec.name = request.model_spec.name.upper()
            return response

    server = grpc.server(concurrent.futures.ThreadPoolExecutor(1))
    prediction_service_pb2_grpc.add_PredictionServiceServicer_to_server(Own(), server)
    port = server.add_insecure_port("127.0.0.1:0")
    server.start()
    try:
        with grpc.insecure_channel(f"127.0.0.1:{port}") as channel:
            stub = prediction_service_pb2_grpc.PredictionServiceStub(channel)
            request = predict_pb2.PredictRequest()
            request.model_spec.name = "mine"
            assert stub.Predict(request).model_spec.name == "MINE"
            with pytest.raises(grpc.RpcError) as caught:
                stub.GetModelMetadata(stub_request())
            assert caught.value.code() == grpc.StatusCode.UNIMPLEMENTED
    finally:
        server.stop(None).wait()


def stub_request():
    from tensorflow_serving.apis import get_model_metadata_pb2
    return get_model_metadata_pb2.GetModelMetadataRequest()


def test_every_service_has_its_module():
    from tensorflow_serving.apis import session_service_pb2_grpc
    assert hasattr(session_service_pb2_grpc, "SessionServiceStub")
    with pytest.raises(ImportError):
        from tensorflow_serving.apis import predict_pb2_grpc  # noqa: F401


def test_a_directory_that_is_not_there_is_told_at_once(server):
    from tensorflow_serving.apis import model_management_pb2, model_service_pb2_grpc
    request = model_management_pb2.ReloadConfigRequest()
    request.config.model_config_list.config.add(name="other", base_path="/nowhere/other",
                                                model_platform="tensorflow")
    with grpc.insecure_channel(f"127.0.0.1:{server.port}") as channel:
        stub = model_service_pb2_grpc.ModelServiceStub(channel)
        with pytest.raises(grpc.RpcError, match="Could not find base path /nowhere/other for servable other") as caught:
            stub.HandleReloadConfigRequest(request, 20.0)
        assert caught.value.code() == grpc.StatusCode.NOT_FOUND
    assert server.request("GET", "/v1/models/predict")[0] == 200  # what was there serves on
