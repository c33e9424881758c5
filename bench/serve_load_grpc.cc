// Predict requests over gRPC.
#include <grpcpp/channel.h>
#include <grpcpp/create_channel.h>
#include <grpcpp/generic/generic_stub.h>
#include <grpcpp/security/credentials.h>

#include <cmath>
#include <memory>

#include "bench/serve_load.h"
#include "tensorflow/core/framework/tensor.pb.h"
#include "tensorflow_serving/apis/predict.pb.h"

namespace rill::load {
namespace {

struct Call {
  grpc::ClientContext context;
  grpc::ByteBuffer response;
  grpc::Status status;
  Clock::time_point begun;
  std::int64_t newest = 0;  // version that had answered when this was sent
  std::unique_ptr<grpc::GenericClientAsyncResponseReader> reader;
};

grpc::ByteBuffer request_of(const Options& options) {
  const grpc::Slice slice(predict_message(options));
  return {&slice, 1};
}

class Load {
 public:
  Load(const Options& options, Report& report)
      : options_(options), report_(report), request_(request_of(options)), pace_(options) {
    for (int i = 0; i < options.connections; ++i) {
      grpc::ChannelArguments own;  // otherwise channels share one connection
      own.SetInt(GRPC_ARG_USE_LOCAL_SUBCHANNEL_POOL, 1);
      stubs_.push_back(std::make_unique<grpc::GenericStub>(
          grpc::CreateCustomChannel(options.address, grpc::InsecureChannelCredentials(), own)));
    }
  }

  void run() {
    if (!pace_.is_open())
      for (int i = 0; i < options_.connections * options_.in_flight; ++i) start(Clock::now());
    for (;;) {
      while (pace_.is_open() && pace_.next() <= std::min(Clock::now(), pace_.end()))
        start(pace_.take());
      const bool more = pace_.is_open() && !pace_.is_over(pace_.next());
      if (in_flight_ == 0 && !more) break;
      void* tag = nullptr;
      bool ok = false;
      const auto until = std::chrono::system_clock::now() +
                         (more ? pace_.next() - Clock::now() : std::chrono::seconds(60));
      if (queue_.AsyncNext(&tag, &ok, until) == grpc::CompletionQueue::GOT_EVENT)
        finish(std::unique_ptr<Call>(static_cast<Call*>(tag)));
    }
    queue_.Shutdown();
  }

 private:
  void start(Clock::time_point begun) {
    auto* call = new Call;
    call->begun = begun;
    call->newest = report_.highest;
    call->reader = stubs_[next_++ % stubs_.size()]->PrepareUnaryCall(
        &call->context, "/tensorflow.serving.PredictionService/Predict", request_, &queue_);
    call->reader->StartCall();
    call->reader->Finish(&call->response, &call->status, call);
    ++in_flight_;
  }

  void finish(std::unique_ptr<Call> call) {
    --in_flight_;
    const auto now = Clock::now();
    report_.latencies.add(now - call->begun);
    if (!call->status.ok())
      report_.fail(std::to_string(call->status.error_code()) + ": " + call->status.error_message());
    else
      report_.answered(now - call->begun, options_);
    if (call->status.ok() && options_.reads_versions) see(*call);
    if (!pace_.is_open() && !pace_.is_over(now)) start(now);
  }

  void see(Call& call) {
    std::vector<grpc::Slice> slices;
    std::string message;
    (void)call.response.Dump(&slices);
    for (const grpc::Slice& slice : slices)
      message.append(reinterpret_cast<const char*>(slice.begin()), slice.size());
    see_answer(message, call.newest, &report_);
  }

  const Options& options_;
  Report& report_;
  const grpc::ByteBuffer request_;
  Pace pace_;
  std::vector<std::unique_ptr<grpc::GenericStub>> stubs_;
  grpc::CompletionQueue queue_;
  std::size_t next_ = 0;
  int in_flight_ = 0;
};

}  // namespace

std::string predict_message(const Options& options) {
  tensorflow::serving::PredictRequest request;
  request.mutable_model_spec()->set_name(options.model);
  tensorflow::TensorProto& x = (*request.mutable_inputs())["x"];
  x.set_dtype(tensorflow::DT_FLOAT);
  x.mutable_tensor_shape()->add_dim()->set_size(options.rows);
  if (options.width > 1) x.mutable_tensor_shape()->add_dim()->set_size(options.width);
  for (int i = 0; i < options.rows * options.width; ++i) x.add_float_val(1);
  return request.SerializeAsString();
}

void see_answer(const std::string& message, std::int64_t newest, Report* report) {
  tensorflow::serving::PredictResponse response;
  const bool parsed = response.ParseFromString(message);
  const std::int64_t version = response.model_spec().version().value();
  const auto y = response.outputs().find("y");
  if (!parsed || y == response.outputs().end() || y->second.float_val().empty() ||
      std::abs(y->second.float_val(0) - 0.5 - static_cast<double>(version)) > 1e-3)
    ++report->wrong;
  report->see(version, newest);
}

void run_grpc(const Options& options, Report* report) { Load(options, *report).run(); }

}  // namespace rill::load
