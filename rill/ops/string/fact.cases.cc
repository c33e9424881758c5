#include "tests/optest/op_case.h"

namespace rill {

extern const OpCases kFactCases{"fact", [] { return std::vector<OpCase>{{.op = "Fact"}}; }};

}  // namespace rill
