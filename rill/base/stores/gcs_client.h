#pragma once

#include <string>

#include "rill/base/stores/gcs_tokens.h"
#include "rill/base/stores/http_exchange.h"
#include "rill/base/stores/object_store.h"

namespace rill::stores {

struct GcsRequest {
  std::string method = "GET";
  const Place& place;
  std::string path;  // "/storage/v1/b/...", encoded; or a whole address
  Query query = {};
  std::vector<std::string> headers = {};
  std::string_view body = {};
  std::span<char> into = {};
  bool is_once = false;  // who asks finds out himself how far it came
};

// Requests to Google's Cloud Storage (its JSON interface), with tokens, and tried again where that
// may help. STORAGE_EMULATOR_HOST or CLOUD_STORAGE_EMULATOR_ENDPOINT name another server.
class GcsClient {
 public:
  GcsClient();
  // The answer: a good one, or one of status 308, 404, 412 or 416. Everything else is thrown.
  HttpAnswer send(const GcsRequest& request);
  HttpAnswer must(const GcsRequest& request);  // a good one, or an error
  [[noreturn]] void raise_answer(const GcsRequest& request, const HttpAnswer& answer, int tries);

 private:
  HttpAnswer exchange(const GcsRequest& request, const std::string& token);

  std::string base_, extra_header_;
  HttpLimits limits_;
  long metadata_ms_ = 0, read_ms_ = 0, write_ms_ = 0;
  GcsTokens tokens_;
};

}  // namespace rill::stores
