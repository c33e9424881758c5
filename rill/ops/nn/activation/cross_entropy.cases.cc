#include "tests/optest/op_case.h"

namespace rill {

extern const OpCases kCrossEntropyCases{
    "cross_entropy", [] {
      std::vector<OpCase> cases;
      const char* const dense = "SoftmaxCrossEntropyWithLogits";
      const char* const sparse = "SparseSoftmaxCrossEntropyWithLogits";
      for (const DType type : {DType::f16, DType::f32, DType::f64}) {
        const double atol = type == DType::f16 ? 4e-3 : 1e-6;
        // Its gradient takes the labels of a row to add up to 1.
        cases.push_back({.op = dense,
                         .in = {random(type, {3, 4}, 1, -2, 2), random(type, {3, 4}, 2, 0, 1)},
                         .atol = atol,
                         .grad = false});
        cases.push_back({.op = sparse,
                         .in = {random(type, {3, 4}, 1, -2, 2), values(DType::i32, {3}, {0, 3, 1})},
                         .atol = atol});
        cases.push_back({.op = sparse,
                         .in = {random(type, {3, 4}, 1, -2, 2), values(DType::i64, {3}, {0, 3, 1})},
                         .atol = atol});
      }
      cases.push_back({.op = dense,
                       .in = {random<float>({3, 4}, 1), random<float>({1, 4}, 2, 0, 1)},
                       .atol = 1e-6,
                       .grad = false});
      cases.push_back({.op = dense,
                       .in = {random<float>({1, 4}, 1), random<float>({3, 4}, 2, 0, 1)},
                       .atol = 1e-6,
                       .grad = false});
      cases.push_back({.op = dense,
                       .in = {tensor<float>({1, 3}, {10000, 10001, 9999}),
                              tensor<float>({1, 3}, {0.2f, 0.3f, 0.5f})},
                       .atol = 1e-6,
                       .grad = false});
      cases.push_back({.op = sparse,
                       .in = {tensor<float>({0, 3}, {}), tensor<std::int64_t>({0}, {})},
                       .grad = false});
      cases.push_back(
          {.op = sparse,
           .in = {random<float>({1, 2}, 1), tensor<std::int64_t>({1}, {2})},
           .error = "Received a label value of 2 which is outside the valid range of \\[0, 2\\)"});
      cases.push_back({.op = sparse,
                       .in = {random<float>({1, 2}, 1), tensor<std::int64_t>({2}, {1, 0})},
                       .error = "logits and labels must have the same first dimension, got logits "
                                "shape \\[1,2\\] and labels shape \\[2\\]"});
      cases.push_back({.op = dense,
                       .in = {random<float>({1, 2}, 1), random<float>({1, 3}, 1)},
                       .error = "logits and labels must be broadcastable: logits_size=\\[1,2\\] "
                                "labels_size=\\[1,3\\]"});
      return cases;
    }};

}  // namespace rill
