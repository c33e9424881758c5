#include "tests/optest/op_case.h"

namespace rill {

extern const OpCases kMinMaxCases{
    "min_max", [] {
      std::vector<OpCase> cases;
      for (const char* op : {"Maximum", "Minimum"}) {
        for (const DType type :
             {DType::f16, DType::bf16, DType::f32, DType::f64, DType::i32, DType::i64})
          cases.push_back(
              {.op = op, .in = {random(type, {3, 5}, 1, -9, 9), random(type, {5}, 2, -9, 9)}});
        cases.push_back({.op = op,
                         .in = {tensor<float>({4}, {NAN, 1, INFINITY, -INFINITY}),
                                tensor<float>({4}, {1, NAN, 2, 2})},
                         .grad = false});
        cases.push_back({.op = op, .in = {random<float>({40}, 3), scalar<float>(0)}});
        cases.push_back({.op = op, .in = {scalar<double>(0), random<double>({40}, 3)}});
      }
      return cases;
    }};

}  // namespace rill
