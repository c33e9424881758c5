#include "tests/optest/op_case.h"

namespace rill {
namespace {

void add_logsumexp(std::vector<OpCase>& cases) {
  const char* op = "CumulativeLogsumexp";
  for (const DType type : {DType::f16, DType::f32, DType::f64})
    for (const bool exclusive : {false, true})
      for (const bool reverse : {false, true}) {
        const AttrMap attrs = {{"exclusive", exclusive}, {"reverse", reverse}};
        cases.push_back({.op = op,
                         .in = {random(type, {2, 5, 3}, 3, -3, 3), scalar<std::int32_t>(1)},
                         .attrs = attrs,
                         .rtol = type == DType::f16 ? 4e-3 : -1,
                         .atol = type == DType::f16 ? 4e-3 : 1e-6});
        cases.push_back({.op = op,
                         .in = {values(type, {4}, {1, 2, -INFINITY, 3}), scalar<std::int64_t>(-1)},
                         .attrs = attrs,
                         .grad = false});
      }
  cases.push_back({.op = op,
                   .in = {tensor<float>({3}, {-1000, -1001, 1000}), scalar<std::int32_t>(0)},
                   .grad = false});
  cases.push_back({.op = op, .in = {tensor<float>({0, 2}, {}), scalar<std::int32_t>(0)}});
  cases.push_back({.op = op,
                   .in = {random<float>({2}, 1), scalar<std::int32_t>(1)},
                   .error = "ScanOp: Expected scan axis in the range \\[-1, 1\\), but got 1"});
}

}  // namespace

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
      add_logsumexp(cases);
      return cases;
    }};

}  // namespace rill
