#include "tests/optest/op_case.h"

namespace rill {
namespace {

using I = std::int64_t;

OpCase hits(Tensor true_classes, Tensor sampled, I num_true, const char* error = "") {
  return {.op = "ComputeAccidentalHits",
          .in = {std::move(true_classes), std::move(sampled)},
          .attrs = {{"num_true", num_true}},
          .error = error};
}

}  // namespace

extern const OpCases kAccidentalHitsCases{
    "accidental_hits", [] {
      const Tensor classes = tensor<I>({3, 2}, {0, 3, 5, -1, 3, 3});
      return std::vector<OpCase>{
          hits(classes, tensor<I>({5}, {3, 0, 3, 5, 9}), 2),
          hits(classes, tensor<I>({2}, {7, 8}), 2),
          hits(classes, Tensor(DType::i64, {0}), 2),
          hits(Tensor(DType::i64, {0, 4}), tensor<I>({2}, {7, 8}), 4),
          hits(Tensor(DType::i64, {3, 0}), tensor<I>({2}, {7, 8}), 0),
          hits(random<I>({64, 3}, 1, 0, 500), random<I>({100}, 2, 0, 500), 3),
          hits(classes, tensor<I>({2}, {7, 8}), 3,
               "Dimension must be 3 but is 2|must be a batch_size \\* num_true matrix"),
          hits(tensor<I>({2}, {1, 2}), tensor<I>({2}, {7, 8}), 2,
               "rank 2|must be a batch_size \\* num_true matrix"),
          hits(classes, tensor<I>({1, 2}, {7, 8}), 2, "rank 1|sampled_candidates must be a vector"),
      };
    }};

}  // namespace rill
