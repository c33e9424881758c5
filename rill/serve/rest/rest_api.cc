#include "rill/serve/rest/rest_api.h"

#include <google/protobuf/util/json_util.h>

#include "rill/io/inflate.h"
#include "rill/serve/rest/json_examples.h"
#include "rill/serve/rest/json_text.h"
#include "rill/serve/rest/kserve_api.h"
#include "rill/serve/rest/openapi.h"
#include "rill/serve/rest/page.h"
#include "rill/serve/rest/predict_forms.h"
#include "rill/serve/rest/rest_path.h"
#include "rill/serve/telemetry/utf8.h"

namespace rill::serve {
namespace {

// As TensorFlow Serving prints messages: the names of the .proto files, and defaults too.
std::string message_json(const google::protobuf::Message& message) {
  google::protobuf::util::JsonPrintOptions options;
  options.add_whitespace = true;
  options.always_print_primitive_fields = true;
  options.preserve_proto_field_names = true;
  std::string text;
  const auto status = google::protobuf::util::MessageToJsonString(message, &text, options);
  if (!status.ok())
    raise(Code::kInternal, "Cannot print the answer: ", std::string(status.message()));
  return text;
}

// Sends what `make` gives, or the error that it throws.
template <class F>
void reply_with(const net::HttpReply& reply, const std::optional<Error>& error, const F& make) {
  net::HttpResponse response;
  try {
    if (error) throw *error;
    response.body = make();
  } catch (...) {
    response = error_response(current_error());
  }
  reply(std::move(response));
}

void answer_predict(const Service& service, const RestPath& path, const net::HttpRequest& request,
                    const RequestLimits& limits, const net::HttpReply& reply) {
  struct Asked {
    ServableId id;
    PredictQuestion predict;
  };
  const auto asked = std::make_shared<Asked>();
  service.predict(
      path.spec,
      [&](const Handle& handle) {
        asked->id = handle.id();
        asked->predict = read_predict_body(request, request.header("accept"),
                                           handle.as<ModelServable>().signatures());
        Question question = std::move(asked->predict.question);
        asked->predict.question.signature = question.signature;
        return question;
      },
      limits,
      [reply, asked](std::map<std::string, Tensor> outputs, std::optional<Error> error) {
        net::HttpResponse response;
        try {
          if (error) throw *error;
          response = write_predict_answer(asked->id, asked->predict, outputs);
        } catch (...) {
          response = error_response(current_error());
        }
        reply(std::move(response));
      });
}

// Classification and regression: a request is read, and lives with its answer until that is sent.
template <class Request, class Response>
void answer_examples(const Service& service, const RestPath& path, const net::HttpRequest& request,
                     const RequestLimits& limits, const net::HttpReply& reply,
                     void (Service::*ask)(const Request&, Response*, const RequestLimits&, Done)
                         const,
                     std::string (*print)(const std::decay_t<decltype(Response().result())>&)) {
  const auto message = std::make_shared<Request>();
  const auto response = std::make_shared<Response>();
  const bool is_message = body_form(request.content_type) == BodyForm::kProtobuf;
  if (is_message)
    require(message->ParseFromString(request.body), "The request is no ", message->GetTypeName());
  const std::string signature = message->model_spec().signature_name();
  *message->mutable_model_spec() = path.spec;
  message->mutable_model_spec()->set_signature_name(signature);
  if (!is_message)
    parse_examples_request(request.body, message->mutable_model_spec(), message->mutable_input());
  (service.*ask)(*message, response.get(), limits,
                 [reply, message, response, print, is_message](std::optional<Error> error) {
                   if (is_message && !error)
                     return reply({.content_type = "application/x-protobuf",
                                   .body = response->SerializeAsString()});
                   reply_with(reply, error, [&] { return print(response->result()); });
                 });
}

void status(const Service& service, const RestPath& path, const net::HttpReply& reply) {
  messages::GetModelStatusRequest request;
  messages::GetModelStatusResponse response;
  *request.mutable_model_spec() = path.spec;
  service.get_status(request, &response, {}, [&](std::optional<Error> error) {
    reply_with(reply, error, [&] { return message_json(response); });
  });
}

void metadata(const Service& service, const RestPath& path, const net::HttpReply& reply) {
  messages::GetModelMetadataRequest request;
  messages::GetModelMetadataResponse response;
  *request.mutable_model_spec() = path.spec;
  request.add_metadata_field("signature_def");
  service.get_metadata(request, &response, {}, [&](std::optional<Error> error) {
    reply_with(reply, error, [&] {
      messages::SignatureDefMap map;
      response.metadata().at("signature_def").UnpackTo(&map);
      return str_cat("{\n\"model_spec\":", message_json(response.model_spec()),
                     ",\n\"metadata\": {\"signature_def\": ", message_json(map), "}\n}\n");
    });
  });
}

// Of one model, or of the version of every model that answers when none is named.
void openapi(const Service& service, const messages::ModelSpec* spec, const net::HttpReply& reply) {
  std::vector<Handle> models;
  if (spec != nullptr) models.push_back(service.core().find(*spec));
  std::set<std::string> names;
  if (spec == nullptr)
    for (const ServableId& id : service.core().available()) names.insert(id.name);
  for (const std::string& name : names) {
    messages::ModelSpec latest;
    latest.set_name(name);
    try {
      Handle handle = service.core().find(latest);
      handle.as<ModelServable>();
      models.push_back(std::move(handle));
    } catch (const Error&) {  // it went away, or is no model
    }
  }
  reply({.body = openapi_document(models)});
}

void route(const Service& service, const RestPath& path, const net::HttpRequest& request,
           const net::HttpReply& reply) {
  const RequestLimits limits(request.limits());
  switch (path.kind) {
    case RestPath::Kind::kPredict:
      return answer_predict(service, path, request, limits, reply);
    case RestPath::Kind::kClassify:
      return answer_examples(service, path, request, limits, reply, &Service::classify,
                             classify_response);
    case RestPath::Kind::kRegress:
      return answer_examples(service, path, request, limits, reply, &Service::regress,
                             regress_response);
    case RestPath::Kind::kStatus:
      return status(service, path, reply);
    case RestPath::Kind::kMetadata:
      return metadata(service, path, reply);
    case RestPath::Kind::kOpenApi:
      return openapi(service, &path.spec, reply);
    case RestPath::Kind::kOther:
      return reply({.status = 404, .content_type = "text/plain", .body = "Not found\n"});
  }
}

// Whether there is somebody who can answer, for who starts and watches servers.
std::optional<net::HttpResponse> health(const Service& service, std::string_view path) {
  if (path == "/livez") return net::HttpResponse{.content_type = "text/plain", .body = "ok\n"};
  if (path != "/readyz" && path != "/healthz") return std::nullopt;
  const bool ready = service.core().is_ready();
  return net::HttpResponse{.status = ready ? 200 : 503,
                           .content_type = "text/plain",
                           .body = ready ? "ok\n" : "not every model is available\n"};
}

net::HttpResponse refused_body(int status, const char* why) {
  net::HttpResponse response = error_response(Error(Code::kInvalidArgument, why));
  response.status = status;
  return response;
}

// Unpacks the body; an answer if that cannot be done.
std::optional<net::HttpResponse> unpack_body(net::HttpRequest* request, std::size_t max_bytes) {
  const std::string encoding = lower(request->content_encoding);
  if (encoding.empty() || encoding == "identity") return std::nullopt;
  if (encoding.find("gzip") == std::string::npos) {
    auto response = refused_body(415, "The Content-Encoding is not one that is known here: gzip");
    response.headers.emplace_back("Accept-Encoding", "gzip");
    return response;
  }
  try {
    request->body = inflated(request->body, Compression::gzip, max_bytes);
    return std::nullopt;
  } catch (const Error& error) {
    if (error.code() == Code::kResourceExhausted)
      return refused_body(413, "The body unpacks to more than a request may have");
    return refused_body(400, "The body is no gzip, although its Content-Encoding says so");
  }
}

// What a request asks of which model, by its path alone; nothing if no model has to compute.
std::optional<std::pair<Api, messages::ModelSpec>> asked_of(const net::HttpRequest& head) {
  constexpr std::string_view kKServe = "/v2/models/", kInfer = "/infer";
  const std::string_view path = std::string_view(head.target).substr(0, head.target.find('?'));
  if (path.starts_with(kKServe)) {
    messages::ModelSpec spec;
    if (head.method != "POST" || take_model(path.substr(kKServe.size()), &spec) != kInfer)
      return std::nullopt;
    return std::pair(Api::kPredict, spec);
  }
  const RestPath asked = parse_rest_path(head.method, head.target);
  switch (asked.kind) {
    case RestPath::Kind::kPredict:
      return std::pair(Api::kPredict, asked.spec);
    case RestPath::Kind::kClassify:
      return std::pair(Api::kClassify, asked.spec);
    case RestPath::Kind::kRegress:
      return std::pair(Api::kRegress, asked.spec);
    default:
      return std::nullopt;
  }
}

bool asks_from_the_web(const net::HttpRequest& request) {
  return request.origin.starts_with("http://") || request.origin.starts_with("https://");
}

}  // namespace

int http_status(Code code) {
  switch (code) {
    case Code::kOk:
      return 200;
    case Code::kFailedPrecondition:
    case Code::kInvalidArgument:
    case Code::kOutOfRange:
      return 400;
    case Code::kUnauthenticated:
      return 401;
    case Code::kPermissionDenied:
      return 403;
    case Code::kNotFound:
      return 404;
    case Code::kAlreadyExists:
    case Code::kAborted:
      return 409;
    case Code::kResourceExhausted:
      return 429;
    case Code::kCancelled:
      return 499;
    case Code::kUnimplemented:
      return 501;
    case Code::kUnavailable:
      return 503;
    case Code::kDeadlineExceeded:
      return 504;
    default:
      return 500;
  }
}

net::HttpResponse error_response(const Error& error) {
  net::HttpResponse response{.status = http_status(error.code()), .body = "{ \"error\": "};
  append_json_string(valid_utf8(error.message()), &response.body);
  response.body += " }";
  if (response.status == 503) response.headers.emplace_back("Retry-After", "1");
  return response;
}

std::optional<net::HttpResponse> RestApi::early_refusal(const net::HttpRequest& head,
                                                        const RequestLimits& limits) const {
  if (options_.cors && asks_from_the_web(head)) return std::nullopt;  // needs headers of its own
  try {
    const auto asked = asked_of(head);
    if (!asked) return std::nullopt;
    const auto error = service_.early_refusal(asked->first, asked->second, limits);
    if (error) return error_response(*error);
  } catch (const Error&) {  // of the path: told when the request is there
  }
  return std::nullopt;
}

void RestApi::handle(net::HttpRequest request, net::HttpReply reply) const {
  if (options_.cors && asks_from_the_web(request))
    reply = [reply = std::move(reply)](net::HttpResponse response) {
      for (const char* name : {"Origin", "Headers"})
        response.headers.emplace_back(str_cat("Access-Control-Allow-", name), "*");
      response.headers.emplace_back("Access-Control-Allow-Methods", "GET, POST");
      response.headers.emplace_back("Access-Control-Expose-Headers", "*");
      reply(std::move(response));
    };
  try {
    const std::string path = request.target.substr(0, request.target.find('?'));
    if (options_.cors && request.method == "OPTIONS" && asks_from_the_web(request))
      return reply({});
    if (request.method == "GET")
      if (auto answer = health(service_, path)) return reply(std::move(*answer));
    if (request.method == "GET" && path == "/") return reply(page_response());
    if (request.method == "GET") {
      if (!options_.prometheus_path.empty() && path == options_.prometheus_path &&
          service_.metrics() != nullptr)
        return reply({.content_type = "text/plain", .body = service_.metrics()->prometheus()});
    }
    if (auto refused = unpack_body(&request, options_.max_body_bytes))
      return reply(std::move(*refused));
    if (request.method == "GET" && path == "/openapi.json")
      return openapi(service_, nullptr, reply);
    if (path == "/v2" || path.starts_with("/v2/")) return handle_kserve(service_, request, reply);
    route(service_, parse_rest_path(request.method, request.target), request, reply);
  } catch (...) {
    reply(error_response(current_error()));
  }
}

}  // namespace rill::serve
