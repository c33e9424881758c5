#include "tests/optest/op_case.h"

namespace rill {
namespace {

using I = std::int32_t;

OpCase reversed(Tensor input, Tensor lengths, int seq, int batch, const char* error = "") {
  return {.op = "ReverseSequence",
          .in = {std::move(input), std::move(lengths)},
          .attrs = {{"seq_dim", std::int64_t{seq}}, {"batch_dim", std::int64_t{batch}}},
          .error = error};
}

}  // namespace

extern const OpCases kReverseSequenceCases{
    "reverse_sequence", [] {
      std::vector<OpCase> cases;
      const Tensor lengths = tensor<std::int64_t>({3}, {2, 0, 4});
      for (const DType type : {DType::f32, DType::f64, DType::i32, DType::u8, DType::boolean})
        cases.push_back(reversed(random(type, {3, 4, 2}, 1, 0, 9), lengths, 1, 0));
      cases.push_back(reversed(random<float>({4, 2, 3}, 1), tensor<I>({3}, {1, 3, 4}), 0, 2));
      cases.push_back(
          reversed(random<float>({3, 2}, 1), tensor<I>({3}, {1, 3, 0}), 1, 0, "seq_lens"));
      cases.push_back(
          reversed(random<float>({3, 2}, 1), tensor<I>({3}, {1, -1, 0}), 1, 0, "seq_lens"));
      cases.push_back(reversed(random<float>({3, 2}, 1), tensor<I>({2}, {1, 1}), 1, 0));
      cases.back().error = "seq_lens|must be equal|[Dd]imension";
      cases.push_back(
          reversed(random<float>({3, 3}, 1), tensor<I>({3}, {1, 1, 1}), 1, 1, "seq_dim"));
      cases.push_back(
          reversed(random<float>({3, 3}, 1), tensor<I>({3}, {1, 1, 1}), 2, 0, "seq_dim"));
      for (const DType type : {DType::f32, DType::f64, DType::i32, DType::u8, DType::c64})
        cases.push_back({.op = "Roll",
                         .in = {random(type, {3, 4}, 1, 0, 9), tensor<I>({2}, {1, -2}),
                                tensor<I>({2}, {0, 1})}});
      cases.push_back({.op = "Roll", .in = {sequence<float>({5}), scalar<I>(12), scalar<I>(0)}});
      cases.push_back({.op = "Roll",
                       .in = {random<float>({2, 3, 4}, 1), tensor<std::int64_t>({3}, {1, 2, 2}),
                              tensor<std::int64_t>({3}, {1, -1, 1})}});
      cases.push_back(
          {.op = "Roll", .in = {tensor<float>({0, 3}, {}), scalar<I>(1), scalar<I>(1)}});
      cases.push_back({.op = "Roll",
                       .in = {sequence<float>({5}), scalar<I>(1), scalar<I>(1)},
                       .error = "axis 1 is out of range"});
      cases.push_back({.op = "Roll",
                       .in = {sequence<float>({5}), tensor<I>({2}, {1, 2}), scalar<I>(0)},
                       .error = "same size"});
      cases.push_back({.op = "Roll",
                       .in = {scalar<float>(5), scalar<I>(1), scalar<I>(0)},
                       .error = "1-D or higher|at least rank 1"});
      return cases;
    }};

}  // namespace rill
