#include "tests/optest/op_case.h"

namespace rill {
namespace {

constexpr double kAdjustTolerance = 1e-5;

void add_contrast(std::vector<OpCase>& cases) {
  for (const double factor : {0.0, 0.5, 3.0, -1.0}) {
    const Tensor number = filled<float>({}, factor);
    cases.push_back({.op = "AdjustContrastv2",
                     .in = {random<float>({2, 6, 5, 3}, 1, 0, 1), number},
                     .atol = kAdjustTolerance});
    cases.push_back({.op = "AdjustContrastv2",
                     .in = {random<float>({7, 3, 4}, 2, -9, 9), number},
                     .atol = kAdjustTolerance});
  }
  cases.push_back({.op = "AdjustContrastv2",
                   .in = {random<float>({2, 1, 6, 5, 1}, 1, 0, 1), scalar<float>(2)},
                   .atol = kAdjustTolerance});
  cases.push_back(
      {.op = "AdjustContrastv2", .in = {random<float>({0, 6, 5, 3}, 1), scalar<float>(2)}});
  cases.push_back(
      {.op = "AdjustContrastv2", .in = {random<float>({2, 0, 5, 3}, 1), scalar<float>(2)}});
  for (const DType type : {DType::u8, DType::i8, DType::i16, DType::i32, DType::f32, DType::f64})
    cases.push_back({.op = "AdjustContrast",
                     .in = {random(type, {2, 6, 5, 3}, 4, 0, 100), scalar<float>(1.7F),
                            scalar<float>(10), scalar<float>(80)},
                     .atol = kAdjustTolerance});
}

void add_color(std::vector<OpCase>& cases, const char* op, std::initializer_list<double> numbers) {
  for (const double number : numbers) {
    cases.push_back({.op = op,
                     .in = {random<float>({2, 6, 5, 3}, 1, 0, 1), filled<float>({}, number)},
                     .atol = kAdjustTolerance});
    cases.push_back({.op = op,
                     .in = {tensor<float>({1, 6, 3}, {0, 0, 0, 1, 1, 1, 0.5, 0.5, 0.25, 1, 0, 0, 0,
                                                      0.3F, 0.3F, 0.7F, 0, 0.7F}),
                            filled<float>({}, number)},
                     .atol = kAdjustTolerance});
  }
  cases.push_back({.op = op, .in = {random<float>({0, 6, 5, 3}, 1), scalar<float>(1)}});
  cases.push_back({.op = op,
                   .in = {random<float>({6, 5, 4}, 1), scalar<float>(1)},
                   .error = "input must have 3 channels but instead has 4 channels"});
}

}  // namespace

extern const OpCases kAdjustCases{
    "adjust", [] {
      std::vector<OpCase> cases;
      add_contrast(cases);
      add_color(cases, "AdjustHue", {0.0, 0.2, -0.3, 1.0, -1.0, 0.999});
      add_color(cases, "AdjustSaturation", {0.0, 0.5, 1.0, 1.7, 10.0, -1.0});
      for (const char* op : {"AdjustContrastv2", "AdjustHue", "AdjustSaturation"}) {
        cases.push_back({.op = op,
                         .in = {random<float>({5, 3}, 1), scalar<float>(1)},
                         .error = "at least (rank )?3"});
        cases.push_back({.op = op,
                         .in = {random<float>({4, 5, 3}, 1), random<float>({1}, 1)},
                         .error = "scalar|rank 0"});
      }
      return cases;
    }};

}  // namespace rill
