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

}  // namespace

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
