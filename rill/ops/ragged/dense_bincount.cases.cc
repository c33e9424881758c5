#include "tests/optest/op_case.h"

namespace rill {

extern const OpCases kDenseBincountCases{
    "dense_bincount", [] {
      std::vector<OpCase> cases;
      using I = std::int32_t;
      const Tensor numbers = tensor<I>({6}, {1, 0, 3, 1, 9, 1}),
                   rows = tensor<I>({2, 3}, {1, 1, 0, 4, 2, 2});
      for (const DType type : {DType::i32, DType::i64, DType::f32, DType::f64}) {
        cases.push_back(
            {.op = "DenseBincount", .in = {numbers, scalar<I>(4), values(type, {0}, {})}});
        cases.push_back(
            {.op = "DenseBincount", .in = {rows, scalar<I>(4), random(type, {2, 3}, 1, 0, 9)}});
        cases.push_back({.op = "DenseBincount",
                         .in = {rows, scalar<I>(3), values(type, {0}, {})},
                         .attrs = {{"binary_output", true}}});
      }
      cases.push_back({.op = "DenseBincount",
                       .in = {tensor<std::int64_t>({2}, {5, 1}), scalar<std::int64_t>(3),
                              tensor<float>({0}, {})}});
      cases.push_back({.op = "DenseBincount",
                       .in = {tensor<I>({0}, {}), scalar<I>(3), tensor<float>({0}, {})}});
      cases.push_back({.op = "DenseBincount",
                       .in = {tensor<I>({2, 0}, {}), scalar<I>(2), tensor<float>({0}, {})}});
      cases.push_back({.op = "DenseBincount",
                       .in = {tensor<I>({1}, {-1}), scalar<I>(3), tensor<float>({0}, {})},
                       .error = "must be non-negative"});
      return cases;
    }};

}  // namespace rill
