#pragma once

#include <map>
#include <set>
#include <string>
#include <string_view>

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

// What a model takes and gives by default.
std::string kserve_metadata(const ServableId& id, const Signatures& signatures);

std::string_view kserve_type(DType dtype);                    // "FP32"; throws Unimplemented
bool parse_kserve_type(std::string_view name, DType* dtype);  // false when there is none
// Elements as they lie in memory; texts each behind their length in four bytes.
std::string tensor_bytes(const Tensor& tensor);
Tensor tensor_of_bytes(std::string_view bytes, DType dtype, const Shape& shape);

}  // namespace rill::serve
