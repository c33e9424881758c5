#include "tests/optest/op_case.h"

namespace rill {
namespace {

OpCase joined(DType type, int axis, const Shape& a, const Shape& b, float min, float max) {
  const bool wide = type == DType::qi32;
  const double low = wide ? -1.5e9 : 0, high = wide ? 1.5e9 : 256;
  return {.op = "QuantizedConcat",
          .in = {scalar<std::int32_t>(axis),
                 list({random(type, a, 1, low, high), random(type, b, 2, low, high)}),
                 list({scalar<float>(-1), scalar<float>(min)}),
                 list({scalar<float>(3), scalar<float>(max)})}};
}

}  // namespace

extern const OpCases kQuantizedConcatCases{
    "quantized_concat", [] {
      std::vector<OpCase> cases;
      for (const DType type : {DType::qu8, DType::qi32}) {
        cases.push_back(joined(type, 0, {3, 5}, {2, 5}, -1, 3));
        cases.push_back(joined(type, 1, {3, 5}, {3, 4}, -1, 3));
      }
      cases.push_back(joined(DType::qu8, 1, {3, 5}, {3, 4}, -2, 2));
      cases.push_back(joined(DType::qu8, 2, {2, 3, 7}, {2, 3, 1}, 0, 6));
      cases.push_back(joined(DType::qu8, 0, {2, 5}, {0, 5}, -4, 4));
      return cases;
    }};

}  // namespace rill
