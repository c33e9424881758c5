#include "tests/optest/op_case.h"

namespace rill {
namespace {

struct Lrn {
  std::int64_t radius;
  float bias, alpha, beta;
  AttrMap attrs() const {
    return {{"depth_radius", radius}, {"bias", bias}, {"alpha", alpha}, {"beta", beta}};
  }
};

const std::vector<Lrn> kLrns = {{5, 1, 1, 0.5F},
                                {2, 2, 0.0001F, 0.75F},
                                {1, 1.5F, 0.3F, 1},
                                {0, 1, 0.5F, 0.3F},
                                {100, 1, 2, 0.6F}};

void add_both(std::vector<OpCase>& cases, const Lrn& norm, const Shape& shape, DType type) {
  const double atol = type == DType::f16 ? 4e-3 : 2e-6;
  cases.push_back(
      {.op = "LRN", .in = {random(type, shape, 1, -2, 2)}, .attrs = norm.attrs(), .atol = atol});
  cases.push_back(
      {.op = "LRNGrad",
       .in = {random(type, shape, 1), random(type, shape, 2, -2, 2), random(type, shape, 3)},
       .attrs = norm.attrs(),
       .atol = 4 * atol});
}

void add_lrn_errors(std::vector<OpCase>& cases) {
  const Tensor x = random<float>({1, 2, 2, 3}, 1);
  cases.push_back(
      {.op = "LRN", .in = {random<float>({2, 2, 3}, 1)}, .error = "rank 4|4-dimensional"});
  cases.push_back({.op = "LRN",
                   .in = {x},
                   .attrs = {{"depth_radius", std::int64_t{-1}}},
                   .error = "depth_radius = -1"});
  cases.push_back({.op = "LRNGrad",
                   .in = {x, random<float>({1, 2, 2, 4}, 1), x},
                   .error = "same shape|3 and 4"});
}

}  // namespace

extern const OpCases kLrnCases{
    "lrn", [] {
      std::vector<OpCase> cases;
      for (const Lrn& norm : kLrns)
        for (const DType type : {DType::f32, DType::f16}) {
          add_both(cases, norm, {2, 2, 3, 19}, type);
          add_both(cases, norm, {1, 3, 1, 1}, type);
        }
      add_both(cases, kLrns[0], {0, 2, 3, 4}, DType::f32);
      add_both(cases, {5, 1, 0.0001F, 0.75F}, {4, 27, 27, 96}, DType::f32);
      // TensorFlow's CPU has no bfloat16: 3 / sqrt(1 + 9 + 6), and so on.
      cases.push_back({.op = "LRN",
                       .in = {tensor<bfloat16>({1, 1, 1, 3}, {3, 2, 2})},
                       .attrs = {{"bias", 3.0F}, {"depth_radius", std::int64_t{1}}},
                       .name = "bfloat16",
                       .want = {tensor<bfloat16>({1, 1, 1, 3}, {0.75, 0.4472136F, 0.6030227F})}});
      cases.push_back(
          {.op = "LRNGrad",
           .in = {tensor<bfloat16>({1, 1, 1, 1}, {1}), tensor<bfloat16>({1, 1, 1, 1}, {1}),
                  tensor<bfloat16>({1, 1, 1, 1}, {0.5})},
           .attrs = {{"bias", 3.0F}},
           .name = "bfloat16_back",
           .want = {tensor<bfloat16>({1, 1, 1, 1}, {0.375})}});
      add_lrn_errors(cases);
      return cases;
    }};

}  // namespace rill
