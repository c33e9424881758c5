#pragma once

#include <string>
#include <vector>

#include "rill/graph/attr_text.h"

namespace rill {

// One field of a message in protobuf's text format.
struct TextField {
  std::string name;
  std::string scalar;              // the word or string after the colon
  std::vector<TextField> message;  // the fields between braces
};

// The fields between the braces that come next, lists spread out. Throws InvalidArgument when the
// text is malformed or nested too deeply.
std::vector<TextField> scan_message(TextScanner& scanner);

// What the fields of a TensorShapeProto and of a TensorProto stand for.
PartialShape text_shape(const std::vector<TextField>& fields);
Tensor text_tensor(const std::vector<TextField>& fields);

}  // namespace rill
