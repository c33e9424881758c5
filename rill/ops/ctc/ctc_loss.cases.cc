#include <limits>

#include "tests/optest/op_case.h"

namespace rill {
namespace {

using I = std::int64_t;

// Which labels the sequences of a batch have.
using Labels = std::vector<std::vector<std::int32_t>>;

std::vector<CaseInput> loss_inputs(Tensor logits, const Labels& labels, Tensor lengths) {
  I count = 0;
  for (const auto& sequence : labels) count += static_cast<I>(sequence.size());
  Tensor indices(DType::i64, {count, 2}), values(DType::i32, {count});
  auto* index = indices.data<I>();
  auto* value = values.data<std::int32_t>();
  for (std::size_t b = 0; b < labels.size(); ++b)
    for (std::size_t i = 0; i < labels[b].size(); ++i) {
      *index++ = static_cast<I>(b);
      *index++ = static_cast<I>(i);
      *value++ = labels[b][i];
    }
  return {std::move(logits), std::move(indices), std::move(values), std::move(lengths)};
}

// TensorFlow adds logarithms in float, those of doubles too; gradients are differences of what it
// gets. The numeric check would ask for the gradient of the second output, which there is none of;
// tests/cpp/ctc_test.cc checks that of the first.
OpCase loss(Tensor logits, const Labels& labels, std::initializer_list<std::int32_t> lengths,
            AttrMap attrs = {}) {
  return {.op = "CTCLoss",
          .in = loss_inputs(std::move(logits), labels,
                            tensor<std::int32_t>({static_cast<I>(lengths.size())}, lengths)),
          .attrs = std::move(attrs),
          .rtol = 1e-6,
          .atol = 3e-6,
          .grad = false};
}

std::vector<std::int32_t> many_labels(int count, int classes) {
  std::vector<std::int32_t> labels;
  for (int i = 0; i < count; ++i) labels.push_back((i * i + i / 3) % classes);
  return labels;
}

void add_losses(std::vector<OpCase>& cases) {
  const AttrMap apart{{"ctc_merge_repeated", false}};
  const AttrMap collapsed{{"preprocess_collapse_repeated", true}};
  const AttrMap ignored{{"ignore_longer_outputs_than_inputs", true}};
  for (const DType type : {DType::f32, DType::f64}) {
    const Tensor logits = random(type, {6, 3, 5}, 3, -2, 2);
    for (const AttrMap& attrs : {AttrMap{}, apart, collapsed})
      cases.push_back(loss(logits, {{1, 2}, {3, 3, 0}, {0, 0, 2, 2}}, {6, 6, 6}, attrs));
    cases.push_back(loss(logits, {{1}, {2, 1, 0}, {3, 3, 1}}, {1, 3, 5}));
    cases.push_back(loss(logits, {{1, 1, 1, 1}, {2, 4, 4}, {3, 7}}, {6, 6, 4}));  // no path; blanks
    cases.push_back(loss(logits, {{1, 2}, {0, 1, 2}, {0}}, {0, 2, 6}, ignored));
    cases.push_back(loss(random(type, {1, 2, 2}, 5), {{0}, {0}}, {1, 1}));
    cases.push_back(loss(random(type, {9, 1, 100}, 5, -4, 4), {many_labels(4, 99)}, {9}));
    // Far from the labels: probabilities that no double could hold.
    cases.push_back(loss(random(type, {60, 2, 8}, 6, -40, 40),
                         {many_labels(25, 7), many_labels(8, 7)}, {60, 50}));
    cases.back().atol = 1e-3;  // a thousandth is what float has of logarithms near 1000
  }
  cases.push_back(loss(random(DType::f64, {300, 2, 30}, 7, -1, 1),
                       {many_labels(100, 29), many_labels(40, 29)}, {300, 211}));
  cases.back().atol = 1e-3;
}

void add_special_losses(std::vector<OpCase>& cases) {
  constexpr float kInfinity = std::numeric_limits<float>::infinity();
  for (const float special : {std::numeric_limits<float>::quiet_NaN(), kInfinity, -kInfinity}) {
    Tensor logits = random(DType::f32, {4, 2, 3}, 8).clone();
    logits.data<float>()[8] = special;
    cases.push_back(loss(logits, {{1}, {0}}, {4, 4}));
  }
  Tensor never = random(DType::f32, {4, 2, 3}, 8).clone();
  for (int t = 0; t < 4; ++t) never.data<float>()[6 * t] = -1000;
  cases.push_back(loss(never, {{0}, {0}}, {4, 4}));
}

void add_loss_errors(std::vector<OpCase>& cases) {
  const Tensor logits = random(DType::f32, {4, 2, 5}, 3);
  const auto fails = [&](OpCase c, const char* error) {
    c.error = error;
    cases.push_back(std::move(c));
  };
  const auto with_indices = [&](std::initializer_list<I> indices) {
    OpCase c = loss(logits, {{1, 2}, {3}}, {4, 4});
    c.in[1] = tensor<I>({3, 2}, indices);
    return c;
  };
  fails(loss(logits, {{0, 1, 2, 3, 0}, {1}}, {4, 4}),
        "Not enough time for target transition sequence \\(required: 5, available: 4\\)");
  fails(loss(logits, {{1, 4, 1}, {1}}, {4, 4}), "Saw a non-null label");
  fails(loss(logits, {{1, -1}, {1}}, {4, 4}), "All labels must be nonnegative integers, batch: 0");
  fails(loss(logits, {{1}, {}}, {4, 4}), "Labels length is zero in batch 1");
  fails(with_indices({0, 0, 0, 1, 2, 0}), "out of bounds: need 0 <= index < \\[2,2\\]");
  fails(with_indices({1, 0, 0, 1, 0, 0}), "is out of order");
  fails(with_indices({0, 0, 0, 0, 1, 0}), "is repeated");
  fails(with_indices({0, 0, 0, 1, 1, -1}), "is out of bounds");
  fails(loss(logits, {{1}, {1}}, {5, 4}), "sequence_length\\(0\\) <= 4");
  fails(loss(logits, {{1}, {1}}, {-1, 4}), "seq_len\\(0\\) < 0");
  fails(loss(logits, {{1}, {1}}, {4}),
        "Dimensions must be equal|len\\(sequence_length\\) != batch_size");
  fails(loss(random(DType::f32, {4, 5}, 3), {{1}}, {4}), "rank 3|inputs is not a 3-Tensor");
  fails(loss(Tensor(DType::f32, {4, 0, 5}), {}, {}), "batch_size must not be 0");
  fails(loss(Tensor(DType::f32, {0, 1, 5}), {{1}}, {0}), "Max time or first dimension");
}

}  // namespace

extern const OpCases kCtcLossCases{"ctc_loss", [] {
                                     std::vector<OpCase> cases;
                                     add_losses(cases);
                                     add_special_losses(cases);
                                     add_loss_errors(cases);
                                     return cases;
                                   }};

}  // namespace rill
