#pragma once

#include <map>
#include <set>
#include <string>
#include <string_view>

#include "inference/grpc_inference_service.pb.h"
#include "rill/serve/model/requests.h"

// KServe's inference protocol, version 2, with tensors as JSON or, behind it, as bytes.
namespace rill::serve {

struct KServeQuestion {
  std::string id;
  Question question;
  std::set<std::string> binary_outputs;
  bool all_binary = false;
};
// `json_size` bytes of the body are JSON, the rest are tensors as they lie in memory. Throws
// InvalidArgument naming what is wrong.
KServeQuestion parse_infer_request(const std::string& body, std::size_t json_size,
                                   const Signatures& signatures);

struct KServeAnswer {
  std::string body;
  std::size_t json_size = 0;  // of the body; the rest are bytes of tensors
};
KServeAnswer infer_response(const ServableId& id, const KServeQuestion& question,
                            const std::map<std::string, Tensor>& outputs);

std::string as_json(const inference::ServerMetadataResponse& server);
std::string as_json(const inference::ModelMetadataResponse& model);
std::string as_json(const inference::RepositoryIndexResponse& index);
// Whether the body of a request for the index wants models alone that are ready.
bool wants_only_ready(const std::string& body);

}  // namespace rill::serve
