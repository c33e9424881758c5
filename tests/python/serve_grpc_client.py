"""Asks a server of the model "m" with gRPC's own packages; ends with an exception where something is not as it should be."""
import sys

import grpc

ROW = [0.0, 0.0, 0.0]


def varint(value):
    out = b""
    while value > 127:
        out += bytes([value & 127 | 128])
        value >>= 7
    return out + bytes([value])


def piece(number, data):
    return varint(number << 3 | 2) + varint(len(data)) + data


def unary(channel, method, request, **options):
    return channel.unary_unary(method).with_call(request, timeout=20, **options)


def check_ids(channel):
    _, call = unary(channel, "/tensorflow.serving.ModelService/GetModelStatus", piece(1, piece(1, b"m")),
                    metadata=(("x-request-id", "mine"),))
    assert dict(call.initial_metadata())["x-request-id"] == "mine"
    _, call = unary(channel, "/tensorflow.serving.ModelService/GetModelStatus", piece(1, piece(1, b"m")))
    assert dict(call.initial_metadata())["x-request-id"]


def check_channelz(channel):
    servers, _ = unary(channel, "/grpc.channelz.v1.Channelz/GetServers", b"")
    assert b"rill" in servers
    sockets, _ = unary(channel, "/grpc.channelz.v1.Channelz/GetServerSockets", b"\x08\x01")
    assert b"127.0.0.1:" in sockets
    try:
        unary(channel, "/grpc.channelz.v1.Channelz/GetServer", b"\x08\x07")
        raise AssertionError("there is no server 7")
    except grpc.RpcError as error:
        assert error.code() == grpc.StatusCode.NOT_FOUND


def check_channelz_package(channel):
    try:
        from grpc_channelz.v1 import channelz_pb2, channelz_pb2_grpc
    except ImportError:
        return
    stub = channelz_pb2_grpc.ChannelzStub(channel)
    [server] = stub.GetServers(channelz_pb2.GetServersRequest()).server
    assert server.data.calls_started > server.data.calls_failed >= 1
    refs = stub.GetServerSockets(channelz_pb2.GetServerSocketsRequest(server_id=server.ref.server_id)).socket_ref
    got = stub.GetSocket(channelz_pb2.GetSocketRequest(socket_id=refs[0].socket_id)).socket
    assert got.data.streams_started > 3 and got.remote_name.startswith("127.0.0.1:")


def check_serving_package(channel):
    try:
        from tensorflow_serving.apis import predict_pb2, prediction_service_pb2_grpc, session_service_pb2
    except ImportError:
        return
    request = predict_pb2.PredictRequest()
    request.model_spec.name = "m"
    tensor = request.inputs["rows"]
    tensor.dtype = 1
    for size in (1, 3):
        tensor.tensor_shape.dim.add(size=size)
    tensor.float_val.extend(ROW)
    answer = prediction_service_pb2_grpc.PredictionServiceStub(channel).Predict(request, 20)
    assert answer.model_spec.name == "m" and answer.outputs
    streamed = channel.stream_stream("/tensorflow.serving.PredictionService/PredictStreamed",
                                     predict_pb2.PredictRequest.SerializeToString, predict_pb2.PredictResponse.FromString)
    assert [list(one.outputs) for one in streamed(iter([request] * 3), timeout=20)] == [list(answer.outputs)] * 3
    run = session_service_pb2.SessionRunRequest(tensor_name_is_alias=True, fetch=list(answer.outputs)[:1])
    run.model_spec.name = "m"
    run.feed.add(name="rows").tensor.CopyFrom(tensor)
    got, _ = unary(channel, "/tensorflow.serving.SessionService/SessionRun", run.SerializeToString())
    [fetched] = session_service_pb2.SessionRunResponse.FromString(got).tensor
    assert fetched.name in answer.outputs


def main():
    with grpc.insecure_channel(f"127.0.0.1:{sys.argv[1]}") as channel:
        check_ids(channel)
        check_channelz(channel)
        check_channelz_package(channel)
        check_serving_package(channel)


main()
