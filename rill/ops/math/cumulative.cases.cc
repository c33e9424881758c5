#include "tests/optest/op_case.h"

namespace rill {

extern const OpCases kCumulativeCases{
    "cumulative", [] {
      std::vector<OpCase> cases;
      for (const char* op : {"Cumsum", "Cumprod"}) {
        for (const DType type :
             {DType::f16, DType::f32, DType::f64, DType::i8, DType::i16, DType::i32, DType::i64,
              DType::u8, DType::u16, DType::c64, DType::c128})
          cases.push_back(
              {.op = op, .in = {random(type, {2, 3}, 1, 1, 3), scalar<std::int32_t>(1)}});
        for (const int axis : {0, 1, 2, -1})
          for (const bool exclusive : {false, true})
            for (const bool reverse : {false, true})
              cases.push_back(
                  {.op = op,
                   .in = {random<float>({2, 3, 4}, 2, 0.5, 1.5), scalar<std::int32_t>(axis)},
                   .attrs = {{"exclusive", exclusive}, {"reverse", reverse}}});
        cases.push_back({.op = op, .in = {tensor<float>({0, 2}, {}), scalar<std::int32_t>(0)}});
        cases.push_back(
            {.op = op,
             .in = {random<float>({2}, 1), scalar<std::int32_t>(1)},
             .error = "ScanOp: Expected scan axis in the range \\[-1, 1\\), but got 1"});
      }
      return cases;
    }};

}  // namespace rill
