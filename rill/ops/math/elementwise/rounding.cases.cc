#include "tests/optest/op_case.h"

namespace rill {

extern const OpCases kRoundingCases{
    "rounding", [] {
      std::vector<OpCase> cases;
      const auto numbers = [](DType type) {
        return values(type, {12},
                      {0.5, 1.5, 2.5, -0.5, -1.5, 0.3, -0.7, 7, NAN, INFINITY, -INFINITY, 100.25});
      };
      for (const char* op : {"Floor", "Ceil", "Round", "IsNan", "IsInf", "IsFinite"})
        for (const DType type : {DType::f16, DType::f32, DType::f64})
          cases.push_back({.op = op, .in = {numbers(type)}, .grad = false});
      for (const DType type : {DType::f32, DType::f64})
        cases.push_back({.op = "Rint", .in = {numbers(type)}, .grad = false});
      for (const DType type : {DType::i32, DType::i64})
        cases.push_back({.op = "Round", .in = {random(type, {5}, 1, -9, 9)}});
      return cases;
    }};

}  // namespace rill
