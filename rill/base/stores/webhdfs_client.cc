#include "rill/base/stores/webhdfs_client.h"

#include "rill/base/error.h"
#include "rill/base/stores/retries.h"
#include "rill/base/stores/settings.h"

namespace rill::stores {
namespace {

struct RemoteError {
  std::string kind, message;
};

RemoteError remote_error(const HttpAnswer& answer) {
  try {
    const Json json = parse_json(answer.body);
    const Json* const error = json.find("RemoteException");
    if (error == nullptr) return {};
    const Json *const kind = error->find("exception"), *const message = error->find("message");
    return {kind == nullptr ? "" : kind->text, message == nullptr ? "" : message->text};
  } catch (const Error&) {  // some other page
    return {};
  }
}

Code code_of_exception(const RemoteError& error, long status) {
  const std::string& kind = error.kind;
  if (kind == "FileNotFoundException") return Code::kNotFound;
  if (kind == "FileAlreadyExistsException") return Code::kAlreadyExists;
  if (kind == "AccessControlException" || kind == "SecurityException")
    return Code::kPermissionDenied;
  if (kind == "PathIsNotEmptyDirectoryException" || kind == "ParentNotDirectoryException" ||
      kind == "PathIsNotDirectoryException")
    return Code::kFailedPrecondition;
  if (kind.ends_with("QuotaExceededException")) return Code::kResourceExhausted;
  if (kind == "UnsupportedOperationException") return Code::kUnimplemented;
  return code_of_status(status);
}

bool is_elsewhere(const RemoteError& error) { return error.kind == "StandbyException"; }
bool may_pass(const RemoteError& error, long status) {
  return is_elsewhere(error) || error.kind == "RetriableException" ||
         error.kind == "SafeModeException" || (error.kind.empty() && is_passing(status)) ||
         status == 429 || status == 503;
}

}  // namespace

WebHdfsClient::WebHdfsClient(std::vector<std::string> name_nodes) : nodes_(std::move(name_nodes)) {}

HttpAnswer WebHdfsClient::exchange(const WebHdfsRequest& request, const std::string& node) {
  Query query = request.query;
  query["op"] = request.operation;
  const std::string token = environment_text("HADOOP_DELEGATION_TOKEN");
  const std::string user = environment_text("HADOOP_USER_NAME", environment_text("USER").c_str());
  if (!token.empty())
    query["delegation"] = token;
  else if (!user.empty())
    query["user.name"] = user;
  const std::string url = str_cat(
      node, "/webhdfs/v1", url_encoded(request.at, /*keeps_slash=*/true), "?", url_query(query));
  // The bytes go to the data node alone.
  HttpAnswer answer =
      http_exchange({.method = request.method, .url = url, .into = request.into}, limits_);
  if (answer.status == 307)
    answer = http_exchange({.method = request.method,
                            .url = answer.header("location"),
                            .headers = {"Content-Type: application/octet-stream"},
                            .body = request.body,
                            .into = request.into},
                           limits_);
  if (answer.is_good() && answer.filled != request.into.size())
    raise(Code::kUnavailable, "the server sent ", answer.filled, " bytes of ", request.into.size());
  return answer;
}

HttpAnswer WebHdfsClient::send(const WebHdfsRequest& request) {
  for (Retries retries;;) {
    const std::size_t active = active_;
    const std::string& node = nodes_[active % nodes_.size()];
    HttpAnswer answer;
    try {
      answer = exchange(request, node);
    } catch (const Error& error) {
      if (nodes_.size() > 1) active_ = active + 1;
      if (!request.is_once && retries.again()) continue;
      raise(error.code(), request.path, "; ", error.message(), " (", request.operation, ", ", node,
            ", ", retries.tries(), " tries)");
    }
    if (answer.is_good()) return answer;
    const RemoteError error = remote_error(answer);
    if (is_elsewhere(error)) active_ = active + 1;
    const bool is_safe = !request.is_once || is_elsewhere(error);
    if (may_pass(error, answer.status) && is_safe && retries.again(seconds_to_wait(answer)))
      continue;
    raise(code_of_exception(error, answer.status), request.path, "; ",
          error.kind.empty() ? "the server refused it" : error.kind, ": ",
          error.message.substr(0, error.message.find('\n')), " (", request.operation, ", status ",
          answer.status, ")");
  }
}

Json WebHdfsClient::ask(const WebHdfsRequest& request) {
  const HttpAnswer answer = send(request);
  if (answer.body.empty()) return {};
  try {
    return parse_json(answer.body);
  } catch (const Error& error) {
    raise(Code::kUnavailable, request.path, "; the answer to ", request.operation, " is no JSON");
  }
}

}  // namespace rill::stores
