#include <limits>

#include "tests/optest/op_case.h"

namespace rill {
namespace {

using I = std::int64_t;

// TensorFlow adds logarithms in float, those of doubles too.
constexpr double kLogPrecision = 1e-6;

OpCase greedy(Tensor logits, std::initializer_list<std::int32_t> lengths, bool merge = false) {
  return {
      .op = "CTCGreedyDecoder",
      .in = {std::move(logits), tensor<std::int32_t>({static_cast<I>(lengths.size())}, lengths)},
      .attrs = {{"merge_repeated", merge}}};
}

OpCase beam(Tensor logits, std::initializer_list<std::int32_t> lengths, I width, I paths,
            bool merge = true) {
  return {
      .op = "CTCBeamSearchDecoder",
      .in = {std::move(logits), tensor<std::int32_t>({static_cast<I>(lengths.size())}, lengths)},
      .attrs = {{"beam_width", width}, {"top_paths", paths}, {"merge_repeated", merge}},
      .rtol = kLogPrecision};
}

void add_decoded(std::vector<OpCase>& cases) {
  for (const DType type : {DType::f32, DType::f64}) {
    const Tensor few = random(type, {7, 3, 4}, 3, -3, 3),
                 many = random(type, {30, 2, 40}, 4, -5, 5);
    for (const bool merge : {false, true}) {
      cases.push_back(greedy(few, {7, 7, 7}, merge));
      cases.push_back(greedy(few, {0, 3, -1}, merge));
      cases.push_back(greedy(many, {30, 17}, merge));
      cases.push_back(beam(few, {7, 7, 7}, 10, 3, merge));
      cases.push_back(beam(few, {7, 5, 2}, 100, 9, merge));
      cases.push_back(beam(many, {30, 17}, 20, 20, merge));
      cases.push_back(beam(many, {30, 17}, 1, 1, merge));
    }
    cases.push_back(greedy(filled(type, {3, 1, 4}, 1), {3}));
    cases.push_back(greedy(random(type, {3, 2, 1}, 5), {3, 2}));
    cases.push_back(beam(few, {0, 7, -4}, 10, 1));
    cases.push_back(beam(random(type, {3, 2, 1}, 5), {3, 2}, 4, 1));
    cases.push_back(beam(random(type, {12, 1, 3}, 6, -0.5, 0.5), {12}, 64, 30));
  }
  constexpr float kInfinity = std::numeric_limits<float>::infinity();
  for (const float special : {std::numeric_limits<float>::quiet_NaN(), kInfinity, -kInfinity}) {
    Tensor logits = random(DType::f32, {4, 2, 3}, 8).clone();
    logits.data<float>()[8] = special;
    cases.push_back(greedy(logits, {4, 4}));
    if (special == -kInfinity) cases.push_back(beam(logits, {4, 4}, 5, 3));
  }
}

void add_decode_errors(std::vector<OpCase>& cases) {
  const Tensor logits = random(DType::f32, {4, 2, 5}, 3);
  const auto fails = [&](OpCase c, const char* error) {
    c.error = error;
    cases.push_back(std::move(c));
  };
  fails(greedy(logits, {5, 4}), "sequence_length\\(0\\) <= 4");
  fails(greedy(logits, {4}), "Dimensions must be equal|len\\(sequence_length\\) != batch_size");
  fails(greedy(random(DType::f32, {4, 5}, 3), {4}), "rank 3|inputs is not a 3-Tensor");
  fails(greedy(Tensor(DType::f32, {4, 0, 5}), {}), "inputs must not be empty");
  fails(beam(logits, {4, 5}, 3, 1), "sequence_length\\(1\\) <= 4");
  fails(beam(logits, {4}, 3, 1), "Dimensions must be equal|len\\(sequence_length\\) != batch_size");
  fails(beam(logits, {4, 4}, 3, 4), "requested more paths than the beam width");
  fails(beam(random(DType::f32, {1, 1, 2}, 3), {1}, 50, 10), "Less leaves in the beam search");
  fails(beam(Tensor(DType::f32, {0, 2, 5}), {0, 0}, 3, 1), "inputs must not be empty");
}

}  // namespace

extern const OpCases kCtcDecodeCases{"ctc_decode", [] {
                                       std::vector<OpCase> cases;
                                       add_decoded(cases);
                                       add_decode_errors(cases);
                                       return cases;
                                     }};

}  // namespace rill
