#pragma once

#include <atomic>
#include <string>
#include <vector>

#include "rill/base/json.h"
#include "rill/base/stores/http_exchange.h"

namespace rill::stores {

struct WebHdfsRequest {
  std::string method = "GET";
  std::string path;       // as the user has it, for messages and
  std::string at;         // as the server has it: "/a/b"
  std::string operation;  // "OPEN"
  Query query = {};
  std::string_view body = {};
  std::span<char> into = {};
  bool is_once = false;  // who asks finds out himself whether it was done
};

// Requests to a name node's WebHDFS, and on to the data node that it names. Of several name nodes
// the one that is not on standby is asked. As HADOOP_USER_NAME, or with HADOOP_DELEGATION_TOKEN.
class WebHdfsClient {
 public:
  // "http://host:port" each.
  explicit WebHdfsClient(std::vector<std::string> name_nodes);
  // A good answer; others are thrown.
  HttpAnswer send(const WebHdfsRequest& request);
  Json ask(const WebHdfsRequest& request);  // the same as JSON

 private:
  HttpAnswer exchange(const WebHdfsRequest& request, const std::string& node);

  const std::vector<std::string> nodes_;
  std::atomic<std::size_t> active_ = 0;
  HttpLimits limits_;
};

}  // namespace rill::stores
