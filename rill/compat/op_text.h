#pragma once

#include <string>
#include <vector>

#include "rill/graph/op.h"

namespace rill {

// An op as REGISTER_OP states it, before anything is understood.
struct OpText {
  std::string name, doc;
  std::vector<std::string> attrs, inputs, outputs;
  std::uint64_t traits = 0;
  int deprecated = 0;
  std::string deprecated_why;
};

// Throws InvalidArgument, naming the op and the line at fault, when the text cannot be understood
// or contradicts itself. Lines of the documentation that start with the name of an argument or
// attribute and a colon go to that argument.
Op parse_op(const OpText& text);

}  // namespace rill
