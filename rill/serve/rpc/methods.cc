#include "rill/serve/rpc/methods.h"

#include "rill/serve/service.h"

namespace rill::serve {
namespace {

// A request with its answer, which live until the answer is on its way.
template <class Request, class Response>
struct Exchange {
  std::shared_ptr<RpcCall> call;
  Request request;
  Response response;
};

template <class Request, class Response>
RpcMethod method(const Service& service,
                 void (Service::*answer)(const Request&, Response*, const RequestLimits&, Done)
                     const) {
  return [&service, answer](std::shared_ptr<RpcCall> call) {
    auto exchange = std::make_shared<Exchange<Request, Response>>();
    exchange->call = std::move(call);
    if (!exchange->request.ParseFromZeroCopyStream(&exchange->call->request()))
      return exchange->call->fail(
          Error(Code::kInvalidArgument, str_cat("The request is no ", Request().GetTypeName())));
    (service.*answer)(exchange->request, &exchange->response, exchange->call->limits(),
                      [exchange](std::optional<Error> error) {
                        if (error)
                          exchange->call->fail(*error);
                        else
                          exchange->call->reply(exchange->response);
                      });
  };
}

}  // namespace

RpcMethods serving_methods(const Service& service) {
  const std::string prediction = "/tensorflow.serving.PredictionService/";
  const std::string management = "/tensorflow.serving.ModelService/";
  return {{prediction + "Predict", method(service, &Service::predict)},
          {prediction + "Classify", method(service, &Service::classify)},
          {prediction + "Regress", method(service, &Service::regress)},
          {prediction + "MultiInference", method(service, &Service::multi_inference)},
          {prediction + "GetModelMetadata", method(service, &Service::get_metadata)},
          {management + "GetModelStatus", method(service, &Service::get_status)},
          {management + "HandleReloadConfigRequest", method(service, &Service::reload_config)}};
}

}  // namespace rill::serve
