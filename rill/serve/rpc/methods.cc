#include "rill/serve/rpc/methods.h"

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
