#pragma once

#include <map>
#include <string>

#include "rill/base/stores/http_exchange.h"
#include "rill/base/stores/object_store.h"

namespace rill::stores {

struct AzureRequest {
  std::string method = "GET";
  const Place& place;  // bucket: the account; key: the container and what is in it
  Query query = {};
  std::map<std::string, std::string> headers = {};  // names in lower case
  std::string_view body = {};
  std::span<char> into = {};
  bool names_container = false;  // the container itself, not a blob
};

// Requests to Azure's Blob Storage, signed by the key of the account or with a shared access
// signature, and tried again where that may help.
//
// TF_AZURE_STORAGE_KEY (AZURE_STORAGE_KEY), AZURE_STORAGE_SAS_TOKEN,
// AZURE_STORAGE_CONNECTION_STRING, TF_AZURE_STORAGE_BLOB_ENDPOINT,
// TF_AZURE_STORAGE_USE_DEV_STORAGE, TF_AZURE_STORAGE_USE_HTTP.
class AzureClient {
 public:
  AzureClient();
  // The answer: a good one, or one of status 404, 412 or 416. Everything else is thrown.
  HttpAnswer send(const AzureRequest& request) const;
  HttpAnswer must(const AzureRequest& request) const;  // a good one, or an error
  [[noreturn]] void raise_answer(const AzureRequest& request, const HttpAnswer& answer,
                                 int tries) const;
  // The address of a blob, with what lets its server read it: what copies are told.
  std::string address_of(const Place& place) const;

 private:
  std::string base_of(const std::string& account) const;
  HttpAnswer exchange(const AzureRequest& request) const;

  std::string key_, signature_;  // the account's key as bytes; a shared access signature, "a=b&c="
  std::string endpoint_;         // "" : the account's own
  bool is_local_ = false, uses_https_ = true;
  HttpLimits limits_;
};

// The container and the blob that a place's key names.
std::string container_of(const Place& place);
std::string blob_of(const Place& place);

// What the service signs with the key of an account, for tests. `path` and `query` are those of the
// request, `headers` all of them, names in lower case.
std::string shared_key_text(const std::string& method, const std::string& account,
                            const std::string& path, const Query& query,
                            const std::map<std::string, std::string>& headers, std::size_t length);

}  // namespace rill::stores
