#pragma once

#include <map>
#include <string>
#include <vector>

#include "rill/base/text.h"
#include "rill/serve/model/requests.h"

// Requests of the REST interface as tensors, and tensors as its answers.
namespace rill::serve {

// Whether values come example by example ("instances") or input by input ("inputs").
enum class JsonLayout { kRow, kColumn };

// The names in a map, sorted, with commas between them.
std::string joined_names(const auto& map) {
  std::vector<std::string> names;
  for (const auto& [name, value] : std::map(map.begin(), map.end())) names.push_back(name);
  return join(names, ",");
}

struct JsonQuestion {
  Question question;
  JsonLayout layout = JsonLayout::kRow;
};
// The body of a predict request. Throws InvalidArgument with TensorFlow Serving's texts.
JsonQuestion parse_predict_request(const std::string& body, const Signatures& signatures);

// The answer in the layout of the request. Throws InvalidArgument when rows are asked for and the
// outputs do not have as many of them as each other.
std::string predict_response(const std::map<std::string, Tensor>& outputs, JsonLayout layout);

}  // namespace rill::serve
