"""The rival of `rill serve`: a SavedModel behind gRPC's Python server, run by TensorFlow.

  serve_python.py PORT FOLDER

FOLDER holds the SavedModel. Run by a Python with TensorFlow 2.15 and tensorflow-serving-api.
"""
import concurrent.futures
import os
import sys

os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
import grpc
import tensorflow.compat.v1 as tf
from tensorflow_serving.apis import predict_pb2
from tensorflow_serving.apis import prediction_service_pb2_grpc


class Servicer(prediction_service_pb2_grpc.PredictionServiceServicer):
    def __init__(self, folder):
        self.session = tf.Session(graph=tf.Graph())
        with self.session.graph.as_default():
            meta_graph = tf.saved_model.load(self.session, ["serve"], folder)
        signature = meta_graph.signature_def["serving_default"]
        self.inputs, self.outputs = sorted(signature.inputs), sorted(signature.outputs)
        # What is compiled once is the fastest that a session offers.
        self.run = self.session.make_callable([signature.outputs[name].name for name in self.outputs],
                                              [signature.inputs[name].name for name in self.inputs])

    def Predict(self, request, context):
        feeds = [tf.make_ndarray(request.inputs[name]) for name in self.inputs]
        response = predict_pb2.PredictResponse()
        for name, value in zip(self.outputs, self.run(*feeds)):
            response.outputs[name].CopyFrom(tf.make_tensor_proto(value))
        return response


def main():
    port, folder = sys.argv[1:]
    tf.disable_v2_behavior()
    server = grpc.server(concurrent.futures.ThreadPoolExecutor(max_workers=8))
    prediction_service_pb2_grpc.add_PredictionServiceServicer_to_server(Servicer(folder), server)
    server.add_insecure_port(f"127.0.0.1:{port}")
    server.start()
    print("ready", flush=True)
    server.wait_for_termination()


if __name__ == "__main__":
    main()
