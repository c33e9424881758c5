#include "rill/serve/rpc/kserve_methods.h"

#include "rill/base/background.h"
#include "rill/base/clock.h"
#include "rill/net/grpc/typed_method.h"
#include "rill/serve/kserve/contents.h"
#include "rill/serve/kserve/model_info.h"

namespace rill::serve {
namespace {

// A method that knows its answer at once, or throws.
template <class Request, class Response, class Make>
net::RpcMethod immediate(Make make) {
  return net::method_of<Request, Response>(
      [make](const Request& request, Response* response, const RequestLimits&, const Done& done) {
        std::optional<Error> error;
        try {
          *response = make(request);
        } catch (...) {
          error = current_error();
        }
        done(std::move(error));
      });
}

void infer(const Service& service, const inference::ModelInferRequest& request,
           inference::ModelInferResponse* response, const RequestLimits& limits, Done done) {
  service.predict(
      kserve_spec(request.model_name(), request.model_version()),
      [&](const Handle& handle) {
        response->set_model_name(handle.id().name);
        response->set_model_version(str_cat(handle.id().version));
        return kserve_question(request);
      },
      limits,
      [&request, response, done = std::move(done)](std::map<std::string, Tensor> outputs,
                                                   std::optional<Error> error) {
        if (!error) try {
            write_kserve_answer(request, outputs, response);
          } catch (...) {
            error = current_error();
          }
        done(std::move(error));
      });
}

void load_model(ServerCore& core, const std::string& name, const RequestLimits& limits) {
  core.load(name, [limits] {
    return (limits.is_gone && limits.is_gone()) ||
           (limits.deadline_nanos != 0 && monotonic_nanos() > limits.deadline_nanos);
  });
}
void unload_model(ServerCore& core, const std::string& name, const RequestLimits&) {
  core.unload(name);
}

struct StreamedInfer {
  inference::ModelInferRequest request;
  inference::ModelStreamInferResponse response;
};

// An error is told in the answer, and the stream goes on.
void infer_streamed(const Service& service, const std::string& bytes,
                    const std::shared_ptr<net::RpcStream>& stream) {
  const auto exchange = std::make_shared<StreamedInfer>();
  require(exchange->request.ParseFromString(bytes),
          "The request is no inference.ModelInferRequest");
  infer(service, exchange->request, exchange->response.mutable_infer_response(), stream->limits(),
        [exchange, stream](const std::optional<Error>& error) {
          if (error) {
            auto* response = exchange->response.mutable_infer_response();
            response->Clear();
            response->set_id(exchange->request.id());
            exchange->response.set_error_message(error->message());
          }
          stream->write(exchange->response.SerializeAsString());
          stream->read();
        });
}

}  // namespace

net::RpcStreams kserve_streams(const Service& service) {
  net::RpcStreams streams;
  streams["/inference.GRPCInferenceService/ModelStreamInfer"] =
      [&service](const std::shared_ptr<net::RpcStream>& stream) {
        stream->read();
        return net::RpcStreamEvents{
            .on_message = [&service, stream](
                              const std::string& bytes) { infer_streamed(service, bytes, stream); },
            .on_end = [stream] { stream->finish(); },
            .on_over = {}};
      };
  return streams;
}

net::RpcMethods kserve_methods(const Service& service) {
  using namespace inference;
  ServerCore& core = service.core();
  const std::string name = "/inference.GRPCInferenceService/";
  net::RpcMethods methods;
  methods[name + "ServerLive"] =
      immediate<ServerLiveRequest, ServerLiveResponse>([](const ServerLiveRequest&) {
        ServerLiveResponse response;
        response.set_live(true);
        return response;
      });
  methods[name + "ServerReady"] =
      immediate<ServerReadyRequest, ServerReadyResponse>([&core](const ServerReadyRequest&) {
        ServerReadyResponse response;
        response.set_ready(core.is_ready());
        return response;
      });
  methods[name + "ModelReady"] =
      immediate<ModelReadyRequest, ModelReadyResponse>([&core](const ModelReadyRequest& request) {
        ModelReadyResponse response;
        response.set_ready(is_model_ready(core, kserve_spec(request.name(), request.version())));
        return response;
      });
  methods[name + "ServerMetadata"] = immediate<ServerMetadataRequest, ServerMetadataResponse>(
      [](const ServerMetadataRequest&) { return kserve_server(); });
  methods[name + "ModelMetadata"] = immediate<ModelMetadataRequest, ModelMetadataResponse>(
      [&core](const ModelMetadataRequest& request) {
        return kserve_metadata(core, kserve_spec(request.name(), request.version()));
      });
  methods[name + "RepositoryIndex"] = immediate<RepositoryIndexRequest, RepositoryIndexResponse>(
      [&core](const RepositoryIndexRequest& request) {
        return kserve_index(core, request.ready());
      });
  const auto waiting = [&core]<class Request, class Response>(
                           Request, Response,
                           void (*change)(ServerCore&, const std::string&, const RequestLimits&)) {
    return net::method_of<Request, Response>(
        [&core, change](const Request& request, Response*, const RequestLimits& limits, Done done) {
          run_in_background([&core, change, &request, limits, done = std::move(done)] {
            std::optional<Error> error;
            try {
              change(core, request.model_name(), limits);
            } catch (...) {
              error = current_error();
            }
            done(std::move(error));
          });
        });
  };
  methods[name + "RepositoryModelLoad"] =
      waiting(RepositoryModelLoadRequest(), RepositoryModelLoadResponse(), load_model);
  methods[name + "RepositoryModelUnload"] =
      waiting(RepositoryModelUnloadRequest(), RepositoryModelUnloadResponse(), unload_model);
  methods[name + "ModelInfer"] = net::method_of<ModelInferRequest, ModelInferResponse>(
      [&service](const ModelInferRequest& request, ModelInferResponse* response,
                 const RequestLimits& limits,
                 Done done) { infer(service, request, response, limits, std::move(done)); });
  return methods;
}

}  // namespace rill::serve
