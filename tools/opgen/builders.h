#pragma once

#include <string>
#include <vector>

#include "rill/graph/op.h"

namespace rill::opgen {

// The C++ raw builders of one family: the text of its header and of its source.
std::string builders_header(const std::vector<const Op*>& ops);
std::string builders_source(const std::string& family, const std::vector<const Op*>& ops);

// "Output", "std::vector<Output>", "Node&", or the struct of several outputs.
std::string result_type(const Op& op);

// A header that includes those of all families.
std::string all_builders_header(const std::vector<std::string>& families);

}  // namespace rill::opgen
