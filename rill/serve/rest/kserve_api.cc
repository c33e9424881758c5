#include "rill/serve/rest/kserve_api.h"

#include "rill/base/background.h"
#include "rill/serve/kserve/model_info.h"
#include "rill/serve/rest/kserve.h"
#include "rill/serve/rest/rest_api.h"
#include "rill/serve/rest/rest_path.h"

namespace rill::serve {
namespace {

net::HttpResponse ready_response(bool ready) {
  return {.status = ready ? 200 : 400, .body = ready ? "{\"ready\":true}" : "{\"ready\":false}"};
}

std::size_t json_header_size(const net::HttpRequest& request) {
  const std::string_view length = request.header("inference-header-content-length");
  if (length.empty()) return request.body.size();
  long long size = 0;
  require(parse_int(length, &size) && size >= 0,
          "Inference-Header-Content-Length is no number: ", length);
  return static_cast<std::size_t>(size);
}

void infer(const Service& service, const messages::ModelSpec& spec, const net::HttpRequest& request,
           const net::HttpReply& reply) {
  const auto asked = std::make_shared<KServeQuestion>();
  const auto id = std::make_shared<ServableId>();
  service.predict(
      spec,
      [&](const Handle& handle) {
        *id = handle.id();
        *asked = parse_infer_request(request.body, json_header_size(request),
                                     handle.as<ModelServable>().signatures());
        return std::move(asked->question);
      },
      request.limits(),
      [reply, asked, id](std::map<std::string, Tensor> outputs, std::optional<Error> error) {
        net::HttpResponse response;
        try {
          if (error) throw *error;
          KServeAnswer answer = infer_response(*id, *asked, outputs);
          if (answer.json_size < answer.body.size()) {
            response.content_type = "application/octet-stream";
            response.headers = {{"Inference-Header-Content-Length", str_cat(answer.json_size)}};
          }
          response.body = std::move(answer.body);
        } catch (...) {
          response = error_response(current_error());
        }
        reply(std::move(response));
      });
}

// "/v2/models/NAME[/versions/N]" and what follows it.
void model_request(const Service& service, const net::HttpRequest& request, std::string_view path,
                   const net::HttpReply& reply) {
  messages::ModelSpec spec;
  const std::string_view rest = take_model(path, &spec);
  if (request.method == "POST" && rest == "/infer") return infer(service, spec, request, reply);
  require(request.method == "GET" && (rest.empty() || rest == "/ready"),
          "Malformed request: ", request.method, " ", request.target);
  if (rest.empty()) return reply({.body = as_json(kserve_metadata(service.core(), spec))});
  reply(ready_response(is_model_ready(service.core(), spec)));
}

// "NAME/load" and "NAME/unload" behind "/v2/repository/models/"; a thread of its own waits.
void change_repository(const Service& service, std::string_view path,
                       const net::HttpRequest& request, const net::HttpReply& reply) {
  const auto slash = path.rfind('/');
  const std::string_view verb = path.substr(slash == std::string_view::npos ? path.size() : slash);
  require(verb == "/load" || verb == "/unload", "Malformed request: ", request.method, " ",
          request.target);
  run_in_background([&core = service.core(), is_load = verb == "/load",
                     name = percent_decoded(path.substr(0, slash)), is_gone = request.is_gone,
                     reply] {
    net::HttpResponse response;
    try {
      is_load ? core.load(name, is_gone) : core.unload(name);
    } catch (...) {
      response = error_response(current_error());
    }
    reply(std::move(response));
  });
}

}  // namespace

void handle_kserve(const Service& service, const net::HttpRequest& request,
                   const net::HttpReply& reply) {
  const std::string_view target = request.target;
  const std::string_view path = target.substr(0, target.find('?'));
  constexpr std::string_view kModels = "/v2/models/";
  if (path.starts_with(kModels))
    return model_request(service, request, path.substr(kModels.size()), reply);
  if (request.method == "POST" && path == "/v2/repository/index")
    return reply({.body = as_json(kserve_index(service.core(), wants_only_ready(request.body)))});
  constexpr std::string_view kRepository = "/v2/repository/models/";
  if (request.method == "POST" && path.starts_with(kRepository))
    return change_repository(service, path.substr(kRepository.size()), request, reply);
  require(request.method == "GET", "Malformed request: ", request.method, " ", path);
  if (path == "/v2" || path == "/v2/") return reply({.body = as_json(kserve_server())});
  if (path == "/v2/health/live") return reply({.body = "{\"live\":true}"});
  require(path == "/v2/health/ready", "Malformed request: ", request.method, " ", path);
  reply(ready_response(service.core().is_ready()));
}

}  // namespace rill::serve
