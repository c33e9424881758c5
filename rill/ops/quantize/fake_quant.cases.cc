#include "tests/optest/op_case.h"

namespace rill {
namespace {

// Rounding has steps where a numeric gradient sees none, so the gradient ops are compared instead.
void add_limits(std::vector<OpCase>& cases, float min, float max, AttrMap attrs = {}) {
  const Tensor low = scalar<float>(min), high = scalar<float>(max);
  const Tensor x = random<float>({7, 19}, 3, -8, 8), dy = random<float>({7, 19}, 4);
  cases.push_back({.op = "FakeQuantWithMinMaxVars",
                   .in = {x, low, high},
                   .attrs = attrs,
                   .atol = 1e-6,
                   .grad = false});
  cases.push_back({.op = "FakeQuantWithMinMaxVarsGradient",
                   .in = {dy, x, low, high},
                   .attrs = attrs,
                   .atol = 1e-5});
  attrs.emplace("min", min);
  attrs.emplace("max", max);
  cases.push_back(
      {.op = "FakeQuantWithMinMaxArgs", .in = {x}, .attrs = attrs, .atol = 1e-6, .grad = false});
  cases.push_back({.op = "FakeQuantWithMinMaxArgsGradient", .in = {dy, x}, .attrs = attrs});
}

void add_channels(std::vector<OpCase>& cases, Shape shape, std::int64_t bits, bool narrow) {
  const std::int64_t channels = shape.dim(shape.rank() - 1);
  const Tensor min = random<float>({channels}, 5, -6, 0), max = random<float>({channels}, 6, 0, 6);
  const Tensor x = random<float>(shape, 7, -7, 7), dy = random<float>(shape, 8);
  const AttrMap attrs = {{"num_bits", bits}, {"narrow_range", narrow}};
  cases.push_back({.op = "FakeQuantWithMinMaxVarsPerChannel",
                   .in = {x, min, max},
                   .attrs = attrs,
                   .atol = 1e-6,
                   .grad = false});
  cases.push_back({.op = "FakeQuantWithMinMaxVarsPerChannelGradient",
                   .in = {dy, x, min, max},
                   .attrs = attrs,
                   .atol = 1e-5});
}

void add_special_fake_quant(std::vector<OpCase>& cases) {
  const Tensor x = tensor<float>({6}, {NAN, INFINITY, -INFINITY, 0, 5.99f, -6});
  const Tensor zero = scalar<float>(0), one = scalar<float>(1), two = scalar<float>(2);
  cases.push_back({.op = "FakeQuantWithMinMaxArgs", .in = {x}, .grad = false});
  cases.push_back({.op = "FakeQuantWithMinMaxArgsGradient", .in = {x, x}});
  for (const auto& [min, max] : {std::pair{zero, zero}, {one, two}, {two, one}, {one, one}}) {
    cases.push_back({.op = "FakeQuantWithMinMaxVars", .in = {x, min, max}, .grad = false});
    cases.push_back({.op = "FakeQuantWithMinMaxVarsGradient",
                     .in = {tensor<float>({6}, {1, 2, 4, 8, 16, 32}), x, min, max}});
  }
  cases.push_back({.op = "FakeQuantWithMinMaxVarsPerChannel",
                   .in = {tensor<float>({2, 3}, {1, 2, 3, -1, -2, -3}),
                          tensor<float>({3}, {0, -1, -2}), tensor<float>({3}, {0, 1, 2})},
                   .grad = false});
  const Tensor empty = tensor<float>({0, 3}, {}), limits = tensor<float>({3}, {1, 2, 3});
  cases.push_back({.op = "FakeQuantWithMinMaxArgs", .in = {empty}, .grad = false});
  cases.push_back({.op = "FakeQuantWithMinMaxVarsGradient", .in = {empty, empty, zero, one}});
  cases.push_back(
      {.op = "FakeQuantWithMinMaxVarsPerChannel", .in = {empty, limits, limits}, .grad = false});
  cases.push_back(
      {.op = "FakeQuantWithMinMaxVarsPerChannelGradient", .in = {empty, empty, limits, limits}});
}

void add_fake_quant_errors(std::vector<OpCase>& cases) {
  const Tensor x = tensor<float>({3}, {1, 2, 3}), y = tensor<float>({2}, {1, 2});
  const Tensor zero = scalar<float>(0), one = scalar<float>(1);
  for (const std::int64_t bits : {1, 17})
    cases.push_back({.op = "FakeQuantWithMinMaxVars",
                     .in = {x, zero, one},
                     .attrs = {{"num_bits", bits}},
                     .error = "num_bits must be between 2 and 16, inclusive"});
  cases.push_back({.op = "FakeQuantWithMinMaxArgs",
                   .in = {x},
                   .attrs = {{"min", 3.0f}, {"max", 3.0f}},
                   .error = "min has to be smaller than max, was: 3 >= 3"});
  cases.push_back({.op = "FakeQuantWithMinMaxVars",
                   .in = {x, y, one},
                   .error = "Shape must be rank 0 but is rank 1"});
  cases.push_back({.op = "FakeQuantWithMinMaxVarsGradient",
                   .in = {y, x, zero, one},
                   .error = "Dimension 0 in both shapes must be equal, but are 2 and 3"});
  cases.push_back({.op = "FakeQuantWithMinMaxArgsGradient", .in = {y, x}, .error = "2.*3"});
  cases.push_back({.op = "FakeQuantWithMinMaxVarsPerChannel",
                   .in = {x, y, y},
                   .error = "Dimensions must be equal, but are 3 and 2"});
}

}  // namespace

extern const OpCases kFakeQuantCases{
    "fake_quant", [] {
      std::vector<OpCase> cases;
      add_limits(cases, -6, 6);
      for (const std::int64_t bits : {2, 4, 16})
        add_limits(cases, -5.3f, 4.1f, {{"num_bits", bits}, {"narrow_range", true}});
      add_limits(cases, 0.5f, 3);
      add_limits(cases, -4, -1);
      for (const bool narrow : {false, true}) {
        add_channels(cases, {5, 3}, 8, narrow);
        add_channels(cases, {2, 3, 4, 70}, 3, narrow);
        add_channels(cases, {9}, 12, narrow);
      }
      add_special_fake_quant(cases);
      add_fake_quant_errors(cases);
      return cases;
    }};

}  // namespace rill
