#include "rill/serve/rpc/methods.h"

#include <google/protobuf/io/coded_stream.h>

#include <algorithm>

#include "rill/net/grpc/typed_method.h"
#include "rill/serve/rpc/kserve_methods.h"
#include "rill/serve/service/service.h"

namespace rill::serve {
namespace {

template <class Request, class Response>
net::RpcMethod method(const Service& service,
                      void (Service::*answer)(const Request&, Response*, const RequestLimits&, Done)
                          const) {
  return net::method_of<Request, Response>(
      [&service, answer](const Request& request, Response* response, const RequestLimits& limits,
                         Done done) {
        (service.*answer)(request, response, limits, std::move(done));
      });
}

struct StreamedPredict {
  messages::PredictRequest request;
  messages::PredictResponse response;
};

// Requests that were split are put together by models of their own, which there are none of here.
void check_streamed(const messages::PredictRequest& request) {
  using Options = messages::PredictStreamedOptions;
  const auto state = request.predict_streamed_options().request_state();
  if (state == Options::SPLIT || state == Options::END_SPLIT)
    raise(Code::kUnimplemented, "PredictStreamed: requests in several parts are not supported");
}

// An error ends the stream.
void predict_streamed(const Service& service, const std::string& bytes,
                      const std::shared_ptr<net::RpcStream>& stream) {
  const auto exchange = std::make_shared<StreamedPredict>();
  require(exchange->request.ParseFromString(bytes),
          "The request is no tensorflow.serving.PredictRequest");
  check_streamed(exchange->request);
  if (exchange->request.predict_streamed_options().request_state() ==
      messages::PredictStreamedOptions::CANCEL)
    return stream->finish(Error(Code::kCancelled, "The client has cancelled the request"));
  service.predict(exchange->request, &exchange->response, stream->limits(),
                  [exchange, stream](const std::optional<Error>& error) {
                    if (error) return stream->finish(error);
                    stream->write(exchange->response.SerializeAsString());
                    stream->read();
                  });
}

}  // namespace

net::RpcStreams serving_streams(const Service& service) {
  net::RpcStreams streams;
  streams["/tensorflow.serving.PredictionService/PredictStreamed"] =
      [&service](const std::shared_ptr<net::RpcStream>& stream) {
        stream->read();
        return net::RpcStreamEvents{.on_message =
                                        [&service, stream](const std::string& bytes) {
                                          predict_streamed(service, bytes, stream);
                                        },
                                    .on_end = [stream] { stream->finish(); },
                                    .on_over = {}};
      };
  streams.merge(kserve_streams(service));
  return streams;
}

net::RpcMethods session_methods(const Service& service) {
  return {
      {"/tensorflow.serving.SessionService/SessionRun", method(service, &Service::session_run)}};
}

namespace {

// The message or text in the first field, if that is number 1: model_spec of TensorFlow Serving's
// requests, model_name of KServe's.
std::optional<std::string> first_field(std::string_view bytes) {
  constexpr std::uint32_t kTag = 1 << 3 | 2, kMost = 4096;
  google::protobuf::io::CodedInputStream in(
      reinterpret_cast<const std::uint8_t*>(bytes.data()),
      static_cast<int>(std::min<std::size_t>(bytes.size(), kMost)));
  std::uint32_t size = 0;
  std::string field;
  if (in.ReadTag() != kTag || !in.ReadVarint32(&size) || size > kMost ||
      !in.ReadString(&field, static_cast<int>(size)))
    return std::nullopt;
  return field;
}

std::optional<messages::ModelSpec> spec_in(const std::string& method, std::string_view bytes) {
  messages::ModelSpec spec;
  const auto field = first_field(bytes);
  if (!field) return std::nullopt;
  if (method == "/inference.GRPCInferenceService/ModelInfer")
    spec.set_name(*field);
  else if (!spec.ParseFromString(*field))
    return std::nullopt;
  return spec;
}

}  // namespace

net::RefuseEarly early_refusals(const Service& service) {
  const std::string prediction = "/tensorflow.serving.PredictionService/";
  const std::map<std::string, Api> apis{
      {prediction + "Predict", Api::kPredict},
      {prediction + "Classify", Api::kClassify},
      {prediction + "Regress", Api::kRegress},
      {"/inference.GRPCInferenceService/ModelInfer", Api::kPredict}};
  return [&service, apis](const std::string& method, std::string_view first,
                          const net::CallLimits& limits) -> std::optional<Error> {
    const auto api = apis.find(method);
    if (api == apis.end()) return std::nullopt;
    const auto spec = spec_in(method, first);
    if (!spec) return std::nullopt;
    return service.early_refusal(api->second, *spec, RequestLimits(limits));
  };
}

net::RpcMethods serving_methods(const Service& service) {
  const std::string prediction = "/tensorflow.serving.PredictionService/";
  const std::string management = "/tensorflow.serving.ModelService/";
  net::RpcMethods methods{
      {prediction + "Predict", method(service, &Service::predict)},
      {prediction + "Classify", method(service, &Service::classify)},
      {prediction + "Regress", method(service, &Service::regress)},
      {prediction + "MultiInference", method(service, &Service::multi_inference)},
      {prediction + "GetModelMetadata", method(service, &Service::get_metadata)},
      {management + "GetModelStatus", method(service, &Service::get_status)},
      {management + "HandleReloadConfigRequest", method(service, &Service::reload_config)}};
  methods.merge(kserve_methods(service));
  return methods;
}

}  // namespace rill::serve
