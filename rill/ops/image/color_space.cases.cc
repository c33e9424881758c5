#include <limits>

#include "tests/optest/op_case.h"

namespace rill {
namespace {

constexpr double kColorTolerance = 1e-6;

void add_colors(std::vector<OpCase>& cases, const char* op) {
  for (const DType type : {DType::f32, DType::f64}) {
    cases.push_back(
        {.op = op, .in = {random(type, {2, 5, 7, 3}, 1, 0, 1)}, .atol = kColorTolerance});
    cases.push_back({.op = op, .in = {random(type, {6, 3}, 2, 0.05, 3)}, .atol = kColorTolerance});
    cases.push_back(
        {.op = op, .in = {values(type, {3}, {0.2, 0.7, 0.4})}, .atol = kColorTolerance});
    cases.push_back({.op = op, .in = {random(type, {0, 2, 3}, 3)}});
    // Grey, black, equal channels, negative ones.
    cases.push_back({.op = op,
                     .in = {values(type, {7, 3}, {0.5, 0.5, 0.5, 0, 0,  0,  1,  1, 0, 0, 1,
                                                  1,   1,   0,   1, -1, -2, -3, 1, 0, 0})},
                     .atol = kColorTolerance,
                     .grad = false});  // not differentiable there
  }
  cases.push_back({.op = op, .in = {scalar<float>(1)}, .error = "at least (rank )?1"});
}

}  // namespace

extern const OpCases kColorSpaceCases{"color_space", [] {
                                        std::vector<OpCase> cases;
                                        add_colors(cases, "RGBToHSV");
                                        add_colors(cases, "HSVToRGB");
                                        return cases;
                                      }};

}  // namespace rill
