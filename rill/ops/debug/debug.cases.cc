#include <cmath>

#include "tests/optest/op_case.h"

namespace rill {

extern const OpCases kDebugCases{
    "debug", [] {
      std::vector<OpCase> cases;
      const Tensor mixed = tensor<float>({7}, {1, 2, NAN, INFINITY, -INFINITY, 0, -3});
      const AttrMap named{{"tensor_name", "x:0"}};
      for (const char* op : {"Copy", "CopyHost", "DebugIdentity"}) {
        cases.push_back({.op = op, .in = {mixed}, .attrs = named});
        cases.push_back({.op = op, .in = {strings({2}, {"a", ""})}, .attrs = named});
        cases.push_back({.op = op, .in = {tensor<std::int32_t>({0, 2}, {})}, .attrs = named});
      }
      const Tensor numbers[] = {mixed,
                                tensor<float>({0}, {}),
                                tensor<double>({1}, {NAN}),
                                tensor<std::int32_t>({2, 2}, {1, 2, 3, -4}),
                                tensor<std::uint8_t>({3}, {1, 0, 5}),
                                scalar<std::int64_t>(7)};
      for (const Tensor& t : numbers) {
        cases.push_back({.op = "DebugNanCount", .in = {t}, .attrs = named});
        cases.push_back({.op = "DebugNumericSummary", .in = {t}, .attrs = named});
        cases.push_back(
            {.op = "DebugNumericSummary",
             .in = {t},
             .attrs = {{"tensor_name", "x:0"}, {"lower_bound", -2.0}, {"upper_bound", 2.0}}});
      }
      cases.push_back({.op = "DebugNanCount", .in = {tensor<half>({2}, {NAN, 1})}, .attrs = named});
      cases.push_back(
          {.op = "DebugNumericSummary", .in = {tensor<bool>({2}, {true, false})}, .attrs = named});
      cases.push_back(
          {.op = "DebugIdentity", .in = {mixed}, .error = "Failed to parse tensor name"});
      return cases;
    }};

}  // namespace rill
