// Load for a model server: as many Predict requests as it answers.
//
//   rill_load ADDRESS MODEL [--connections=N] [--in_flight=N] [--seconds=S] [--width=W]
//
// Each connection keeps `in_flight` requests going. The model takes one input "x" of floats.
#include <grpcpp/channel.h>
#include <grpcpp/create_channel.h>
#include <grpcpp/generic/generic_stub.h>
#include <grpcpp/security/credentials.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "tensorflow/core/framework/tensor.pb.h"
#include "tensorflow_serving/apis/predict.pb.h"

namespace {

using Clock = std::chrono::steady_clock;

struct Options {
  std::string address, model;
  int connections = 8, in_flight = 8, width = 1;
  double seconds = 5;
};

struct Call {
  grpc::ClientContext context;
  grpc::ByteBuffer response;
  grpc::Status status;
  Clock::time_point begun;
  std::unique_ptr<grpc::GenericClientAsyncResponseReader> reader;
};

grpc::ByteBuffer request_of(const Options& options) {
  tensorflow::serving::PredictRequest request;
  request.mutable_model_spec()->set_name(options.model);
  tensorflow::TensorProto& x = (*request.mutable_inputs())["x"];
  x.set_dtype(tensorflow::DT_FLOAT);
  x.mutable_tensor_shape()->add_dim()->set_size(1);
  if (options.width > 1) x.mutable_tensor_shape()->add_dim()->set_size(options.width);
  for (int i = 0; i < options.width; ++i) x.add_float_val(static_cast<float>(i));
  const grpc::Slice slice(request.SerializeAsString());
  return {&slice, 1};
}

// Load on its share of the connections; latencies in microseconds.
struct Worker {
  void run(const Options& options, int connections, Clock::time_point end) {
    const grpc::ByteBuffer request = request_of(options);
    std::vector<std::unique_ptr<grpc::GenericStub>> stubs;
    for (int i = 0; i < connections; ++i) {
      grpc::ChannelArguments own;
      own.SetInt("rill.connection", i);  // otherwise channels share one
      own.SetInt(GRPC_ARG_USE_LOCAL_SUBCHANNEL_POOL, 1);
      stubs.push_back(std::make_unique<grpc::GenericStub>(
          grpc::CreateCustomChannel(options.address, grpc::InsecureChannelCredentials(), own)));
    }
    const auto start = [&](grpc::GenericStub& stub) {
      auto* call = new Call;
      call->begun = Clock::now();
      call->reader = stub.PrepareUnaryCall(
          &call->context, "/tensorflow.serving.PredictionService/Predict", request, &queue);
      call->reader->StartCall();
      call->reader->Finish(&call->response, &call->status, call);
      ++in_flight;
    };
    for (auto& stub : stubs)
      for (int i = 0; i < options.in_flight; ++i) start(*stub);
    void* tag = nullptr;
    std::size_t next = 0;
    for (bool ok = false; in_flight > 0 && queue.Next(&tag, &ok);) {
      const std::unique_ptr<Call> call(static_cast<Call*>(tag));
      --in_flight;
      const auto now = Clock::now();
      if (!call->status.ok() && failures++ == 0)
        std::fprintf(stderr, "%s\n", call->status.error_message().c_str());
      micros.push_back(std::chrono::duration<double, std::micro>(now - call->begun).count());
      if (now < end) start(*stubs[next++ % stubs.size()]);
    }
  }

  grpc::CompletionQueue queue;
  int in_flight = 0, failures = 0;
  std::vector<double> micros;
};

Options parse(int argc, char** argv) {
  Options options;
  if (argc < 3) {
    std::fprintf(stderr,
                 "Usage: rill_load ADDRESS MODEL [--connections=N] [--in_flight=N] "
                 "[--seconds=S] [--width=W]\n");
    std::exit(2);
  }
  options.address = argv[1];
  options.model = argv[2];
  for (int i = 3; i < argc; ++i) {
    const std::string argument = argv[i];
    const auto value = [&](const char* name) -> const char* {
      const std::string prefix = std::string("--") + name + "=";
      return argument.starts_with(prefix) ? argv[i] + prefix.size() : nullptr;
    };
    if (const char* text = value("connections")) options.connections = std::atoi(text);
    if (const char* text = value("in_flight")) options.in_flight = std::atoi(text);
    if (const char* text = value("width")) options.width = std::atoi(text);
    if (const char* text = value("seconds")) options.seconds = std::atof(text);
  }
  return options;
}

}  // namespace

int main(int argc, char** argv) {
  const Options options = parse(argc, argv);
  const auto begin = Clock::now();
  const auto end = begin + std::chrono::duration_cast<Clock::duration>(
                               std::chrono::duration<double>(options.seconds));
  Worker worker;
  worker.run(options, options.connections, end);
  const double seconds = std::chrono::duration<double>(Clock::now() - begin).count();
  std::vector<double>& micros = worker.micros;
  std::ranges::sort(micros);
  const auto at = [&](double part) {
    return micros.empty() ? 0.0 : micros[static_cast<std::size_t>(part * (micros.size() - 1))];
  };
  std::printf("%zu requests in %.2f s: %.0f/s, p50 %.0f us, p99 %.0f us, %d failed\n",
              micros.size(), seconds, static_cast<double>(micros.size()) / seconds, at(0.5),
              at(0.99), worker.failures);
  return worker.failures > 0 ? 1 : 0;
}
