#pragma once

#include <string>
#include <vector>

#include "tests/optest/case_graph.h"

namespace rill {

// A row made worse in one place, and which: "input 1 empty", "attribute strides of length 0".
struct HostileCase {
  std::string what;
  OpCase row;
};

// Wrong ranks and sizes, other types, values out of any range, attributes nobody expects.
std::vector<HostileCase> made_hostile(const OpCase& row, const Op& op);

// A call with inputs and attributes of the declared kinds and no sense otherwise.
OpCase plain_call(const Op& op);

}  // namespace rill
